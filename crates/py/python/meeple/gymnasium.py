"""Gymnasium: an environment for each game, and the vector environment.

Importing this module registers them: `gymnasium.make("meeple/connect-four-v0")` and
`gymnasium.make_vec(...)` work then. The learner plays one seat; the others are bots.
"""

from __future__ import annotations

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from . import games
from .tables import Tables

__all__ = ["Env", "VectorEnv"]

_MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


def _register():
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


def _spaces(tables):
    low, high = tables.bounds
    return spaces.Box(low, high, dtype=tables.dtype.type), spaces.Discrete(tables.num_actions)


class Env(gymnasium.Env):
    """One game for one learner; bots play the other seats and luck takes its course.

    An action that is in range but not legal forfeits the game (reward -1), or raises with
    `illegal="raise"`. `info["action_mask"]` and `action_masks()` say what is legal. The
    reward comes at the end: from -1 to 1.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game,
        *,
        seat=0,
        opponents="random",
        illegal="lose",
        max_steps=None,
        dtype=None,
        render_mode=None,
        **options,
    ):
        if seat is None:
            raise ValueError("seat is None, expected a seat or 'rotate': see meeple.Tables")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is {render_mode!r}, expected None or 'ansi'")
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

    def _info(self):
        return {"action_mask": self._tables.masks[0].astype(np.int8)}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        # With None the table goes on to the next game of the seed it has.
        self._tables.reset(seed if seed is None else [seed])
        return self._tables.observations[0].copy(), self._info()

    def step(self, action):
        tables = self._tables
        tables.step(np.array([action], np.int64))
        return (
            tables.observations[0].copy(),
            float(tables.rewards[0]),
            bool(tables.terminated[0]),
            bool(tables.truncated[0]),
            self._info(),
        )

    def action_masks(self):
        """Which actions are legal, as sb3-contrib's MaskablePPO asks."""
        return self._tables.masks[0].copy()

    def render(self):
        return self._tables.text(0) if self.render_mode == "ansi" else None


class VectorEnv(gymnasium.vector.VectorEnv):
    """Many games for one learner, stepped in Rust on all cores.

    `infos["action_mask"]` says what is legal. With `copy=False` the arrays returned are
    the ones that the next step overwrites. `autoreset_mode` is one of Gymnasium's.
    """

    metadata = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game,
        num_envs=1,
        *,
        seat=0,
        opponents="random",
        autoreset_mode=AutoresetMode.NEXT_STEP,
        illegal="lose",
        max_steps=None,
        dtype=None,
        threads=0,
        copy=True,
        render_mode=None,
        **options,
    ):
        if seat is None:
            raise ValueError("seat is None, expected a seat or 'rotate': see meeple.Tables")
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

    def _give(self, array):
        return array.copy() if self.copy else array

    def _infos(self):
        return {
            "action_mask": self._give(self.tables.masks),
            "_action_mask": np.ones(self.num_envs, np.bool_),
        }

    def reset(self, *, seed=None, options=None):
        reset_mask = None
        if options is not None and "reset_mask" in options:
            reset_mask = options["reset_mask"]
            if not isinstance(reset_mask, np.ndarray):
                raise TypeError(f"options['reset_mask'] is {type(reset_mask)}, expected an array")
            if not reset_mask.any():
                raise ValueError("options['reset_mask'] is False everywhere, expected one True")
        if isinstance(seed, int):
            super().reset(seed=seed)
        self.tables.reset(seed, reset_mask=reset_mask)
        return self._give(self.tables.observations), self._infos()

    def step(self, actions):
        tables = self.tables
        tables.step(actions)
        infos = self._infos()
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            done = tables.terminated | tables.truncated
            if done.any():
                finals = np.full(self.num_envs, None, object)
                for table in np.flatnonzero(done):
                    finals[table] = tables.finals[table].copy()
                infos["final_obs"] = finals
                infos["_final_obs"] = done
                infos["final_info"] = {}
                infos["_final_info"] = done
        return (
            self._give(tables.observations),
            tables.rewards.astype(np.float64),
            self._give(tables.terminated),
            self._give(tables.truncated),
            infos,
        )

    def sample_actions(self):
        """A legal action for each environment, drawn evenly."""
        return self.tables.sample()

    def render(self):
        if self.render_mode != "ansi":
            return None
        return tuple(self.tables.text(table) for table in range(self.num_envs))


_register()
