"""PettingZoo: its own suites on every game."""

import warnings

import pytest
from pettingzoo.test import api_test, seed_test

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
