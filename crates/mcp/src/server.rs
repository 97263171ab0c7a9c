//! The tools, resources and prompts.

use std::sync::Arc;
use std::time::Duration;

use meeple_lab::{AgentError, Lab, SeatState, TableRequest, Ticket};
use rmcp::handler::server::router::prompt::PromptRouter;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolResult, ContentBlock, ErrorData, Implementation, ListResourceTemplatesResult,
    ListResourcesResult, PaginatedRequestParams, PromptMessage, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, prompt, prompt_handler, prompt_router};
use rmcp::{tool, tool_handler, tool_router};
use serde_json::json;

use crate::knowledge;
use crate::requests::{AtAction, AtSeat, CardName, GameName, Look, Play, PlayPrompt, Wait};
use crate::text;

/// The longest wait of a tool in seconds.
const MAX_WAIT: u64 = 120;

const INSTRUCTIONS: &str = "Play games against bots, people or other agents. Call list_games, \
    read rules, then open_table: it returns a ticket, which is your secret seat. Play with the \
    exact names of legal actions; play answers when it is your turn again. You see what your seat \
    may see.";

/// Where game pages are.
const GAME_PAGES: &str = "meeple://games/";
/// Where replays of finished games are.
const REPLAYS: &str = "meeple://replays/";

/// The server of one client.
#[derive(Clone, Debug)]
pub struct TableServer {
    lab: Arc<Lab>,
    tool_router: ToolRouter<Self>,
    prompt_router: PromptRouter<Self>,
}

/// The result of a tool: text for the model, or an error that it can act on.
type Answer = Result<CallToolResult, ErrorData>;

fn answer(result: Result<String, impl std::fmt::Display>) -> Answer {
    Ok(match result {
        Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
        Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
    })
}

/// Returns a state both as text and as JSON.
fn seat_answer(result: Result<SeatState, AgentError>) -> Answer {
    let structured = result.as_ref().ok().map(|state| json!(state));
    let mut answer = answer(result.map(|state| text::of_seat(&state)))?;
    answer.structured_content = structured;
    Ok(answer)
}

fn patience(seconds: u64) -> Duration {
    Duration::from_secs(seconds.min(MAX_WAIT))
}

#[tool_router]
impl TableServer {
    /// Creates a server over the tables of a lab.
    #[must_use]
    pub fn new(lab: Arc<Lab>) -> Self {
        Self { lab, tool_router: Self::tool_router(), prompt_router: Self::prompt_router() }
    }

    #[tool(description = "List the games, with players, chance and hidden information")]
    async fn list_games(&self) -> Answer {
        let games = knowledge::games();
        let mut answer = answer(Ok::<_, String>(games.to_string()))?;
        answer.structured_content = Some(json!({ "games": games }));
        Ok(answer)
    }

    #[tool(
        description = "Rules of a game, how its moves are written, its configuration and its levels"
    )]
    async fn rules(&self, Parameters(GameName { game }): Parameters<GameName>) -> Answer {
        answer(in_background(move || knowledge::rules(&game)).await)
    }

    #[tool(description = "Text of a Magic card: costs, types, abilities")]
    async fn card(&self, Parameters(CardName { card }): Parameters<CardName>) -> Answer {
        answer(knowledge::card(&card))
    }

    #[tool(
        description = "Open a table and take a seat; the ticket in the answer is your seat and your secret"
    )]
    async fn open_table(&self, Parameters(request): Parameters<TableRequest>) -> Answer {
        let opened = self.lab.open_seat(request).await;
        let structured = opened.as_ref().ok().map(|opened| {
            let invitations: Vec<_> = (opened.invitations.iter())
                .map(|(seat, ticket)| json!({ "seat": seat, "ticket": ticket.to_string() }))
                .collect();
            json!({
                "ticket": opened.ticket.to_string(),
                "invitations": invitations,
                "state": opened.state,
            })
        });
        let mut answer = answer(opened.map(|opened| text::of_opened(&opened)))?;
        answer.structured_content = structured;
        Ok(answer)
    }

    #[tool(description = "Look at your table: position, legal actions, and the log since an event")]
    async fn look(&self, Parameters(Look { ticket, since }): Parameters<Look>) -> Answer {
        seat_answer(async { self.lab.seat(&ticket.parse()?, since).await }.await)
    }

    #[tool(
        description = "Play a legal action by its name; answers when you are to act again or the game is over"
    )]
    async fn play(&self, Parameters(play): Parameters<Play>) -> Answer {
        let Play { ticket, action, wait_seconds } = play;
        let patience = patience(wait_seconds);
        seat_answer(async { self.lab.play_as(&ticket.parse()?, &action, patience).await }.await)
    }

    #[tool(description = "Wait until you are to act or the game is over")]
    async fn wait(&self, Parameters(wait): Parameters<Wait>) -> Answer {
        let Wait { ticket, since, wait_seconds } = wait;
        let patience = patience(wait_seconds);
        seat_answer(async { self.lab.wait(&ticket.parse()?, since, patience).await }.await)
    }

    #[tool(description = "The rule that allows a legal action, in games described by a file")]
    async fn explain_action(&self, Parameters(at): Parameters<AtAction>) -> Answer {
        let rule = async { self.lab.offering_rule(&at.ticket.parse()?, &at.action).await }.await;
        answer(rule.map(|rule: Option<String>| {
            rule.unwrap_or_else(|| "it is legal; the rules tool tells what it does".into())
        }))
    }

    #[tool(description = "Resign the game")]
    async fn resign(&self, Parameters(AtSeat { ticket }): Parameters<AtSeat>) -> Answer {
        seat_answer(async { self.lab.resign_seat(&ticket.parse()?).await }.await)
    }
}

#[allow(missing_docs, reason = "the macro makes public functions without comments")]
#[prompt_router]
impl TableServer {
    #[prompt(name = "play", description = "Play a game to its end against bots")]
    async fn play_prompt(
        &self,
        Parameters(PlayPrompt { game, opponent }): Parameters<PlayPrompt>,
    ) -> Vec<PromptMessage> {
        let opponent = opponent.as_deref().unwrap_or("club");
        let text = format!(
            "Play one game of {game} against the bot {opponent:?}. Read the rules with the tool \
             rules, open a table, and play the best action you can find with the tool play until \
             the game is over. Before each action say in one sentence why. At the end tell the \
             result and your most doubtful decision."
        );
        vec![PromptMessage::new_text(Role::User, text)]
    }

    #[prompt(name = "teach", description = "Explain a game to somebody who wants to play it")]
    async fn teach_prompt(
        &self,
        Parameters(GameName { game }): Parameters<GameName>,
    ) -> Vec<PromptMessage> {
        let text = format!(
            "Read the rules of {game} with the tool rules and explain them to somebody who has \
             never played it: the aim, a turn, how it ends, and two hints for beginners."
        );
        vec![PromptMessage::new_text(Role::User, text)]
    }
}

#[tool_handler(router = self.tool_router)]
#[prompt_handler(router = self.prompt_router)]
impl ServerHandler for TableServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts();
        ServerConfig::new(capabilities.build())
            .with_server_info(Implementation::new("meeple", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let games = knowledge::games();
        let names = games.as_array().into_iter().flatten().filter_map(|game| game["game"].as_str());
        let page = |name| {
            let mut page = Resource::new(format!("{GAME_PAGES}{name}"), name);
            page.mime_type = Some("text/markdown".into());
            page.description = Some(format!("The rules of {name}"));
            page
        };
        Ok(ListResourcesResult::with_all_items(names.map(page).collect()))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let replay = ResourceTemplate::new(format!("{REPLAYS}{{ticket}}"), "replay")
            .with_description("The replay of a finished game, as JSON, by your ticket");
        Ok(ListResourceTemplatesResult::with_all_items(vec![replay]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let text = if let Some(game) = uri.strip_prefix(GAME_PAGES) {
            let game = game.to_owned();
            in_background(move || knowledge::rules(&game)).await
        } else if let Some(ticket) = uri.strip_prefix(REPLAYS) {
            self.replay(ticket).await.map_err(|error| error.to_string())
        } else {
            Err(format!("expected {GAME_PAGES}NAME or {REPLAYS}TICKET"))
        };
        let text = text.map_err(|reason| ErrorData::resource_not_found(reason, None))?;
        Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri)]).into())
    }
}

impl TableServer {
    async fn replay(&self, ticket: &str) -> Result<String, AgentError> {
        let ticket: Ticket = ticket.parse()?;
        let replay = self.lab.seat_replay(&ticket).await?;
        Ok(serde_json::to_string(&replay).expect("a replay is plain data"))
    }
}

/// Runs `work`, which may load large tables, on a blocking thread.
async fn in_background(
    work: impl FnOnce() -> Result<String, String> + Send + 'static,
) -> Result<String, String> {
    tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())?
}
