//! Arguments that name a position: a game, a text such as FEN, and the actions played since.

use anyhow::anyhow;
use clap::Args;
use meeple_bots::{Position, choices_of, open};
use meeple_game::Action;
use meeple_games::backgammon::Backgammon;

use crate::args::GameArgs;
use crate::failure::Failure;
use crate::legality;

/// A position of a game.
#[derive(Clone, Debug, Args)]
pub(crate) struct PositionArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Position to start from: a FEN, or a position ID in backgammon
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,
    /// Action to play first, or several separated by commas; may be repeated
    #[arg(long, value_name = "EVENT")]
    pub(crate) after: Vec<String>,
}

impl PositionArgs {
    /// Returns the position.
    pub(crate) fn open(&self) -> Result<Box<dyn Position>, Failure> {
        let mut game = self.start()?;
        for text in &self.after {
            // Names of actions may contain commas themselves.
            if game.parse_action(text).is_some() {
                play(&mut *game, text)?;
            } else {
                for text in text.split(',') {
                    play(&mut *game, text.trim())?;
                }
            }
        }
        Ok(game)
    }

    /// Returns the position before `--after`.
    fn start(&self) -> Result<Box<dyn Position>, Failure> {
        let first = self.game.open()?;
        let Some(position) = &self.position else { return Ok(first) };
        let (game, mut config) = (first.info().name, first.config());
        let field = ["fen", "position"].into_iter().find(|field| config.get(field).is_some());
        let Some(field) = field else {
            return Err(Failure::Usage(anyhow!(
                "--position: {game} has no position notation; use --after to play to the position"
            )));
        };
        config[field] = position.as_str().into();
        open(game, Some(&config.to_string()))
            .map_err(|error| Failure::Usage(anyhow!("--position {position:?}: {error}")))
    }
}

fn play(game: &mut dyn Position, text: &str) -> Result<(), Failure> {
    if game.parse_action(text).is_none()
        && let Some(turn) = turn_of(game, text)
    {
        return turn
            .into_iter()
            .try_for_each(|action| game.try_apply(action).map_err(Failure::usage));
    }
    let action = game.parse_action(text).ok_or_else(|| {
        let reason = legality::explain(game, text);
        let reason = reason.unwrap_or_else(|| format!("expected {}", expected_actions(game)));
        Failure::Usage(anyhow!("--after {text:?}: {reason}"))
    })?;
    game.try_apply(action).map_err(Failure::usage)
}

/// A whole turn in backgammon, such as `24/20 13/8`.
fn turn_of(game: &dyn Position, text: &str) -> Option<Vec<Action>> {
    game.state().downcast_ref::<Backgammon>()?.parse_turn(text)
}

/// Lists the legal actions or chance outcomes, at most twelve.
fn expected_actions(game: &dyn Position) -> String {
    let choices = choices_of(game);
    let mut names: Vec<String> =
        choices.iter().take(12).map(|&choice| game.action_name(choice)).collect();
    if choices.len() > names.len() {
        names.push(format!("… ({} in all)", choices.len()));
    }
    if names.is_empty() { "no further action: the game is over".into() } else { names.join(", ") }
}
