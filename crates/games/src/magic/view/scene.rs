//! The table as one player sees it, for drawing it.

use meeple_game::Player;
use serde::Serialize;

use crate::magic::language::{Colour, Keyword, Mana, Type};
use crate::magic::state::pile::Pile;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slot;
use crate::magic::state::{ChosenTarget, Item, Magic};
use crate::magic::table::card::{CardId, DeckCard};

/// What one player sees, the player's own side first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Scene {
    /// The number of the turn.
    pub turn: u16,
    /// The step of the turn.
    pub phase: &'static str,
    /// What is asked, in a sentence.
    pub prompt: String,
    /// The observer's side, then the opponent's.
    pub sides: [Side; 2],
    /// Spells and abilities, the next to resolve first.
    pub stack: Vec<Spell>,
}

/// What one player has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Side {
    /// The seat.
    pub seat: u8,
    /// The name of the deck.
    pub deck: String,
    /// Whether it is their turn.
    pub active: bool,
    /// Life.
    pub life: i16,
    /// Cards in the library.
    pub library: u8,
    /// Cards in exile.
    pub exiled: u8,
    /// Unspent mana, such as `{R}{R}`.
    pub mana: String,
    /// The cards in hand that the observer knows.
    pub hand: Vec<Face>,
    /// How many more there are in hand.
    pub unseen: u8,
    /// The graveyard.
    pub graveyard: Vec<Face>,
    /// What is on the battlefield.
    pub permanents: Vec<Permanent>,
}

/// A card, several of which may lie together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Face {
    /// The name of the card.
    pub name: String,
    /// How many.
    pub count: u8,
    /// What it costs, such as `{2}{R}`.
    pub cost: String,
    /// The types, such as `artifact creature`.
    pub types: String,
    /// The colours, one letter each; none for colourless cards.
    pub colours: String,
    /// Power and toughness of a creature card.
    pub body: Option<(i8, i8)>,
}

/// A permanent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Permanent {
    /// Its place, by which others refer to it.
    pub slot: u8,
    /// What actions call it.
    pub label: String,
    /// The card.
    pub face: Face,
    /// Whether it is tapped.
    pub tapped: bool,
    /// Whether it is a creature that cannot attack yet.
    pub sick: bool,
    /// Damage on it.
    pub damage: u8,
    /// Counters of +1/+1, or of -1/-1 below zero.
    pub counters: i8,
    /// Whether it attacks.
    pub attacking: bool,
    /// The slot it blocks or is attached to.
    pub link: Option<u8>,
    /// Whether the link is a block.
    pub blocking: bool,
    /// Its keywords as they are now.
    pub keywords: Vec<&'static str>,
}

/// A spell or ability on the stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Spell {
    /// The card it comes from.
    pub face: Face,
    /// Who controls it.
    pub seat: u8,
    /// Whether it is a spell; otherwise an ability.
    pub spell: bool,
    /// It in words, with what it is aimed at.
    pub text: String,
    /// The slots it is aimed at.
    pub slots: Vec<u8>,
    /// The players it is aimed at.
    pub seats: Vec<u8>,
}

impl Magic {
    /// The table as `observer` sees it: made of what [`text`](meeple_game::Game::text)
    /// shows them and no more.
    ///
    /// ```
    /// use meeple_game::{Game, Player};
    /// use meeple_games::magic::Magic;
    ///
    /// let scene = Magic::new(&Default::default()).scene(Player(1));
    /// assert_eq!(scene.sides.map(|side| (side.seat, side.life)), [(1, 20), (0, 20)]);
    /// ```
    #[must_use]
    pub fn scene(&self, observer: Player) -> Scene {
        let mut stack = Vec::new();
        if self.resolution.active {
            stack.push(self.spell(&self.resolution.item));
        }
        if self.announcement.active {
            stack.push(self.spell(&self.announcement.item));
        }
        stack.extend(self.stack.iter().rev().map(|item| self.spell(item)));
        Scene {
            turn: self.clock.turn,
            phase: crate::magic::text::phase(self.clock.phase),
            prompt: self.prompt(),
            sides: {
                let observer = Seat::from(observer);
                [observer, observer.other()].map(|seat| self.seen_side(seat, observer))
            },
            stack,
        }
    }

    fn seen_side(&self, seat: Seat, observer: Seat) -> Side {
        let mine = &self.seats[seat];
        let (hand, unseen) =
            if seat == observer { (mine.hand, 0) } else { self.hand_for_opponent(seat) };
        let mana = (Mana::ALL.iter().zip(mine.pool))
            .map(|(mana, amount)| mana.text().repeat(amount as usize))
            .collect();
        Side {
            seat: seat.number(),
            deck: self.table.0.decks[seat].name.clone(),
            active: self.clock.active == seat,
            life: mine.life,
            library: self.library_size(seat),
            exiled: mine.exiled,
            mana,
            hand: self.faces(&hand, seat),
            unseen,
            graveyard: self.faces(&mine.graveyard, seat),
            permanents: self.controlled(seat).iter().map(|slot| self.permanent(slot)).collect(),
        }
    }

    fn faces(&self, pile: &Pile, owner: Seat) -> Vec<Face> {
        let of = |card: DeckCard| Face { count: pile.count(card), ..self.face(card.of(owner)) };
        pile.iter().map(of).collect()
    }

    fn face(&self, card: CardId) -> Face {
        let def = self.def(card);
        let types: Vec<&str> =
            Type::ALL.iter().filter(|&&kind| def.is(kind)).map(|kind| kind.text()).collect();
        let colours = (Colour::ALL.iter())
            .filter(|&&colour| def.colours.has(colour))
            .map(|&colour| letter(colour))
            .collect();
        Face {
            name: def.name.clone(),
            count: 1,
            cost: if def.is(Type::Land) { String::new() } else { def.cost.to_string() },
            types: types.join(" "),
            colours,
            body: def.is(Type::Creature).then_some(def.body),
        }
    }

    fn permanent(&self, slot: Slot) -> Permanent {
        let board = &self.board;
        let body = self.is_creature(slot).then_some((board.power[slot], board.toughness[slot]));
        let keywords = Keyword::ALL.iter().filter(|&&keyword| self.has_keyword(slot, keyword));
        let link = board.link[slot];
        Permanent {
            slot: slot.number(),
            label: self.permanent_name(slot),
            face: Face { body, ..self.face(board.card[slot]) },
            tapped: board.tapped.has(slot),
            sick: self.is_creature(slot) && board.summoning_sick.has(slot),
            damage: board.damage[slot],
            counters: board.counters[slot],
            attacking: board.attacking.has(slot),
            link: link.map(Slot::number),
            blocking: board.blocking.has(slot),
            keywords: keywords.map(|keyword| keyword.text()).collect(),
        }
    }

    fn spell(&self, item: &Item) -> Spell {
        let slot = |target| match target {
            ChosenTarget::Slot(slot) => Some(slot.number()),
            _ => None,
        };
        let seat = |target| match target {
            ChosenTarget::Seat(seat) => Some(seat.number()),
            _ => None,
        };
        Spell {
            face: self.face(item.card),
            seat: item.you.number(),
            spell: item.spell,
            text: self.item_text(item),
            slots: item.targets.iter().filter_map(slot).collect(),
            seats: item.targets.iter().filter_map(seat).collect(),
        }
    }
}

/// A colour as mana writes it.
const fn letter(colour: Colour) -> char {
    match colour {
        Colour::White => 'W',
        Colour::Blue => 'U',
        Colour::Black => 'B',
        Colour::Red => 'R',
        Colour::Green => 'G',
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::{ActionList, Game, Rng, Turn};

    use super::*;
    use crate::magic::Config;

    /// What an observer is shown does not depend on what they have not seen.
    #[test]
    fn a_scene_shows_what_its_observer_may_see() {
        let config = Config::of_decks("red-burn", "green-midrange").expect("built-in decks");
        let (mut rng, mut scratch) = (Rng::new(5), ActionList::new());
        let mut hidden = 0;
        for _ in 0..5 {
            let mut game = Magic::new(&config);
            while game.turn() != Turn::Over {
                for observer in Player::all(2) {
                    let scene = game.scene(observer);
                    let other = game.determinize(observer, &mut rng);
                    assert_eq!(scene, other.scene(observer));
                    hidden += usize::from(game != other);
                }
                let action = match game.turn() {
                    Turn::Chance => game.sample_chance(&mut rng),
                    _ => game.sample_action(&mut rng, &mut scratch),
                };
                game.apply(action);
            }
        }
        assert!(hidden > 100, "the deals differed {hidden} times");
    }
}
