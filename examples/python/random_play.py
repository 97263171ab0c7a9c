"""Random play: a game step by step, and a million games in Rust."""

# %% A state, and what can be done with it.
import random

import meeple

game = meeple.load_game("backgammon")
state = game.new_initial_state()
rng = random.Random(1)
while not state.is_terminal():
    if state.is_chance_node():
        state.resolve_chance(rng)
    else:
        state.apply_action(rng.choice(state.legal_actions()))
print(state)
print("after", state.move_number(), "moves:", state.returns())

# %% Many games, on all cores.
print(game.random_playouts(2_000, seed=1))
