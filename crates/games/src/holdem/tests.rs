//! Tests of betting, pots, dealing and determinization.

use meeple_game::{ActionList, Game, Player, Rng, Turn, choices, heuristic, playout, priorities};
use meeple_poker::{CardSet, Combo, EquityOptions, Holding, equity, matchup};

use super::{ALL_IN, CALL, Config, FIRST_BET, FOLD, Holdem};

fn table(config: &str) -> Holdem {
    Holdem::new(&serde_json::from_str::<Config>(config).expect("a table"))
}

/// Plays actions by name, separated by commas; a card alone is a deal.
fn play(mut game: Holdem, script: &str) -> Holdem {
    for word in script.split(',').map(str::trim) {
        let action = game.parse_action(word).unwrap_or_else(|| {
            let names: Vec<_> = choices(&game).iter().map(|&a| game.action_name(a)).collect();
            panic!("{word:?} is none of {names:?} in\n{game}")
        });
        game.apply(action);
    }
    game
}

fn legal_names(game: &Holdem) -> Vec<String> {
    choices(game).into_iter().map(|action| game.action_name(action)).collect()
}

const TWO: &str = "As,Ah,Kd,Kc";
const THREE: &str = "As,Ah,Kd,Kc,Qs,Qd";

#[test]
fn heads_up_the_button_has_the_small_blind_and_acts_first() {
    let game = play(table("{}"), TWO);
    assert_eq!(game.turn(), Turn::Player(Player(1)));
    assert_eq!(game.chips(), [9900, 9950]);
    let offered =
        ["fold", "call 50", "all-in 10000", "raise to 200", "raise to 300", "raise to 500"];
    assert_eq!(legal_names(&game), offered);
    let game = play(game, "call");
    assert_eq!(game.turn(), Turn::Player(Player(0)));
    assert_eq!(legal_names(&game)[0], "check");
    let game = play(game, "check,2c,7h,9d");
    assert_eq!(game.turn(), Turn::Player(Player(0)));
    assert_eq!(legal_names(&game), ["check", "all-in 9900", "bet 100", "bet 200", "bet 400"]);
}

#[test]
fn three_handed_the_button_acts_first_and_the_small_blind_after_the_flop() {
    let game = play(table(r#"{"players": 3}"#), THREE);
    assert_eq!(game.turn(), Turn::Player(Player(2)));
    let game = play(game, "call,call");
    assert_eq!(game.turn(), Turn::Player(Player(1)));
    let game = play(game, "check,2c,7h,9d");
    assert_eq!(game.turn(), Turn::Player(Player(0)));
    let game = play(game, "check,bet 150,fold,raise 450,fold");
    assert_eq!(game.turn(), Turn::Over);
    assert_eq!(game.chips(), [10_350, 9750, 9900]);
}

#[test]
fn the_min_raise_is_the_last_raise() {
    let game = play(table(r#"{"players": 3, "bets": [1], "amounts": [350, 600]}"#), THREE);
    let game = play(game, "raise to 350");
    // The last raise added 250, so 600 is the minimum; one percent of the pot is raised to it.
    assert_eq!(legal_names(&game), ["fold", "call 300", "all-in 10000", "raise to 600"]);
    let game = play(game, "raise to 600");
    assert_eq!(legal_names(&game), ["fold", "call 500", "all-in 10000", "raise to 850"]);
}

#[test]
fn a_short_all_in_does_not_reopen_the_action() {
    let config = r#"{"players": 3, "stacks": [10000, 380, 10000], "amounts": [300]}"#;
    let game = play(table(config), THREE);
    let game = play(game, "raise to 300,call,all-in 380");
    assert_eq!(game.turn(), Turn::Player(Player(2)));
    assert_eq!(legal_names(&game), ["fold", "call 80"]);
    let game = play(game, "call 80");
    assert_eq!(legal_names(&game), ["fold", "call 80"]);
    // A player who has not acted may still make a full raise.
    let config = r#"{"players": 3, "stacks": [10000, 10000, 150], "bets": [1]}"#;
    let game = play(play(table(config), THREE), "all-in 150");
    assert_eq!(legal_names(&game), ["fold", "call 100", "all-in 10000", "raise to 250"]);
}

#[test]
fn short_all_ins_that_add_up_to_a_raise_reopen_the_action() {
    let config = r#"{"players": 4, "stacks": [420, 530, 10000, 10000], "amounts": [300]}"#;
    let game = play(table(config), "As,Ah,Kd,Kc,Qs,Qd,Js,Jd");
    let game = play(game, "raise to 300,call,all-in 420,all-in 530");
    // 120 and 110 add up to 230, more than the last raise of 200.
    assert_eq!(legal_names(&game)[..3], ["fold", "call 230", "all-in 10000"]);
}

#[test]
fn limit_bets_are_fixed_and_capped() {
    let game = play(table(r#"{"betting": "limit"}"#), TWO);
    assert_eq!(legal_names(&game), ["fold", "call 50", "raise to 200"]);
    let game = play(game, "raise to 200,raise to 300,raise to 400");
    assert_eq!(legal_names(&game), ["fold", "call 100"]);
    let game = play(game, "call,2c,7h,9d,bet 100,raise 200,raise 300,raise 400");
    assert_eq!(legal_names(&game), ["fold", "call 100"]);
    let game = play(game, "call,Ts");
    assert_eq!(legal_names(&game), ["check", "bet 200"]);
}

#[test]
fn fcpa_is_fold_call_pot_all_in() {
    let game = play(table(r#"{"betting": "fcpa"}"#), TWO);
    assert_eq!(choices(&game), [FOLD, CALL, ALL_IN, meeple_game::Action(FIRST_BET)]);
    assert_eq!(legal_names(&game)[3], "raise to 300");
}

#[test]
fn side_pots_go_to_the_best_eligible_hand() {
    // Aces have 300, kings 1000, queens 5000; the board improves no hand.
    let config = r#"{"players": 3, "stacks": [300, 1000, 5000]}"#;
    let game = play(table(config), THREE);
    let game = play(game, "all-in 5000,call,call,2c,7h,9d,Ts,3c");
    // Main pot 3 x 300 to the aces, side pot 2 x 700 to the kings, 4000 returned.
    assert_eq!(game.chips(), [900, 1400, 4000]);
    // The payoff unit is the most that a seat can win, 1300 for the last seat.
    assert_eq!(game.payoffs()[..3], [600.0 / 1300.0, 400.0 / 1300.0, -1000.0 / 1300.0]);
}

#[test]
fn odd_chips_go_to_the_first_winner_after_the_button() {
    // A split pot with odd chips; the small blind of 25 is dead.
    let config = r#"{"players": 3, "small_blind": 25, "big_blind": 51, "stacks": 1001}"#;
    let game = play(table(config), "As,Kh,Ad,Kc,Qs,Qd");
    let game = play(game, "call,call,check,2c,7h,9d,bet 153,fold");
    let game = play(game, "all-in");
    assert_eq!(legal_names(&game), ["fold", "call 797"]);
    let game = play(game, "fold");
    assert_eq!(game.turn(), Turn::Over);
    let game = play(table(config), "2s,3h,As,Kh,Ad,Kc");
    let game = play(game, "call,fold,check,2c,7h,9d,check,check,Ts,check,check,8c,check,check");
    // The pot is 25 + 51 + 51 = 127, and the seat after the button has folded.
    assert_eq!(game.chips(), [976, 1001 - 51 + 64, 1001 - 51 + 63]);
}

#[test]
fn no_decisions_once_all_others_are_all_in() {
    let game = play(table(r#"{"stacks": [1000, 60]}"#), TWO);
    let game = play(game, "call 10");
    assert_eq!(game.turn(), Turn::Chance);
    let game = play(game, "2c,7h,9d,Ts,3c");
    assert_eq!(game.turn(), Turn::Over);
    // The uncalled part of the big blind is returned.
    assert_eq!(game.chips(), [1060, 0]);
    // Both players are all-in by the blinds: no decisions.
    let game = play(table(r#"{"stacks": [40, 30], "ante": 10}"#), TWO);
    assert_eq!(game.turn(), Turn::Chance);
}

#[test]
fn antes_come_before_blinds() {
    let game = table(r#"{"players": 3, "ante": 20, "stacks": [10, 90, 1000]}"#);
    assert_eq!(game.chips(), [0, 0, 980]);
    let game = play(game, THREE);
    assert_eq!(legal_names(&game)[..2], ["fold", "call 70"]);
    let game = play(game, "call,2c,7h,9d,Ts,3c");
    // The main pot of 3 x 10 goes to the aces, the side pot to the kings.
    assert_eq!(game.chips(), [30, 160, 910]);
}

#[test]
fn short_forms_of_actions_are_parsed() {
    let game = play(table("{}"), TWO);
    for (text, action) in [("call", CALL), ("all-in", ALL_IN), (" ALLIN ", ALL_IN)] {
        assert_eq!(game.parse_action(text), Some(action), "{text}");
    }
    assert_eq!(game.parse_action("raise 300"), game.parse_action("raise to 300"));
    for wrong in ["", "raise", "raise 250", "check", "deal 2c", "call 9"] {
        assert_eq!(game.parse_action(wrong), None, "{wrong}");
    }
}

/// Chips are conserved in random configurations.
#[test]
fn chips_are_conserved() {
    let mut rng = Rng::new(3);
    let mut scratch = ActionList::new();
    for number in 0..3000 {
        let players = 2 + rng.below(5);
        let stacks: Vec<usize> = (0..players).map(|_| 1 + rng.below(600)).collect();
        let betting = ["limit", "no-limit", "fcpa"][rng.below(3)];
        let ante = rng.below(3) * rng.below(30);
        let config = format!(
            r#"{{"players": {players}, "betting": "{betting}", "ante": {ante}, "stacks": {stacks:?}}}"#
        );
        let mut game = table(&config);
        playout(&mut game, &mut rng, &mut scratch);
        let end: u32 = game.chips().iter().sum();
        assert_eq!(end as usize, stacks.iter().sum::<usize>(), "{number}: {config}\n{game}");
        let payoffs = game.payoffs();
        assert!(payoffs.iter().sum::<f32>().abs() < 1e-5, "{payoffs:?}");
        assert!(payoffs.iter().all(|payoff| payoff.abs() <= 1.0), "{payoffs:?}");
    }
}

/// The sum of seat 0's payoffs over all possible runouts.
fn sum_over_boards(game: &Holdem, from: usize) -> (f64, u32) {
    if game.turn() == Turn::Over {
        return (f64::from(game.payoffs()[0]), 1);
    }
    let (mut sum, mut count) = (0.0, 0);
    for choice in choices(game).into_iter().filter(|choice| choice.index() >= from) {
        let mut next = *game;
        next.apply(choice);
        let (more, boards) = sum_over_boards(&next, choice.index() + 1);
        (sum, count) = (sum + more, count + boards);
    }
    (sum, count)
}

#[test]
fn all_in_before_the_flop_the_mean_payoff_is_the_exact_equity() {
    let combo = |text: &str| Combo::from_set(text.parse().unwrap()).unwrap();
    let game = play(table("{}"), "As,Ad,Kh,Qh,all-in,call");
    let (sum, boards) = sum_over_boards(&game, 0);
    assert_eq!(boards, 1_712_304);
    let exact = 2.0 * matchup(combo("AsAd"), combo("KhQh")).unwrap().equity() - 1.0;
    assert!((sum / f64::from(boards) - exact).abs() < 1e-9, "{sum} {exact}");
}

#[test]
fn all_in_on_the_flop_three_way_payoffs_match_the_equities() {
    let game = play(table(r#"{"players": 3}"#), "As,Ad,Kh,Qh,8c,8d,call,call,check,2h,7h,9d");
    let game = play(game, "all-in,call,call");
    let (sum, boards) = sum_over_boards(&game, 0);
    let hands: Vec<Holding> = ["AsAd", "KhQh", "8c8d"].iter().map(|h| h.parse().unwrap()).collect();
    let board: CardSet = "2h7h9d".parse().unwrap();
    let exact = equity(&hands, board, &EquityOptions::default()).unwrap();
    // The share of three stacks minus one's own, where two stacks are 1.
    let mean = sum / f64::from(boards);
    assert_eq!(boards, 43 * 42 / 2);
    assert!((mean - (3.0 * exact.players[0].equity() - 1.0) / 2.0).abs() < 1e-6, "{mean}");
}

#[test]
fn evaluations_follow_the_cards() {
    let game = play(table("{}"), "As,Ad,7h,2c,call,check");
    let estimate = heuristic(&game).unwrap();
    assert!(estimate[0] > 0.0 && (estimate[0] + estimate[1]).abs() < 1e-6, "{estimate:?}");
    let weights = |cards: &str| {
        let game = play(table("{}"), cards);
        let actions = choices(&game);
        let mut weights = vec![0.0; actions.len()];
        priorities(&game, &actions, &mut weights);
        weights
    };
    // The player who acts first has the second hand.
    let (good, bad) = (weights("7h,2c,As,Ad"), weights("As,Ad,7h,2c"));
    assert!(good[0] < bad[0] && good[2] > bad[2], "{good:?} {bad:?}");
}

/// Determinization draws every possible opponent hand equally often.
#[test]
fn hidden_cards_are_redealt_uniformly() {
    let game = play(table("{}"), "As,Ad,Kh,Qh,call,check,2h,7h,9d");
    let mut rng = Rng::new(5);
    let mut counts = vec![0u32; Combo::COUNT];
    for _ in 0..108_100 {
        let other = game.determinize(Player(0), &mut rng);
        assert_eq!(other.hand(Player(0)), game.hand(Player(0)));
        counts[Combo::from_set(other.hand(Player(1))).unwrap().index()] += 1;
    }
    let seen: Vec<u32> = counts.into_iter().filter(|&count| count > 0).collect();
    assert_eq!(seen.len(), 47 * 46 / 2);
    assert!(seen.iter().all(|count| count.abs_diff(100) < 60), "{seen:?}");
}

/// The number of terminal nodes and of decision nodes of one deal.
fn count(game: &Holdem) -> [u32; 2] {
    let next = |choice| {
        let mut next = *game;
        next.apply(choice);
        count(&next)
    };
    match game.turn() {
        Turn::Over => [1, 0],
        Turn::Chance => next(choices(game)[0]),
        Turn::Player(_) => choices(game)
            .into_iter()
            .map(next)
            .fold([0, 1], |[ends, asked], [more, others]| [ends + more, asked + others]),
    }
}

/// Compares betting tree sizes with OpenSpiel's `universal_poker`.
#[test]
fn betting_tree_sizes_match_open_spiel() {
    for (config, expected) in [
        (r#"{"betting": "fcpa", "stacks": 300}"#, [18, 16]),
        (r#"{"betting": "fcpa", "stacks": 500}"#, [98, 80]),
        (r#"{"betting": "fcpa", "stacks": 1000}"#, [338, 256]),
        (r#"{"betting": "limit"}"#, [10_206, 6378]),
    ] {
        assert_eq!(count(&table(config)), expected, "{config}");
    }
}
