//! `meeple play`: a game in the terminal, against bots.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use meeple_arena::{BotSpec, Position, REPLAY_VERSION, Replay, SeatBot};
use meeple_game::{Action, ActionList, Player, Rng, Turn};

use crate::args::GameArgs;
use crate::failure::Failure;
use crate::{Outcome, refusal, show};

/// Plays a game in the terminal.
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple play connect-four --seat 1 --vs mcts:sims=5000")]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Your seat, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    seat: u8,
    /// The bot in every other seat
    #[arg(long, value_name = "BOT", default_value = "mcts:sims=1000")]
    vs: BotSpec,
    /// The bot that gives hints
    #[arg(long, value_name = "BOT", default_value = "mcts:sims=3000")]
    hints: BotSpec,
    /// Where all luck comes from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Save a replay of the game here, even if it is left early
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

pub(crate) fn run(args: &PlayArgs) -> Outcome {
    let mut sitting = Sitting::new(args)?;
    let outcome = sitting.play();
    if let Some(file) = &args.save {
        sitting.save(args, file)?;
    }
    outcome
}

/// What a person may type besides an action.
const HELP: &str = "\
  an action   by its name, its number, or the start of its name
  hint        what the hint bot would do
  undo        take back your last decision and what followed it
  board       show the table again
  resign      give up and leave
  help        this text";

/// What was typed.
enum Typed {
    Play(Action),
    Hint,
    Undo,
    Board,
    Help,
    Resign,
    End,
    Unclear(String),
}

/// One person at a table of bots.
struct Sitting {
    game: Box<dyn Position>,
    me: Player,
    bot: Box<dyn SeatBot>,
    hints: Box<dyn SeatBot>,
    rng: Rng,
    /// The table before each of the person's decisions, and the luck to come:
    /// taking back does not change the dice.
    past: Vec<(Box<dyn Position>, Rng, usize)>,
    /// Everything that was played, luck included.
    actions: Vec<Action>,
    menu: ActionList,
}

impl Sitting {
    fn new(args: &PlayArgs) -> Result<Self, Failure> {
        let game = args.game.open()?;
        if usize::from(args.seat) >= game.players() {
            let most = game.players() - 1;
            return Err(Failure::Usage(anyhow::anyhow!(
                "--seat {}: the seats of this table are 0 to {most}",
                args.seat
            )));
        }
        Ok(Self {
            me: Player(args.seat),
            bot: game.bot(&args.vs).map_err(Failure::usage)?,
            hints: game.bot(&args.hints).map_err(Failure::usage)?,
            game,
            rng: Rng::new(args.seed),
            past: Vec::new(),
            actions: Vec::new(),
            menu: ActionList::new(),
        })
    }

    fn play(&mut self) -> Outcome {
        show::print(&format!(
            "You are {} at {}. Type help for help.\n",
            self.me,
            self.game.facts().name
        ))?;
        loop {
            match self.game.turn() {
                Turn::Over => return self.finish(),
                Turn::Player(player) if player == self.me => {
                    if let Some(code) = self.decide()? {
                        return Ok(code);
                    }
                }
                Turn::Player(player) => match self.bot.choose(&*self.game, player, &mut self.rng) {
                    Ok(action) => self.announce(&player.to_string(), action)?,
                    Err(forfeit) => {
                        show::print(&format!("{player} forfeits the game: {forfeit}\n"))?;
                        return Ok(ExitCode::SUCCESS);
                    }
                },
                Turn::Chance => {
                    let action = self.game.sample_chance(&mut self.rng);
                    self.announce("chance", action)?;
                }
            }
        }
    }

    fn apply(&mut self, action: Action) {
        self.actions.push(action);
        self.game.try_apply(action).expect("bots, luck and menus offer legal actions");
    }

    /// Saves the game so far, whole or not at all.
    fn save(&self, args: &PlayArgs, file: &Path) -> Result<(), Failure> {
        let players = self.game.players();
        let name = |seat: usize| {
            if seat == self.me.index() { "a person".into() } else { args.vs.to_string() }
        };
        let replay = Replay {
            meeple_replay: REPLAY_VERSION,
            game: self.game.facts().name.into(),
            config: self.game.config(),
            seed: args.seed,
            bots: (0..players).map(name).collect(),
            actions: self.actions.clone(),
            payoffs: self.game.payoffs()[..players].to_vec(),
            forfeit: None,
            thoughts: BTreeMap::new(),
        };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let write = || -> std::io::Result<()> {
            let mut saved = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
            saved.write_all(replay.to_json().as_bytes())?;
            saved.persist(file).map_err(|error| error.error)?;
            Ok(())
        };
        write().with_context(|| format!("cannot save to {}", file.display()))?;
        show::remark(&format!("saved to {}", file.display()));
        Ok(())
    }

    /// Plays what somebody else did, and tells as much of it as the person may
    /// know: what it is called if they cannot be mistaken about it.
    fn announce(&mut self, who: &str, action: Action) -> Result<(), Failure> {
        let told = self.game.told_name(action, self.me, &mut self.rng.split(0));
        self.apply(action);
        show::print(&format!("{who}: {}\n", told.as_deref().unwrap_or("(hidden from you)")))
    }

    /// Asks until the person plays, takes back or leaves.
    fn decide(&mut self) -> Result<Option<ExitCode>, Failure> {
        self.game.legal_actions(&mut self.menu);
        self.draw()?;
        loop {
            show::print("> ")?;
            match self.read()? {
                Typed::Play(action) => {
                    self.past.push((self.game.copy(), self.rng.clone(), self.actions.len()));
                    self.apply(action);
                    return Ok(None);
                }
                Typed::Hint => {
                    let mut rng = self.rng.split(1);
                    let hint = match self.hints.choose(&*self.game, self.me, &mut rng) {
                        Ok(action) => self.game.action_name(action),
                        Err(forfeit) => format!("none, the bot failed: {forfeit}"),
                    };
                    show::print(&format!("hint: {hint}\n"))?;
                }
                Typed::Undo => match self.past.pop() {
                    Some((game, rng, played)) => {
                        (self.game, self.rng) = (game, rng);
                        self.actions.truncate(played);
                        return Ok(None);
                    }
                    None => show::print("nothing to take back\n")?,
                },
                Typed::Board => self.draw()?,
                Typed::Help => show::print(&format!("{HELP}\n"))?,
                Typed::Resign => {
                    show::print("You resign.\n")?;
                    return Ok(Some(ExitCode::SUCCESS));
                }
                Typed::End => {
                    show::remark("the input ended before the game did");
                    return Ok(Some(ExitCode::FAILURE));
                }
                Typed::Unclear(why) => show::print(&format!("{why}\n"))?,
            }
        }
    }

    fn draw(&self) -> Result<(), Failure> {
        let names: Vec<String> = (1..)
            .zip(self.menu.iter())
            .map(|(number, &action)| format!("{number}) {}", self.game.action_name(action)))
            .collect();
        show::print(&format!("\n{}\n\n{}", self.game.text(self.me), in_columns(&names)))
    }

    fn read(&self) -> Result<Typed, Failure> {
        let mut line = Vec::new();
        if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
            return Ok(Typed::End);
        }
        let line = String::from_utf8_lossy(&line);
        Ok(self.understand(line.trim()))
    }

    /// An action's exact name wins over a command, a command over a number.
    fn understand(&self, text: &str) -> Typed {
        if let Some(action) = self.game.parse_action(text) {
            return Typed::Play(action);
        }
        match text.to_ascii_lowercase().as_str() {
            "" | "board" => return Typed::Board,
            "hint" => return Typed::Hint,
            "undo" => return Typed::Undo,
            "help" | "?" => return Typed::Help,
            "resign" | "quit" | "exit" => return Typed::Resign,
            _ => {}
        }
        if let Ok(number) = text.parse::<usize>() {
            return match number.checked_sub(1).and_then(|at| self.menu.get(at)) {
                Some(&action) => Typed::Play(action),
                None => Typed::Unclear(format!("expected a number from 1 to {}", self.menu.len())),
            };
        }
        let starts = |action: &&Action| {
            let name = self.game.action_name(**action).to_ascii_lowercase();
            name.starts_with(&text.to_ascii_lowercase())
        };
        let fitting: Vec<Action> = self.menu.iter().filter(starts).copied().collect();
        match fitting[..] {
            [action] => Typed::Play(action),
            [] => Typed::Unclear(match refusal::of_text(&*self.game, text) {
                Some(why) => format!("{text} is not legal: {why}"),
                None => format!("{text:?} is no action here; help lists what can be typed"),
            }),
            _ => Typed::Unclear(format!("{text:?} could be {} actions", fitting.len())),
        }
    }

    fn finish(&self) -> Outcome {
        let payoffs = self.game.payoffs();
        let mine = payoffs[self.me.index()];
        let verdict = match mine {
            _ if mine > 0.0 => "You win",
            _ if mine < 0.0 => "You lose",
            _ => "A draw",
        };
        let all: Vec<String> = (payoffs[..self.game.players()].iter().enumerate())
            .map(|(seat, payoff)| format!("seat {seat} {payoff:+.2}"))
            .collect();
        let text = self.game.text(self.me);
        show::print(&format!("\n{text}\n\n{verdict}: {}\n", all.join(", ")))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Lists names in as many columns as a line of text holds.
fn in_columns(names: &[String]) -> String {
    const WIDTH: usize = 78;
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) + 2;
    let columns = (WIDTH / widest).clamp(1, names.len().max(1));
    let rows = names.len().div_ceil(columns);
    let mut text = String::new();
    for row in 0..rows {
        let line: String =
            (names.iter().skip(row).step_by(rows)).map(|name| format!("{name:widest$}")).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
