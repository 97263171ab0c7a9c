"""Steps a second from Python with observations and masks: `python_steps.py ours|open_spiel`.

Ours are many tables stepped together on all cores, OpenSpiel's one state after the other:
that is how each is used. Prints a line for each game.
"""

import random
import sys
import time

SECONDS = 1.5
GAMES = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four",
    "chess": "chess",
    "backgammon": "backgammon",
    "leduc": "leduc_poker",
    "stone-age": None,
    "magic": None,
}


def ours(game, tables=2048):
    """Decisions a second of all tables."""
    import numpy as np

    import meeple

    env = meeple.Tables(game, tables, autoreset="same_step")
    env.reset(1)
    actions = np.zeros(tables, np.int64)
    steps = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        for _ in range(10):
            env.sample(actions)
            env.step(actions)
        steps += 10
    return steps * tables / (time.perf_counter() - start)


def open_spiel(game):
    """Decisions a second of one state after the other."""
    import numpy as np
    import pyspiel

    loaded = pyspiel.load_game(GAMES[game])
    decisions = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        state = loaded.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(random.choices(*zip(*outcomes))[0])
                continue
            np.array(state.observation_tensor(state.current_player()))
            legal = state.legal_actions()
            state.apply_action(legal[int(random.random() * len(legal))])
            decisions += 1
    return decisions / (time.perf_counter() - start)


def single(game="tic-tac-toe"):
    """Decisions a second of one state of ours after the other, without observations."""
    import meeple

    loaded = meeple.load_game(game)
    decisions = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        state = loaded.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(random.random() * len(legal))])
            decisions += 1
    return decisions / (time.perf_counter() - start)


if __name__ == "__main__":
    if sys.argv[1] == "single":
        print("tic-tac-toe", single())
    elif sys.argv[1] == "ours":
        for name in GAMES:
            print(name, ours(name))
    else:
        for name, theirs in GAMES.items():
            if theirs is not None:
                print(name, open_spiel(name))
