//! How quickly a lab answers, and what 200 pages at once cost it:
//! `cargo run --release -p meeple-lab --example load`.
#![allow(clippy::print_stdout, reason = "a program that measures prints what it found")]

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream as Blocking;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use meeple_lab::{Options, serve};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::Barrier;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;
type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const CLIENTS: usize = 200;
/// Games of each kind that one page plays.
const ROUNDS: usize = 10;
const GAMES: [&str; 6] = ["connect-four", "chess", "backgammon", "stone-age", "magic", "holdem"];
/// The most moves of one game.
const MOVES: usize = 100;

/// A lab in a process of its own, so that its memory is its own.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(folder: &std::path::Path) -> Outcome<Self> {
        let mut child =
            Command::new(std::env::current_exe()?).arg(folder).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or("the server prints its address")?;
        BufReader::new(stdout).read_line(&mut line)?;
        Ok(Self { child, address: line.trim().to_owned() })
    }

    /// What the system says of the server's memory, in MB.
    fn memory(&self, key: &str) -> Option<f64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(key))?;
        Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A server that is gone already needs no end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Begins a session; what the address of its socket ends with.
fn begin(address: &str, body: &Value) -> Outcome<String> {
    let mut stream = Blocking::connect(address)?;
    let body = body.to_string();
    write!(
        stream,
        "POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (_, view) = answer.split_once("\r\n\r\n").ok_or("an answer has a body")?;
    let view: Value = serde_json::from_str(view)?;
    let session = view["session"].as_str().ok_or_else(|| view.to_string())?;
    let key = view["keys"]["seats"][0].as_str().ok_or_else(|| view.to_string())?;
    Ok(format!("{session}/ws?key={key}"))
}

/// The next table at which it is our turn, or that is over.
async fn turn(socket: &mut Socket, after: u64) -> Outcome<Value> {
    loop {
        let Message::Text(text) = socket.next().await.ok_or("the server hung up")?? else {
            continue;
        };
        let mut message: Value = serde_json::from_str(&text)?;
        let view = message["view"].take();
        let news = view["event"].as_u64().is_some_and(|event| event > after || after == 0);
        if news && (view["turn"] == 0 || view["over"] == true) {
            return Ok(view);
        }
    }
}

/// Plays a game; how long each answer took.
async fn play(
    address: &str,
    game: &str,
    seed: usize,
    bot: &str,
    ready: Option<&Barrier>,
) -> Outcome<Vec<Duration>> {
    let session = begin(address, &json!({"game": game, "seed": seed, "seats": ["person", bot]}))?;
    let url = format!("ws://{address}/api/sessions/{session}");
    // As browsers do: a message does not wait until the one before is acknowledged.
    let mut socket = connect_async_with_config(url, None, true).await?.0;
    if let Some(ready) = ready {
        ready.wait().await;
    }
    let mut view = turn(&mut socket, 0).await?;
    let mut times = Vec::new();
    while view["over"] == false && times.len() < MOVES {
        let legal = view["legal"].as_array().ok_or("a view lists what is legal")?;
        let action = &legal[times.len() % legal.len()]["action"];
        let command = json!({"type": "play", "action": action}).to_string();
        let event = view["event"].as_u64().unwrap_or(0);
        let begun = Instant::now();
        socket.send(Message::text(command)).await?;
        view = turn(&mut socket, event).await?;
        times.push(begun.elapsed());
    }
    Ok(times)
}

fn tell(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: f64| {
        let time = times[((times.len() - 1) as f64 * share) as usize];
        time.as_secs_f64() * 1e3
    };
    println!(
        "{what:14} {:6} moves, median {:.2} ms, 95 % within {:.2} ms, longest {:.2} ms",
        times.len(),
        at(0.5),
        at(0.95),
        at(1.0)
    );
}

async fn measure(server: &Server) -> Outcome<()> {
    println!("one page against an instant bot");
    for game in GAMES {
        let mut times = Vec::new();
        for seed in 0..ROUNDS {
            times.extend(play(&server.address, game, seed, "random", None).await?);
        }
        tell(game, times);
    }
    let before = server.memory("VmRSS:");
    println!("{CLIENTS} pages at once, one in four against mcts:sims=100");
    let ready = Arc::new(Barrier::new(CLIENTS));
    let begun = Instant::now();
    let mut clients = Vec::new();
    for number in 0..CLIENTS {
        let (ready, address) = (Arc::clone(&ready), server.address.clone());
        let (searches, game) = (number % 4 == 0, GAMES[number % GAMES.len()]);
        let bot = if searches { "mcts:sims=100" } else { "random" };
        clients.push(tokio::spawn(async move {
            let times = play(&address, game, number, bot, Some(&ready)).await;
            times.map(|times| (searches, times))
        }));
    }
    let mut times = [Vec::new(), Vec::new()];
    let mut dropped = 0;
    for client in clients {
        match client.await? {
            Ok((searches, moves)) => times[usize::from(searches)].extend(moves),
            Err(error) => {
                dropped += 1;
                println!("dropped: {error}");
            }
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let [instant, searches] = times;
    tell("random", instant);
    tell("mcts:sims=100", searches);
    println!("{dropped} dropped, {seconds:.1} s");
    if let (Some(before), Some(most)) = (before, server.memory("VmHWM:")) {
        println!("memory of the server: {before:.0} MB before, {most:.0} MB at most");
    }
    Ok(())
}

fn main() -> Outcome<()> {
    if let Some(folder) = std::env::args().nth(1) {
        let folder = PathBuf::from(folder);
        let listen = ([127, 0, 0, 1], 0).into();
        let (runs, store) = (folder.join("runs"), folder.join("sessions"));
        let options = Options { listen, runs, store, ..Options::default() };
        serve(options, |address| println!("{address}"))?;
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let server = Server::start(folder.path())?;
    tokio::runtime::Runtime::new()?.block_on(measure(&server))
}
