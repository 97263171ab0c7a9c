"""The driver of a run of units: which worker plays what, on whatever carries the calls.

The loop knows no Ray. What it needs is a `Pool`: workers that take units, and a way to wait
for whatever is finished first. So it is tested with a pool of stubs, and its cost is
measured without a cluster. Every step of it takes a constant time, however many workers
there are.
"""

from __future__ import annotations

import collections
import dataclasses
import sys
import time
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, Protocol, TypeVar

from .selfplay import Learner, Shards, Weights

__all__ = ["Driver", "Lost", "Pool", "Report"]

W = TypeVar("W", bound=Hashable)

#: Seconds between two looks at how many workers there could be.
LOOK = 10.0
#: Seconds without a worker before the driver says what it waits for, and between two times.
PATIENCE = 30.0


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


class Lost(Exception):
    """A worker is gone; what it was to play must be played elsewhere."""


class Pool(Protocol[W]):
    """Workers, and calls to them. A call is identified by a token of its own."""

    def start(self) -> tuple[W, Hashable]:
        """Starts a worker; the token is that of the call that says that it has started."""

    def play(self, worker: W, weights: Any, seed: int) -> Hashable:
        """Has a worker play a unit; the token is that of the call."""

    def publish(self, weights: Weights) -> Any:
        """Weights in the form in which `play` takes them."""

    def wait(self, timeout: float) -> list[Hashable]:
        """The tokens of calls that have ended since the last time; waits for one."""

    def result(self, token: Hashable) -> bytes:
        """What a call that has ended returned. Raises `Lost`, or what the call raised."""

    def cancel(self, token: Hashable) -> None:
        """Forgets a call."""

    def stop(self, worker: W) -> None:
        """Ends a worker."""

    def capacity(self) -> int:
        """How many workers there is room for now."""


@dataclasses.dataclass
class _Crew:
    """A worker's calls by token, and the unit of each; None asks whether it has started."""

    calls: dict[Hashable, int | None] = dataclasses.field(default_factory=dict)
    is_ready: bool = False


class Driver(Generic[W]):
    """Keeps up to `in_flight` units at each worker until all seeds are played.

    With `workers` there are so many of them, replaced when they are lost; without, as many
    as there is room for, which is looked at now and then, so that nodes may join and leave.
    """

    def __init__(
        self,
        pool: Pool[W],
        shards: Shards,
        seeds: Iterable[int],
        *,
        workers: int | None = None,
        in_flight: int = 2,
        learner: Learner | None = None,
        lesson: int = 8,
        on_shard: Callable[[int, Report], None] | None = None,
        say: Callable[[str], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        for name, value in [("workers", workers), ("in_flight", in_flight), ("lesson", lesson)]:
            if value is not None and value < 1:
                raise ValueError(f"{name} is {value}, expected at least 1")
        self.pool, self.shards = pool, shards
        self.workers, self.in_flight = workers, in_flight
        self.learner, self.lesson, self.on_shard = learner, lesson, on_shard
        self.say = say or (lambda line: print(line, file=sys.stderr, flush=True))
        self.clock = clock
        done = set(shards.seeds())
        self.waiting = collections.deque(seed for seed in seeds if seed not in done)
        self.report, self.weights = Report(), Weights()
        self.crews: dict[W, _Crew] = {}
        self.owner: dict[Hashable, W] = {}
        #: Workers that have started and could take another unit.
        self.idle: dict[W, None] = {}
        #: Units in flight.
        self.flying = 0
        #: Workers that have started.
        self.ready = 0

    def run(self) -> Report:
        """Plays until nothing is left; whatever ends it, all workers are stopped."""
        started = self.clock()
        self.published = self.pool.publish(self.weights)
        looked, last_ready, said = -LOOK, started, started
        try:
            while self.waiting or self.flying:
                now = self.clock()
                if now - looked >= LOOK:
                    looked = now
                    self._staff()
                for token in self.pool.wait(LOOK):
                    self._end(token)
                now = self.clock()
                last_ready = now if self.ready else last_ready
                if now - max(last_ready, said) >= PATIENCE:
                    said = now
                    self.say(self._complaint(now - last_ready))
        finally:
            for worker in list(self.crews):
                self.pool.stop(worker)
        self.report.seconds = self.clock() - started
        return self.report

    def _complaint(self, seconds: float) -> str:
        left = len(self.waiting) + self.flying
        return (
            f"meeple: {left} units are left, but no worker has run for {seconds:.0f} s: "
            f"waiting for nodes ({len(self.crews)} workers asked for, room for "
            f"{self.pool.capacity()})"
        )

    def _wanted(self) -> int:
        """How many workers there should be: no more than there are units left."""
        room = self.workers if self.workers is not None else max(1, self.pool.capacity())
        return min(room, len(self.waiting) + self.flying)

    def _staff(self) -> None:
        """Starts workers where there is room, and drops those that never got any."""
        wanted = self._wanted()
        while len(self.crews) < wanted:
            worker, token = self.pool.start()
            self.crews[worker] = _Crew({token: None})
            self.owner[token] = worker
        if self.workers is None and len(self.crews) > wanted:
            for worker in [w for w, crew in self.crews.items() if not crew.is_ready]:
                if len(self.crews) <= wanted:
                    break
                self._drop(worker)
                self.pool.stop(worker)

    def _drop(self, worker: W) -> None:
        """Forgets a worker; its units wait again, before all others."""
        crew = self.crews.pop(worker)
        self.idle.pop(worker, None)
        self.ready -= crew.is_ready
        for token, seed in crew.calls.items():
            del self.owner[token]
            self.pool.cancel(token)
            if seed is not None:
                self.flying -= 1
                self.report.repeated += 1
                self.waiting.appendleft(seed)
        while self.waiting and self.idle:
            worker, _ = self.idle.popitem()
            self._launch(worker, self.crews[worker])

    def _end(self, token: Hashable) -> None:
        worker = self.owner.get(token)
        # The call of a worker that was dropped meanwhile.
        if worker is None:
            return
        try:
            answer = self.pool.result(token)
        except Lost:
            self.report.lost_workers += 1
            had_started = self.crews[worker].is_ready
            self._drop(worker)
            # One that never started would be lost again at once: the next look is soon enough.
            if had_started:
                self._staff()
            return
        crew = self.crews[worker]
        seed = crew.calls.pop(token)
        del self.owner[token]
        if seed is None:
            crew.is_ready = True
            self.ready += 1
            self.report.workers += 1
        else:
            self.flying -= 1
            self._keep(seed, answer)
        self._launch(worker, crew)

    def _launch(self, worker: W, crew: _Crew) -> None:
        while self.waiting and len(crew.calls) < self.in_flight:
            seed = self.waiting.popleft()
            token = self.pool.play(worker, self.published, seed)
            crew.calls[token], self.owner[token] = seed, worker
            self.flying += 1
        if len(crew.calls) < self.in_flight:
            self.idle[worker] = None

    def _keep(self, seed: int, shard: bytes) -> None:
        if not self.shards.put(seed, shard):
            return
        report = self.report
        report.units += 1
        report.shard_bytes += len(shard)
        if self.on_shard is not None:
            self.on_shard(seed, report)
        if self.learner is None or report.units % self.lesson:
            return
        newer = self.learner(self.shards, self.weights)
        if newer is not None:
            self.weights, self.published = newer, self.pool.publish(newer)
            report.versions += 1
