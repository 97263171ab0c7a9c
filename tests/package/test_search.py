"""Searches, and evaluators written in Python."""

import numpy as np
import pytest

import meeple


def near_win():
    """The first player wins by the third in a row."""
    state = meeple.load_game("tic-tac-toe").new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    return state


def test_a_search_reports():
    state = near_win()
    report = meeple.search(state, "mcts:sims=300", seed=1)
    assert report.best == 2
    assert {entry.action for entry in report.actions} == set(state.legal_actions())
    best = max(report.actions, key=lambda entry: entry.visits)
    assert best.action == 2 and best.values[0] == pytest.approx(1.0)
    assert report.policy().shape == (9,)
    assert report.policy().sum() == pytest.approx(1.0, abs=1e-4)
    assert state.choose("mcts:sims=300", seed=1) == 2
    again = meeple.search(state, "mcts:sims=300", seed=1)
    assert [e.visits for e in again.actions] == [e.visits for e in report.actions]


@pytest.mark.parametrize("bot", ["mcts", "puct", "mcts-ismcts"])
def test_a_python_evaluator_guides_the_search(bot):
    state = meeple.load_game("connect-four").new_initial_state()
    asked = []

    def prefers_the_edge(observations, masks, players):
        assert observations.dtype == np.float32 and masks.dtype == np.bool_
        assert observations.shape[0] == masks.shape[0] == players.shape[0]
        asked.append(len(players))
        logits = np.zeros(masks.shape, np.float32)
        logits[:, 6] = 4.0
        return np.zeros(len(players)), logits

    report = meeple.search(
        state, f"{bot}:sims=200", evaluator=prefers_the_edge, batch=8, seed=2
    )
    assert report.best == 6 and report.evaluations >= sum(asked) > 100
    if bot != "mcts-ismcts":
        assert max(asked) == 8


def test_values_belong_to_who_decides():
    """A value function that knows who wins next finds the win without a policy."""
    state = near_win()

    def wins(observations, masks, players):
        # Bad for the player to decide, if the other has just completed a row: there the
        # game is over, so nothing of the kind is ever asked. All else is even.
        return np.zeros((len(players), 2), np.float32)

    report = meeple.search(state, "mcts:sims=200", evaluator=wins, has_policy=False)
    assert report.best == 2 and report.ended == "solved"


@pytest.mark.parametrize("bot", ["mcts", "puct", "mcts-ismcts", "mcts-ismcts:root=gumbel"])
@pytest.mark.parametrize("has_policy", [True, False])
def test_hidden_games_are_judged_in_batches(bot, has_policy):
    if "gumbel" in bot and not has_policy:
        pytest.skip("halving needs priors")
    state = meeple.load_game("knockout-whist", players=3).new_initial_state()
    state.resolve_chance(3)
    asked = []

    def even(observations, masks, players):
        assert masks.any(axis=1).all() and set(players) <= {0, 1, 2}
        asked.append(len(players))
        values = np.zeros((len(players), 3))
        return (values, np.zeros(masks.shape)) if has_policy else values

    sims = f"{bot}{',' if ':' in bot else ':'}sims=100"
    arguments = dict(evaluator=even, has_policy=has_policy, seed=4)
    report = meeple.search(state, sims, batch=8, **arguments)
    assert report.iterations == 100 and report.ended == "iterations"
    assert report.halved == ("gumbel" in bot)
    assert max(asked) == 8 and sum(asked) == report.evaluations
    assert sum(entry.visits for entry in report.actions) == 100
    assert report.policy().sum() == pytest.approx(1.0, abs=1e-4)
    again = meeple.search(state, sims, batch=8, **arguments)
    assert [e.visits for e in again.actions] == [e.visits for e in report.actions]
    asked.clear()
    meeple.search(state, sims, batch=1, **arguments)
    assert max(asked) == 1


def test_values_of_hidden_games_belong_to_who_decides():
    """A player who holds the king and faces a bet calls, if values say who holds it."""
    state = meeple.load_game("kuhn").new_initial_state()
    for action in (0, 2, 1):
        state.apply_action(action)
    assert state.current_player() == 1

    def even(observations, masks, players):
        return np.zeros((len(players), 2))

    report = meeple.search(
        state, "mcts-ismcts:sims=200", evaluator=even, has_policy=False, batch=8
    )
    best = next(entry for entry in report.actions if entry.action == report.best)
    assert best.name == "bet" and best.values[1] > 0 > best.values[0]


def test_hidden_games_say_what_went_wrong():
    state = meeple.load_game("leduc").new_initial_state()
    state.resolve_chance(3)

    def interrupted(observations, masks, players):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        meeple.search(state, "mcts-ismcts:sims=100", evaluator=interrupted)
    with pytest.raises(ValueError, match="expected a value from -1 to 1"):
        meeple.search(
            state,
            "mcts-ismcts:sims=100",
            evaluator=lambda o, m, p: (np.full(len(p), 7.0), np.zeros(m.shape)),
        )
    report = meeple.search(
        state,
        "mcts-ismcts:sims=100000000",
        evaluator=lambda o, m, p: (np.zeros(len(p)), np.zeros(m.shape)),
        seconds=0.05,
    )
    assert report.ended == "time" and report.seconds < 5


def test_what_an_evaluator_raises_comes_out():
    state = meeple.load_game("connect-four").new_initial_state()

    def fails(observations, masks, players):
        raise KeyError("weights")

    with pytest.raises(KeyError, match="weights"):
        meeple.search(state, "puct:sims=100", evaluator=fails)
    wrong = {
        "values of shape": lambda o, m, p: (np.zeros((len(p), 3)), np.zeros(m.shape)),
        "logits of shape": lambda o, m, p: (np.zeros(len(p)), np.zeros((len(p), 2))),
        "no logits": lambda o, m, p: np.zeros(len(p)),
        "expected a value from -1 to 1": lambda o, m, p: (np.full(len(p), 7.0), np.zeros(m.shape)),
        "expected a finite number": lambda o, m, p: (np.zeros(len(p)), np.full(m.shape, np.nan)),
        "could not convert": lambda o, m, p: ("a", "b"),
    }
    for message, evaluator in wrong.items():
        with pytest.raises((ValueError, TypeError), match=message):
            meeple.search(state, "puct:sims=100", evaluator=evaluator)


def test_mistakes_are_named():
    state = meeple.load_game("tic-tac-toe").new_initial_state()
    for bot, message in {
        "random": "does not search",
        "mcst": "unknown bot",
        "mcts:sim=3": "has no option",
    }.items():
        with pytest.raises(ValueError, match=message):
            meeple.search(state, bot)
    with pytest.raises(ValueError, match="expected a positive number"):
        meeple.search(state, "mcts", seconds=-1.0)
    with pytest.raises(ValueError, match="only mcts, mcts-ismcts and puct"):
        meeple.search(state, "mcts-transposition", evaluator=lambda o, m, p: None)
    chance = meeple.load_game("kuhn").new_initial_state()
    with pytest.raises(ValueError, match="no player is to decide"):
        meeple.search(chance, "mcts")


def random_states(game, count, **options):
    """Different decisions of a game, each after some random events."""
    states = []
    for seed in range(count):
        state = meeple.load_game(game, **options).new_initial_state()
        rng = np.random.default_rng(seed)
        for _ in range(seed % 5):
            state.resolve_chance(seed)
            after = state.child(int(rng.choice(state.legal_actions())))
            if after.is_terminal():
                break
            state = after
        state.resolve_chance(seed)
        states.append(state)
    return states


def by_observation(observations, masks, players):
    """A value and logits that follow from the row alone."""
    seed = observations @ np.arange(1, observations.shape[1] + 1, dtype=np.float32)
    logits = np.sin(seed[:, None] * np.arange(1, masks.shape[1] + 1))
    return np.tanh(np.sin(seed)), logits.astype(np.float32)


@pytest.mark.parametrize("game", ["connect-four", "leduc"])
@pytest.mark.parametrize("root", ["", ",root=gumbel"])
def test_many_searches_are_those_of_each_state(game, root):
    states = random_states(game, 20)
    bot = f"puct:sims=60{root}" if game == "connect-four" else f"mcts-ismcts:sims=60{root}"
    many = meeple.search_many(states, bot, by_observation, seed=5)
    assert len(many) == 20 and sum(report.evaluations for report in many) > 100
    for batch, pad in [(1, True), (7, True), (64, False)]:
        again = meeple.search_many(states, bot, by_observation, seed=5, batch=batch, pad=pad)
        for one, other in zip(many, again):
            assert [e.visits for e in one.actions] == [e.visits for e in other.actions]
    for index, report in enumerate(many):
        alone = meeple.search(
            states[index], bot, evaluator=by_observation, seed=5 + index, batch=1
        )
        assert [e.visits for e in alone.actions] == [e.visits for e in report.actions]


def test_batches_of_many_searches_have_one_shape():
    asked = []

    def evaluator(observations, masks, players):
        asked.append(observations.shape)
        assert observations.shape[0] == masks.shape[0] == players.shape[0]
        return by_observation(observations, masks, players)

    states = random_states("connect-four", 40)
    meeple.search_many(states, "puct:sims=50", evaluator, batch=16)
    assert len(set(asked)) == 1 and asked[0][0] == 16
    asked.clear()
    meeple.search_many(states[:2], "puct:sims=50", evaluator, batch=16, leaves=8, pad=False)
    assert max(rows for rows, _ in asked) == 16
    assert meeple.search_many([], "puct:sims=50", evaluator) == []


def test_mistakes_in_many_searches_are_named():
    state = meeple.load_game("connect-four").new_initial_state()
    other = meeple.load_game("tic-tac-toe").new_initial_state()
    even = by_observation
    with pytest.raises(ValueError, match="position 1 is of another table"):
        meeple.search_many([state, other], "puct:sims=9", even)
    kuhn = meeple.load_game("kuhn").new_initial_state()
    with pytest.raises(ValueError, match="no player is to move in state 0"):
        meeple.search_many([kuhn], "mcts-ismcts:sims=9", even)
    with pytest.raises(ValueError, match="leaves"):
        meeple.search_many([state], "puct:sims=9", even, batch=4, leaves=8)
    with pytest.raises(ValueError, match="only mcts, mcts-ismcts and puct"):
        meeple.search_many([state], "mcts-transposition:sims=9", even)
    with pytest.raises(TypeError, match="needs an evaluator"):
        meeple.search_many([state], "puct:sims=9")
    with pytest.raises(ValueError, match=r"values of shape \[3\], expected \[256, 2\]"):
        meeple.search_many([state], "puct:sims=9", lambda o, m, p: (np.zeros(3), np.zeros(m.shape)))

    def fails(observations, masks, players):
        raise KeyError("out of memory")

    with pytest.raises(KeyError, match="out of memory"):
        meeple.search_many([state], "puct:sims=9", fails)
