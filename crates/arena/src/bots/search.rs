//! The bots that search: how one is written, and how it plays.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use meeple_game::{Action, Game, Rng, View};
use meeple_net::Predictor;
use meeple_search::{Budget, Search, SearchReport};

use super::Options;
use crate::{Bot, Error, Forfeit};

/// Which search a bot uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKind {
    /// UCT with random rollouts; over some dealt worlds where cards are hidden.
    Plain,
    /// Information-set search.
    InformationSets,
    /// Priors from the game's own estimate, and few actions first.
    Ordered,
    /// A graph instead of a tree.
    Transposition,
    /// Several workers.
    Parallel,
    /// PUCT with a network; without one, with even priors, and the game's
    /// estimate or rollouts for values.
    Puct,
}

/// Where values come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Random games, to the end or cut off after some steps, when the game's
    /// estimate is asked.
    Rollout {
        /// The steps, if it is cut off.
        depth: Option<u32>,
    },
    /// The game's own estimate.
    Heuristic,
    /// The estimate if the game has one, else random games.
    Auto,
    /// A network, for values and priors: the one given, else the one shipped
    /// with the game; as [`Auto`](Self::Auto) if there is none.
    Model,
}

/// Which actions are looked at first. Anything but [`Even`](Self::Even) has
/// them chosen by PUCT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prior {
    /// All alike.
    Even,
    /// Those that the game prefers.
    Game,
    /// Those after which the game's estimate is best.
    OneStep,
    /// Those that were good elsewhere in the tree.
    History,
    /// Those that won last.
    Killers,
    /// Those after which the game's estimate is best if it has one, else all
    /// alike.
    Auto,
}

/// How the workers of [`SearchKind::Parallel`] share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// A tree each, added up.
    Roots,
    /// One tree, whose leaves are judged side by side; repeats exactly.
    Leaves,
    /// One tree that all threads walk at once. Games played by this do not
    /// repeat unless it has one thread: it is for playing, not for measuring.
    Tree,
}

/// What becomes of the tree between moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Every decision has a new one.
    No,
    /// It is kept, and as many simulations are added as to a new one.
    Yes,
    /// It is kept, and in [`SearchKind::InformationSets`] the visits that it
    /// brings along count as simulations, up to three quarters of them.
    Count,
}

/// A bot that searches, with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSpec {
    /// Which search.
    pub kind: SearchKind,
    /// Simulations for each decision, at most.
    pub sims: u32,
    /// Milliseconds for each decision, at most; games then do not repeat.
    pub ms: Option<u32>,
    /// Whether all simulations are made, even when those left cannot change
    /// what is played: for those who want the visits.
    pub whole: bool,
    /// The share of the simulations left by which one action must be ahead of
    /// all others for the search to end: 1 where they cannot change what is
    /// played, less where it is unlikely.
    pub decided: f32,
    /// The exploration constant; the one that suits how actions are chosen and
    /// judged unless given.
    pub c: Option<f32>,
    /// Where values come from.
    pub eval: Eval,
    /// The file of the network, if not the one shipped with the game.
    pub model: Option<PathBuf>,
    /// Which actions are looked at first.
    pub prior: Prior,
    /// How many actions a Gumbel root considers; none without one.
    pub gumbel: Option<u32>,
    /// Whether the improved policy of a Gumbel root is used below it too.
    pub below: bool,
    /// Whether the tree is kept between moves.
    pub keep: Keep,
    /// Worlds dealt, where [`SearchKind::Plain`] meets hidden cards.
    pub worlds: u32,
    /// Whether [`SearchKind::InformationSets`] keeps decisions by what their
    /// mover knows.
    pub by_mover: bool,
    /// How often [`SearchKind::InformationSets`] walks each world it deals.
    pub walks: u32,
    /// Whether it looks only at what people would think about, where the game
    /// knows what that is; not by a network, which has learned from all.
    pub focus: bool,
    /// How [`SearchKind::Parallel`] shares the work.
    pub sharing: Sharing,
    /// Workers of [`SearchKind::Parallel`] with a tree each, which share the
    /// simulations; or leaves judged at a time.
    pub workers: u32,
    /// Threads of [`SearchKind::Parallel`].
    pub threads: u32,
}

impl SearchKind {
    const ALL: [(&'static str, Self); 6] = [
        ("mcts", Self::Plain),
        ("mcts-ismcts", Self::InformationSets),
        ("mcts-ordered", Self::Ordered),
        ("mcts-transposition", Self::Transposition),
        ("mcts-parallel", Self::Parallel),
        ("puct", Self::Puct),
    ];

    /// The search of the bot called `name`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }

    /// The name of its bot.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, kind)| *kind == self).map_or("mcts", |(name, _)| name)
    }
}

const EVALS: [(&str, Eval); 4] = [
    ("rollout", Eval::Rollout { depth: None }),
    ("heuristic", Eval::Heuristic),
    ("auto", Eval::Auto),
    ("model", Eval::Model),
];

const PRIORS: [(&str, Prior); 6] = [
    ("even", Prior::Even),
    ("game", Prior::Game),
    ("onestep", Prior::OneStep),
    ("history", Prior::History),
    ("killers", Prior::Killers),
    ("auto", Prior::Auto),
];

const SHARINGS: [(&str, Sharing); 3] =
    [("roots", Sharing::Roots), ("leaves", Sharing::Leaves), ("tree", Sharing::Tree)];
const ROOTS: [(&str, bool); 2] = [("visits", false), ("gumbel", true)];
const KNOWERS: [(&str, bool); 2] = [("searcher", false), ("mover", true)];
const KEEPS: [(&str, Keep); 3] = [("no", Keep::No), ("yes", Keep::Yes), ("count", Keep::Count)];
const ANSWERS: [(&str, bool); 2] = [("no", false), ("yes", true)];

/// The word for a value.
fn word<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}

impl SearchSpec {
    /// What a bot does unless it is told otherwise.
    #[must_use]
    pub fn new(kind: SearchKind) -> Self {
        let prior = match kind {
            SearchKind::Ordered => Prior::OneStep,
            SearchKind::InformationSets => Prior::Auto,
            _ => Prior::Even,
        };
        Self {
            kind,
            sims: 1000,
            ms: None,
            whole: false,
            decided: 1.0,
            c: usual_c(kind, prior),
            eval: default_eval(kind, prior),
            model: None,
            prior,
            gumbel: None,
            below: false,
            // Where it was measured to be no gain, it is off.
            keep: match kind {
                SearchKind::InformationSets | SearchKind::Puct => Keep::No,
                _ => Keep::Yes,
            },
            worlds: 10,
            by_mover: false,
            walks: 1,
            focus: kind != SearchKind::Puct,
            sharing: Sharing::Roots,
            workers: 4,
            threads: 2,
        }
    }

    /// Takes the options of a search out of those given.
    pub(crate) fn read(kind: SearchKind, options: &mut Options<'_>) -> Result<Self, Error> {
        let usual = Self::new(kind);
        let ms = options.take("ms", 0, 1..=1_000_000)?;
        let ms = (ms > 0).then_some(ms);
        let usual_sims = if ms.is_some() { MOST_SIMS } else { usual.sims };
        let sims = options.take("sims", usual_sims, 1..=MOST_SIMS)?;
        let whole = options.take_word("whole", usual.whole, &ANSWERS, "yes or no")?;
        let is_share = |share: &f32| *share > 0.0 && *share <= 1.0;
        let expected = "a number above 0 and at most 1";
        let decided = options.take_as("decided", usual.decided, is_share, expected)?;
        let prior = if kind == SearchKind::Transposition {
            // A graph tells an ordering nothing, so those that learn are not for it.
            options.take_word("prior", usual.prior, &PRIORS[..3], STILL_PRIOR_WORDS)?
        } else {
            options.take_word("prior", usual.prior, &PRIORS, PRIOR_WORDS)?
        };
        let is_allowed = |c: &f32| (0.0..=1000.0).contains(c);
        let c = options.take_as("c", UNSET, is_allowed, "a number from 0 to 1000")?;
        let c = if c < 0.0 { usual_c(kind, prior) } else { Some(c) };
        // A depth is that of rollouts.
        let usual_eval = match default_eval(kind, prior) {
            _ if options.has("depth") => Eval::Rollout { depth: None },
            eval => eval,
        };
        let mut eval = if kind == SearchKind::Puct {
            options.take_word("eval", usual_eval, &EVALS, PUCT_EVAL_WORDS)?
        } else {
            options.take_word("eval", usual_eval, &EVALS[..3], EVAL_WORDS)?
        };
        if let Eval::Rollout { depth } = &mut eval {
            let steps = options.take("depth", 0, 1..=1_000_000)?;
            *depth = (steps > 0).then_some(steps);
        }
        let model = if eval == Eval::Model {
            let file = options.take_as("model", String::new(), |_| true, "a file")?;
            (!file.is_empty()).then(|| file.into())
        } else {
            None
        };
        if eval == Eval::Model && prior != Prior::Even {
            let (value, expected) =
                (word(&PRIORS, &prior).to_owned(), "for bots without a network");
            return Err(Error::BadValue { bot: "puct", option: "prior", value, expected });
        }
        let keep = options.take_word("keep", usual.keep, &KEEPS, "yes, no or count")?;
        let focus = if eval == Eval::Model {
            false
        } else {
            options.take_word("focus", usual.focus, &ANSWERS, "yes or no")?
        };
        let mut spec =
            Self { focus, sims, ms, whole, decided, c, eval, model, prior, keep, ..usual };
        if kind == SearchKind::Parallel {
            spec.sharing = options.take_word("share", usual.sharing, &SHARINGS, SHARING_WORDS)?;
            spec.workers = options.take("workers", usual.workers, 1..=1_000)?;
            spec.threads = options.take("threads", usual.threads, 1..=1_000)?;
        }
        if kind != SearchKind::Transposition && spec.sharing != Sharing::Tree {
            let is_gumbel = options.take_word("root", false, &ROOTS, "visits or gumbel")?;
            if let (true, Some(ms)) = (is_gumbel, ms) {
                let expected = "usable with root=gumbel, which plans its simulations";
                let (bot, value) = (kind.name(), ms.to_string());
                return Err(Error::BadValue { bot, option: "ms", value, expected });
            }
            if is_gumbel {
                spec.gumbel = Some(options.take("considered", 16, 1..=1_000)?);
                spec.below = options.take_word("below", false, &ANSWERS, "yes or no")?;
            }
        }
        match kind {
            SearchKind::Plain => spec.worlds = options.take("worlds", usual.worlds, 1..=1_000)?,
            SearchKind::InformationSets => {
                spec.by_mover =
                    options.take_word("knower", false, &KNOWERS, "searcher or mover")?;
                spec.walks = options.take("walks", usual.walks, 1..=1_000)?;
            }
            _ => {}
        }
        Ok(spec)
    }

    /// The bot, ready to play `G`.
    pub(crate) fn build<G: Game>(&self, config: &G::Config) -> Result<Box<dyn Bot<G>>, Error> {
        // Ensembles have nothing to keep, and of information sets only those
        // that say so.
        let keeps =
            self.keep != Keep::No && (!G::HIDDEN || self.kind == SearchKind::InformationSets);
        let search = self.search(config)?;
        Ok(Box::new(self.searcher(search, keeps)))
    }

    /// The bot, ready to play `G` by a network.
    pub(crate) fn build_with<G: Game>(
        &self,
        config: &G::Config,
        network: &Predictor,
    ) -> Result<Box<dyn Bot<G>>, Error> {
        let search = self.search_with(config, network)?;
        Ok(Box::new(self.searcher(search, self.keep != Keep::No && !G::HIDDEN)))
    }

    fn searcher<G: Game>(&self, search: Box<dyn Search<G> + Send>, keeps: bool) -> Searcher<G> {
        let decided = (!self.whole).then_some(self.decided);
        let counts_kept = self.keep == Keep::Count;
        let budget = Budget { decided, counts_kept, ..self.budget() };
        Searcher { search, budget, keeps, thoughts: None }
    }

    /// The same bot with what depends on the game decided.
    pub(super) fn for_game(&self, has_estimate: bool) -> Self {
        let prior = match self.prior {
            Prior::Auto if has_estimate => Prior::OneStep,
            Prior::Auto => Prior::Even,
            prior => prior,
        };
        let asked = if has_estimate { self.prior } else { prior };
        Self { prior, c: self.c.or(Some(default_c(self.kind, asked))), ..self.clone() }
    }

    /// What the bot may spend on one decision.
    #[must_use]
    pub fn budget(&self) -> Budget {
        let time = self.ms.map(|ms| Duration::from_millis(ms.into()));
        Budget { time, ..Budget::iterations(u64::from(self.sims)) }
    }
}

const SHARING_WORDS: &str = "one of roots, leaves, tree";
const EVAL_WORDS: &str = "one of rollout, heuristic, auto";
const PUCT_EVAL_WORDS: &str = "one of rollout, heuristic, auto, model";
const STILL_PRIOR_WORDS: &str = "one of even, game, onestep";
const PRIOR_WORDS: &str = "one of even, game, onestep, history, killers, auto";

/// The most simulations for a decision, and as many as there is time for.
const MOST_SIMS: u32 = 100_000_000;

/// Stands for an exploration constant that was not given.
const UNSET: f32 = -1.0;

/// The same as far as it does not depend on the game.
fn usual_c(kind: SearchKind, prior: Prior) -> Option<f32> {
    (prior != Prior::Auto).then(|| default_c(kind, prior))
}

/// The exploration constant unless one is given: that of PUCT with priors, or
/// less where nothing but estimates is compared, which differ by little.
fn default_c(kind: SearchKind, prior: Prior) -> f32 {
    match prior {
        Prior::Even if kind != SearchKind::Puct => 1.0,
        Prior::Auto => 0.2,
        _ => 1.25,
    }
}

/// Where values come from unless it is said.
fn default_eval(kind: SearchKind, prior: Prior) -> Eval {
    match (kind, prior) {
        (SearchKind::Puct, Prior::Even) => Eval::Model,
        (SearchKind::Puct | SearchKind::InformationSets, _) => Eval::Auto,
        _ => Eval::Rollout { depth: None },
    }
}

/// Simulations and constant, what the kind has of its own, and then whatever is
/// not as usual.
impl fmt::Display for SearchSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::new(self.kind);
        write!(f, "{}:", self.kind.name())?;
        match self.ms {
            Some(ms) if self.sims == MOST_SIMS => write!(f, "ms={ms}")?,
            Some(ms) => write!(f, "sims={},ms={ms}", self.sims)?,
            None => write!(f, "sims={}", self.sims)?,
        }
        if let Some(c) = self.c {
            write!(f, ",c={c}")?;
        }
        match self.kind {
            SearchKind::Plain => write!(f, ",worlds={}", self.worlds)?,
            SearchKind::Parallel => {
                write!(f, ",workers={},threads={}", self.workers, self.threads)?;
            }
            _ => {}
        }
        if let Some(model) = &self.model {
            write!(f, ",model={}", model.display())?;
        }
        match self.eval {
            eval if eval == default_eval(self.kind, self.prior) => {}
            Eval::Rollout { depth } => {
                if !matches!(default_eval(self.kind, self.prior), Eval::Rollout { .. }) {
                    write!(f, ",eval=rollout")?;
                }
                depth.map_or(Ok(()), |depth| write!(f, ",depth={depth}"))?;
            }
            eval => write!(f, ",eval={}", word(&EVALS, &eval))?,
        }
        if self.prior != usual.prior {
            write!(f, ",prior={}", word(&PRIORS, &self.prior))?;
        }
        if let Some(considered) = self.gumbel {
            write!(f, ",root=gumbel,considered={considered}")?;
        }
        if self.below {
            write!(f, ",below=yes")?;
        }
        if self.whole != usual.whole {
            write!(f, ",whole={}", word(&ANSWERS, &self.whole))?;
        }
        if self.decided != usual.decided {
            write!(f, ",decided={}", self.decided)?;
        }
        if self.keep != usual.keep {
            write!(f, ",keep={}", word(&KEEPS, &self.keep))?;
        }
        if self.by_mover {
            write!(f, ",knower=mover")?;
        }
        if self.walks != usual.walks {
            write!(f, ",walks={}", self.walks)?;
        }
        if self.focus != usual.focus {
            write!(f, ",focus={}", word(&ANSWERS, &self.focus))?;
        }
        if self.sharing != usual.sharing {
            write!(f, ",share={}", word(&SHARINGS, &self.sharing))?;
        }
        Ok(())
    }
}

/// Plays what a search likes best.
struct Searcher<G> {
    search: Box<dyn Search<G> + Send>,
    budget: Budget,
    keeps: bool,
    thoughts: Option<SearchReport>,
}

impl<G: Game> Bot<G> for Searcher<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Result<Action, Forfeit> {
        if self.keeps {
            self.search.follow(view);
        }
        let report = self.search.search(view, &self.budget, rng.bits());
        let report = report.expect("the seat is to decide, and rollouts and estimates are values");
        Ok(self.thoughts.insert(report).best)
    }

    fn thoughts(&self) -> Option<&SearchReport> {
        self.thoughts.as_ref()
    }
}
