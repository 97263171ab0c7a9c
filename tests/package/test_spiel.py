"""What OpenSpiel users expect of states and games, by the names that they know."""

import random

import numpy as np
import pytest

import meeple


def played(name, seed, moves):
    """A state after random moves, and the rng that drew them."""
    state, rng = meeple.load_game(name).new_initial_state(), random.Random(seed)
    while moves and not state.is_terminal():
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes())
            state.apply_action(rng.choices(outcomes, probabilities)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
        moves -= 1
    return state


def test_chance_events_are_drawn_by_numpy(name):
    """NumPy refuses probabilities whose sum is off by 1e-8."""
    game, rng = meeple.load_game(name), np.random.default_rng(1)
    largest, state = -1, game.new_initial_state()
    for _ in range(400):
        if state.is_terminal():
            state = game.new_initial_state()
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes())
            assert abs(sum(probabilities) - 1) < 1e-9 and min(probabilities) > 0
            largest = max(largest, *outcomes)
            state.apply_chance_outcome(rng.choice(outcomes, p=probabilities))
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    assert largest < game.max_chance_outcomes() or not game.has_chance
    assert (game.max_chance_outcomes() > 0) == game.has_chance


def test_the_bounds_of_chance_events_are_met():
    ids = {name: meeple.load_game(name).max_chance_outcomes() for name in meeple.games()}
    assert ids["kuhn"] == ids["leduc"] == 3 and ids["pig"] == 7 and ids["backgammon"] == 42
    assert ids["holdem"] == ids["knockout-whist"] == 52 and ids["chess"] == 0
    opening = meeple.load_game("backgammon").new_initial_state()
    assert max(opening.legal_actions()) == 40
    for players, bound in [(2, 51), (3, 56), (4, 126)]:
        game = meeple.load_game("stone-age", players=players)
        assert game.max_chance_outcomes() == bound


@pytest.mark.parametrize("players", [2, 3, 4])
def test_returns_sum_to_what_the_game_says(name, players):
    game = meeple.load_game(name)
    if players != game.num_players():
        try:
            game = meeple.load_game(name, players=players)
        except ValueError:
            pytest.skip("no such table")
    kind = game.get_type()
    assert kind.utility == "zero_sum" and game.utility_sum() == 0
    assert (kind.chance_mode == "explicit_stochastic") == game.has_chance
    assert (kind.information == "imperfect_information") == game.has_hidden_information
    assert kind.min_num_players <= players <= kind.max_num_players
    for seed in range(3):
        state, rng = game.new_initial_state(), random.Random(seed)
        while not state.is_terminal():
            state.resolve_chance(rng)
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        assert sum(state.returns()) == pytest.approx(0, abs=1e-6)
        assert state.move_number() <= game.max_game_length()
        assert game.min_utility() <= min(state.returns()) <= max(state.returns()) <= 1
        for player, value in enumerate(state.returns()):
            assert state.player_return(player) == state.player_reward(player) == value
        array = state.returns(as_array=True)
        assert array.dtype == np.float32 and list(array) == state.returns()


def test_moves_are_counted_without_chance_events():
    state = meeple.load_game("kuhn").new_initial_state()
    state.apply_action(2)
    state.apply_action(0)
    assert state.move_number() == 0 and state.history() == [2, 0]
    state.apply_action(1)
    assert state.move_number() == 1
    assert state.full_history() == [(-1, 2), (-1, 0), (0, 1)]
    assert state.full_history()[2].player == 0 and state.full_history()[2].action == 1
    assert repr(state) == "<State of kuhn after 1 moves>"


def test_only_chance_outcomes_are_played_at_chance_nodes():
    state = meeple.load_game("leduc").new_initial_state()
    for wrong in (3, -1, 70_000):
        with pytest.raises(ValueError, match="is no chance outcome here, expected one of 0, 1, 2"):
            state.apply_action(wrong)
    assert state.history() == []
    state.apply_action(1)
    assert state.full_history() == [(meeple.CHANCE, 1)]


def test_what_is_seen_where_nobody_decides(name):
    """The view of the player who decided last, or of player 0 before any decision."""
    state, last, rng = meeple.load_game(name).new_initial_state(), 0, random.Random(2)
    for _ in range(60):
        if state.current_player() < 0:
            assert (state.get_observation() == state.get_observation(last)).all()
            assert state.information_key() == state.information_key(last)
            assert state.observation_string() == state.observation_string(last)
        if state.is_terminal():
            return
        if not state.is_chance_node():
            last = state.current_player()
        state.apply_action(rng.choice(state.legal_actions()))


def test_children_and_what_is_taken_back(name):
    state = played(name, 3, 12)
    if state.is_terminal():
        state = played(name, 3, 4)
    before, legal = state.serialize(), state.legal_actions()
    for action in legal[:3]:
        child = state.child(action)
        assert state.serialize() == before and len(child.history()) == len(state.history()) + 1
        with pytest.raises(ValueError, match="did not play"):
            child.undo_action(state.current_player(), action + 1)
        child.undo_action(state.current_player(), action)
        assert child == state and child.key() == state.key()
    with pytest.raises(ValueError, match="no action to undo"):
        meeple.load_game(name).new_initial_state().undo_action(0, 0)
    assert list(state.legal_actions(as_array=True)) == legal
    assert state.legal_actions(as_array=True).dtype == np.int64


def test_a_new_deal_is_not_taken_back():
    state = played("leduc", 1, 2).resample_from_infostate(0, 5)
    with pytest.raises(ValueError, match="dealt cards again"):
        state.undo_action(-1, 0)
    child = state.child(state.legal_actions()[0])
    child.undo_action(*child.full_history()[-1])
    assert child.key() == state.key() and child == state, "the same cards are dealt again"


def test_information_states_are_told_apart(name):
    game = meeple.load_game(name)
    texts, tensors = {}, {}
    for seed in range(12):
        state = played(name, seed, 3 + seed)
        for player in range(state.num_players()):
            key = (player, state.information_key(player))
            text = state.information_state_string(player)
            tensor = state.information_state_tensor(player)
            assert tensor.shape == game.information_state_tensor_shape()
            assert len(tensor) == game.information_state_tensor_size()
            assert (tensor[:-64] == state.observation_tensor(player)).all()
            assert texts.setdefault(text, key) == key
            assert tensors.setdefault(tensor.tobytes(), key[1]) == key[1]
    assert game.observation_tensor_size() == game.observation_tensor_shape()[0]


def test_what_a_player_cannot_see_is_in_no_text_of_theirs():
    state = meeple.load_game("leduc").new_initial_state()
    state.resolve_chance(1)
    for seed in range(20):
        other = state.resample_from_infostate(0, seed)
        assert other.information_state_string(0) == state.information_state_string(0)
        same = other.information_state_tensor(0) == state.information_state_tensor(0)
        assert same.all()


def test_dictionaries_hold_plain_values():
    state = played("kuhn", 1, 3)
    entries = state.to_dict()
    assert entries["game"] == "kuhn" and entries["current_player"] == state.current_player()
    assert entries["legal_actions"] == state.legal_actions()
    assert entries["history"] == [tuple(step) for step in state.full_history()]
    assert entries["returns"] == state.returns() and entries["text"] == str(state)
    game = meeple.load_game("pig", players=3).to_dict()
    assert game["name"] == "pig" and game["num_players"] == 3 and game["config"]["players"] == 3
