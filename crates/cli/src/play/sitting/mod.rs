//! One game at the terminal: people are asked, bots think, everybody is told.

mod ask;

use std::io::{self, IsTerminal};

use meeple_arena::{BotSpec, Position, SeatBot};
use meeple_game::{Action, Player, Rng, Turn};

use super::PlayArgs;
use super::hands::{Series, chips_won};
use super::input::{Input, Line};
use super::record::Record;
use super::seats::Sitter;
use super::teller::Teller;
use super::words;
use crate::failure::Failure;
use crate::{progress, show};

/// How a game ended.
pub(crate) enum End {
    Over,
    /// Somebody resigned or failed.
    Left,
    InputEnded,
    Interrupted,
}

/// Somebody at the table.
enum Seat {
    Person(Teller),
    Bot(BotSpec, Box<dyn SeatBot>),
}

/// People and bots at a table.
pub(crate) struct Sitting<'a> {
    position: Box<dyn Position>,
    seats: Vec<Seat>,
    hints: Box<dyn SeatBot>,
    rng: Rng,
    /// How much had been played before each decision of a person, and the luck to come:
    /// taking back does not change the dice.
    past: Vec<(usize, Rng)>,
    /// Everything that was played, chance outcomes included.
    actions: Vec<Action>,
    menu: Vec<Action>,
    /// Who looked at the screen last.
    looked: Option<Player>,
    input: &'a mut Input,
    record: &'a Record,
    seed: u64,
}

impl<'a> Sitting<'a> {
    /// Sits down at `table`, where `actions` were played before.
    pub(crate) fn new(
        table: &dyn Position,
        series: &Series,
        args: &PlayArgs,
        input: &'a mut Input,
        record: &'a Record,
        actions: &[Action],
    ) -> Result<Self, Failure> {
        let persons = series.sitters().filter(|sitter| **sitter == Sitter::Person).count();
        let shares_secrets = persons > 1 && table.info().imperfect_information;
        let sit = |sitter: &Sitter| {
            Ok(match sitter {
                Sitter::Person if shares_secrets => Seat::Person(Teller::holding()),
                Sitter::Person => Seat::Person(Teller::default()),
                Sitter::Bot(spec) => Seat::Bot(spec.clone(), table.bot(spec)?),
            })
        };
        let seats = series.sitters().map(sit).collect::<Result<_, meeple_arena::Error>>();
        let rng = Rng::new(series.seed);
        let streams = series.hands() + actions.len() as u64;
        let mut sitting = Self {
            position: table.first(),
            seats: seats.map_err(Failure::usage)?,
            hints: table.bot(&args.hints).map_err(Failure::usage)?,
            rng: if streams == 0 { rng } else { rng.split(streams) },
            past: Vec::new(),
            actions: Vec::new(),
            menu: Vec::new(),
            looked: None,
            input,
            record,
            seed: series.seed,
        };
        record.begin(table, series.seed, sitting.names(), false);
        actions.iter().for_each(|&action| sitting.apply(action));
        Ok(sitting)
    }

    fn names(&self) -> Vec<String> {
        let name = |seat: &Seat| match seat {
            Seat::Person(_) => Sitter::Person.name(),
            Seat::Bot(spec, _) => spec.to_string(),
        };
        self.seats.iter().map(name).collect()
    }

    fn persons(&self) -> Vec<Player> {
        let is_person = |seat: &Player| matches!(self.seats[seat.index()], Seat::Person(_));
        Player::all(self.seats.len()).filter(is_person).collect()
    }

    /// Plays until the game is over or left; yields how it ended, and where.
    pub(crate) fn play(mut self) -> Result<(End, Box<dyn Position>), Failure> {
        self.greet()?;
        for seat in Player::all(self.seats.len()) {
            if let Seat::Bot(_, bot) = &mut self.seats[seat.index()]
                && let Err(forfeit) = bot.begin()
            {
                show::print(&format!("{seat} forfeits the game: {forfeit}\n"))?;
                return Ok((End::Left, self.position));
            }
        }
        let end = loop {
            match self.position.turn() {
                Turn::Over => {
                    self.finish()?;
                    break End::Over;
                }
                Turn::Chance => self.let_chance_decide()?,
                Turn::Player(player) => {
                    let end = match self.seats[player.index()] {
                        Seat::Person(_) => self.decide(player)?,
                        Seat::Bot(..) => self.let_bot_decide(player)?,
                    };
                    if let Some(end) = end {
                        break end;
                    }
                }
            }
        };
        Ok((end, self.position))
    }

    fn greet(&self) -> Result<(), Failure> {
        let game = self.position.info().name;
        let seats = |players: &[Player]| {
            players.iter().map(|&seat| words::seat(game, seat)).collect::<Vec<_>>().join(", ")
        };
        let persons = self.persons();
        let bots: Vec<String> = (Player::all(self.seats.len()).zip(&self.seats))
            .filter_map(|(player, seat)| match seat {
                Seat::Bot(spec, _) => Some(format!("{} is {spec}", words::seat(game, player))),
                Seat::Person(_) => None,
            })
            .collect();
        let against =
            if bots.is_empty() { String::new() } else { format!("; {}", bots.join(", ")) };
        show::print(&show::wrapped(
            &format!("You are {} at {game}{against}. Type help for help.", seats(&persons)),
            "  ",
        ))
    }

    fn apply(&mut self, action: Action) {
        self.actions.push(action);
        self.position.try_apply(action).expect("bots, chance and menus offer legal actions");
        self.record.update(&*self.position, &self.actions);
    }

    fn let_chance_decide(&mut self) -> Result<(), Failure> {
        let action = self.position.sample_chance(&mut self.rng);
        let who = match self.position.roller() {
            Some(player) => format!("chance for {player}"),
            None => "chance".into(),
        };
        self.announce(None, &who, action)
    }

    fn let_bot_decide(&mut self, player: Player) -> Result<Option<End>, Failure> {
        let who = player.to_string();
        for seat in &mut self.seats {
            if let Seat::Person(teller) = seat
                && teller.is_about_others(&who)
            {
                teller.flush()?;
            }
        }
        let Seat::Bot(_, bot) = &mut self.seats[player.index()] else { return Ok(None) };
        let (position, rng) = (&*self.position, &mut self.rng);
        let chosen =
            progress::thinking(&format!("{player} thinks"), || bot.choose(position, player, rng));
        match chosen {
            Ok(action) => {
                self.announce(Some(player), &who, action)?;
                Ok(None)
            }
            Err(forfeit) => {
                self.flush()?;
                show::print(&format!("{player} forfeits the game: {forfeit}\n"))?;
                Ok(Some(End::Left))
            }
        }
    }

    /// Plays what `by` or chance did, and tells every person as much of it as they see.
    fn announce(&mut self, by: Option<Player>, who: &str, action: Action) -> Result<(), Failure> {
        let before = self.position.copy();
        self.apply(action);
        let mut told = false;
        for (viewer, seat) in Player::all(self.seats.len()).zip(&mut self.seats) {
            let Seat::Person(teller) = seat else { continue };
            // People who share the screen and have no secrets are told once.
            let shares_screen = told && !before.info().imperfect_information;
            if by == Some(viewer) || shares_screen {
                continue;
            }
            let name = before.told_name(action, viewer).map(|_| words::told(&*before, action));
            teller.tell(who, name.as_deref().unwrap_or("(hidden from you)"))?;
            for line in words::consequences(&*before, action, viewer) {
                teller.say(&line)?;
            }
            told = true;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.seats.iter_mut().try_for_each(|seat| match seat {
            Seat::Person(teller) => teller.flush(),
            Seat::Bot(..) => Ok(()),
        })
    }

    /// Gives the screen to `me`, hiding what the person before saw.
    fn hand_over(&mut self, me: Player) -> Result<Option<End>, Failure> {
        let before = self.looked.replace(me);
        let many = self.persons().len() > 1;
        if before != Some(me) && many && self.position.info().imperfect_information {
            let clear =
                if io::stdout().is_terminal() { "\u{1b}[2J\u{1b}[3J\u{1b}[H" } else { "\n" };
            show::print(clear)?;
            match self.input.line(&format!("{me}: press Enter when only you look. "))? {
                Line::Text(_) => show::print(clear)?,
                Line::End => return Ok(Some(End::InputEnded)),
                Line::Interrupted => return Ok(Some(End::Interrupted)),
            }
        }
        self.flush()?;
        if let Seat::Person(teller) = &mut self.seats[me.index()] {
            show::print(&teller.take_held()?)?;
        }
        Ok(None)
    }

    /// Shows the end to whoever looks: of several people, to the one who looked last.
    fn finish(&mut self) -> Result<(), Failure> {
        let persons = self.persons();
        let viewer = self.looked.or_else(|| persons.first().copied()).unwrap_or_default();
        self.flush()?;
        if let Seat::Person(teller) = &mut self.seats[viewer.index()] {
            show::print(&teller.take_held()?)?;
        }
        let payoffs = self.position.payoffs();
        let verdict = match payoffs[viewer.index()] {
            _ if persons.len() > 1 => "The game is over",
            mine if mine > 0.0 => "You win",
            mine if mine < 0.0 => "You lose",
            _ => "A draw",
        };
        let chips = chips_won(&*self.position);
        let won = |seat: Player| match &chips {
            Some(chips) => format!("{seat} {:+} chips", chips[seat.index()]),
            // A draw may be -0.
            None => format!("{seat} {:+.2}", payoffs[seat.index()] + 0.0),
        };
        let all: Vec<String> = Player::all(self.seats.len()).map(won).collect();
        let table = show::wrapped(&self.position.text(viewer), "    ");
        let result = show::wrapped(&format!("{verdict}: {}", all.join(", ")), "  ");
        show::print(&format!("\n{table}\n{result}"))
    }
}
