"""Games in files: a path stands for a name, and what leaves the machine carries the text."""

import copy
import json
import pickle

import pytest

import meeple
from meeple.selfplay import Weights, Work, play

TEXT = """\
# Stones in a row of five sites; a line of three wins.
game Short rows
players 2
option length = 3 in 2..4
board square 5 by 2
piece stone
turn
  place stone on empty
end
  line of length: mover wins
  board full: draw
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "my.game"
    file.write_text(TEXT)
    return file


def test_a_path_is_loaded_with_the_options_of_its_file(path):
    game = meeple.load_game(str(path), length=4)
    assert game.name == "short-rows" and game.config["length"] == 4
    assert game.config["file"] == TEXT and game.num_distinct_actions() == 10
    with pytest.raises(ValueError, match="length"):
        meeple.load_game(str(path), length=9)
    with pytest.raises(ValueError, match="cannot read the game file"):
        meeple.load_game(str(path.with_name("other.game")))
    path.write_text(TEXT.replace("board square", "bord square"))
    with pytest.raises(ValueError, match=r"my.game:5:1(.|\n)*did you mean `board`"):
        meeple.Tables(str(path), 2)


def test_states_and_games_outlive_their_file(path):
    game = meeple.load_game(str(path))
    state = game.new_initial_state()
    state.apply_action(state.string_to_action("c1"))
    path.unlink()
    assert pickle.loads(pickle.dumps(game)) == game
    assert pickle.loads(pickle.dumps(state)) == state
    assert meeple.deserialize_state(state.serialize()) == state
    assert meeple.search(state, "mcts:sims=50", seed=1).best in state.legal_actions()


def test_tables_outlive_their_file(path):
    tables = meeple.Tables(str(path), 6, length=2, autoreset="same_step")
    tables.reset(1)
    path.unlink()
    others = [copy.deepcopy(tables), pickle.loads(pickle.dumps(tables))]
    for _ in range(20):
        actions = tables.sample()
        tables.step(actions)
        for other in others:
            assert (other.sample() == actions).all()
            other.step(actions)
            assert (other.observations == tables.observations).all()


def test_vector_environments_take_paths(path):
    gymnasium = pytest.importorskip("meeple.gymnasium")
    env = gymnasium.VectorEnv(str(path), 4, length=2)
    env.reset(seed=1)
    ended = 0
    for _ in range(20):
        observations, _, terminated, _, _ = env.step(env.sample_actions())
        assert observations.shape == env.observation_space.shape
        ended += int(terminated.sum())
    assert ended > 4


def test_networks_are_made_for_paths(path):
    network = meeple.new_network(str(path), width=16)
    state = meeple.load_game(str(path)).new_initial_state()
    assert network.game == "short-rows"
    path.unlink()
    again = pickle.loads(pickle.dumps(network))
    for one, other in zip(network.predict(state.get_observation()), again.predict(state.get_observation())):
        assert (one == other).all()


def test_units_of_work_carry_the_text(path):
    work = Work(run="files", game=str(path), bot="mcts:sims=8", games=4, config={"length": 2})
    assert work.game == "short-rows" and work.config["file"] == TEXT
    before = play(work, Weights(), 3)
    path.unlink()
    assert play(pickle.loads(pickle.dumps(work)), Weights(), 3) == before


def test_replays_carry_the_text(path, tmp_path):
    experiment = {
        "name": "files",
        "seed": 1,
        "tables": [str(path)],
        "bots": ["random", "mcts:sims=8"],
        "task": {"tournament": {"games": 4}},
        "output": {"replays": 2},
    }
    meeple.run_experiment(experiment, tmp_path / "run")
    path.unlink()
    files = [file for file in (tmp_path / "run").rglob("*") if file.is_file() and "replay" in str(file)]
    assert files
    assert any(json.dumps(TEXT)[1:-1] in file.read_text() for file in files)
