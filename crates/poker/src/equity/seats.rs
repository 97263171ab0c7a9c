//! The validated input of an equity calculation, with blocked hands removed.

use super::{EquityError, EquityOptions, Holding, Place};
use crate::{CardSet, Combo, Variant};

/// The possible hands of a player.
#[derive(Clone, Debug)]
pub(crate) enum Seat {
    /// Hands with their weights; one hand when the cards are known.
    Hands(Vec<(CardSet, f64)>),
    /// Random cards of the deck.
    Random,
}

impl Seat {
    /// The hand, if it is the only one.
    pub(crate) fn only_hand(&self) -> Option<CardSet> {
        match self {
            Self::Hands(hands) if hands.len() == 1 => Some(hands[0].0),
            _ => None,
        }
    }
}

/// The validated input of an equity calculation.
#[derive(Clone, Debug)]
pub(crate) struct Seats {
    pub(crate) variant: Variant,
    pub(crate) board: CardSet,
    pub(crate) seats: Vec<Seat>,
    /// The cards that are not on the board, not dead and in no known hand.
    pub(crate) deck: CardSet,
}

impl Seats {
    pub(crate) fn new(
        players: &[Holding],
        board: CardSet,
        options: &EquityOptions,
    ) -> Result<Self, EquityError> {
        let variant = options.variant;
        check_input(players, board, options)?;
        let known = board | options.dead;
        let mut seats: Vec<Seat> = players.iter().map(|player| seat(player, variant)).collect();
        let no_hand = |seat: &Seat| matches!(seat, Seat::Hands(hands) if hands.is_empty());
        if let Some(player) = seats.iter().position(no_hand) {
            return Err(EquityError::NoHand { player, variant });
        }
        let fixed = remove_blocked(&mut seats, known)?;
        let seats = Self { variant, board, seats, deck: variant.deck() - known - fixed };
        let unknown = seats.seats.iter().filter(|seat| seat.only_hand().is_none()).count();
        let needed = seats.missing() + unknown * variant.hole_cards();
        if needed > seats.deck.len() {
            return Err(EquityError::DeckTooSmall { needed, left: seats.deck.len() });
        }
        Ok(seats)
    }

    /// The number of board cards still to be dealt.
    pub(crate) fn missing(&self) -> usize {
        5 - self.board.len()
    }

    /// All players' hands, when all are known.
    pub(crate) fn only_hands(&self) -> Option<Vec<CardSet>> {
        self.seats.iter().map(Seat::only_hand).collect()
    }

    /// The number of possible hands of a player.
    pub(crate) fn hand_count(&self, seat: &Seat) -> f64 {
        match seat {
            Seat::Hands(hands) => hands.len() as f64,
            Seat::Random => choose(self.deck.len(), self.variant.hole_cards()),
        }
    }

    /// The number of final boards; an upper bound when hands are not known.
    pub(crate) fn board_count(&self) -> f64 {
        choose(self.deck.len(), self.missing())
    }

    /// Lists a player's hands.
    pub(crate) fn hands(&self, seat: &Seat) -> Vec<(CardSet, f64)> {
        match seat {
            Seat::Hands(hands) => hands.clone(),
            Seat::Random => {
                let mut hands = Vec::new();
                let deck: Vec<CardSet> = self.deck.into_iter().map(CardSet::of).collect();
                for_each_subset(&deck, self.variant.hole_cards(), CardSet::EMPTY, &mut |hand| {
                    hands.push((hand, 1.0));
                });
                hands
            }
        }
    }
}

/// The binomial coefficient: the number of ways to take `taken` of `of` cards.
pub(crate) fn choose(of: usize, taken: usize) -> f64 {
    (0..taken).fold(1.0, |ways, step| ways * (of as f64 - step as f64) / (step as f64 + 1.0))
}

/// Visits all sets of `taken` cards from `deck`, each united with `base`.
pub(crate) fn for_each_subset(
    deck: &[CardSet],
    taken: usize,
    base: CardSet,
    visit: &mut impl FnMut(CardSet),
) {
    if taken == 0 {
        visit(base);
        return;
    }
    for (index, &card) in deck.iter().enumerate() {
        if taken == 1 {
            visit(base | card);
        } else {
            for_each_subset(&deck[..index], taken - 1, base | card, visit);
        }
    }
}

/// Checks the numbers of players and cards, that every card is in the variant's
/// deck, and that it occurs only once.
pub(crate) fn check_input(
    players: &[Holding],
    board: CardSet,
    options: &EquityOptions,
) -> Result<(), EquityError> {
    if !(2..=10).contains(&players.len()) {
        return Err(EquityError::Players { found: players.len() });
    }
    if !matches!(board.len(), 0 | 3..=5) {
        return Err(EquityError::BoardSize { found: board.len() });
    }
    let variant = options.variant;
    let mut known = board | options.dead;
    let mut cards = board.len() + options.dead.len();
    for (player, holding) in players.iter().enumerate() {
        match holding {
            Holding::Hand(hand) if hand.len() != variant.hole_cards() => {
                return Err(EquityError::HandSize { player, found: hand.len(), variant });
            }
            Holding::Hand(hand) => {
                known |= *hand;
                cards += hand.len();
            }
            Holding::Range(_) if variant.hole_cards() != 2 => {
                return Err(EquityError::RangeInOmaha { player, variant });
            }
            Holding::Range(_) | Holding::Random => {}
        }
    }
    if cards == known.len() && variant.deck().contains_all(known) {
        return Ok(());
    }
    Err(card_error(players, board, options))
}

/// Finds the card that is not in the deck or occurs twice.
#[cold]
fn card_error(players: &[Holding], board: CardSet, options: &EquityOptions) -> EquityError {
    let variant = options.variant;
    let mut places = vec![(Place::Board, board), (Place::Dead, options.dead)];
    places.extend(players.iter().enumerate().filter_map(|(player, holding)| match holding {
        Holding::Hand(hand) => Some((Place::Hand(player), *hand)),
        Holding::Range(_) | Holding::Random => None,
    }));
    for (index, &(place, cards)) in places.iter().enumerate() {
        if let Some(card) = (cards - variant.deck()).first() {
            return EquityError::NotInDeck { card, place, variant };
        }
        for &(first, earlier) in &places[..index] {
            if let Some(card) = (cards & earlier).first() {
                return EquityError::Conflict { card, first, second: place };
            }
        }
    }
    unreachable!("some card is not in the deck or occurs twice")
}

fn seat(holding: &Holding, variant: Variant) -> Seat {
    match holding {
        Holding::Hand(hand) => Seat::Hands(vec![(*hand, 1.0)]),
        Holding::Random => Seat::Random,
        Holding::Range(range)
            if range.combos().filter(|hand| hand.1 == 1.0).count() == Combo::COUNT =>
        {
            Seat::Random
        }
        Holding::Range(range) => {
            let hands = range.combos().map(|(combo, weight)| (combo.cards(), weight));
            Seat::Hands(hands.filter(|(hand, _)| variant.deck().contains_all(*hand)).collect())
        }
    }
}

/// Removes the hands blocked by known cards or by the only hand of another player,
/// until nothing changes; returns the cards of all players with one hand left.
fn remove_blocked(seats: &mut [Seat], known: CardSet) -> Result<CardSet, EquityError> {
    loop {
        let only: Vec<CardSet> =
            seats.iter().map(|seat| seat.only_hand().unwrap_or_default()).collect();
        let mut changed = false;
        for (player, seat) in seats.iter_mut().enumerate() {
            let Seat::Hands(hands) = seat else { continue };
            let others = only.iter().enumerate().filter(|&(other, _)| other != player);
            let blocked = others.fold(known, |blocked, (_, &hand)| blocked | hand);
            let before = hands.len();
            hands.retain(|(hand, _)| !hand.intersects(blocked));
            changed |= hands.len() < before;
            if hands.is_empty() {
                return Err(EquityError::EmptyRange { player });
            }
        }
        if !changed {
            return Ok(only.into_iter().fold(CardSet::EMPTY, |cards, hand| cards | hand));
        }
    }
}
