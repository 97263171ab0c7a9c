"""The vector environment for Stable-Baselines3, on a stand-in for its base class.

The library brings PyTorch along; `full/test_maskable_ppo.py` learns with the real one.
"""

import abc
import importlib
import sys
import types

import numpy as np
import pytest

import meeple


class Base(abc.ABC):
    """The part of `stable_baselines3.common.vec_env.VecEnv` that others rely on."""

    def __init__(self, num_envs, observation_space, action_space):
        self.num_envs = num_envs
        self.observation_space, self.action_space = observation_space, action_space
        self.reset_infos = [{} for _ in range(num_envs)]
        modes = self.get_attr("render_mode")
        assert all(mode == modes[0] for mode in modes) and len(modes) == num_envs

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()

    for name in (
        "reset step_async step_wait close get_attr set_attr env_method env_is_wrapped".split()
    ):
        exec(f"@abc.abstractmethod\ndef {name}(self): ...")  # noqa: S102


@pytest.fixture
def VecEnv(monkeypatch):
    for name in ("stable_baselines3", "stable_baselines3.common"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    stand_in = types.ModuleType("stable_baselines3.common.vec_env")
    stand_in.VecEnv = Base
    monkeypatch.setitem(sys.modules, stand_in.__name__, stand_in)
    sys.modules["stable_baselines3.common"].vec_env = stand_in
    monkeypatch.delitem(sys.modules, "meeple.stable_baselines3", raising=False)
    module = importlib.import_module("meeple.stable_baselines3")
    yield module.VecEnv
    sys.modules.pop("meeple.stable_baselines3", None)


def test_games_follow_each_other(VecEnv):
    env = VecEnv("connect-four", 5, max_steps=6)
    tables = meeple.Tables("connect-four", 5, seat=0, opponents="random", illegal="lose",
                           autoreset="same_step", max_steps=6)
    assert env.seed(7) == [7, 8, 9, 10, 11]
    seen = env.reset()
    expected, _ = tables.reset(7)
    ended = cut = 0
    for _ in range(60):
        assert (seen == expected).all() and seen in env_space(env)
        masks = np.stack(env.env_method("action_masks"))
        assert (masks == tables.masks).all() and (masks == env.action_masks()).all()
        actions = masks.argmax(axis=1)
        seen, rewards, dones, infos = env.step(actions)
        expected, their_rewards, terminated, truncated, _ = tables.step(actions)
        assert (rewards == their_rewards).all() and rewards.dtype == np.float32
        assert (dones == (terminated | truncated)).all() and len(infos) == 5
        for at, info in enumerate(infos):
            assert ("terminal_observation" in info) == dones[at]
            if dones[at]:
                assert (info["terminal_observation"] == tables.finals[at]).all()
                assert info["TimeLimit.truncated"] == truncated[at]
        ended += terminated.sum()
        cut += truncated.sum()
    assert ended > 3 and cut > 3
    assert seen is not env.tables.observations, "what was returned is not overwritten"


def env_space(env):
    from gymnasium.vector.utils import batch_space

    return batch_space(env.observation_space, env.num_envs)


def test_attributes_and_methods(VecEnv):
    env = VecEnv("tic-tac-toe", 3, render_mode="rgb_array")
    env.reset()
    assert env.get_attr("render_mode") == ["rgb_array"] * 3
    assert callable(env.get_attr("action_masks", 0)[0]), "MaskablePPO looks whether it is there"
    with pytest.raises(AttributeError):
        env.get_attr("no_such_thing")
    env.set_attr("note", 5)
    assert env.get_attr("note", [0, 2]) == [5, 5]
    with pytest.raises(ValueError, match="expected all"):
        env.set_attr("note", 6, indices=1)
    assert len(env.env_method("action_masks", indices=[1])) == 1
    with pytest.raises(AttributeError, match="expected 'action_masks'"):
        env.env_method("seed")
    assert env.env_is_wrapped(object, indices=range(2)) == [False, False]
    assert [image.dtype.name for image in env.get_images()] == ["uint8"] * 3
    env.close()
    with pytest.raises(ValueError, match="render_mode"):
        VecEnv("tic-tac-toe", 3, render_mode="video")
