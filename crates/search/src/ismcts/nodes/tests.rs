//! Edges are found again after insertions, and the memory limit holds.

use super::*;

/// Edges inserted in any order, with few or many action ids, are found by action.
#[test]
fn edges_stay_sorted() {
    for (ids, has_priors) in [(64, false), (64, true), (500, false), (500, true)] {
        let mut nodes = NodeStore::new(1 << 20, has_priors);
        nodes.clear(ids);
        let mut at = nodes.find_or_insert(77, NO_NODE).unwrap();
        let first = at;
        let actions = [9u16, 3, 40, 5, 63, 0, 12, 7, 8, 33, 34];
        for (turn, &action) in actions.iter().enumerate() {
            let action = Action(action * if ids > 64 { 7 } else { 1 });
            assert!(!nodes.rank(at, action).1);
            at = nodes.insert_edge(at, action, f32::from(action.0) / 1000.0).unwrap();
            let (rank, found) = nodes.rank(at, action);
            assert!(found);
            (0..=turn).for_each(|_| nodes.add_visit(at, rank, 1.0));
        }
        for (turn, &action) in actions.iter().enumerate() {
            let action = Action(action * if ids > 64 { 7 } else { 1 });
            let (rank, found) = nodes.rank(at, action);
            assert!(found);
            assert_eq!(nodes.action(at, rank), action);
            assert_eq!(nodes.edge(at, rank).visits, turn as u32 + 1);
            let expected = f32::from(action.0) / 1000.0;
            let prior = nodes.prior(at, rank);
            assert_eq!(prior.is_some(), has_priors);
            assert!((prior.unwrap_or(expected) - expected).abs() < 1e-4);
        }
        assert_eq!(nodes.find_or_insert(77, first), Some(at), "a stale hint is corrected");
    }
}

#[test]
fn the_memory_limit_holds() {
    let mut nodes = NodeStore::new(200, false);
    nodes.clear(64);
    assert!(nodes.find_or_insert(1, NO_NODE).is_some());
    assert!(nodes.find_or_insert(2, NO_NODE).is_none());
}
