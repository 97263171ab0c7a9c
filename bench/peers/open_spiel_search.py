"""Prints simulations per second of OpenSpiel's C++ tree search, a line a game."""

import math
import time

import pyspiel

# Our name and theirs.
GAMES = [("chess", "chess"), ("backgammon", "backgammon")]
# As many as ours does, and one random game each.
SIMULATIONS = 2_000
ROUNDS = 5
MEGABYTES = 1_000


def deal(state):
    """Plays chance events until a player decides."""
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


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


for ours, theirs in GAMES:
    print(ours, round(simulations_per_second(theirs)), flush=True)
