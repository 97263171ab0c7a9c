"""Gymnasium: an environment for each game, and the vector environment.

Importing this module registers them: `gymnasium.make("meeple/connect-four-v0")` and
`gymnasium.make_vec(...)` work then. The learner plays one seat; the others are bots.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Optional, Union

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from . import games
from .tables import Opponent, Tables

__all__ = ["Env", "VectorEnv"]

_MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}

#: "ansi" is text, "rgb_array" pixels; "human" prints the text after every step.
RENDER_MODES = ["ansi", "rgb_array", "human"]

#: What `render` returns.
Rendered = Union[None, str, npt.NDArray[np.uint8]]


def check_render_mode(render_mode: str | None) -> None:
    """Refuses a mode that there is not."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        known = ", ".join(repr(mode) for mode in RENDER_MODES)
        raise ValueError(f"render_mode is {render_mode!r}, expected None or one of {known}")


def _register() -> None:
    """Registers every game as `meeple/<name>-v0`."""
    for name in games():
        env_id = f"meeple/{name}-v0"
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point="meeple.gymnasium:Env",
                vector_entry_point="meeple.gymnasium:VectorEnv",
                kwargs={"game": name},
                disable_env_checker=True,
            )


def _spaces(tables: Tables) -> tuple[spaces.Box, spaces.Discrete]:
    low, high = tables.bounds
    return spaces.Box(low, high, dtype=tables.dtype.type), spaces.Discrete(tables.num_actions)


class Env(gymnasium.Env[npt.NDArray[Any], Union[int, "np.integer[Any]"]]):
    """One game for one learner; bots play the other seats and chance events are drawn.

    An action that is in range but not legal forfeits the game (reward -1), or raises with
    `illegal="raise"`. `info["action_mask"]` and `action_masks()` say what is legal. The
    reward comes at the end: from -1 to 1. What is rendered is what the learner may see.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}

    def __init__(
        self,
        game: str,
        *,
        seat: int | str = 0,
        opponents: Opponent | Sequence[Opponent] = "random",
        illegal: str = "lose",
        max_steps: int | None = None,
        dtype: npt.DTypeLike | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if seat is None:
            raise ValueError("seat is None, expected a seat or 'rotate': see meeple.Tables")
        check_render_mode(render_mode)
        self._tables = Tables(
            game,
            1,
            seat=seat,
            opponents=opponents,
            autoreset="disabled",
            illegal=illegal,
            max_steps=max_steps,
            dtype=dtype,
            threads=1,
            **options,
        )
        self.observation_space, self.action_space = _spaces(self._tables)
        self.render_mode = render_mode
        self._is_running = False

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._tables.masks[0].astype(np.int8)}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        super().reset(seed=seed)
        # With None the table goes on to the next game of the seed it has.
        self._is_running = False
        self._tables.reset(None if seed is None else [seed])
        self._is_running = True
        self._show()
        return self._tables.observations[0].copy(), self._info()

    def step(
        self, action: int | np.integer[Any]
    ) -> tuple[npt.NDArray[Any], float, bool, bool, dict[str, Any]]:
        if not self._is_running:
            raise ResetNeeded("no game is in progress, expected a reset before this step")
        tables = self._tables
        # A fraction is no action: `index` refuses what a cast would cut off.
        tables.step(np.array([operator.index(action)], np.int64))
        terminated, truncated = bool(tables.terminated[0]), bool(tables.truncated[0])
        self._is_running = not (terminated or truncated)
        self._show()
        reward = float(tables.rewards[0])
        return tables.observations[0].copy(), reward, terminated, truncated, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, as sb3-contrib's MaskablePPO asks."""
        masks: npt.NDArray[np.bool_] = self._tables.masks[0].copy()
        return masks

    def _show(self) -> None:
        if self.render_mode == "human":
            print(self._tables.text(0), flush=True)

    def render(self) -> Rendered:
        if self.render_mode == "ansi":
            return self._tables.text(0)
        if self.render_mode == "rgb_array":
            return self._tables.pixels(0)
        return None


#: What a step is written to: observations, masks, terminated, truncated.
_Arrays = tuple[npt.NDArray[Any], ...]


def _references(arrays: _Arrays) -> int:
    """The references to the arrays, those of this function included."""
    return max(sys.getrefcount(array) for array in arrays)


#: The references to arrays that only one tuple holds, as this interpreter counts them.
_UNUSED = _references((np.zeros(1), np.zeros(1)))


class _Pool:
    """Arrays that steps are written to, used again once the caller has dropped them.

    A step then needs no copy and no new memory.
    """

    #: Callers who keep more steps than this get new arrays.
    MOST = 4

    def __init__(self) -> None:
        self._kept: list[_Arrays] = []

    def take(self, like: _Arrays) -> _Arrays:
        """Arrays of the same shapes that nothing else refers to."""
        for arrays in self._kept:
            if _references(arrays) == _UNUSED:
                return arrays
        arrays = tuple(np.empty_like(array) for array in like)
        if len(self._kept) < self.MOST:
            self._kept.append(arrays)
        return arrays


class VectorEnv(
    gymnasium.vector.VectorEnv[npt.NDArray[Any], npt.NDArray[np.int64], npt.NDArray[Any]]
):
    """Many games for one learner, stepped in Rust on all cores.

    `infos["action_mask"]` says what is legal. With `copy=False` the arrays returned are
    the ones that the next step overwrites. `autoreset_mode` is one of Gymnasium's.
    """

    metadata: dict[str, Any] = {
        "render_modes": RENDER_MODES,
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seat: int | str = 0,
        opponents: Opponent | Sequence[Opponent] = "random",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        illegal: str = "lose",
        max_steps: int | None = None,
        dtype: npt.DTypeLike | None = None,
        threads: int = 0,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if seat is None:
            raise ValueError("seat is None, expected a seat or 'rotate': see meeple.Tables")
        check_render_mode(render_mode)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.tables = Tables(
            game,
            num_envs,
            seat=seat,
            opponents=opponents,
            autoreset=_MODES[self.autoreset_mode],
            illegal=illegal,
            max_steps=max_steps,
            dtype=dtype,
            threads=threads,
            **options,
        )
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.copy = copy
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space, self.single_action_space = _spaces(self.tables)
        batch = gymnasium.vector.utils.batch_space
        self.observation_space = batch(self.single_observation_space, num_envs)
        self.action_space = batch(self.single_action_space, num_envs)
        self._is_reset = False
        self._pool = _Pool()

    def _infos(self, masks: npt.NDArray[np.bool_]) -> dict[str, Any]:
        return {"action_mask": masks, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        reset_mask = None
        if options is not None and "reset_mask" in options:
            reset_mask = options["reset_mask"]
            if not isinstance(reset_mask, np.ndarray):
                raise TypeError(f"options['reset_mask'] is {type(reset_mask)}, expected an array")
            if not reset_mask.any():
                raise ValueError("options['reset_mask'] is False everywhere, expected one True")
        if isinstance(seed, int):
            super().reset(seed=seed)
        with self._arrays() as (observations, masks, _, _):
            self.tables.reset(_known(seed), reset_mask=reset_mask)
        self._is_reset = True
        return observations, self._infos(masks)

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        npt.NDArray[Any],
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        if not self._is_reset:
            raise ResetNeeded("no game is in progress, expected a reset before the first step")
        tables = self.tables
        with self._arrays() as (observations, masks, terminated, truncated):
            tables.step(actions)
        infos = self._infos(masks)
        if tables.finals is not None:
            done = tables.terminated | tables.truncated
            if done.any():
                finals = np.full(self.num_envs, None, object)
                # One copy for all; whole lists are faster to go through than arrays.
                rows = list(tables.finals[done])
                for table, row in zip(np.flatnonzero(done).tolist(), rows):
                    finals[table] = row
                infos["final_obs"] = finals
                infos["_final_obs"] = done
                infos["final_info"] = {}
                infos["_final_info"] = done
        return observations, tables.rewards.astype(np.float64), terminated, truncated, infos

    @contextmanager
    def _arrays(self) -> Iterator[_Arrays]:
        """Has the tables write every row of arrays that the caller may keep."""
        before = _written(self.tables)
        arrays = self._pool.take(before) if self.copy else before
        _write_to(self.tables, arrays)
        try:
            yield arrays
        except BaseException:
            # Nothing was played: what was seen before still holds.
            _write_to(self.tables, before)
            raise

    def sample_actions(self) -> npt.NDArray[np.int64]:
        """A legal action for each environment, drawn evenly."""
        return self.tables.sample()

    def render(self) -> tuple[Any, ...] | None:
        if self.render_mode == "ansi":
            return tuple(self.tables.text(table) for table in range(self.num_envs))
        if self.render_mode == "rgb_array":
            return tuple(self.tables.pixels(table) for table in range(self.num_envs))
        if self.render_mode == "human":
            for table in range(self.num_envs):
                print(f"environment {table}\n{self.tables.text(table)}", flush=True)
        return None


def _written(tables: Tables) -> _Arrays:
    """The arrays that the tables write to."""
    return tables.observations, tables.masks, tables.terminated, tables.truncated


def _write_to(tables: Tables, arrays: _Arrays) -> None:
    """Makes the tables write to these arrays."""
    tables.observations, tables.masks, tables.terminated, tables.truncated = arrays


def _known(seed: int | list[int | None] | None) -> Optional[Union[int, list[int]]]:
    """Seeds as tables take them: Gymnasium's lists may hold None, ours draw one then."""
    if not isinstance(seed, list):
        return seed
    drawn = np.random.SeedSequence().generate_state(len(seed), np.uint64) >> 1
    return [int(new) if one is None else one for one, new in zip(seed, drawn)]


_register()
