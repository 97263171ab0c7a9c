//! Cards in English, put together from what they are made of.
//!
//! ```
//! use meeple_games::magic::{cards, english};
//!
//! let shock = cards::find(cards::builtin(), "Shock").expect("it is built in");
//! assert_eq!(english::describe(shock), "Shock {R}\nInstant\nShock deals 2 damage to any target.\n");
//! ```

mod ability;
mod effect;
mod grammar;
mod movement;
mod noun;
mod standing;
mod teller;

use grammar::{capital, list};
use teller::Teller;

use crate::magic::language::{Amount, Card, Type};

/// A card as text: name and cost, types and body, and a line for each thing it
/// does.
#[must_use]
pub fn describe(card: &Card) -> String {
    let mut lines = vec![heading(card), type_line(card)];
    if !card.keywords.is_empty() {
        let keywords: Vec<&str> = card.keywords.iter().map(|keyword| keyword.text()).collect();
        lines.push(capital(&keywords.join(", ")));
    }
    if let Some(filter) = &card.enchant {
        lines.push(format!(
            "Enchant {}",
            Teller::new(card).things(filter, false, noun::Base::Thing)
        ));
    }
    lines.extend(body_rule(card));
    if !card.effects.is_empty() {
        lines.push(Teller::new(card).aimed_at(&card.targets).sentences(&card.effects));
    }
    if !card.modes.is_empty() {
        lines.push("Choose one:".into());
        lines.extend(card.modes.iter().map(|mode| {
            format!("- {}", Teller::new(card).aimed_at(&mode.targets).sentences(&mode.effects))
        }));
    }
    lines.extend(card.abilities.iter().map(|ability| Teller::new(card).ability(ability)));
    lines.join("\n") + "\n"
}

fn heading(card: &Card) -> String {
    match &card.cost {
        Some(cost) => format!("{} {cost}", card.name),
        None => card.name.clone(),
    }
}

/// Types, subtypes, power and toughness.
fn type_line(card: &Card) -> String {
    let mut words = Vec::new();
    let mut word = |given: bool, word: &str| {
        if given {
            words.push(word.to_owned());
        }
    };
    word(card.token, "Token");
    word(card.basic, "Basic");
    word(card.legendary, "Legendary");
    let types = [Type::Artifact, Type::Enchantment, Type::Land, Type::Creature, Type::Instant];
    for kind in types.into_iter().chain([Type::Sorcery]) {
        word(card.types.has(kind), &capital(kind.text()));
    }
    let mut line = words.join(" ");
    if !card.subtypes.is_empty() {
        let subtypes: Vec<&str> = card.subtypes.iter().map(|subtype| subtype.name()).collect();
        line += &format!(" - {}", subtypes.join(" "));
    }
    if let Some(colours) = card.colours {
        let colours: Vec<&str> = colours.iter().map(|colour| colour.text()).collect();
        line += &if colours.is_empty() {
            ", colourless".into()
        } else {
            format!(", {}", list(&colours, "and"))
        };
    }
    if card.types.has(Type::Creature) {
        line += &format!(", {}/{}", printed(&card.power), printed(&card.toughness));
    }
    line
}

/// A number as it stands in the corner of a card.
fn printed(amount: &Amount) -> String {
    match amount {
        Amount::N(number) => number.to_string(),
        _ => "*".into(),
    }
}

/// What a body is that is no number.
fn body_rule(card: &Card) -> Option<String> {
    let (power, toughness) = (&card.power, &card.toughness);
    let known = |amount: &Amount| matches!(amount, Amount::N(_));
    let mut teller = Teller::new(card);
    Some(match (known(power), known(toughness)) {
        (true, true) => return None,
        (false, false) if power == toughness => {
            format!("Its power and toughness are each equal to {}.", teller.phrase(power))
        }
        (false, true) => format!("Its power is equal to {}.", teller.phrase(power)),
        (true, false) => format!("Its toughness is equal to {}.", teller.phrase(toughness)),
        (false, false) => format!(
            "Its power is equal to {} and its toughness to {}.",
            teller.phrase(power),
            teller.phrase(toughness)
        ),
    })
}
