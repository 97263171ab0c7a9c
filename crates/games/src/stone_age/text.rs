//! Text form of a state.

use std::fmt::{self, Write};

use meeple_game::Player;

use super::data::{FOOD_VALUE, GIFTS, RESOURCES, ROLES, SYMBOLS, VALUES};
use super::notation::{PLACES, bottom, building, card, pieces};
use super::placement::ROOM;
use super::scoring::{people, symbols};
use super::{Phase, Step, StoneAge, Tribe, actions};

impl fmt::Display for StoneAge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(None))
    }
}

/// The width of the left column.
const COLUMN: usize = 40;

/// The figures on a place, such as `s0 x3, s2`.
fn occupants(row: [u8; 4]) -> String {
    let standing = (0..4).zip(row).filter(|&(_, figures)| figures > 0);
    let occupants: Vec<String> = standing
        .map(|(seat, figures)| match figures {
            1 => format!("s{seat}"),
            more => format!("s{seat} x{more}"),
        })
        .collect();
    if occupants.is_empty() { "-".into() } else { occupants.join(", ") }
}

fn figure(seat: i8) -> String {
    if seat < 0 { "-".into() } else { format!("s{seat}") }
}

impl StoneAge {
    /// The state as text; with a seat, as seen by that player.
    pub(super) fn render(&self, seat: Option<u8>) -> String {
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
        for (left, right) in (0..3).zip(3..6) {
            writeln!(out, "  {:<COLUMN$}{}", self.place_text(left), self.place_text(right))?;
        }
        writeln!(out, "  {:<COLUMN$}{}", self.place_text(7), self.place_text(6))?;
        let heading = format!("Cards by cost, {} in the deck", self.deck.len());
        writeln!(out, "{heading:<COLUMN$}Buildings, and how many below")?;
        for slot in 0..4 {
            let card = match self.cards[slot] {
                none if none < 0 => "-".into(),
                what => card(what as usize),
            };
            let card = format!("  {} {card:<33}{}", 4 - slot, figure(self.card_figures[slot]));
            writeln!(out, "{}", format!("{card:<COLUMN$}{}", self.stack_text(slot)).trim_end())?;
        }
        if self.limited_supply() {
            writeln!(out, "Supply: {}", pieces(self.supply))?;
        }
        for (at, tribe) in (0..).zip(self.seated()) {
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

    /// A place: the divisor of its rolls, its figures and capacity, and its occupants.
    fn place_text(&self, at: usize) -> String {
        let row = self.places[actions::ROWS[at]];
        let standing: u8 = row.iter().sum();
        let (divisor, room) = match at {
            0 | 2 => (String::new(), "1".to_owned()),
            1 => (String::new(), "2".to_owned()),
            7 => (format!("/{FOOD_VALUE}"), "any".to_owned()),
            _ => (format!("/{}", VALUES[at - 3]), ROOM.to_string()),
        };
        let closed = usize::from(self.blocked) == at + 1;
        let who = if closed { "closed".into() } else { occupants(row) };
        format!("{:<11}{divisor:<4}{:<6}{who}", PLACES[at], format!("{standing}/{room}"))
    }

    /// A stack of buildings; empty for unused stacks.
    fn stack_text(&self, stack: usize) -> String {
        if stack >= self.players as usize {
            return String::new();
        }
        let words = match self.buildings[stack] {
            none if none < 0 => "-".into(),
            what => building(what as usize).replace(" points", ""),
        };
        let who = figure(self.building_figures[stack]);
        format!("  {} {words:<29}{who:<3}{}", stack + 1, self.stacks[stack])
    }

    /// The current step, in a sentence.
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

    /// Draws the score sheet, one line for each source of points.
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
        let left = match phase {
            Phase::Place => format!(" ({} to place)", self.available),
            _ => String::new(),
        };
        writeln!(
            out,
            "{}: {score} points, {figures} figures{left}, {food} food, {agriculture} fields",
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
        let (buildings, cards) = (self.buildings.len(), self.collection());
        writeln!(
            out,
            "    {wood} wood {clay} clay {stone} stone {gold} gold; tools{tools}{once}; \
             {buildings} buildings; {cards}"
        )
    }

    /// The cards, by their final scoring.
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
