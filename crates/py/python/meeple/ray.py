"""Ray: the units of `meeple.selfplay` on the machines of a cluster.

Workers are actors that play many games in a call. The driver keeps a few units in flight at
each worker, writes finished shards to disk, and asks a learner for new weights. When a
worker or its node dies, its units are played again elsewhere: a unit depends on its seed
alone, and a shard that is on disk stays. Nodes may join and leave while it runs. A driver
that is started again continues with what the folder lacks.
"""

from __future__ import annotations

import itertools
import os
import queue
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import ray  # type: ignore[import-not-found, unused-ignore]

from ._units import Driver, Lost, Report
from .selfplay import Learner, Shards, Weights, Work, play

__all__ = ["Report", "collect"]


class _Player:
    """Plays units; it keeps nothing that must not be lost."""

    def ready(self) -> bytes:
        return b""

    def play(self, work: Work, weights: Weights, seed: int) -> bytes:
        return play(work, weights, seed)


_Worker: Any = ray.remote(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")(_Player)


class _Cluster:
    """Actors as the driver's pool. Ray calls back when a call has ended: asking it with
    `ray.wait` would cost as much as there are calls, for every one of them."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.numbers = itertools.count()
        self.calls: dict[Hashable, Any] = {}
        self.ended: queue.SimpleQueue[Hashable] = queue.SimpleQueue()

    def _call(self, reference: Any) -> Hashable:
        token, future = next(self.numbers), reference.future()
        self.calls[token] = future
        future.add_done_callback(lambda _: self.ended.put(token))
        return token

    def start(self) -> tuple[Any, Hashable]:
        worker = _Worker.remote()
        return worker, self._call(worker.ready.remote())

    def play(self, worker: Any, weights: Any, seed: int) -> Hashable:
        return self._call(worker.play.remote(self.work, weights, seed))

    def publish(self, weights: Weights) -> Any:
        return ray.put(weights)

    def wait(self, timeout: float) -> list[Hashable]:
        tokens: list[Hashable] = []
        try:
            tokens.append(self.ended.get(timeout=timeout))
            while True:
                tokens.append(self.ended.get_nowait())
        except queue.Empty:
            return tokens

    def result(self, token: Hashable) -> bytes:
        future = self.calls.pop(token)
        try:
            answer: bytes = future.result()
        except ray.exceptions.RayTaskError:
            raise
        except ray.exceptions.RayError as error:
            raise Lost(str(error)) from error
        return answer

    def cancel(self, token: Hashable) -> None:
        self.calls.pop(token, None)

    def stop(self, worker: Any) -> None:
        ray.kill(worker)

    def capacity(self) -> int:
        resources = ray.cluster_resources()  # type: ignore[no-untyped-call, unused-ignore]
        return int(resources.get("CPU", 0))


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
    say: Callable[[str], None] | None = None,
) -> Report:
    """Plays the units of `seeds` that the folder does not have yet, on the cluster.

    Call `ray.init` first, with the address of a cluster if there is one. There are as many
    `workers` as given, replaced when they are lost; unless given, one for each core of the
    cluster, which is looked at every ten seconds: nodes may join and leave. Each worker has
    at most `in_flight` units, so that no more shards wait in memory than that. After every
    `lesson` shards `learner(shards, weights)` may return new `Weights`, which later units
    play by. `on_shard(seed, report)` is told of every shard, `say(line)` when no worker has
    run for half a minute; it prints to stderr unless given. Returns a `Report`.
    """
    driver = Driver(
        _Cluster(work),
        Shards(folder),
        seeds,
        workers=workers,
        in_flight=in_flight,
        learner=learner,
        lesson=lesson,
        on_shard=on_shard,
        say=say,
    )
    return driver.run()
