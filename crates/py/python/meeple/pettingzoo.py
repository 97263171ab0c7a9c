"""PettingZoo: every game as an AEC environment with action masks."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from . import load_game

__all__ = ["Env", "env"]


def env(game, **options):
    """The environment of a game: `meeple.pettingzoo.env("stone-age", players=3)`."""
    return Env(game, **options)


class Env(AECEnv):
    """A game for several agents, `player_0` and so on, who act in the order of the game.

    Observations are dictionaries of `observation` (what the agent sees) and `action_mask`
    (all 0 for an agent who is not to decide). Luck is drawn from the seed of `reset`.
    """

    metadata = {"name": "meeple_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, game, *, render_mode=None, **options):
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is {render_mode!r}, expected None or 'ansi'")
        self.game = load_game(game, **options)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"meeple_{game.replace('-', '_')}_v0"}
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
        self.state_of_game = self.game.new_initial_state()
        self.agents = []

    def observation_space(self, agent):
        return self._observation_spaces[agent]

    def action_space(self, agent):
        return self._action_spaces[agent]

    def reset(self, seed=None, options=None):
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.state_of_game = self.game.new_initial_state()
        self._go_on()

    def _go_on(self):
        """Draws luck, and says who is next or how it ended."""
        state = self.state_of_game
        state.resolve_chance(self._rng)
        if state.is_terminal():
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.possible_agents, state.returns()))
            return
        self.agent_selection = self.possible_agents[state.current_player()]

    def observe(self, agent):
        seat = self.possible_agents.index(agent)
        return {
            "observation": self.state_of_game.get_observation(seat),
            "action_mask": self.state_of_game.legal_actions_mask(seat).astype(np.int8),
        }

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to decide, expected an action")
        self.state_of_game.apply_action(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()

    def render(self):
        return str(self.state_of_game) if self.render_mode == "ansi" else None

    def close(self):
        pass
