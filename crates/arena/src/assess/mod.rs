//! Assessment of a game: is it any good?
//!
//! A search plays against itself, random players play, and searches of different strength meet;
//! what is measured of these games is what designers and critics ask about: length, branching,
//! decisiveness, fairness, chance, drama, skill, and unused actions and rules. Every
//! figure has a 95 % confidence interval, or says why not.

mod course;
mod coverage;
mod decisions;
mod figure;
mod findings;
mod luck;
mod options;
mod outcomes;
mod record;
mod skill;
mod stage;

use meeple_bots::{BotSpec, Error, Position};
use meeple_game::Rng;
use serde::Serialize;
use serde_json::Value;

pub use course::{Course, CurveStep, LEAD_MARGIN};
pub use coverage::{ActionCoverage, DeadAction, RuleCoverage};
pub use decisions::{Decisions, STAKE_MARGIN};
pub use figure::Figure;
pub use findings::{Finding, FindingKind};
pub use options::AssessOptions;
pub use outcomes::{Outcomes, SeatOutcome};
pub use skill::{Doubling, Skill};

use crate::RunProgress;
use luck::Expectation;
use record::GameRecord;
use stage::{Stage, StageDone};

/// The version of the JSON form of an assessment.
pub const ASSESSMENT_VERSION: u32 = 1;

/// What is known about a game after it was assessed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assessment {
    /// The version of this form.
    pub meeple_assessment: u32,
    /// The game.
    pub game: &'static str,
    /// The number of seats.
    pub players: usize,
    /// The configuration of the table.
    pub config: Value,
    /// Random seed.
    pub seed: u64,
    /// Whether all games were played.
    pub finished: bool,
    /// The bot that played. Its searches used their whole budget.
    pub bot: String,
    /// The number of decisions after which a game counts as unfinished.
    pub max_decisions: u64,
    /// What the figures mean, in sentences.
    pub findings: Vec<Finding>,
    /// How games of the bot against itself end.
    pub outcomes: Outcomes,
    /// How games of random players end.
    pub random_outcomes: Outcomes,
    /// The share of the variance of results that chance events explain.
    pub chance_share: Figure,
    /// How games of the bot go.
    pub course: Course,
    /// The strength gained by searching more.
    pub skill: Skill,
    /// The decisions of the bot's games.
    pub decisions: Decisions,
    /// Which actions came up.
    pub actions: ActionCoverage,
    /// Which rules came up, in games that are described in text.
    pub rules: Vec<RuleCoverage>,
}

/// Assesses the game of `table`. If `progress` is stopped, the assessment covers the games that
/// were played until then.
///
/// The same options give the same assessment on any number of threads.
///
/// # Errors
///
/// When the bot cannot play this game, its search fails, or threads cannot start.
///
/// # Panics
///
/// Panics when the options have a [problem](AssessOptions::problem).
///
/// ```
/// use meeple_arena::{AssessOptions, assess};
///
/// let table = meeple_bots::open("tic-tac-toe", None)?;
/// let mut options = AssessOptions { games: 10, doublings: 1, ..AssessOptions::new(&*table) };
/// options.bot.sims = 100;
/// let assessment = assess(&*table, &options, &Default::default())?;
/// assert_eq!(assessment.outcomes.games, 10);
/// assert_eq!(assessment.chance_share.value(), Some(0.0));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn assess(
    table: &dyn Position,
    options: &AssessOptions,
    progress: &RunProgress,
) -> Result<Assessment, Error> {
    assert_eq!(options.problem(), None, "the options are sound");
    let (bot, random) = (BotSpec::Search(options.rung(options.doublings)), BotSpec::Random);
    table.check_bot(&bot)?;
    let (info, root) = (table.info(), Rng::new(options.seed));
    let sims = u64::from(options.bot.sims);
    let ladder = skill::work(options, info.players);
    progress.add_total(options.random_games + options.games * sims + ladder);

    let stage =
        |bot, games, weight, expectation| Stage { table, options, bot, games, weight, expectation };
    let at_random = stage(&random, options.random_games, 1, None).play(&root.split(0), progress)?;
    let random_outcomes = Outcomes::of(&at_random.games, info.players);
    let is_endless = random_outcomes.unfinished_share.value() > Some(0.0);
    let expectation = match info.imperfect_information {
        _ if !info.chance => None,
        false => Some(Expectation::Searches),
        true => (!is_endless).then_some(Expectation::RandomGames),
    };
    // A search that plays to the end at random might never finish.
    let (played, skill) = if is_endless && options.plays_to_the_end(table) {
        (StageDone::default(), Skill::missing("random games do not end, so searches would not"))
    } else {
        let played =
            stage(&bot, options.games, sims, expectation).play(&root.split(1), progress)?;
        (played, skill::measure(table, options, &root.split(2), progress)?)
    };
    let unit = score_unit(table, &played.games);
    let mut assessment = Assessment {
        meeple_assessment: ASSESSMENT_VERSION,
        game: info.name,
        players: info.players,
        config: table.config(),
        seed: options.seed,
        finished: !progress.is_stopped(),
        bot: BotSpec::Search(options.bot.clone()).to_string(),
        max_decisions: options.max_decisions,
        findings: Vec::new(),
        outcomes: Outcomes::of(&played.games, info.players),
        random_outcomes,
        chance_share: luck::chance_share(&played.games, info.chance),
        course: Course::of(&played.games, unit),
        skill,
        decisions: Decisions::of(&played.games, unit),
        actions: coverage::actions(&played.coverage, &at_random.coverage, info.actions),
        rules: coverage::rules(table.rules(), &played.coverage, &at_random.coverage),
    };
    assessment.findings = findings::findings(&assessment);
    Ok(assessment)
}

/// The score that counts as 1: that of a win, or in games for stakes the amount that games vary
/// by.
fn score_unit(table: &dyn Position, games: &[GameRecord]) -> f64 {
    let payoffs = || games.iter().flat_map(|game| &game.payoffs);
    let squares: f64 = payoffs().map(|payoff| payoff * payoff).sum();
    let unit = (squares / payoffs().count().max(1) as f64).sqrt();
    if table.stakes().is_some() && unit > 0.0 { unit } else { 1.0 }
}
