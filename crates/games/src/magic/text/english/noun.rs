//! Things by their properties: "attacking nonwhite creatures you control".

use super::grammar::{Noun, article, list, number, plural};
use super::teller::Teller;
use crate::magic::language::{Amount, CombatRole, Filter, Ref, Side, Type, Types};

/// What a thing without other properties is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Thing,
    Card,
    Spell,
    Source,
}

impl Base {
    fn word(self) -> &'static str {
        match self {
            Self::Thing => "permanent",
            Self::Card => "card",
            Self::Spell => "spell",
            Self::Source => "source",
        }
    }
}

impl Teller<'_> {
    /// The things that a filter takes, without article.
    pub(super) fn things(&mut self, filter: &Filter, many: bool, base: Base) -> String {
        if !filter.one_of.is_empty() {
            return self.alternatives(filter, many, base);
        }
        let mut words = before(filter);
        words.push(head(filter, many, base));
        words.extend(self.after(filter, many));
        words.join(" ")
    }

    fn alternatives(&mut self, filter: &Filter, many: bool, base: Base) -> String {
        let parts: Vec<String> =
            filter.one_of.iter().map(|filter| self.things(filter, many, base)).collect();
        let rest = Filter { one_of: Vec::new(), ..filter.clone() };
        if rest == Filter::default() {
            return list(&parts, "or");
        }
        let be = if many { "are" } else { "is" };
        let parts: Vec<String> =
            if many { parts } else { parts.iter().map(|part| article(part)).collect() };
        format!("{} that {be} {}", self.things(&rest, many, base), list(&parts, "or"))
    }

    /// What follows the noun.
    fn after(&mut self, filter: &Filter, many: bool) -> Vec<String> {
        let mut words = Vec::new();
        let mut word = |given: bool, word: &str| {
            if given {
                words.push(word.to_owned());
            }
        };
        if let Some(keyword) = filter.with {
            word(true, &format!("with {}", keyword.text()));
        }
        if let Some(keyword) = filter.without {
            word(true, &format!("without {}", keyword.text()));
        }
        if let Some(power) = filter.least_power {
            word(true, &format!("with power {power} or greater"));
        }
        if let Some(power) = filter.most_power {
            word(true, &format!("with power {power} or less"));
        }
        word(filter.mana_value_x, "with mana value X");
        word(filter.mana_ability, if many { "with mana abilities" } else { "with a mana ability" });
        let damaged = ["that was dealt damage this turn", "that were dealt damage this turn"];
        word(filter.damaged, damaged[usize::from(many)]);
        word(filter.attacked, "that attacked this turn");
        if let Some(side) = filter.controller {
            words.push(self.controlled(side));
        }
        words
    }

    fn controlled(&mut self, side: Side) -> String {
        match side {
            Side::You => "you control".into(),
            Side::Them => "they control".into(),
            _ => format!("{} controls", self.side(side).text),
        }
    }

    /// A player.
    pub(super) fn side(&mut self, side: Side) -> Noun {
        self.player(&match side {
            Side::You => Ref::You,
            Side::Opponent => Ref::Opponent,
            Side::Target => Ref::Target(0),
            Side::TargetController => Ref::ControllerOf(Box::new(Ref::Target(0))),
            Side::Active => Ref::Active,
            Side::Them => return Noun::one("they"),
        })
    }

    /// "a creature", "two lands", "X cards".
    pub(super) fn some(&mut self, amount: &Amount, filter: &Filter, base: Base) -> String {
        match amount {
            Amount::N(1) => article(&self.things(filter, false, base)),
            Amount::N(count) => {
                format!("{} {}", number((*count).into()), self.things(filter, true, base))
            }
            Amount::X => format!("X {}", self.things(filter, true, base)),
            Amount::Everything => format!("all {}", self.things(filter, true, base)),
            _ => {
                let things = self.things(filter, true, base);
                format!("{things} equal to {}", self.phrase(amount))
            }
        }
    }
}

/// What stands before the noun.
fn before(filter: &Filter) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = |given: bool, word: &str| {
        if given {
            words.push(word.to_owned());
        }
    };
    word(filter.other, "other");
    word(filter.tapped == Some(true), "tapped");
    word(filter.tapped == Some(false), "untapped");
    let roles: Vec<&str> = filter
        .combat
        .iter()
        .map(|role| match role {
            CombatRole::Attacking => "attacking",
            CombatRole::Blocking => "blocking",
        })
        .collect();
    word(!roles.is_empty(), &list(&roles, "or"));
    word(filter.token == Some(false), "nontoken");
    for kind in filter.not_types.iter() {
        word(true, &format!("non{}", kind.text()));
    }
    for colour in filter.not_colours.iter() {
        word(true, &format!("non{}", colour.text()));
    }
    let colours: Vec<&str> = filter.colours.iter().map(|colour| colour.text()).collect();
    word(!colours.is_empty(), &list(&colours, "or"));
    for subtype in &filter.not_subtypes {
        word(true, &format!("non-{}", subtype.name()));
    }
    word(filter.basic, "basic");
    words
}

/// The noun itself: types and subtypes.
pub(super) fn head(filter: &Filter, many: bool, base: Base) -> String {
    let number = |word: &str| if many { plural(word) } else { word.to_owned() };
    let subtypes: Vec<&str> = filter.subtypes.iter().map(|subtype| subtype.name()).collect();
    let token = filter.token == Some(true);
    let named_by_base = base != Base::Thing || token;
    let last = if token { "token" } else { base.word() };
    let mut words = Vec::new();
    if filter.types.is_empty() {
        match (subtypes.is_empty(), named_by_base) {
            (true, _) => words.push(number(last)),
            (false, true) => words.push(format!("{} {}", list(&subtypes, "or"), number(last))),
            (false, false) => {
                let subtypes: Vec<String> = subtypes.iter().map(|word| number(word)).collect();
                words.push(list(&subtypes, if many { "and" } else { "or" }));
            }
        }
    } else {
        words.extend((!subtypes.is_empty()).then(|| list(&subtypes, "or")));
        let types = types_in_order(filter.types);
        if named_by_base {
            words.push(format!("{} {}", list(&types, "or"), number(last)));
        } else {
            let types: Vec<String> = types.iter().map(|word| number(word)).collect();
            words.push(list(&types, if many { "and" } else { "or" }));
        }
    }
    words.join(" ")
}

/// The types as English has them: artifact, creature, enchantment, land.
fn types_in_order(types: Types) -> Vec<&'static str> {
    let mut words: Vec<&str> = types.iter().map(Type::text).collect();
    words.sort_unstable();
    words
}

/// The plainest word for what a filter takes: "creature" for white creatures.
pub(super) fn plain(filter: &Filter, base: Base) -> String {
    let types: Vec<Type> = filter.types.iter().collect();
    match (&types[..], &filter.subtypes[..]) {
        ([kind], _) if base == Base::Thing => kind.text().into(),
        ([], [subtype]) if base == Base::Thing => subtype.name().into(),
        _ => base.word().into(),
    }
}
