"""Ray: the units of `meeple.selfplay` on the machines of a cluster.

Workers are actors that play many games in a call. The driver keeps a few units in flight at
each worker, writes finished shards to disk, and asks a learner for new weights. When a
worker or its node dies, its units are played again elsewhere: a unit depends on its seed
alone, and a shard that is on disk stays. A driver that is started again goes on with what
the folder lacks.
"""

from __future__ import annotations

import collections
import dataclasses
import os
import time
from collections.abc import Callable, Iterable

import ray

from .selfplay import Learner, Shards, Weights, Work, play

__all__ = ["Report", "collect"]


@dataclasses.dataclass
class Report:
    """What happened on the way."""

    #: Workers that have started.
    workers: int = 0
    #: Units played and kept.
    units: int = 0
    #: Units that were played again because a worker was lost.
    repeated: int = 0
    #: Workers that were lost.
    lost_workers: int = 0
    #: Versions of weights that the learner published.
    versions: int = 0
    #: Bytes of the shards that were kept.
    shard_bytes: int = 0
    #: Seconds by the clock.
    seconds: float = 0.0


@ray.remote(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")
class _Worker:
    """Plays units; it keeps nothing that must not be lost."""

    def ready(self):
        return True

    def play(self, work, weights, seed):
        return play(work, weights, seed)


@dataclasses.dataclass
class _Flight:
    worker: object
    #: The unit; None for the question whether the worker has started.
    seed: int | None


def collect(
    work: Work,
    seeds: Iterable[int],
    folder: str | os.PathLike[str],
    *,
    workers: int | None = None,
    in_flight: int = 2,
    learner: Learner | None = None,
    lesson: int = 8,
    on_shard: Callable[[int, Report], None] | None = None,
) -> Report:
    """Plays the units of `seeds` that the folder does not have yet, on the cluster.

    Call `ray.init` first, with the address of a cluster if there is one. `workers` is one
    for each core of the cluster unless given; each has at most `in_flight` units, so that
    no more shards wait in memory than that. After every `lesson` shards
    `learner(shards, weights)` may return new `Weights`, which later units play by.
    `on_shard(seed, report)` is told of every shard. Returns a `Report`.
    """
    shards, report, weights = Shards(folder), Report(), Weights()
    done = set(shards.seeds())
    waiting = collections.deque(seed for seed in seeds if seed not in done)
    count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    crew, ready, flights = [], set(), {}
    published = ray.put(weights)
    started = time.monotonic()

    def hire():
        """Starts a worker; it gets units once it has a core to run on."""
        worker = _Worker.remote()
        crew.append(worker)
        flights[worker.ready.remote()] = _Flight(worker, None)

    def launch(worker):
        busy = sum(flight.worker is worker for flight in flights.values())
        for _ in range(min(in_flight - busy, len(waiting))):
            seed = waiting.popleft()
            flights[worker.play.remote(work, published, seed)] = _Flight(worker, seed)

    def replace(lost):
        """Plays elsewhere what a lost worker had, and hires another."""
        report.lost_workers += 1
        for reference in [r for r, flight in flights.items() if flight.worker is lost]:
            seed = flights.pop(reference).seed
            if seed is not None:
                report.repeated += 1
                waiting.appendleft(seed)
        crew.remove(lost)
        ready.discard(lost)
        hire()

    def keep(seed, shard):
        nonlocal weights, published
        if not shards.put(seed, shard):
            return
        report.units += 1
        report.shard_bytes += len(shard)
        if on_shard is not None:
            on_shard(seed, report)
        newer = learner(shards, weights) if learner and report.units % lesson == 0 else None
        if newer is not None:
            weights, published = newer, ray.put(newer)
            report.versions += 1

    try:
        for _ in range(count):
            hire()
        while waiting or any(flight.seed is not None for flight in flights.values()):
            for worker in list(ready):
                launch(worker)
            finished, _ = ray.wait(list(flights), num_returns=1, timeout=10.0)
            for reference in finished:
                flight = flights[reference]
                try:
                    answer = ray.get(reference)
                except ray.exceptions.RayTaskError:
                    raise
                except ray.exceptions.RayError:
                    replace(flight.worker)
                    break
                del flights[reference]
                if flight.seed is None:
                    ready.add(flight.worker)
                    report.workers += 1
                else:
                    keep(flight.seed, answer)
    finally:
        for worker in crew:
            ray.kill(worker)
    report.seconds = time.monotonic() - started
    return report
