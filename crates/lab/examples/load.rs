//! Load test of the lab: response times, and 200 concurrent clients:
//! `cargo run --release -p meeple-lab --example load`.
#![allow(clippy::print_stdout, reason = "the program prints its measurements")]

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
/// Games of each kind played by a single client.
const ROUNDS: usize = 10;
const GAMES: [&str; 6] = ["connect-four", "chess", "backgammon", "stone-age", "magic", "holdem"];
/// The maximum number of moves per game.
const MAX_MOVES: usize = 100;

/// A lab in a separate process, to measure its memory.
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

    /// Returns a memory counter of the server process, in MB.
    fn memory(&self, key: &str) -> Option<f64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(key))?;
        Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails only if the server has exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Creates a session; returns the end of its WebSocket URL.
fn create(address: &str, body: &Value) -> Outcome<String> {
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

/// Receives views until it is our turn or the game is over.
async fn next_turn(socket: &mut Socket, after: u64) -> Outcome<Value> {
    loop {
        let Message::Text(text) = socket.next().await.ok_or("the server hung up")?? else {
            continue;
        };
        let mut message: Value = serde_json::from_str(&text)?;
        let view = message["view"].take();
        let is_new = view["event"].as_u64().is_some_and(|event| event > after || after == 0);
        if is_new && (view["turn"] == 0 || view["over"] == true) {
            return Ok(view);
        }
    }
}

/// Plays a game; returns the response time of each move.
async fn play(
    address: &str,
    game: &str,
    seed: usize,
    bot: &str,
    ready: Option<&Barrier>,
) -> Outcome<Vec<Duration>> {
    let session = create(address, &json!({"game": game, "seed": seed, "seats": ["person", bot]}))?;
    let url = format!("ws://{address}/api/sessions/{session}");
    // Without Nagle's algorithm, like browsers.
    let mut socket = connect_async_with_config(url, None, true).await?.0;
    if let Some(ready) = ready {
        ready.wait().await;
    }
    let mut view = next_turn(&mut socket, 0).await?;
    let mut times = Vec::new();
    while view["over"] == false && times.len() < MAX_MOVES {
        let legal = view["legal"].as_array().ok_or("a view lists the legal actions")?;
        let action = &legal[times.len() % legal.len()]["action"];
        let command = json!({"type": "play", "action": action}).to_string();
        let event = view["event"].as_u64().unwrap_or(0);
        let begun = Instant::now();
        socket.send(Message::text(command)).await?;
        view = next_turn(&mut socket, event).await?;
        times.push(begun.elapsed());
    }
    Ok(times)
}

fn print_times(what: &str, mut times: Vec<Duration>) {
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
    println!("one client against an instant bot");
    for game in GAMES {
        let mut times = Vec::new();
        for seed in 0..ROUNDS {
            times.extend(play(&server.address, game, seed, "random", None).await?);
        }
        print_times(game, times);
    }
    let before = server.memory("VmRSS:");
    println!("{CLIENTS} concurrent clients, one in four against mcts:sims=100");
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
    print_times("random", instant);
    print_times("mcts:sims=100", searches);
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
