//! The table as people read it.

pub mod english;
pub(super) mod names;
pub(super) mod story;

use std::fmt::{self, Write};

use meeple_game::{Game, Turn};

use crate::magic::language::{Keyword, Mana};
use crate::magic::state::pile::Pile;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slot;
use crate::magic::state::{ChosenTarget, Item, Magic, Phase, Question};

impl Magic {
    /// The table; with a seat, as the player there sees it.
    pub(super) fn table_text(&self, seat: Option<Seat>) -> String {
        let mut text = String::new();
        self.draw_table(&mut text, seat).expect("a string takes all text");
        text.truncate(text.trim_end().len());
        text
    }

    fn draw_table(&self, out: &mut String, seat: Option<Seat>) -> fmt::Result {
        let Self { clock, .. } = self;
        writeln!(out, "Turn {}, {} of {}.", clock.turn, phase(clock.phase), clock.active)?;
        // The reader sits at the bottom of the table.
        let bottom = seat.unwrap_or(Seat::First);
        self.draw_seat(out, bottom.other(), seat)?;
        self.draw_stack(out)?;
        self.draw_seat(out, bottom, seat)?;
        self.draw_aside(out, seat)?;
        writeln!(out, "\n{}", self.prompt())
    }

    fn draw_seat(&self, out: &mut String, seat: Seat, reader: Option<Seat>) -> fmt::Result {
        let mine = &self.seats[seat];
        let deck = &self.table.0.decks[seat];
        writeln!(
            out,
            "\n{} ({}): {} life, {} in hand, {} in library, {} exiled{}",
            seat,
            deck.name,
            mine.life,
            mine.hand.total(),
            self.library_size(seat),
            mine.exiled,
            if mine.lost { ", has lost" } else { "" },
        )?;
        if mine.pool != [0; 6] {
            let pool: String = (Mana::ALL.iter().zip(mine.pool))
                .map(|(mana, amount)| mana.text().repeat(amount as usize))
                .collect();
            writeln!(out, "  mana       {pool}")?;
        }
        let hand = match reader {
            Some(reader) if reader != seat => {
                let (shown, hidden) = self.hand_for_opponent(seat);
                match (shown.total(), hidden) {
                    (0, 0) => "none".into(),
                    (0, hidden) => format!("{hidden} unseen"),
                    (_, 0) => self.list(&shown, seat),
                    (_, hidden) => format!("{}, {hidden} unseen", self.list(&shown, seat)),
                }
            }
            _ => self.list(&mine.hand, seat),
        };
        writeln!(out, "  hand       {hand}")?;
        if mine.graveyard.total() > 0 {
            writeln!(out, "  graveyard  {}", self.list(&mine.graveyard, seat))?;
        }
        self.draw_known(out, seat, reader)?;
        self.draw_lands(out, seat)?;
        let lands =
            self.board.types[crate::magic::language::Type::Land as usize] & !self.creatures();
        for slot in (self.controlled(seat) & !lands).iter() {
            writeln!(out, "  {}", self.permanent_text(slot))?;
        }
        Ok(())
    }

    /// Cards of a library whose place the reader knows.
    fn draw_known(&self, out: &mut String, seat: Seat, reader: Option<Seat>) -> fmt::Result {
        let mine = &self.seats[seat];
        let name = |known: &crate::magic::state::order::Known| match reader {
            Some(reader) if crate::magic::view::hidden::hides(*known, reader) => "?",
            _ => self.card_name(known.card(), seat),
        };
        let (top, bottom) = (mine.order.top(), mine.order.bottom());
        if !top.is_empty() {
            let names: Vec<&str> = top.iter().rev().map(name).collect();
            writeln!(out, "  on top     {}", names.join(", "))?;
        }
        if !bottom.is_empty() {
            let names: Vec<&str> = bottom.iter().rev().map(name).collect();
            writeln!(out, "  at bottom  {}", names.join(", "))?;
        }
        Ok(())
    }

    /// Lands by name: how many, and how many of them are tapped.
    fn draw_lands(&self, out: &mut String, seat: Seat) -> fmt::Result {
        let lands =
            self.board.types[crate::magic::language::Type::Land as usize] & !self.creatures();
        let mut groups: Vec<(&str, usize, usize)> = Vec::new();
        for slot in (lands & self.controlled(seat)).iter() {
            let name = &*self.def_at(slot).name;
            let tapped = usize::from(self.board.tapped.has(slot));
            match groups.iter_mut().find(|group| group.0 == name) {
                Some(group) => (group.1, group.2) = (group.1 + 1, group.2 + tapped),
                None => groups.push((name, 1, tapped)),
            }
        }
        if groups.is_empty() {
            return Ok(());
        }
        let words: Vec<String> = groups
            .into_iter()
            .map(|(name, count, tapped)| {
                let count = if count > 1 { format!("{count} {name}") } else { name.into() };
                if tapped > 0 { format!("{count} ({tapped} tapped)") } else { count }
            })
            .collect();
        writeln!(out, "  lands      {}", words.join(", "))
    }

    /// `Grey Ogre (#3) 2/2, tapped`: what is on the battlefield.
    fn permanent_text(&self, slot: Slot) -> String {
        let board = &self.board;
        let mut words = self.permanent_name(slot);
        if self.is_creature(slot) {
            words += &format!(" {}/{}", board.power[slot], board.toughness[slot]);
        }
        for &keyword in Keyword::ALL {
            if self.has_keyword(slot, keyword) {
                words += &format!(", {}", keyword.text());
            }
        }
        let link = board.link[slot];
        let mut note = |holds: bool, note: &str| {
            if holds {
                words += &format!(", {note}");
            }
        };
        note(board.tapped.has(slot), "tapped");
        note(self.is_creature(slot) && board.summoning_sick.has(slot), "just came");
        note(board.damage[slot] > 0, &format!("{} damage", board.damage[slot]));
        note(board.counters[slot] != 0, &format!("{:+} counters", board.counters[slot]));
        note(board.attacking.has(slot), "attacking");
        if let Some(link) = link {
            let verb = if board.blocking.has(slot) { "blocking" } else { "on" };
            note(true, &format!("{verb} {}", self.permanent_name(link)));
        } else {
            note(board.blocking.has(slot), "blocking");
        }
        words
    }

    fn draw_stack(&self, out: &mut String) -> fmt::Result {
        if self.stack.is_empty() && !self.announcement.active && !self.resolution.active {
            return Ok(());
        }
        writeln!(out, "\nStack, the next first")?;
        if self.resolution.active {
            writeln!(out, "  resolving: {}", self.item_text(&self.resolution.item))?;
        }
        if self.announcement.active {
            writeln!(out, "  announced: {}", self.item_text(&self.announcement.item))?;
        }
        for item in self.stack.iter().rev() {
            writeln!(out, "  {}", self.item_text(item))?;
        }
        Ok(())
    }

    pub(super) fn item_text(&self, item: &Item) -> String {
        let what = if item.spell { "" } else { ", an ability" };
        let mut words = format!("{}{what} of {}", self.def(item.card).name, item.you);
        if item.x > 0 {
            words += &format!(", X = {}", item.x);
        }
        if item.times > 1 {
            words += &format!(", {} times", item.times);
        }
        let targets: Vec<String> =
            item.targets.iter().map(|target| self.target_text(target)).collect();
        if targets.is_empty() { words } else { format!("{words} -> {}", targets.join(", ")) }
    }

    fn target_text(&self, target: ChosenTarget) -> String {
        match target {
            ChosenTarget::Illegal | ChosenTarget::Left(_) => "something that is gone".into(),
            ChosenTarget::Slot(slot) => self.permanent_name(slot),
            ChosenTarget::Seat(seat) => seat.to_string(),
            ChosenTarget::Item(id) => match self.stack.iter().position(|item| item.id == id) {
                Some(place) => self.item_name(place as u8),
                None => "something that is gone".into(),
            },
            ChosenTarget::Card(card, _) => self.def(card).name.clone(),
        }
    }

    fn draw_aside(&self, out: &mut String, reader: Option<Seat>) -> fmt::Result {
        if self.aside.total() == 0 {
            return Ok(());
        }
        let owner = self.aside_owner;
        let cards = match reader {
            Some(reader) if !self.sees_aside(reader) => format!("{} unseen", self.aside.total()),
            _ => self.list(&self.aside, owner),
        };
        writeln!(out, "\nSet aside from the library of {owner}: {cards}")
    }

    /// `2 Mountain, Shock`
    fn list(&self, pile: &Pile, owner: Seat) -> String {
        let names: Vec<String> = pile
            .iter()
            .map(|card| match (pile.count(card), self.card_name(card, owner)) {
                (1, name) => name.into(),
                (count, name) => format!("{count} {name}"),
            })
            .collect();
        if names.is_empty() { "none".into() } else { names.join(", ") }
    }

    /// What is asked, in a sentence.
    pub(super) fn prompt(&self) -> String {
        let who = match self.turn() {
            Turn::Player(player) => player,
            Turn::Chance => return "Luck decides.".into(),
            Turn::Over => return self.ending(),
        };
        let it = |slot: Slot| self.permanent_name(slot);
        match self.question {
            Question::Priority if self.stack.is_empty() => format!("{who} may act."),
            Question::Priority => format!("{who} may respond."),
            Question::Mulligan => format!("{who} keeps this hand or takes a new one."),
            Question::Attack(slot) => format!("Does {} of {who} attack?", it(slot)),
            Question::Block(slot) => format!("What does {} of {who} block?", it(slot)),
            Question::Order(slot) => format!("{who} orders the blockers of {}.", it(slot)),
            Question::Mode => format!("{who} chooses how {} works.", self.cast_name()),
            Question::X(_) => format!("{who} chooses X for {}.", self.cast_name()),
            Question::Target => format!("{who} aims {}.", self.cast_name()),
            Question::Pay => format!("{who} pays for {}.", self.cast_name()),
            Question::Colour(slot) => format!("{who} chooses the mana of {}.", it(slot)),
            Question::Mana => format!("{who} uses a mana ability for {}.", self.cast_name()),
            Question::Produce(card, _) => {
                format!("{who} chooses the mana of {}.", self.def(card).name)
            }
            Question::Card => format!("{who} chooses a card{}.", self.because()),
            Question::Permanent => format!("{who} chooses a permanent{}.", self.because()),
            Question::May => format!("{who} may agree{}.", self.because()),
            Question::Way(_) => format!("{who} chooses{}.", self.because()),
            Question::Number(_) => format!("{who} chooses how many cards to draw."),
            Question::LandType => format!("{who} chooses a basic land type."),
            Question::Trigger => format!("{who} puts one of their abilities on the stack first."),
            Question::Source => format!("{who} chooses a source of damage{}.", self.because()),
            Question::Retarget(_) => format!("{who} chooses a new target{}.", self.because()),
            Question::StayTapped(slot) => format!("Does {} of {who} stay tapped?", it(slot)),
            Question::Greatest => format!("{who} chooses one of the dearest{}.", self.because()),
            Question::Buy => format!("{who} may pay life to stop the draw."),
            Question::Bid => format!("{who} bids life, {} so far.", self.resolution.bid.0),
            Question::Legend => format!("{who} keeps one of the legends."),
            Question::Assign(slot) => {
                let attacker = self.board.link[slot].map_or("nothing".into(), it);
                format!("{who} assigns damage of {attacker} to {}.", it(slot))
            }
            Question::Instead(None) => format!("{who} chooses what happens instead."),
            Question::Instead(Some(slot)) => format!("{who} chooses what happens to {}.", it(slot)),
            Question::Nothing
            | Question::Over
            | Question::TopCard(_)
            | Question::RandomCard(..)
            | Question::Coin => String::new(),
        }
    }

    fn ending(&self) -> String {
        match self.fault() {
            Some(fault) => format!("The game is over without a result: {fault}."),
            None => "The game is over.".into(),
        }
    }

    fn cast_name(&self) -> &'static str {
        &self.def(self.announcement.item.card).name
    }

    /// ` for Duress`: what a question is asked for.
    fn because(&self) -> String {
        let item = match (self.announcement.active, self.resolution.active) {
            (true, _) => &self.announcement.item,
            (_, true) => &self.resolution.item,
            _ => return String::new(),
        };
        format!(" for {}", self.def(item.card).name)
    }
}

pub(super) fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Untap => "untap step",
        Phase::Upkeep => "upkeep",
        Phase::Draw => "draw step",
        Phase::Main => "main phase",
        Phase::BeginCombat => "beginning of combat",
        Phase::Attackers => "declaration of attackers",
        Phase::Blockers => "declaration of blockers",
        Phase::FirstDamage => "first-strike damage",
        Phase::Damage => "combat damage",
        Phase::EndCombat => "end of combat",
        Phase::SecondMain => "second main phase",
        Phase::End => "end step",
        Phase::Cleanup => "cleanup",
    }
}
