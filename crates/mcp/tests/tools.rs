//! A client of another implementation of the transport plays through the tools.

use meeple_lab::Limits;
use meeple_mcp::{TableServer, Tables};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, GetPromptRequestParams, ReadResourceRequestParams,
    ResourceContents,
};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};
use tempfile::TempDir;

struct Agent {
    client: RunningService<RoleClient, ()>,
    _folder: TempDir,
    _tables: Tables,
}

impl Agent {
    async fn connect() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let tables = Tables::open(folder.path().join("tables"), Limits::default()).expect("tables");
        let (near, far) = tokio::io::duplex(1 << 20);
        let server = TableServer::new(tables.lab());
        tokio::spawn(async move { server.serve(far).await.expect("a session").waiting().await });
        let client = ().serve(near).await.expect("a session");
        Self { client, _folder: folder, _tables: tables }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let arguments = arguments.as_object().expect("an object").clone();
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.client.call_tool(request).await.expect("an answer")
    }

    async fn ask(&self, tool: &'static str, arguments: Value) -> Value {
        let answer = self.call(tool, arguments).await;
        assert_ne!(answer.is_error, Some(true), "{tool}: {}", text_of(&answer));
        answer.structured_content.expect("structured content")
    }

    /// The text of an error.
    async fn refused(&self, tool: &'static str, arguments: Value) -> String {
        let answer = self.call(tool, arguments).await;
        assert_eq!(answer.is_error, Some(true), "{tool}: {}", text_of(&answer));
        text_of(&answer)
    }
}

fn text_of(answer: &CallToolResult) -> String {
    let texts = answer.content.iter().filter_map(|block| Some(block.as_text()?.text.clone()));
    texts.collect::<Vec<_>>().join("\n")
}

fn names(state: &Value) -> Vec<&str> {
    let actions = state["legal_actions"].as_array().expect("a list");
    actions.iter().map(|name| name.as_str().expect("a name")).collect()
}

#[tokio::test]
async fn an_agent_plays_every_kind_of_game_to_its_end() {
    let agent = Agent::connect().await;
    for game in ["tic-tac-toe", "pig", "leduc", "knockout-whist", "nine-mens-morris"] {
        let request = json!({ "game": game, "opponents": ["random"], "seat": 1 });
        let opened = agent.ask("open_table", request).await;
        let ticket = opened["ticket"].as_str().expect("a ticket");
        assert_eq!(opened["invitations"], json!([]));
        let mut state = agent.ask("wait", json!({ "ticket": ticket })).await;
        let mut decisions = 0;
        while state["status"] == "your_turn" {
            let legal = names(&state);
            let action = legal[decisions % legal.len()];
            state = agent.ask("play", json!({ "ticket": ticket, "action": action })).await;
            decisions += 1;
        }
        assert_eq!(state["status"], "over", "{game}");
        assert!(decisions > 0, "{game}");
        assert_eq!(state["payoffs"].as_array().expect("payoffs").len(), 2);
        assert!(state["seed"].is_u64(), "{game}: the seed is told at the end");
        let error = agent.refused("play", json!({ "ticket": ticket, "action": "a1" })).await;
        assert_eq!(error, "the game is over");
        let uri = format!("meeple://replays/{ticket}");
        let replay = read(&agent, &uri).await.expect("a replay");
        assert!(replay.contains("\"payoffs\""), "{replay}");
    }
}

async fn read(agent: &Agent, uri: &str) -> Result<String, String> {
    let read = agent.client.read_resource(ReadResourceRequestParams::new(uri)).await;
    let contents = read.map_err(|error| error.to_string())?.contents;
    match contents.into_iter().next() {
        Some(ResourceContents::TextResourceContents { text, .. }) => Ok(text),
        other => Err(format!("{other:?}")),
    }
}

#[tokio::test]
async fn errors_say_what_an_agent_can_do() {
    let agent = Agent::connect().await;
    let error = agent.refused("open_table", json!({ "game": "ches" })).await;
    assert!(error.contains("did you mean chess"), "{error}");
    let request = json!({ "game": "connect-four", "seat": 2 });
    let error = agent.refused("open_table", request).await;
    assert_eq!(error, "seat 2: expected a seat from 0 to 1");
    let request = json!({ "game": "connect-four", "opponents": ["random", "random"] });
    let error = agent.refused("open_table", request).await;
    assert_eq!(error, "opponents: expected one for all or 1, found 2");
    let request = json!({ "game": "connect-four", "opponents": ["program:command=true"] });
    let error = agent.refused("open_table", request).await;
    assert!(error.contains("does not run external programs"), "{error}");

    let opened = agent.ask("open_table", json!({ "game": "tic-tac-toe" })).await;
    let ticket = opened["ticket"].as_str().expect("a ticket");
    let error = agent.refused("play", json!({ "ticket": ticket, "action": "z9" })).await;
    assert_eq!(
        error,
        "\"z9\" is not a legal action here, expected one of the 9: a1, b1, c1, a2, b2, c2, a3, b3, c3"
    );
    let error = agent.refused("look", json!({ "ticket": "nonsense" })).await;
    assert_eq!(error, "\"nonsense\" is no ticket, expected the one of open_table");
    let (session, _) = ticket.split_once('.').expect("two parts");
    let error = agent.refused("look", json!({ "ticket": format!("{session}.guess") })).await;
    assert_eq!(error, "the ticket is of no seat at this table");
    let error = read(&agent, &format!("meeple://replays/{ticket}")).await.expect_err("secret");
    assert!(error.contains("the game is not over"), "{error}");
    let error = agent.refused("rules", json!({ "game": "cluedo" })).await;
    assert!(error.contains("cluedo"), "{error}");
    let error = agent.refused("card", json!({ "card": "Lightning Blot" })).await;
    assert!(error.contains("Lightning Blast"), "{error}");
}

#[tokio::test]
async fn two_agents_share_a_table_and_see_only_their_own_cards() {
    let agent = Agent::connect().await;
    let request = json!({ "game": "knockout-whist", "opponents": ["open"] });
    let opened = agent.ask("open_table", request).await;
    let own = opened["ticket"].as_str().expect("a ticket").to_owned();
    let guest = opened["invitations"][0]["ticket"].as_str().expect("a ticket").to_owned();
    assert_eq!(opened["state"]["seats"], json!(["you", "open"]));
    let tickets = [own, guest];
    let mut states = [Value::Null, Value::Null];
    for (state, ticket) in states.iter_mut().zip(&tickets) {
        *state = agent.ask("look", json!({ "ticket": ticket })).await;
        assert_eq!(state["seed"], Value::Null);
    }
    assert_ne!(states[0]["position"], states[1]["position"], "each sees its own hand");
    let dealt = |state: &Value| state["log"].as_array().expect("a log").clone();
    let hidden = |entry: &Value| entry["name"].is_null();
    assert!(dealt(&states[0]).iter().any(hidden), "the deal is hidden: {}", states[0]["log"]);
    let to_move = usize::from(states[1]["status"] == "your_turn");
    let action = names(&states[to_move])[0].to_owned();
    let error =
        agent.refused("play", json!({ "ticket": tickets[1 - to_move], "action": action })).await;
    assert_eq!(error, "it is not your turn");
    let play = json!({ "ticket": tickets[to_move], "action": action, "wait_seconds": 0 });
    let after = agent.ask("play", play).await;
    assert_eq!(after["status"], "waiting");
    let resigned = agent.ask("resign", json!({ "ticket": tickets[to_move] })).await;
    assert_eq!((&resigned["status"], &resigned["resigned"]), (&json!("over"), &json!(to_move)));
}

#[tokio::test]
async fn games_rules_and_prompts_are_there() {
    let agent = Agent::connect().await;
    let games = agent.ask("list_games", json!({})).await;
    let count = games["games"].as_array().expect("a list").len();
    assert!(count > 40, "{count} games");
    let pages = agent.client.list_all_resources().await.expect("pages");
    assert_eq!(pages.len(), count);
    for page in pages {
        let text = read(&agent, &page.uri).await.expect("a page");
        assert!(text.contains("Opponents by level"), "{text}");
        assert!(text.len() > 150, "{}: {text}", page.uri);
    }
    let card = agent.call("card", json!({ "card": "shivan dragon" })).await;
    assert!(text_of(&card).contains("Flying"), "{}", text_of(&card));
    let tools = agent.client.list_all_tools().await.expect("tools");
    assert!(tools.iter().all(|tool| tool.description.is_some()));
    let arguments = json!({ "game": "chess" }).as_object().expect("an object").clone();
    let prompt = GetPromptRequestParams::new("play").with_arguments(arguments);
    let prompt = agent.client.get_prompt(prompt).await.expect("a prompt");
    assert!(format!("{:?}", prompt.messages).contains("chess"));
}

#[tokio::test]
async fn the_rule_behind_an_action_is_told() {
    let agent = Agent::connect().await;
    let opened = agent.ask("open_table", json!({ "game": "hex" })).await;
    let ticket = opened["ticket"].as_str().expect("a ticket");
    let action = names(&opened["state"])[0];
    let asked = json!({ "ticket": ticket, "action": action });
    let rule = agent.call("explain_action", asked).await;
    assert!(text_of(&rule).contains("place"), "{}", text_of(&rule));
}
