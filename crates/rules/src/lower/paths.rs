//! Paths: the sites that pieces of a player follow, and the tables of moves along them.

use super::{Checker, Symbol};
use crate::errors::{Span, did_you_mean};
use crate::set::{Bits, Set};
use crate::syntax::{Name, RegionOf};

impl Checker<'_> {
    pub(super) fn define_path(&mut self, name: &Name, of: &RegionOf, points: &[Name]) {
        let mut sites: Vec<u16> = Vec::new();
        for point in points {
            let Some(site) = self.site(&point.text) else {
                let message = format!("the board has no site `{}`", point.text);
                self.problems.add(point.span, message);
                return;
            };
            if sites.contains(&(site as u16)) {
                let message = format!("the path comes to {} twice", point.text);
                self.problems.add(point.span, message);
                return;
            }
            sites.push(site as u16);
        }
        if sites.len() < 2 {
            let help = "a block below the path lists them, as in `a1..f1 f2 f3`";
            self.problems.add_with_help(name.span, "a path has two sites or more", help);
            return;
        }
        let chosen = match of {
            RegionOf::Nobody | RegionOf::Each => None,
            RegionOf::Seat(seat) => match self.symbols.get(&seat.text) {
                Some(&Symbol::Seat(number)) => Some(number),
                _ => {
                    let known = self.seat_names.iter().map(String::as_str);
                    let help = did_you_mean(&seat.text, known)
                        .unwrap_or_else(|| "players are named by `players 2 named a, b`".into());
                    let message = format!("`{}` is no player", seat.text);
                    self.problems.add_with_help(seat.span, message, help);
                    return;
                }
            },
        };
        let at = match self.symbols.get(&name.text) {
            Some(&Symbol::Path(old)) if chosen.is_some() => old,
            _ => {
                self.insert(name, Symbol::Path(self.paths.len()));
                self.paths.push(vec![Vec::new(); self.players]);
                self.paths.len() - 1
            }
        };
        for (seat, path) in self.paths[at].iter_mut().enumerate() {
            if chosen.is_none_or(|chosen| chosen == seat) {
                path.clone_from(&sites);
            }
        }
    }

    /// Returns the path of the seat for which code is made.
    pub(super) fn path(&mut self, name: &Name) -> Option<Vec<u16>> {
        let Some(&Symbol::Path(path)) = self.symbols.get(&name.text) else {
            self.unknown(&name.text, name.span, "of a path");
            return None;
        };
        let sites = self.paths[path][self.seat].clone();
        if sites.is_empty() {
            let message = format!("player {} has no path `{}`", self.seat + 1, name.text);
            self.problems.add(name.span, message);
            return None;
        }
        Some(sites)
    }

    /// Returns the table of the sites that are `far` sites further on a path.
    pub(super) fn further(&mut self, path: &[u16], far: usize, span: Span) -> Option<u8> {
        let mut table = vec![Bits::NONE; self.board.positions];
        for (from, to) in path.iter().zip(path.iter().skip(far)) {
            table[usize::from(*from)] = Set::one(usize::from(*to));
        }
        self.table(table, span)
    }

    /// Returns the table of all sites after each one of a path.
    pub(super) fn ahead_on(&mut self, path: &[u16], span: Span) -> Option<u8> {
        let mut table = vec![Bits::NONE; self.board.positions];
        for (at, site) in path.iter().enumerate() {
            table[usize::from(*site)] = Set::of(path[at + 1..].iter().map(|&to| usize::from(to)));
        }
        self.table(table, span)
    }

    /// Returns the table that keeps sites and drops all others.
    pub(super) fn only(&mut self, sites: &[u16], span: Span) -> Option<u8> {
        let mut table = vec![Bits::NONE; self.board.positions];
        for &site in sites {
            table[usize::from(site)] = Set::one(usize::from(site));
        }
        self.table(table, span)
    }
}
