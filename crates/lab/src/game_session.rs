//! A game in progress: seats, events, and the rules of visibility and undo.

use meeple_arena::{Analysis, REPLAY_VERSION, Replay};
use meeple_bots::{BotSpec, Position, SeatBot};
use meeple_game::{Action, ActionList, ChanceStream, Driver, End, Player, Rng, Turn};

use crate::Options;
use crate::error::ApiError;
use crate::keys::Access;
use crate::seats::Seat;
use crate::store::{Entry, Header};

/// Determinizations sampled to test whether a player knows another's information set.
const DETERMINIZATIONS: usize = 64;
/// The random stream of these samples.
const VISIBILITY_STREAM: u64 = u64::MAX;

/// An action or chance event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// The acting player; `None` for chance.
    pub(crate) by: Option<Player>,
    pub(crate) action: Action,
    /// The name of the action as each seat sees it; `None` if hidden, and for bots in games
    /// with people.
    pub(crate) visible_names: Vec<Option<String>>,
    /// The search statistics of a bot.
    pub(crate) analysis: Option<Analysis>,
    /// Whether the statistics are public before the game is over.
    pub(crate) open: bool,
}

/// A game in progress. Chance depends only on the seed and the event number, so an undo does
/// not change the dice.
pub(crate) struct GameSession {
    pub(crate) header: Header,
    pub(crate) driver: Driver<Box<dyn Position>>,
    pub(crate) events: Vec<Event>,
    /// Simulations per decision of bots; `None` for each bot's own setting.
    pub(crate) budget: Option<u64>,
    /// The seat whose view spectators see in a game of bots.
    pub(crate) viewpoint: Player,
    /// The bots by seat, after validation.
    specs: Vec<Option<BotSpec>>,
    bots: Vec<Option<Box<dyn SeatBot>>>,
    /// Events not saved yet.
    unwritten: Vec<Entry>,
}

impl std::fmt::Debug for GameSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GameSession").field("header", &self.header).finish_non_exhaustive()
    }
}

impl GameSession {
    /// Creates a game at `position`, its initial state. Validates the header, which may come
    /// from a request or from a file.
    pub(crate) fn new(
        header: Header,
        position: Box<dyn Position>,
        options: &Options,
    ) -> Result<Self, ApiError> {
        if header.seats.len() != position.players() {
            return Err(ApiError::BadRequest(format!(
                "seats: expected {} entries, one per seat, found {}",
                position.players(),
                header.seats.len()
            )));
        }
        header.keys.check(&header.seats)?;
        let mut specs = Vec::new();
        let table = position.info();
        for seat in &header.seats {
            let spec = seat.resolve_bot(&table, options)?;
            if let Some(spec) = &spec {
                position.bot(spec)?;
            }
            specs.push(spec);
        }
        let bots = header.seats.iter().map(|_| None).collect();
        Ok(Self {
            header,
            driver: Driver::new(position),
            events: Vec::new(),
            budget: None,
            viewpoint: Player(0),
            specs,
            bots,
            unwritten: Vec::new(),
        })
    }

    /// Takes the events that are not saved yet.
    pub(crate) fn take_unwritten(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.unwritten)
    }

    /// Puts back events that could not be saved.
    pub(crate) fn restore_unwritten(&mut self, entries: Vec<Entry>) {
        self.unwritten.splice(..0, entries);
    }

    /// Returns the state of the game.
    pub(crate) fn position(&self) -> &dyn Position {
        &**self.driver.state()
    }

    /// Returns the player who resigned.
    pub(crate) fn resigned(&self) -> Option<Player> {
        match self.driver.end() {
            Some(End::Forfeit(player)) => Some(player),
            _ => None,
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.driver.end().is_some()
    }

    /// Returns whose turn it is.
    pub(crate) fn turn(&self) -> Turn {
        if self.is_over() { Turn::Over } else { self.position().turn() }
    }

    pub(crate) fn seat(&self, player: Player) -> &Seat {
        &self.header.seats[player.index()]
    }

    pub(crate) fn humans(&self) -> impl Iterator<Item = Player> + '_ {
        Player::all(self.header.seats.len()).filter(|&player| self.seat(player).is_human())
    }

    /// Returns the bot at a seat; `None` for a person.
    pub(crate) fn bot(&self, player: Player) -> Option<&BotSpec> {
        self.specs[player.index()].as_ref()
    }

    /// Returns whether a bot is to move.
    pub(crate) fn awaits_bot(&self) -> bool {
        matches!(self.turn(), Turn::Player(player) if self.bot(player).is_some())
    }

    /// Returns the seat whose view a caller gets: their own; of several, the one to move or
    /// the last that moved. Spectators get the view of the first person or, in a game of
    /// bots, of the viewpoint.
    pub(crate) fn viewer(&self, access: Access) -> Player {
        let held = |player: &Player| access.holds(*player) && self.seat(*player).is_human();
        let Some(first) = self.humans().find(held) else {
            return self.humans().next().unwrap_or(self.viewpoint);
        };
        if let Turn::Player(player) = self.turn()
            && held(&player)
        {
            return player;
        }
        let acted = |event: &Event| event.by.filter(held);
        self.events.iter().rev().find_map(acted).unwrap_or(first)
    }

    /// Checks that a caller may see the game: with hidden information, only from a seat.
    pub(crate) fn check_visibility(&self, access: Access) -> Result<(), ApiError> {
        if self.is_public() || access.holds_a_seat() {
            return Ok(());
        }
        Err(ApiError::Forbidden("cards are hidden: expected the key of a seat".into()))
    }

    /// Returns whether spectators may see everything: perfect information, the game is over,
    /// or only bots play.
    pub(crate) fn is_public(&self) -> bool {
        !self.position().info().imperfect_information || self.is_revealed()
    }

    /// Returns whether the seed, which determines all chance events, may be shown.
    pub(crate) fn is_revealed(&self) -> bool {
        self.is_over() || self.humans().next().is_none()
    }

    /// Returns whether the statistics of a search by `searcher` reveal nothing: every person
    /// knows the searcher's whole information set.
    pub(crate) fn is_search_public(&self, searcher: Player) -> bool {
        if self.is_public() {
            return true;
        }
        let known = self.position().info_key(searcher);
        let mut rng = self.rng(VISIBILITY_STREAM);
        self.humans().all(|human| {
            human == searcher
                || (0..DETERMINIZATIONS).all(|_| {
                    self.position().determinize(human, &mut rng).info_key(searcher) == known
                })
        })
    }

    /// Returns the random generator of an event.
    pub(crate) fn rng(&self, stream: u64) -> Rng {
        Rng::new(self.header.seed).split(stream)
    }

    pub(crate) fn legal(&self) -> Vec<Action> {
        let mut actions = ActionList::new();
        if let Turn::Player(_) = self.turn() {
            self.position().legal_actions(&mut actions);
        }
        actions.to_vec()
    }

    /// Plays an action of a person.
    pub(crate) fn play(
        &mut self,
        action: Action,
        at: Option<usize>,
        access: Access,
    ) -> Result<(), ApiError> {
        if !access.holds_a_seat() {
            return Err(ApiError::Forbidden("expected the key of a seat".into()));
        }
        if at.is_some_and(|at| at != self.events.len()) {
            let now = self.events.len();
            return Err(ApiError::Conflict(format!("the game is at event {now} already")));
        }
        self.player_to_move(access)?;
        self.apply_action(action, None, false)
    }

    /// Returns the player to move, if the caller holds that seat.
    pub(crate) fn player_to_move(&self, access: Access) -> Result<Player, ApiError> {
        match self.turn() {
            Turn::Over => Err(ApiError::Conflict("the game is over".into())),
            Turn::Player(player) if access.holds(player) => Ok(player),
            _ => Err(ApiError::Conflict("it is not your turn".into())),
        }
    }

    /// Applies a legal action or a chance outcome.
    pub(crate) fn apply_action(
        &mut self,
        action: Action,
        analysis: Option<Analysis>,
        open: bool,
    ) -> Result<(), ApiError> {
        let by = match self.turn() {
            Turn::Player(player) => Some(player),
            Turn::Chance => None,
            Turn::Over => return Err(ApiError::Conflict("the game is over".into())),
        };
        let before = self.position().copy();
        self.driver.try_play(action).map_err(|error| ApiError::BadRequest(error.to_string()))?;
        self.log(&*before, by, action, analysis, open);
        Ok(())
    }

    /// Adds an event of the position `before` it, with what each seat sees of it.
    fn log(
        &mut self,
        before: &dyn Position,
        by: Option<Player>,
        action: Action,
        analysis: Option<Analysis>,
        open: bool,
    ) {
        let only_bots = self.humans().next().is_none();
        let visible_name = |seat: Player| {
            // Only viewpoints that a caller can have need names.
            if !only_bots && !self.seat(seat).is_human() {
                None
            } else if by == Some(seat) {
                Some(before.action_name(action))
            } else {
                before.told_name(action, seat)
            }
        };
        let visible_names = Player::all(self.header.seats.len()).map(visible_name).collect();
        self.unwritten.push(Entry::Did { action, analysis: analysis.clone(), open });
        self.events.push(Event { by, action, visible_names, analysis, open });
    }

    /// Samples chance events until a player is to move.
    pub(crate) fn resolve_chance(&mut self) {
        let seed = Rng::new(self.header.seed);
        while self.turn() == Turn::Chance {
            let before = self.position().copy();
            if let meeple_game::Event::Chance(outcome) =
                self.driver.next(ChanceStream::PerEvent(&seed))
            {
                self.log(&*before, None, outcome, None, false);
            }
        }
    }

    /// Returns the action of an instant bot.
    pub(crate) fn instant_action(&mut self, player: Player) -> Result<Action, ApiError> {
        let mut rng = self.rng(self.events.len() as u64);
        let Some(spec) = &self.specs[player.index()] else {
            return Err(ApiError::Conflict(format!("{player} is a person")));
        };
        let bot = match &mut self.bots[player.index()] {
            Some(bot) => bot,
            none => none.insert(self.driver.state().bot(spec)?),
        };
        let chosen = bot.choose(&**self.driver.state(), player, &mut rng);
        chosen.map_err(|forfeit| ApiError::internal("a bot failed", &forfeit))
    }

    /// Returns the number of events that remain after an undo of the last decision of a
    /// person; in a game of bots, of the last event.
    pub(crate) fn undo_target(&self) -> Result<usize, ApiError> {
        let humans = self.humans().count();
        // Revealed information cannot be taken back.
        if self.position().info().imperfect_information && humans > 0 && self.is_over() {
            let why = "the game is over and its cards are known: undo is not possible";
            return Err(ApiError::Conflict(why.into()));
        }
        if self.position().info().imperfect_information && humans > 1 {
            let why = "cards are hidden and others play: undo is not possible";
            return Err(ApiError::Conflict(why.into()));
        }
        if self.position().info().chance && humans > 1 && self.is_over() {
            let why = "the game is over and its seed is known: undo is not possible";
            return Err(ApiError::Conflict(why.into()));
        }
        let by_human = |event: &Event| event.by.is_some_and(|by| self.seat(by).is_human());
        let last = match humans {
            0 => self.events.len().checked_sub(1),
            _ => self.events.iter().rposition(by_human),
        };
        last.ok_or_else(|| ApiError::Conflict("there is no action to undo".into()))
    }

    /// Takes back the last decision.
    pub(crate) fn undo(&mut self) -> Result<(), ApiError> {
        self.rewind_to(self.undo_target()?);
        Ok(())
    }

    pub(crate) fn rewind_to(&mut self, events: usize) {
        self.events.truncate(events);
        self.driver = Driver::new(self.position().first());
        for event in &self.events {
            self.driver.try_play(event.action).expect("it was legal before");
        }
        self.bots.fill_with(|| None);
        self.unwritten.push(Entry::Back(events));
    }

    /// Resigns for the person whose view the caller has.
    pub(crate) fn resign(&mut self, access: Access) -> Result<(), ApiError> {
        if self.is_over() {
            return Err(ApiError::Conflict("the game is over".into()));
        }
        if self.humans().next().is_none() {
            return Err(ApiError::Conflict("no person plays".into()));
        }
        if !access.holds_a_seat() {
            return Err(ApiError::Forbidden("expected the key of a seat".into()));
        }
        let seat = self.viewer(access);
        self.driver.forfeit(seat);
        self.unwritten.push(Entry::Resigned(seat.0));
        Ok(())
    }

    /// Replaces the key of a seat.
    pub(crate) fn claim(&mut self, seat: Player, key: String) {
        self.header.keys.replace(seat.0, key.clone());
        self.unwritten.push(Entry::Key { seat: seat.0, key });
    }

    pub(crate) fn set_budget(&mut self, budget: Option<u64>) {
        self.budget = budget;
        self.unwritten.push(Entry::Budget(budget));
    }

    /// Returns the payoff of each seat.
    pub(crate) fn payoffs(&self) -> Vec<f32> {
        self.driver.payoffs()[..self.header.seats.len()].to_vec()
    }

    /// Returns the position before an event.
    pub(crate) fn position_at(&self, event: usize) -> Result<Box<dyn Position>, ApiError> {
        let mut position = self.position().first();
        for event in &self.events[..event] {
            let played = position.try_apply(event.action);
            played.map_err(|error| ApiError::internal("replaying", &error))?;
        }
        Ok(position)
    }

    /// Returns the game as a replay.
    pub(crate) fn replay(&self) -> Replay {
        let analysis = (self.events.iter().enumerate())
            .filter_map(|(at, event)| Some((at, event.analysis.clone()?)))
            .collect();
        Replay {
            meeple_replay: REPLAY_VERSION,
            game: self.header.game.clone(),
            config: self.position().config(),
            seed: self.header.seed,
            bots: self.header.seats.iter().map(ToString::to_string).collect(),
            actions: self.events.iter().map(|event| event.action).collect(),
            payoffs: self.payoffs(),
            forfeit: None,
            analysis,
        }
    }
}
