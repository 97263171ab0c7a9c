"""A real cluster of two nodes, one of which is killed in the middle."""

import pathlib
import runpy

import pytest

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402

import meeple.ray  # noqa: E402
from meeple.selfplay import Weights, Work, collect  # noqa: E402

#: Units of about 100 ms, so that one worker is not done before the other has started.
WORK = Work(run="cluster", game="connect-four", bot="mcts:sims=100", games=100)
SEEDS = range(60)


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """A head with one core, which notices soon when another node is gone."""
    monkeypatch.setenv("HOME", str(tmp_path))
    cluster = Cluster(
        initialize_head=True,
        head_node_args={
            "num_cpus": 1,
            "_system_config": {
                "health_check_initial_delay_ms": 0,
                "health_check_period_ms": 500,
                "health_check_failure_threshold": 4,
            },
        },
    )
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def test_nothing_finished_is_lost_when_a_node_dies(cluster, tmp_path):
    node = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address)
    cluster.wait_for_nodes()
    lessons, killed = [], []

    def learner(shards, weights):
        lessons.append(len(shards))
        return Weights(weights.version + 1)

    def kill(seed, report):
        if report.workers == 2 and not killed:
            killed.append(report.units)
            cluster.remove_node(node, allow_graceful=False)

    report = meeple.ray.collect(
        WORK, SEEDS, tmp_path / "shards", workers=2, learner=learner, lesson=10, on_shard=kill
    )
    assert killed and killed[0] < len(SEEDS)
    assert report.lost_workers >= 1 and report.repeated >= 1
    assert report.units == len(SEEDS) and report.versions == len(lessons) == 6
    # The same units on this machine, one after the other, give the same games.
    alone = collect(WORK, SEEDS, tmp_path / "alone")
    theirs = meeple.ray.Shards(tmp_path / "shards")
    assert theirs.seeds() == list(SEEDS)
    for seed in SEEDS:
        (_, arrays, _), (_, expected, _) = theirs.get(seed), alone.get(seed)
        assert {name: a.tobytes() for name, a in arrays.items()} == {
            name: a.tobytes() for name, a in expected.items()
        }
    # Started again, there is nothing left to do.
    again = meeple.ray.collect(WORK, SEEDS, tmp_path / "shards", workers=1)
    assert again.units == 0


def test_the_documented_example_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    example = pathlib.Path(__file__).parents[3] / "examples" / "python" / "ray_selfplay.py"
    measured = runpy.run_path(str(example))["measure"](workers=2, units=4, games=10)
    assert measured["games/s"] > 1 and measured["decisions a game"] > 7


def test_workers_need_no_game_file(cluster, tmp_path):
    """The text goes along with the work: no worker reads the path."""
    ray.init(address=cluster.address)
    file = tmp_path / "mine.game"
    root = pathlib.Path(__file__).parents[3]
    text = (root / "crates/rules/games/connect-four.game").read_text()
    file.write_text(text.replace("game Connect four", "game My four"))
    work = Work(run="files", game=str(file), bot="mcts:sims=20", games=10, config={"width": 5})
    file.unlink()
    meeple.ray.collect(work, range(4), tmp_path / "there", workers=1)
    here, there = collect(work, range(4), tmp_path / "here"), meeple.ray.Shards(tmp_path / "there")
    for seed in range(4):
        assert there.path(seed).read_bytes() == here.path(seed).read_bytes()
