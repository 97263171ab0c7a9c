"""Stable-Baselines3: many games stepped in Rust as one of its vector environments.

>>> from sb3_contrib import MaskablePPO
>>> from meeple.stable_baselines3 import VecEnv
>>> MaskablePPO("MlpPolicy", VecEnv("connect-four", 64)).learn(100_000)

`stable_baselines3.common.env_util.make_vec_env("meeple/connect-four-v0", 8)` works too
(after `import meeple.gymnasium`), and is slower: it steps one environment after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common import vec_env  # type: ignore[import-not-found, unused-ignore]

from .gymnasium import RENDER_MODES, check_render_mode
from .tables import Opponent, Tables

__all__ = ["VecEnv"]

#: Which environments are meant: all of them, one, or some.
Indices = Optional[Union[int, Iterable[int]]]


class VecEnv(vec_env.VecEnv):  # type: ignore[misc, unused-ignore]
    """`num_envs` games for one learner; the arguments are those of `meeple.Tables`.

    A game that ends is followed by the next in the same step, as Stable-Baselines3 expects:
    what was seen at the end is in `infos[i]["terminal_observation"]`. `action_masks()` says
    what is legal, which MaskablePPO asks for.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seat: int | str = 0,
        opponents: Opponent | Sequence[Opponent] = "random",
        illegal: str = "lose",
        max_steps: int | None = None,
        dtype: npt.DTypeLike | None = None,
        threads: int = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.tables = Tables(
            game,
            num_envs,
            seat=seat,
            opponents=opponents,
            autoreset="same_step",
            illegal=illegal,
            max_steps=max_steps,
            dtype=dtype,
            threads=threads,
            **options,
        )
        low, high = self.tables.bounds
        super().__init__(
            num_envs,
            spaces.Box(low, high, dtype=self.tables.dtype.type),
            spaces.Discrete(self.tables.num_actions),
        )
        self._actions: npt.NDArray[np.int64] = np.zeros(num_envs, np.int64)
        self._seed: int | None = None

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Has the next `reset` begin from this seed; environment `i` gets `seed + i`."""
        self._seed = seed
        return [None if seed is None else seed + at for at in range(self.num_envs)]

    def reset(self) -> npt.NDArray[Any]:
        """Begins new games everywhere."""
        self.tables.reset(self._seed)
        self._seed = None
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return self.tables.observations.copy()

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Takes the actions of the step that `step_wait` makes."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[
        npt.NDArray[Any], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]
    ]:
        """Plays the actions: observations, rewards, whether games ended, and infos."""
        tables = self.tables
        tables.step(self._actions)
        dones = tables.terminated | tables.truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        assert tables.finals is not None, "games begin again in the same step"
        for at in np.flatnonzero(dones):
            infos[at]["terminal_observation"] = tables.finals[at].copy()
            infos[at]["TimeLimit.truncated"] = bool(tables.truncated[at])
        return tables.observations.copy(), tables.rewards.copy(), dones, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, `[num_envs, actions]`."""
        return self.tables.masks.copy()

    def _indices(self, indices: Indices) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute, the same for every environment; AttributeError if there is none."""
        return [getattr(self, attr_name)] * len(self._indices(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Sets an attribute of all environments: they cannot differ."""
        if len(self._indices(indices)) != self.num_envs:
            raise ValueError("indices names some environments, expected all: they are one")
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks` of each environment; there is no other method to call."""
        if method_name != "action_masks":
            raise AttributeError(f"no method {method_name!r}, expected 'action_masks'")
        masks = self.action_masks()
        return [masks[at] for at in self._indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """False: there are no wrappers inside."""
        return [False] * len(self._indices(indices))

    def get_images(self) -> Sequence[npt.NDArray[np.uint8]]:
        """A picture of each environment."""
        return [self.tables.pixels(at) for at in range(self.num_envs)]

    def close(self) -> None:
        """There is nothing to close."""
