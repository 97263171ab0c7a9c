//! Entries of rules: the ids of their actions, by direction and site as the seat sees them.

use super::rules::SeatCoder;
use super::{MAX_IDS, Piece, RuleInfo, blank_ids};
use crate::board::NOWHERE;
use crate::code::{Decoded, Entry, Shape};
use crate::errors::Span;
use crate::syntax::{Action, How, Rule};

/// The directions in which long pieces lie.
pub(super) const LONG_WAYS: [(i8, i8); 2] = [(1, 0), (0, 1)];

/// Returns what each id stands for.
pub(super) fn decode(entries: &[Entry], ids: usize) -> Vec<Decoded> {
    let mut actions = vec![Decoded { entry: 0, site: 0 }; ids];
    for (at, entry) in entries.iter().enumerate() {
        for (site, &id) in entry.ids.iter().enumerate() {
            if let Some(action) = actions.get_mut(usize::from(id)) {
                *action = Decoded { entry: at as u16, site: site as u16 };
            }
        }
    }
    actions
}

impl SeatCoder<'_, '_> {
    /// Takes ids for a rule; `None` where there are no more.
    pub(super) fn take_ids(&mut self, count: usize, label: String, span: Span) -> Option<usize> {
        if self.ids + count > MAX_IDS {
            let message = format!("the rules have more than {MAX_IDS} different actions");
            self.checker.problems.add(span, message);
            return None;
        }
        let first = self.ids;
        self.ids += count;
        let called = std::mem::take(&mut self.called);
        self.rules.push(RuleInfo { first, count, label, called, span });
        Some(first)
    }

    /// Adds an action without sites and returns its entry.
    pub(super) fn word(
        &mut self,
        label: &str,
        effect: usize,
        such_that: Option<usize>,
        is_pass: bool,
        span: Span,
    ) -> usize {
        let Some(first) = self.take_ids(1, label.into(), span) else { return 0 };
        let ids = vec![first as u16].into();
        self.entries.push(Entry {
            ids,
            is_longest: false,
            effect,
            such_that,
            is_pass,
            is_secret: false,
            shape: Shape::Word,
        });
        self.wide += 1;
        self.entries.len() - 1
    }

    pub(super) fn make_entries(&mut self, rule: &Rule, effect: usize, such_that: Option<usize>) {
        self.called = rule.called.as_ref().map_or_else(String::new, |name| name.text.clone());
        let ways = match &rule.action {
            Action::Move { how: How::Fly | How::Follow, .. } => Vec::new(),
            Action::Move { how, .. } => match self.checker.ways(how, rule.span) {
                Some(ways) => ways,
                None => return,
            },
            _ => Vec::new(),
        };
        let (sites, positions) = (self.checker.board.sites(), self.checker.board.positions);
        let is_turned = self.checker.is_turned();
        // The number of a site as the seat sees it.
        let board = self.checker.board.clone();
        let seen = |site: usize| {
            let site = if is_turned { usize::from(board.turned[site]) } else { site };
            usize::from(board.rank[site])
        };
        let on_sites = |first: usize| -> Box<[u16]> {
            let id =
                |site| if board.all.has(site) { (first + seen(site)) as u16 } else { u16::MAX };
            (0..positions).map(id).collect()
        };
        match &rule.action {
            Action::Place { piece, .. } => {
                let label = if self.many_places { piece.text.clone() } else { String::new() };
                let Some(kind) = self.checker.piece(piece) else { return };
                let Piece { is_hidden: is_secret, long, .. } = self.checker.pieces[kind];
                if long > 1 {
                    self.long_entries(rule, label, long, (effect, such_that, is_secret));
                    return;
                }
                let Some(first) = self.take_ids(sites, label, rule.span) else { return };
                let (ids, shape, is_pass) = (on_sites(first), Shape::Target, false);
                self.entries.push(Entry {
                    ids,
                    is_longest: false,
                    effect,
                    such_that,
                    is_pass,
                    is_secret,
                    shape,
                });
                self.wide += sites;
            }
            Action::Aim { .. } | Action::Sow { .. } => {
                let Some(first) = self.take_ids(sites, String::new(), rule.span) else { return };
                let is_sow = matches!(rule.action, Action::Sow { .. });
                let shape = if is_sow { Shape::Source } else { Shape::Target };
                let ids = on_sites(first);
                let is_secret = matches!(rule.action, Action::Aim { secretly: true, .. });
                let is_pass = false;
                self.entries.push(Entry {
                    ids,
                    is_longest: false,
                    effect,
                    such_that,
                    is_pass,
                    is_secret,
                    shape,
                });
                self.wide += sites;
            }
            Action::Say(name) => {
                self.word(&name.text, effect, such_that, false, rule.span);
            }
            Action::Pass => {
                self.word("pass", effect, such_that, true, rule.span);
            }
            Action::Play { to, .. } => {
                let is_secret = !self.checker.plays_openly(to);
                self.card_entry(is_secret, effect, such_that, rule.span);
            }
            Action::Bid { range, .. } => {
                let Some((low, count)) = self.checker.bid_range(range) else { return };
                let Some(first) = self.take_ids(count, String::new(), rule.span) else { return };
                let ids = (first..first + count).map(|id| id as u16).collect();
                let shape = Shape::Number(low);
                let (is_pass, is_secret) = (false, false);
                self.entries.push(Entry {
                    ids,
                    is_longest: false,
                    effect,
                    such_that,
                    is_pass,
                    is_secret,
                    shape,
                });
                self.wide += count;
            }
            // Moves along a path have entries of their own.
            Action::Travel { .. } => {}
            Action::Roll { .. }
            | Action::RollEach { .. }
            | Action::RollDice
            | Action::Deal { .. } => {
                let message = "a roll or a deal is the only rule of its phase";
                self.checker.problems.add(rule.span, message);
            }
            Action::Move { how: How::Fly | How::Follow, .. } => {
                let Some(first) = self.take_ids(sites * sites, String::new(), rule.span) else {
                    return;
                };
                for from in 0..positions {
                    let mut ids = blank_ids(positions);
                    for to in (0..positions).filter(|&to| board.all.has(to) && board.all.has(from))
                    {
                        ids[to] = (first + seen(from) * sites + seen(to)) as u16;
                    }
                    let shape = Shape::From(from as u16);
                    self.entries.push(Entry {
                        ids,
                        is_longest: false,
                        effect,
                        such_that,
                        is_pass: false,
                        is_secret: false,
                        shape,
                    });
                }
                self.wide += sites * sites;
            }
            Action::Move { how, over: passed, .. } => {
                let farthest = self.farthest(how);
                let count = ways.len() * farthest * sites;
                let Some(first) = self.take_ids(count, String::new(), rule.span) else { return };
                let (jumps, captures) = (matches!(how, How::Jump(_)), passed.is_some());
                for (number, &way) in ways.iter().enumerate() {
                    for far in 1..=farthest {
                        let mut ids = blank_ids(positions);
                        let mut from = blank_ids(positions);
                        let mut over = if jumps { blank_ids(positions) } else { Box::default() };
                        let steps = if jumps { 2 } else { far };
                        for source in board.all.sites() {
                            let walk = |at: u16, _| match at {
                                NOWHERE => NOWHERE,
                                at => board.next[way][usize::from(at)],
                            };
                            let to = (0..steps).fold(source as u16, walk);
                            if to == NOWHERE {
                                continue;
                            }
                            let id = first + (number * farthest + far - 1) * sites + seen(source);
                            ids[usize::from(to)] = id as u16;
                            from[usize::from(to)] = source as u16;
                            if jumps {
                                over[usize::from(to)] = board.next[way][source];
                            }
                            self.wide += 1;
                        }
                        let shape = Shape::Move { from, over, captures };
                        self.entries.push(Entry {
                            ids,
                            is_longest: false,
                            effect,
                            such_that,
                            is_pass: false,
                            is_secret: false,
                            shape,
                        });
                    }
                }
            }
        }
    }

    /// Adds the entries of a rule that places long pieces: to the east, and to the north.
    fn long_entries(
        &mut self,
        rule: &Rule,
        label: String,
        long: usize,
        (effect, such_that, is_secret): (usize, Option<usize>, bool),
    ) {
        let (sites, positions) = (self.checker.board.sites(), self.checker.board.positions);
        let Some(first) = self.take_ids(2 * sites, label, rule.span) else { return };
        for (number, offset) in LONG_WAYS.into_iter().enumerate() {
            let Some(way) = self.checker.long_way(offset, rule.span) else { return };
            let Some(table) = self.checker.strip(way, long, rule.span) else { return };
            let mut ids = blank_ids(positions);
            let mut last = blank_ids(positions);
            let strips = self.checker.tables[usize::from(table)].clone();
            for site in self.checker.board.all.sites() {
                let row = strips[site];
                if row.count() as usize == long {
                    let rank = usize::from(self.checker.board.rank[site]);
                    ids[site] = (first + number * sites + rank) as u16;
                    last[site] = row.sites().last().unwrap_or(site) as u16;
                }
            }
            let (shape, is_pass) = (Shape::Strip { table, last }, false);
            self.entries.push(Entry {
                ids,
                is_longest: false,
                effect,
                such_that,
                is_pass,
                is_secret,
                shape,
            });
            self.wide += sites;
        }
    }

    pub(super) fn farthest(&self, how: &How) -> usize {
        let (width, height) = self.checker.board.size();
        if matches!(how, How::Slide(_)) { width.max(height).max(2) - 1 } else { 1 }
    }
}
