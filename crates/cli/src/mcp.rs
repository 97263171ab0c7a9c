//! `meeple mcp`: a Model Context Protocol server for language models and other agents.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use meeple_lab::{Limits, new_token};
use meeple_mcp::{HttpOptions, McpError, Tables, serve_http, serve_stdio};

use crate::failure::Failure;
use crate::{Outcome, show};

/// Serve games to agents over the Model Context Protocol
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple mcp\n         \
                        meeple mcp --http 127.0.0.1:4322 --token \"$SECRET\"\n\n\
                        A client starts the first as a program and talks to it over its standard\n\
                        input and output; the second serves many clients at /mcp.")]
pub(crate) struct McpArgs {
    /// Serve streamable HTTP at this address instead of standard input and output
    #[arg(long, value_name = "ADDRESS:PORT")]
    http: Option<SocketAddr>,
    /// Access token of HTTP clients, at least 8 characters [default: random]
    #[arg(
        long,
        value_name = "TEXT",
        env = "MEEPLE_MCP_TOKEN",
        hide_env_values = true,
        requires = "http"
    )]
    token: Option<String>,
    /// Host name by which HTTP clients address the server, besides those of this machine
    #[arg(long = "host", value_name = "NAME", requires = "http")]
    hosts: Vec<String>,
    /// Folder for games in progress and finished ones
    #[arg(long, value_name = "DIR", default_value = ".meeple-mcp")]
    store: PathBuf,
    /// Maximum number of tables kept; the oldest are removed
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    tables: u32,
    /// Maximum number of simulations of a bot per decision
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    simulations: u64,
}

pub(crate) fn run(args: &McpArgs) -> Outcome {
    let stored = args.tables as usize;
    let usual = Limits::default();
    let sessions = usual.sessions.min(stored);
    let limits = Limits { stored, sessions, iterations: args.simulations, ..usual };
    let tables = Tables::open(args.store.clone(), limits).map_err(failed)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let result = match args.http {
        None => runtime.block_on(serve_stdio(&tables)),
        Some(listen) => {
            let token = match &args.token {
                Some(token) if token.len() < 8 => {
                    return Err(Failure::Usage(anyhow::anyhow!(
                        "--token has {} characters, expected at least 8",
                        token.chars().count()
                    )));
                }
                Some(token) => token.clone(),
                None => new_token().map_err(|error| Failure::Failed(error.into()))?,
            };
            let ready = |address| {
                let _ = show::print(&format!("http://{address}/mcp\ntoken: {token}\n"));
                show::remark("agents connect there; press Ctrl-C to stop");
            };
            let options = HttpOptions { listen, token: token.clone(), hosts: args.hosts.clone() };
            runtime.block_on(serve_http(&tables, &options, ready))
        }
    };
    // Searches of bots are abandoned.
    runtime.shutdown_background();
    result.map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}

fn failed(error: McpError) -> Failure {
    Failure::Failed(error.into())
}
