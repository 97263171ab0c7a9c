"""Meeple from Python: games, search, many tables at once, poker, training.

>>> import meeple
>>> game = meeple.load_game("connect-four")
>>> state = game.new_initial_state()
>>> state.apply_action(state.string_to_action("d"))
>>> state.current_player()
1
>>> meeple.search(state, "mcts:sims=500", seed=1).iterations
500

`meeple.gymnasium`, `meeple.pettingzoo`, `meeple.open_spiel`, `meeple.stable_baselines3` and
`meeple.ray` are modules of their own, so that importing `meeple` needs none of those
libraries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._meeple import (
    ActionReport,
    Equity,
    Game,
    Network,
    PlayerEquity,
    SearchReport,
    State,
    __version__,
    cards,
    deserialize_state,
    equity,
    evaluate,
    games,
    hand_name,
    load_game,
    load_network,
    new_network,
    run_experiment,
    search,
    search_many,
    train,
)
from ._types import GameType, PlayerAction

if TYPE_CHECKING:
    from .tables import Tables

#: What `State.current_player` returns at chance nodes.
CHANCE = -1
#: What `State.current_player` returns when the game is over.
TERMINAL = -4

__all__ = [
    "CHANCE",
    "TERMINAL",
    "ActionReport",
    "Equity",
    "Game",
    "GameType",
    "Network",
    "PlayerAction",
    "PlayerEquity",
    "SearchReport",
    "State",
    "Tables",
    "__version__",
    "cards",
    "deserialize_state",
    "equity",
    "evaluate",
    "games",
    "hand_name",
    "load_game",
    "load_network",
    "new_network",
    "run_experiment",
    "search",
    "search_many",
    "train",
]


def _load(name: str, config: dict[str, Any]) -> Game:
    """Lays a table again from a pickle."""
    return load_game(name, **config)


def __getattr__(name: str) -> Any:
    # NumPy takes longer to import than all of this: not before it is needed.
    if name == "Tables":
        from .tables import Tables

        return Tables
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
