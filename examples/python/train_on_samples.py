"""Training data: collect games of a search, read them as arrays, learn from them.

The learner is a linear softmax in NumPy, so that nothing else is needed; with PyTorch,
`torch.from_numpy` takes the same arrays.
"""

# %% Twenty games of a search against itself, on all cores.
import tempfile

import numpy as np

import meeple
from meeple.samples import dense_policy
from meeple.selfplay import Work, collect

work = Work(run="example", game="connect-four", bot="mcts:sims=100", games=10)
with tempfile.TemporaryDirectory() as folder:
    shards = collect(work, range(8), folder)
    parts = [shards.get(seed) for seed in shards.seeds()]

# %% What was seen, and what should be played.
fields = meeple.load_game("connect-four").observation_fields()
print([field["name"] for field in fields])
cells = np.concatenate([arrays["observations"] for _, arrays, _ in parts])
policy = np.concatenate([dense_policy(arrays, about["actions"]) for _, arrays, about in parts])
seen = np.concatenate([cells == 1, cells == 2, np.ones((len(cells), 1))], axis=1).astype(float)

# %% A linear policy learns it.
weights = np.zeros((seen.shape[1], policy.shape[1]))
first = last = 0.0
for step in range(300):
    logits = seen @ weights
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    last = -(policy * np.log(odds + 1e-9)).sum(axis=1).mean()
    first = first or last
    weights += 0.5 * seen.T @ (policy - odds) / len(seen)
print(f"{len(seen)} decisions: cross-entropy {first:.3f} -> {last:.3f}")
