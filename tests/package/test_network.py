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
    with pytest.raises(FileNotFoundError, match="missing") as raised:
        meeple.load_network("connect-four", tmp_path / "missing")
    assert str(raised.value.filename) == str(tmp_path / "missing")
    with pytest.raises(FileNotFoundError):
        network.load(tmp_path / "missing")
    with pytest.raises(OSError, match="cannot read"):
        meeple.load_network("connect-four", tmp_path)
    with pytest.raises(OSError, match="cannot write"):
        network.save(tmp_path / "no" / "folder")
    with pytest.raises(ValueError, match="width is -1, expected a whole number from 0"):
        meeple.new_network("connect-four", width=-1)
    with pytest.raises(ValueError):
        meeple.new_network("connect-four", width=0)


def test_a_policy_is_probabilities(file):
    network = meeple.load_network("connect-four", file)
    state = meeple.load_game("connect-four").new_initial_state()
    for _ in range(6):
        state.apply_action(3)
    seen, mask = state.get_observation(), state.legal_actions_mask()
    assert not mask[3]
    values, logits = network.predict_batch(seen[None])
    value, policy = network.predict(seen)
    assert (value == values[0]).all() and policy.shape == (7,)
    shares = np.exp(logits[0] - logits[0].max())
    assert policy == pytest.approx(shares / shares.sum(), abs=1e-6)
    _, legal = network.predict(seen, mask)
    assert legal[3] == 0 and legal.sum() == pytest.approx(1, abs=1e-6)
    assert legal == pytest.approx(np.where(mask, shares, 0) / shares[mask].sum(), abs=1e-6)
    with pytest.raises(ValueError, match="mask is False everywhere"):
        network.predict(seen, np.zeros(7, np.bool_))
    with pytest.raises(ValueError, match="shape"):
        network.predict(seen[None])


def test_training_lowers_the_losses_and_keeps_to_legal_actions(tmp_path):
    network = meeple.new_network("connect-four", width=32, blocks=1, neck=16, value=16, seed=1)
    observations = seen(64)
    masks = np.ones((64, 7), np.bool_)
    masks[:, 6] = False
    policies = np.zeros((64, 7))
    policies[:, 2] = 1.0
    values = np.tile([0.5, -0.5], (64, 1))
    losses = [
        network.train_batch(observations, policies, values, masks=masks, learning_rate=0.01)
        for _ in range(60)
    ]
    assert set(losses[0]) == {"policy", "value", "decay", "gradient"}
    assert losses[0]["policy"] == pytest.approx(np.log(6), abs=0.1), "six legal actions, alike"
    assert losses[-1]["policy"] < 0.2 and losses[-1]["value"] < 0.05
    value, policy = network.predict(observations[0])
    assert policy.argmax() == 2 and value[0] > 0.3 > -0.3 > value[1]
    # One value a row is that of the observer.
    again = meeple.new_network("connect-four", width=32, blocks=1, neck=16, value=16, seed=1)
    first = again.train_batch(observations, policies, values[:, 0], masks=masks)
    assert first["value"] == losses[0]["value"]
    # Weights go to a file and back, and from network to network.
    network.save(tmp_path / "trained")
    again.load(tmp_path / "trained")
    other = meeple.new_network("connect-four", width=32, blocks=1, neck=16, value=16, seed=9)
    network.copy_weights_to(other)
    for copy in (again, other):
        assert (copy.predict(observations[0])[1] == policy).all()


def test_what_cannot_be_learned_is_named(tmp_path):
    network = meeple.new_network("tic-tac-toe", width=16, blocks=1, neck=8, value=8)
    cells = meeple.load_game("tic-tac-toe").new_initial_state().get_observation()[None]
    good = [cells, np.full((1, 9), 1 / 9), np.zeros((1, 2))]
    before = network.predict(cells[0])
    for at, wrong, kind, message in [
        (0, cells[:, :5].copy(), ValueError, "observations has shape"),
        (0, cells.astype(np.int8), TypeError, "expected a NumPy array of int32"),
        (0, cells[:0], ValueError, "shape"),
        (1, np.full((1, 8), 1 / 8), ValueError, "target_policies has shape"),
        (1, np.full((1, 9), 1.0), ValueError, "example 0: its probabilities sum to 9, expected 1"),
        (1, np.eye(9)[:1] * -1, ValueError, "a probability is -1"),
        (2, np.zeros((1, 3)), ValueError, "target_values has shape"),
        (2, np.full((1, 2), 2.0), ValueError, "a value is 2, expected -1 to 1"),
        (2, "x", ValueError, "could not convert"),
    ]:
        arguments = [*good[:at], wrong, *good[at + 1 :]]
        with pytest.raises(kind, match=message):
            network.train_batch(*arguments)
    masks = np.ones((1, 9), np.bool_)
    masks[0, 0] = False
    with pytest.raises(ValueError, match="probabilities sum to"):
        network.train_batch(*good, masks=masks)
    with pytest.raises(ValueError, match="learning_rate is -1, expected 0 or more"):
        network.train_batch(*good, learning_rate=-1.0)
    after = network.predict(cells[0])
    assert (before[0] == after[0]).all() and (before[1] == after[1]).all(), "nothing has changed"
    other = meeple.new_network("tic-tac-toe", width=24, blocks=1, neck=8, value=8)
    with pytest.raises(ValueError, match="shape is"):
        network.copy_weights_to(other)
    other.save(tmp_path / "other")
    with pytest.raises(ValueError, match="shape is"):
        network.load(tmp_path / "other")
