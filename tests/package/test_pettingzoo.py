"""PettingZoo: its own suites on every game."""

import types
import warnings

import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    render_test,
    seed_test,
)

import meeple.pettingzoo


def test_every_game_passes_the_api_test(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(meeple.pettingzoo.env(name), num_cycles=200)


def test_every_game_passes_the_seed_test(name):
    seed_test(lambda: meeple.pettingzoo.env(name), num_cycles=200)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_seats_of_a_larger_table_are_paid(players):
    env = meeple.pettingzoo.env("stone-age", players=players)
    env.reset(seed=1)
    paid = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            paid[agent] = reward
            env.step(None)
            continue
        env.step(env.action_space(agent).sample(observation["action_mask"]))
    assert paid == dict(zip(env.possible_agents, env.state_of_game.returns()))


def test_an_illegal_action_is_refused():
    env = meeple.pettingzoo.env("tic-tac-toe")
    env.reset()
    env.step(4)
    with pytest.raises(ValueError, match="not legal here"):
        env.step(4)
    with pytest.raises(ValueError, match="expected an action"):
        env.step(None)
    with pytest.raises(TypeError):
        env.step(5.5)


def test_every_game_passes_the_render_test(name):
    render_test(lambda render_mode: meeple.pettingzoo.env(name, render_mode=render_mode))


def test_the_parallel_interface_passes_its_test(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(meeple.pettingzoo.parallel_env(name), num_cycles=100)


def test_games_are_cut_off_after_cycles():
    """PettingZoo draws actions without masks, so the spaces are seeded such that all are
    legal and nobody wins."""

    def seeded(make):
        def made(max_cycles):
            env = make("connect-four", max_cycles=max_cycles)
            for seat, agent in enumerate(env.possible_agents):
                env.action_space(agent).seed(seat)
            return env

        return made

    max_cycles_test(
        types.SimpleNamespace(
            env=seeded(meeple.pettingzoo.env), parallel_env=seeded(meeple.pettingzoo.parallel_env)
        )
    )
    with pytest.raises(ValueError, match="max_cycles is 0, expected None or at least 1"):
        meeple.pettingzoo.env("pig", max_cycles=0)


def test_a_step_needs_a_reset():
    for make in (meeple.pettingzoo.env, meeple.pettingzoo.parallel_env):
        with pytest.raises(ResetNeeded, match="expected a reset"):
            make("tic-tac-toe").step(0)
    parallel = meeple.pettingzoo.parallel_env("tic-tac-toe")
    parallel.reset()
    with pytest.raises(ValueError, match="player_0 is to decide, expected its action"):
        parallel.step({"player_1": 0})


def test_nothing_hidden_is_rendered():
    """Whatever the other player holds, the picture and the text are the same."""
    for mode in ("ansi", "rgb_array"):
        env = meeple.pettingzoo.env("leduc", render_mode=mode)
        env.reset(seed=1)
        state, shown = env.state_of_game, env.render()
        for seed in range(20):
            env.state_of_game = state.resample_from_infostate(state.current_player(), seed)
            assert str(env.render()) == str(shown)
        texts = {str(state.resample_from_infostate(0, seed)) for seed in range(20)}
        assert len(texts) > 1, "the deals differ"
