//! Monte Carlo sampling: random deals in numbered batches.
//!
//! This is rejection sampling of whole deals, never of single cards. The board is
//! drawn from two lists, of all three-card and all two-card sets, by one random
//! number; narrow ranges are drawn jointly from one list of the combinations that
//! do not conflict. A deal in which parts share a card is rejected as a whole, by
//! not advancing in the block, which keeps the distribution of deals exact.

use meeple_rng::Rng;

use super::alias::Alias;
use super::block::{Block, SIZE};
use super::draw::draw_cards;
use super::parallel::run_batches;
use super::seats::{Seat, Seats, for_each_subset};
use super::tally::Tally;
use super::{EquityError, EquityOptions, EquityProgress};
use crate::CardSet;

/// Deals per batch; each batch has its own random stream.
const BATCH: u64 = 1 << 15;
/// Batches whose results are held in memory at once.
const ROUND: u64 = 1 << 12;
/// Ranges are sampled jointly up to this many combinations of hands.
const MAX_JOINT: usize = 1 << 14;
/// The number of consecutive rejections after which sampling fails.
const MAX_TRIES: u64 = 20_000_000;

/// The number of consecutive rejections between two checks for cancellation.
const CHECK_INTERVAL: u64 = 1 << 14;

/// Samples as many deals as the options request, or until stopped.
pub(crate) fn sample(
    seats: &Seats,
    options: &EquityOptions,
    progress: &EquityProgress,
) -> Result<Tally, EquityError> {
    let dealer = Dealer::new(seats)?;
    progress.start_sampling();
    let root = Rng::new(options.seed);
    let batches = options.deals.div_ceil(BATCH);
    let mut sum = Tally::new(seats.seats.len(), options.categories);
    for round in (0..batches).step_by(ROUND as usize) {
        let count = ROUND.min(batches - round);
        let tallies = run_batches(count as usize, options.threads, |index| {
            let batch = round + index as u64;
            // The first batch stops by itself, after at least one block of deals, so
            // that there is a result.
            if batch > 0 && progress.is_stopped() {
                return Ok(None);
            }
            let deals = BATCH.min(options.deals - batch * BATCH);
            let rng = root.split(batch);
            dealer.deal_batch(seats, rng, deals, options.categories, progress).map(Some)
        });
        for tally in tallies {
            if let Some(tally) = tally? {
                sum.add(&tally);
            }
        }
        if progress.is_stopped() {
            break;
        }
    }
    Ok(sum)
}

/// Players whose hands are sampled jointly.
struct Group {
    players: Vec<usize>,
    /// The distribution of the combinations of hands.
    alias: Alias,
    /// `[combinations]` all cards of each combination.
    cards: Vec<CardSet>,
    /// `[combinations][players]` hands.
    hands: Vec<CardSet>,
}

/// The sampler of deals.
struct Dealer {
    /// Players with known hands.
    fixed: Vec<(usize, CardSet)>,
    groups: Vec<Group>,
    /// Players with random cards.
    random: Vec<usize>,
    /// The cards that can be dealt, and the sets of three and two of them.
    deck: Vec<CardSet>,
    threes: Vec<CardSet>,
    twos: Vec<CardSet>,
}

impl Dealer {
    fn new(seats: &Seats) -> Result<Self, EquityError> {
        let mut dealer = Self {
            fixed: Vec::new(),
            groups: Vec::new(),
            random: Vec::new(),
            deck: seats.deck.into_iter().map(CardSet::of).collect(),
            threes: Vec::new(),
            twos: Vec::new(),
        };
        let mut ranges: Vec<(usize, &[(CardSet, f64)])> = Vec::new();
        for (player, seat) in seats.seats.iter().enumerate() {
            match seat {
                Seat::Random => dealer.random.push(player),
                Seat::Hands(hands) if hands.len() == 1 => dealer.fixed.push((player, hands[0].0)),
                Seat::Hands(hands) => ranges.push((player, hands)),
            }
        }
        // Narrow ranges first, so that as many as possible are sampled jointly.
        ranges.sort_by_key(|(_, hands)| hands.len());
        dealer.groups = join_ranges(&ranges)?;
        if dealer.random.is_empty() {
            let list = |taken: usize| {
                let mut sets = Vec::new();
                for_each_subset(&dealer.deck, taken, CardSet::EMPTY, &mut |set| sets.push(set));
                sets
            };
            (dealer.threes, dealer.twos) = match seats.missing() {
                5 => (list(3), list(2)),
                2 => (vec![CardSet::EMPTY], list(2)),
                1 => (vec![CardSet::EMPTY], list(1)),
                _ => (vec![CardSet::EMPTY], vec![CardSet::EMPTY]),
            };
        }
        Ok(dealer)
    }

    fn deal_batch(
        &self,
        seats: &Seats,
        mut rng: Rng,
        deals: u64,
        categories: bool,
        progress: &EquityProgress,
    ) -> Result<Tally, EquityError> {
        let mut block = Block::new(seats.variant, seats.seats.len(), categories);
        for &(player, hand) in &self.fixed {
            block.fix_hand(player, hand);
        }
        let mut left = deals as usize;
        while left > 0 && !(progress.is_stopped() && left < deals as usize) {
            let wanted = left.min(SIZE);
            if !self.random.is_empty() {
                self.deal_cards(seats, &mut rng, &mut block, wanted, progress)?;
            } else if self.groups.is_empty() {
                self.deal_boards(seats.board, &mut rng, &mut block, wanted);
            } else {
                self.deal_groups(seats.board, &mut rng, &mut block, wanted, progress)?;
            }
            block.count(wanted);
            progress.add(wanted as u64);
            left -= wanted;
        }
        Ok(block.tally())
    }

    /// Draws a board in two parts, which may overlap.
    #[inline]
    fn draw_board(&self, rng: &mut Rng) -> (CardSet, CardSet) {
        let bits = rng.bits();
        let pick = |bits: u64, list: &[CardSet]| list[((bits * list.len() as u64) >> 32) as usize];
        (pick(bits >> 32, &self.threes), pick(bits & 0xffff_ffff, &self.twos))
    }

    /// Draws a hand for each player with a range; returns all cards used, and
    /// whether some are used twice.
    #[inline(always)]
    fn draw_hands(
        &self,
        rng: &mut Rng,
        mut used: CardSet,
        block: &mut Block,
        deal: usize,
    ) -> (CardSet, bool) {
        let mut clash = false;
        for group in &self.groups {
            let choice = group.alias.draw(rng);
            clash |= group.cards[choice].intersects(used);
            used |= group.cards[choice];
            let hands = &group.hands[choice * group.players.len()..];
            for (&player, &hand) in group.players.iter().zip(hands) {
                block.hands[player][deal] = hand;
            }
        }
        (used, clash)
    }

    /// Fills a block when all hands are known.
    fn deal_boards(&self, board: CardSet, rng: &mut Rng, block: &mut Block, wanted: usize) {
        let mut filled = 0;
        while filled < wanted {
            let (three, two) = self.draw_board(rng);
            block.boards[filled] = board | three | two;
            filled += usize::from(!three.intersects(two));
        }
    }

    /// Fills a block when some players have ranges and none random cards.
    fn deal_groups(
        &self,
        board: CardSet,
        rng: &mut Rng,
        block: &mut Block,
        wanted: usize,
        progress: &EquityProgress,
    ) -> Result<(), EquityError> {
        let mut filled = 0;
        let mut tries = 0;
        while filled < wanted {
            let (three, two) = self.draw_board(rng);
            block.boards[filled] = board | three | two;
            let (_, overlap) = self.draw_hands(rng, three | two, block, filled);
            // Branchless rejection: the next deal overwrites a rejected one.
            let clash = overlap | three.intersects(two);
            filled += usize::from(!clash);
            tries = (tries + 1) * u64::from(clash);
            if tries % CHECK_INTERVAL == CHECK_INTERVAL - 1 {
                check_tries(tries, progress)?;
            }
        }
        Ok(())
    }

    /// Fills a block when some players have random cards: draws hands from ranges
    /// first, then the rest card by card.
    fn deal_cards(
        &self,
        seats: &Seats,
        rng: &mut Rng,
        block: &mut Block,
        wanted: usize,
        progress: &EquityProgress,
    ) -> Result<(), EquityError> {
        let mut decks = [seats.deck; SIZE];
        if !self.groups.is_empty() {
            for (deal, deck) in decks[..wanted].iter_mut().enumerate() {
                *deck = seats.deck - self.deal_ranges(rng, block, deal, progress)?;
            }
        }
        draw_cards(seats, &self.random, &decks[..wanted], rng, block);
        Ok(())
    }

    /// Draws hands from the ranges until they do not conflict; returns their cards.
    fn deal_ranges(
        &self,
        rng: &mut Rng,
        block: &mut Block,
        deal: usize,
        progress: &EquityProgress,
    ) -> Result<CardSet, EquityError> {
        for tries in 1.. {
            let (used, clash) = self.draw_hands(rng, CardSet::EMPTY, block, deal);
            if !clash {
                return Ok(used);
            }
            if tries % CHECK_INTERVAL == 0 {
                check_tries(tries, progress)?;
            }
        }
        unreachable!("the number of tries is bounded")
    }
}

/// Checks for cancellation and for too many consecutive rejections.
#[cold]
fn check_tries(tries: u64, progress: &EquityProgress) -> Result<(), EquityError> {
    if progress.is_stopped() {
        return Err(EquityError::Stopped);
    }
    if tries >= MAX_TRIES { Err(EquityError::TooNarrow { tries: MAX_TRIES }) } else { Ok(()) }
}

/// Groups ranges, the narrowest first, while their combinations stay few.
fn join_ranges(ranges: &[(usize, &[(CardSet, f64)])]) -> Result<Vec<Group>, EquityError> {
    let mut groups = Vec::new();
    let mut players = Vec::new();
    // All cards, the weight and the hands of each combination.
    let mut choices = vec![(CardSet::EMPTY, 1.0, Vec::new())];
    for &(player, hands) in ranges {
        if !players.is_empty() && choices.len() * hands.len() > MAX_JOINT {
            groups.push(Group::new(std::mem::take(&mut players), &choices));
            choices = vec![(CardSet::EMPTY, 1.0, Vec::new())];
        }
        players.push(player);
        let mut joined = Vec::new();
        for (cards, weight, held) in &choices {
            for &(hand, hand_weight) in hands.iter().filter(|(hand, _)| !hand.intersects(*cards)) {
                let held = held.iter().copied().chain([hand]).collect();
                joined.push((*cards | hand, weight * hand_weight, held));
            }
        }
        if joined.is_empty() {
            return Err(EquityError::Impossible);
        }
        choices = joined;
    }
    if !players.is_empty() {
        groups.push(Group::new(players, &choices));
    }
    Ok(groups)
}

impl Group {
    fn new(players: Vec<usize>, choices: &[(CardSet, f64, Vec<CardSet>)]) -> Self {
        let weights: Vec<f64> = choices.iter().map(|choice| choice.1).collect();
        Self {
            players,
            alias: Alias::new(&weights),
            cards: choices.iter().map(|choice| choice.0).collect(),
            hands: choices.iter().flat_map(|choice| choice.2.iter().copied()).collect(),
        }
    }
}
