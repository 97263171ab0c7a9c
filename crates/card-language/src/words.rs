//! The smallest words of the card language: colours, types, keywords, zones.

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::de::{self, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

macro_rules! words {
    (
        $(#[$doc:meta])* $name:ident, $set:ident($bits:ty);
        $($(#[$word_doc:meta])* $word:ident = $text:literal,)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$word_doc])* $word,)*
        }

        impl $name {
            /// All of them, in order.
            pub const ALL: &[Self] = &[$(Self::$word,)*];

            /// The word in English.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    $(Self::$word => $text,)*
                }
            }
        }

        #[doc = concat!("A set of [`", stringify!($name), "`], written as a list.")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $set(pub $bits);

        impl $set {
            /// Whether nothing is in the set.
            #[must_use]
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Whether `word` is in the set.
            #[must_use]
            #[inline]
            pub const fn has(self, word: $name) -> bool {
                self.0 >> word as u8 & 1 == 1
            }

            /// Whether the two sets share a word.
            #[must_use]
            #[inline]
            pub const fn meets(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// The set with `word` added.
            #[must_use]
            #[inline]
            pub const fn with(self, word: $name) -> Self {
                Self(self.0 | 1 << word as u8)
            }

            /// The words in the set, in order.
            pub fn iter(self) -> impl Iterator<Item = $name> {
                $name::ALL.iter().copied().filter(move |&word| self.has(word))
            }
        }

        impl FromIterator<$name> for $set {
            fn from_iter<I: IntoIterator<Item = $name>>(words: I) -> Self {
                words.into_iter().fold(Self::default(), Self::with)
            }
        }

        impl Serialize for $set {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_seq(self.iter())
            }
        }

        impl<'de> Deserialize<'de> for $set {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Ok(Vec::<$name>::deserialize(from)?.into_iter().collect())
            }
        }
    };
}

words! {
    /// One of the five colours.
    Colour, Colours(u8);
    /// White.
    White = "white",
    /// Blue.
    Blue = "blue",
    /// Black.
    Black = "black",
    /// Red.
    Red = "red",
    /// Green.
    Green = "green",
}

words! {
    /// One mana: of a colour, or colourless.
    Mana, Manas(u8);
    /// White mana.
    W = "{W}",
    /// Blue mana.
    U = "{U}",
    /// Black mana.
    B = "{B}",
    /// Red mana.
    R = "{R}",
    /// Green mana.
    G = "{G}",
    /// Colourless mana.
    C = "{C}",
}

words! {
    /// A card type.
    Type, Types(u8);
    /// A creature.
    Creature = "creature",
    /// A land.
    Land = "land",
    /// An artifact.
    Artifact = "artifact",
    /// An enchantment; an Aura has the subtype too.
    Enchantment = "enchantment",
    /// An instant.
    Instant = "instant",
    /// A sorcery.
    Sorcery = "sorcery",
}

words! {
    /// A basic land type.
    LandType, LandTypes(u8);
    /// Taps for white.
    Plains = "Plains",
    /// Taps for blue.
    Island = "Island",
    /// Taps for black.
    Swamp = "Swamp",
    /// Taps for red.
    Mountain = "Mountain",
    /// Taps for green.
    Forest = "Forest",
}

words! {
    /// An ability that one word names.
    Keyword, Keywords(u32);
    /// 702.9: blocked by flying or reach only.
    Flying = "flying",
    /// 702.17: blocks flying.
    Reach = "reach",
    /// 702.7: deals combat damage first.
    FirstStrike = "first strike",
    /// 702.4: deals combat damage twice.
    DoubleStrike = "double strike",
    /// 702.20: attacks without tapping.
    Vigilance = "vigilance",
    /// 702.10: attacks and taps at once.
    Haste = "haste",
    /// 702.19: damage left over goes to the player.
    Trample = "trample",
    /// 702.2: any damage it deals is lethal.
    Deathtouch = "deathtouch",
    /// 702.15: its controller gains what it deals.
    Lifelink = "lifelink",
    /// 702.111: blocked by two or more only.
    Menace = "menace",
    /// 702.3: cannot attack.
    Defender = "defender",
    /// 702.36: blocked by artifact or black creatures only.
    Fear = "fear",
    /// 702.13: blocked by artifact creatures or those of its colours only.
    Intimidate = "intimidate",
    /// 702.18: cannot be targeted.
    Shroud = "shroud",
    /// 702.11: opponents cannot target it.
    Hexproof = "hexproof",
    /// 702.12: cannot be destroyed.
    Indestructible = "indestructible",
    /// 702.8: cast when an instant may be.
    Flash = "flash",
    /// Cannot be blocked.
    Unblockable = "unblockable",
    /// 702.14: cannot be blocked while the defender has a Plains.
    Plainswalk = "plainswalk",
    /// The same for an Island.
    Islandwalk = "islandwalk",
    /// The same for a Swamp.
    Swampwalk = "swampwalk",
    /// The same for a Mountain.
    Mountainwalk = "mountainwalk",
    /// The same for a Forest.
    Forestwalk = "forestwalk",
    /// 702.16: not damaged, enchanted, blocked or targeted by white.
    ProtectionFromWhite = "protection from white",
    /// The same for blue.
    ProtectionFromBlue = "protection from blue",
    /// The same for black.
    ProtectionFromBlack = "protection from black",
    /// The same for red.
    ProtectionFromRed = "protection from red",
    /// The same for green.
    ProtectionFromGreen = "protection from green",
}

impl Colours {
    /// The colours that `mana` costs make a card.
    #[must_use]
    pub fn of_mana(mana: Mana) -> Self {
        Self(1 << mana as u8 & 0b1_1111)
    }
}

impl LandType {
    /// What a land of this type taps for.
    #[must_use]
    pub const fn mana(self) -> Mana {
        match self {
            Self::Plains => Mana::W,
            Self::Island => Mana::U,
            Self::Swamp => Mana::B,
            Self::Mountain => Mana::R,
            Self::Forest => Mana::G,
        }
    }
}

/// Where cards are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Zone {
    /// In play.
    #[default]
    Battlefield,
    /// In a hand.
    Hand,
    /// In a library.
    Library,
    /// In a graveyard.
    Graveyard,
    /// Among the cards that this effect has set aside (`Look`, `RevealUntil`,
    /// or `Take` to `Aside`).
    Aside,
    /// Among the cards that this effect drew.
    Drawn,
}

/// Where an effect puts something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Place {
    /// Its owner's graveyard.
    #[default]
    Graveyard,
    /// Its owner's hand.
    Hand,
    /// The top of its owner's library, in an order its mover chooses.
    Top,
    /// The bottom of its owner's library, in an order its mover chooses.
    Bottom,
    /// Its owner's library, which is shuffled.
    Shuffled,
    /// Exile.
    Exile,
    /// Exile, from where you may play it until your next upkeep.
    ExileToPlay,
    /// The battlefield.
    Battlefield,
    /// With the cards this effect has set aside.
    Aside,
}

/// The parts of a turn that a card can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Moment {
    /// The beginning of the upkeep.
    Upkeep,
    /// The beginning of the draw step.
    Draw,
    /// The end of combat.
    EndOfCombat,
    /// The beginning of the end step.
    End,
}

/// A creature type or other subtype by name.
///
/// Names are kept once for the whole process, up to 4,096 of them; the number of one
/// is only good for comparing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subtype(u16);

/// The most different subtypes in one process: ten times those that were ever printed.
const MOST_SUBTYPES: usize = 4096;
/// The most letters of a subtype.
const LONGEST_SUBTYPE: usize = 40;

static SUBTYPES: [OnceLock<Box<str>>; MOST_SUBTYPES] = [const { OnceLock::new() }; _];
/// How many of them are there.
static SUBTYPE_COUNT: Mutex<usize> = Mutex::new(0);

impl Subtype {
    /// The subtype called `name`; none after 4,096 different names.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut count = SUBTYPE_COUNT.lock().unwrap_or_else(PoisonError::into_inner);
        let known = SUBTYPES[..*count].iter();
        let found = known
            .map(|known| known.get())
            .position(|known| known.is_some_and(|known| **known == *name));
        let index = found.unwrap_or(*count);
        if found.is_none() {
            SUBTYPES.get(index)?.get_or_init(|| name.into());
            *count += 1;
        }
        Some(Self(index as u16))
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        SUBTYPES[self.0 as usize].get().expect("subtypes have names")
    }
}

impl fmt::Debug for Subtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Subtype {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Subtype {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        let plain = |c: char| c.is_alphabetic() || c == '-' || c == '\'';
        if name.len() > LONGEST_SUBTYPE {
            Err(de::Error::custom(format!(
                "a subtype of {} bytes, expected at most {LONGEST_SUBTYPE}",
                name.len()
            )))
        } else if name.starts_with(char::is_uppercase) && name.chars().all(plain) {
            Self::named(&name).ok_or_else(|| {
                de::Error::custom(format!(
                    "`{name}` is one subtype too many, expected at most {MOST_SUBTYPES} in one process"
                ))
            })
        } else {
            Err(de::Error::custom(format!(
                "`{name}` is no subtype, expected one capitalized word such as \"Goblin\""
            )))
        }
    }
}
