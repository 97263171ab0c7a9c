//! `meeple cards`: Magic cards, in English and as a table, and card files checked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use meeple_games::did_you_mean;
use meeple_games::magic::cards::{self, CardError};
use meeple_games::magic::english;
use meeple_games::magic::language::{Amount, Card, Colour, Type};
use serde::Serialize;

use crate::failure::Failure;
use crate::{Outcome, show};

/// Shows Magic cards and checks card files.
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple cards show \"Serra Angel\"\n         \
                        meeple cards list --colour blue --type instant\n         \
                        meeple cards check mine.ron")]
pub(crate) struct CardsArgs {
    #[command(subcommand)]
    command: CardsCommand,
}

#[derive(Debug, Subcommand)]
enum CardsCommand {
    /// Check card files: how they are written and whether their cards make sense
    #[command(after_help = "Example: meeple cards check mine.ron")]
    Check(CheckArgs),
    /// Print a card in English
    #[command(after_help = "Example: meeple cards show \"Serra Angel\"")]
    Show(ShowArgs),
    /// List cards
    #[command(after_help = "Example: meeple cards list --colour blue --type instant")]
    List(ListArgs),
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// Card files; a card of one may create tokens of another
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ShowArgs {
    /// The card's name
    name: String,
    /// A card file besides the built-in cards
    #[arg(long, value_name = "FILE")]
    cards: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ListArgs {
    /// Only cards of this colour; given twice, of both
    #[arg(long, value_name = "COLOUR")]
    colour: Vec<ColourName>,
    /// Only cards of this type; given twice, of both
    #[arg(long = "type", value_name = "TYPE")]
    types: Vec<TypeName>,
    /// A card file besides the built-in cards
    #[arg(long, value_name = "FILE")]
    cards: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ColourName {
    White,
    Blue,
    Black,
    Red,
    Green,
    Colourless,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TypeName {
    Creature,
    Land,
    Artifact,
    Enchantment,
    Instant,
    Sorcery,
    Token,
}

impl ColourName {
    fn fits(self, card: &Card) -> bool {
        let colours = card.colours();
        match self {
            Self::White => colours.has(Colour::White),
            Self::Blue => colours.has(Colour::Blue),
            Self::Black => colours.has(Colour::Black),
            Self::Red => colours.has(Colour::Red),
            Self::Green => colours.has(Colour::Green),
            Self::Colourless => colours.is_empty(),
        }
    }
}

impl TypeName {
    fn fits(self, card: &Card) -> bool {
        match self {
            Self::Creature => card.types.has(Type::Creature),
            Self::Land => card.types.has(Type::Land),
            Self::Artifact => card.types.has(Type::Artifact),
            Self::Enchantment => card.types.has(Type::Enchantment),
            Self::Instant => card.types.has(Type::Instant),
            Self::Sorcery => card.types.has(Type::Sorcery),
            Self::Token => card.token,
        }
    }
}

pub(crate) fn run(args: &CardsArgs) -> Outcome {
    match &args.command {
        CardsCommand::Check(args) => check(args),
        CardsCommand::Show(args) => show_card(args),
        CardsCommand::List(args) => list(args),
    }
}

/// The files' names and texts.
fn read_files(paths: &[PathBuf]) -> Result<Vec<(String, String)>, Failure> {
    let read = |path: &PathBuf| -> Result<(String, String), Failure> {
        let text = fs::read_to_string(path).with_context(|| cannot_read(path))?;
        Ok((path.display().to_string(), text))
    };
    paths.iter().map(read).collect()
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", path.display())
}

/// Faults, each with its line, and how many there are.
fn faulty(faults: &[CardError]) -> Failure {
    for fault in faults {
        show::remark(&fault.to_string());
    }
    let count = faults.len();
    let faults = if count == 1 { "1 fault".into() } else { format!("{count} faults") };
    Failure::Failed(anyhow::anyhow!("{faults} in card files"))
}

/// The built-in cards and those of `paths`.
fn pool(paths: &[PathBuf]) -> Result<Vec<Card>, Failure> {
    let added = cards::load(&read_files(paths)?).map_err(|faults| faulty(&faults))?;
    let mut pool = cards::builtin().to_vec();
    pool.extend(added.into_iter().filter(|card| !cards::builtin().contains(card)));
    Ok(pool)
}

#[derive(Debug, Serialize)]
struct Checked<'a> {
    files: Vec<&'a str>,
    cards: usize,
    faults: Vec<Fault<'a>>,
}

#[derive(Debug, Serialize)]
struct Fault<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    card: Option<&'a str>,
    problem: &'a str,
}

fn check(args: &CheckArgs) -> Outcome {
    let files = read_files(&args.files)?;
    let result = cards::load(&files);
    let (cards, faults) = match &result {
        Ok(cards) => (cards.len(), &[][..]),
        Err(faults) => (0, &faults[..]),
    };
    let names: Vec<&str> = files.iter().map(|(name, _)| &**name).collect();
    if args.json {
        let faults = faults.iter().map(|fault| Fault {
            file: &fault.file,
            line: fault.line,
            column: fault.column,
            card: fault.card.as_deref(),
            problem: &fault.problem,
        });
        show::print_json(&Checked { files: names, cards, faults: faults.collect() })?;
        return Ok(if result.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if !faults.is_empty() {
        return Err(faulty(faults));
    }
    let what = if cards == 1 { "1 card".into() } else { format!("{cards} cards") };
    show::print(&format!("{}: {what}, no faults\n", names.join(", ")))?;
    Ok(ExitCode::SUCCESS)
}

/// The facts of a card.
#[derive(Debug, Serialize)]
struct Facts<'a> {
    name: &'a str,
    cost: Option<String>,
    mana_value: u8,
    colours: Vec<&'static str>,
    types: Vec<&'static str>,
    subtypes: Vec<&'static str>,
    power: Option<String>,
    toughness: Option<String>,
    token: bool,
    text: String,
}

impl<'a> Facts<'a> {
    fn of(card: &'a Card) -> Self {
        let body = card.types.has(Type::Creature);
        let number = |amount: &Amount| match amount {
            Amount::N(number) => number.to_string(),
            _ => "*".into(),
        };
        Self {
            name: &card.name,
            cost: card.cost.map(|cost| cost.to_string()),
            mana_value: card.cost.map_or(0, |cost| cost.value()),
            colours: card.colours().iter().map(Colour::text).collect(),
            types: card.types.iter().map(Type::text).collect(),
            subtypes: card.subtypes.iter().map(|subtype| subtype.name()).collect(),
            power: body.then(|| number(&card.power)),
            toughness: body.then(|| number(&card.toughness)),
            token: card.token,
            text: english::describe(card),
        }
    }
}

fn show_card(args: &ShowArgs) -> Outcome {
    let pool = pool(&args.cards)?;
    let Some(card) = cards::find(&pool, &args.name) else {
        let near = did_you_mean(&args.name, pool.iter().map(|card| &*card.name));
        let near = near.unwrap_or_else(|| "`meeple cards list` lists all".into());
        return Err(Failure::usage(anyhow::anyhow!("no card {:?}, {near}", args.name)));
    };
    if args.json {
        show::print_json(&Facts::of(card))?;
    } else {
        show::print(&english::describe(card))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn list(args: &ListArgs) -> Outcome {
    let pool = pool(&args.cards)?;
    let mut chosen: Vec<&Card> = pool
        .iter()
        .filter(|card| args.colour.iter().all(|colour| colour.fits(card)))
        .filter(|card| args.types.iter().all(|kind| kind.fits(card)))
        .filter(|card| !card.token || args.types.contains(&TypeName::Token))
        .collect();
    chosen.sort_by(|a, b| a.name.cmp(&b.name));
    if args.json {
        let facts: Vec<Facts<'_>> = chosen.into_iter().map(Facts::of).collect();
        show::print_json(&facts)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = show::table(&["card", "cost", "type", "body"], 3);
    for card in &chosen {
        let facts = Facts::of(card);
        let mut types = facts.types.join(" ");
        if !facts.subtypes.is_empty() {
            types += &format!(" - {}", facts.subtypes.join(" "));
        }
        let body =
            facts.power.zip(facts.toughness).map(|(power, tough)| format!("{power}/{tough}"));
        let cost = facts.cost.unwrap_or_default();
        table.add_row([card.name.clone(), cost, types, body.unwrap_or_default()]);
    }
    show::print(&show::text_of(&table))?;
    let count = if chosen.len() == 1 { "1 card".into() } else { format!("{} cards", chosen.len()) };
    show::print(&format!("{count}\n"))?;
    Ok(ExitCode::SUCCESS)
}
