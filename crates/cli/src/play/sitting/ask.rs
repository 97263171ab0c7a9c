//! A person's turn: the table and the menu, and what is typed until a choice is made.

use anyhow::anyhow;
use meeple_arena::open;
use meeple_game::{Action, ActionList, Player, Rng};
use meeple_games::guide;
use serde_json::json;

use super::{End, Seat, Sitting};
use crate::failure::Failure;
use crate::play::input::Line;
use crate::play::typed::{self, Typed};
use crate::play::words;
use crate::{magic, progress, show};

/// What a person may type besides an action.
const HELP: &str = concat!(
    "  an action   by its name, its number, or the start of its words\n",
    "  hint        what the hint bot would do\n",
    "  undo        take back your last decision and what followed it\n",
    "  board       show the table again\n",
    "  resign      give up and leave (Ctrl-D leaves too)\n",
    "  help        this text\n",
);

/// What a person may type in Magic.
const CARD_HELP: &str = "  card NAME   what a card does; ? N for the card of choice N\n";

impl Sitting<'_> {
    /// Asks until the person plays, takes back or leaves.
    pub(super) fn decide(&mut self, me: Player) -> Result<Option<End>, Failure> {
        if let Some(end) = self.hand_over(me)? {
            return Ok(Some(end));
        }
        let mut menu = ActionList::new();
        self.position.legal_actions(&mut menu);
        self.menu = words::in_order(&*self.position, &menu);
        self.draw(me)?;
        let prompt = if self.persons().len() > 1 { format!("{me}> ") } else { "> ".into() };
        loop {
            let text = match self.input.line(&prompt)? {
                Line::Text(text) => text,
                Line::End => return Ok(Some(End::InputEnded)),
                Line::Interrupted => return Ok(Some(End::Interrupted)),
            };
            match typed::read(&*self.position, &self.menu, &text) {
                Typed::Play(actions) => {
                    self.play_own(me, &actions)?;
                    return Ok(None);
                }
                Typed::Bet(amount) => match self.offer_bet(amount) {
                    Ok(action) => {
                        self.play_own(me, &[action])?;
                        return Ok(None);
                    }
                    Err(why) => show::print(&show::wrapped(&format!("{why:#}"), ""))?,
                },
                Typed::Undo => match self.past.pop() {
                    Some((played, rng)) => {
                        self.take_back(played, rng);
                        return Ok(None);
                    }
                    None => show::print("nothing to take back\n")?,
                },
                Typed::Hint => self.hint(me)?,
                Typed::Board => self.draw(me)?,
                Typed::Help => self.help()?,
                Typed::Card(name) => self.show_card(&name)?,
                Typed::Resign => {
                    let who = if self.persons().len() > 1 {
                        format!("{me} resigns")
                    } else {
                        "You resign".into()
                    };
                    show::print(&format!("{who}.\n"))?;
                    return Ok(Some(End::Left));
                }
                Typed::Unclear(why) => show::print(&show::wrapped(&why, ""))?,
            }
        }
    }

    fn help(&self) -> Result<(), Failure> {
        let game = self.position.info().name;
        let cards = if game == "magic" { CARD_HELP } else { "" };
        let guide = guide(game).map_err(Failure::usage)?;
        let moves =
            guide.map_or(String::new(), |guide| show::wrapped(&format!("  {}", guide.moves), ""));
        show::print(&format!("{HELP}{cards}{moves}"))
    }

    /// Shows what a card of the table does.
    fn show_card(&self, name: &str) -> Result<(), Failure> {
        let text = magic::card_text(&self.position.config(), name);
        show::print(&show::wrapped(&text.unwrap_or_else(|problem| problem), "  "))
    }

    fn play_own(&mut self, me: Player, actions: &[Action]) -> Result<(), Failure> {
        self.past.push((self.actions.len(), self.rng.clone()));
        for &action in actions {
            let lines = words::consequences(&*self.position, action, me);
            self.announce(Some(me), &me.to_string(), action)?;
            if let Seat::Person(teller) = &mut self.seats[me.index()] {
                lines.iter().try_for_each(|line| teller.say(line))?;
            }
        }
        Ok(())
    }

    fn take_back(&mut self, played: usize, rng: Rng) {
        self.rng = rng;
        self.position = self.position.first();
        let before = std::mem::take(&mut self.actions);
        before[..played].iter().for_each(|&action| self.apply(action));
    }

    fn hint(&mut self, me: Player) -> Result<(), Failure> {
        let (position, hints) = (&*self.position, &mut self.hints);
        let mut rng = self.rng.split(1);
        let chosen =
            progress::thinking("looking for a hint", || hints.choose(position, me, &mut rng));
        let hint = match chosen {
            Ok(action) => words::name(position, action),
            Err(forfeit) => format!("none, the bot failed: {forfeit}"),
        };
        show::print(&format!("hint: {hint}\n"))
    }

    /// Adds a bet of `amount` to the sizes of a table of hold'em, and yields it.
    ///
    /// The ids of bets depend on the sizes, so what was played is found again by name.
    fn offer_bet(&mut self, amount: u32) -> Result<Action, anyhow::Error> {
        let mut config = self.position.config();
        let mut amounts: Vec<u32> =
            serde_json::from_value(config["amounts"].take()).unwrap_or_default();
        amounts.push(amount);
        amounts.sort_unstable();
        amounts.dedup();
        config["amounts"] = json!(amounts);
        let table = open(self.position.info().name, Some(&config.to_string()))?;
        let (mut old, mut new, mut actions) = (self.position.first(), table.copy(), Vec::new());
        for &action in &self.actions {
            let name = old.action_name(action);
            let same = new.parse_action(&name);
            let same = same.ok_or_else(|| anyhow!("{name} is not offered any more"))?;
            old.try_apply(action)?;
            new.try_apply(same)?;
            actions.push(same);
        }
        let bet = new.parse_action(&format!("raise {amount}"));
        let bet = bet.ok_or_else(|| anyhow!("a bet of {amount} is not possible here"))?;
        for seat in &mut self.seats {
            if let Seat::Bot(spec, bot) = seat {
                *bot = table.bot(spec)?;
            }
        }
        self.record.begin(&*table, self.seed, self.names(), true);
        (self.position, self.actions) = (new, actions);
        Ok(bet)
    }

    fn draw(&self, me: Player) -> Result<(), Failure> {
        let mut table = show::wrapped(&self.position.text(me), "    ");
        let names: Vec<String> =
            self.menu.iter().map(|&action| words::name(&*self.position, action)).collect();
        let names = words::numbered(&names);
        if let Some(card) = words::asking_card(&*self.position) {
            let text = magic::card_text(&self.position.config(), card);
            table.push_str(&text.map(|text| show::wrapped(&text, "  ")).unwrap_or_default());
        }
        let more = words::more_choices(&*self.position);
        let more = more.map(|more| format!("{more}\n")).unwrap_or_default();
        show::print(&format!("\n{table}\n{}{more}", show::in_columns(&names)))
    }
}
