"""Prints random games per second of OpenSpiel's C++ rollouts, a line a game.

A game named on the command line is measured alone.
"""

import sys
import time

import pyspiel
from open_spiel_games import GAMES, deal

ROUNDS = 7
SECONDS = 0.15


def games_per_second(name):
    # A search of one simulation evaluates its root by random games, all played in one C++ loop.
    game = pyspiel.load_game(name)
    state = deal(game.new_initial_state())

    def rate(rollouts):
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 1, False)
        start = time.perf_counter()
        bot.mcts_search(state)
        return rollouts / (time.perf_counter() - start)

    rollouts = max(1, round(SECONDS * rate(max(1, round(SECONDS / 3 * rate(2))))))
    return sorted(rate(rollouts) for _ in range(ROUNDS))[ROUNDS // 2]


for ours in sys.argv[1:] or GAMES:
    print(ours, round(games_per_second(GAMES[ours])), flush=True)
