//! Boards that can come, up to suit isomorphism, with the hands on each and how they map
//! to the hands on the board before.

use meeple_poker::{Card, CardSet, Combo, Range, Suit, rank};

use crate::Error;
use crate::tree::Seat;

/// Hands of a row of numbers are padded to a multiple of this, so that loops have no rest.
pub(crate) const BLOCK: usize = 16;
/// The number that stands for no card, in [`Hands::cards`].
const NO_CARD: u8 = 52;

/// The hands of one player on one board.
#[derive(Clone, Debug)]
pub(crate) struct Hands {
    /// On the river the weakest first, else by index.
    pub(crate) combos: Vec<Combo>,
    /// The length of a row: more than the hands, so that the last entry is always 0.
    pub(crate) row: usize,
    /// The two cards of each hand.
    pub(crate) cards: Vec<[u8; 2]>,
    /// The place of the same hand in the opponent's row, or its last.
    pub(crate) same: Vec<u16>,
    /// The place of each hand in the row of the board before; padding has its last.
    pub(crate) parent: Vec<u16>,
}

/// Equally strong hands of both players: where they begin and end in the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tie {
    pub(crate) from: [u16; 2],
    pub(crate) to: [u16; 2],
}

/// A card that can come, and the board after it.
#[derive(Clone, Debug)]
pub(crate) struct Deal {
    pub(crate) card: Card,
    /// The board that stands for all isomorphic ones.
    pub(crate) board: u32,
    /// The suits that this card's suits become there.
    pub(crate) suits: Suits,
    /// For each hand before, its place after; hands with the card have the last.
    pub(crate) places: [Vec<u16>; 2],
}

/// A permutation of the suits.
pub(crate) type Suits = [u8; 4];

/// A board with its hands.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) cards: CardSet,
    pub(crate) hands: [Hands; 2],
    /// On the river, from the weakest.
    pub(crate) ties: Vec<Tie>,
    /// Each card that can come, except on the river.
    pub(crate) deals: Vec<Deal>,
    /// The boards that they lead to, each once.
    pub(crate) children: Vec<usize>,
    /// The permutations that change neither the board's past nor the ranges.
    pub(crate) symmetries: Vec<Suits>,
}

impl Board {
    /// The bytes of its tables.
    pub(crate) fn bytes(&self) -> u64 {
        let hands = |hands: &Hands| {
            size_of::<Combo>() * hands.combos.len()
                + size_of::<[u8; 2]>() * hands.cards.len()
                + size_of::<u16>() * (hands.same.len() + hands.parent.len())
        };
        let deal = |deal: &Deal| {
            size_of::<Deal>() + size_of::<u16>() * (deal.places[0].len() + deal.places[1].len())
        };
        let sum = self.hands.iter().map(hands).sum::<usize>()
            + self.deals.iter().map(deal).sum::<usize>()
            + size_of::<Tie>() * self.ties.len()
            + size_of::<Self>();
        sum as u64
    }
}

/// All boards of a spot, depth first: the start, a turn, its rivers, the next turn.
#[derive(Clone, Debug)]
pub(crate) struct Boards {
    pub(crate) all: Vec<Board>,
}

impl Boards {
    /// The boards from `board` on for two ranges; with `isomorphism`, one for all that
    /// differ by suits only.
    pub(crate) fn new(
        board: CardSet,
        ranges: &[Range; 2],
        isomorphism: bool,
    ) -> Result<Self, Error> {
        if !(3..=5).contains(&board.len()) {
            return Err(Error::Board { found: board.len() });
        }
        for seat in Seat::ALL {
            let range = &ranges[seat as usize];
            if range.clone().without(board).is_empty() {
                return Err(Error::EmptyRange { seat, clashes: !range.is_empty(), board });
            }
        }
        let symmetries = if isomorphism {
            permutations().into_iter().filter(|suits| keeps(*suits, board, ranges)).collect()
        } else {
            vec![[0, 1, 2, 3]]
        };
        let hands = [0, 1].map(|seat| {
            let combos = ranges[seat].combos().map(|(combo, _)| combo);
            combos.filter(|combo| !combo.cards().intersects(board)).collect()
        });
        let mut boards = Self { all: Vec::new() };
        let [oop, ip]: &[Vec<Combo>; 2] = &hands;
        let fit = |one: &Combo| ip.iter().any(|other| !one.cards().intersects(other.cards()));
        if !oop.iter().any(fit) {
            return Err(Error::NoDeal);
        }
        boards.add(board, hands, None, symmetries);
        Ok(boards)
    }

    fn add(
        &mut self,
        cards: CardSet,
        combos: [Vec<Combo>; 2],
        parent: Option<usize>,
        symmetries: Vec<Suits>,
    ) -> usize {
        let mut board = Board {
            cards,
            hands: hands(cards, combos),
            ties: Vec::new(),
            deals: Vec::new(),
            children: Vec::new(),
            symmetries,
        };
        if cards.len() == 5 {
            board.ties = ties(&board);
        }
        if let Some(parent) = parent {
            for seat in 0..2 {
                let before = &self.all[parent].hands[seat];
                let places = places(&before.combos);
                let last = before.row as u16 - 1;
                let hands = &mut board.hands[seat];
                hands.parent = vec![last; hands.row];
                for (place, combo) in hands.combos.iter().enumerate() {
                    hands.parent[place] = places[combo.index()];
                }
            }
        }
        let id = self.all.len();
        self.all.push(board);
        if cards.len() < 5 {
            self.deal(id);
        }
        id
    }

    /// Adds the boards after board `id`.
    fn deal(&mut self, id: usize) {
        let Board { cards, symmetries, .. } = self.all[id].clone();
        let mut deals: Vec<Deal> = Vec::new();
        for card in Card::all().filter(|&card| !cards.contains(card)) {
            let known = deals.iter().find_map(|deal| {
                let moved = symmetries.iter().find(|suits| permuted(card, **suits) == deal.card)?;
                (deal.suits == [0, 1, 2, 3]).then_some((deal.board, *moved))
            });
            let (board, suits) = known.unwrap_or_else(|| {
                let free = |combo: &&Combo| !combo.cards().contains(card);
                let combos = [0, 1].map(|seat: usize| {
                    self.all[id].hands[seat].combos.iter().filter(free).copied().collect()
                });
                let fixed = |suits: &&Suits| permuted(card, **suits) == card;
                let left = symmetries.iter().filter(fixed).copied().collect();
                (self.add(cards | card.into(), combos, Some(id), left) as u32, [0, 1, 2, 3])
            });
            let places = [0, 1].map(|seat: usize| {
                let after = &self.all[board as usize].hands[seat];
                let known = places(&after.combos);
                let before = &self.all[id].hands[seat];
                let mut moved = vec![after.row as u16 - 1; before.row];
                for (place, combo) in moved.iter_mut().zip(&before.combos) {
                    if !combo.cards().contains(card) {
                        *place = known[permuted_combo(*combo, suits).index()];
                    }
                }
                moved
            });
            deals.push(Deal { card, board, suits, places });
        }
        let fresh = deals.iter().filter(|deal| deal.suits == [0, 1, 2, 3]);
        self.all[id].children = fresh.map(|deal| deal.board as usize).collect();
        self.all[id].deals = deals;
    }
}

/// The place of each combo in a list.
fn places(combos: &[Combo]) -> Vec<u16> {
    let mut places = vec![0; Combo::COUNT];
    for (place, combo) in combos.iter().enumerate() {
        places[combo.index()] = place as u16;
    }
    places
}

fn hands(board: CardSet, mut combos: [Vec<Combo>; 2]) -> [Hands; 2] {
    if board.len() == 5 {
        for combos in &mut combos {
            combos.sort_by_cached_key(|combo| (rank(board | combo.cards()), combo.index()));
        }
    }
    let row = |seat: usize| (combos[seat].len() + 1).next_multiple_of(BLOCK);
    [0, 1].map(|seat: usize| {
        let others = &combos[1 - seat];
        let last = row(1 - seat) as u16 - 1;
        let mut same = vec![last; Combo::COUNT];
        for (place, combo) in others.iter().enumerate() {
            same[combo.index()] = place as u16;
        }
        let mine = &combos[seat];
        let mut cards: Vec<[u8; 2]> = mine
            .iter()
            .map(|combo| [combo.high(), combo.low()].map(|card| card.index() as u8))
            .collect();
        cards.resize(row(seat), [NO_CARD; 2]);
        let mut same: Vec<u16> = mine.iter().map(|combo| same[combo.index()]).collect();
        same.resize(row(seat), last);
        Hands { combos: mine.clone(), row: row(seat), cards, same, parent: Vec::new() }
    })
}

/// The groups of equal strength on a river board, whose hands are sorted.
fn ties(board: &Board) -> Vec<Tie> {
    let ranks = [0, 1].map(|seat: usize| {
        let combos = &board.hands[seat].combos;
        combos.iter().map(|combo| rank(board.cards | combo.cards())).collect::<Vec<_>>()
    });
    let mut at = [0; 2];
    let mut ties = Vec::new();
    loop {
        let next = (0..2).filter_map(|seat: usize| ranks[seat].get(at[seat])).min().copied();
        let Some(next) = next else { return ties };
        let from = at;
        for seat in 0..2 {
            at[seat] += ranks[seat][at[seat]..].iter().take_while(|&&rank| rank == next).count();
        }
        ties.push(Tie { from: from.map(|at| at as u16), to: at.map(|at| at as u16) });
    }
}

fn permutations() -> Vec<Suits> {
    let mut all = Vec::new();
    for code in 0..256u32 {
        let suits: Suits =
            [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6].map(|suit| suit as u8);
        if (0..4).all(|suit| suits.contains(&suit)) {
            all.push(suits);
        }
    }
    all
}

pub(crate) fn permuted(card: Card, suits: Suits) -> Card {
    Card::new(card.rank(), Suit::ALL[usize::from(suits[card.suit() as usize])])
}

pub(crate) fn permuted_combo(combo: Combo, suits: Suits) -> Combo {
    let moved = Combo::new(permuted(combo.high(), suits), permuted(combo.low(), suits));
    moved.expect("a permutation keeps cards apart")
}

/// Whether a permutation of suits changes neither the board nor the ranges.
fn keeps(suits: Suits, board: CardSet, ranges: &[Range; 2]) -> bool {
    let same = board.into_iter().map(|card| permuted(card, suits)).collect::<CardSet>() == board;
    same && ranges.iter().all(|range| {
        Combo::all().all(|combo| {
            combo.cards().intersects(board)
                || range.weight(combo) == range.weight(permuted_combo(combo, suits))
        })
    })
}
