//! `meeple rank`: the rank of poker hands.

use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use meeple_poker::{CardSet, Category, Rank, Variant, try_rank};
use serde::Serialize;

use crate::args::{self, PokerGame};
use crate::failure::Failure;
use crate::{Outcome, show};

/// Rank poker hands, and mark the winner
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple rank AsKdQhJcTs9s2d\n         \
                        meeple rank AhAs KdQc --board 2c7h9dTsJc")]
pub(crate) struct RankArgs {
    /// Cards of a hand: five to seven, or the hole cards if --board is given
    #[arg(required = true, value_name = "CARDS")]
    hands: Vec<String>,
    /// Community cards, three to five
    #[arg(long, value_name = "CARDS")]
    board: Option<String>,
    /// Poker variant
    #[arg(long, value_name = "GAME", default_value = "holdem")]
    game: PokerGame,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Ranked {
    cards: String,
    /// 1 to 7,462 in hold'em and Omaha; higher wins.
    rank: u16,
    category: Category,
    description: String,
    best: bool,
}

pub(crate) fn run(args: &RankArgs) -> Outcome {
    let board = args.board.as_ref().map(|board| args::cards("--board", board)).transpose()?;
    let hands: Vec<CardSet> = (1..)
        .zip(&args.hands)
        .map(|(number, text)| args::cards(&format!("hand {number}"), text))
        .collect::<Result<_, _>>()?;
    let variant = args.game.variant();
    let mut used = board.unwrap_or_default();
    let mut ranks = Vec::new();
    for (number, &hand) in (1..).zip(&hands) {
        if board.is_some() {
            if let Some(card) = (hand & used).first() {
                let taken = format!("hand {number}: {card} is on the board or in another hand");
                return Err(Failure::Usage(anyhow!(taken)));
            }
            used |= hand;
        }
        ranks
            .push(rank(variant, hand, board).map_err(|expected| {
                Failure::Usage(anyhow!("hand {number}, {hand}: {expected}"))
            })?);
    }
    let best = ranks.iter().copied().max();
    let ranked: Vec<Ranked> = hands
        .iter()
        .zip(&ranks)
        .map(|(hand, rank)| Ranked {
            cards: hand.to_string(),
            rank: rank.number(),
            category: rank.category(),
            description: rank.to_string(),
            best: Some(*rank) == best,
        })
        .collect();
    if args.json {
        show::print_json(&ranked)?;
    } else {
        show::print(&text(&ranked))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the rank of a hand, or a message with what was expected.
fn rank(variant: Variant, hand: CardSet, board: Option<CardSet>) -> Result<Rank, String> {
    if let Some(card) = ((hand | board.unwrap_or_default()) - variant.deck()).first() {
        return Err(format!("{card} is not in the deck of {variant}"));
    }
    match (board, variant) {
        (Some(board), _) => variant.rank(hand, board).ok_or_else(|| {
            let (cards, held) = (hand.len(), variant.hole_cards());
            let on_board = board.len();
            format!(
                "expected {held} cards and a board of 3 to 5 in {variant}, found {cards} and {on_board}"
            )
        }),
        (None, Variant::Holdem) => {
            try_rank(hand).ok_or_else(|| format!("expected 5 to 7 cards, found {}", hand.len()))
        }
        (None, _) => Err(format!("{variant} needs a --board")),
    }
}

fn text(ranked: &[Ranked]) -> String {
    let mut table = show::table(&["cards", "hand", "", "rank"], 3);
    for hand in ranked {
        let best = if hand.best && ranked.len() > 1 { "best" } else { "" };
        let rank = show::grouped(u64::from(hand.rank));
        table.add_row([&hand.cards, &hand.description, best, &rank]);
    }
    show::text_of(&table)
}
