"""Networks: saved, loaded, asked in batches, and played by."""

import numpy as np
import pytest

import meeple


@pytest.fixture
def file(tmp_path):
    """A small network for connect four that has learned nothing."""
    network = meeple.new_network("connect-four", width=32, blocks=1, neck=16, value=16, seed=3)
    network.save(tmp_path / "four.safetensors")
    return tmp_path / "four.safetensors"


def seen(count):
    tables = meeple.Tables("connect-four", count, dtype="int32")
    tables.reset(1)
    for _ in range(5):
        tables.step(tables.sample())
    return tables.observations


def test_a_batch_is_judged_as_its_rows_are(file):
    network = meeple.load_network("connect-four", file)
    assert network.players == 2
    observations = seen(33)
    values, logits = network.predict_batch(observations)
    assert values.shape == (33, 2) and logits.shape == (33, 7)
    assert (np.abs(values) <= 1).all()
    for row in (0, 7, 32):
        value, logit = network.predict_batch(observations[row : row + 1])
        assert (value[0] == values[row]).all() and (logit[0] == logits[row]).all()
    coarse, _ = meeple.load_network("connect-four", file, precision="byte").predict_batch(
        observations
    )
    assert np.abs(coarse - values).max() < 0.1


def test_a_search_plays_by_it(file):
    state = meeple.load_game("connect-four").new_initial_state()
    by_name = meeple.search(state, f"puct:sims=50,model={file}", seed=1)
    network = meeple.load_network("connect-four", file)

    def evaluator(observations, masks, players):
        # The cells again, from one 1 among zeros.
        cells = np.array([state.get_observation()] * len(players))
        return network.predict_batch(cells)

    assert by_name.iterations == 50
    assert meeple.search(state, "puct:sims=1", evaluator=evaluator).iterations == 1


def test_mistakes_are_named(file, tmp_path):
    network = meeple.load_network("connect-four", file)
    for observations, kind, message in [
        (np.zeros((3, 42), np.int32), ValueError, "expected"),
        (np.zeros((3, 43)), TypeError, "expected a NumPy array of int32"),
        ([[0] * 43], TypeError, "is list"),
        (np.full((3, 43), 99, np.int32), ValueError, "row 0, cell 0 is 99, expected 0 to"),
    ]:
        with pytest.raises(kind, match=message):
            network.predict_batch(observations)
    with pytest.raises(ValueError, match="expected float or byte"):
        meeple.load_network("connect-four", file, precision="half")
    with pytest.raises(ValueError):
        meeple.load_network("chess", file)
    with pytest.raises(ValueError, match="missing"):
        meeple.load_network("connect-four", tmp_path / "missing")
    with pytest.raises(ValueError):
        meeple.new_network("connect-four", width=0)
