//! Tests of building costs and points.

use meeple_game::{Player, choices};

use super::{laid, names, play, refuses};
use crate::stone_age::StoneAge;
use crate::stone_age::data::{BUILDING, Building};
use crate::stone_age::payments::PAYMENT;

/// Seat 0 is to pay for `building` from these resources.
fn paying(building: u16, resources: [u16; 4]) -> StoneAge {
    let other = if building == 3 { 4 } else { 3 };
    let mut game = laid(r#"{"forced": "ask"}"#, [24, 22, 13, 12], &[building, other]);
    game.tribes[0].resources = resources;
    play(&mut game, &["building 1", "hunt 5", "hunt 4"]);
    play(&mut game, &["use building 1"]);
    game
}

/// The points scored by a payment.
#[track_caller]
fn scored(building: u16, payment: &str) -> i32 {
    let mut game = paying(building, [9; 4]);
    play(&mut game, &[payment]);
    assert_eq!(game.tribes[0].buildings.count(building as usize), 1);
    game.score(Player(0))
}

#[test]
fn fixed_buildings_cost_the_printed_resources() {
    for (building, cost, points) in [
        (0, "2 wood 1 clay", 10),
        (1, "2 wood 1 stone", 11),
        (2, "1 wood 2 clay", 11),
        (3, "1 wood 1 clay 1 stone", 12),
        (4, "2 wood 1 gold", 12),
        (5, "1 wood 2 stone", 13),
        (6, "2 clay 1 stone", 13),
        (7, "1 wood 1 clay 1 gold", 13),
        (8, "1 wood 1 stone 1 gold", 14),
        (9, "2 clay 1 gold", 14),
        (10, "1 clay 2 stone", 14),
        (11, "1 clay 1 stone 1 gold", 15),
        (12, "2 stone 1 gold", 16),
    ] {
        let payment = format!("pay {cost}");
        assert_eq!(names(&paying(building, [9; 4])), [payment.as_str(), "decline"]);
        assert_eq!(scored(building, &payment), points, "building {building}");
    }
}

#[test]
fn other_buildings_score_the_value_paid() {
    for (building, payment, points) in [
        (13, "pay 1 wood", 3),
        (13, "pay 7 gold", 42),
        (14, "pay 4 stone", 20),
        (15, "pay 1 wood 3 clay", 15),
        (16, "pay 1 wood 1 clay 2 gold", 19),
        (17, "pay 1 wood 1 clay 1 stone 1 gold", 18),
        (18, "pay 5 gold", 30),
        (19, "pay 4 wood 1 gold", 18),
        (20, "pay 3 clay 1 stone 1 gold", 23),
        (21, "pay 2 wood 1 clay 1 stone 1 gold", 21),
    ] {
        assert_eq!(scored(building, payment), points, "building {building}");
    }
}

#[test]
fn all_payments_are_legal() {
    let ways =
        [(13, 329), (14, 4), (15, 18), (16, 12), (17, 1), (18, 4), (19, 24), (20, 24), (21, 4)];
    for (building, ways) in ways {
        let game = paying(building, [9; 4]);
        assert_eq!(choices(&game).len(), ways + 1, "and to decline building {building}");
    }
}

#[test]
fn payments_respect_the_number_of_kinds_and_the_resources_held() {
    let game = paying(15, [3, 2, 0, 0]);
    let expected = ["pay 2 wood 2 clay", "pay 3 wood 1 clay", "decline"];
    assert_eq!(names(&game), expected);
    refuses(&game, "pay 4 wood");
    refuses(&game, "pay 1 wood 3 clay");
    let game = paying(13, [1, 0, 0, 1]);
    assert_eq!(names(&game), ["pay 1 gold", "pay 1 wood", "pay 1 wood 1 gold", "decline"]);
}

/// A building is payable if and only if one of all payments fits it.
#[test]
fn only_payable_buildings_are_resolvable() {
    let mut game = paying(13, [9; 4]);
    for building in 0..22 {
        game.buildings[0] = building;
        for code in 0..4u16.pow(4) {
            // Zero, one, three or five of each kind.
            let resources = [0, 2, 4, 6].map(|shift| [0, 1, 3, 5][(code >> shift & 3) as usize]);
            let fits = |payment: &u32| {
                let pieces = payment.to_le_bytes();
                let total = pieces.iter().sum::<u8>();
                let kinds = pieces.iter().filter(|&&amount| amount > 0).count() as u8;
                let held = (0..4).all(|kind| u16::from(pieces[kind]) <= resources[kind]);
                held && match BUILDING[building as usize] {
                    Building::Fixed { cost } => pieces == cost,
                    Building::Variable { total: all, kinds: of } => (total, kinds) == (all, of),
                    Building::OneToSeven => true,
                }
            };
            game.tribes[0].resources = resources;
            let payable = PAYMENT.iter().any(fits);
            assert_eq!(game.can_build(building as usize), payable, "{building} {resources:?}");
        }
    }
}
