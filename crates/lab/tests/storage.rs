//! Sessions on disk: full disks, incomplete and forged files, crashes.
#![allow(clippy::unwrap_used, reason = "a test says why it fails by failing")]

mod support;

use std::fs;
use std::path::PathBuf;

use axum::http::StatusCode;
use serde_json::{Value, json};
use support::Server;

fn file_of(server: &Server, view: &Value) -> PathBuf {
    let id = view["session"].as_str().unwrap();
    server.folder.path().join(format!("sessions/{id}.jsonl"))
}

fn path_of(view: &Value) -> String {
    format!("/api/sessions/{}", view["session"].as_str().unwrap())
}

async fn look(server: &Server, view: &Value) -> Value {
    let (status, text) = server.get(&path_of(view)).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// Runs the test `name` of this program with a file size limit of `blocks` of 512 bytes.
#[cfg(unix)]
fn run_with_full_disk(name: &str, folder: &std::path::Path, blocks: u32) {
    let script =
        format!("trap '' XFSZ; ulimit -S -f {blocks}; exec \"$0\" --exact {name} --ignored");
    let output = std::process::Command::new("sh")
        .arg("-c")
        .arg(script)
        .arg(std::env::current_exe().unwrap())
        .env("FULL_DISK", folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

/// A full disk loses nothing: actions that cannot be saved are rejected, and all earlier ones
/// are there after a restart.
#[cfg(unix)]
#[tokio::test]
async fn a_full_disk_loses_nothing() {
    let mut server = Server::new();
    let folder = server.folder.path().to_owned();
    run_with_full_disk("plays_until_the_disk_is_full", &folder, 4);
    server.restart();
    for number in 0..3 {
        let text = fs::read_to_string(folder.join(format!("left-{number}.json"))).unwrap();
        let left: Value = serde_json::from_str(&text).unwrap();
        server.remember(&left);
        let found = look(&server, &left).await;
        assert_eq!((&found["text"], &found["event"]), (&left["text"], &left["event"]));
        let action = &found["legal"][0]["action"];
        let (status, next) =
            server.command(&left, &json!({"type": "play", "action": action})).await;
        assert_eq!(status, StatusCode::OK, "{next}");
        assert!(next["event"].as_u64() > found["event"].as_u64());
    }
    run_with_full_disk("creates_no_session_on_a_full_disk", &folder.join("other"), 0);
}

/// Returns a server on the session folder given by the calling test.
fn server_on_full_disk() -> Option<(Server, PathBuf)> {
    let folder = PathBuf::from(std::env::var_os("FULL_DISK")?);
    let store = folder.join("sessions");
    Some((Server::with(|options| options.store = store), folder))
}

#[tokio::test]
#[ignore = "run by another test, on a disk that is full"]
async fn plays_until_the_disk_is_full() {
    let (server, folder) = server_on_full_disk().expect("another test runs this one");
    for number in 0..3 {
        let created =
            server.begin(&json!({"game": "chess", "seats": ["person", "random"], "seed": 3})).await;
        let mut view = created.clone();
        loop {
            let action = view["legal"][0]["action"].clone();
            let (status, next) =
                server.command(&view, &json!({"type": "play", "action": action})).await;
            if status != StatusCode::OK {
                assert_eq!(status, StatusCode::INSUFFICIENT_STORAGE, "{next}");
                let error = next["error"].as_str().unwrap();
                assert!(error.starts_with("the session cannot be saved: "), "{error}");
                break;
            }
            view = next;
        }
        // An action that could not be saved is rolled back, in memory and on disk.
        let now = look(&server, &view).await;
        assert_eq!((&now["event"], &now["text"]), (&view["event"], &view["text"]));
        let id = view["session"].as_str().unwrap();
        let text = fs::read_to_string(folder.join(format!("sessions/{id}.jsonl"))).unwrap();
        assert!(text.ends_with("}\n"), "{text}");
        assert_eq!(text.lines().count() as u64, 1 + view["event"].as_u64().unwrap());
        let left = json!({"session": id, "text": view["text"], "event": view["event"], "keys": created["keys"]});
        fs::write(folder.join(format!("left-{number}.json")), left.to_string()).unwrap();
    }
}

/// A session that cannot be written is not created and leaves no file.
#[tokio::test]
#[ignore = "run by another test, on a disk that is full"]
async fn creates_no_session_on_a_full_disk() {
    let (server, folder) = server_on_full_disk().expect("another test runs this one");
    let (status, answer) = server.post("/api/sessions", &json!({"game": "chess"})).await;
    assert_eq!(status, StatusCode::INSUFFICIENT_STORAGE, "{answer}");
    assert_eq!(fs::read_dir(folder.join("sessions")).unwrap().count(), 0);
}

/// A bot whose move finds no room on disk moves when there is room again.
#[cfg(target_os = "linux")]
#[test]
fn bots_go_on_once_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    run_with_full_disk("a_bot_waits_for_room", folder.path(), 1);
}

#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "run by another test, on a disk that is full"]
async fn a_bot_waits_for_room() {
    let (server, folder) = server_on_full_disk().expect("another test runs this one");
    // The table and a person's move fit into 512 bytes, the analysis of a search does not.
    let view =
        server.begin(&json!({"game": "connect-four", "seats": ["person", "mcts:sims=50"]})).await;
    let (status, played) = server.command(&view, &json!({"type": "play", "action": 3})).await;
    assert_eq!(status, StatusCode::OK, "{played}");
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    assert_eq!(look(&server, &view).await["event"], 1);
    let id = view["session"].as_str().unwrap();
    let before = fs::read_to_string(folder.join(format!("sessions/{id}.jsonl"))).unwrap();
    assert_eq!(before.lines().count(), 2, "{before}");
    let this = std::process::id().to_string();
    let mut prlimit = std::process::Command::new("prlimit");
    let made = prlimit.args(["--fsize=unlimited:", "--pid", &this]).status();
    assert!(made.unwrap().success());
    server.wait_for(&path_of(&view), |table| table["event"] == 2).await;
}

/// A file that is removed while its table is played is written again, whole.
#[tokio::test]
async fn a_removed_file_is_written_again() {
    let mut server = Server::new();
    let view = server.begin(&json!({"game": "chess", "seats": ["person", "person"]})).await;
    let file = file_of(&server, &view);
    let mut now = view.clone();
    for removed in [false, true, false] {
        if removed {
            fs::remove_file(&file).unwrap();
        }
        let action = now["legal"][0]["action"].clone();
        let (status, next) =
            server.command(&view, &json!({"type": "play", "action": action})).await;
        assert_eq!(status, StatusCode::OK, "{next}");
        now = next;
    }
    server.restart();
    let found = look(&server, &view).await;
    assert_eq!((&found["event"], &found["text"]), (&json!(3), &now["text"]));
}

/// Two servers would write over each other's sessions.
#[tokio::test]
async fn a_folder_of_sessions_has_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let options = || {
        let mut options = support::options(folder.path());
        options.listen = ([127, 0, 0, 1], 0).into();
        options
    };
    let first = meeple_lab::Server::bind(options()).await.unwrap();
    let second = meeple_lab::Server::bind(options()).await.unwrap_err().to_string();
    assert!(second.contains("sessions"), "{second}");
    drop(first);
    meeple_lab::Server::bind(options()).await.unwrap();
}

/// Forged session files give no more access than requests.
#[tokio::test]
async fn forged_sessions_are_rejected() {
    let mut server = Server::new();
    let view = server
        .begin(&json!({"game": "tic-tac-toe", "seats": ["person", "random"], "seed": 1}))
        .await;
    let file = file_of(&server, &view);
    let whole = fs::read_to_string(&file).unwrap();
    let pwned = server.folder.path().join("pwned");
    let command = format!("program:command=touch {}", pwned.display());
    for (from, to, expected) in [
        ("\"random\"", format!("\"{command}\""), "line 1: bot program"),
        ("\"random\"", format!("\"{}\"", command.replace("program", "uci")), "line 1: bot uci"),
        ("\"random\"", "\"puct:model=/etc/passwd\"".into(), "below the folder of runs"),
        ("\"random\"", "\"mcts:sims=90000000\"".into(), "the lab allows"),
        ("\"random\"", "\"person\"".into(), "line 1: keys: "),
        ("tic-tac-toe", "x".repeat(5000), "line 1: game: expected at most"),
    ] {
        fs::write(&file, whole.replacen(from, &to, 1)).unwrap();
        server.restart();
        let (status, text) = server.get(&path_of(&view)).await;
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR, "{text}");
        assert!(text.contains(expected) && text.contains("cannot read the session"), "{text}");
        let (status, _) = server.command(&view, &json!({"type": "play", "action": 0})).await;
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    }
    assert!(!pwned.exists());
    for (line, expected) in [
        ("{\"resigned\":2}", "line 2: resigned: no person has seat 2"),
        ("{\"resigned\":0}\n{\"resigned\":0}", "line 3: resigned: the game is over"),
        ("{\"back\":7}", "line 2: back: expected at most 0"),
        ("{\"did\":{\"action\":60000}}", "line 2: "),
        ("nonsense", "line 2: "),
    ] {
        fs::write(&file, format!("{whole}{line}\n")).unwrap();
        server.restart();
        for _ in 0..2 {
            let (status, text) = server.get(&path_of(&view)).await;
            assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR, "{text}");
            assert!(text.contains(expected), "{text}");
        }
    }
    fs::write(&file, format!("{whole}{{\"did\":{{\"act")).unwrap();
    server.restart();
    assert_eq!(look(&server, &view).await["event"], 0, "an incomplete line is dropped");
}

/// Repeated play and undo does not grow a file without bound.
#[tokio::test]
async fn files_are_compacted_after_many_undos() {
    let mut server = Server::new();
    let view = server.begin(&json!({"game": "chess", "seats": ["person", "person"]})).await;
    let mut action = view["legal"][0]["action"].clone();
    for _ in 0..400 {
        let (_, played) = server.command(&view, &json!({"type": "play", "action": action})).await;
        assert_eq!(played["event"], 1, "{played}");
        let (_, back) = server.command(&view, &json!({"type": "undo"})).await;
        action = back["legal"][0]["action"].clone();
    }
    let lines = fs::read_to_string(file_of(&server, &view)).unwrap().lines().count();
    assert!(lines < 300, "{lines} lines after 800 commands");
    let before = look(&server, &view).await;
    server.restart();
    assert_eq!(look(&server, &view).await, before);
}

/// A bot that was to move when the server stopped moves at the next request.
#[tokio::test]
async fn bots_continue_after_a_crash() {
    let mut server = Server::new();
    let view =
        server.begin(&json!({"game": "connect-four", "seats": ["person", "mcts:sims=50"]})).await;
    server.command(&view, &json!({"type": "pause"})).await;
    let (_, waits) = server.command(&view, &json!({"type": "play", "action": 3})).await;
    assert_eq!((&waits["event"], &waits["paused"]), (&json!(1), &json!(true)));
    server.restart();
    server.wait_for(&path_of(&view), |table| table["event"] == 2).await;
}
