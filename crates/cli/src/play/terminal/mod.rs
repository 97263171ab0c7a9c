//! One game in the terminal: humans are prompted, bots search, all actions are shown.

mod turn;

use std::io::{self, IsTerminal};

use meeple_bots::{BotSpec, Position, SeatBot};
use meeple_game::{Action, ChanceStream, Driver, Event, Player, Rng};

use super::PlayArgs;
use super::hands::{Series, chips_won};
use super::input::{Input, Line};
use super::log::ActionLog;
use super::notation;
use super::record::Record;
use super::seats::Agent;
use crate::failure::Failure;
use crate::{progress, show};

/// How a game ended.
pub(crate) enum End {
    Over,
    /// A human resigned, or a bot failed.
    Left,
    InputEnded,
    Interrupted,
}

/// The state of a seat.
enum Seat {
    Human(ActionLog),
    Bot(BotSpec, Box<dyn SeatBot>),
}

/// A game between humans and bots.
pub(crate) struct TerminalGame<'a> {
    driver: Driver<Box<dyn Position>>,
    seats: Vec<Seat>,
    hints: Box<dyn SeatBot>,
    rng: Rng,
    /// The number of actions and the random state before each human decision: after an undo
    /// the same chance outcomes follow.
    undo_points: Vec<(usize, Rng)>,
    /// The actions played so far, including chance outcomes.
    actions: Vec<Action>,
    /// The legal actions in listing order.
    legal: Vec<Action>,
    /// The last player who had the screen.
    viewer: Option<Player>,
    input: &'a mut Input,
    record: &'a Record,
    seed: u64,
}

impl<'a> TerminalGame<'a> {
    /// Creates the game from its initial position, and plays `actions`.
    pub(crate) fn new(
        start: &dyn Position,
        series: &Series,
        args: &PlayArgs,
        input: &'a mut Input,
        record: &'a Record,
        actions: &[Action],
    ) -> Result<Self, Failure> {
        let humans = series.agents().filter(|agent| **agent == Agent::Human).count();
        let must_hide = humans > 1 && start.info().imperfect_information;
        let seat = |agent: &Agent| {
            Ok(match agent {
                Agent::Human if must_hide => Seat::Human(ActionLog::buffered()),
                Agent::Human => Seat::Human(ActionLog::default()),
                Agent::Bot(spec) => Seat::Bot(spec.clone(), start.bot(spec)?),
            })
        };
        let seats = series.agents().map(seat).collect::<Result<_, meeple_bots::Error>>();
        let rng = Rng::new(series.seed);
        // Each hand and each resumed game gets its own random stream.
        let stream = series.hands() + actions.len() as u64;
        let mut game = Self {
            driver: Driver::new(start.first()),
            seats: seats.map_err(Failure::usage)?,
            hints: start.bot(&args.hints).map_err(Failure::usage)?,
            rng: if stream == 0 { rng } else { rng.split(stream) },
            undo_points: Vec::new(),
            actions: Vec::new(),
            legal: Vec::new(),
            viewer: None,
            input,
            record,
            seed: series.seed,
        };
        record.begin(start, series.seed, game.names(), false);
        actions.iter().for_each(|&action| game.replay(action));
        Ok(game)
    }

    fn names(&self) -> Vec<String> {
        let name = |seat: &Seat| match seat {
            Seat::Human(_) => Agent::Human.name(),
            Seat::Bot(spec, _) => spec.to_string(),
        };
        self.seats.iter().map(name).collect()
    }

    fn humans(&self) -> Vec<Player> {
        let is_human = |seat: &Player| matches!(self.seats[seat.index()], Seat::Human(_));
        Player::all(self.seats.len()).filter(is_human).collect()
    }

    /// Plays until the game ends or is left; returns how it ended and the final position.
    pub(crate) fn play(mut self) -> Result<(End, Box<dyn Position>), Failure> {
        self.greet()?;
        for seat in Player::all(self.seats.len()) {
            if let Seat::Bot(_, bot) = &mut self.seats[seat.index()]
                && let Err(forfeit) = bot.begin()
            {
                show::print(&format!("{seat} forfeits the game: {forfeit}\n"))?;
                return Ok((End::Left, self.driver.into_state()));
            }
        }
        let end = loop {
            let before = self.position().copy();
            match self.driver.next(ChanceStream::Sequential(&mut self.rng)) {
                Event::Over => {
                    self.finish()?;
                    break End::Over;
                }
                Event::Chance(outcome) => self.chance_event(&*before, outcome)?,
                Event::Decision(player) => {
                    let end = match self.seats[player.index()] {
                        Seat::Human(_) => self.human_turn(player)?,
                        Seat::Bot(..) => self.bot_turn(player)?,
                    };
                    if let Some(end) = end {
                        break end;
                    }
                }
            }
        };
        Ok((end, self.driver.into_state()))
    }

    fn greet(&self) -> Result<(), Failure> {
        let game = self.position().info().name;
        let seats = |players: &[Player]| {
            players.iter().map(|&seat| notation::seat(game, seat)).collect::<Vec<_>>().join(", ")
        };
        let humans = self.humans();
        let bots: Vec<String> = (Player::all(self.seats.len()).zip(&self.seats))
            .filter_map(|(player, seat)| match seat {
                Seat::Bot(spec, _) => Some(format!("{} is {spec}", notation::seat(game, player))),
                Seat::Human(_) => None,
            })
            .collect();
        let opponents =
            if bots.is_empty() { String::new() } else { format!("; {}", bots.join(", ")) };
        show::print(&show::wrapped(
            &format!("You are {} at {game}{opponents}. Type help for help.", seats(&humans)),
            "  ",
        ))
    }

    fn position(&self) -> &dyn Position {
        &**self.driver.state()
    }

    /// Plays an action or a chance outcome that was played before.
    fn replay(&mut self, action: Action) {
        self.driver.try_play(action).expect("it was legal before");
        self.note(action);
    }

    /// Adds an event to the record.
    fn note(&mut self, action: Action) {
        self.actions.push(action);
        self.record.update(&**self.driver.state(), &self.actions);
    }

    fn chance_event(&mut self, before: &dyn Position, outcome: Action) -> Result<(), Failure> {
        self.note(outcome);
        let who = match before.roller() {
            Some(player) => format!("chance for {player}"),
            None => "chance".into(),
        };
        self.announce(before, None, &who, outcome)
    }

    /// Plays the decision of a player, and shows it to the others.
    fn act(&mut self, player: Player, action: Action) -> Result<(), Failure> {
        let before = self.position().copy();
        self.driver.play(action);
        self.note(action);
        self.announce(&*before, Some(player), &player.to_string(), action)
    }

    fn bot_turn(&mut self, player: Player) -> Result<Option<End>, Failure> {
        let who = player.to_string();
        for seat in &mut self.seats {
            // Shows the actions of others before a long search starts.
            if let Seat::Human(log) = seat
                && log.is_of_another(&who)
            {
                log.flush()?;
            }
        }
        let Seat::Bot(_, bot) = &mut self.seats[player.index()] else { return Ok(None) };
        let (position, rng) = (&**self.driver.state(), &mut self.rng);
        let chosen = progress::with_spinner(&format!("{player} is searching"), || {
            bot.choose(position, player, rng)
        });
        match chosen {
            Ok(action) => {
                self.act(player, action)?;
                Ok(None)
            }
            Err(forfeit) => {
                self.flush()?;
                show::print(&format!("{player} forfeits the game: {forfeit}\n"))?;
                Ok(Some(End::Left))
            }
        }
    }

    /// Shows each human what they may see of an action of `by`, or of chance.
    fn announce(
        &mut self,
        before: &dyn Position,
        by: Option<Player>,
        who: &str,
        action: Action,
    ) -> Result<(), Failure> {
        let mut is_shown = false;
        for (viewer, seat) in Player::all(self.seats.len()).zip(&mut self.seats) {
            let Seat::Human(log) = seat else { continue };
            // With perfect information, humans at one screen share a single message.
            let shares_screen = is_shown && !before.info().imperfect_information;
            if by == Some(viewer) || shares_screen {
                continue;
            }
            let name =
                before.told_name(action, viewer).map(|_| notation::announcement(before, action));
            log.add(who, name.as_deref().unwrap_or("(hidden from you)"))?;
            for line in notation::consequences(before, action, viewer) {
                log.add_line(&line)?;
            }
            is_shown = true;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.seats.iter_mut().try_for_each(|seat| match seat {
            Seat::Human(log) => log.flush(),
            Seat::Bot(..) => Ok(()),
        })
    }

    /// Hands the screen over to `me`, after hiding what the previous player saw.
    fn hand_over(&mut self, me: Player) -> Result<Option<End>, Failure> {
        let previous = self.viewer.replace(me);
        let many = self.humans().len() > 1;
        if previous != Some(me) && many && self.position().info().imperfect_information {
            let clear =
                if io::stdout().is_terminal() { "\u{1b}[2J\u{1b}[3J\u{1b}[H" } else { "\n" };
            show::print(clear)?;
            match self
                .input
                .line(&format!("{me}: press Enter when only you can see the screen. "))?
            {
                Line::Text(_) => show::print(clear)?,
                Line::End => return Ok(Some(End::InputEnded)),
                Line::Interrupted => return Ok(Some(End::Interrupted)),
            }
        }
        self.flush()?;
        if let Seat::Human(log) = &mut self.seats[me.index()] {
            show::print(&log.take_buffered()?)?;
        }
        Ok(None)
    }

    /// Shows the result, from the view of the last human who had the screen.
    fn finish(&mut self) -> Result<(), Failure> {
        let humans = self.humans();
        let viewer = self.viewer.or_else(|| humans.first().copied()).unwrap_or_default();
        self.flush()?;
        if let Seat::Human(log) = &mut self.seats[viewer.index()] {
            show::print(&log.take_buffered()?)?;
        }
        let payoffs = self.position().payoffs();
        let verdict = match payoffs[viewer.index()] {
            _ if humans.len() > 1 => "The game is over",
            mine if mine > 0.0 => "You win",
            mine if mine < 0.0 => "You lose",
            _ => "A draw",
        };
        let chips = chips_won(self.position());
        let won = |seat: Player| match &chips {
            Some(chips) => format!("{seat} {:+} chips", chips[seat.index()]),
            // Adding 0 turns -0 into +0.
            None => format!("{seat} {:+.2}", payoffs[seat.index()] + 0.0),
        };
        let all: Vec<String> = Player::all(self.seats.len()).map(won).collect();
        let board = show::wrapped(&self.position().text(viewer), "    ");
        let result = show::wrapped(&format!("{verdict}: {}", all.join(", ")), "  ");
        show::print(&format!("\n{board}\n{result}"))
    }
}
