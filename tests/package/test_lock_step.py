"""Game files against OpenSpiel's games, in lock step.

At every step both have the same player to move and the same choices, chance outcomes have the same
odds, and at the end both have the same returns. In games with hidden information, players can tell
apart here what they can tell apart there. `MEEPLE_LOCK_STEP` is the number of random games of each;
the pages of the games name 1,000.
"""

import os

import pytest

from lock_step import TABLES, play
from lock_step_games import PAIRS

GAMES = int(os.environ.get("MEEPLE_LOCK_STEP", "50"))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.file)
def test_files_play_like_openspiel(pair):
    left = play(pair, GAMES)
    # Games may be left at a difference that is explained, but others must end.
    assert left == 0 or pair.table.differences
    assert left < GAMES


def test_every_game_of_the_list_is_played():
    assert sorted(pair.file for pair in PAIRS) == sorted(TABLES)
