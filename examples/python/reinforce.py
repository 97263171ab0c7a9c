"""A policy gradient in NumPy on the vector environment: tic-tac-toe against random play.

No framework: a network of one hidden layer, REINFORCE with a baseline, and 256 tables that
are stepped together.
"""

# %% The tables: the learner's seat changes from game to game.
import sys

import numpy as np

import meeple

TABLES, HIDDEN, RATE = 256, 64, 0.02
updates = int(sys.argv[1]) if len(sys.argv) > 1 else 400
tables = meeple.Tables(
    "tic-tac-toe", TABLES, seat="rotate", opponents="random", dtype="float32", autoreset="same_step"
)
rng = np.random.default_rng(1)
w1 = rng.normal(0, 1 / np.sqrt(tables.width), (tables.width, HIDDEN))
w2 = np.zeros((HIDDEN, tables.num_actions))


def policy(seen, masks):
    hidden = np.tanh(seen @ w1)
    logits = np.where(masks, hidden @ w2, -1e9)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return hidden, odds / odds.sum(axis=1, keepdims=True)


# %% Play, remember each table's game, and learn from it when it ends.
tables.reset(1)
games = [[] for _ in range(TABLES)]
recent, baseline = [], 0.0
for update in range(updates):
    batch = []
    while len(batch) < 512:
        seen, masks = tables.observations.copy(), tables.masks.copy()
        hidden, odds = policy(seen, masks)
        actions = (odds.cumsum(axis=1) > rng.random((TABLES, 1))).argmax(axis=1)
        for table in range(TABLES):
            games[table].append((seen[table], hidden[table], odds[table], actions[table]))
        tables.step(actions)
        for table in np.flatnonzero(tables.terminated):
            result = float(tables.rewards[table])
            recent.append(result)
            batch += [(*step, result) for step in games[table]]
            games[table] = []
    seen, hidden, odds, actions, results = (np.array(column) for column in zip(*batch))
    advantage = results - baseline
    baseline += 0.1 * (results.mean() - baseline)
    slope = -odds
    slope[np.arange(len(actions)), actions] += 1.0
    slope *= advantage[:, None] / len(actions)
    back = (slope @ w2.T) * (1 - hidden**2)
    w2 += RATE * 50 * hidden.T @ slope
    w1 += RATE * 50 * seen.T @ back
    if update % 100 == 99:
        print(f"update {update + 1}: mean result {np.mean(recent[-2000:]):+.3f}")
final = float(np.mean(recent[-2000:]))
