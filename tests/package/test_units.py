"""The driver of units, with workers that are stubs: no cluster is needed."""

import collections
import itertools
import sys

import pytest

from meeple import _units
from meeple._units import Driver, Lost
from meeple.selfplay import Weights


class Stubs:
    """Workers that answer in order, except those that the test makes fail."""

    def __init__(self, room):
        self.room, self.tokens, self.names = room, itertools.count(), itertools.count()
        self.pending = collections.deque()
        self.calls, self.alive, self.now = {}, set(), 0.0
        self.most_in_flight = collections.Counter()
        self.in_flight = collections.Counter()
        self.played, self.dead, self.waited = [], set(), 0
        self.before_wait = lambda: None

    def start(self):
        worker = next(self.names)
        self.alive.add(worker)
        return worker, self.call(worker, None)

    def call(self, worker, seed, weights=None):
        token = next(self.tokens)
        self.calls[token] = (worker, seed, weights)
        self.pending.append(token)
        return token

    def play(self, worker, weights, seed):
        self.in_flight[worker] += 1
        self.most_in_flight[worker] = max(self.most_in_flight[worker], self.in_flight[worker])
        return self.call(worker, seed, weights)

    def publish(self, weights):
        return weights.version

    def wait(self, timeout):
        self.before_wait()
        self.waited += 1
        # Workers beyond the room that there is never start.
        is_full = len(self.alive) > self.room
        running = set(sorted(self.alive)[: self.room]) if is_full else self.alive
        for _ in range(len(self.pending)):
            token = self.pending.popleft()
            worker = self.calls[token][0]
            if worker in running or worker in self.dead:
                self.now += 0.01
                return [token]
            self.pending.append(token)
        self.now += timeout
        return []

    def result(self, token):
        worker, seed, weights = self.calls.pop(token)
        if worker in self.dead:
            raise Lost(worker)
        if seed is None:
            return b""
        self.in_flight[worker] -= 1
        self.played.append((seed, weights))
        return b"shard %d" % seed

    def cancel(self, token):
        self.calls.pop(token, None)
        if token in self.pending:
            self.pending.remove(token)

    def stop(self, worker):
        self.alive.discard(worker)

    def kill(self, worker):
        self.alive.discard(worker)
        self.dead.add(worker)

    def capacity(self):
        return self.room


class Memory:
    """Shards that are kept in memory."""

    def __init__(self, done=()):
        self.kept = dict.fromkeys(done, b"")

    def seeds(self):
        return sorted(self.kept)

    def put(self, seed, shard):
        return self.kept.setdefault(seed, shard) is shard


def driver(stubs, seeds, shards=None, **options):
    said = []
    made = Driver(
        stubs, shards or Memory(), seeds, clock=lambda: stubs.now, say=said.append, **options
    )
    return made, said


def test_every_unit_is_played_once():
    stubs = Stubs(room=5)
    made, said = driver(stubs, range(100), shards=Memory(done=[3, 50]))
    report = made.run()
    assert report.units == 98 and report.workers == 5 and report.repeated == 0
    assert sorted(seed for seed, _ in stubs.played) == sorted(set(range(100)) - {3, 50})
    assert max(stubs.most_in_flight.values()) == 2 and not stubs.alive and not said
    assert report.shard_bytes == sum(len(b"shard %d" % s) for s in range(100) if s not in (3, 50))
    assert driver(stubs, range(100), shards=made.shards)[0].run().units == 0


def test_no_more_workers_are_started_than_there_are_units():
    stubs = Stubs(room=50)
    assert driver(stubs, range(3))[0].run().workers <= 3


def test_units_of_lost_workers_are_played_elsewhere():
    stubs = Stubs(room=4)

    def kill():
        if len(stubs.played) == 20 and not stubs.dead:
            stubs.kill(0)
            stubs.kill(2)

    stubs.before_wait = kill
    report = driver(stubs, range(60), workers=4)[0].run()
    assert report.units == 60 and report.lost_workers == 2
    assert 0 < report.repeated <= 4 and report.workers == 6, "two were started again"


def test_the_last_units_of_a_lost_worker_are_taken_over_by_idle_ones():
    stubs = Stubs(room=2)

    def kill():
        # All units are in flight, so the other worker has nothing more to do.
        if len(stubs.played) == 2:
            stubs.kill(1)

    stubs.before_wait = kill
    report = driver(stubs, range(4), workers=2)[0].run()
    assert report.units == 4 and report.lost_workers >= 1


def test_workers_join_and_leave():
    stubs = Stubs(room=2)

    def change():
        if len(stubs.played) == 10:
            stubs.room = 6
        if len(stubs.played) > 3_000 and stubs.room == 6:
            stubs.room = 1
            for worker in sorted(stubs.alive)[1:]:
                stubs.kill(worker)

    stubs.before_wait = change
    report = driver(stubs, range(6_000))[0].run()
    assert report.units == 6_000
    assert report.workers >= 6 and report.lost_workers == 5
    assert len(stubs.most_in_flight) >= 6, "those who joined played"


def test_it_says_when_it_waits_for_nodes():
    stubs = Stubs(room=0)

    def arrive():
        if stubs.now > 200:
            stubs.room = 1

    stubs.before_wait = arrive
    made, said = driver(stubs, range(3))
    assert made.run().units == 3
    assert 3 <= len(said) <= 8 and "waiting for nodes" in said[0] and "3 units are left" in said[0]


def test_a_learner_publishes_for_later_units():
    stubs, lessons = Stubs(room=2), []

    def learner(shards, weights):
        lessons.append(len(shards.kept))
        return Weights(weights.version + 1) if len(lessons) < 3 else None

    report = driver(stubs, range(40), learner=learner, lesson=10)[0].run()
    assert lessons == [10, 20, 30, 40] and report.versions == 2
    versions = [weights for _, weights in stubs.played]
    assert versions == sorted(versions) and set(versions) == {0, 1, 2}


def test_what_goes_wrong_comes_out_and_workers_are_stopped():
    stubs = Stubs(room=3)

    def fails(seed, report):
        raise KeyError(seed)

    with pytest.raises(KeyError):
        driver(stubs, range(9), on_shard=fails)[0].run()
    assert not stubs.alive
    for options in ({"workers": 0}, {"in_flight": 0}, {"lesson": 0}):
        with pytest.raises(ValueError, match="expected at least 1"):
            driver(stubs, range(9), **options)


def lines_a_unit(workers):
    """Lines of the driver that run for each unit, startup included."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        if frame.f_code.co_filename != _units.__file__:
            return None
        count += event == "line"
        return trace

    made, _ = driver(Stubs(room=workers), range(10 * workers))
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        made.run()
    finally:
        sys.settrace(before)
    return count / (10 * workers)


def test_the_cost_of_a_unit_does_not_grow_with_the_workers():
    few, many = lines_a_unit(60), lines_a_unit(1_000)
    assert many < 1.05 * few, (few, many)
