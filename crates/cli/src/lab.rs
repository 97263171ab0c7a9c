//! `meeple lab`: the page to play, watch bots think and read results.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use meeple_lab::{LabError, Limits, Options, link, new_token, serve};

use crate::failure::Failure;
use crate::{Outcome, show};

/// Serves the lab: a page to play any game, watch bots think and read results.
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple lab --open\n         \
                        meeple lab --listen 0.0.0.0 --token \"$SECRET\" --runs results")]
pub(crate) struct LabArgs {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// The port to listen on, 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 4321)]
    port: u16,
    /// What callers must present, at least 8 letters; drawn at random if not given
    #[arg(long, value_name = "TEXT", env = "MEEPLE_LAB_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Let in everybody on this machine without a token
    #[arg(long, conflicts_with = "token")]
    no_token: bool,
    /// The folder with the folders of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// The folder that keeps games in progress
    #[arg(long, value_name = "DIR", default_value = ".meeple-lab")]
    store: PathBuf,
    /// Searches at once; as many as there are cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    searches: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(args: &LabArgs) -> Outcome {
    let limits = Limits::default();
    let token = match &args.token {
        Some(token) => Some(token.clone()),
        None if args.no_token => None,
        None => Some(new_token().map_err(|error| Failure::Failed(error.into()))?),
    };
    let options = Options {
        listen: SocketAddr::new(args.listen, args.port),
        token: token.clone(),
        runs: args.runs.clone(),
        store: args.store.clone(),
        limits: Limits { searches: args.searches.map_or(limits.searches, usize::from), ..limits },
    };
    let ready = |address: SocketAddr| {
        let link = link(address, token.as_deref());
        // Whoever reads along must have the address before anything else happens; a
        // reader that is gone does not end the server.
        let _ = show::print(&format!("{link}\n"));
        show::remark("the lab listens there; Ctrl-C ends it");
        if args.open {
            open(&link);
        }
    };
    match serve(options, ready) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error @ (LabError::NoToken(_) | LabError::ShortToken(_))) => {
            Err(Failure::Usage(anyhow::anyhow!("{error}; --token gives it one")))
        }
        Err(error) => Err(Failure::Failed(error.into())),
    }
}

/// Opens a page with what the system uses for that.
fn open(link: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let quiet = Command::new(program).arg(link).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    match quiet {
        Err(error) => {
            show::remark(&format!("cannot start {program}: {error}; open the address yourself"));
        }
        // It says only in the end whether there was a browser, and must not hold the
        // server up; on Windows it never says so.
        Ok(mut child) if !cfg!(windows) => {
            std::thread::spawn(move || {
                if child.wait().is_ok_and(|status| !status.success()) {
                    let why = format!("{program} finds no browser");
                    show::remark(&format!("{why}; open the address yourself"));
                }
            });
        }
        Ok(_) => {}
    }
}
