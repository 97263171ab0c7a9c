//! The reason an event is illegal, as the rules give it.

use std::any::Any;

use meeple_bots::Position;
use meeple_games::described::Described;
use meeple_games::described::{VisitRules, state_of, with_rules};
use meeple_plan::{Handled, Skip, Trace};

/// Returns why the event written as `text` is illegal; `None` if the game has no rule set
/// or `text` names no event.
pub(crate) fn explain(position: &dyn Position, text: &str) -> Option<String> {
    with_rules(position.info().name, ExplainText { game: position.state(), text }).ok()?
}

struct ExplainText<'a> {
    game: &'a dyn Any,
    text: &'a str,
}

impl VisitRules for ExplainText<'_> {
    type Out = Option<String>;

    fn visit<R: Described>(self) -> Option<String> {
        explain_in::<R>(&state_of::<R>(self.game)?, self.text)
    }
}

/// Returns why the event written as `text` is illegal in `state`; `None` if it is legal or
/// `text` names no event.
pub(crate) fn explain_in<R: Described>(state: &R::State, text: &str) -> Option<String> {
    let event = R::read(state, text.trim())?;
    let mut trace = Trace::default();
    let handled = R::plan().handle_observed(state, &event, &mut trace);
    explain_event::<R>(&handled, &trace)
}

/// Returns why an event was rejected; `None` if it was applied.
pub(crate) fn explain_event<R: Described>(
    handled: &Handled<R::State>,
    trace: &Trace,
) -> Option<String> {
    let names = R::plan().entry_names();
    match *handled {
        Handled::Applied(_) => None,
        Handled::Invalid { reason, .. } => Some(reason.into()),
        Handled::Contested { first, second } => Some(format!(
            "it is ambiguous: the rules {} and {} both match",
            names[first], names[second]
        )),
        Handled::Ignored => {
            let unmet = trace.skipped.iter().filter_map(|&(entry, why)| match why {
                Skip::Ignored(predicate) => Some(format!("{} requires {predicate}", names[entry])),
                _ => None,
            });
            let unmet: Vec<String> = unmet.collect();
            Some(if unmet.is_empty() {
                "no rule matches it".into()
            } else {
                format!("no rule allows it ({})", unmet.join(", "))
            })
        }
    }
}
