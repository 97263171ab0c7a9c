//! Symmetries are checked against games and their images.

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::conform::{self, Rule};
use meeple_game::{
    Action, ActionList, Companions, Field, Game, MAX_PLAYERS, ObservationSpec, Payoffs, Player,
    Symmetry, Turn, mix,
};

/// Two players in turn take one of three places; the player who takes the middle wins. The places 0
/// and `OTHER` are swapped by what the game calls a symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Middle<const OTHER: usize> {
    places: [u8; 3],
}

static OBSERVATION: ObservationSpec =
    ObservationSpec::new(1, &[Field::category("places", 3).times(3)]);

impl<const OTHER: usize> Middle<OTHER> {
    fn symmetries(&self) -> Vec<Symmetry> {
        let mut swapped = [0, 1, 2];
        swapped.swap(0, OTHER);
        vec![Symmetry::new(swapped, swapped.map(|place| Action(place as u16)))]
    }

    fn taken(&self) -> u8 {
        self.places.iter().filter(|&&place| place > 0).count() as u8
    }
}

impl<const OTHER: usize> Game for Middle<OTHER> {
    type Config = ();
    const NAME: &'static str = "middle";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = 3;
    const CHANCE: bool = false;
    const IMPERFECT_INFORMATION: bool = false;
    const COMPANIONS: Companions<Self> =
        Companions { symmetries: Some(Self::symmetries), ..Companions::NONE };

    fn new((): &()) -> Self {
        Self { places: [0; 3] }
    }

    fn players(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        if self.taken() == 3 { Turn::Over } else { Turn::Player(Player(self.taken() % 2)) }
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        out.extend((0..3).filter(|&at| self.places[at] == 0).map(|at| Action(at as u16)));
    }

    fn apply(&mut self, action: Action) {
        self.places[action.index()] = 1 + self.taken() % 2;
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if self.turn() == Turn::Over {
            let winner = usize::from(self.places[1] - 1);
            (payoffs[winner], payoffs[1 - winner]) = (1.0, -1.0);
        }
        payoffs
    }

    fn observation(&self) -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        for (cell, &place) in out.iter_mut().zip(&self.places) {
            let is_mine = usize::from(place) == 1 + player.index();
            *cell = if place == 0 { 0 } else { 2 - i32::from(is_mine) };
        }
    }

    fn key(&self) -> u64 {
        mix(self.places.iter().fold(0, |key, &place| 4 * key + u64::from(place)))
    }

    fn action_name(&self, action: Action) -> String {
        format!("place {}", action.0)
    }

    fn is_consistent(&self) -> bool {
        self.places.iter().all(|&place| place < 3)
    }
}

impl<const OTHER: usize> fmt::Display for Middle<OTHER> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.places)
    }
}

#[test]
fn a_symmetry_maps_games_to_games_with_the_same_result() {
    conform::check::<Middle<2>>(&(), 100, 1);
    let fault = conform::try_check::<Middle<1>>(&(), 100, 1).expect_err("the middle is swapped");
    assert_eq!(fault.rule, Rule::Symmetry);
}

#[test]
#[should_panic(expected = "cells are permuted")]
fn two_cells_with_one_image_are_no_symmetry() {
    let _ = Symmetry::new([0, 0], [Action(0)]);
}
