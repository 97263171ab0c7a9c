//! Sampled equities: random deals in numbered batches.
//!
//! Nothing is rejected card by card. The board is drawn from two lists, of all
//! three-card and all two-card sets, with one random number; narrow ranges are
//! drawn together from one list of the choices that do not clash. A deal whose
//! parts meet is dropped as a whole, by not moving on in the block, which leaves
//! every possible deal as likely as it should be.

use meeple_rng::Rng;

use super::alias::Alias;
use super::block::{Block, SIZE};
use super::draw::draw_cards;
use super::parallel::run_batches;
use super::seats::{Seat, Seats, for_each_subset};
use super::tally::Tally;
use super::{EquityError, EquityOptions, Progress};
use crate::CardSet;

/// Deals of one batch: each batch has a random stream of its own.
const BATCH: u64 = 1 << 15;
/// Batches whose results are held at once.
const ROUND: u64 = 1 << 12;
/// Ranges are drawn together while their choices are at most this many.
const JOINT: usize = 1 << 14;
/// So many choices of hands in a row that clash end the attempt.
const TRIES: u64 = 20_000_000;

/// Draws of hands in a row that clash between two looks at whether to stop.
const LOOK_EVERY: u64 = 1 << 14;

/// Samples as many deals as the options say, or until told to stop.
pub(crate) fn sample(
    seats: &Seats,
    options: &EquityOptions,
    progress: &Progress,
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
            // The first batch ends by itself, after as many deals as there was time for.
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

/// Players whose hands are drawn together.
struct Group {
    players: Vec<usize>,
    odds: Alias,
    /// `[choices]` all cards of each choice.
    cards: Vec<CardSet>,
    /// `[choices][players]` hands.
    hands: Vec<CardSet>,
}

/// Everything needed to deal.
struct Dealer {
    /// The hands that are known.
    fixed: Vec<(usize, CardSet)>,
    groups: Vec<Group>,
    /// Players with any cards.
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
        // Narrow ranges first: the more of them are drawn together the better.
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
        progress: &Progress,
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

    /// A random board, or two halves that meet.
    #[inline]
    fn draw_board(&self, rng: &mut Rng) -> (CardSet, CardSet) {
        let bits = rng.bits();
        let pick = |bits: u64, list: &[CardSet]| list[((bits * list.len() as u64) >> 32) as usize];
        (pick(bits >> 32, &self.threes), pick(bits & 0xffff_ffff, &self.twos))
    }

    /// Draws a hand for each player with a range; all cards used then, and
    /// whether some were used twice.
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
            let choice = group.odds.draw(rng);
            clash |= group.cards[choice].meets(used);
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
            filled += usize::from(!three.meets(two));
        }
    }

    /// Fills a block when some hands are ranges.
    fn deal_groups(
        &self,
        board: CardSet,
        rng: &mut Rng,
        block: &mut Block,
        wanted: usize,
        progress: &Progress,
    ) -> Result<(), EquityError> {
        let mut filled = 0;
        let mut tries = 0;
        while filled < wanted {
            let (three, two) = self.draw_board(rng);
            block.boards[filled] = board | three | two;
            let (_, meets) = self.draw_hands(rng, three | two, block, filled);
            let clash = meets | three.meets(two);
            filled += usize::from(!clash);
            tries = (tries + 1) * u64::from(clash);
            if tries % LOOK_EVERY == LOOK_EVERY - 1 {
                check_tries(tries, progress)?;
            }
        }
        Ok(())
    }

    /// Fills a block when some players hold any cards: ranges first, then card
    /// by card.
    fn deal_cards(
        &self,
        seats: &Seats,
        rng: &mut Rng,
        block: &mut Block,
        wanted: usize,
        progress: &Progress,
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

    /// Draws the ranges' hands until they do not clash; their cards.
    fn deal_ranges(
        &self,
        rng: &mut Rng,
        block: &mut Block,
        deal: usize,
        progress: &Progress,
    ) -> Result<CardSet, EquityError> {
        for tries in 1.. {
            let (used, clash) = self.draw_hands(rng, CardSet::EMPTY, block, deal);
            if !clash {
                return Ok(used);
            }
            if tries % LOOK_EVERY == 0 {
                check_tries(tries, progress)?;
            }
        }
        unreachable!("tries run out before numbers do")
    }
}

/// Whether to go on after so many draws in a row that clash.
#[cold]
fn check_tries(tries: u64, progress: &Progress) -> Result<(), EquityError> {
    if progress.is_stopped() {
        return Err(EquityError::Stopped);
    }
    if tries >= TRIES { Err(EquityError::TooNarrow { tries: TRIES }) } else { Ok(()) }
}

/// Groups ranges, the narrowest first, as long as their choices stay few.
fn join_ranges(ranges: &[(usize, &[(CardSet, f64)])]) -> Result<Vec<Group>, EquityError> {
    let mut groups = Vec::new();
    let mut players = Vec::new();
    // All cards, the weight and the hands of each choice.
    let mut choices = vec![(CardSet::EMPTY, 1.0, Vec::new())];
    for &(player, hands) in ranges {
        if !players.is_empty() && choices.len() * hands.len() > JOINT {
            groups.push(Group::new(std::mem::take(&mut players), &choices));
            choices = vec![(CardSet::EMPTY, 1.0, Vec::new())];
        }
        players.push(player);
        let mut joined = Vec::new();
        for (cards, weight, held) in &choices {
            for &(hand, hand_weight) in hands.iter().filter(|(hand, _)| !hand.meets(*cards)) {
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
            odds: Alias::new(&weights),
            cards: choices.iter().map(|choice| choice.0).collect(),
            hands: choices.iter().flat_map(|choice| choice.2.iter().copied()).collect(),
        }
    }
}
