//! The weights of the heuristic evaluation.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The weights of the evaluation, in cards; `magic/weights.ron` has the built-in
/// ones and says what each is for.
///
/// ```
/// use meeple_games::magic::Weights;
///
/// let built_in = Weights::default();
/// assert!(built_in.land > built_in.card, "lands are for playing");
/// assert!(Weights::read("(scale: 5.0)").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// The lead that makes the odds 2.7 to 1.
    pub scale: f32,
    /// A point of life above 10.
    pub life: f32,
    /// A point of life up to 10.
    pub low_life: f32,
    /// What each point of life below 6 costs besides.
    pub last_life: f32,
    /// A card in hand, up to seven.
    pub card: f32,
    /// A card in hand beyond.
    pub extra_card: f32,
    /// The card that a player draws next, counted little by little until then.
    pub next_card: f32,
    /// A land, up to seven.
    pub land: f32,
    /// A land beyond.
    pub extra_land: f32,
    /// A source of mana that is untapped.
    pub untapped: f32,
    /// A creature.
    pub creature: f32,
    /// A point of its power.
    pub power: f32,
    /// A point of its toughness.
    pub toughness: f32,
    /// A point of the power of one that flies.
    pub flying: f32,
    /// A point of the power of one that is hard to block otherwise.
    pub evasion: f32,
    /// Another good keyword.
    pub keyword: f32,
    /// An ability.
    pub ability: f32,
    /// The part of its worth that one keeps which can neither attack nor block.
    pub bound: f32,
    /// A permanent of another kind.
    pub permanent: f32,
    /// A mana of its cost.
    pub permanent_mana: f32,
    /// The part of a spell's worth that counts while it is on the stack.
    pub stack: f32,
    /// A spell whose worth cannot be told.
    pub unknown_spell: f32,
    /// An ability on the stack whose worth cannot be told.
    pub unknown_ability: f32,
    /// All one's life being threatened by the next attack.
    pub threat: f32,
    /// The next attack being deadly.
    pub lethal: f32,
    /// An empty library.
    pub last_cards: f32,
}

static BUILT_IN: LazyLock<Weights> = LazyLock::new(|| {
    Weights::read(include_str!("../../../magic/weights.ron"))
        .expect("the built-in weights are read")
});

impl Weights {
    /// Reads weights; every one of them must be there.
    ///
    /// # Errors
    ///
    /// When the text is not such a list, with the line and what was expected.
    pub fn read(text: &str) -> Result<Self, ron::error::SpannedError> {
        ron::from_str(text)
    }

    /// The same weights with some changed, each by its name.
    ///
    /// ```
    /// use meeple_games::magic::Weights;
    ///
    /// let changed = Weights::default().with(&[("land".into(), 2.0)]).unwrap();
    /// assert_eq!(changed, Weights { land: 2.0, ..Weights::default() });
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no weight of a name, with those there are, or a value is
    /// not one to count with.
    pub fn with(&self, changes: &[(String, f32)]) -> Result<Self, String> {
        let mut changed = self.clone();
        for (name, weight) in changes {
            if !weight.is_finite() || name == "scale" && *weight <= 0.0 {
                let expected = "expected a finite number, and a scale above 0";
                return Err(format!("weight {name}={weight}, {expected}"));
            }
            let mut all = changed.by_name();
            match all.iter_mut().find(|(known, _)| *known == name.as_str()) {
                Some((_, entry)) => **entry = *weight,
                None => {
                    let known = all.map(|(known, _)| known).join(", ");
                    return Err(format!("no weight {name:?}, expected one of {known}"));
                }
            }
        }
        Ok(changed)
    }

    /// The weights as bits, which can be compared and ordered.
    pub(in crate::magic) fn bits(&self) -> Vec<u32> {
        self.clone().by_name().map(|(_, weight)| weight.to_bits()).to_vec()
    }

    /// Every weight with its name.
    fn by_name(&mut self) -> [(&'static str, &mut f32); 26] {
        [
            ("scale", &mut self.scale),
            ("life", &mut self.life),
            ("low_life", &mut self.low_life),
            ("last_life", &mut self.last_life),
            ("card", &mut self.card),
            ("extra_card", &mut self.extra_card),
            ("next_card", &mut self.next_card),
            ("land", &mut self.land),
            ("extra_land", &mut self.extra_land),
            ("untapped", &mut self.untapped),
            ("creature", &mut self.creature),
            ("power", &mut self.power),
            ("toughness", &mut self.toughness),
            ("flying", &mut self.flying),
            ("evasion", &mut self.evasion),
            ("keyword", &mut self.keyword),
            ("ability", &mut self.ability),
            ("bound", &mut self.bound),
            ("permanent", &mut self.permanent),
            ("permanent_mana", &mut self.permanent_mana),
            ("stack", &mut self.stack),
            ("unknown_spell", &mut self.unknown_spell),
            ("unknown_ability", &mut self.unknown_ability),
            ("threat", &mut self.threat),
            ("lethal", &mut self.lethal),
            ("last_cards", &mut self.last_cards),
        ]
    }
}

impl Default for Weights {
    fn default() -> Self {
        BUILT_IN.clone()
    }
}
