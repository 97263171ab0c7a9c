//! The tables of a process: a bounded arena, since states point into it and never end.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::Table;
use super::config::TableKey;

/// Every table of this process.
pub(super) static TABLES: Arena<{ CUSTOM + BUILT_IN }, BUILT_IN> = Arena::new();

/// The most different tables with decks, cards or weights of their own.
const CUSTOM: usize = 6144;
/// Room for every pair of built-in decks and every matchup, whatever else there is.
const BUILT_IN: usize = 2048;

/// Up to `N` tables, `RESERVED` of them for built-in decks. A table stays as long as the
/// process runs, and equal configurations share one.
pub(super) struct Arena<const N: usize, const RESERVED: usize> {
    tables: [OnceLock<Box<Table>>; N],
    index: Mutex<Index>,
}

/// Where the tables are.
struct Index {
    places: BTreeMap<TableKey, usize>,
    custom: usize,
}

impl<const N: usize, const RESERVED: usize> Arena<N, RESERVED> {
    const fn new() -> Self {
        Self {
            tables: [const { OnceLock::new() }; N],
            index: Mutex::new(Index { places: BTreeMap::new(), custom: 0 }),
        }
    }

    /// The table of `key`, which `make` makes if it is new.
    ///
    /// # Errors
    ///
    /// When `make` refuses, and when there is no room for another table.
    pub(super) fn table(
        &'static self,
        key: TableKey,
        make: impl FnOnce() -> Result<Table, String>,
    ) -> Result<&'static Table, String> {
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&place) = index.places.get(&key) {
            return Ok(self.tables[place].get().expect("listed tables are made"));
        }
        let is_custom = key.is_custom();
        let place = index.places.len();
        if place == N || is_custom && index.custom == N - RESERVED {
            return Err(format!(
                "{} different tables with decks, cards or weights of their own in one process, \
                 expected at most {}",
                index.custom + 1,
                N - RESERVED
            ));
        }
        let table = Box::new(make()?);
        index.places.insert(key, place);
        index.custom += usize::from(is_custom);
        Ok(self.tables[place].get_or_init(|| table))
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::Game;

    use super::*;
    use crate::magic::decks::{MATCHUPS, builtin};
    use crate::magic::{Config, Magic};

    fn custom(mountains: usize) -> Result<Config, serde_json::Error> {
        let cards = format!(r#"{{"Mountain": {mountains}, "Shock": 4}}"#);
        let own = r#"[(name: "Own", cost: "1R", types: [Creature], power: N(2), toughness: N(2))]"#;
        let cards_file = serde_json::json!({ "own.ron": own });
        serde_json::from_str(&format!(
            r#"{{"decks": [{{"name": "mine", "cards": {cards}}}, "red-burn"], "cards": {cards_file}}}"#
        ))
    }

    #[test]
    fn equal_configurations_share_one_table() {
        let first = custom(20).expect("a table");
        for _ in 0..100_000 {
            let again = custom(20).expect("a table");
            assert!(std::ptr::eq(first.table.0, again.table.0));
        }
        let other = custom(21).expect("a table");
        assert!(!std::ptr::eq(first.table.0, other.table.0));
        assert_eq!(Magic::new(&first), Magic::new(&custom(20).expect("a table")));
    }

    #[test]
    fn built_in_tables_always_have_room() {
        assert!(builtin().len().pow(2) + MATCHUPS.len() < BUILT_IN);
    }

    #[test]
    fn a_full_arena_says_so_and_keeps_what_it_has() {
        static SMALL: Arena<3, 1> = Arena::new();
        let table = |config: &Config| SMALL.table(config.key(), || config.build());
        let [first, second, third] = [20, 21, 22].map(|count| custom(count).expect("a table"));
        let kept = table(&first).expect("room");
        table(&second).expect("room");
        let error = table(&third).err();
        assert_eq!(
            error.as_deref(),
            Some(
                "3 different tables with decks, cards or weights of their own in one process, \
                 expected at most 2"
            )
        );
        assert!(table(&first).is_ok_and(|again| std::ptr::eq(again, kept)));
        assert!(table(&Config::default()).is_ok(), "this room is reserved");
    }
}
