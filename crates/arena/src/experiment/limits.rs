//! Size limits of experiments: a short file can ask for more matches than fit in memory.

use super::check::{Fault, fault, root};
use super::task::{Schedule, Task, Tune};
use super::{Experiment, Method, Table};

/// The maximum number of configurations of a table.
pub(super) const MOST_CONFIGS: usize = 10_000;
/// The maximum number of matches in a stage.
const MOST_MATCHES: usize = 100_000;
/// The maximum of bots times configurations at a table, since each combination is checked.
const MOST_SEATED: usize = 1_000_000;

/// Checks that the plan of an experiment fits in memory.
///
/// # Errors
///
/// At the first limit that is exceeded, with the path of the field.
pub(super) fn check_limits(experiment: &Experiment) -> Result<(), Fault> {
    let bots = |at: usize| experiment.bots_of(at).len();
    for (at, Table { configs, bots: own, .. }) in experiment.tables.iter().enumerate() {
        if configs.len() > MOST_CONFIGS {
            let message =
                format!("{} configurations, expected up to {MOST_CONFIGS}", configs.len());
            return fault(root("tables").at(at).key("configs"), message);
        }
        if bots(at).saturating_mul(configs.len()) > MOST_SEATED {
            let path = if own.is_some() { root("tables").at(at).key("bots") } else { root("bots") };
            let message = format!(
                "{} bots at {} configurations, expected up to {MOST_SEATED} combinations",
                bots(at),
                configs.len()
            );
            return fault(path, message);
        }
    }
    let tables = 0..experiment.tables.len();
    match &experiment.task {
        Task::Tournament(task) => {
            let pairings: usize = tables.map(|at| pairings(bots(at), task.schedule)).sum();
            let message =
                format!("{pairings} pairings at all tables, expected up to {MOST_MATCHES}");
            if pairings > MOST_MATCHES { fault(root("bots"), message) } else { Ok(()) }
        }
        Task::Tune(task) => check_tune(task, tables.len()),
        Task::Simulate(_) | Task::Sprt(_) | Task::Collect(_) | Task::Benchmark(_) => Ok(()),
    }
}

/// Returns the number of pairings of a schedule.
fn pairings(bots: usize, schedule: Schedule) -> usize {
    match schedule {
        Schedule::RoundRobin => bots * bots.saturating_sub(1) / 2,
        Schedule::Gauntlet | Schedule::Ladder => bots.saturating_sub(1),
    }
}

fn check_tune(task: &Tune, tables: usize) -> Result<(), Fault> {
    let values = task.parameters.values().map(|parameter| parameter.values().len());
    let candidates = match task.method {
        Method::Grid => values.fold(1, usize::saturating_mul),
        Method::Coordinate => values.max().unwrap_or(0),
        Method::Evolution => task.population,
    };
    let matches = candidates.saturating_mul(tables).saturating_mul(task.opponents.len().max(1));
    if matches <= MOST_MATCHES {
        return Ok(());
    }
    let message = format!(
        "{matches} matches of {candidates} candidates at a time, expected up to {MOST_MATCHES}"
    );
    fault(root("task").key("tune").key("parameters"), message)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    fn refusal(change: impl FnOnce(&mut Value)) -> String {
        let mut value = json!({
            "name": "large", "tables": ["pig"], "bots": ["random", "mcts"],
            "task": {"tournament": {"games": 2}},
        });
        change(&mut value);
        let mistake = super::super::read_experiment("a.json".as_ref(), &value.to_string());
        let mistake = mistake.expect_err("it is too large");
        format!("{}: {}", mistake.field, mistake.message)
    }

    fn bots(count: usize) -> Vec<String> {
        (1..=count).map(|sims| format!("mcts:sims={sims}")).collect()
    }

    #[test]
    fn short_files_that_plan_too_much_are_refused() {
        let decks: Vec<String> = (0..3_000).map(|deck| deck.to_string()).collect();
        let pool =
            json!({"game": "magic", "pool": {"field": "decks", "of": decks, "meet": "each-other"}});
        assert_eq!(
            refusal(|value| value["tables"][0] = pool),
            "tables[0]: pool.of: 3000 decks that meet each other make 4498500 configurations, \
             expected up to 10000"
        );
        assert_eq!(
            refusal(|value| value["bots"] = json!(bots(1_000))),
            "bots: 499500 pairings at all tables, expected up to 100000"
        );
        let configs = json!({"game": "pig", "configs": vec![json!({}); 2_000]});
        assert_eq!(
            refusal(|value| {
                value["tables"][0] = configs;
                value["bots"] = json!(bots(600));
            }),
            "bots: 600 bots at 2000 configurations, expected up to 1000000 combinations"
        );
        let refused = refusal(|value| {
            let parameters =
                json!({"sims": {"range": [1, 100, 1]}, "c": {"range": [0.5, 1, 0.01]}});
            value["bots"] = json!(["mcts"]);
            value["task"] = json!({"tune": {"method": "grid", "parameters": parameters,
                "games": 2, "validation_games": 2, "opponents": bots(30)}});
        });
        assert_eq!(
            refused,
            "task.tune.parameters: 153000 matches of 5100 candidates at a time, expected up to 100000"
        );
    }
}
