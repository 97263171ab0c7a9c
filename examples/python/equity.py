"""Poker: equities of hands and ranges, and millions of hands on arrays."""

# %% Who wins how often?
import numpy as np

import meeple

print(meeple.equity(["AhAs", "KdKc"]))
print(meeple.equity(["QQ+, AKs", "22+, A2s+, K9s+"], board="2c7h9d"))
print(meeple.equity(["AsKsQdQc", "JhJdTcTh"], game="omaha", deals=100_000))

# %% How often does a random hand of seven cards hold a flush or better?
rng = np.random.default_rng(1)
hands = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (200_000, 1)), axis=1)[:, :7]
ranks = meeple.evaluate(np.ascontiguousarray(hands))
flush = meeple.evaluate("2c3c4c5c7c")
print(f"a flush or better: {100 * (ranks >= flush).mean():.2f} % of hands")
