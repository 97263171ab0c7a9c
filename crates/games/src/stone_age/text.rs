//! The table as people read it.

use std::fmt::{self, Write};

use meeple_game::Player;

use super::data::{FOOD_VALUE, GIFTS, RESOURCES, ROLES, SYMBOLS, VALUES};
use super::notation::{PLACES, bottom, building, card, pieces};
use super::scoring::{people, symbols};
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
        text.truncate(text.trim_end().len());
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
            let closed = usize::from(self.blocked) == at + 1;
            let who = if closed { "closed".into() } else { crowd(self.places[row]) };
            writeln!(out, "  {:<11} {who}", PLACES[at])?;
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
            tribe.draw(out, at, self.phase)?;
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
        let sheets: Vec<_> = self.seated().iter().map(Tribe::sheet).collect();
        write!(out, "\n  {:<14}", "Score sheet")?;
        for seat in Player::all(sheets.len()) {
            write!(out, "{:>8}", seat.to_string())?;
        }
        writeln!(out)?;
        let mut line = |name: &str, points: &dyn Fn(usize) -> i16| {
            write!(out, "  {name:<14}")?;
            (0..sheets.len()).try_for_each(|seat| write!(out, "{:>8}", points(seat)))?;
            writeln!(out)
        };
        line("on the track", &|seat| self.tribes[seat].score - sheets[seat].total())?;
        line("green cards", &|seat| sheets[seat].sets)?;
        for (role, name) in ROLES.iter().enumerate() {
            line(&format!("{name}s"), &|seat| sheets[seat].people[role])?;
        }
        line("resources", &|seat| sheets[seat].resources)?;
        line("total", &|seat| self.tribes[seat].score)
    }
}

impl Tribe {
    fn draw(&self, out: &mut String, seat: u8, phase: Phase) -> fmt::Result {
        let Self { score, food, figures, agriculture, .. } = self;
        write!(out, "  {}: {score} points, {food} food, {agriculture} fields, ", Player(seat))?;
        match phase {
            Phase::Place => writeln!(out, "{figures} figures, {} to place", self.available)?,
            _ => writeln!(out, "{figures} figures")?,
        }
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
            match symbols(self.cards)[symbol] {
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
