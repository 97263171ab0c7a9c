"""sb3-contrib's MaskablePPO: the documented example, and the vector environment."""

import pathlib
import runpy

import numpy as np
import pytest

sb3_contrib = pytest.importorskip("sb3_contrib")
from sb3_contrib.common.maskable.utils import (  # noqa: E402
    get_action_masks,
    is_masking_supported,
)
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402

import meeple.gymnasium  # noqa: E402, F401
from meeple.stable_baselines3 import VecEnv  # noqa: E402

EXAMPLE = pathlib.Path(__file__).parents[3] / "examples" / "python" / "maskable_ppo.py"


def test_the_agent_beats_random_play():
    share = runpy.run_path(str(EXAMPLE))["train_and_measure"](steps=60_000, games=200)
    assert share > 0.75


def test_the_vector_environment_is_learned_from():
    env = VecEnv("connect-four", 32, dtype="float32")
    assert is_masking_supported(env)
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=512, seed=1)
    model.learn(60_000)
    test = VecEnv("connect-four", 32, dtype="float32")
    test.seed(1)
    seen, results = test.reset(), []
    while len(results) < 200:
        actions, _ = model.predict(seen, action_masks=get_action_masks(test), deterministic=True)
        seen, rewards, dones, _ = test.step(actions)
        results.extend(rewards[dones])
    assert np.mean(results) > 0.5, "random play is worth about 0.1"


def test_make_vec_env_makes_our_environments():
    env = make_vec_env("meeple/connect-four-v0", n_envs=3, seed=1)
    env.reset()
    _, rewards, dones, infos = env.step(np.zeros(3, np.int64))
    assert rewards.shape == dones.shape == (3,) and len(infos) == 3
    assert env.get_images()[0].dtype == np.uint8
