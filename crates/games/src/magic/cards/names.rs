//! Cards by name, and what else a name could have been meant to be.

use crate::magic::language::Card;

/// The card of this name, whatever its capitals.
#[must_use]
pub fn find<'a>(cards: &'a [Card], name: &str) -> Option<&'a Card> {
    let name = name.trim();
    let same = |card: &&Card| card.name == name || card.name.to_lowercase() == name.to_lowercase();
    cards.iter().find(same)
}

/// Up to three names that differ least from what was written, nearest first;
/// none that differs in more than a third of its letters.
///
/// ```
/// use meeple_games::magic::cards::nearest;
///
/// assert_eq!(nearest("Sera Angle", ["Serra Angel", "Shock"]), ["Serra Angel"]);
/// ```
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = letters(name);
    let mut near: Vec<(usize, &str)> = names
        .into_iter()
        .map(|name| (distance(&wanted, &letters(name)), name))
        .filter(|&(distance, name)| distance <= (name.chars().count() / 3).max(1))
        .collect();
    near.sort();
    near.truncate(3);
    near.into_iter().map(|(_, name)| name).collect()
}

/// Long names are cut: no name of a card is that long.
fn letters(name: &str) -> Vec<char> {
    name.trim().to_lowercase().chars().take(100).collect()
}

/// How many letters must be changed, dropped, added or swapped with their
/// neighbour.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (row, letter) in from.iter().enumerate() {
        let mut here = vec![row + 1];
        for (column, other) in to.iter().enumerate() {
            let changed = above[column] + usize::from(letter != other);
            let mut best = changed.min(above[column + 1] + 1).min(here[column] + 1);
            let swapped = row > 0 && column > 0;
            if swapped && from[row - 1] == *other && to[column - 1] == *letter {
                best = best.min(before[column - 1] + 1);
            }
            here.push(best);
        }
        before = above;
        above = here;
    }
    above[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let check = |from: &str, to: &str, expected: usize| {
            assert_eq!(distance(&letters(from), &letters(to)), expected, "{from} {to}");
        };
        check("", "abc", 3);
        check("kitten", "sitting", 3);
        check("Angle", "angel", 1);
        check("same", "SAME", 0);
    }

    #[test]
    fn far_names_are_not_suggested() {
        assert_eq!(nearest("xyzzy", ["Shock", "Fog"]), Vec::<&str>::new());
        assert_eq!(nearest("Fogg", ["Shock", "Fog"]), ["Fog"]);
    }
}
