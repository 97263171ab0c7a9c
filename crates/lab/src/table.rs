//! A game in progress: who sits where, what has happened, and what may happen next.

use meeple_arena::{BotSpec, Position, REPLAY_VERSION, Replay, SeatBot, Thought};
use meeple_game::{Action, ActionList, Player, Rng, Turn};

use crate::Options;
use crate::keys::Access;
use crate::refusal::Refusal;
use crate::seats::Seat;
use crate::store::{Entry, Head};

/// Worlds that are dealt to find out whether somebody knows what another knows.
const WORLDS: usize = 64;
/// The stream of a game's seed that decides what a player is told.
const TELLING: u64 = u64::MAX;

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// Who did it; nobody for luck.
    pub(crate) by: Option<Player>,
    pub(crate) action: Action,
    /// What each seat was told; bots are told nothing where persons play.
    pub(crate) told: Vec<Option<String>>,
    /// What a bot thought.
    pub(crate) thought: Option<Thought>,
    /// Whether those who watch may know the thought before the game is over.
    pub(crate) open: bool,
}

/// A game in progress. All luck comes from the seed and the number of the event, so
/// taking back does not change the dice.
pub(crate) struct Table {
    pub(crate) head: Head,
    pub(crate) position: Box<dyn Position>,
    pub(crate) events: Vec<Event>,
    pub(crate) resigned: Option<Player>,
    /// Simulations of each decision of bots; nothing for what the bot says.
    pub(crate) budget: Option<u64>,
    /// Whose side is shown where no person sits.
    pub(crate) watched: Player,
    /// The bots that sit here, as they were admitted.
    specs: Vec<Option<BotSpec>>,
    bots: Vec<Option<Box<dyn SeatBot>>>,
    /// What is not written down yet.
    unwritten: Vec<Entry>,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("head", &self.head).finish_non_exhaustive()
    }
}

impl Table {
    /// A table at which nothing has happened yet, beginning at `position`. Everything
    /// that `head` says is checked here, whether it comes from a request or from a file.
    pub(crate) fn new(
        head: Head,
        position: Box<dyn Position>,
        options: &Options,
    ) -> Result<Self, Refusal> {
        if head.seats.len() != position.players() {
            return Err(Refusal::Wrong(format!(
                "seats: the table has {}, expected as many entries, found {}",
                position.players(),
                head.seats.len()
            )));
        }
        head.keys.check(&head.seats)?;
        let mut specs = Vec::new();
        for seat in &head.seats {
            let spec = seat.admit(options)?;
            if let Some(spec) = &spec {
                position.bot(spec)?;
            }
            specs.push(spec);
        }
        let bots = head.seats.iter().map(|_| None).collect();
        Ok(Self {
            head,
            position,
            events: Vec::new(),
            resigned: None,
            budget: None,
            watched: Player(0),
            specs,
            bots,
            unwritten: Vec::new(),
        })
    }

    /// What has happened since this was last asked.
    pub(crate) fn take_unwritten(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.unwritten)
    }

    /// Gives back what could not be written.
    pub(crate) fn keep_unwritten(&mut self, entries: Vec<Entry>) {
        self.unwritten.splice(..0, entries);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.position.turn() == Turn::Over
    }

    /// Who decides now.
    pub(crate) fn turn(&self) -> Turn {
        if self.is_over() { Turn::Over } else { self.position.turn() }
    }

    pub(crate) fn seat(&self, player: Player) -> &Seat {
        &self.head.seats[player.index()]
    }

    pub(crate) fn persons(&self) -> impl Iterator<Item = Player> + '_ {
        Player::all(self.head.seats.len()).filter(|&player| self.seat(player).is_person())
    }

    /// The bot at a seat; nothing for a person.
    pub(crate) fn bot(&self, player: Player) -> Option<&BotSpec> {
        self.specs[player.index()].as_ref()
    }

    /// Whether a bot is to decide.
    pub(crate) fn awaits_bot(&self) -> bool {
        matches!(self.turn(), Turn::Player(player) if self.bot(player).is_some())
    }

    /// Whose side of the table a caller is shown: their own; of several the one that
    /// decides or decided last. Others look on from the first person's side, or, where
    /// only bots play, from the one that is watched.
    pub(crate) fn viewer(&self, access: Access) -> Player {
        let held = |player: &Player| access.holds(*player) && self.seat(*player).is_person();
        let Some(first) = self.persons().find(held) else {
            return self.persons().next().unwrap_or(self.watched);
        };
        if let Turn::Player(player) = self.turn()
            && held(&player)
        {
            return player;
        }
        let decided = |event: &Event| event.by.filter(held);
        self.events.iter().rev().find_map(decided).unwrap_or(first)
    }

    /// Checks that a caller may see the table at all: where cards are hidden, only from
    /// a seat.
    pub(crate) fn check_look(&self, access: Access) -> Result<(), Refusal> {
        if self.is_open() || access.holds_a_seat() {
            return Ok(());
        }
        Err(Refusal::Forbidden("cards are hidden: expected the key of a seat".into()))
    }

    /// Whether nothing is hidden from those who look on: the game has no secrets, or is
    /// over, or nobody plays whom they could help.
    pub(crate) fn is_open(&self) -> bool {
        !self.position.info().imperfect_information || self.is_revealed()
    }

    /// Whether the seed may be known, from which all that is to come follows.
    pub(crate) fn is_revealed(&self) -> bool {
        self.is_over() || self.persons().next().is_none()
    }

    /// Whether every person may know what `thinker` thinks: whether they know all that
    /// it knows. Then its thoughts follow from what they see.
    pub(crate) fn is_open_mind(&self, thinker: Player) -> bool {
        if self.is_open() {
            return true;
        }
        let known = self.position.info_key(thinker);
        let mut rng = self.rng(TELLING);
        self.persons().all(|person| {
            person == thinker
                || (0..WORLDS)
                    .all(|_| self.position.determinize(person, &mut rng).info_key(thinker) == known)
        })
    }

    /// The stream of luck of an event.
    pub(crate) fn rng(&self, stream: u64) -> Rng {
        Rng::new(self.head.seed).split(stream)
    }

    pub(crate) fn legal(&self) -> Vec<Action> {
        let mut actions = ActionList::new();
        if let Turn::Player(_) = self.turn() {
            self.position.legal_actions(&mut actions);
        }
        actions.to_vec()
    }

    /// A person plays.
    pub(crate) fn play(
        &mut self,
        action: Action,
        at: Option<usize>,
        access: Access,
    ) -> Result<(), Refusal> {
        if !access.holds_a_seat() {
            return Err(Refusal::Forbidden("expected the key of a seat".into()));
        }
        if at.is_some_and(|at| at != self.events.len()) {
            let now = self.events.len();
            return Err(Refusal::Conflict(format!("the table has moved on to event {now}")));
        }
        self.decider(access)?;
        self.did(action, None, false)
    }

    /// The person who decides, if the caller holds that seat.
    pub(crate) fn decider(&self, access: Access) -> Result<Player, Refusal> {
        match self.turn() {
            Turn::Over => Err(Refusal::Conflict("the game is over".into())),
            Turn::Player(player) if access.holds(player) => Ok(player),
            _ => Err(Refusal::Conflict("it is not your turn".into())),
        }
    }

    /// Something happens: it must be one of the choices.
    pub(crate) fn did(
        &mut self,
        action: Action,
        thought: Option<Thought>,
        open: bool,
    ) -> Result<(), Refusal> {
        let by = match self.turn() {
            Turn::Player(player) => Some(player),
            Turn::Chance => None,
            Turn::Over => return Err(Refusal::Conflict("the game is over".into())),
        };
        let before = self.position.copy();
        self.position.try_apply(action).map_err(|error| Refusal::Wrong(error.to_string()))?;
        let nobody_plays = self.persons().next().is_none();
        let tell = |seat: Player| {
            // Only those who look need to be told.
            if !nobody_plays && !self.seat(seat).is_person() {
                None
            } else if by == Some(seat) {
                Some(before.action_name(action))
            } else {
                before.told_name(action, seat)
            }
        };
        let told = Player::all(self.head.seats.len()).map(tell).collect();
        self.unwritten.push(Entry::Did { action, thought: thought.clone(), open });
        self.events.push(Event { by, action, told, thought, open });
        Ok(())
    }

    /// Lets luck decide until somebody else does.
    pub(crate) fn let_luck_decide(&mut self) -> Result<(), Refusal> {
        while self.turn() == Turn::Chance {
            let outcome = self.position.sample_chance(&mut self.rng(self.events.len() as u64));
            self.did(outcome, None, false)?;
        }
        Ok(())
    }

    /// What a bot does that needs no time.
    pub(crate) fn ask_bot(&mut self, player: Player) -> Result<Action, Refusal> {
        let mut rng = self.rng(self.events.len() as u64);
        let Some(spec) = &self.specs[player.index()] else {
            return Err(Refusal::Conflict(format!("{player} is a person")));
        };
        let bot = match &mut self.bots[player.index()] {
            Some(bot) => bot,
            none => none.insert(self.position.bot(spec)?),
        };
        let chosen = bot.choose(&*self.position, player, &mut rng);
        chosen.map_err(|forfeit| Refusal::failed("a bot failed", &forfeit))
    }

    /// The events that are left when the last decision of a person and all that followed
    /// is taken back; where only bots play, all but the last.
    pub(crate) fn undone(&self) -> Result<usize, Refusal> {
        let persons = self.persons().count();
        // What was seen cannot be unseen.
        if self.position.info().imperfect_information && persons > 0 && self.is_over() {
            let why = "the game is over and its cards are known: nothing can be taken back";
            return Err(Refusal::Conflict(why.into()));
        }
        if self.position.info().imperfect_information && persons > 1 {
            let why = "cards are hidden and others play: nothing can be taken back";
            return Err(Refusal::Conflict(why.into()));
        }
        if self.position.info().chance && persons > 1 && self.is_over() {
            let why = "the game is over and its seed is known: nothing can be taken back";
            return Err(Refusal::Conflict(why.into()));
        }
        let by_person = |event: &Event| event.by.is_some_and(|by| self.seat(by).is_person());
        let last = match persons {
            0 => self.events.len().checked_sub(1),
            _ => self.events.iter().rposition(by_person),
        };
        last.ok_or_else(|| Refusal::Conflict("nothing to take back".into()))
    }

    /// Takes back the last decision.
    pub(crate) fn undo(&mut self) -> Result<(), Refusal> {
        self.back_to(self.undone()?);
        Ok(())
    }

    pub(crate) fn back_to(&mut self, events: usize) {
        self.events.truncate(events);
        self.resigned = None;
        self.position = self.position.first();
        for event in &self.events {
            self.position.try_apply(event.action).expect("it was legal before");
        }
        self.bots.fill_with(|| None);
        self.unwritten.push(Entry::Back(events));
    }

    /// The person whose side the caller sees gives up.
    pub(crate) fn resign(&mut self, access: Access) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Conflict("the game is over".into()));
        }
        if self.persons().next().is_none() {
            return Err(Refusal::Conflict("no person plays".into()));
        }
        if !access.holds_a_seat() {
            return Err(Refusal::Forbidden("expected the key of a seat".into()));
        }
        let seat = self.viewer(access);
        self.resigned = Some(seat);
        self.unwritten.push(Entry::Resigned(seat.0));
        Ok(())
    }

    /// Gives a seat a new key; the old one opens nothing any more.
    pub(crate) fn claim(&mut self, seat: Player, key: String) {
        self.head.keys.replace(seat.0, key.clone());
        self.unwritten.push(Entry::Key { seat: seat.0, key });
    }

    pub(crate) fn set_budget(&mut self, budget: Option<u64>) {
        self.budget = budget;
        self.unwritten.push(Entry::Budget(budget));
    }

    /// What each seat got; giving up costs 1, which the others share.
    pub(crate) fn payoffs(&self) -> Vec<f32> {
        let players = self.head.seats.len();
        match self.resigned {
            None => self.position.payoffs()[..players].to_vec(),
            Some(loser) => {
                let mut payoffs = vec![1.0 / (players as f32 - 1.0); players];
                payoffs[loser.index()] = -1.0;
                payoffs
            }
        }
    }

    /// The position before an event.
    pub(crate) fn position_at(&self, event: usize) -> Result<Box<dyn Position>, Refusal> {
        let mut position = self.position.first();
        for event in &self.events[..event] {
            let played = position.try_apply(event.action);
            played.map_err(|error| Refusal::failed("replaying", &error))?;
        }
        Ok(position)
    }

    /// The game as a replay.
    pub(crate) fn replay(&self) -> Replay {
        let thoughts = (self.events.iter().enumerate())
            .filter_map(|(at, event)| Some((at, event.thought.clone()?)))
            .collect();
        Replay {
            meeple_replay: REPLAY_VERSION,
            game: self.head.game.clone(),
            config: self.position.config(),
            seed: self.head.seed,
            bots: self.head.seats.iter().map(ToString::to_string).collect(),
            actions: self.events.iter().map(|event| event.action).collect(),
            payoffs: self.payoffs(),
            forfeit: None,
            thoughts,
        }
    }
}
