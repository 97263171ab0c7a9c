//! Why an event is not legal, in the words of the rules.

use std::any::Any;

use meeple_arena::Position;
use meeple_games::described::{Described, VisitRules, state_of, with_rules};
use meeple_plan::{Handled, Skip, Trace};

/// Why what a person typed is not legal, if the game is made of rules and one of
/// its events is written so.
pub(crate) fn of_text(position: &dyn Position, text: &str) -> Option<String> {
    with_rules(position.info().name, OfText { game: position.state(), text }).ok()?
}

struct OfText<'a> {
    game: &'a dyn Any,
    text: &'a str,
}

impl VisitRules for OfText<'_> {
    type Out = Option<String>;

    fn visit<R: Described>(self) -> Option<String> {
        in_state::<R>(&state_of::<R>(self.game)?, self.text)
    }
}

/// Why the event that people write as `text` is not legal in `state`; nothing if
/// it is, or if none is written so.
pub(crate) fn in_state<R: Described>(state: &R::State, text: &str) -> Option<String> {
    let event = R::read(state, text.trim())?;
    let mut trace = Trace::default();
    let handled = R::plan().handle_observed(state, &event, &mut trace);
    of_event::<R>(&handled, &trace)
}

/// Why an event was not taken; nothing if it was.
pub(crate) fn of_event<R: Described>(handled: &Handled<R::State>, trace: &Trace) -> Option<String> {
    let names = R::plan().entry_names();
    match *handled {
        Handled::Applied(_) => None,
        Handled::Invalid { reason, .. } => Some(reason.into()),
        Handled::Contested { first, second } => {
            Some(format!("the rules {} and {} both claim it", names[first], names[second]))
        }
        Handled::Ignored => {
            let missed = trace.skipped.iter().filter_map(|&(entry, why)| match why {
                Skip::Ignored(predicate) => {
                    Some(format!("{} checks for {predicate}", names[entry]))
                }
                _ => None,
            });
            let missed: Vec<String> = missed.collect();
            Some(if missed.is_empty() {
                "no rule is about it".into()
            } else {
                format!("no rule allows it ({})", missed.join(", "))
            })
        }
    }
}
