//! `meeple cards`: Magic cards in English and as a table, and validation of card files.

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

/// Show Magic cards and check card files
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
    /// Check the syntax and the cards of card files
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
    /// Card files; cards may create tokens defined in another file
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ShowArgs {
    /// Card name
    name: String,
    /// Card file to use besides the built-in cards
    #[arg(long, value_name = "FILE")]
    cards: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ListArgs {
    /// Only cards of this colour; repeat for multicoloured cards
    #[arg(long, value_name = "COLOUR")]
    colour: Vec<ColourName>,
    /// Only cards of this type; repeat for cards of several types
    #[arg(long = "type", value_name = "TYPE")]
    types: Vec<TypeName>,
    /// Card file to use besides the built-in cards
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
    fn matches(self, card: &Card) -> bool {
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
    fn matches(self, card: &Card) -> bool {
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

/// Returns the name and text of each file.
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

/// Prints each error with its line, and returns a failure with their number.
fn report_errors(errors: &[CardError]) -> Failure {
    for error in errors {
        show::remark(&error.to_string());
    }
    let count = errors.len();
    let errors = if count == 1 { "1 error".into() } else { format!("{count} errors") };
    Failure::Failed(anyhow::anyhow!("{errors} in card files"))
}

/// Returns the built-in cards and those of the files `paths`.
fn pool(paths: &[PathBuf]) -> Result<Vec<Card>, Failure> {
    let added = cards::load(&read_files(paths)?).map_err(|errors| report_errors(&errors))?;
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
        return Err(report_errors(faults));
    }
    let what = if cards == 1 { "1 card".into() } else { format!("{cards} cards") };
    show::print(&format!("{}: {what}, no errors\n", names.join(", ")))?;
    Ok(ExitCode::SUCCESS)
}

/// A card in JSON.
#[derive(Debug, Serialize)]
struct CardFacts<'a> {
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

impl<'a> CardFacts<'a> {
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
        let near = near.unwrap_or_else(|| "see `meeple cards list`".into());
        return Err(Failure::usage(anyhow::anyhow!("no card {:?}, {near}", args.name)));
    };
    if args.json {
        show::print_json(&CardFacts::of(card))?;
    } else {
        show::print(&english::describe(card))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn list(args: &ListArgs) -> Outcome {
    let pool = pool(&args.cards)?;
    let mut chosen: Vec<&Card> = pool
        .iter()
        .filter(|card| args.colour.iter().all(|colour| colour.matches(card)))
        .filter(|card| args.types.iter().all(|kind| kind.matches(card)))
        .filter(|card| !card.token || args.types.contains(&TypeName::Token))
        .collect();
    chosen.sort_by(|a, b| a.name.cmp(&b.name));
    if args.json {
        let facts: Vec<CardFacts<'_>> = chosen.into_iter().map(CardFacts::of).collect();
        show::print_json(&facts)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = show::table(&["card", "cost", "type", "body"], 3);
    for card in &chosen {
        let facts = CardFacts::of(card);
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
