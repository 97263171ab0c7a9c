//! Entries are found again, and the limit of memory is kept.

use super::*;

/// Entries in any order, few ids or many, are found again by action.
#[test]
fn entries_stay_in_order() {
    for (ids, has_priors) in [(64, false), (64, true), (500, false), (500, true)] {
        let mut nodes = Nodes::new(1 << 20, ids, has_priors);
        nodes.clear();
        let mut at = nodes.find(77, NOWHERE).unwrap();
        let first = at;
        let actions = [9u16, 3, 40, 5, 63, 0, 12, 7, 8, 33, 34];
        for (turn, &action) in actions.iter().enumerate() {
            let action = Action(action * if ids > 64 { 7 } else { 1 });
            assert!(!nodes.rank(at, action).1);
            at = nodes.insert(at, action, f32::from(action.0) / 1000.0).unwrap();
            let (rank, found) = nodes.rank(at, action);
            assert!(found);
            (0..=turn).for_each(|_| nodes.add(at, rank, 1.0));
        }
        for (turn, &action) in actions.iter().enumerate() {
            let action = Action(action * if ids > 64 { 7 } else { 1 });
            let (rank, found) = nodes.rank(at, action);
            assert!(found);
            assert_eq!(nodes.action(at, rank), action);
            assert_eq!(nodes.entry(at, rank).visits, turn as u32 + 1);
            let expected = f32::from(action.0) / 1000.0;
            let prior = nodes.prior(at, rank);
            assert_eq!(prior.is_some(), has_priors);
            assert!((prior.unwrap_or(expected) - expected).abs() < 1e-4);
        }
        assert_eq!(nodes.find(77, first), Some(at), "a stale guess is corrected");
    }
}

#[test]
fn the_limit_is_kept() {
    let mut nodes = Nodes::new(200, 64, false);
    nodes.clear();
    assert!(nodes.find(1, NOWHERE).is_some());
    assert!(nodes.find(2, NOWHERE).is_none());
}
