//! Names of version 0.1 that are still accepted, with a warning. This is the only list of them.

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::de::DeserializeOwned;
use serde_json::Value;

/// The context of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    /// Options of bots: `mcts:sims=100,reuse=no`.
    BotOption,
    /// Keys of experiment files.
    Experiment,
    /// Keys of replays.
    Replay,
    /// Keys of training files.
    Training,
    /// Keys of the `config.json` of a training run.
    TrainingRun,
    /// Keys of the `state.json` of a training run.
    TrainingState,
    /// Keys of the events of a stored session.
    SessionEvent,
}

impl NameKind {
    const fn noun(self) -> &'static str {
        match self {
            Self::BotOption => "bot option",
            Self::Experiment => "experiment key",
            Self::Replay => "replay key",
            Self::Training | Self::TrainingRun | Self::TrainingState => "training key",
            Self::SessionEvent => "session key",
        }
    }
}

/// The context, the name of version 0.1 (an option, or the path of a key in a file) and the
/// current name.
const RENAMED: &[(NameKind, &str, &str)] = &[
    (NameKind::BotOption, "walks", "sims_per_determinization"),
    (NameKind::BotOption, "keep", "reuse"),
    (NameKind::BotOption, "knower", "observer"),
    (NameKind::BotOption, "decided", "early_stop"),
    (NameKind::BotOption, "whole", "full_budget"),
    (NameKind::BotOption, "worlds", "determinizations"),
    (NameKind::BotOption, "table", "memory"),
    (NameKind::Experiment, "output.thoughts", "analysis"),
    (NameKind::Replay, "thoughts", "analysis"),
    (NameKind::Training, "self_play.guest", "opponent"),
    (NameKind::TrainingRun, "config.self_play.guest", "opponent"),
    (NameKind::TrainingState, "met", "matches"),
    (NameKind::SessionEvent, "did.thought", "analysis"),
];

static HOOK: OnceLock<fn(&str)> = OnceLock::new();
static WARNED: Mutex<BTreeSet<(NameKind, &str)>> = Mutex::new(BTreeSet::new());

/// Sets the hook for deprecation warnings, which are issued once for each name. Only the first
/// hook is used; without one there are no warnings.
pub fn on_old_name(hook: fn(&str)) {
    let _ = HOOK.set(hook);
}

fn warn(kind: NameKind, old: &'static str, new: &str) {
    let Some(hook) = HOOK.get() else { return };
    let is_new = WARNED.lock().unwrap_or_else(PoisonError::into_inner).insert((kind, old));
    if is_new {
        let noun = kind.noun();
        hook(&format!("{noun} {old} is now called {new}; the old name works until version 0.3"));
    }
}

/// Returns the current name of a bot option.
pub(crate) fn bot_option(name: &str) -> &str {
    let is_it =
        |row: &&(NameKind, &str, &'static str)| row.0 == NameKind::BotOption && row.1 == name;
    let Some((kind, old, new)) = RENAMED.iter().find(is_it) else { return name };
    warn(*kind, old, new);
    new
}

/// Reads JSON that may contain deprecated keys.
///
/// # Errors
///
/// When the JSON is invalid. Without deprecated keys, the error gives the position in `text`.
pub fn read_renamed<T: DeserializeOwned>(
    kind: NameKind,
    text: &str,
) -> Result<T, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| {
        let Ok(mut value) = serde_json::from_str(text) else { return Err(error) };
        if !rename_keys(kind, &mut value) {
            return Err(error);
        }
        serde_json::from_value(value)
    })
}

/// Renames the deprecated keys of a JSON file. Returns whether there were any.
///
/// ```
/// use meeple_bots::{NameKind, rename_keys};
///
/// let mut replay = serde_json::json!({"actions": [], "thoughts": {}});
/// assert!(rename_keys(NameKind::Replay, &mut replay));
/// assert_eq!(replay, serde_json::json!({"actions": [], "analysis": {}}));
/// ```
pub fn rename_keys(kind: NameKind, file: &mut Value) -> bool {
    let mut is_changed = false;
    for (_, path, new) in RENAMED.iter().filter(|row| row.0 == kind) {
        let (parents, old) = path.rsplit_once('.').unwrap_or(("", path));
        let mut steps = parents.split('.').filter(|step| !step.is_empty());
        let parent = steps.try_fold(&mut *file, |value, step| value.get_mut(step));
        let Some(keys) = parent.and_then(Value::as_object_mut) else { continue };
        if keys.contains_key(*new) {
            continue;
        }
        if let Some(value) = keys.remove(old) {
            warn(kind, path, new);
            keys.insert((*new).to_owned(), value);
            is_changed = true;
        }
    }
    is_changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BotSpec;
    use serde_json::json;

    #[test]
    fn old_options_mean_the_new_ones() {
        for (old, new) in [
            (
                "mcts:sims=9,worlds=3,keep=no,table=64MB",
                "mcts:sims=9,determinizations=3,reuse=no,memory=64MB",
            ),
            (
                "mcts-ismcts:ms=50,whole=yes,decided=0.4,knower=mover,walks=16",
                "mcts-ismcts:ms=50,full_budget=yes,early_stop=0.4,observer=mover,\
                 sims_per_determinization=16",
            ),
        ] {
            assert_eq!(old.parse::<BotSpec>(), new.parse::<BotSpec>());
            assert!(!old.parse::<BotSpec>().unwrap().to_string().contains("keep="));
        }
        let both = "mcts:keep=no,reuse=no".parse::<BotSpec>().unwrap_err().to_string();
        assert!(both.contains("each option once"), "{both}");
    }

    #[test]
    fn keys_are_renamed_at_their_place_alone() {
        let mut file = json!({"self_play": {"guest": 1}, "guest": 2});
        assert!(rename_keys(NameKind::Training, &mut file));
        assert_eq!(file, json!({"self_play": {"opponent": 1}, "guest": 2}));
        assert!(!rename_keys(NameKind::Training, &mut file));
        assert!(!rename_keys(NameKind::Training, &mut json!([1])));
    }
}
