"""Many tables of one game stepped together, with NumPy and nothing else."""

from __future__ import annotations

import copy
import json
import operator
import threading
from collections.abc import Callable, Sequence
from typing import Any, Union, cast

import numpy as np
import numpy.typing as npt

from ._meeple import NativeTables, load_game

__all__ = ["Tables"]

#: Asked about the opponents' decisions: observations, masks, seats -> actions.
Policy = Callable[[npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.int8]], Any]
Opponent = Union[str, Policy]


class Tables:
    """`num_tables` games stepped in Rust, written into arrays that belong to the caller.

    The arrays are attributes, and every `reset` and `step` overwrites them:

    - `observations` `[tables, width]`: what the seat sees that decides (or decided last)
    - `masks` `[tables, actions]` bool: which actions are legal
    - `rewards` float32: `[tables]`, or `[tables, players]` when all seats are the caller's
    - `terminated`, `truncated` `[tables]` bool: whether the game ended, or was cut off
    - `seats` `[tables]` int8: the seat that decides, -1 where a game has ended
    - `finals` `[tables, width]`: with `autoreset="same_step"`, what was seen at the end

    Replace an attribute by an array of the same shape and dtype, such as one of shared
    memory, and steps are written there.

    `seat` is None for self-play (all seats ask the caller), a seat, or "rotate" for
    another one from game to game. `opponents` fill the other seats: a bot by name
    ("random", "greedy", "mcts:sims=100"), a function
    `policy(observations, masks, seats) -> actions` that is asked in batches, or a list of
    these in the order in which the seats follow the learner's.

    `autoreset` is "next_step", "same_step" or "disabled", as Gymnasium defines them.
    `illegal` is "raise", or "lose" for games that are forfeit then. `dtype` is "int8",
    "int16" or "int32" (the smallest that fits unless given) or "float32" for what networks
    read. Results do not depend on `threads` (0 for all cores).

    Tables are copied and pickled with their games in progress. Threads may share them: one
    call waits for another. Ctrl-C interrupts opponents that search; the tables must be
    reset then.
    """

    observations: npt.NDArray[Any]
    masks: npt.NDArray[np.bool_]
    rewards: npt.NDArray[np.float32]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int8]
    finals: npt.NDArray[Any] | None

    def __init__(
        self,
        game: str,
        num_tables: int,
        *,
        seat: int | str | None = None,
        opponents: Opponent | Sequence[Opponent] | None = None,
        autoreset: str = "next_step",
        illegal: str = "raise",
        max_steps: int | None = None,
        dtype: npt.DTypeLike | None = None,
        threads: int = 0,
        **options: Any,
    ) -> None:
        self._arguments: dict[str, Any] = {
            "game": game,
            "num_tables": num_tables,
            "seat": seat,
            "opponents": opponents,
            "autoreset": autoreset,
            "illegal": illegal,
            "max_steps": max_steps,
            "dtype": dtype,
            "threads": threads,
            **options,
        }
        # A table carries the text of its file, wherever it is pickled to.
        if game.strip().lower().endswith(".game"):
            table = load_game(game, **options)
            game, options = table.name, table.config
            self._arguments |= {"game": game, **options}
        seated: Sequence[Opponent]
        if opponents is None:
            seated = [] if seat is None else ["random"]
        elif isinstance(opponents, str) or callable(opponents):
            seated = [opponents]
        else:
            seated = opponents
        policies = {id(o): o for o in seated if callable(o)}
        if len(policies) > 1:
            raise ValueError("opponents names two functions, expected one at most")
        self._policy = next(iter(policies.values()), None)
        names = [None if callable(o) else o for o in seated]
        config = json.dumps(options) if options else None
        #: Held during every call; hold it around calls that belong together.
        self.lock = threading.RLock()
        self._native = NativeTables(
            game,
            config,
            num_tables,
            seat=seat,
            opponents=names,
            autoreset=autoreset,
            illegal=illegal,
            max_steps=max_steps,
            dtype=None if dtype is None else np.dtype(dtype).name,
            threads=threads,
        )
        shape = self._native.shape()
        self.game = game
        self.options = options
        self.autoreset = autoreset
        self.num_tables = shape["tables"]
        self.num_players = shape["players"]
        self.num_actions = shape["actions"]
        self.width = shape["width"]
        self.dtype = np.dtype(shape["dtype"])
        tables, width = self.num_tables, self.width
        rewards = (tables,) if shape["rewards"] == 1 else (tables, shape["rewards"])
        self.observations = np.zeros((tables, width), self.dtype)
        self.masks = np.zeros((tables, self.num_actions), np.bool_)
        self.rewards = np.zeros(rewards, np.float32)
        self.terminated = np.zeros(tables, np.bool_)
        self.truncated = np.zeros(tables, np.bool_)
        self.seats = np.full(tables, -1, np.int8)
        self.finals = np.zeros((tables, width), self.dtype) if autoreset == "same_step" else None
        self._episodes_seeded = False

    @property
    def bounds(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """The smallest and the largest value of each number of an observation."""
        low, high = self._native.bounds()
        return np.array(low, self.dtype), np.array(high, self.dtype)

    def reset(
        self,
        seed: int | Sequence[int] | None = None,
        *,
        reset_mask: npt.NDArray[np.bool_] | None = None,
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        """Begins new games at all tables, or where `reset_mask` is true.

        `seed` is a number (table `i` gets `seed + i`) or one for each table; without it
        every table goes on to the next game of its own seed, which differs from all
        before. The first reset without a seed draws one.
        """
        with self.lock:
            if seed is None and not self._episodes_seeded:
                seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> 1)
            waiting = self._native.reset(self._seeds(seed), reset_mask, self)
            self._episodes_seeded = True
            self._ask(waiting)
            return self.observations, self.masks

    def _seeds(self, seed: int | Sequence[int] | None) -> list[int]:
        if seed is None:
            return []
        if np.ndim(seed) == 0:
            first = operator.index(cast(int, seed))
            return [(first + table) % 2**64 for table in range(self.num_tables)]
        seeds = [operator.index(number) for number in cast("Sequence[int]", seed)]
        if len(seeds) != self.num_tables:
            raise ValueError(f"seed has {len(seeds)} numbers, expected {self.num_tables}")
        return seeds

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[Any],
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
    ]:
        """Plays an action at each table and goes on to the next decision of the caller.

        `actions` is an array `[tables]` of whole numbers. Raises `ValueError` when one is
        not legal; every table is then as before.
        """
        if not isinstance(actions, np.ndarray) or actions.dtype != np.int64:
            given = np.asarray(actions)
            if given.size and not np.issubdtype(given.dtype, np.integer):
                raise TypeError(f"actions holds {given.dtype}, expected whole numbers")
            actions = np.ascontiguousarray(given, np.int64)
        with self.lock:
            waiting = self._native.step(actions, self)
            self._ask(waiting)
            return self.observations, self.rewards, self.terminated, self.truncated, self.masks

    def sample(self, out: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.int64]:
        """Draws a legal action for each table, every one as likely; 0 where a game ended."""
        if out is None:
            out = np.zeros(self.num_tables, np.int64)
        with self.lock:
            self._native.sample(out)
        return out

    def text(self, table: int = 0) -> str:
        """A table as the seat sees it that decides, or decided last."""
        return self._native.text(table)

    def pixels(self, table: int = 0) -> npt.NDArray[np.uint8]:
        """The same as a picture, `[height, width, 3]` uint8, always of one size."""
        return self._native.pixels(table)

    def __getstate__(self) -> dict[str, Any]:
        with self.lock:
            names = ["observations", "masks", "rewards", "terminated", "truncated", "seats"]
            return {
                "arguments": self._arguments,
                "seeded": self._episodes_seeded,
                "games": self._native.snapshot(),
                "arrays": {name: getattr(self, name).copy() for name in [*names, "finals"]
                           if getattr(self, name) is not None},
            }

    def __setstate__(self, state: dict[str, Any]) -> None:
        Tables.__init__(self, **state["arguments"])
        self._episodes_seeded = state["seeded"]
        self._native.restore(state["games"])
        for name, array in state["arrays"].items():
            setattr(self, name, array)

    def __copy__(self) -> Tables:
        return copy.deepcopy(self)

    def _ask(self, waiting: int) -> None:
        while waiting:
            assert self._policy is not None, "only a policy of the caller is waited for"
            observations = np.zeros((waiting, self.width), self.dtype)
            masks = np.zeros((waiting, self.num_actions), np.bool_)
            seats = np.zeros(waiting, np.int8)
            tables = np.zeros(waiting, np.int64)
            self._native.questions(observations, masks, seats, tables)
            answers = np.ascontiguousarray(self._policy(observations, masks, seats))
            if answers.shape != (waiting,) or not np.issubdtype(answers.dtype, np.integer):
                raise ValueError(
                    f"the opponents' policy returned {answers.dtype} of shape {answers.shape}, "
                    f"expected whole numbers of shape ({waiting},)"
                )
            waiting = self._native.answer(answers.astype(np.int64), self)
