"""Prints simulations per second of OpenSpiel's C++ tree search, a line a game.

A game named on the command line is measured alone.
"""

import math
import sys
import time

import pyspiel
from open_spiel_games import GAMES, deal

# As many as ours does, and one random game each.
SIMULATIONS = 2_000
ROUNDS = 5
MEGABYTES = 1_000


def is_searched(ours, theirs):
    """Whether `meeple bench` has a row for it: games in files whose players know the state, and two
    written by hand."""
    known = pyspiel.GameType.Information.PERFECT_INFORMATION
    perfect = pyspiel.load_game(theirs).get_type().information == known
    return perfect and (ours.startswith("files/") or ours in ("chess", "backgammon"))


def simulations_per_second(name):
    game = pyspiel.load_game(name)
    state = deal(game.new_initial_state())
    rates = []
    for seed in range(ROUNDS):
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(
            game, evaluator, math.sqrt(2), SIMULATIONS, MEGABYTES, False, seed, False
        )
        start = time.perf_counter()
        bot.mcts_search(state)
        rates.append(SIMULATIONS / (time.perf_counter() - start))
    return sorted(rates)[ROUNDS // 2]


for ours in sys.argv[1:] or [ours for ours, theirs in GAMES.items() if is_searched(ours, theirs)]:
    print(ours, round(simulations_per_second(GAMES[ours])), flush=True)
