//! Exact equities of known hands from the flop on, without any allocation but the
//! result.

use super::seats::check_input;
use super::{Equity, EquityError, EquityOptions, EquityProgress, Holding, Method, patterns};
use crate::{CardSet, Category, Variant};

/// The equities of hold'em players whose cards are all known on a board of three
/// to five cards; `None` for any other input.
pub(crate) fn equity(
    players: &[Holding],
    board: CardSet,
    options: &EquityOptions,
    progress: &EquityProgress,
) -> Result<Option<Equity>, EquityError> {
    let all_known = players.iter().all(|player| matches!(player, Holding::Hand(_)));
    let sampled = options.method == Method::Sample;
    if !all_known || sampled || board.len() < 3 || options.variant != Variant::Holdem {
        return Ok(None);
    }
    check_input(players, board, options)?;
    let known = players.iter().fold(board | options.dead, |known, player| known | hand(player));
    let (deck, missing) = (!known, 5 - board.len());
    if missing > deck.len() {
        return Err(EquityError::DeckTooSmall { needed: missing, left: deck.len() });
    }
    if progress.is_stopped() {
        return Err(EquityError::Stopped);
    }
    let categories = options.categories;
    Ok(Some(match players.len() {
        2 => count::<2, 4>(players, board, deck, categories),
        3 => count::<3, 8>(players, board, deck, categories),
        4 => count::<4, 16>(players, board, deck, categories),
        5 => count::<5, 32>(players, board, deck, categories),
        6 => count::<6, 64>(players, board, deck, categories),
        7 => count::<7, 128>(players, board, deck, categories),
        8 => count::<8, 256>(players, board, deck, categories),
        9 => count::<9, 512>(players, board, deck, categories),
        _ => count::<10, 1024>(players, board, deck, categories),
    }))
}

fn hand(player: &Holding) -> CardSet {
    match player {
        Holding::Hand(hand) => *hand,
        Holding::Range(_) | Holding::Random => CardSet::EMPTY,
    }
}

fn count<const N: usize, const SETS: usize>(
    players: &[Holding],
    board: CardSet,
    deck: CardSet,
    categories: bool,
) -> Equity {
    let hands: [CardSet; N] = std::array::from_fn(|player| hand(&players[player]));
    let mut by_category = [[0.0; Category::ALL.len()]; N];
    let by_winners: [i64; SETS] =
        patterns::count_winners(hands, board, deck, |player, rank, boards| {
            if categories {
                by_category[player][rank.category() as usize] += boards as f64;
            }
        });
    let by_winners = by_winners.map(|boards| boards as f64);
    Equity::from_counts(&by_winners, categories.then_some(&by_category[..]), Method::Exact)
}
