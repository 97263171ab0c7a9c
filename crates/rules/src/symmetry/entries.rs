//! The images of entries and actions under a map of the board.

use super::BoardMap;
use crate::board::NOWHERE;
use crate::code::{Entry, SeatCode, Shape};
use crate::lower::Lowered;

/// Stands where an entry has no action for a target.
const NONE: u16 = u16::MAX;

/// Returns the image of each entry of a seat: that of the same rule whose actions are the images
/// of its own. `None` where an entry has no image.
pub(super) fn images(map: &BoardMap, rules: &Lowered, seat: &SeatCode) -> Option<Vec<u16>> {
    let of = |entry: &Entry| rule(rules, entry);
    let owners: Vec<Option<usize>> = seat.entries.iter().map(of).collect();
    let image = |(at, entry): (usize, &Entry)| {
        if owners[at].is_none() {
            return Some(at as u16);
        }
        let mut others = seat.entries.iter().enumerate();
        let found = others.find(|&(other, image)| {
            owners[other] == owners[at] && is_image(map, rules, entry, image)
        })?;
        Some(found.0 as u16)
    };
    seat.entries.iter().enumerate().map(image).collect()
}

/// Returns the rule of an entry; `None` for an entry without actions.
pub(super) fn rule(rules: &Lowered, entry: &Entry) -> Option<usize> {
    let id = usize::from(*entry.ids.iter().find(|id| **id != NONE)?);
    rules.rules.iter().position(|rule| (rule.first..rule.first + rule.count).contains(&id))
}

fn is_image(map: &BoardMap, rules: &Lowered, entry: &Entry, image: &Entry) -> bool {
    let kind = |entry: &Entry| (entry.is_pass, entry.is_longest, entry.is_secret);
    if kind(entry) != kind(image) {
        return false;
    }
    let to = |site: u16| if site == NOWHERE { site } else { map.sites[usize::from(site)] };
    let mut sites = rules.board.all.sites();
    let has_same_targets = |site: usize| {
        (entry.ids[site] == NONE) == (image.ids[usize::from(map.sites[site])] == NONE)
    };
    match (&entry.shape, &image.shape) {
        (Shape::Word, Shape::Word) => entry.ids == image.ids,
        (Shape::Target, Shape::Target) => sites.all(has_same_targets),
        (Shape::From(from), Shape::From(image)) => to(*from) == *image,
        (
            Shape::Move { from, over, captures },
            Shape::Move { from: its_from, over: its_over, captures: its_captures },
        ) => {
            captures == its_captures
                && over.len() == its_over.len()
                && sites.all(|site| {
                    let its = usize::from(map.sites[site]);
                    has_same_targets(site)
                        && to(from[site]) == its_from[its]
                        && (over.is_empty() || to(over[site]) == its_over[its])
                })
        }
        _ => false,
    }
}

/// Adds the images of a seat's actions; `None` where they contradict those of another seat.
pub(super) fn map_actions(
    map: &BoardMap,
    seat: &SeatCode,
    images: &[u16],
    actions: &mut [Option<u16>],
) -> Option<()> {
    for (entry, &to) in seat.entries.iter().zip(images) {
        let image = &seat.entries[usize::from(to)];
        for (target, &id) in entry.ids.iter().enumerate().filter(|(_, id)| **id != NONE) {
            let target = match entry.shape {
                Shape::Word => target,
                _ => usize::from(map.sites[target]),
            };
            let known = &mut actions[usize::from(id)];
            let id = image.ids[target];
            if id == NONE || known.is_some_and(|known| known != id) {
                return None;
            }
            *known = Some(id);
        }
    }
    Some(())
}
