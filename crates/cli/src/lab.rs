//! `meeple lab`: the web interface to play, analyze and read results.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use meeple_lab::{LabError, Limits, Options, link, new_token, serve};

use crate::failure::Failure;
use crate::{Outcome, show};

/// Serve the web interface: play any game, watch searches, read results
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple lab --open\n         \
                        meeple lab --listen 0.0.0.0 --token \"$SECRET\" --runs results")]
pub(crate) struct LabArgs {
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// Port to listen on, 0 for any free port
    #[arg(long, value_name = "N", default_value_t = 4321)]
    port: u16,
    /// Access token, at least 8 characters [default: random]
    #[arg(long, value_name = "TEXT", env = "MEEPLE_LAB_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Require no token; only for addresses of this machine
    #[arg(long, conflicts_with = "token")]
    no_token: bool,
    /// Folder with the result folders of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Folder for games in progress
    #[arg(long, value_name = "DIR", default_value = ".meeple-lab")]
    store: PathBuf,
    /// Maximum number of concurrent searches [default: number of cores]
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
        // A parent process reads the address from the first line; a closed stdout does not
        // end the server.
        let _ = show::print(&format!("{link}\n"));
        show::remark("the lab is listening there; press Ctrl-C to stop");
        if args.open {
            open(&link);
        }
    };
    match serve(options, ready) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error @ (LabError::NoToken(_) | LabError::ShortToken(_))) => {
            Err(Failure::Usage(anyhow::anyhow!("{error}; set one with --token")))
        }
        Err(error) => Err(Failure::Failed(error.into())),
    }
}

/// Opens a page with the system's default browser.
fn open(link: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let child = Command::new(program).arg(link).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    match child {
        Err(error) => {
            show::remark(&format!(
                "cannot start {program}: {error}; open the address in a browser"
            ));
        }
        // The exit code tells whether a browser was found; waiting for it must not block the
        // server. On Windows the exit code has no meaning.
        Ok(mut child) if !cfg!(windows) => {
            std::thread::spawn(move || {
                if child.wait().is_ok_and(|status| !status.success()) {
                    let why = format!("{program} found no browser");
                    show::remark(&format!("{why}; open the address in a browser"));
                }
            });
        }
        Ok(_) => {}
    }
}
