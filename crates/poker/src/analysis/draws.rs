//! Draws and outs: what the next card can do for a hand.

use serde::{Deserialize, Serialize};

use super::{AnalysisError, check};
use crate::{CardRank, CardSet, Category, Suit, rank};

/// How near a hand is to a flush that uses one of its own cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlushDraw {
    /// Not near, or already there.
    None,
    /// Two cards away, on the flop.
    Backdoor,
    /// One card away.
    Draw,
    /// One card away, and the player holds the best card of the suit.
    NutDraw,
}

/// How near a hand is to a straight that uses one of its own cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StraightDraw {
    /// Not near, or already there.
    None,
    /// One rank completes it.
    Gutshot,
    /// Two ranks or more complete it: open-ended, or two gutshots.
    OpenEnded,
}

/// What a hand may become on the flop or the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draws {
    /// What it is now; with fewer than five cards, what those make.
    pub made: Category,
    /// Its flush draw.
    pub flush: FlushDraw,
    /// Its straight draw.
    pub straight: StraightDraw,
    /// How many of its cards are higher than any on the board.
    pub overcards: usize,
    /// The cards that lift it to a better category, and to a better one than
    /// they lift the board itself.
    pub outs: CardSet,
}

/// Looks at the draws of a hand on the flop or the turn.
///
/// ```
/// use meeple_poker::{FlushDraw, StraightDraw, draws};
///
/// let found = draws("JhTh".parse()?, "9h8h2c".parse()?)?;
/// assert_eq!(found.flush, FlushDraw::Draw);
/// assert_eq!(found.straight, StraightDraw::OpenEnded);
/// // Nine hearts, six more queens and sevens, three jacks and three tens.
/// assert_eq!(found.outs.len(), 9 + 6 + 6);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Says what is wrong when the cards are not a hand of two on a board of three
/// or four.
pub fn draws(hand: CardSet, board: CardSet) -> Result<Draws, AnalysisError> {
    check(hand, board, 3..=4, "3 or 4")?;
    let cards = hand | board;
    let made = rank(cards).category();
    let outs = (!cards)
        .into_iter()
        .filter(|&card| {
            let better = rank(cards | card.into()).category();
            better > made && better > category_of_any(board | card.into())
        })
        .collect();
    let top = board.ranks();
    Ok(Draws {
        made,
        flush: flush_draw(hand, board),
        straight: straight_draw(hand, board),
        overcards: hand.into_iter().filter(|card| 1u16 << card.rank() as u16 > top).count(),
        outs,
    })
}

/// The cards that put a hand ahead of another, or level with it, on the next
/// street; empty when it is ahead already.
///
/// ```
/// use meeple_poker::outs_against;
///
/// // A flush draw against a pair of aces: nine hearts.
/// let outs = outs_against("KhQh".parse()?, "AsAd".parse()?, "2h7h9c3s".parse()?)?;
/// assert_eq!(outs.len(), 9);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As [`draws`], and when the hands share a card.
pub fn outs_against(
    hand: CardSet,
    opponent: CardSet,
    board: CardSet,
) -> Result<CardSet, AnalysisError> {
    check(hand, board, 3..=4, "3 or 4")?;
    check(opponent, board, 3..=4, "3 or 4")?;
    if let Some(card) = (hand & opponent).first() {
        return Err(AnalysisError::Conflict { card });
    }
    if rank(hand | board) > rank(opponent | board) {
        return Ok(CardSet::EMPTY);
    }
    let level = |card: &crate::Card| {
        let board = board | CardSet::of(*card);
        rank(hand | board) >= rank(opponent | board)
    };
    Ok((!(hand | opponent | board)).into_iter().filter(level).collect())
}

/// The category of any number of cards up to seven.
pub(super) fn category_of_any(cards: CardSet) -> Category {
    if cards.len() >= 5 {
        return rank(cards).category();
    }
    let mut counts = CardRank::ALL.map(|rank| cards.count_of(rank));
    counts.sort_unstable_by(|a, b| b.cmp(a));
    match counts {
        [4, ..] => Category::FourOfAKind,
        [3, ..] => Category::ThreeOfAKind,
        [2, 2, ..] => Category::TwoPair,
        [2, ..] => Category::Pair,
        _ => Category::HighCard,
    }
}

fn flush_draw(hand: CardSet, board: CardSet) -> FlushDraw {
    let mut found = FlushDraw::None;
    for suit in Suit::ALL {
        let (held, shown) = (hand.suit_ranks(suit), board.suit_ranks(suit));
        if held == 0 {
            continue;
        }
        match (held | shown).count_ones() {
            4 => {
                let best_missing = 15 - (!shown & 0x1fff).leading_zeros();
                let nut = held >> best_missing & 1 == 1;
                return if nut { FlushDraw::NutDraw } else { FlushDraw::Draw };
            }
            3 if board.len() == 3 => found = FlushDraw::Backdoor,
            _ => {}
        }
    }
    found
}

fn straight_draw(hand: CardSet, board: CardSet) -> StraightDraw {
    let (all, shown) = (hand.ranks() | board.ranks(), board.ranks());
    if best_straight(all) > 0 {
        return StraightDraw::None;
    }
    // A rank that makes the board as good a straight is nobody's draw.
    let completes = |rank: &u16| best_straight(all | 1 << rank) > best_straight(shown | 1 << rank);
    match (0..13).filter(completes).count() {
        0 => StraightDraw::None,
        1 => StraightDraw::Gutshot,
        _ => StraightDraw::OpenEnded,
    }
}

/// The best straight among these ranks: 1 for A-2-3-4-5 up to 10, or 0.
pub(super) fn best_straight(ranks: u16) -> u32 {
    let line = u32::from(ranks) << 1 | u32::from(ranks >> 12 & 1);
    let lows = line & line >> 1 & line >> 2 & line >> 3 & line >> 4;
    32 - lows.leading_zeros()
}
