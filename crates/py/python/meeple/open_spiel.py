"""OpenSpiel: our games inside pyspiel, so that its algorithms run on them.

>>> import meeple.open_spiel, pyspiel
>>> meeple.open_spiel.register()
>>> pyspiel.load_game("meeple_leduc").num_players()
2
"""

from __future__ import annotations

import json

import numpy as np
import pyspiel

from . import games, load_game

__all__ = ["register"]

#: OpenSpiel wants a bound on the length of games; ours have no common one.
MAX_GAME_LENGTH = 1_000_000


def register(names=None):
    """Registers the games, all of them unless some are named, as `meeple_<name>`.

    The parameter `config` takes the table as JSON:
    `pyspiel.load_game("meeple_pig", {"config": '{"players": 4}'})`.
    """
    for name in names or games():
        short = f"meeple_{name.replace('-', '_')}"
        if short not in pyspiel.registered_names():
            pyspiel.register_game(_type(short, name), _maker(short, name))


#: OpenSpiel keeps what it is given beyond the end of the interpreter, when a function would
#: be freed without its lock; classes that somebody else holds are not.
_CLASSES = {}


def _maker(short, name):
    def begin(self, params=None):
        _Game.__init__(self, short, name, params or {})

    _CLASSES[short] = type(f"_Game_{short}", (_Game,), {"__init__": begin})
    return _CLASSES[short]


def _type(short, name):
    game = load_game(name)
    chance = pyspiel.GameType.ChanceMode
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=short,
        long_name=f"Meeple {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if game.has_chance else chance.DETERMINISTIC,
        information=(
            information.IMPERFECT_INFORMATION
            if game.has_hidden_information
            else information.PERFECT_INFORMATION
        ),
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=6,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"config": ""},
    )


class _Game(pyspiel.Game):
    def __init__(self, short, name, params):
        config = params.get("config", "") or "{}"
        self.table = load_game(name, **json.loads(config))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.num_distinct_actions(),
            max_chance_outcomes=self.table.max_chance_outcomes(),
            num_players=self.table.num_players(),
            min_utility=-1.0,
            max_utility=1.0,
            max_game_length=MAX_GAME_LENGTH,
        )
        super().__init__(_type(short, name), info, params)

    def new_initial_state(self):
        return _State(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            return _KnowledgeObserver()
        return _Observer(self.table)


class _State(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self.inner = game.table.new_initial_state()

    def current_player(self):
        player = self.inner.current_player()
        return pyspiel.PlayerId.TERMINAL if player == -4 else player

    def _legal_actions(self, player):
        # OpenSpiel wants them in ascending order.
        return sorted(self.inner.legal_actions(player))

    def chance_outcomes(self):
        return sorted(self.inner.chance_outcomes())

    def _apply_action(self, action):
        self.inner.apply_action(action)

    def _action_to_string(self, player, action):
        return self.inner.action_to_string(action)

    def is_terminal(self):
        return self.inner.is_terminal()

    def returns(self):
        return [float(value) for value in self.inner.returns()]

    def __str__(self):
        return str(self.inner)


class _Observer:
    """What a player sees."""

    def __init__(self, table):
        self.tensor = np.zeros(table.observation_tensor_shape(), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state, player):
        self.tensor[:] = state.inner.observation_tensor(player)

    def string_from(self, state, player):
        return state.inner.observation_string(player)


class _KnowledgeObserver:
    """What a player knows, which Meeple has as a key and not as numbers."""

    tensor = None
    dict = {}

    def set_from(self, state, player):
        pass

    def string_from(self, state, player):
        return f"{state.inner.information_key(player):016x}"
