"""OpenSpiel: our games inside pyspiel, so that its algorithms run on them.

>>> import meeple.open_spiel, pyspiel
>>> meeple.open_spiel.register()
>>> pyspiel.load_game("meeple_leduc").num_players()
2
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel  # type: ignore[import-not-found]

from . import Game, games, load_game

__all__ = ["register"]


def register(names: Iterable[str] | None = None) -> None:
    """Registers the games, all of them unless some are named, as `meeple_<name>`.

    The parameter `config` takes the table as JSON:
    `pyspiel.load_game("meeple_pig", {"config": '{"players": 4}'})`.
    """
    for name in names or games():
        short = f"meeple_{name.replace('-', '_')}"
        if short not in pyspiel.registered_names():
            pyspiel.register_game(_type(short, load_game(name)), _maker(short, name))


#: OpenSpiel keeps what it is given beyond the end of the interpreter, when a function would
#: be freed without its lock; classes that somebody else holds are not.
_CLASSES: dict[str, type[_Game]] = {}


def _maker(short: str, name: str) -> type[_Game]:
    def begin(self: _Game, params: dict[str, Any] | None = None) -> None:
        _Game.__init__(self, short, name, params or {})

    _CLASSES[short] = type(f"_Game_{short}", (_Game,), {"__init__": begin})
    return _CLASSES[short]


def _type(short: str, game: Game) -> Any:
    kind, words = game.get_type(), pyspiel.GameType
    return words(
        short_name=short,
        long_name=f"Meeple {game.name}",
        dynamics=getattr(words.Dynamics, kind.dynamics.upper()),
        chance_mode=getattr(words.ChanceMode, kind.chance_mode.upper()),
        information=getattr(words.Information, kind.information.upper()),
        utility=getattr(words.Utility, kind.utility.upper()),
        reward_model=getattr(words.RewardModel, kind.reward_model.upper()),
        max_num_players=kind.max_num_players,
        min_num_players=kind.min_num_players,
        provides_information_state_string=True,
        # There is one, but `rl_environment` would prefer it to the observation, from which
        # networks learn more easily.
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"config": ""},
    )


class _Game(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, short: str, name: str, params: dict[str, Any]) -> None:
        config = params.get("config", "") or "{}"
        self.table = load_game(name, **json.loads(config))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.num_distinct_actions(),
            max_chance_outcomes=self.table.max_chance_outcomes(),
            num_players=self.table.num_players(),
            min_utility=self.table.min_utility(),
            max_utility=self.table.max_utility(),
            utility_sum=self.table.utility_sum(),
            max_game_length=self.table.max_game_length(),
        )
        super().__init__(_type(short, self.table), info, params)

    def new_initial_state(self) -> _State:
        return _State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        is_recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return _KnowledgeObserver(self.table) if is_recall else _Observer(self.table)


class _State(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self.inner = game.table.new_initial_state()
        self.utility_sum = game.table.utility_sum()

    def current_player(self) -> int:
        player = self.inner.current_player()
        return int(pyspiel.PlayerId.TERMINAL) if player == -4 else player

    def _legal_actions(self, player: int) -> list[int]:
        # OpenSpiel wants them in ascending order.
        return sorted(self.inner.legal_actions(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return sorted(self.inner.chance_outcomes())

    def _apply_action(self, action: int) -> None:
        self.inner.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.inner.action_to_string(player, action)

    def is_terminal(self) -> bool:
        return self.inner.is_terminal()

    def returns(self) -> list[float]:
        # Thirds and the like are rounded to float32; OpenSpiel wants the sum to be exact,
        # and nobody beyond the bounds, which are exact already.
        returns = [float(value) for value in self.inner.returns()]
        rounded = [at for at, value in enumerate(returns) if abs(value) < 1]
        if self.utility_sum is not None and rounded:
            surplus = (sum(returns) - self.utility_sum) / len(rounded)
            for at in rounded:
                returns[at] -= surplus
        return returns

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> _State:
        """A random state that `player` cannot tell from this one; its `history()` is still
        the true one, because a deal does not say in which order cards were dealt."""
        resampled: _State = self.clone()
        resampled.inner = self.inner.resample_from_infostate(player, sampler)
        return resampled

    def __str__(self) -> str:
        return str(self.inner)


class _Observer:
    """What a player sees."""

    def __init__(self, table: Game) -> None:
        self.tensor: npt.NDArray[np.float32] = np.zeros(self._size(table), np.float32)
        self.dict = {"observation": self.tensor}

    def _size(self, table: Game) -> int:
        return table.observation_tensor_size()

    def set_from(self, state: _State, player: int) -> None:
        # OpenSpiel asks a state for the shape of tensors before anybody decides.
        self.tensor[:] = state.inner.observation_tensor(max(player, 0))

    def string_from(self, state: _State, player: int) -> str:
        return state.inner.observation_string(player)


class _KnowledgeObserver(_Observer):
    """What a player knows: the same, and the bits of the key of the information state."""

    def _size(self, table: Game) -> int:
        return table.information_state_tensor_size()

    def set_from(self, state: _State, player: int) -> None:
        self.tensor[:] = state.inner.information_state_tensor(max(player, 0))

    def string_from(self, state: _State, player: int) -> str:
        return state.inner.information_state_string(player)
