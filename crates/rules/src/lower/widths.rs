//! The code of a checked game for sets of one width.

use super::Lowered;
use crate::board::NOWHERE;
use crate::code::{Code, History};
use crate::lanes::{AxisLanes, Lanes, NeighbourLanes};
use crate::link::Linked;
use crate::machine::STATE;
use crate::set::{Pair, Set, Step};

impl Lowered {
    /// Returns the code for sets of `W` words.
    pub(crate) fn code<const W: usize>(&self, linked: Linked) -> Code<W> {
        let board = &self.board;
        let power = |way: usize, far: usize| {
            let next = (0..board.positions).map(|site| {
                let walk =
                    |at: u16, _| if at == NOWHERE { at } else { board.next[way][at as usize] };
                (0..far).fold(site as u16, walk)
            });
            Step::new(&next.collect::<Vec<u16>>())
        };
        let powers =
            |way: usize| (1..self.longest_line.max(2)).map(|far| power(way, far)).collect();
        let opposite = |way: usize| {
            let (x, y) = board.directions[way];
            board.directions.iter().position(|other| *other == (-x, -y)).unwrap_or(way)
        };
        let ring = board.next.first().cloned().unwrap_or_default();
        let steps: Vec<Step<W>> = board.next.iter().map(|next| Step::new(next)).collect();
        let ways = board.ways().end;
        let walk = |way: usize, from: usize| {
            let next =
                |at: &u16| Some(board.next[way][usize::from(*at)]).filter(|to| *to != NOWHERE);
            std::iter::successors(Some(from as u16), next).take(board.positions).count() - 1
        };
        let walks = (0..ways).flat_map(|way| (0..board.positions).map(move |from| (way, from)));
        let longest = || walks.map(|(way, from)| walk(way, from)).max().unwrap_or(0);
        let pairs = || board.axes().map(|way| (&steps[way], &steps[opposite(way)]));
        let neighbours = Lanes::new(pairs()).map(|lanes| NeighbourLanes::new(lanes, longest()));
        let pairs = pairs().map(|(one, other)| Pair::new(one, other)).collect::<Option<Vec<_>>>();
        let pairs = pairs.filter(|pairs| 2 * pairs.len() == ways).unwrap_or_default();
        let axes: Vec<(Vec<Step<W>>, Vec<Step<W>>)> =
            board.axes().map(|way| (powers(way), powers(opposite(way)))).collect();
        let far = |at: usize| Lanes::new(axes.iter().map(|axis| (&axis.0[at], &axis.1[at])));
        let axis_lanes = (0..self.longest_line.max(2) - 1).map(far).collect::<Option<_>>();
        let constants = self.listing.constants.iter().map(|set| set.resized()).collect();
        let fan = linked.ways.iter().map(|list| list.iter().map(|&way| &steps[usize::from(way)]));
        let fans = fan.map(|steps| steps.cloned().collect()).collect();
        Code {
            linked,
            constants,
            fans,
            steps,
            ways,
            axes,
            neighbours,
            pairs,
            axis_lanes: axis_lanes.map(AxisLanes),
            all: board.all.resized(),
            ring,
            opposite: self.opposite(),
            bounds: self.listing.bounds.clone(),
            numbers: self.bounds(),
            suits: self.cards.suits.max(1),
            suit_sets: self.suit_sets(),
            worth: self.cards.worth.clone(),
            tables: self
                .tables
                .iter()
                .map(|table| table.iter().map(|set| set.resized()).collect())
                .collect(),
            loops: self.loops.clone(),
            history: self.history(),
            chain: self.chain.map(|chain| STATE as u8 + chain),
        }
    }

    /// Returns the cards of each suit.
    fn suit_sets<const W: usize>(&self) -> Vec<Set<W>> {
        let (suits, ranks) = (self.cards.suits.max(1), self.cards.worth.len());
        let cards = |suit: usize| Set::of((0..ranks).map(|rank| rank * suits + suit));
        (0..suits).map(cards).collect()
    }

    /// Returns the pit on the other side of each pit of a track.
    fn opposite(&self) -> Vec<u16> {
        let board = &self.board;
        let across = |at: usize| {
            let (x, y) = board.places[at];
            let found = board.places.iter().position(|&place| place == (x, 1 - y));
            found.unwrap_or(at) as u16
        };
        (0..board.positions).map(across).collect()
    }

    /// Returns which changes of which sets a state remembers.
    pub(crate) fn history(&self) -> Option<History> {
        self.history.map(|history| History { sets: self.piece_sets(), ..history })
    }

    /// Returns the registers of pieces as bits.
    fn piece_sets(&self) -> u64 {
        let seats = |shared: bool| if shared { 1 } else { self.players as u8 };
        let sets = self
            .pieces
            .iter()
            .flat_map(|piece| piece.register..piece.register + seats(piece.shared));
        sets.fold(0, |all, set| all | 1 << set)
    }

    pub(crate) fn bounds(&self) -> Vec<(i16, i16, bool)> {
        let mut bounds = vec![(i16::MIN, i16::MAX, false); self.registers];
        for number in &self.numbers {
            let count = if number.each { self.players } else { 1 };
            for register in number.register..number.register + count as u8 {
                bounds[register as usize] = (number.low, number.high, number.capped);
            }
        }
        bounds
    }
}
