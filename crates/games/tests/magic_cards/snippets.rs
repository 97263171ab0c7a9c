//! Small cards that show words of the language which no built-in card uses.

/// Each word and a card that uses it.
pub(crate) const SNIPPETS: &[(&str, &str)] = &[
    ("Card.legendary", r#"(name: "Test", types: [Land], legendary: true)"#),
    (
        "Rule::MustAttack",
        r#"(name: "Test", cost: "1", types: [Enchantment],
         abilities: [Static(Rule(what: All((types: [Creature])),
         rule: MustAttack))])"#,
    ),
    (
        "Effect::Control",
        r#"(name: "Test", cost: "1", types: [Sorcery], targets: [Permanent(())],
         effects: [Control(what: Target(0), lasts: Turn)])"#,
    ),
    (
        "Place::Shuffled",
        r#"(name: "Test", cost: "1", types: [Sorcery], targets: [Permanent(())],
         effects: [Put(what: Target(0), to: Shuffled)])"#,
    ),
    (
        "Ref::OwnerOf",
        r#"(name: "Test", cost: "1", types: [Sorcery], targets: [Permanent(())],
         effects: [Draw(who: OwnerOf(Target(0)), amount: N(1))])"#,
    ),
    (
        "Amount::MinusX",
        r#"(name: "Test", cost: "XB", types: [Sorcery],
         targets: [Permanent(())], effects: [Gets(what: Target(0),
         toughness: MinusX)])"#,
    ),
    (
        "Side::Active",
        r#"(name: "Test", cost: "1", types: [Sorcery],
         effects: [Untap(what: All((controller: Active)))])"#,
    ),
    (
        "LandType::Island",
        r#"(name: "Test", cost: "1", types: [Enchantment], subtypes: ["Aura"],
         enchant: (types: [Land]), abilities: [Static(Becomes(what: Enchanted,
         into: (land_type: Island)))])"#,
    ),
    (
        "LandType::Swamp",
        r#"(name: "Test", cost: "1", types: [Enchantment], subtypes: ["Aura"],
         enchant: (types: [Land]), abilities: [Static(Becomes(what: Enchanted,
         into: (land_type: Swamp)))])"#,
    ),
    (
        "LandType::Mountain",
        r#"(name: "Test", cost: "1", types: [Enchantment], subtypes: ["Aura"],
         enchant: (types: [Land]), abilities: [Static(Becomes(what: Enchanted,
         into: (land_type: Mountain)))])"#,
    ),
    (
        "LandType::Forest",
        r#"(name: "Test", cost: "1", types: [Enchantment], subtypes: ["Aura"],
         enchant: (types: [Land]), abilities: [Static(Becomes(what: Enchanted,
         into: (land_type: Forest)))])"#,
    ),
    (
        "Keyword::Intimidate",
        r#"(name: "Test", cost: "1", types: [Creature], power: N(1),
         toughness: N(1), keywords: [Intimidate])"#,
    ),
    (
        "Keyword::Shroud",
        r#"(name: "Test", cost: "1", types: [Creature], power: N(1),
         toughness: N(1), keywords: [Shroud])"#,
    ),
    (
        "Keyword::Hexproof",
        r#"(name: "Test", cost: "1", types: [Creature], power: N(1),
         toughness: N(1), keywords: [Hexproof])"#,
    ),
    (
        "Keyword::Indestructible",
        r#"(name: "Test", cost: "1", types: [Creature], power: N(1),
         toughness: N(1), keywords: [Indestructible])"#,
    ),
    (
        "Keyword::Flash",
        r#"(name: "Test", cost: "1", types: [Creature], power: N(1),
         toughness: N(1), keywords: [Flash])"#,
    ),
    (
        "Keyword::Plainswalk",
        r#"(name: "Test", cost: "1", types: [Creature], power: N(1),
         toughness: N(1), keywords: [Plainswalk])"#,
    ),
    (
        "Keyword::ProtectionFromWhite",
        r#"(name: "Test", cost: "1", types: [Creature], power: N(1),
         toughness: N(1), keywords: [ProtectionFromWhite])"#,
    ),
    (
        "Keyword::ProtectionFromBlue",
        r#"(name: "Test", cost: "1", types: [Creature], power: N(1),
         toughness: N(1), keywords: [ProtectionFromBlue])"#,
    ),
    (
        "Keyword::ProtectionFromBlack",
        r#"(name: "Test", cost: "1", types: [Creature], power: N(1),
         toughness: N(1), keywords: [ProtectionFromBlack])"#,
    ),
    (
        "Keyword::ProtectionFromRed",
        r#"(name: "Test", cost: "1", types: [Creature], power: N(1),
         toughness: N(1), keywords: [ProtectionFromRed])"#,
    ),
    (
        "Keyword::ProtectionFromGreen",
        r#"(name: "Test", cost: "1", types: [Creature], power: N(1),
         toughness: N(1), keywords: [ProtectionFromGreen])"#,
    ),
];

/// The card that shows a word.
pub(crate) fn card_for(word: &str) -> Option<&'static str> {
    SNIPPETS.iter().find(|(known, _)| *known == word).map(|(_, card)| *card)
}
