"""Poker on texts and arrays, held against published figures."""

import itertools

import numpy as np
import pytest

import meeple


def test_all_five_card_hands_fall_into_their_categories():
    """The 2,598,960 hands, and how many there are of each kind."""
    hands = np.fromiter(
        itertools.chain.from_iterable(itertools.combinations(range(52), 5)), np.uint8
    ).reshape(-1, 5)
    ranks = meeple.evaluate(hands)
    assert ranks.dtype == np.uint16 and len(ranks) == 2_598_960
    limits = [0, 1277, 4137, 4995, 5853, 5863, 7140, 7296, 7452, 7462]
    counts, _ = np.histogram(ranks, bins=np.array(limits) + 0.5)
    assert list(counts) == [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]
    assert len(np.unique(ranks)) == 7462


def test_texts_and_numbers_agree():
    text = "AsKdQhJcTs9s2d"
    numbers = meeple.cards(text)
    assert meeple.evaluate(text) == meeple.evaluate(numbers.reshape(1, 7))[0]
    assert meeple.evaluate(text) == meeple.evaluate(numbers.reshape(1, 7).astype(np.int64))[0]
    assert meeple.hand_name(text) == "straight, ace high"
    rows = np.tile(numbers, (4, 2))[:, ::2]
    assert meeple.evaluate(rows).shape == (4,), "views with strides are read too"


def test_equities():
    result = meeple.equity(["AhAs", "KdKc"], board="2c7h9d")
    assert result.method == "exact" and result.deals == 990
    assert result.equities[0] == pytest.approx(0.916162, abs=1e-6)
    ranges = meeple.equity(["QQ+, AKs", "22+, A2s+, K9s+, QTs+"], board="2c7h9d")
    assert ranges.players[0].equity == pytest.approx(0.709182, abs=5e-7)
    sampled = meeple.equity(["AhAs", "random", "random"], method="sample", deals=50_000, seed=1)
    assert sampled.method == "sample"
    low, high = sampled.players[0].interval
    assert low < 0.7345 < high
    omaha = meeple.equity(["AsKsQdQc", "JhJdTcTh"], game="omaha", board="2c7h9d")
    assert sum(omaha.equities) == pytest.approx(1.0)


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="player 1: "):
        meeple.equity(["AhAs", "KK+x"])
    with pytest.raises(ValueError, match="board: "):
        meeple.equity(["AhAs", "KK"], board="2z")
    with pytest.raises(ValueError, match="game is 'draw'|game is \"draw\""):
        meeple.equity(["AhAs", "KK"], game="draw")
    with pytest.raises(ValueError, match="expected auto, exact or sample"):
        meeple.equity(["AhAs", "KK"], method="guess")
    with pytest.raises(ValueError):
        meeple.equity(["AhAs"])
    with pytest.raises(ValueError, match="names 3 cards, expected 5 to 7"):
        meeple.evaluate("AsKdQh")
    with pytest.raises(TypeError, match="expected a text or a NumPy array"):
        meeple.evaluate([1, 2, 3, 4, 5])
    with pytest.raises(TypeError, match="expected uint8 or int64"):
        meeple.evaluate(np.zeros((2, 5), np.float32))
    with pytest.raises(ValueError, match=r"expected \[n, 5\] to \[n, 7\]"):
        meeple.evaluate(np.zeros((2, 4), np.uint8))
    with pytest.raises(ValueError, match="row 1: card 52"):
        meeple.evaluate(np.array([[0, 1, 2, 3, 4], [52, 1, 2, 3, 4]], np.uint8))
    with pytest.raises(ValueError, match="row 0: card 1 is twice"):
        meeple.evaluate(np.array([[0, 1, 1, 3, 4]], np.int64))
