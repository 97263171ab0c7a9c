//! Parsing and formatting of tree-search bots.

use std::fmt;
use std::ops::RangeInclusive;

use meeple_search::{MAX_DEPTH, Observer};

use super::search::{Eval, Prior, Reuse, SearchKind, SearchSpec, Sharing, default_eval, usual_c};
use super::{Options, Size};
use crate::Error;

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

const SHARINGS: [(&str, Sharing); 2] = [("roots", Sharing::Roots), ("tree", Sharing::Tree)];
const ROOTS: [(&str, bool); 2] = [("visits", false), ("gumbel", true)];
const OBSERVERS: [(&str, Option<Observer>); 2] =
    [("searcher", Some(Observer::Single)), ("mover", Some(Observer::Multiple))];
const REUSES: [(&str, Reuse); 3] =
    [("no", Reuse::No), ("yes", Reuse::Yes), ("count", Reuse::Count)];
const ANSWERS: [(&str, bool); 2] = [("no", false), ("yes", true)];

/// Returns the keyword of a value.
fn word<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}

/// The maximum number of simulations for a decision, and the default with a time limit.
const MOST_SIMS: u32 = 100_000_000;

/// Marks an exploration constant that is not given.
const UNSET: f32 = -1.0;

/// The range of memory limits. The minimum holds the widest root of any game.
const MEMORY: RangeInclusive<Size> = Size::kilobytes(64)..=Size::megabytes(64 << 10);

const MEMORY_SIZES: &str = "a size from 64KB to 64GB, such as 64MB";
const SHARING_WORDS: &str = "one of roots, tree";
const EVAL_WORDS: &str = "one of rollout, heuristic, auto";
const PUCT_EVAL_WORDS: &str = "one of rollout, heuristic, auto, model";
const STILL_PRIOR_WORDS: &str = "one of even, game, onestep";
const PRIOR_WORDS: &str = "one of even, game, onestep, history, killers, auto";

impl SearchSpec {
    /// Takes the options of a search.
    pub(crate) fn read(kind: SearchKind, options: &mut Options<'_>) -> Result<Self, Error> {
        let usual = Self::new(kind);
        let ms = options.take("ms", 0, 1..=1_000_000)?;
        let ms = (ms > 0).then_some(ms);
        let temperature = options.take_temperature()?;
        if kind.is_to_depth() {
            return Self { ms, temperature, ..usual }.read_to_depth(options);
        }
        let usual_sims = if ms.is_some() { MOST_SIMS } else { usual.sims };
        let sims = options.take("sims", usual_sims, 1..=MOST_SIMS)?;
        let sims_per_action = options.take("sims_per_action", 0, 1..=1_000_000)?;
        let full_budget =
            options.take_word("full_budget", usual.full_budget, &ANSWERS, "yes or no")?;
        let is_share = |share: &f32| *share > 0.0 && *share <= 1.0;
        let expected = "a number above 0 and at most 1";
        let early_stop = options.take_as("early_stop", usual.early_stop, is_share, expected)?;
        let prior = if kind == SearchKind::Transposition {
            // Graph search reports no results to orderings, so those that learn are unsupported.
            options.take_word("prior", usual.prior, &PRIORS[..3], STILL_PRIOR_WORDS)?
        } else {
            options.take_word("prior", usual.prior, &PRIORS, PRIOR_WORDS)?
        };
        let is_allowed = |c: &f32| (0.0..=1000.0).contains(c);
        let c = options.take_as("c", UNSET, is_allowed, "a number from 0 to 1000")?;
        let c = if c < 0.0 { usual_c(kind, prior) } else { Some(c) };
        // A `depth` implies rollouts.
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
        let reuse = options.take_word("reuse", usual.reuse, &REUSES, "yes, no or count")?;
        let memory =
            options.take_as("memory", usual.memory, |size| MEMORY.contains(size), MEMORY_SIZES)?;
        let focus = if eval == Eval::Model {
            false
        } else {
            options.take_word("focus", usual.focus, &ANSWERS, "yes or no")?
        };
        let mut spec = Self {
            focus,
            sims,
            sims_per_action,
            ms,
            full_budget,
            early_stop,
            temperature,
            c,
            eval,
            model,
            prior,
            reuse,
            memory,
            ..usual
        };
        if kind == SearchKind::Parallel {
            spec.sharing = options.take_word("share", usual.sharing, &SHARINGS, SHARING_WORDS)?;
            spec.workers = options.take("workers", usual.workers, 1..=1_000)?;
            spec.threads = options.take("threads", usual.threads, 1..=1_000)?;
            if spec.tree_memory() < MEMORY.start().bytes() {
                let (value, expected) = (memory.to_string(), "64KB or more for each worker");
                return Err(Error::BadValue {
                    bot: kind.name(),
                    option: "memory",
                    value,
                    expected,
                });
            }
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
            SearchKind::Plain => {
                spec.determinizations =
                    options.take("determinizations", usual.determinizations, 1..=1_000)?
            }
            SearchKind::InformationSets => {
                spec.observer =
                    options.take_word("observer", None, &OBSERVERS, "searcher or mover")?;
                spec.sims_per_determinization = options.take(
                    "sims_per_determinization",
                    usual.sims_per_determinization,
                    1..=1_000,
                )?;
            }
            _ => {}
        }
        Ok(spec)
    }

    /// Takes the options of a search to a depth. A depth or a time lifts the limit of nodes.
    fn read_to_depth(mut self, options: &mut Options<'_>) -> Result<Self, Error> {
        let depth = options.take("depth", 0, 1..=MAX_DEPTH)?;
        self.depth = (depth > 0).then_some(depth);
        let is_limited = self.depth.is_some() || self.ms.is_some();
        let usual_nodes = if is_limited { MOST_SIMS } else { self.sims };
        self.sims = options.take("nodes", usual_nodes, 1..=MOST_SIMS)?;
        let is_size = |size: &Size| MEMORY.contains(size);
        self.memory = options.take_as("hash", self.memory, is_size, MEMORY_SIZES)?;
        if self.kind == SearchKind::AlphaBeta {
            self.threads = options.take("threads", self.threads, 1..=256)?;
        }
        Ok(self)
    }

    /// Formats the limits, and the options that differ from their defaults.
    fn write_to_depth(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::new(self.kind);
        let is_limited = self.depth.is_some() || self.ms.is_some();
        let mut parts = Vec::new();
        parts.extend(self.depth.map(|depth| format!("depth={depth}")));
        if !is_limited || self.sims != MOST_SIMS {
            parts.push(format!("nodes={}", self.sims));
        }
        parts.extend(self.ms.map(|ms| format!("ms={ms}")));
        if self.memory != usual.memory {
            parts.push(format!("hash={}", self.memory));
        }
        if self.threads != usual.threads {
            parts.push(format!("threads={}", self.threads));
        }
        if self.temperature > 0.0 {
            parts.push(format!("temperature={}", self.temperature));
        }
        f.write_str(&parts.join(","))
    }
}

/// Formats the simulations, the exploration constant and the options specific to the kind,
/// followed by all options that differ from their defaults.
impl fmt::Display for SearchSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::new(self.kind);
        write!(f, "{}:", self.kind.name())?;
        if self.kind.is_to_depth() {
            return self.write_to_depth(f);
        }
        match self.ms {
            Some(ms) if self.sims == MOST_SIMS => write!(f, "ms={ms}")?,
            Some(ms) => write!(f, "sims={},ms={ms}", self.sims)?,
            None => write!(f, "sims={}", self.sims)?,
        }
        if self.sims_per_action > 0 {
            write!(f, ",sims_per_action={}", self.sims_per_action)?;
        }
        if let Some(c) = self.c {
            write!(f, ",c={c}")?;
        }
        match self.kind {
            SearchKind::Plain => write!(f, ",determinizations={}", self.determinizations)?,
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
        if self.full_budget != usual.full_budget {
            write!(f, ",full_budget={}", word(&ANSWERS, &self.full_budget))?;
        }
        if self.early_stop != usual.early_stop {
            write!(f, ",early_stop={}", self.early_stop)?;
        }
        if self.temperature > 0.0 {
            write!(f, ",temperature={}", self.temperature)?;
        }
        if self.reuse != usual.reuse {
            write!(f, ",reuse={}", word(&REUSES, &self.reuse))?;
        }
        if self.memory != usual.memory {
            write!(f, ",memory={}", self.memory)?;
        }
        if self.observer.is_some() {
            write!(f, ",observer={}", word(&OBSERVERS, &self.observer))?;
        }
        if self.sims_per_determinization != usual.sims_per_determinization {
            write!(f, ",sims_per_determinization={}", self.sims_per_determinization)?;
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
