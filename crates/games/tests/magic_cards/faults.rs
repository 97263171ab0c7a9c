//! Cards that make no sense, and what is said about them.

use meeple_games::magic::cards;

/// Checks a card that differs from a right one in one place.
#[track_caller]
fn check(card: &str, expected: &str) {
    let text = format!("// A fault.\n[\n    ({card}),\n]\n");
    let faults = cards::load(&[("fault.ron".into(), text)]).expect_err("it makes no sense");
    let problems: Vec<&str> = faults.iter().map(|fault| &*fault.problem).collect();
    assert!(problems.iter().any(|problem| problem.contains(expected)), "{problems:?}");
    assert!(faults.iter().all(|fault| fault.line == 3), "{faults:?}");
}

/// Checks the effects of an instant that costs `{1}{R}`.
#[track_caller]
fn check_effects(targets: &str, effects: &str, expected: &str) {
    let rest = format!("targets: [{targets}], effects: [{effects}]");
    check(&format!(r#"name: "Test", cost: "1R", types: [Instant], {rest}"#), expected);
}

/// Checks an ability of an enchantment.
#[track_caller]
fn check_ability(ability: &str, expected: &str) {
    check(
        &format!(r#"name: "Test", cost: "1R", types: [Enchantment], abilities: [{ability}]"#),
        expected,
    );
}

#[test]
fn frames() {
    let bear = r#"name: "Test", cost: "1G", types: [Creature], power: N(2), toughness: N(2)"#;
    check(&bear.replace("Test", ""), "it has no name");
    check(&bear.replace("Test", " Test"), "its name begins or ends with a blank");
    check(&bear.replace("[Creature]", "[]"), "it has no type");
    check(&bear.replace("cost: \"1G\",", ""), "it has no cost");
    check(&bear.replace(", power: N(2), toughness: N(2)", ""), "a creature has a toughness");
    check(&bear.replace("Creature", "Artifact"), "power and toughness belong to creatures");
    check(&format!("{bear}, token: true"), "a token has no cost");
    check(&format!("{bear}, basic: true"), "a basic land has a basic land type");
    check(&format!("{bear}, subtypes: [\"Forest\"]"), "a basic land type belongs to a land");
    check(&format!("{bear}, subtypes: [\"Aura\"]"), "an Aura says what it enchants");
    check(&format!("{bear}, enchant: ()"), "only an Aura enchants");
    check(&format!("{bear}, effects: [Fog]"), "effects and modes belong to instants");
    check(&bear.replace("Creature", "Creature, Instant"), "has no other type");
    check(&bear.replace("Test", "Shock"), "a built-in card has this name");
    check(&bear.replace("N(2)", "X"), "power: X is not known here, expected N(…)");
    check(r#"name: "Test", cost: "1G", types: [Land]"#, "a land has no cost");
    check(
        r#"name: "Test", types: [Instant], token: true, effects: [Fog]"#,
        "a token is a permanent",
    );
}

#[test]
fn spells() {
    let modes = |modes: &str| format!(r#"name: "Test", cost: "1", types: [Sorcery], {modes}"#);
    check(&modes(""), "it does nothing: effects");
    check(&modes("modes: [(effects: [Fog])]"), "one mode is no choice");
    check(&modes("effects: [Fog], modes: [(effects: [Fog])]"), "effects or modes, not both");
    check(
        &modes("targets: [Any], modes: [(effects: [Fog]), (effects: [Fog])]"),
        "each mode has its own targets",
    );
    check(
        &modes("modes: [(effects: [Fog]), (effects: [Tap(what: Target(0))])]"),
        "mode 2: Target(0), but it has 0 targets",
    );
    check(
        &modes("effects: [Fog], abilities: [Static(HandsRevealed)]"),
        "ability 1: an instant or sorcery has no abilities but those used from",
    );
}

#[test]
fn targets() {
    check_effects("Any", "Damage(amount: N(1), to: Target(1))", "Target(1), but it has 1 targets");
    check_effects("Any", "Fog", "Target(0) is chosen and nothing is done with it");
    check_effects("", "Tap(what: Targets)", "Targets, but it has no targets");
    check_effects("Any", "Tap(what: Target(0))", "Target may be a player where a thing is needed");
    check_effects(
        "Any",
        "Draw(who: Target(0), amount: N(1))",
        "Target may be a creature where a player is needed",
    );
    check_effects("Player", "Tap(what: Target(0))", "Target is a player where a thing is needed");
    check_effects(
        "Permanent(())",
        "Draw(who: Target(0), amount: N(1))",
        "Target is a thing where a player is needed",
    );
    check_effects("", "Draw(who: This, amount: N(1))", "This is a thing where a player is needed");
    check_effects("", "Destroy(what: You)", "You is a player where a thing is needed");
    check_effects("UpTo(0, Any)", "Damage(amount: N(1), to: Targets)", "at least 1 of them");
    check_effects(
        "UpTo(2, Divided(2, Any))",
        "Damage(amount: N(1), to: Targets)",
        "UpTo and Divided are about single targets",
    );
    check_effects("Any", "Damage(amount: Share, to: Targets)", "Share, but no target is Divided");
    check_effects("", "Tap(what: All((controller: Target)))", "Target(0), but it has 0 targets");
    check_effects(
        "Player",
        "Tap(what: All((controller: TargetController)))",
        "Target is a player where a thing is needed",
    );
}

#[test]
fn words_that_are_not_known_yet() {
    check_effects("Any", "Damage(amount: X, to: Target(0))", "X, but its cost has no X");
    check_effects("Spell((mana_value_x: true))", "Counter(what: Target(0))", "its cost has no X");
    check_effects("", "May(cost: [X], then: [Fog])", "X, but its cost has no X");
    check_effects("", "Tap(what: Enchanted)", "Enchanted, but it enchants nothing");
    check_effects("", "Tap(what: Event)", "Event, but nothing set it off or was found");
    check_effects("", "Tap(what: Chosen(0))", "Chosen, but nothing was chosen before");
    check_effects("", "Put(what: Aside, to: Top)", "Aside, but nothing is set aside");
    check_effects("", "Draw(who: Them, amount: N(1))", "Them, but no EachPlayer");
    check_effects("", "Draw(who: EventPlayer, amount: N(1))", "EventPlayer, but no event");
    check_effects("", "Draw(who: You, amount: Kept)", "Kept, but nothing was moved");
    check_effects("", "GainLife(who: You, amount: Event)", "Amount Event, but no damage");
    check_effects("", "ExchangeChosen", "ExchangeChosen needs two ChooseGreatest");
    let take = |from: &str| format!("Take(from: [{from}], least: N(1), most: N(1), to: Hand)");
    check_effects("", &take("Drawn"), "from: Drawn, but nothing was drawn");
    check_effects("", &take("Aside"), "from: Aside, but nothing is set aside");
    check_effects("", &take("Battlefield"), "cards are not taken from the Battlefield");
    check_effects("", &take(""), "from: at least one zone");
    // What only one branch makes known may be used after, not in the other.
    check_effects(
        "",
        "Flip(win: [Draw(who: You, amount: N(1))], lose: [GainLife(who: You, amount: Kept)])",
        "Kept, but nothing was moved",
    );
}

#[test]
fn effects_that_do_nothing() {
    check_effects("", "Gets(what: All(()))", "Gets gives nothing");
    check_effects("", "Becomes(what: All(()), into: ())", "Becomes changes nothing");
    check_effects("", "May()", "May does nothing");
    check_effects("", "Choose(options: [[Fog]])", "Choose has two options or more");
    check_effects("", "Later(when: Next(End), effects: [])", "Later does nothing");
    check_effects("", "AddMana(who: You, mana: [])", "AddMana adds none");
    check_effects("", "ExtraLands(0)", "ExtraLands(0) changes nothing");
    for effect in [
        "GainLife(who: You, amount: N(-3))",
        "LoseLife(who: You, amount: N(0))",
        "Draw(who: You, amount: N(0))",
        "Discard(who: You, amount: N(-1))",
        "Mill(who: You, amount: N(0), to: Graveyard)",
        "Damage(amount: N(-2), to: You)",
        "Damage(amount: N(1), to: You, and: [(N(0), Opponent)])",
        "Prevent(amount: N(0), to: You)",
        "Sacrifice(who: You, what: (), amount: N(0))",
        "Look(whose: You, amount: N(0)), Put(what: Aside, to: Top)",
        "Token(token: \"Serf\", amount: N(-1))",
        "Take(from: [Hand], least: N(-1), most: N(1), to: Top)",
    ] {
        check_effects("", effect, "does nothing, expected 1 or more");
    }
    check(
        r#"name: "Test", cost: "XR", types: [Instant], effects: [GainLife(who: You, amount: MinusX)]"#,
        "amount: MinusX does nothing",
    );
    check_effects(
        "",
        "Take(from: [Hand], least: N(2), most: N(1), to: Top)",
        "least at most most, and most above 0",
    );
    check_effects(
        "",
        "Take(from: [Hand], least: N(1), most: N(1), to: Top, tapped: true)",
        "tapped goes with to: Battlefield",
    );
    check_effects(
        "",
        "Token(token: \"Surf\", amount: N(1))",
        "no token is called \"Surf\", expected such as Serf",
    );
    check_effects(
        "",
        "Tap(what: All((types: [Land], not_types: [Land])))",
        "nothing is like this, with the same type in types and not_types",
    );
    check_effects(
        "",
        "Tap(what: All((one_of: [(least_power: 3, most_power: 2)])))",
        "with least_power above most_power",
    );
}

#[test]
fn abilities() {
    check_ability("Activated(cost: [], effects: [Fog])", "ability 1: it costs nothing");
    check_ability("Activated(cost: [X], effects: [Fog])", "is written Mana(\"X\")");
    check_ability("Activated(cost: [Life(0)], effects: [Fog])", "a cost of 0 is no cost");
    check_ability("Activated(cost: [Tap], effects: [])", "it does nothing");
    check_ability("Activated(cost: [Tap], effects: [Fog], from: Hand)", "it is used from:");
    check_ability("Activated(cost: [ManaWithX(\"1\", R)], effects: [Fog])", "ManaWithX has an X");
    check_ability(
        "Activated(cost: [Tap], targets: [Any], effects: [Damage(amount: X, to: Target(0))])",
        "X, but its cost has no X",
    );
    check_ability("Mana(cost: [Tap], add: All([]))", "it adds no mana");
    check_ability(
        "Triggered(on: Enters(Target(0)), effects: [Fog])",
        "on: Target is not known here",
    );
    check_ability("Triggered(on: Enters(Enchanted), effects: [Fog])", "it enchants nothing");
    check_ability(
        "Triggered(on: Begins(step: Upkeep, whose: Them), effects: [Fog])",
        "whose: Them is not known here",
    );
    check_ability(
        "Triggered(on: Begins(step: Upkeep), effects: [Tap(what: Event)])",
        "Event, but nothing set it off",
    );
    check_ability(
        "Triggered(on: Enters(This), effects: [GainLife(who: You, amount: Event)])",
        "Amount Event, but no damage set it off",
    );
    check_ability("AsEnters([])", "it does nothing");
}

#[test]
fn standing_rules() {
    check_ability("Static(Gets(what: You, power: N(1)))", "what: You is not known here");
    check_ability("Static(Gets(what: This))", "Gets gives nothing");
    check_ability("Static(Gets(what: This, power: Kept))", "power: Kept is not known here");
    check_ability("Static(Becomes(what: This, into: ()))", "Becomes changes nothing");
    check_ability("Static(Control(Enchanted))", "it enchants nothing");
    check_ability(
        "Static(Rule(what: All((controller: Target)), rule: CantBlock))",
        "what: Target is not known here, expected You, Opponent or Active",
    );
    check_ability("Static(CostsMore(spell: (), by: \"X\"))", "an amount of mana without X");
    check_ability(
        "Static(Gets(what: This, abilities: [Static(HandsRevealed)]))",
        "what is given are Activated abilities of permanents",
    );
    check_ability(
        "Static(Gets(what: This, power: CardsIn(Battlefield, You, ())))",
        "cards are counted in Hand, Library or Graveyard",
    );
}

/// Words that would mean nothing where they stand: targets, effects, and what is
/// said about them.
const IGNORED_IN_EFFECTS: &[(&str, &str, &str)] = &[
    // What effects act on.
    ("Spell(())", "Destroy(what: Target(0))", "Target is a spell where a permanent is needed"),
    ("Card()", "Tap(what: Target(0))", "Target is a card where a permanent is needed"),
    ("Card()", "Damage(amount: N(1), to: Target(0))", "Target is a card where a permanent"),
    ("Spell(())", "Put(what: Target(0), to: Hand)", "Target is a spell where a permanent"),
    ("Permanent(())", "Counter(what: Target(0))", "Target is no spell on the stack"),
    ("UpTo(2, Spell(()))", "Counter(what: Targets)", "one spell is meant"),
    ("Spell(())", "Counter(what: Target(0), to: Aside)", "a countered spell goes to none of"),
    ("Spell(())", "Retarget(what: Target(0))", "a SpellWithOneTarget"),
    ("", "Tap(what: This)", "This is a card where a permanent is needed"),
    ("Permanent(())", "Put(what: Target(0), to: Battlefield)", "is not put there"),
    ("Permanent(())", "Put(what: Target(0), to: Exile, under: You)", "under goes with to:"),
    ("Permanent(())", "Put(what: Target(0), to: ExileToPlay)", "only Take puts cards to"),
    ("Permanent(())", "Put(what: Target(0), to: Aside)", "only Take and Look set cards Aside"),
    ("", "Mill(who: You, amount: N(1), to: Hand)", "Mill goes to: Graveyard or Exile"),
    ("", "Draw(who: You, amount: N(1)), ShuffleIn(whose: You, from: [Drawn])", "all of Hand"),
    // How many players and targets.
    ("", "Look(whose: EachPlayer, amount: N(1))", "EachPlayer, where one player is needed"),
    ("", "RevealUntil(whose: EachPlayer, card: ())", "EachPlayer, where one player is needed"),
    ("", "AddMana(who: EachPlayer, mana: [G])", "EachPlayer, where one player is needed"),
    ("", "May(who: EachPlayer, then: [Fog])", "EachPlayer, where one player is needed"),
    ("", "Choose(who: EachPlayer, options: [[Fog], [Fog]])", "EachPlayer, where one player"),
    ("", "ExchangeLife(with: EachPlayer)", "EachPlayer, where one player is needed"),
    ("", "GainLife(who: You, amount: LifeOf(EachPlayer))", "EachPlayer, where one player"),
    (
        "",
        "Take(from: [Hand], whose: EachPlayer, least: N(1), most: N(1), to: Top)",
        "EachPlayer, where one player is needed",
    ),
    ("", "Draw(who: ControllerOf(All(())), amount: N(1))", "All may be of several players"),
    ("UpTo(2, Any)", "Damage(amount: N(1), to: Target(0))", "Target is one of several: Targets"),
    ("UpTo(6, Any)", "Damage(amount: N(1), to: Targets)", "targets: at most 5 in all"),
    ("UpTo(2, Any), Any", "Damage(amount: N(1), to: Targets)", "UpTo and Divided come last"),
    ("Divided(2, Any), Any", "Damage(amount: Share, to: Targets)", "is the only target"),
    ("Divided(2, Any)", "Damage(amount: Share, to: You)", "Share goes with to: Targets"),
    (
        "Divided(2, Any)",
        "Damage(amount: Share, to: Targets, and: [(N(1), You)])",
        "damage that is divided stands alone",
    ),
    ("Divided(2, Player)", "Draw(who: Targets, amount: Share)", "Share is an amount of Damage"),
    // Amounts.
    ("", "GainLife(who: You, amount: Everything)", "Everything is a number of cards"),
    ("", "GainLife(who: You, amount: CardsIn(Library, You, (types: [Land])))", "counts all cards"),
    ("", "ChooseGreatest(who: You, what: ()), Tap(what: Chosen(2))", "nothing was chosen"),
    // Filters.
    ("Permanent((types: [Instant]))", "Tap(what: Target(0))", "no permanent is an instant"),
    ("Permanent((not_types: [Sorcery]))", "Tap(what: Target(0))", "no permanent is an instant"),
    ("Permanent((other: true))", "Tap(what: Target(0))", "other, but an instant or sorcery is no"),
    ("Spell((tapped: true))", "Counter(what: Target(0))", "tapped is about permanents"),
    ("Spell((combat: [Attacking]))", "Counter(what: Target(0))", "combat is about permanents"),
    ("Card(card: (damaged: true))", "Put(what: Target(0), to: Hand)", "damaged is about"),
    ("Card(card: (attacked: true))", "Put(what: Target(0), to: Hand)", "attacked is about"),
    ("Card(card: (token: false))", "Put(what: Target(0), to: Hand)", "token is about"),
    ("Card(card: (mana_ability: true))", "Put(what: Target(0), to: Hand)", "mana_ability is"),
    (
        "Spell((one_of: [(controller: You)]))",
        "Counter(what: Target(0))",
        "one_of with controller is about permanents",
    ),
    ("", "Discard(who: You, amount: N(1), card: (other: true))", "other is about permanents"),
    ("", "Shield(to: You, from: (tapped: true))", "tapped is about permanents"),
    // Changes.
    ("", "Gets(what: All(()), keywords: [Flash])", "Flash means nothing to a permanent"),
    ("", "Gets(what: All(()), loses: [Flash])", "Flash means nothing to a permanent"),
    ("", "Becomes(what: All(()), into: (types: [Instant]))", "no permanent becomes an instant"),
    ("", "Becomes(what: All(()), into: (subtypes: [\"Forest\"]))", "is given by land_type"),
    ("", "Becomes(what: All(()), into: (chosen_land_type: true))", "no ChooseLandType before"),
    (
        "",
        "ChooseLandType, Becomes(what: All(()), into: (land_type: Plains, chosen_land_type: true))",
        "land_type or chosen_land_type, not both",
    ),
    ("", "Becomes(what: All(()), into: (keywords: [Flash]))", "Flash means nothing"),
    ("", "Bind(what: All(()), rule: EntersTapped)", "EntersTapped is a rule of static abilities"),
    ("", "Bind(what: All(()), rule: CantBlockThese(()))", "CantBlockThese is a rule of static"),
    ("", "Bind(what: All(()), rule: CantBeBlockedBy(()))", "CantBeBlockedBy is a rule of static"),
    (
        "",
        "Bind(what: All(()), rule: CantBeBlockedExceptBy(()))",
        "CantBeBlockedExceptBy is a rule of static",
    ),
    ("", "Control(what: All(()), lasts: WhileTapped)", "a spell is never tapped"),
    ("", "Guard", "Guard is about a permanent"),
    // What happens later.
    ("", "Later(when: ThatTurns(End), effects: [Fog])", "no ExtraTurn was gained before"),
    (
        "Player",
        "Later(when: Next(End), effects: [Draw(who: Target(0), amount: N(1))])",
        "Later knows Target(0) only, if it is a permanent",
    ),
    (
        "UpTo(2, Permanent(()))",
        "Later(when: Next(End), effects: [Tap(what: Targets)])",
        "Later knows no Targets",
    ),
    (
        "",
        "Draw(who: You, amount: N(1)), \
         Later(when: Next(End), effects: [Draw(who: You, amount: Kept)])",
        "Kept, but nothing was moved",
    ),
    (
        "",
        "Look(whose: You, amount: N(1)), \
         Later(when: Next(End), effects: [Put(what: Aside, to: Top)])",
        "Aside, but nothing is set aside",
    ),
    // Costs.
    ("", "May(cost: [ManaWithX(\"X\", R)], then: [Fog])", "ManaWithX is a cost of abilities"),
    ("", "May(cost: [Mana(\"X\")], then: [Fog])", "X, but its cost has no X"),
    ("", "May(cost: [Mana(\"1\"), Mana(\"R\")], then: [Fog])", "is written once"),
    ("", "May(cost: [Tap], then: [Fog])", "a spell is neither tapped nor sacrificed"),
];

/// Abilities of an enchantment that would not do what they say.
const IGNORED_IN_ABILITIES: &[(&str, &str)] = &[
    ("Activated(cost: [Mana(\"1\"), Mana(\"R\")], effects: [Fog])", "is written once"),
    (
        "Activated(cost: [ManaCostOf(This, 0)], effects: [Fog])",
        "ManaCostOf is a cost of May, not of abilities",
    ),
    (
        "Activated(cost: [Tap], effects: [Fog], from: Graveyard)",
        "a card in a graveyard is neither tapped nor sacrificed",
    ),
    (
        "Activated(cost: [Life(1)], effects: [Fog], from: Graveyard, only: [OncePerTurn])",
        "OncePerTurn is about permanents",
    ),
    (
        "Activated(cost: [Life(1)], effects: [Fog], only: [OncePerTurn]), \
         Activated(cost: [Life(2)], effects: [Fog], only: [OncePerTurn])",
        "one ability of a card is used OncePerTurn",
    ),
    (
        "Activated(cost: [Life(1)], effects: [Fog], from: Graveyard), \
         Activated(cost: [Life(2)], effects: [Fog], from: Graveyard)",
        "one ability of a card is used from: Graveyard",
    ),
    ("Mana(cost: [Mana(\"X\")], add: All([G]))", "a mana ability has no X"),
    (
        "Mana(cost: [Tap], add: All([G]), effects: [Draw(who: You, amount: N(1))])",
        "a mana ability does no more than Damage, GainLife and LoseLife",
    ),
    (
        "Mana(cost: [Tap], add: All([G]), \
         effects: [Damage(amount: N(1), to: You), Damage(amount: N(1), to: Opponent)])",
        "a mana ability deals damage once",
    ),
    ("Triggered(on: Casts(), effects: [Tap(what: Event)])", "Event, but nothing set it off"),
    ("Triggered(on: FirstDraw(()), effects: [Tap(what: Event)])", "Event, but nothing set it off"),
    ("Triggered(on: Casts(spell: (tapped: true)), effects: [Fog])", "tapped is about permanents"),
    ("Triggered(on: FirstDraw((token: true)), effects: [Fog])", "token is about permanents"),
    ("Triggered(on: Enters(All((types: [Sorcery]))), effects: [Fog])", "no permanent is an"),
    (
        "Triggered(on: TappedForMana(All(())), effects: [AddMana(who: You, mana: [G])])",
        "the mana is for who tapped: EventPlayer",
    ),
    (
        "Triggered(on: Dies(All(())), effects: [GainLife(who: You, amount: PowerOf(Event))])",
        "what has left the battlefield has no power or toughness here",
    ),
    (
        "Triggered(on: Enters(All(())), targets: [Permanent(())], \
         effects: [Tap(what: Target(0)), Later(when: Next(End), effects: [Tap(what: Event)])])",
        "Later knows Target(0) or Event, not both",
    ),
    ("AsEnters([Draw(who: You, amount: N(1))])", "AsEnters knows ChooseLandType, Choose"),
    ("AsEnters([Choose(who: Opponent, options: [[ChooseLandType], []])])", "You choose"),
    ("AsEnters([ChooseLandType]), AsEnters([ChooseLandType])", "AsEnters stands once"),
    ("Static(Gets(what: All(()), keywords: [Flash]))", "Flash means nothing to a permanent"),
    (
        "Static(Gets(what: All(()), abilities: [Mana(cost: [Tap], add: All([G]))]))",
        "what is given are Activated abilities of permanents",
    ),
    (
        "Static(Gets(what: All(()), \
         abilities: [Activated(cost: [Tap], effects: [Fog], from: Graveyard)]))",
        "what is given are Activated abilities of permanents",
    ),
    (
        "Static(Gets(what: All(()), abilities: [Activated(cost: [Tap], effects: [Fog])])), \
         Static(Gets(what: This, abilities: [Activated(cost: [Tap], effects: [Fog])]))",
        "one static ability of a card gives abilities",
    ),
    ("Static(Becomes(what: This, into: (chosen_land_type: true)))", "no ChooseLandType before"),
    (
        "Static(Becomes(what: All((subtypes: [\"Elf\"])), into: (subtypes: [\"Goblin\"])))",
        "who gets subtypes is not chosen by subtypes",
    ),
    (
        "Static(Becomes(what: This, into: (colours: [White]), everywhere: true))",
        "everywhere goes with All(…)",
    ),
    (
        "Static(Becomes(what: All((controller: You)), into: (types: [Land]), everywhere: true))",
        "everywhere changes colours only",
    ),
    ("Static(Control(This))", "Control(This) changes nothing"),
    ("Static(CostsMore(spell: (tapped: true), by: \"1\"))", "tapped is about permanents"),
    ("Static(CostsMore(spell: (), by: \"0\"))", "CostsMore by nothing changes nothing"),
    ("Static(Gets(what: This, power: CardsIn(Library, You, (types: [Land]))))", "counts all cards"),
    ("Static(Rule(what: All((not_types: [Instant])), rule: CantBlock))", "no permanent is an"),
];

/// Whatever the rules of the game would pass over in silence is refused.
#[test]
fn words_that_would_be_ignored() {
    for (targets, effects, expected) in IGNORED_IN_EFFECTS {
        check_effects(targets, effects, expected);
    }
    for (abilities, expected) in IGNORED_IN_ABILITIES {
        check_ability(abilities, expected);
    }
    let aura = r#"name: "Test", cost: "1", types: [Enchantment], subtypes: ["Aura"]"#;
    check(
        &format!(
            "{aura}, enchant: (), abilities: [Static(Rule(what: Enchanted, rule: EntersTapped))]"
        ),
        "EntersTapped, but what is Enchanted has entered",
    );
    let spell = r#"name: "Test", cost: "1", types: [Instant], effects: [Fog]"#;
    check(&format!("{spell}, keywords: [Lifelink]"), "keywords belong to permanents");
    check(&format!("{spell}, legendary: true"), "an instant or sorcery is not legendary");
    check(r#"name: "Test", types: [Land], keywords: [Flash]"#, "Flash is about spells");
    check(
        r#"name: "Test", types: [Enchantment], subtypes: ["Aura"], token: true, enchant: ()"#,
        "a token is no Aura",
    );
    check(
        r#"name: "Test", cost: "XG", types: [Creature], toughness: N(1),
           abilities: [Triggered(on: Enters(This), effects: [Draw(who: You, amount: X)])]"#,
        "X, but its cost has no X",
    );
    check(
        r#"name: "Test", cost: "1", types: [Sorcery], modes: [(effects: [Fog]), (effects: [])]"#,
        "mode 2: it does nothing",
    );
}

#[test]
fn names_are_taken_once() {
    let card = r#"(name: "Test", types: [Land])"#;
    let files =
        [("a.ron".to_owned(), format!("[{card}]")), ("b.ron".to_owned(), format!("[{card}]"))];
    let faults = cards::load(&files).expect_err("it is there twice");
    assert_eq!(faults.len(), 1);
    assert!(
        faults[0].to_string().starts_with("b.ron:1:2: Test: this name is taken\n"),
        "{}",
        faults[0]
    );
}

#[test]
fn tokens_may_come_from_another_file() {
    let maker = r#"[(name: "Maker", cost: "1", types: [Sorcery], effects: [Token(token: "Elf", amount: N(1))])]"#;
    let token = r#"[(name: "Elf", types: [Creature], token: true, power: N(1), toughness: N(1))]"#;
    let files = [("maker.ron".into(), maker.into()), ("tokens.ron".into(), token.into())];
    assert_eq!(cards::load(&files).expect("it is right").len(), 2);
    assert!(cards::load(&files[..1]).is_err());
}
