"""Experiments, training data and units of work."""

import numpy as np
import pytest

import meeple
from meeple.samples import SampleError, dense_policy, read_samples, samples_from_bytes
from meeple.selfplay import Shards, Weights, Work, collect, play, unpack

WORK = Work(run="test", game="leduc", bot="mcts-ismcts:sims=8", games=6)


def test_an_experiment_runs_and_its_samples_are_arrays(tmp_path):
    experiment = {
        "name": "from-python",
        "seed": 1,
        "tables": ["connect-four"],
        "bots": ["mcts:sims=20"],
        "task": {"collect": {"games": 6, "shard_games": 3}},
    }
    summary = meeple.run_experiment(experiment, tmp_path / "run", threads=2)
    assert summary["finished"] and summary["games"] == 6
    files = sorted((tmp_path / "run" / "samples").glob("*.safetensors"))
    assert len(files) == 2
    arrays, about = read_samples(files[0])
    assert about["game"] == "connect-four" and about["actions"] == 7
    count = len(arrays["actions"])
    assert arrays["observations"].shape == (count, 43)
    assert arrays["outcomes"].shape == (count, 2)
    policy = dense_policy(arrays, about["actions"])
    assert policy.shape == (count, 7)
    assert np.allclose(policy.sum(axis=1), 1.0, atol=1e-3)
    with pytest.raises(ValueError, match="unknown field|no field|expected"):
        meeple.run_experiment({**experiment, "gmaes": 1}, tmp_path / "other")


def test_damaged_samples_are_refused(tmp_path):
    for data in (b"", b"\x05", b"\xff" * 20, b"\x02\0\0\0\0\0\0\0{}"):
        with pytest.raises(SampleError, match="damaged"):
            samples_from_bytes(data)


def test_a_unit_is_the_same_wherever_it_runs():
    one = play(WORK, Weights(), seed=3)
    assert play(WORK, Weights(), seed=3, threads=2) == one
    assert play(WORK, Weights(), seed=4) != one
    about, arrays, game = unpack(one)
    assert about == {"run": "test", "seed": 3, "weights": 0, "games": 6}
    assert game["game"] == "leduc" and len(np.unique(arrays["games"])) == 6


def test_units_are_kept_once_and_gone_on_with(tmp_path):
    shards = collect(WORK, range(3), tmp_path)
    assert shards.seeds() == [0, 1, 2]
    before = {seed: shards.path(seed).stat().st_mtime_ns for seed in shards.seeds()}
    lessons = []

    def learner(shards, weights):
        lessons.append(len(shards))
        return Weights(weights.version + 1)

    collect(WORK, range(7), tmp_path, learner=learner, lesson=2)
    assert shards.seeds() == list(range(7)) and lessons == [5, 7]
    assert all(shards.path(seed).stat().st_mtime_ns == time for seed, time in before.items())
    assert shards.get(6)[0]["weights"] == 1
    assert not shards.put(6, b"other")
    assert not list(tmp_path.glob("*.part"))
    assert len(Shards(tmp_path)) == 7
