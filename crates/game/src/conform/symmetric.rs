//! Checks of symmetries: a game and its image are played side by side.

use super::rule::{Checked, Rule, expect};
use crate::{Action, ActionList, Game, Player, Symmetry, Turn, symmetries};

/// Replays the game of `record` beside its image under every symmetry.
pub(super) fn check<G: Game>(first: &G, record: &[Action]) -> Checked {
    for (number, symmetry) in symmetries(first).iter().enumerate() {
        let sizes = (first.observation().len(), first.actions());
        expect(symmetry.sizes() == sizes, Rule::Symmetry, first, || {
            format!("symmetry {number} maps {:?} cells and actions", symmetry.sizes())
        })?;
        let (mut game, mut image) = (*first, *first);
        for &action in record {
            check_image(&game, &image, symmetry, number)?;
            let is_decision = matches!(game.turn(), Turn::Player(_));
            game.apply(action);
            image.apply(if is_decision { symmetry.map_action(action) } else { action });
        }
        check_image(&game, &image, symmetry, number)?;
    }
    Ok(())
}

fn check_image<G: Game>(game: &G, image: &G, symmetry: &Symmetry, number: usize) -> Checked {
    let holds = game.turn() == image.turn()
        && game.payoffs() == image.payoffs()
        && mapped_actions(game, symmetry) == sorted_actions(image)
        && Player::all(game.players())
            .all(|player| mapped_observation(game, player, symmetry) == observation(image, player));
    expect(holds, Rule::Symmetry, game, || {
        format!("its image under symmetry {number} is {image:?}")
    })
}

fn sorted_actions<G: Game>(game: &G) -> Vec<Action> {
    let mut actions = ActionList::new();
    game.legal_actions(&mut actions);
    let mut actions = actions.to_vec();
    actions.sort_unstable();
    actions
}

fn mapped_actions<G: Game>(game: &G, symmetry: &Symmetry) -> Vec<Action> {
    let mut actions = sorted_actions(game);
    actions.iter_mut().for_each(|action| *action = symmetry.map_action(*action));
    actions.sort_unstable();
    actions
}

fn observation<G: Game>(game: &G, player: Player) -> Vec<i32> {
    let mut cells = vec![0; game.observation().len()];
    game.observe(player, &mut cells);
    cells
}

fn mapped_observation<G: Game>(game: &G, player: Player, symmetry: &Symmetry) -> Vec<i32> {
    let cells = observation(game, player);
    let mut image = vec![0; cells.len()];
    symmetry.map_observation(&cells, &mut image);
    image
}
