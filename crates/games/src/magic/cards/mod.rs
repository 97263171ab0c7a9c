//! Card files: read, checked, and the cards that come with the game.
//!
//! ```
//! use meeple_games::magic::cards;
//!
//! let angel = cards::find(cards::builtin(), "serra angel").expect("it is built in");
//! assert_eq!(angel.name, "Serra Angel");
//!
//! let file = r#"[(name: "Ogre", cost: "2R", types: [Creature], power: N(2), toughness: N(2))]"#;
//! assert_eq!(cards::load(&[("ogre.ron".into(), file.into())])?.len(), 1);
//!
//! let faults = cards::load(&[("ogre.ron".into(), file.replace("N(2)", "2"))]).unwrap_err();
//! assert!(faults[0].to_string().starts_with("ogre.ron:1:"));
//! # Ok::<_, Vec<cards::CardError>>(())
//! ```

mod builtin;
mod check;
mod effects;
mod limits;
mod names;
mod refs;
mod scope;
mod standing;

pub use crate::magic::language::{CardError, read, write};
pub use builtin::{FILES, builtin};
pub use check::check;
pub use names::find;

use crate::magic::language::Card;

/// Reads and checks card files that are to be used besides the built-in cards.
///
/// Each file is its name and its text.
///
/// # Errors
///
/// All faults of all files, in their order; of a file that cannot be read, the
/// first.
pub fn load(files: &[(String, String)]) -> Result<Vec<Card>, Vec<CardError>> {
    let mut faults = Vec::new();
    let mut read_files = Vec::new();
    for (file, text) in files {
        match read(file, text) {
            Ok(cards) => read_files.push((file, text, cards)),
            Err(fault) => faults.push(fault),
        }
    }
    let tokens =
        |cards: &[Card]| -> Vec<Card> { cards.iter().filter(|card| card.token).cloned().collect() };
    let mut known = tokens(builtin());
    known.extend(read_files.iter().flat_map(|(_, _, cards)| tokens(cards)));
    let mut all: Vec<Card> = Vec::new();
    for (file, text, cards) in read_files {
        faults.extend(check(file, text, &cards, &known));
        for (at, card) in cards.into_iter().enumerate() {
            if find(&all, &card.name).is_some() {
                faults.push(CardError::at_card(file, text, at, "this name is taken".into()));
            } else if find(builtin(), &card.name).is_some_and(|other| *other != card) {
                let problem = "a built-in card has this name".into();
                faults.push(CardError::at_card(file, text, at, problem));
            }
            all.push(card);
        }
    }
    if faults.is_empty() { Ok(all) } else { Err(faults) }
}
