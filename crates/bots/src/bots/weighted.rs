//! Bots with changed weights of the heuristic evaluation.

use meeple_game::{Action, Game, Rng, View};
use meeple_search::{SearchReport, StopFlag};

use crate::{Bot, BotError};

/// Shows a bot the view of its seat with other evaluation weights.
pub(crate) struct Weighted<G> {
    bot: Box<dyn Bot<G>>,
    /// A state that holds these weights.
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

    fn search_report(&self) -> Option<&SearchReport> {
        self.bot.search_report()
    }

    fn set_stop(&mut self, stop: &StopFlag) {
        self.bot.set_stop(stop);
    }
}

#[cfg(test)]
mod tests {
    use meeple_games::magic::Magic;
    use meeple_games::small::ConnectFour;

    use meeple_game::Rng;

    use crate::{Block, BlockObserver, BotSpec, Entrant, IdlePrograms, Played, open};

    /// Stores the winner of the last game.
    struct Winner(Option<usize>);

    impl BlockObserver for Winner {
        fn finished(&mut self, _: &[usize], played: Played) {
            self.0 = played.payoffs.iter().position(|&payoff| payoff > 0.0);
        }
    }

    /// Weights belong to the bot, not to the seat.
    #[test]
    fn weights_change_what_a_bot_plays() {
        let poor = "greedy:weights.land=-9,weights.extra_land=-9";
        for (names, winner) in [([poor, "greedy"], 1), (["greedy", poor], 0)] {
            let bots = names.map(|name| name.parse::<BotSpec>().expect("a bot")).to_vec();
            let table = open("magic", None).unwrap();
            let entrant = |seat: usize| Entrant { bot: &bots[seat], network: None };
            for game in 0..6 {
                let (seatings, seed) = ([vec![0, 1]], Rng::new(0).split(game));
                let block = Block { entrant: &entrant, seatings: &seatings, openings: 0, seed };
                let mut won = Winner(None);
                table.play_block(&block, &mut IdlePrograms::default(), &mut won).unwrap();
                assert_eq!(won.0, Some(winner), "nobody wins without lands");
            }
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
