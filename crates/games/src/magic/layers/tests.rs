//! Layers on the boards of random games: what permanents are does not depend on the
//! order of two effects that do not contend for the same thing.

use meeple_game::{ActionList, Game, Rng, Turn};

use crate::magic::language::Static;
use crate::magic::state::slots::Slot;
use crate::magic::state::{EffectKind, Magic, Question};
use crate::magic::{Config, decks};

/// Games of each pair, and how many states are left out between two that are
/// looked at.
const GAMES: u64 = 16;
const STRIDE: usize = 3;

/// What a change of order was tried on.
#[derive(Default)]
struct Tried {
    permanents: usize,
    effects: usize,
}

/// What an effect sets, rather than adds to: the later of two decides.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sets {
    control: bool,
    nature: bool,
    gained: u32,
    lost: u32,
}

impl Sets {
    /// Whether the order of two matters.
    fn contends(self, other: Self) -> bool {
        self.control && other.control
            || self.nature && other.nature
            || self.gained & other.lost != 0
            || self.lost & other.gained != 0
    }
}

fn sets_of_permanent(game: &Magic, slot: Slot) -> Sets {
    let statics = &game.def_at(slot).statics;
    let control = statics.iter().any(|ability| matches!(ability, Static::Control(_)));
    let nature = statics.iter().any(|ability| matches!(ability, Static::Becomes { .. }));
    Sets { control, nature, gained: u32::MAX, lost: 0 }
}

fn sets_of_effect(game: &Magic, index: usize) -> Sets {
    let none = Sets { control: false, nature: false, gained: 0, lost: 0 };
    match game.effects[index].kind {
        EffectKind::Controls { .. } => Sets { control: true, ..none },
        EffectKind::Becomes { .. } => Sets { nature: true, gained: u32::MAX, ..none },
        EffectKind::Gets { keywords, .. } => Sets { gained: keywords, ..none },
        EffectKind::Loses { keywords } => Sets { lost: keywords, ..none },
        _ => none,
    }
}

/// The state with everything worked out anew, after a change of order.
fn derived(game: &Magic, reorder: impl Fn(&mut Magic)) -> Magic {
    let mut other = *game;
    reorder(&mut other);
    other.derive_all();
    // The change itself is taken back, so that only its consequences are compared.
    other.board.static_order = game.board.static_order;
    other.effects = game.effects;
    other
}

fn check(game: &Magic, tried: &mut Tried) {
    assert!(derived(game, |_| {}) == *game, "worked out again, it is something else:\n{game}");
    let order = &game.board.static_order;
    for first in 1..order.len() {
        let [one, other] = [order[first - 1], order[first]];
        let between = game.effects.iter().any(|effect| usize::from(effect.older_statics) == first);
        if between || sets_of_permanent(game, one).contends(sets_of_permanent(game, other)) {
            continue;
        }
        let swapped = derived(game, |game| game.board.static_order.swap(first - 1, first));
        let names = [one, other].map(|slot| &game.def_at(slot).name);
        assert!(swapped == *game, "the order of {names:?} matters:\n{game}");
        tried.permanents += 1;
    }
    for first in 1..game.effects.len() {
        let [one, other] = [first - 1, first].map(|index| &game.effects[index]);
        let apart = one.older_statics != other.older_statics;
        if apart || sets_of_effect(game, first - 1).contends(sets_of_effect(game, first)) {
            continue;
        }
        let swapped = derived(game, |game| game.effects.swap(first - 1, first));
        assert!(swapped == *game, "the order of {one:?} and {other:?} matters:\n{game}");
        tried.effects += 1;
    }
}

#[test]
fn order_matters_only_where_effects_contend() {
    let decks = decks::builtin();
    let mut tried = Tried::default();
    let mut scratch = ActionList::new();
    for (index, deck) in decks.iter().enumerate() {
        let opponent = &decks[(index * 5 + 2) % decks.len()];
        let config = Config::of_decks(&deck.name, &opponent.name).expect("built-in decks");
        for seed in 0..GAMES {
            let mut rng = Rng::new(seed);
            let mut game = Magic::new(&config);
            for step in 0.. {
                match game.turn() {
                    Turn::Over => break,
                    Turn::Chance => game.apply(game.sample_chance(&mut rng)),
                    Turn::Player(_) => _ = game.apply_sampled(&mut rng, &mut scratch),
                }
                // Only when somebody may act is everything worked out: attackers that
                // are being chosen, say, are not attacking yet.
                if step % STRIDE == 0 && game.question == Question::Priority {
                    check(&game, &mut tried);
                }
            }
        }
    }
    assert!(tried.permanents > 1000, "{} pairs of permanents", tried.permanents);
    assert!(tried.effects > 100, "{} pairs of effects", tried.effects);
}
