//! Draws and outs on the flop and the turn.

use serde::{Deserialize, Serialize};

use super::{AnalysisError, check};
use crate::{CardRank, CardSet, Category, Suit, rank};

/// The flush draw of a hand, with at least one hole card of the suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlushDraw {
    /// No draw, or already made.
    None,
    /// A backdoor draw: two cards to come on the flop.
    Backdoor,
    /// One card to come.
    Draw,
    /// One card to come, and the player holds the highest missing card of the suit.
    NutDraw,
}

/// The straight draw of a hand, beyond the draws of the board itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StraightDraw {
    /// No draw, or already made.
    None,
    /// One rank completes it.
    Gutshot,
    /// Two ranks or more complete it: open-ended, or a double gutshot.
    OpenEnded,
}

/// The draws of a hand on the flop or the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draws {
    /// The category of the made hand.
    pub made: Category,
    /// The flush draw.
    pub flush: FlushDraw,
    /// The straight draw.
    pub straight: StraightDraw,
    /// The number of hole cards above all board cards.
    pub overcards: usize,
    /// The cards that improve the hand to a better category, above the category
    /// that the board alone then has.
    pub outs: CardSet,
}

/// Finds the draws and outs of a hand on the flop or the turn.
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
/// When the hand does not have two cards, or the board three or four.
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

/// The cards that put a hand ahead of another, or tie it, on the next street;
/// empty when it is ahead already.
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
    let wins_or_ties = |card: &crate::Card| {
        let board = board | CardSet::of(*card);
        rank(hand | board) >= rank(opponent | board)
    };
    Ok((!(hand | opponent | board)).into_iter().filter(wins_or_ties).collect())
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
    // A rank that gives the board the same straight is no draw of this hand.
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
