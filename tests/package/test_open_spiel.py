"""OpenSpiel: its own simulation test on our games, and one of its solvers."""

import pytest

import meeple.open_spiel

pyspiel = pytest.importorskip("pyspiel")
meeple.open_spiel.register()


@pytest.mark.parametrize(
    "game", ["tic-tac-toe", "connect-four", "kuhn", "leduc", "pig", "knockout-whist", "breakthrough", "backgammon"]
)
def test_games_pass_the_random_simulation_test(game):
    bridged = pyspiel.load_game(f"meeple_{game.replace('-', '_')}")
    pyspiel.random_sim_test(bridged, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("game", ["chess", "stone-age", "magic"])
def test_long_games_pass_it_without_serialization(game):
    bridged = pyspiel.load_game(f"meeple_{game.replace('-', '_')}")
    pyspiel.random_sim_test(bridged, num_sims=1, serialize=False, verbose=False)


def test_a_table_is_chosen_by_its_configuration():
    game = pyspiel.load_game("meeple_pig", {"config": '{"players": 4}'})
    assert game.num_players() == 4


def test_openspiels_solver_finds_the_value_of_kuhn_poker():
    """-1/18 of a bet, which we count in halves of the two chips that can be lost."""
    from open_spiel.python.algorithms import cfr, expected_game_score

    game = pyspiel.load_game("meeple_kuhn")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    theirs = pyspiel.load_game("kuhn_poker")
    largest = theirs.max_utility()
    assert values[0] == pytest.approx(-1 / 18 / largest, abs=2e-3)
