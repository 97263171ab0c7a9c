//! Parsing of bot options: `option=value,…`.

use std::str::FromStr;

use crate::Error;
use crate::renamed::bot_option;

/// The options of one bot, as text. Each `take` method removes the option it reads.
pub(crate) struct Options<'a> {
    bot: &'static str,
    given: Vec<(&'a str, &'a str)>,
    known: Vec<&'static str>,
}

impl<'a> Options<'a> {
    /// Parses `option=value,…`. A `command` takes the rest of the text, commas included.
    pub(crate) fn parse(bot: &'static str, text: &'a str) -> Result<Self, Error> {
        let mut given: Vec<(&str, &str)> = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let command = rest.trim_start().starts_with("command=");
            let end = if command { None } else { rest.find(',') };
            let option = rest[..end.unwrap_or(rest.len())].trim();
            rest = end.map_or("", |at| &rest[at + 1..]);
            match option.split_once('=') {
                Some(pair) => given.push(pair),
                None if option.is_empty() => {}
                None => return Err(Error::BadOption { bot, text: option.into() }),
            }
        }
        Self::from_pairs(bot, given)
    }

    /// Creates options from name-value pairs.
    pub(crate) fn from_pairs(
        bot: &'static str,
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Error> {
        let mut given: Vec<(&str, &str)> = Vec::new();
        for (name, value) in pairs {
            let (name, value) = (name.trim(), value.trim());
            if given.iter().any(|(other, _)| *other == name) {
                return Err(Error::BadOption { bot, text: format!("{name}={value}") });
            }
            given.push((name, value));
        }
        Ok(Self { bot, given, known: Vec::new() })
    }

    /// Replaces deprecated option names by the current ones.
    pub(crate) fn renamed(self) -> Result<Self, Error> {
        let given = self.given.into_iter().map(|(name, value)| (bot_option(name), value));
        Self::from_pairs(self.bot, given)
    }

    /// Takes all options, as text.
    pub(crate) fn take_all(&mut self) -> Vec<(String, String)> {
        let given = std::mem::take(&mut self.given).into_iter();
        given.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// Whether an option is given and not yet taken.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.given.iter().any(|(given, _)| *given == name)
    }

    /// Takes an integer, or `default` if the option is missing.
    pub(crate) fn take(
        &mut self,
        option: &'static str,
        default: u32,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<u32, Error> {
        let expected = match range.end() {
            120 => "a whole number from 1 to 120",
            256 => "a whole number from 1 to 256",
            1_000 => "a whole number from 1 to 1000",
            1_000_000 => "a whole number from 1 to 1000000",
            _ => "a whole number from 1 to 100000000",
        };
        self.take_as(option, default, |number| range.contains(number), expected)
    }

    /// Takes a value, or `default` if the option is missing.
    pub(crate) fn take_as<T: FromStr>(
        &mut self,
        option: &'static str,
        default: T,
        is_allowed: impl Fn(&T) -> bool,
        expected: &'static str,
    ) -> Result<T, Error> {
        self.known.push(option);
        let Some(at) = self.given.iter().position(|(name, _)| *name == option) else {
            return Ok(default);
        };
        let (_, value) = self.given.swap_remove(at);
        value.parse().ok().filter(is_allowed).ok_or_else(|| Error::BadValue {
            bot: self.bot,
            option,
            value: value.into(),
            expected,
        })
    }

    /// Takes one of several keywords, or `default` if the option is missing.
    pub(crate) fn take_word<T: Copy>(
        &mut self,
        option: &'static str,
        default: T,
        words: &[(&'static str, T)],
        expected: &'static str,
    ) -> Result<T, Error> {
        let known = |word: &String| words.iter().any(|(known, _)| word == known);
        let word = self.take_as(option, String::new(), known, expected)?;
        let found = words.iter().find(|(known, _)| word == *known);
        Ok(found.map_or(default, |&(_, value)| value))
    }

    /// Takes the options called `weights.NAME`: weights of the heuristic evaluation, sorted by
    /// name.
    pub(crate) fn take_weights(&mut self) -> Result<Vec<(String, f32)>, Error> {
        let mut weights = Vec::new();
        for (option, value) in std::mem::take(&mut self.given) {
            let Some(name) = option.strip_prefix("weights.") else {
                self.given.push((option, value));
                continue;
            };
            let weight = value.parse().ok().filter(|weight: &f32| weight.is_finite());
            let weight = weight.ok_or_else(|| Error::BadValue {
                bot: self.bot,
                option: "weights",
                value: format!("{name}:{value}"),
                expected: "a finite number",
            })?;
            weights.push((name.to_owned(), weight));
        }
        weights.sort_by(|(one, _), (other, _)| one.cmp(other));
        self.known.push("weights.NAME");
        Ok(weights)
    }

    /// Takes the temperature of a softmax over values; 0 plays the best action.
    pub(crate) fn take_temperature(&mut self) -> Result<f32, Error> {
        let is_allowed = |temperature: &f32| (0.0..=1000.0).contains(temperature);
        self.take_as("temperature", 0.0, is_allowed, "a number from 0 to 1000")
    }

    /// Takes a mandatory value.
    pub(crate) fn take_required(
        &mut self,
        option: &'static str,
        expected: &'static str,
    ) -> Result<String, Error> {
        let value = self.take_as(option, String::new(), |text| !text.is_empty(), expected)?;
        if value.is_empty() {
            return Err(Error::BadValue { bot: self.bot, option, value, expected });
        }
        Ok(value)
    }

    /// Returns an error if an option was not taken, because the bot does not have it.
    pub(crate) fn finish(self) -> Result<(), Error> {
        match self.given.first() {
            None => Ok(()),
            Some((option, _)) => Err(Error::UnknownOption {
                bot: self.bot,
                option: (*option).into(),
                known: self.known,
            }),
        }
    }
}
