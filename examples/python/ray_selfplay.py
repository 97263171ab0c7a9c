"""Self-play on Ray, measured: `ray_selfplay.py WORKERS`, needs `pip install "meeple[ray]"`.

On a cluster, pass its address to `ray.init` and leave `workers` out: one for each core.
"""

import sys
import tempfile

import ray

import meeple.ray
from meeple.selfplay import Work


def measure(workers, units, games=200):
    """Plays `units` units on `workers` processes of this machine; what came of it."""
    work = Work(run="ray", game="connect-four", bot="mcts:sims=100", games=games)
    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    try:
        with tempfile.TemporaryDirectory() as folder:
            # The first units start the processes, which is not what is measured.
            meeple.ray.collect(work, range(workers), folder, workers=workers)
            seeds = range(workers, workers + units)
            report = meeple.ray.collect(work, seeds, folder, workers=workers)
            shards = meeple.ray.Shards(folder)
            decisions = sum(len(shards.get(seed)[1]["actions"]) for seed in seeds)
    finally:
        ray.shutdown()
    return {
        "games/s": units * games / report.seconds,
        "decisions/s": decisions / report.seconds,
        "seconds a unit": workers * report.seconds / units,
        "bytes a game": report.shard_bytes / (units * games),
        "decisions a game": decisions / (units * games),
    }


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    for name, value in measure(count, units=20 * count).items():
        print(f"{name:18}{value:12,.1f}")
