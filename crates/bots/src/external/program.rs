//! External programs for any game, with a protocol of JSON lines
//! (docs/src/reference/protocol.md).

use std::time::{Duration, Instant};

use meeple_game::{Action, ActionList, Game, Rng, View};
use meeple_search::StopFlag;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::line::{Lines, start_of};
use super::{Cause, ExternalSpec, Forfeit, START};
use crate::{Bot, BotError};

/// The version of the protocol.
const PROTOCOL: u32 = 1;

/// A program that plays.
#[derive(Debug)]
pub(super) struct Program {
    lines: Lines,
    limit: Duration,
    legal: ActionList,
    observation: Vec<i32>,
}

/// A request for a decision.
#[derive(Serialize)]
struct Question<'a> {
    r#type: &'static str,
    seat: u8,
    text: String,
    observation: &'a [i32],
    legal: Vec<Choice>,
    time_ms: u64,
}

/// A legal action.
#[derive(Serialize)]
struct Choice {
    action: u16,
    name: String,
}

/// An answer, by action id or by name. Other fields are ignored.
#[derive(Deserialize)]
struct Answer {
    action: Option<i64>,
    name: Option<String>,
}

impl Program {
    pub(super) fn start<G: Game>(spec: &ExternalSpec, config: &G::Config) -> Result<Self, Forfeit> {
        let mut lines = Lines::start(&spec.command)?;
        let info = G::new(config).info();
        let config = serde_json::to_value(config)
            .map_err(|error| Forfeit::new(Cause::Nonsense, error.to_string()))?;
        let hello = json!({
            "type": "hello",
            "protocol": PROTOCOL,
            "game": info.name,
            "config": config,
            "actions": info.actions,
            "observation": info.observation.len(),
        });
        let deadline = Instant::now() + START;
        lines.say(&hello.to_string(), deadline)?;
        let is_ready = |line: &str| {
            let answer: serde_json::Value = serde_json::from_str(line).ok()?;
            (answer["type"] == "ready").then_some(())
        };
        lines.hear(deadline, is_ready)?;
        Ok(Self {
            lines,
            limit: spec.limit(),
            legal: ActionList::new(),
            observation: vec![0; info.observation.len()],
        })
    }
}

impl<G: Game> Bot<G> for Program {
    fn choose(&mut self, view: &View<'_, G>, _rng: &mut Rng) -> Result<Action, BotError> {
        let deadline = Instant::now() + self.limit;
        view.legal_actions(&mut self.legal);
        view.observe(&mut self.observation);
        let choice = |&action: &Action| Choice { action: action.0, name: view.action_name(action) };
        let question = Question {
            r#type: "decide",
            seat: view.seat().0,
            text: view.text(),
            observation: &self.observation,
            legal: self.legal.iter().map(choice).collect(),
            time_ms: self.limit.as_millis() as u64,
        };
        let text = serde_json::to_string(&question)
            .map_err(|error| Forfeit::new(Cause::Nonsense, error.to_string()))?;
        self.lines.expect_silence(|line| !line.is_empty())?;
        self.lines.say(&text, deadline)?;
        let line = self.lines.hear(deadline, |line| (!line.is_empty()).then(|| line.to_owned()))?;
        self.lines.expect_read()?;
        let chosen = answered(&line, &question.legal);
        Ok(chosen.map(Action).map_err(|forfeit| self.lines.fail(forfeit))?)
    }

    fn set_stop(&mut self, stop: &StopFlag) {
        self.lines.set_stop(stop);
    }

    fn begin(&mut self) -> Result<(), BotError> {
        Ok(self.lines.say(r#"{"type":"begin"}"#, Instant::now() + self.limit)?)
    }
}

/// Returns the action of an answer.
fn answered(line: &str, legal: &[Choice]) -> Result<u16, Forfeit> {
    let start = start_of(line);
    let nonsense = || {
        let expected = r#"{"action":number} or {"name":text}"#;
        Forfeit::new(Cause::Nonsense, format!("expected {expected}, got {start:?}"))
    };
    let answer: Answer = serde_json::from_str(line).map_err(|_| nonsense())?;
    let found = match &answer {
        Answer { action: Some(number), name: None } => {
            legal.iter().find(|choice| i64::from(choice.action) == *number)
        }
        Answer { action: None, name: Some(name) } => {
            legal.iter().find(|choice| choice.name.eq_ignore_ascii_case(name))
        }
        _ => return Err(nonsense()),
    };
    found.map(|choice| choice.action).ok_or_else(|| Forfeit::new(Cause::IllegalMove, start.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_legal_or_say_why_not() {
        let legal =
            [Choice { action: 3, name: "d1".into() }, Choice { action: 5, name: "f1".into() }];
        assert_eq!(answered(r#"{"action":5}"#, &legal), Ok(5));
        assert_eq!(answered(r#"{"name":"D1"}"#, &legal), Ok(3));
        assert_eq!(answered(r#"{"type":"play","action":5,"value":0.25}"#, &legal), Ok(5));
        for (line, cause) in [
            (r#"{"action":4}"#, Cause::IllegalMove),
            (r#"{"name":"e1"}"#, Cause::IllegalMove),
            (r#"{"action":-1}"#, Cause::IllegalMove),
            (r#"{"action":65539}"#, Cause::IllegalMove),
            (r#"{"action":1.5}"#, Cause::Nonsense),
            (r#"{"value":0.25}"#, Cause::Nonsense),
            (r#"{"action":3,"name":"d1"}"#, Cause::Nonsense),
            ("{}", Cause::Nonsense),
            ("d1", Cause::Nonsense),
        ] {
            assert_eq!(answered(line, &legal).unwrap_err().cause, cause, "{line}");
        }
    }
}
