"""What is copied, pickled and turned into dictionaries."""

import copy
import json
import pickle

import numpy as np
import pytest

import meeple


def copies(thing):
    return [copy.copy(thing), copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))]


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("connect-four", {}),
        ("backgammon", {"seat": "rotate", "opponents": "greedy"}),
        ("leduc", {"seat": 1, "opponents": "mcts-ismcts:sims=20"}),
        ("pig", {"players": 3, "dtype": "float32", "max_steps": 5}),
    ],
)
def test_tables_go_on_as_they_were(game, options, autoreset):
    tables = meeple.Tables(game, 6, autoreset=autoreset, **options)
    assert not copy.copy(tables).masks.any(), "before the first reset too"
    tables.reset(1)
    for step in range(30):
        twins = copies(tables) if step % 6 == 0 else []
        actions = tables.sample()
        for twin in twins:
            assert (twin.observations == tables.observations).all()
            assert twin.observations is not tables.observations
            assert (twin.sample() == actions).all()
        tables.step(actions)
        for twin in twins:
            twin.step(actions)
            for name in ("observations", "masks", "rewards", "terminated", "truncated", "seats"):
                assert (getattr(twin, name) == getattr(tables, name)).all(), name


def test_tables_whose_opponents_do_not_repeat_are_not_pickled():
    tables = meeple.Tables("connect-four", 1, seat=0, opponents="mcts:ms=1")
    tables.reset(1)
    with pytest.raises(ValueError, match="does not play the same again"):
        pickle.dumps(tables)


def test_policies_of_the_caller_are_kept():
    tables = meeple.Tables("kuhn", 4, seat=0, opponents=first_legal)
    tables.reset(1)
    for _ in range(10):
        twin = pickle.loads(pickle.dumps(tables))
        actions = tables.sample()
        tables.step(actions)
        twin.step(actions)
        assert (twin.observations == tables.observations).all()


def first_legal(observations, masks, seats):
    return masks.argmax(axis=1)


def test_search_reports():
    state = meeple.load_game("tic-tac-toe").new_initial_state()
    report = meeple.search(state, "mcts:sims=200", seed=1)
    for twin in copies(report):
        assert repr(twin) == repr(report) and twin.to_dict() == report.to_dict()
        assert (twin.policy() == report.policy()).all()
    entries = report.to_dict()
    assert entries["best"] == report.best and entries["ended"] == report.ended
    assert [entry["visits"] for entry in entries["actions"]] == [a.visits for a in report.actions]
    assert json.loads(json.dumps(entries)) == entries
    action = report.actions[0]
    for twin in copies(action):
        assert twin.to_dict() == action.to_dict() == entries["actions"][0]
    with pytest.raises(ValueError):
        meeple.SearchReport(b"{}")


def test_equities():
    for arguments in [{"board": "2c7h9d"}, {"method": "sample", "deals": 1000}]:
        equity = meeple.equity(["AhAs", "KdKc"], **arguments)
        for twin in copies(equity):
            assert twin.to_dict() == equity.to_dict() and repr(twin) == repr(equity)
            assert twin.equities == equity.equities
        entries = equity.to_dict()
        assert entries["method"] == equity.method and entries["deals"] == equity.deals
        assert entries["players"][0]["hand"] == "AhAs"
        assert entries["players"][1]["equity"] == equity.players[1].equity
        player = equity.players[0]
        assert pickle.loads(pickle.dumps(player)).to_dict() == player.to_dict()


@pytest.mark.parametrize("precision", ["float", "byte"])
def test_networks(precision, tmp_path):
    drawn = meeple.new_network("connect-four", width=16, blocks=1, neck=8, value=8, seed=2)
    drawn.save(tmp_path / "drawn")
    network = meeple.load_network("connect-four", tmp_path / "drawn", precision=precision)
    seen = meeple.load_game("connect-four").new_initial_state().get_observation()
    for twin in copies(network):
        for mine, theirs in zip(network.predict(seen), twin.predict(seen)):
            assert (mine == theirs).all()
        twin.train_batch(seen[None], np.full((1, 7), 1 / 7), [[1.0, -1.0]], learning_rate=0.1)
        assert (twin.predict(seen)[0] != network.predict(seen)[0]).any(), "on its own"


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert meeple.__version__ == version("meeple")
