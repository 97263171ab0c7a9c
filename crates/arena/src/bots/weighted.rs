//! A bot that thinks by other weights of the game's estimate.

use meeple_game::{Action, Game, Rng, View};
use meeple_search::{SearchReport, StopFlag};

use crate::{Bot, BotError};

/// Shows a bot what its seat sees with the weights of another table.
pub(crate) struct Weighted<G> {
    bot: Box<dyn Bot<G>>,
    /// A state of the table with those weights.
    model: G,
}

impl<G: Game> Weighted<G> {
    pub(crate) fn new(bot: Box<dyn Bot<G>>, model: G) -> Self {
        Self { bot, model }
    }
}

impl<G: Game> Bot<G> for Weighted<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Result<Action, BotError> {
        let Self { bot, model } = self;
        view.reweighed(model, |view| bot.choose(view, rng))
    }

    fn begin(&mut self) -> Result<(), BotError> {
        self.bot.begin()
    }

    fn thoughts(&self) -> Option<&SearchReport> {
        self.bot.thoughts()
    }

    fn set_stop(&mut self, stop: &StopFlag) {
        self.bot.set_stop(stop);
    }
}

#[cfg(test)]
mod tests {
    use meeple_games::magic::Magic;
    use meeple_games::small::ConnectFour;

    use crate::{BotSpec, Progress, Simulation, simulate};

    /// Weights go with the bot, not with the seat.
    #[test]
    fn weights_change_what_a_bot_plays() {
        let poor = "greedy:weights.land=-9,weights.extra_land=-9";
        for (names, winner) in [([poor, "greedy"], 1), (["greedy", poor], 0)] {
            let bots = names.map(|name| name.parse::<BotSpec>().expect("a bot")).to_vec();
            let simulation = Simulation { games: 6, bots, ..Default::default() };
            let progress = Progress::default();
            let config = Default::default();
            let tally = simulate::<Magic>(&config, &simulation, &progress).unwrap();
            assert_eq!(tally.seats[winner].wins, 6, "nobody wins without lands");
        }
        let refusal = |text: &str| {
            let spec: BotSpec = text.parse().unwrap();
            let magic = spec.build::<Magic>(&Default::default()).err().unwrap().to_string();
            (magic, spec.build::<ConnectFour>(&Default::default()).err().unwrap().to_string())
        };
        let (magic, four) = refusal("greedy:weights.lands=1");
        assert!(magic.contains(r#"no weight "lands", expected one of scale, life"#), "{magic}");
        assert!(four.contains("connect-four has no weight \"lands\""), "{four}");
    }
}
