"""Meeple from Python: games, search, many tables at once, poker, training.

>>> import meeple
>>> game = meeple.load_game("connect-four")
>>> state = game.new_initial_state()
>>> state.apply_action(state.string_to_action("d"))
>>> state.current_player()
1
>>> meeple.search(state, "mcts:sims=500", seed=1).iterations
500

`meeple.gymnasium`, `meeple.pettingzoo`, `meeple.open_spiel` and `meeple.ray` are modules of
their own, so that importing `meeple` needs none of those libraries.
"""

from ._meeple import (
    ActionReport,
    Equity,
    Game,
    Network,
    PlayerEquity,
    SearchReport,
    State,
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
    train,
)

#: What `State.current_player` returns when luck decides.
CHANCE = -1
#: What `State.current_player` returns when the game is over.
TERMINAL = -4

__all__ = [
    "CHANCE",
    "TERMINAL",
    "ActionReport",
    "Equity",
    "Game",
    "Network",
    "PlayerEquity",
    "SearchReport",
    "State",
    "Tables",
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
    "train",
]


def _load(name, config):
    """Lays a table again from a pickle."""
    return load_game(name, **config)


def __getattr__(name):
    # NumPy takes longer to import than all of this: not before it is needed.
    if name == "Tables":
        from .tables import Tables

        return Tables
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
