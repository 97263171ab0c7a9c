//! The lab server alone: `cargo run -p meeple-lab --example lab`.
#![allow(clippy::print_stdout, reason = "the program prints its address")]

use std::net::SocketAddr;
use std::path::PathBuf;

use meeple_lab::{Options, link, new_token, serve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let token = new_token()?;
    let mut options = Options { token: Some(token.clone()), ..Options::default() };
    if let Some(port) = arguments.next() {
        options.listen = SocketAddr::from(([127, 0, 0, 1], port.parse()?));
    }
    if let Some(store) = arguments.next() {
        options.store = PathBuf::from(store);
    }
    if let Some(runs) = arguments.next() {
        options.runs = PathBuf::from(runs);
    }
    serve(options, |address| println!("{}", link(address, Some(&token))))?;
    Ok(())
}
