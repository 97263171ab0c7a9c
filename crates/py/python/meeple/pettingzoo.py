"""PettingZoo: every game as an AEC environment with action masks, and as a parallel one."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv, ParallelEnv  # type: ignore[import-untyped]

from . import State, load_game
from .gymnasium import RENDER_MODES, Rendered, check_render_mode

__all__ = ["Env", "Parallel", "env", "parallel_env"]

Observation = dict[str, npt.NDArray[Any]]


def env(game: str, **options: Any) -> Env:
    """The environment of a game: `meeple.pettingzoo.env("stone-age", players=3)`."""
    return Env(game, **options)


def parallel_env(game: str, **options: Any) -> Parallel:
    """The same with the interface for agents who act at once; see `Parallel`."""
    return Parallel(game, **options)


class _Table:
    """What both interfaces have in common: the game, its spaces, and its chance events."""

    metadata: dict[str, Any]

    def __init__(
        self, game: str, render_mode: str | None, max_cycles: int | None, options: dict[str, Any]
    ) -> None:
        check_render_mode(render_mode)
        if max_cycles is not None and operator.index(max_cycles) < 1:
            raise ValueError(f"max_cycles is {max_cycles}, expected None or at least 1")
        self.game = load_game(game, **options)
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.metadata = {
            "name": f"meeple_{game.replace('-', '_')}_v0",
            "render_modes": RENDER_MODES,
            "render_fps": 4,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players())]
        fields = self.game.observation_fields()
        low = np.repeat([f["min"] for f in fields], [f["cells"] for f in fields])
        high = np.repeat([f["max"] for f in fields], [f["cells"] for f in fields])
        actions = self.game.num_distinct_actions()
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.int32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._rng = np.random.default_rng()
        self.state_of_game: State = self.game.new_initial_state()
        self.agents: list[str] = []
        #: The seat that decided last.
        self._last = 0

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        self.state_of_game = self.game.new_initial_state()
        self.state_of_game.resolve_chance(self._rng)
        self._last = 0

    def _apply(self, action: int) -> None:
        player = self.state_of_game.current_player()
        # A fraction is no action: `index` refuses what a cast would cut off.
        self.state_of_game.apply_action(operator.index(action))
        self._last = player
        self.state_of_game.resolve_chance(self._rng)

    def _returns(self) -> dict[str, float]:
        return dict(zip(self.possible_agents, self.state_of_game.returns()))

    def observe(self, agent: str) -> Observation:
        seat = self.possible_agents.index(agent)
        return {
            "observation": self.state_of_game.get_observation(seat),
            "action_mask": self.state_of_game.legal_actions_mask(seat).astype(np.int8),
        }

    def _viewer(self) -> int:
        player = self.state_of_game.current_player()
        return player if player >= 0 else self._last

    def _show(self) -> None:
        if self.render_mode == "human":
            print(self.state_of_game.observation_string(self._viewer()), flush=True)

    def render(self) -> Rendered:
        """The table as the agent sees it who decides, or decided last: nothing is shown
        that this agent may not know."""
        if self.render_mode == "ansi":
            return self.state_of_game.observation_string(self._viewer())
        if self.render_mode == "rgb_array":
            return self.state_of_game.to_pixels(self._viewer())
        return None

    def close(self) -> None:
        pass


class Env(_Table, AECEnv):  # type: ignore[misc]
    """A game for several agents, `player_0` and so on, who act in the order of the game.

    Observations are dictionaries of `observation` (what the agent sees) and `action_mask`
    (all 0 for an agent who is not to decide). Chance events are drawn from the seed of
    `reset`. A game is cut off after `max_cycles` decisions of each agent, on average.
    """

    def __init__(
        self,
        game: str,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        AECEnv.__init__(self)
        _Table.__init__(self, game, render_mode, max_cycles, options)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()
        self._show()

    def _go_on(self) -> None:
        """Says who is next or how it ended."""
        state = self.state_of_game
        if state.is_terminal():
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = self._returns()
            return
        self.agent_selection = self.possible_agents[state.current_player()]
        if self.max_cycles is not None:
            most = self.max_cycles * len(self.possible_agents)
            self.truncations = dict.fromkeys(self.agents, state.move_number() >= most)

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise ResetNeeded("no game is in progress, expected a reset before this step")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to decide, expected an action")
        self._apply(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()
        self._show()


class Parallel(_Table, ParallelEnv):  # type: ignore[misc]
    """A game for several agents who are all asked at every step.

    A step is one decision: the action of the agent who is to decide is played, those of
    the others, whose `action_mask` is all 0, are ignored and need not be given. A game is
    cut off after `max_cycles` steps.
    """

    def __init__(
        self,
        game: str,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        _Table.__init__(self, game, render_mode, max_cycles, options)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self._begin(seed)
        self._show()
        return self._observations(), {agent: {} for agent in self.agents}

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.observe(agent) for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        if not self.agents:
            raise ResetNeeded("no game is in progress, expected a reset before this step")
        state = self.state_of_game
        agent = self.possible_agents[state.current_player()]
        if agent not in actions:
            raise ValueError(f"{agent} is to decide, expected its action")
        self._apply(actions[agent])
        is_over = state.is_terminal()
        most = self.max_cycles
        is_cut = not is_over and most is not None and state.move_number() >= most
        observations, agents = self._observations(), self.agents
        rewards = self._returns() if is_over else dict.fromkeys(agents, 0.0)
        if is_over or is_cut:
            self.agents = []
        self._show()
        return (
            observations,
            rewards,
            dict.fromkeys(agents, is_over),
            dict.fromkeys(agents, is_cut),
            {agent: {} for agent in agents},
        )
