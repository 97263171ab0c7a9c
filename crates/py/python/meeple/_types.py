"""Plain values that the compiled part of the package returns."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["GameType", "PlayerAction"]


class PlayerAction(NamedTuple):
    """An entry of `State.full_history`."""

    #: The seat that decided; -1 for a chance outcome.
    player: int
    #: The action or chance outcome.
    action: int


class GameType(NamedTuple):
    """What kind of game it is, in the words of OpenSpiel."""

    #: The name of the game.
    short_name: str
    #: "sequential": one player decides at a time.
    dynamics: str
    #: "deterministic" or "explicit_stochastic".
    chance_mode: str
    #: "perfect_information" or "imperfect_information".
    information: str
    #: "zero_sum", "constant_sum" or "general_sum".
    utility: str
    #: "terminal": returns come at the end.
    reward_model: str
    #: The fewest who may play.
    min_num_players: int
    #: The most who may play.
    max_num_players: int
