"""Many tables at once: arrays of the caller, opponents, and what is refused."""

import numpy as np
import pytest

import meeple


def test_tables_agree_with_states():
    """Without chance, each table is a state played by hand."""
    tables = meeple.Tables("connect-four", 5, dtype="int32")
    tables.reset(3)
    states = [meeple.load_game("connect-four").new_initial_state() for _ in range(5)]
    ends = 0
    for _ in range(200):
        actions = tables.sample()
        tables.step(actions)
        for at, state in enumerate(states):
            if state.is_terminal():
                states[at] = state.get_game().new_initial_state()
                assert not tables.terminated[at]
                continue
            mover = state.current_player()
            state.apply_action(actions[at])
            player = mover if state.is_terminal() else state.current_player()
            assert (tables.observations[at] == state.get_observation(player)).all()
            assert (tables.masks[at] == state.legal_actions_mask()).all()
            assert list(tables.rewards[at]) == state.returns()
            assert tables.terminated[at] == state.is_terminal()
            ends += state.is_terminal()
    assert ends > 10


def test_steps_are_written_into_the_callers_arrays():
    tables = meeple.Tables("leduc", 4, dtype=np.float32)
    mine = np.full((4, tables.width), 9, np.float32)
    tables.observations = mine
    shown, _ = tables.reset(1)
    assert shown is mine and (mine <= 1).all()


def test_every_reset_deals_anew():
    tables = meeple.Tables("knockout-whist", 3, players=3)
    tables.reset(7)
    first = tables.observations.copy()
    deals = {first.tobytes()}
    for _ in range(20):
        tables.reset()
        deals.add(tables.observations.tobytes())
    assert len(deals) == 21
    tables.reset([7, 8, 9])
    assert (tables.observations == first).all()
    other = meeple.Tables("knockout-whist", 3, players=3)
    other.reset()
    unseeded = other.observations.copy()
    other = meeple.Tables("knockout-whist", 3, players=3)
    other.reset()
    assert (other.observations != unseeded).any()


def test_a_policy_of_the_caller_is_asked_in_batches(name):
    asked = []

    def first_legal(observations, masks, seats):
        asked.append(len(seats))
        assert observations.shape[0] == masks.shape[0] == len(seats)
        assert masks.any(axis=1).all()
        return masks.argmax(axis=1)

    tables = meeple.Tables(name, 16, seat="rotate", opponents=first_legal)
    tables.reset(1)
    for _ in range(30):
        tables.step(tables.sample())
    assert max(asked) > 4


@pytest.mark.parametrize("opponents", ["random", "greedy", "mcts:sims=10"])
def test_bots_sit_at_the_other_seats(opponents):
    tables = meeple.Tables("stone-age", 3, seat=1, opponents=opponents, players=3)
    tables.reset(1)
    for _ in range(20):
        assert (tables.seats[~tables.terminated] == 1).all()
        tables.step(tables.sample())


def test_arrays_that_do_not_fit_are_refused():
    tables = meeple.Tables("tic-tac-toe", 4)
    with pytest.raises(ValueError, match="expected a reset first"):
        tables.step(np.zeros(4, np.int64))
    tables.reset(1)
    good = tables.observations
    wrong = [
        (np.zeros((4, 10), np.float64), TypeError, "expected a NumPy array of int8, int16"),
        (np.zeros((4, 10), np.int16), ValueError, "holds int16, expected int8"),
        (np.zeros((4, 11), np.int8), ValueError, r"shape \[4, 11\], expected \[4, 10\]"),
        (np.zeros((10, 4), np.int8).T, ValueError, "not contiguous"),
        (np.zeros((8, 10), np.int8)[::2], ValueError, "not contiguous"),
        ([[0] * 10] * 4, TypeError, "is list"),
        (None, TypeError, "is NoneType"),
    ]
    read_only = np.zeros((4, 10), np.int8)
    read_only.flags.writeable = False
    wrong.append((read_only, ValueError, "read-only"))
    for array, kind, message in wrong:
        tables.observations = array
        with pytest.raises(kind, match=message):
            tables.step(np.zeros(4, np.int64))
    tables.observations = good
    tables.truncated = tables.terminated
    with pytest.raises(ValueError, match="shares memory"):
        tables.step(np.zeros(4, np.int64))
    tables.truncated = np.zeros(4, np.bool_)
    for actions, kind, message in [
        (np.zeros(3, np.int64), ValueError, r"shape \[3\], expected \[4\]"),
        (np.zeros(4), TypeError, "expected whole numbers"),
        (np.array([0, 0, 9, 0]), ValueError, "table 2: action 9 is out of range, expected 0 to 8"),
        (np.array([0, -1, 0, 0]), ValueError, "table 1: action -1"),
        (["a"] * 4, TypeError, "whole numbers"),
    ]:
        with pytest.raises(kind, match=message):
            tables.step(actions)
    tables.step(np.zeros(4, np.int32))
    with pytest.raises(ValueError, match="table 0: action 0 is not legal here, expected one of 1"):
        tables.step(np.zeros(4, np.int64))
    assert (tables.masks.sum(axis=1) == 8).all(), "refused steps change nothing"


def test_tables_that_cannot_be_are_refused():
    for arguments, options, message in [
        (("shogi", 1), {}, "unknown game"),
        (("pig", 0), {}, "at least 1"),
        (("pig", 1), {"players": 9}, "2 to 6 players"),
        (("pig", 1), {"autoreset": "never"}, "expected one of next_step, same_step, disabled"),
        (("pig", 1), {"dtype": "int64"}, "expected one of int8"),
        (("pig", 1), {"seat": 2, "players": 2}, "seat is 2, expected 0 to 1"),
        (("pig", 1), {"seat": "all"}, "expected None, a seat or"),
        (("pig", 1), {"opponents": "random"}, "the caller has all seats"),
        (("kuhn", 1), {"seat": 0, "opponents": "greedy"}, "no heuristic evaluation"),
        (("stone-age", 1), {"dtype": "int8"}, "expected int16"),
    ]:
        with pytest.raises(ValueError, match=message):
            meeple.Tables(*arguments, **options)
    with pytest.raises(ValueError, match="tables is -1, expected a whole number from 0 to"):
        meeple.Tables("pig", -1)
    with pytest.raises(ValueError, match="max_steps is -3"):
        meeple.Tables("pig", 1, max_steps=-3)
    with pytest.raises(TypeError):
        meeple.Tables("pig", 2.5)
    for count in (10**9, 10**18):
        with pytest.raises(MemoryError, match=f"{count} tables take about"):
            meeple.Tables("connect-four", count)
    with pytest.raises(TypeError):
        meeple.Tables("pig", 2).reset(1.5)
    with pytest.raises(ValueError, match="table"):
        meeple.Tables("pig", 2).text(-1)

    def nonsense(observations, masks, seats):
        return np.full(len(seats), 0.5)

    tables = meeple.Tables("pig", 2, seat=1, opponents=nonsense)
    with pytest.raises(ValueError, match="policy returned float64"):
        tables.reset(1)
