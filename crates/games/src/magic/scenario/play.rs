//! Plays the lines of a scenario.

use meeple_game::{Action, Forced, Game, Player, Rng, Turn, choices};

use super::read::Step;
use super::words::{When, seat_name};
use crate::magic::machine::Machine;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slot;
use crate::magic::state::{Magic, Question};

/// Questions after which a line that goes on by itself has lost its way.
const PATIENCE: usize = 500;

/// A game that follows a scenario.
#[derive(Clone)]
pub(super) struct Play {
    pub(super) state: Magic,
    /// What was answered where there was a choice.
    answers: Vec<(Turn, Action)>,
}

type Outcome = Result<(), String>;

impl Play {
    pub(super) fn new(state: Magic) -> Self {
        Self { state, answers: Vec::new() }
    }

    /// Follows one line.
    pub(super) fn follow(&mut self, step: &Step) -> Outcome {
        match step {
            Step::Answer(actor, answers) => {
                for (index, answer) in answers.iter().enumerate() {
                    if index == 0 {
                        self.give_way(*actor)?;
                    }
                    self.answer(*actor, answer)?;
                }
                Ok(())
            }
            Step::Pass => self.pass(),
            Step::Resolve { all } => self.resolve(*all),
            Step::Until(when) => self.until(*when),
            Step::Attack(names) => self.attack(names),
            Step::Block(blocks) => self.block(blocks),
            Step::Cannot(inner) => self.cannot(inner),
            Step::Expect(expect) => self.expect(expect),
        }
    }

    /// The choices there are, with their names.
    pub(super) fn list_legal(&self) -> Vec<(String, Action)> {
        let named = |action| (self.state.action_name(action), action);
        choices(&self.state).into_iter().map(named).collect()
    }

    /// What is asked, for messages.
    pub(super) fn situation(&self) -> String {
        let asked = match self.state.turn() {
            Turn::Player(player) => seat_name(player.into()),
            Turn::Chance => "luck",
            Turn::Over => return "the game is over".into(),
        };
        let names: Vec<String> = self.list_legal().into_iter().map(|(name, _)| name).collect();
        let (turn, phase) = (self.state.clock.turn, self.state.clock.phase);
        format!(
            "in {phase:?} of turn {turn}, {asked} answers {:?}: {}",
            self.state.question,
            names.join(" | ")
        )
    }

    /// The choice that a text means: the one of that name, or the only one
    /// that begins so.
    pub(super) fn find(&self, text: &str) -> Result<Action, String> {
        let legal = self.list_legal();
        let wanted = text.to_lowercase();
        let exact = legal.iter().find(|(name, _)| name.to_lowercase() == wanted);
        if let Some((_, action)) = exact {
            return Ok(*action);
        }
        let begins: Vec<&(String, Action)> =
            legal.iter().filter(|(name, _)| name.to_lowercase().starts_with(&wanted)).collect();
        match *begins {
            [(_, action)] => Ok(*action),
            _ => Err(format!("{} choices begin with {text:?}; {}", begins.len(), self.situation())),
        }
    }

    fn answer(&mut self, actor: Option<Seat>, text: &str) -> Outcome {
        let turn = actor.map_or(Turn::Chance, |seat| Turn::Player(seat.into()));
        if self.state.turn() != turn {
            return Err(format!("{text:?}, but {}", self.situation()));
        }
        let action = self.find(text)?;
        self.apply(action)
    }

    fn apply(&mut self, action: Action) -> Outcome {
        let turn = self.state.turn();
        if turn == Turn::Chance || choices(&self.state).len() > 1 {
            self.answers.push((turn, action));
        }
        self.state.apply(action);
        self.check()
    }

    /// What must hold in every state.
    fn check(&self) -> Outcome {
        let (state, legal) = (&self.state, choices(&self.state));
        if !state.is_consistent() {
            return Err(format!("the state does not add up\n{state}"));
        }
        if state.turn() != Turn::Over && legal.is_empty() {
            return Err(format!("nothing can be answered: {}", self.situation()));
        }
        for player in [Player(0), Player(1)] {
            let other = state.determinize(player, &mut Rng::new(self.answers.len() as u64));
            let asked = state.turn() == Turn::Player(player);
            if !other.is_consistent()
                || other.info_key(player) != state.info_key(player)
                || asked && choices(&other) != legal
            {
                let seat = seat_name(player.into());
                return Err(format!("{seat} can tell {state}\nfrom {other}"));
            }
        }
        Ok(())
    }

    /// Lets the other player have priority, if that is all it takes.
    fn give_way(&mut self, actor: Option<Seat>) -> Outcome {
        let (Some(seat), Turn::Player(asked)) = (actor, self.state.turn()) else { return Ok(()) };
        if Seat::from(asked) != seat && self.state.question == Question::Priority {
            self.pass()?;
        }
        Ok(())
    }

    fn pass(&mut self) -> Outcome {
        if self.state.question != Question::Priority {
            return Err(format!("nobody can pass: {}", self.situation()));
        }
        let pass = self.find("pass")?;
        self.apply(pass)
    }

    fn resolve(&mut self, all: bool) -> Outcome {
        let top = |state: &Magic| state.stack.last().map(|item| (item.id, item.times));
        let before = top(&self.state);
        if before.is_none() {
            return Err("the stack is empty".into());
        }
        while self.state.question == Question::Priority
            && (if all { !self.state.stack.is_empty() } else { top(&self.state) == before })
        {
            self.pass()?;
        }
        Ok(())
    }

    /// Passes until a part of a turn begins; nobody attacks or blocks.
    fn until(&mut self, when: When) -> Outcome {
        let there = |state: &Magic| {
            state.clock.phase == when.phase
                && when.seat.is_none_or(|seat| seat == state.clock.active)
        };
        let turn = self.state.clock.turn;
        let mut left = there(&self.state);
        for _ in 0..PATIENCE {
            let here = there(&self.state);
            let over = self.state.turn() == Turn::Over;
            if over || here && (!left || self.state.clock.turn > turn) {
                return Ok(());
            }
            left &= here;
            self.go_on()?;
        }
        Err(format!("it does not come: {}", self.situation()))
    }

    /// Answers what can be answered without a thought.
    fn go_on(&mut self) -> Outcome {
        let legal = choices(&self.state);
        match (self.state.question, &*legal) {
            (Question::Priority | Question::Attack(_) | Question::Block(_), [first, ..])
            | (_, [first]) => self.apply(*first),
            _ => Err(format!("somebody must answer first: {}", self.situation())),
        }
    }

    /// Goes on until `question` comes in this turn.
    fn come_to(&mut self, question: impl Fn(Question) -> bool) -> Outcome {
        let turn = self.state.clock.turn;
        for _ in 0..PATIENCE {
            if question(self.state.question) {
                return Ok(());
            }
            if self.state.clock.turn != turn {
                break;
            }
            self.go_on()?;
        }
        Err(format!("nobody was asked; {}", self.situation()))
    }

    fn attack(&mut self, names: &[String]) -> Outcome {
        let mut left: Vec<&str> = names.iter().map(String::as_str).collect();
        self.come_to(|asked| matches!(asked, Question::Attack(_)))?;
        while let Question::Attack(slot) = self.state.question {
            let wanted = self.take_name(&mut left, slot);
            let name = self.state.permanent_name(slot);
            let text = if wanted {
                format!("attack with {name}")
            } else {
                format!("no attack with {name}")
            };
            let action = self.find(&text)?;
            self.apply(action)?;
        }
        left.is_empty().then_some(()).ok_or_else(|| format!("{} did not attack", left.join(", ")))
    }

    /// Whether a permanent is among names, one of which is then used up.
    fn take_name(&self, names: &mut Vec<&str>, slot: Slot) -> bool {
        let place = names.iter().position(|name| {
            *name == self.state.permanent_name(slot) || *name == self.state.def_at(slot).name
        });
        place.map(|place| names.remove(place)).is_some()
    }

    fn block(&mut self, blocks: &[(String, Vec<String>)]) -> Outcome {
        let mut left: Vec<(&str, Vec<&str>)> = blocks
            .iter()
            .map(|(attacker, with)| (&**attacker, with.iter().map(String::as_str).collect()))
            .collect();
        self.come_to(|asked| matches!(asked, Question::Block(_)))?;
        while let Question::Block(slot) = self.state.question {
            let name = self.state.permanent_name(slot);
            let mut text = format!("no block with {name}");
            for (attacker, with) in &mut left {
                if self.take_name(with, slot) {
                    text = self.block_text(attacker, &name)?;
                    break;
                }
            }
            let action = self.find(&text)?;
            self.apply(action)?;
        }
        match left.iter().find(|(_, with)| !with.is_empty()) {
            Some((attacker, with)) => Err(format!("{} did not block {attacker}", with.join(", "))),
            None => Ok(()),
        }
    }

    /// The block of an attacker, whose name may leave out the number of its
    /// slot.
    fn block_text(&self, attacker: &str, blocker: &str) -> Result<String, String> {
        let mut known = self.state.board.attacking.iter().filter(|&slot| {
            self.state.permanent_name(slot) == attacker || self.state.def_at(slot).name == attacker
        });
        let slot = known.next().ok_or_else(|| format!("{attacker} does not attack"))?;
        Ok(format!("block {} with {blocker}", self.state.permanent_name(slot)))
    }

    /// Tries a line that must not be possible, though all it names is there.
    fn cannot(&mut self, step: &Step) -> Outcome {
        let names: Vec<&str> = match step {
            Step::Answer(_, answers) => {
                answers.iter().filter_map(|answer| answer.split_once(' ')).map(|it| it.1).collect()
            }
            Step::Attack(names) => names.iter().map(String::as_str).collect(),
            Step::Block(blocks) => blocks
                .iter()
                .flat_map(|(attacker, with)| with.iter().chain([attacker]))
                .map(String::as_str)
                .collect(),
            _ => return Err("expected an answer, an attack or a block".into()),
        };
        if let Some(name) = names.iter().find(|name| !self.knows(name)) {
            return Err(format!("there is no {name:?} that could or could not do so"));
        }
        match self.clone().follow(step) {
            Err(_) => Ok(()),
            Ok(()) => Err("this is possible".into()),
        }
    }

    fn knows(&self, name: &str) -> bool {
        let plain = name.split(" (#").next().unwrap_or(name);
        let plain = plain.split(" on the stack").next().unwrap_or(plain);
        ["you", "opponent"].contains(&plain)
            || self
                .state
                .table
                .0
                .cards
                .0
                .iter()
                .any(|card| plain.starts_with(&card.name) && !card.name.is_empty())
    }

    /// Plays the same answers at a table that skips forced questions; the games
    /// must be the same.
    pub(super) fn check_skipping(mut self, start: Magic) -> Outcome {
        let mut skipping = start;
        skipping.rules.forced = Forced::Skip;
        if skipping.question == Question::Priority {
            // Whoever cannot act would not have been asked.
            skipping.question = Question::Nothing;
        }
        Machine::new(&mut skipping, &mut ()).advance();
        for (turn, action) in std::mem::take(&mut self.answers) {
            if skipping.turn() != turn || !choices(&skipping).contains(&action) {
                let other = Self::new(skipping).situation();
                return Err(format!("with forced answers skipped, {other}"));
            }
            skipping.apply(action);
        }
        while let (Turn::Player(_), [only]) = (self.state.turn(), &*choices(&self.state)) {
            self.state.apply(*only);
        }
        self.state.rules.forced = Forced::Skip;
        if self.state.turn() == Turn::Over {
            // Who was asked last does not matter any more.
            skipping.asked = self.state.asked;
        }
        if self.state == skipping {
            return Ok(());
        }
        let other = Self::new(skipping).situation();
        Err(format!("with forced answers skipped it ends so: {other}, not {}", self.situation()))
    }
}
