//! The table as people read it.

use std::fmt::{self, Write};

use meeple_game::{Game, Player, Turn};

use super::data::{CARDS, FOOD_VALUE, GIFTS, RESOURCES, ROLES, SYMBOLS, VALUES};
use super::notation::{PLACES, bottom, building, card, pieces};
use super::scoring::people;
use super::{Phase, Step, StoneAge, Tribe, actions};

impl fmt::Display for StoneAge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.drawn(None))
    }
}

/// `seat 0 x3, seat 2` for the figures on a place.
fn crowd(row: [u8; 4]) -> String {
    let standing = (0..).zip(row).filter(|&(_, figures)| figures > 0);
    let crowd: Vec<String> = standing
        .map(|(seat, figures)| match figures {
            1 => Player(seat).to_string(),
            more => format!("{} x{more}", Player(seat)),
        })
        .collect();
    if crowd.is_empty() { "-".into() } else { crowd.join(", ") }
}

fn figure(seat: i8) -> String {
    if seat < 0 { "-".into() } else { Player(seat as u8).to_string() }
}

impl StoneAge {
    /// The table; with a seat, as the player there sees it.
    pub(super) fn drawn(&self, seat: Option<u8>) -> String {
        let mut text = String::new();
        self.draw_table(&mut text, seat).expect("a string takes all text");
        text
    }

    fn draw_table(&self, out: &mut String, seat: Option<u8>) -> fmt::Result {
        writeln!(
            out,
            "Round {}, {} is first. {}",
            self.round + 1,
            Player(self.first),
            self.prompt()
        )?;
        writeln!(out)?;
        for (at, row) in actions::ROWS.into_iter().enumerate() {
            let shut = self.blocked > 0 && usize::from(self.blocked) == at + 1;
            let note = if shut { "closed" } else { "" };
            writeln!(
                out,
                "  {:<11} {}{note}",
                PLACES[at],
                crowd(self.places[row]).replace(if shut { "-" } else { "\0" }, "")
            )?;
        }
        writeln!(out, "\nCards by cost, {} more in the deck", self.deck.len())?;
        for slot in 0..4 {
            let what = self.cards[slot];
            let words = if what < 0 { "-".into() } else { card(what as usize) };
            writeln!(out, "  at {}  {words:<36} {}", 4 - slot, figure(self.card_figures[slot]))?;
        }
        writeln!(out, "\nBuildings")?;
        for stack in 0..self.players as usize {
            let what = self.buildings[stack];
            let words = if what < 0 { "-".into() } else { building(what as usize) };
            let (below, who) = (self.stacks[stack], figure(self.building_figures[stack]));
            writeln!(out, "  {}  {words:<36} {who:<8} {below} below", stack + 1)?;
        }
        if self.limited_supply() {
            writeln!(out, "\nSupply: {}", pieces(self.supply))?;
        }
        for (at, tribe) in (0..).zip(self.seated()) {
            writeln!(out)?;
            tribe.draw(out, at)?;
            if self.two_holder == at as i8 {
                writeln!(out, "    may take any 2 resources")?;
            }
            if self.hidden_holder == at as i8 {
                let seen = seat.is_none_or(|seat| seat == at);
                let words = if seen { bottom(self.hidden_card as usize) } else { "?".into() };
                writeln!(out, "    face down: {words}")?;
            }
        }
        if self.phase == Phase::Over { self.draw_sheet(out) } else { Ok(()) }
    }

    /// What is going on, in a sentence.
    fn prompt(&self) -> String {
        let who = Player(self.active);
        match self.step {
            Step::Place => format!("{who} places figures."),
            Step::Choose => format!("{who} picks what to do next."),
            Step::Tools => {
                let (what, divisor) = match self.pending {
                    -1 => ("food", FOOD_VALUE),
                    kind => (RESOURCES[kind as usize], VALUES[kind as usize]),
                };
                let (sum, worth) = (self.dice, self.dice / divisor);
                format!(
                    "{who} has {sum} for {what}, worth {worth} at {divisor} each, and may add tools."
                )
            }
            Step::PayBuilding => format!("{who} pays for building {}.", self.slot + 1),
            Step::PayCard => format!("{who} pays for the card at {}.", 4 - self.slot),
            Step::TakeAny => format!("{who} takes {} of any resource.", self.picks),
            Step::TakeGift => {
                let left = self.gifts.iter().filter(|&&face| face >= 0);
                let faces: Vec<&str> = left.map(|&face| GIFTS[face as usize]).collect();
                format!("{who} takes one of the presents: {}.", faces.join(", "))
            }
            Step::TakeCard => format!("{who} takes a card for nothing."),
            Step::Feed => format!("{who} lacks {} food.", self.needed),
            Step::Roll => format!("{who} rolls {} dice.", self.rolling),
            Step::RollGift | Step::RollGifts => format!("{who} rolls for presents."),
            Step::RevealCard => "The next card is turned up.".into(),
            Step::RevealTile => "The next building is turned up.".into(),
            Step::DrawCard => format!("{who} draws a card."),
            Step::Over => "The game is over.".into(),
        }
    }

    /// The score sheet: a line for each source of points.
    fn draw_sheet(&self, out: &mut String) -> fmt::Result {
        debug_assert!(self.turn() == Turn::Over);
        let sheets: Vec<_> = self.seated().iter().map(Tribe::sheet).collect();
        let mut line = |name: &str, points: &dyn Fn(usize) -> i16| {
            write!(out, "  {name:<12}")?;
            (0..sheets.len()).try_for_each(|seat| write!(out, "{:>8}", points(seat)))?;
            writeln!(out)
        };
        let seats = |seat: usize| self.tribes[seat].score - sheets[seat].total();
        line("\nScore sheet", &|seat| seat as i16)?;
        line("on the track", &seats)?;
        line("green cards", &|seat| sheets[seat].sets)?;
        for (role, name) in ROLES.iter().enumerate() {
            line(&format!("{name}s"), &|seat| sheets[seat].people[role])?;
        }
        line("resources", &|seat| sheets[seat].resources)?;
        line("total", &|seat| self.tribes[seat].score)
    }
}

impl Tribe {
    fn draw(&self, out: &mut String, seat: u8) -> fmt::Result {
        let Self { score, food, figures, available, agriculture, .. } = self;
        writeln!(
            out,
            "  {}: {score} points, {food} food, {figures} figures ({available} to place), {agriculture} fields",
            Player(seat)
        )?;
        let mut tools = String::new();
        for (at, tool) in self.tools.iter().enumerate() {
            let spent = if self.used >> at & 1 == 1 { " (used)" } else { "" };
            write!(tools, " {tool}{spent}")?;
        }
        let once: Vec<String> =
            (0..u16::from(self.one_use_count())).map(|at| self.one_use(at).to_string()).collect();
        let once =
            if once.is_empty() { String::new() } else { format!(", once {}", once.join(" ")) };
        let [wood, clay, stone, gold] = self.resources;
        writeln!(out, "    {wood} wood {clay} clay {stone} stone {gold} gold; tools{tools}{once}")?;
        writeln!(out, "    {} buildings; {}", self.buildings.len(), self.collection())
    }

    /// The cards by what they count for.
    fn collection(&self) -> String {
        let mut parts = Vec::new();
        for (symbol, name) in SYMBOLS.iter().enumerate() {
            let held = (0..CARDS)
                .filter(|&kind| {
                    super::data::CARD[kind].bottom == super::data::Bottom::Symbol(symbol as u8)
                })
                .map(|kind| self.cards.count(kind))
                .sum::<u8>();
            match held {
                0 => {}
                1 => parts.push((*name).to_owned()),
                more => parts.push(format!("{name} x{more}")),
            }
        }
        for (name, count) in ROLES.iter().zip(people(self.cards)) {
            match count {
                0 => {}
                1 => parts.push(format!("1 {name}")),
                more => parts.push(format!("{more} {name}s")),
            }
        }
        if parts.is_empty() { "no cards".into() } else { parts.join(", ") }
    }
}
