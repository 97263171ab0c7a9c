//! The turn of a human: shows the position and the legal actions, and handles input until an
//! action is chosen.

use anyhow::anyhow;
use meeple_bots::open;
use meeple_game::{Action, ActionList, Driver, Player, Rng};
use meeple_games::guide;
use serde_json::json;

use super::{End, Seat, TerminalGame};
use crate::failure::Failure;
use crate::play::input::Line;
use crate::play::notation;
use crate::play::parse::{Command, parse};
use crate::{magic, progress, show};

/// The commands.
const HELP: &str = concat!(
    "  an action   by its name, its number or an abbreviation\n",
    "  hint        suggest an action\n",
    "  undo        take back your last action and everything after it\n",
    "  board       show the position again\n",
    "  resign      resign and leave (Ctrl-D leaves too)\n",
    "  help        this text\n",
);

/// Additional commands in Magic.
const CARD_HELP: &str = "  card NAME   show the text of a card; ? N for the card of action N\n";

impl TerminalGame<'_> {
    /// Handles input until the player acts, takes back or leaves.
    pub(super) fn human_turn(&mut self, me: Player) -> Result<Option<End>, Failure> {
        if let Some(end) = self.hand_over(me)? {
            return Ok(Some(end));
        }
        let mut legal = ActionList::new();
        self.position().legal_actions(&mut legal);
        self.legal = notation::listing_order(self.position(), &legal);
        self.draw(me)?;
        let prompt = if self.humans().len() > 1 { format!("{me}> ") } else { "> ".into() };
        loop {
            let text = match self.input.line(&prompt)? {
                Line::Text(text) => text,
                Line::End => return Ok(Some(End::InputEnded)),
                Line::Interrupted => return Ok(Some(End::Interrupted)),
            };
            match parse(self.position(), &self.legal, &text) {
                Command::Play(actions) => {
                    self.play_own(me, &actions)?;
                    return Ok(None);
                }
                Command::Bet(amount) => match self.add_bet_size(amount) {
                    Ok(action) => {
                        self.play_own(me, &[action])?;
                        return Ok(None);
                    }
                    Err(error) => show::print(&show::wrapped(&format!("{error:#}"), ""))?,
                },
                Command::Undo => match self.undo_points.pop() {
                    Some((played, rng)) => {
                        self.take_back(played, rng);
                        return Ok(None);
                    }
                    None => show::print("nothing to take back\n")?,
                },
                Command::Hint => self.hint(me)?,
                Command::Board => self.draw(me)?,
                Command::Help => self.help()?,
                Command::Card(name) => self.show_card(&name)?,
                Command::Resign => {
                    let who = if self.humans().len() > 1 {
                        format!("{me} resigns")
                    } else {
                        "You resign".into()
                    };
                    show::print(&format!("{who}.\n"))?;
                    return Ok(Some(End::Left));
                }
                Command::Invalid(message) => show::print(&show::wrapped(&message, ""))?,
            }
        }
    }

    fn help(&self) -> Result<(), Failure> {
        let game = self.position().info().name;
        let cards = if game == "magic" { CARD_HELP } else { "" };
        let guide = guide(game).map_err(Failure::usage)?;
        let moves =
            guide.map_or(String::new(), |guide| show::wrapped(&format!("  {}", guide.moves), ""));
        show::print(&format!("{HELP}{cards}{moves}"))
    }

    /// Shows the text of a card.
    fn show_card(&self, name: &str) -> Result<(), Failure> {
        let text = magic::card_text(&self.position().config(), name);
        show::print(&show::wrapped(&text.unwrap_or_else(|problem| problem), "  "))
    }

    fn play_own(&mut self, me: Player, actions: &[Action]) -> Result<(), Failure> {
        self.undo_points.push((self.actions.len(), self.rng.clone()));
        for &action in actions {
            let lines = notation::consequences(self.position(), action, me);
            self.act(me, action)?;
            if let Seat::Human(log) = &mut self.seats[me.index()] {
                lines.iter().try_for_each(|line| log.add_line(line))?;
            }
        }
        Ok(())
    }

    fn take_back(&mut self, played: usize, rng: Rng) {
        self.rng = rng;
        self.driver = Driver::new(self.position().first());
        let before = std::mem::take(&mut self.actions);
        before[..played].iter().for_each(|&action| self.replay(action));
    }

    fn hint(&mut self, me: Player) -> Result<(), Failure> {
        let (position, hints) = (&**self.driver.state(), &mut self.hints);
        let mut rng = self.rng.split(1);
        let chosen =
            progress::with_spinner("searching for a hint", || hints.choose(position, me, &mut rng));
        let hint = match chosen {
            Ok(action) => notation::action_name(position, action),
            Err(forfeit) => format!("none, the hint bot failed: {forfeit}"),
        };
        show::print(&format!("hint: {hint}\n"))
    }

    /// Adds `amount` to the bet sizes of a game of hold'em, and returns its action.
    ///
    /// Action ids depend on the bet sizes, so the actions played so far are mapped by name.
    fn add_bet_size(&mut self, amount: u32) -> Result<Action, anyhow::Error> {
        let mut config = self.position().config();
        let mut amounts: Vec<u32> =
            serde_json::from_value(config["amounts"].take()).unwrap_or_default();
        amounts.push(amount);
        amounts.sort_unstable();
        amounts.dedup();
        config["amounts"] = json!(amounts);
        let start = open(self.position().info().name, Some(&config.to_string()))?;
        let mut old = self.position().first();
        let (mut new, mut actions) = (Driver::new(start.copy()), Vec::new());
        for &action in &self.actions {
            let name = old.action_name(action);
            let same = new.state().parse_action(&name);
            let same = same.ok_or_else(|| anyhow!("{name} is not legal with the new bet size"))?;
            old.try_apply(action)?;
            new.try_play(same)?;
            actions.push(same);
        }
        let bet = new.state().parse_action(&format!("raise {amount}"));
        let bet = bet.ok_or_else(|| anyhow!("a bet of {amount} is not legal here"))?;
        for seat in &mut self.seats {
            if let Seat::Bot(spec, bot) = seat {
                *bot = start.bot(spec)?;
            }
        }
        self.record.begin(&*start, self.seed, self.names(), true);
        (self.driver, self.actions) = (new, actions);
        Ok(bet)
    }

    fn draw(&self, me: Player) -> Result<(), Failure> {
        let mut board = show::wrapped(&self.position().text(me), "    ");
        let names: Vec<String> = self
            .legal
            .iter()
            .map(|&action| notation::action_name(self.position(), action))
            .collect();
        let names = notation::numbered(&names);
        if let Some(card) = notation::asking_card(self.position()) {
            let text = magic::card_text(&self.position().config(), card);
            board.push_str(&text.map(|text| show::wrapped(&text, "  ")).unwrap_or_default());
        }
        let more = notation::further_input(self.position());
        let more = more.map(|more| format!("{more}\n")).unwrap_or_default();
        show::print(&format!("\n{board}\n{}{more}", show::in_columns(&names)))
    }
}
