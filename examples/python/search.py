"""Search: a bot, its report, and an evaluator written in Python."""

# %% What does a search think?
import numpy as np

import meeple

state = meeple.load_game("connect-four").new_initial_state()
for move in "dddc":
    state.apply_action(state.string_to_action(move))
print(state)
report = meeple.search(state, "mcts:sims=2000", seed=1)
for entry in sorted(report.actions, key=lambda entry: -entry.visits):
    print(f"{entry.name}  {entry.visits:5} visits  worth {entry.values[0]:+.2f}")


# %% The same with values and priors of our own, asked in batches.
def evaluator(observations, masks, players):
    """Knows nothing: even values, and the middle is likely good."""
    logits = np.tile(-np.abs(np.arange(7) - 3.0), (len(players), 1))
    return np.zeros(len(players)), logits


print(meeple.search(state, "puct:sims=400", evaluator=evaluator, batch=32))
