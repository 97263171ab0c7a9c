"""Games for learning as units of work, each named by its seed: the same on any engine.

A unit is `play(work, weights, seed)`. It depends on nothing else, so it may run twice,
anywhere, in any order: the bytes are the same, and a folder of shards takes them once.
`collect` runs units on the threads of this machine; `meeple.ray.collect` on a cluster.
"""

from __future__ import annotations

import dataclasses
import json
import os
import tempfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from . import load_game, run_experiment
from .samples import Arrays, samples_from_bytes

__all__ = ["Shards", "Weights", "Work", "collect", "play", "unpack"]


@dataclasses.dataclass(frozen=True)
class Work:
    """What all units of a run have in common."""

    run: str
    game: str
    #: Plays every seat; "{weights}" stands for the file of the newest weights.
    bot: str
    #: Games of one unit, rounded up so that every seat is first as often: choose it such
    #: that a unit takes at least 100 ms.
    games: int
    #: The table, as for `load_game`.
    config: dict[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        # The path of a game file means nothing on another machine: its text goes along.
        if self.game.strip().lower().endswith(".game"):
            table = load_game(self.game, **self.config)
            object.__setattr__(self, "game", table.name)
            object.__setattr__(self, "config", table.config)


@dataclasses.dataclass(frozen=True)
class Weights:
    """Weights as a learner publishes them: a version, and the bytes of a file."""

    version: int = 0
    data: bytes = b""


def play(work: Work, weights: Weights, seed: int, threads: int = 1) -> bytes:
    """Plays one unit and returns its shard: compressed samples."""
    with tempfile.TemporaryDirectory(prefix="meeple-") as folder:
        bot = work.bot
        if "{weights}" in bot:
            file = Path(folder, "weights.safetensors")
            file.write_bytes(weights.data)
            bot = bot.replace("{weights}", str(file))
        table = {"game": work.game, "config": work.config}
        experiment = {
            "name": work.run,
            "seed": seed,
            "tables": [table],
            "bots": [bot],
            "task": {"collect": {"games": work.games, "shard_games": work.games}},
            "output": {"replays": 0, "report": False, "csv": False},
        }
        out = Path(folder, "run")
        run_experiment(experiment, out, threads=threads)
        files = sorted(out.glob("samples/*.safetensors"))
        about = {"run": work.run, "seed": seed, "weights": weights.version, "games": work.games}
        header = json.dumps(about, sort_keys=True).encode()
        parts = [len(header).to_bytes(4, "little"), header]
        parts += [file.read_bytes() for file in files]
        return zlib.compress(b"".join(parts), 3)


def unpack(shard: bytes) -> tuple[dict[str, Any], Arrays, dict[str, Any]]:
    """What a shard says of itself, its arrays, and what its `meeple` entry says."""
    data = zlib.decompress(shard)
    end = 4 + int.from_bytes(data[:4], "little")
    arrays, game = samples_from_bytes(data[end:])
    return json.loads(data[4:end]), arrays, game


class Shards:
    """A folder with the finished units of a run, each under its seed.

    A shard is there whole or not at all, and one that is there is never written again.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, seed: int) -> Path:
        """Where the shard of a seed lies."""
        return self.folder / f"{seed:012d}.shard"

    def seeds(self) -> list[int]:
        """The seeds whose units are finished, in order."""
        return sorted(int(path.stem) for path in self.folder.glob("*.shard"))

    def put(self, seed: int, shard: bytes) -> bool:
        """Keeps a shard; whether it was missing."""
        path = self.path(seed)
        if path.exists():
            return False
        with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".part", delete=False) as file:
            file.write(shard)
            file.flush()
            os.fsync(file.fileno())
        os.replace(file.name, path)
        return True

    def get(self, seed: int) -> tuple[dict[str, Any], Arrays, dict[str, Any]]:
        """The contents of a shard, as `unpack` returns them."""
        return unpack(self.path(seed).read_bytes())

    def __len__(self) -> int:
        return len(self.seeds())


#: Looks at the shards and may return newer weights.
Learner = Callable[[Shards, Weights], "Weights | None"]


def collect(
    work: Work,
    seeds: Iterable[int],
    folder: str | os.PathLike[str],
    *,
    learner: Learner | None = None,
    lesson: int = 8,
    threads: int = 0,
) -> Shards:
    """Plays the units of `seeds` that the folder does not have yet, on this machine.

    After every `lesson` new shards `learner(shards, weights)` is called and may return new
    `Weights` for the units that follow. Returns the folder as `Shards`.
    """
    shards, weights, fresh = Shards(folder), Weights(), 0
    done = set(shards.seeds())
    for seed in seeds:
        if seed in done:
            continue
        fresh += shards.put(seed, play(work, weights, seed, threads))
        if learner is not None and fresh and fresh % lesson == 0:
            weights = learner(shards, weights) or weights
    return shards
