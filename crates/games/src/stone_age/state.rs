//! The initial state, and state operations shared by all phases.

use meeple_game::Player;

use super::data::{STACK, SUPPLY};
use super::{CardSet, Config, MAX_LEVEL, MAX_TOOL, Phase, SEATS, Step, StoneAge, TileSet, Tribe};

impl Tribe {
    pub(super) const START: Self = Self {
        cards: CardSet(0),
        buildings: TileSet(0),
        food: 12,
        score: 0,
        resources: [0; 4],
        one_use: 0,
        todo: 0,
        figures: 5,
        available: 5,
        agriculture: 0,
        tools: [0; 3],
        used: 0,
    };

    /// The total number of resources.
    #[inline]
    pub(super) fn total_resources(&self) -> u16 {
        self.resources.iter().sum()
    }

    /// The sum of all tool values.
    #[inline]
    pub(super) fn tool_value(&self) -> u8 {
        self.tools.iter().sum()
    }

    /// The resources packed into one byte each, capped at 7, the largest payment.
    #[inline]
    pub(super) fn packed_resources(&self) -> u32 {
        u32::from_le_bytes(self.resources.map(|pieces| pieces.min(7) as u8))
    }

    /// Raises the lowest tool by one, up to the maximum.
    #[inline]
    pub(super) fn raise_tool(&mut self) {
        let [one, two, three] = self.tools;
        let lowest = if two < one {
            if three < two { 2 } else { 1 }
        } else if three < one {
            2
        } else {
            0
        };
        if self.tools[lowest] < MAX_TOOL {
            self.tools[lowest] += 1;
        }
    }

    /// Raises the agriculture level by one, up to the maximum.
    #[inline]
    pub(super) fn raise_agriculture(&mut self) {
        self.agriculture = (self.agriculture + 1).min(MAX_LEVEL);
    }

    /// The number of one-use tools.
    #[inline]
    pub(super) const fn one_use_count(&self) -> u8 {
        ((16 - self.one_use.leading_zeros()).div_ceil(4)) as u8
    }

    /// Inserts a one-use tool, sorted by value.
    pub(super) fn add_one_use(&mut self, value: u8) {
        let tools = 0..u16::from(self.one_use_count());
        let at = tools.filter(|&at| self.one_use(at) < value).count();
        let lower = self.one_use & ((1 << (4 * at)) - 1);
        self.one_use = lower | u16::from(value) << (4 * at) | (self.one_use ^ lower) << 4;
    }

    /// The value of one-use tool number `at`.
    #[inline]
    pub(super) const fn one_use(&self, at: u16) -> u8 {
        ((self.one_use >> (4 * at)) & 15) as u8
    }
}

impl StoneAge {
    /// The initial state, before any card or tile is revealed.
    pub(super) fn start(config: &Config) -> Self {
        let players = config.players.get();
        let mut stacks = [0; 4];
        stacks[..players].fill(STACK);
        Self {
            tribes: [Tribe::START; SEATS],
            deck: CardSet::ALL,
            tiles: TileSet::ALL,
            moves: 0,
            switches: config.switches(),
            vacant: 0,
            places: [[0; SEATS]; 8],
            room: [0; 4],
            supply: SUPPLY,
            cards: [-1; 4],
            card_figures: [-1; 4],
            buildings: [-1; 4],
            building_figures: [-1; 4],
            stacks,
            gifts: [0; 4],
            players: players as u8,
            round: 0,
            first: 0,
            active: 0,
            resolver: 0,
            phase: Phase::Place,
            step: Step::RevealCard,
            asked: 0,
            place: 0,
            done: 0,
            fed: 0,
            passed: 0,
            blocked: 0,
            dice: 0,
            pending: 0,
            slot: 0,
            picks: 0,
            gift: 0,
            rolling: 0,
            rolling_for: 0,
            needed: 0,
            paying: false,
            hidden_card: -1,
            hidden_holder: -1,
            two_holder: -1,
            forced: config.forced,
        }
    }

    /// The number of decisions made so far.
    #[must_use]
    pub const fn move_number(&self) -> u32 {
        self.moves
    }

    /// The number of complete rounds played.
    #[must_use]
    pub const fn round(&self) -> u32 {
        self.round as u32
    }

    /// The points of `player`, including the final scoring once the game is over.
    ///
    /// # Panics
    ///
    /// If there is no such seat.
    #[must_use]
    pub fn score(&self, player: Player) -> i32 {
        i32::from(self.seated()[player.index()].score)
    }

    #[inline]
    pub(super) fn seated(&self) -> &[Tribe] {
        &self.tribes[..self.players as usize]
    }

    #[inline]
    pub(super) fn me(&self) -> &Tribe {
        &self.tribes[(self.active & 3) as usize]
    }

    #[inline]
    pub(super) fn me_mut(&mut self) -> &mut Tribe {
        &mut self.tribes[(self.active & 3) as usize]
    }

    /// The seat `steps` after `seat`.
    #[inline]
    pub(super) const fn after(&self, seat: u8, steps: u8) -> u8 {
        let next = seat + steps;
        if next >= self.players { next - self.players } else { next }
    }

    /// Makes `step` the next decision of the active player.
    #[inline]
    pub(super) fn await_decision(&mut self, step: Step) {
        self.step = step;
        self.asked = match step {
            Step::Place | Step::Choose => 0,
            other => other as u8 - 1,
        };
    }

    /// Gives a player up to `amount` of a resource, limited by the supply.
    #[inline]
    pub(super) fn gain(&mut self, seat: u8, kind: usize, amount: u16) {
        let mut got = amount;
        if self.limited_supply() {
            got = got.min(u16::from(self.supply[kind]));
            self.supply[kind] -= got as u8;
        }
        self.tribes[seat as usize].resources[kind] += got;
    }

    /// Returns a resource of the active player to the supply.
    #[inline]
    pub(super) fn give_back(&mut self, kind: usize, amount: u8) {
        self.me_mut().resources[kind] -= u16::from(amount);
        if self.limited_supply() {
            self.supply[kind] += amount;
        }
    }

    /// Plays forced decisions until the player has a choice.
    #[inline(never)]
    pub(super) fn skip_forced(&mut self) {
        while let Some(only) = self.only_legal() {
            self.apply_step(only);
        }
    }

    /// Applies one action or chance outcome, without skipping forced decisions.
    #[inline]
    pub(super) fn apply_step(&mut self, id: u16) {
        match self.step {
            Step::Place => self.place_figures(id),
            Step::Choose => self.choose(id),
            Step::Tools => self.use_tool(id),
            Step::PayBuilding => self.pay_building(id),
            Step::PayCard => self.pay_card(id),
            Step::TakeAny => self.take_any(id),
            Step::TakeGift => self.take_gift(id),
            Step::TakeCard => self.take_card(id),
            Step::Feed => self.feed(id),
            _ => self.apply_outcome(id),
        }
    }
}
