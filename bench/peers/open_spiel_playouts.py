"""Prints random games per second of OpenSpiel's C++ rollouts, a line a game."""

import time

import pyspiel

# Our name, theirs, and how many games make a round.
GAMES = [
    ("tic-tac-toe", "tic_tac_toe", 20_000),
    ("connect-four", "connect_four", 20_000),
    ("kuhn", "kuhn_poker", 20_000),
    ("leduc", "leduc_poker", 20_000),
    ("pig", "pig", 20_000),
    ("breakthrough", "breakthrough", 2_000),
    ("chess", "chess", 300),
    ("backgammon", "backgammon", 300),
]
ROUNDS = 7


def deal(state):
    """Plays chance events until a player decides, as the evaluator expects."""
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def games_per_second(name, rollouts):
    # A search of one simulation evaluates its root by `rollouts` random games,
    # all played in one C++ loop.
    game = pyspiel.load_game(name)
    state = deal(game.new_initial_state())
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 1, False)
    rates = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        bot.mcts_search(state)
        rates.append(rollouts / (time.perf_counter() - start))
    return sorted(rates)[ROUNDS // 2]


for ours, theirs, rollouts in GAMES:
    print(ours, round(games_per_second(theirs, rollouts)), flush=True)
