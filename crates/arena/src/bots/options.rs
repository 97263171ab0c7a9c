//! The options of a bot as they are written: `option=value,…`.

use std::str::FromStr;

use crate::Error;

/// The options of one bot as written, taken out one by one.
pub(crate) struct Options<'a> {
    bot: &'static str,
    given: Vec<(&'a str, &'a str)>,
    known: Vec<&'static str>,
}

impl<'a> Options<'a> {
    /// Reads `option=value,…`.
    pub(crate) fn parse(bot: &'static str, text: &'a str) -> Result<Self, Error> {
        let mut given: Vec<(&str, &str)> = Vec::new();
        for option in text.split(',').map(str::trim).filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some((name, value)) if !given.iter().any(|(other, _)| *other == name.trim()) => {
                    given.push((name.trim(), value.trim()));
                }
                _ => return Err(Error::BadOption { bot, text: option.into() }),
            }
        }
        Ok(Self { bot, given, known: Vec::new() })
    }

    /// A whole number, `default` unless given.
    pub(crate) fn take(
        &mut self,
        option: &'static str,
        default: u32,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<u32, Error> {
        let expected = match range.end() {
            1_000 => "a whole number from 1 to 1000",
            1_000_000 => "a whole number from 1 to 1000000",
            _ => "a whole number from 1 to 100000000",
        };
        self.take_as(option, default, |number| range.contains(number), expected)
    }

    /// A value, `default` unless given.
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

    /// One of some words, `default` unless given.
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

    /// Refuses what nobody has taken.
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
