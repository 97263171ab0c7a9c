"""States: how they are played, copied and asked."""

import copy
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest

import meeple


def play(state, rng, moves=10**9):
    """Plays random moves."""
    while not state.is_terminal() and moves:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            pick = rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
            state.apply_chance_outcome(pick)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
        moves -= 1
    return state


def test_a_game_is_played_to_its_end(name):
    game = meeple.load_game(name)
    state = play(game.new_initial_state(), random.Random(1))
    assert state.current_player() == meeple.TERMINAL
    assert state.legal_actions() == []
    assert len(state.returns()) == state.num_players() == game.num_players()
    assert state.get_rewards() == state.rewards() == state.returns()
    decisions = [step for step in state.full_history() if step.player >= 0]
    assert state.move_number() == len(decisions) > 0
    assert all(-1 <= value <= 1 for value in state.returns())


def test_states_are_written_down_copied_and_pickled(name):
    game = meeple.load_game(name)
    for moves in (0, 7, 30):
        state = play(game.new_initial_state(), random.Random(moves), moves)
        copies = [
            state.clone(),
            copy.copy(state),
            copy.deepcopy(state),
            pickle.loads(pickle.dumps(state)),
            meeple.deserialize_state(state.serialize()),
            game.deserialize_state(state.serialize()),
        ]
        for other in copies:
            assert other == state
            assert str(other) == str(state)
            assert other.key() == state.key()
            play(other, random.Random(3), 1)
        assert len(state.history()) <= moves
    assert pickle.loads(pickle.dumps(game)) == game


def test_masks_and_observations_fit(name):
    game = meeple.load_game(name)
    state = game.new_initial_state()
    rng = random.Random(5)
    fields = game.observation_fields()
    low = np.repeat([f["min"] for f in fields], [f["cells"] for f in fields])
    high = np.repeat([f["max"] for f in fields], [f["cells"] for f in fields])
    for _ in range(40):
        play(state, rng, 1)
        for player in range(state.num_players()):
            cells = state.get_observation(player)
            assert cells.dtype == np.int32 and cells.shape == game.observation_shape()
            assert (low <= cells).all() and (cells <= high).all()
            features = state.observation_tensor(player)
            assert features.dtype == np.float32
            assert features.shape == game.observation_tensor_shape()
            assert (game.features(cells[None])[0] == features).all()
            mask = state.legal_actions_mask(player)
            assert mask.dtype == np.bool_ and mask.shape == (game.num_distinct_actions(),)
            legal = state.legal_actions(player)
            assert sorted(legal) == list(np.flatnonzero(mask))
            assert not legal or player == state.current_player()
            assert state.observation_string(player)


def test_features_are_made_of_any_whole_numbers():
    game = meeple.load_game("connect-four")
    cells = np.zeros((3, 43), np.uint8)
    assert game.features(cells).shape == (3, *game.observation_tensor_shape())
    assert game.features(cells[:0]).shape == (0, *game.observation_tensor_shape())
    for wrong, kind, message in [
        (np.zeros((3, 42), np.uint8), ValueError, "has shape"),
        (np.zeros(43, np.uint8), ValueError, "has shape"),
        (np.uint8(3), ValueError, "has shape"),
        (np.zeros((3, 43)), TypeError, "int32"),
        (np.full((3, 43), 99, np.uint8), ValueError, "row 0, cell 0 is 99, expected 0 to"),
    ]:
        with pytest.raises(kind, match=message):
            game.features(wrong)


def test_what_a_player_cannot_see_is_dealt_anew():
    game = meeple.load_game("leduc")
    state = game.new_initial_state()
    state.resolve_chance(1)
    seen, cards = state.information_key(0), set()
    for seed in range(40):
        other = state.resample_from_infostate(0, seed)
        assert other.information_key(0) == seen
        cards.add(other.information_key(1))
        assert meeple.deserialize_state(other.serialize()).key() == other.key()
        play(other, random.Random(seed))
        assert pickle.loads(pickle.dumps(other)).returns() == other.returns()
    assert len(cards) > 1
    sources = [random.Random(1), np.random.default_rng(1), random.random]
    for source in sources:
        assert state.resample_from_infostate(0, source).information_key(0) == seen
    with pytest.raises(TypeError, match="rng is str"):
        state.resample_from_infostate(0, "seed")


def test_an_illegal_action_changes_nothing():
    state = meeple.load_game("tic-tac-toe").new_initial_state()
    state.apply_action(4)
    before = state.serialize()
    for wrong in (4, 9, -1, 70_000, 2**60):
        with pytest.raises(ValueError, match="not legal here, expected one of 0, 1, 2, 3, 5"):
            state.apply_action(wrong)
        assert state.serialize() == before
    for wrong in ("0", None, 1.5, np.float64(1)):
        with pytest.raises(TypeError):
            state.apply_action(wrong)
    for wrong in (2**64, -(2**64)):
        with pytest.raises(ValueError, match="out of range"):
            state.apply_action(wrong)
    state.child(np.int64(0))
    with pytest.raises(ValueError, match="no chance node"):
        state.apply_chance_outcome(0)
    over = play(state, random.Random(1))
    with pytest.raises(ValueError, match="the game is over"):
        over.apply_action(0)


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="unknown game \"shogi\", expected one of tic-tac-toe"):
        meeple.load_game("shogi")
    with pytest.raises(ValueError, match="players: .*2 to 4 players, got 9"):
        meeple.load_game("stone_age", players=9)
    with pytest.raises(ValueError, match="unknown field"):
        meeple.load_game("pig", decks=3)
    with pytest.raises(TypeError):
        meeple.load_game("pig", players={1, 2})
    state = meeple.load_game("kuhn").new_initial_state()
    with pytest.raises(IndexError, match="player is 2, expected 0 to 1"):
        state.get_observation(2)
    with pytest.raises(IndexError, match="out of range"):
        state.get_observation(2**70)
    with pytest.raises(ValueError, match="no serialized state"):
        meeple.deserialize_state("{}")
    with pytest.raises(ValueError, match="event 0"):
        meeple.deserialize_state(
            '{"meeple_state":1,"game":"kuhn","config":{},"events":[77]}'
        )
    with pytest.raises(ValueError, match="expected leduc"):
        meeple.load_game("leduc").deserialize_state(state.serialize())


def test_actions_have_names():
    state = meeple.load_game("chess").new_initial_state()
    move = state.string_to_action("e2e4")
    assert state.action_to_string(move) == state.action_to_string(0, move) == "e2e4"
    with pytest.raises(ValueError, match="player 1 does not decide here: player 0 does"):
        state.action_to_string(1, move)
    with pytest.raises(IndexError, match="player is 2, expected 0 to 1"):
        state.action_to_string(2, move)
    deal = meeple.load_game("kuhn").new_initial_state()
    assert deal.action_to_string(meeple.CHANCE, 0) == deal.action_to_string(0)
    with pytest.raises(ValueError, match="player 0 does not decide here: chance does"):
        deal.action_to_string(0, 0)
    assert state.legal_action_names()[move] == "e2e4"
    with pytest.raises(ValueError, match="no choice"):
        state.string_to_action("e2e5")
    with pytest.raises(ValueError, match="no name"):
        state.action_to_string(4000)


def test_options_reach_the_table():
    game = meeple.load_game("Stone_Age", players=3)
    assert (game.name, game.num_players(), game.config["players"]) == ("stone-age", 3, 3)
    assert game.has_chance and game.has_hidden_information
    assert repr(game).startswith('Game("stone-age"')


def test_random_playouts_repeat_on_any_number_of_threads():
    game = meeple.load_game("pig", players=3)
    one = game.random_playouts(3000, seed=4, threads=1)
    assert one == game.random_playouts(3000, seed=4, threads=2)
    assert one["games"] == 3000 and sum(one["wins"]) == 3000
    assert abs(sum(one["mean_returns"])) < 1e-6
    played = meeple.load_game("connect-four").simulate(["greedy", "random"], 40, seed=1)
    assert played["wins"][0] > 30
    with pytest.raises(ValueError, match="3 bots cannot fill 2 seats"):
        meeple.load_game("kuhn").simulate(["random"] * 3, 1)
    with pytest.raises(ValueError, match="games is -1, expected a whole number from 0 to"):
        game.random_playouts(-1)
    with pytest.raises(ValueError, match="seed is -2, expected"):
        game.random_playouts(1, seed=-2)
    with pytest.raises(TypeError, match="games"):
        game.random_playouts(1.5)


def test_the_package_imports_fast_and_alone():
    """No NumPy, Gymnasium or Ray comes along; the time itself is measured elsewhere."""
    check = "import sys, meeple; print([m for m in ('numpy', 'gymnasium', 'ray') if m in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
