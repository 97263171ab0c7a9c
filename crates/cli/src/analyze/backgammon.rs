//! Backgammon: the cube before a roll, and whole turns after it.

use std::str::FromStr;

use meeple_bots::Position;
use meeple_games::backgammon::{Backgammon, Chances, CubeAdvice, CubeOwner, MatchScore};
use serde::Serialize;

use crate::show;

/// The number of turns that are listed.
const LISTED: usize = 5;

/// The score of a match as a person gives it: `5,3`, or `4,1,crawford`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Away(MatchScore);

impl FromStr for Away {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        let (own, other, is_crawford) = match words[..] {
            [own, other] => (own, other, false),
            [own, other, "crawford"] => (own, other, true),
            _ => return Err("expected two numbers such as 5,3, or 4,1,crawford".into()),
        };
        let number = |word: &str| word.parse().map_err(|_| format!("{word:?} is not a number"));
        let score = MatchScore::new(number(own)?, number(other)?, is_crawford);
        score.map(Self).map_err(|error| error.to_string())
    }
}

/// What the built-in network says about a position.
#[derive(Debug, Default, Serialize)]
pub(super) struct Insight {
    /// Before a roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    cube: Option<Cube>,
    /// The best ways to play the roll.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    turns: Vec<RatedTurn>,
}

#[derive(Debug, Serialize)]
struct Cube {
    #[serde(flatten)]
    outcome: Outcome,
    /// What the values are: `points`, or the `probability` of winning the match.
    unit: &'static str,
    no_double: f32,
    double_take: f32,
    double_drop: f32,
    action: &'static str,
}

#[derive(Debug, Serialize)]
struct RatedTurn {
    name: String,
    #[serde(flatten)]
    outcome: Outcome,
}

/// The probabilities of the player to move, and the expected points without the cube.
#[derive(Debug, Serialize)]
struct Outcome {
    equity: f32,
    win: f32,
    win_gammon: f32,
    win_backgammon: f32,
    lose_gammon: f32,
    lose_backgammon: f32,
}

impl Outcome {
    fn of(chances: &Chances) -> Self {
        Self {
            equity: chances.equity(),
            win: chances.win(),
            win_gammon: chances.win_gammon(),
            win_backgammon: chances.win_backgammon(),
            lose_gammon: chances.lose_gammon(),
            lose_backgammon: chances.lose_backgammon(),
        }
    }

    fn cells(&self) -> Vec<String> {
        let shares = [
            self.win,
            self.win_gammon,
            self.win_backgammon,
            self.lose_gammon,
            self.lose_backgammon,
        ];
        let shares = shares.map(|share| show::percent(f64::from(share)));
        [format!("{:+.3}", self.equity)].into_iter().chain(shares).collect()
    }
}

impl Insight {
    /// Adds the cube decision, if `position` is before a roll.
    pub(super) fn see_cube(&mut self, position: &dyn Position, away: Option<Away>) {
        let Some(game) = position.state().downcast_ref::<Backgammon>() else { return };
        let (Some(chances), true) = (game.chances(), game.rated_turns().is_empty()) else { return };
        // At a table without the cube, as if both could double.
        let owner = match game.cube_owner() {
            CubeOwner::Nobody => CubeOwner::Centred,
            owner => owner,
        };
        let advice = match away {
            Some(Away(score)) => CubeAdvice::for_match(&chances, &score, game.cube(), owner),
            None => CubeAdvice::for_money(&chances, owner),
        };
        self.cube = Some(Cube {
            outcome: Outcome::of(&chances),
            unit: if away.is_some() { "probability" } else { "points" },
            no_double: advice.no_double,
            double_take: advice.double_take,
            double_drop: advice.double_drop,
            action: advice.action().name(),
        });
    }

    /// Adds the best turns, if a roll is to be played.
    pub(super) fn see_turns(&mut self, position: &dyn Position) {
        let Some(game) = position.state().downcast_ref::<Backgammon>() else { return };
        let turns = game.rated_turns().into_iter().take(LISTED);
        let rated = |turn: meeple_games::backgammon::RatedTurn| RatedTurn {
            outcome: Outcome::of(&turn.chances),
            name: turn.name,
        };
        self.turns = turns.map(rated).collect();
    }

    /// The insight as text; empty if there is none.
    pub(super) fn text(&self) -> String {
        let columns =
            ["", "equity", "win", "gammon", "backgammon", "lose gammon", "lose backgammon"];
        let mut table = show::table(&columns, 1);
        let mut text = String::new();
        if let Some(cube) = &self.cube {
            let values = [cube.no_double, cube.double_take, cube.double_drop];
            let values = values.map(|value| format!("{value:+.3}"));
            text.push_str(&format!(
                "cube: {} ({}: no double {}, double and take {}, double and drop {})\n",
                cube.action, cube.unit, values[0], values[1], values[2]
            ));
            table.add_row([vec!["before the roll".to_owned()], cube.outcome.cells()].concat());
        }
        for turn in &self.turns {
            table.add_row([vec![turn.name.clone()], turn.outcome.cells()].concat());
        }
        if self.cube.is_some() || !self.turns.is_empty() {
            text.push_str(&show::text_of(&table));
        }
        text
    }
}
