"""PPO in NumPy on the vector environment: connect four against random play.

No framework: a network of one hidden layer with two heads, Adam, the clipped objective,
generalized advantages (GAE), and 128 tables that are stepped together.
"""

# %% The tables: the learner's seat changes from game to game.
import sys

import numpy as np

import meeple

TABLES, STEPS, HIDDEN = 128, 32, 64
RATE, CLIP, DISCOUNT, TRACE, ENTROPY = 2e-3, 0.2, 0.99, 0.95, 0.01
EPOCHS, BATCH = 4, 512
updates = int(sys.argv[1]) if len(sys.argv) > 1 else 40
tables = meeple.Tables(
    "connect-four", TABLES, seat="rotate", opponents="random", dtype="float32", autoreset="same_step"
)
rng = np.random.default_rng(1)


# %% The network: what is seen -> hidden -> logits of the actions, and a value.
def layer(inputs, outputs, scale):
    return [rng.normal(0, scale / np.sqrt(inputs), (inputs, outputs)), np.zeros(outputs)]


weights = [
    *layer(tables.width, HIDDEN, 1.0),
    *layer(HIDDEN, tables.num_actions, 0.01),
    *layer(HIDDEN, 1, 0.1),
]
moments = [(np.zeros_like(array), np.zeros_like(array)) for array in weights]
adam_steps = 0


def forward(seen, masks):
    """Hidden units, the odds of legal actions, and values."""
    w1, b1, wp, bp, wv, bv = weights
    hidden = np.tanh(seen @ w1 + b1)
    logits = np.where(masks, hidden @ wp + bp, -1e9)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    return hidden, odds, (hidden @ wv + bv)[:, 0]


def learn(seen, masks, actions, before, advantages, returns):
    """A step of Adam up the clipped objective."""
    global adam_steps
    hidden, odds, values = forward(seen, masks)
    rows = np.arange(len(actions))
    ratio = odds[rows, actions] / before
    # Beyond the clip nothing is gained by going on, so nothing pulls there.
    is_free = np.where(advantages > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    pull = advantages * ratio * is_free
    logs = np.log(odds + 1e-9)
    entropy = -(odds * logs).sum(axis=1, keepdims=True)
    slope = -odds * pull[:, None] - ENTROPY * odds * (logs + entropy)
    slope[rows, actions] += pull
    error = (returns - values)[:, None]
    back = (slope @ weights[2].T + 0.5 * error @ weights[4].T) * (1 - hidden**2)
    gradients = [
        *(seen.T @ back, back.sum(axis=0)),
        *(hidden.T @ slope, slope.sum(axis=0)),
        *(0.5 * hidden.T @ error, 0.5 * error.sum(axis=0)),
    ]
    adam_steps += 1
    for array, (mean, square), gradient in zip(weights, moments, gradients):
        gradient = gradient / len(actions)
        mean += 0.1 * (gradient - mean)
        square += 0.001 * (gradient**2 - square)
        unbiased = (mean / (1 - 0.9**adam_steps), square / (1 - 0.999**adam_steps))
        array += RATE * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)


# %% Play, look back, learn.
def play():
    """What `STEPS` steps of all tables showed, row by row, with advantages and returns."""
    seen, masks, actions, before, values, rewards, ended = ([] for _ in range(7))
    for _ in range(STEPS):
        seen.append(tables.observations.copy())
        masks.append(tables.masks.copy())
        _, odds, value = forward(seen[-1], masks[-1])
        chosen = (odds.cumsum(axis=1) > rng.random((TABLES, 1))).argmax(axis=1)
        # The last action may sum to a bit less than 1: then the likeliest is played.
        chosen = np.where(masks[-1][np.arange(TABLES), chosen], chosen, odds.argmax(axis=1))
        tables.step(chosen)
        actions.append(chosen)
        before.append(odds[np.arange(TABLES), chosen])
        values.append(value)
        rewards.append(tables.rewards.copy())
        ended.append(tables.terminated.copy())
        results.extend(tables.rewards[tables.terminated])
    values.append(forward(tables.observations, tables.masks)[2])
    advantages, trace = [], np.zeros(TABLES)
    for step in reversed(range(STEPS)):
        lasts = 1.0 - ended[step]
        surprise = rewards[step] + DISCOUNT * lasts * values[step + 1] - values[step]
        trace = surprise + DISCOUNT * TRACE * lasts * trace
        advantages.insert(0, trace)
    returns = np.array(advantages) + np.array(values[:-1])
    columns = (seen, masks, actions, before, advantages, returns)
    return [np.concatenate(column) for column in columns]


tables.reset(1)
results = []
for update in range(updates):
    seen, masks, actions, before, advantages, returns = play()
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    for _ in range(EPOCHS):
        for rows in np.split(rng.permutation(len(actions)), len(actions) // BATCH):
            columns = (seen, masks, actions, before, advantages, returns)
            learn(*(column[rows] for column in columns))
    if update % 10 == 9:
        print(f"update {update + 1}: mean result {np.mean(results[-1000:]):+.3f}")

# %% How does it do when it plays what it thinks best?
tables.reset(2)
results = []
while len(results) < 1000:
    tables.step(forward(tables.observations, tables.masks)[1].argmax(axis=1))
    results.extend(tables.rewards[tables.terminated])
final = float(np.mean(results))
print(f"mean result of {len(results)} games: {final:+.3f}")
