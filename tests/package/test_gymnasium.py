"""Gymnasium: its own checks, and the vector contract in its three autoreset modes."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import meeple.gymnasium


def test_every_game_passes_gymnasiums_check(name):
    env = gymnasium.make(f"meeple/{name}-v0", render_mode="ansi").unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_close_check=True)


def test_episodes_end_and_masks_hold(name):
    env = gymnasium.make(f"meeple/{name}-v0").unwrapped
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    for _ in range(200):
        assert (info["action_mask"] == env.action_masks()).all()
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        assert observation in env.observation_space
        assert terminated or reward == 0
        if terminated or truncated:
            _, info = env.reset()


def test_an_illegal_action_loses_or_raises():
    env = gymnasium.make("meeple/tic-tac-toe-v0", seat=1).unwrapped
    _, info = env.reset(seed=1)
    taken = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, _, _ = env.step(taken)
    assert (reward, terminated) == (-1.0, True)
    with pytest.raises(ResetNeeded, match="expected a reset"):
        env.step(0)
    env = gymnasium.make("meeple/tic-tac-toe-v0", seat=1, illegal="raise").unwrapped
    with pytest.raises(ResetNeeded, match="expected a reset"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="not legal here"):
        env.step(taken)
    with pytest.raises(ValueError, match="out of range"):
        env.step(9)
    free = int(np.flatnonzero(info["action_mask"])[0])
    for wrong in (free + 0.7, np.float64(free), str(free), None, [free]):
        with pytest.raises(TypeError):
            env.step(wrong)
    env.step(np.int32(free))


MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", ["connect-four", "leduc", "pig", "backgammon"])
def test_the_vector_steps_as_gymnasiums_own_does(mode, game):
    """The same seeds and actions in Gymnasium's SyncVectorEnv give the same of everything."""
    count, options = 6, {"illegal": "raise"}
    ours = gymnasium.make_vec(f"meeple/{game}-v0", count, autoreset_mode=mode, **options)
    assert isinstance(ours.unwrapped, meeple.gymnasium.VectorEnv)
    theirs = SyncVectorEnv(
        [lambda: meeple.gymnasium.Env(game, **options)] * count, autoreset_mode=mode
    )
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] == mode
    seen, infos = ours.reset(seed=5)
    expected, expected_infos = theirs.reset(seed=5)
    rng = np.random.default_rng(1)
    ends = 0
    for _ in range(150):
        assert (seen == expected).all() and seen.dtype == expected.dtype
        masks = infos["action_mask"]
        assert (masks == np.stack(expected_infos["action_mask"])).all()
        # Where a game has ended the action is ignored, and no action is legal.
        legal = np.where(masks.any(axis=1, keepdims=True), masks, True)
        actions = np.array([rng.choice(np.flatnonzero(row)) for row in legal])
        seen, rewards, terminated, truncated, infos = ours.step(actions)
        expected, their_rewards, their_ends, their_cuts, expected_infos = theirs.step(actions)
        assert (rewards == their_rewards).all() and rewards.dtype == their_rewards.dtype
        assert (terminated == their_ends).all() and (truncated == their_cuts).all()
        ended = terminated | truncated
        ends += ended.sum()
        if mode == AutoresetMode.SAME_STEP and ended.any():
            assert (infos["_final_obs"] == expected_infos["_final_obs"]).all()
            for at in np.flatnonzero(ended):
                assert (infos["final_obs"][at] == expected_infos["final_obs"][at]).all()
        if mode == AutoresetMode.DISABLED and ended.any():
            with pytest.raises(ValueError, match="expected a reset"):
                ours.step(ours.unwrapped.sample_actions())
            seen, infos = ours.reset(options={"reset_mask": ended.copy()})
            expected, info = theirs.reset(options={"reset_mask": ended.copy()})
            for at in np.flatnonzero(ended):
                assert (infos["action_mask"][at] == info["action_mask"][at]).all()
            expected_infos["action_mask"] = infos["action_mask"]
    assert ends > 3


def test_vectors_refuse_what_gymnasium_refuses():
    env = meeple.gymnasium.VectorEnv("pig", 3, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=1)
    for mask, kind in [
        ([True] * 3, TypeError),
        (np.ones(3), TypeError),
        (np.ones(2, np.bool_), ValueError),
        (np.zeros(3, np.bool_), ValueError),
    ]:
        with pytest.raises(kind):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError):
        env.reset(seed=[1, 2])
    with pytest.raises(ValueError):
        meeple.gymnasium.VectorEnv("pig", 3, seat=None)


def test_seeds_are_one_for_each_environment():
    env = meeple.gymnasium.VectorEnv("backgammon", 4)
    first, _ = env.reset(seed=1)
    assert len({row.tobytes() for row in first}) > 1
    again, _ = env.reset(seed=1)
    assert (first == again).all()
    dealt = {env.reset()[0].tobytes() for _ in range(10)}
    assert len(dealt) == 10


def test_pictures_are_films(name):
    """Frames of pixels have one size, and change with the game."""
    env = gymnasium.make(f"meeple/{name}-v0", render_mode="rgb_array")
    _, info = env.reset(seed=1)
    frames = [env.render()]
    for _ in range(10):
        action = int(np.flatnonzero(info["action_mask"])[-1])
        _, _, terminated, truncated, info = env.step(action)
        frames.append(env.render())
        if terminated or truncated:
            _, info = env.reset()
    assert {(frame.shape, frame.dtype.name) for frame in frames} == {(frames[0].shape, "uint8")}
    assert frames[0].ndim == 3 and frames[0].shape[2] == 3
    assert len({frame.tobytes() for frame in frames}) > 2


def test_people_are_shown_every_step(capsys):
    env = gymnasium.make("meeple/tic-tac-toe-v0", render_mode="human")
    env.reset(seed=1)
    first = capsys.readouterr().out
    assert "a b c" in first
    env.step(4)
    assert capsys.readouterr().out != first and env.render() is None
    with pytest.raises(ValueError, match="expected None or one of 'ansi', 'rgb_array', 'human'"):
        meeple.gymnasium.Env("tic-tac-toe", render_mode="video")
    with pytest.raises(ValueError, match="expected None or one of"):
        meeple.gymnasium.VectorEnv("tic-tac-toe", 2, render_mode="video")
    vector = meeple.gymnasium.VectorEnv("tic-tac-toe", 2, render_mode="rgb_array")
    with pytest.raises(ResetNeeded):
        vector.step(np.zeros(2, np.int64))
    vector.reset(seed=[1, None])
    assert len(vector.render()) == 2 and vector.render()[0].dtype == np.uint8


def test_environments_are_pickled_in_the_middle_of_a_game():
    import pickle

    env = meeple.gymnasium.Env("backgammon", opponents="greedy")
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    for _ in range(40):
        other = pickle.loads(pickle.dumps(env))
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        *step, info = env.step(action)
        *theirs, their_info = other.step(action)
        assert (step[0] == theirs[0]).all() and step[1:] == theirs[1:]
        assert (info["action_mask"] == their_info["action_mask"]).all()
        if step[2]:
            _, info = env.reset()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_arrays_that_are_kept_do_not_change(mode):
    env = meeple.gymnasium.VectorEnv("connect-four", 16, autoreset_mode=mode)
    kept = []

    def keep(observations, infos, *others):
        arrays = [observations, infos["action_mask"], *others]
        kept.append((arrays, [array.copy() for array in arrays]))

    keep(*env.reset(seed=3))
    for _ in range(6):
        observations, rewards, terminated, truncated, infos = env.step(env.sample_actions())
        keep(observations, infos, rewards, terminated, truncated)
    with pytest.raises(ValueError):
        env.step(np.full(16, 99))
    keep(*env.reset(seed=4))
    for arrays, copies in kept:
        for array, copy in zip(arrays, copies):
            np.testing.assert_array_equal(array, copy)


def test_arrays_that_are_dropped_are_used_again():
    env = meeple.gymnasium.VectorEnv("connect-four", 16)
    observations, _ = env.reset(seed=3)
    memory = set()
    for _ in range(50):
        observations = env.step(env.sample_actions())[0]
        memory.add(observations.ctypes.data)
    assert len(memory) <= 3
