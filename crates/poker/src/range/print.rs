//! Canonical range notation: the printed text parses back to the same range.

use std::fmt;

use super::Range;
use crate::{CardRank, HandClass};

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.weights.iter().all(|&weight| weight == 1.0) {
            return f.write_str("random");
        }
        let mut separator = "";
        let mut write = |item: &dyn fmt::Display, weight: f64| {
            write!(f, "{separator}{item}")?;
            separator = ", ";
            if weight == 1.0 { Ok(()) } else { write!(f, ":{weight}") }
        };
        for line in lines() {
            for run in runs(self, &line) {
                write(&run.name, run.weight)?;
            }
        }
        // Combos of classes with mixed weights, one by one.
        for line in lines() {
            for class in line.into_iter().filter(|&class| uniform(self, class).is_none()) {
                let mut combos: Vec<_> = class.combos().collect();
                combos.sort_unstable_by(|a, b| b.cmp(a));
                for combo in combos.into_iter().filter(|&combo| self.weight(combo) > 0.0) {
                    write(&combo, self.weight(combo))?;
                }
            }
        }
        Ok(())
    }
}

/// The classes in print order; runs within a line can be joined by `+` and `-`.
fn lines() -> impl Iterator<Item = Vec<HandClass>> {
    let down = || CardRank::ALL.into_iter().rev();
    let pairs = down().map(|rank| HandClass::new(rank, rank, false)).collect();
    let kickers = move |suited: bool| {
        down().map(move |high| {
            let lows = down().filter(move |&low| low < high);
            lows.map(move |low| HandClass::new(high, low, suited)).collect()
        })
    };
    std::iter::once(pairs).chain(kickers(true)).chain(kickers(false))
}

/// The weight that all combos of a class share, or `None` if weights differ.
fn uniform(range: &Range, class: HandClass) -> Option<f64> {
    let mut weights = class.combos().map(|combo| range.weight(combo));
    let first = weights.next()?;
    weights.all(|weight| weight == first).then_some(first)
}

struct Run {
    name: String,
    weight: f64,
}

/// The runs of equal weight above 0 in a line of classes, the best class first.
fn runs(range: &Range, line: &[HandClass]) -> Vec<Run> {
    let weights: Vec<Option<f64>> = line.iter().map(|&class| uniform(range, class)).collect();
    let mut runs = Vec::new();
    let mut from = 0;
    while from < line.len() {
        let same = weights[from..].iter().take_while(|&&weight| weight == weights[from]).count();
        let to = from + same - 1;
        if let Some(weight) = weights[from].filter(|&weight| weight > 0.0) {
            let name = match (from, same) {
                (_, 1) => line[from].to_string(),
                (0, _) => format!("{}+", line[to]),
                _ => format!("{}-{}", line[from], line[to]),
            };
            runs.push(Run { name, weight });
        }
        from = to + 1;
    }
    runs
}
