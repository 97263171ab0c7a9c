"""Two implementations of a game played side by side: ours and OpenSpiel's."""

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

import meeple

RULES = Path(__file__).parents[2] / "crates/rules"


@dataclass
class Table:
    """A line of `open_spiel.txt`."""

    options: dict
    theirs: str
    differences: list


def read_tables():
    """The games that both have, by our names."""
    tables = {}
    for line in (RULES / "tests/open_spiel.txt").read_text().splitlines():
        if line.startswith(" "):
            table.differences.append(line.strip())
        elif not line.startswith("#"):
            file, options, theirs = (column.strip() for column in line.split("|"))
            pairs = (option.split("=") for option in options.split())
            table = Table({name: int(value) for name, value in pairs}, theirs, [])
            tables[file] = table
    return tables


TABLES = read_tables()


class Difference(Exception):
    """The rules differ from here on, in a way that the pair explains: the game is left."""


class Pair:
    """A game file and OpenSpiel's game by the same rules, with the mapping between them.

    A choice is written as a key that both sides can be asked for: a text such as "a2a3". It
    takes one action or several on either side, because the two may split a turn differently.
    """

    #: Our file.
    file: str
    #: What OpenSpiel's returns are divided by.
    scale = 1.0
    #: Whether information states are compared: "equal", "finer" where ours tell more than
    #: OpenSpiel's, or not at all in games without hidden information.
    information = None

    def __init__(self):
        self.table = TABLES[self.file]

    def load(self, pyspiel):
        ours = meeple.load_game(str(RULES / f"games/{self.file}.game"), **self.table.options)
        return ours, pyspiel.load_game(self.table.theirs)

    def our_key(self, name):
        """The key of one of our actions or chance outcomes."""
        return name

    def their_key(self, state, action):
        """The key of one of OpenSpiel's actions or chance outcomes."""
        raise NotImplementedError

    def our_choices(self, state):
        """The keys of all choices, with the actions that each takes."""
        if state.is_chance_node():
            ids = state.legal_actions() or [outcome for outcome, _ in state.chance_outcomes()]
            names = {action: state.action_to_string(action) for action in ids}
        else:
            names = state.legal_action_names()
        return {self.our_key(name): (action,) for action, name in names.items()}

    def their_choices(self, state):
        return {self.their_key(state, action): (action,) for action in state.legal_actions()}

    def settle(self, ours, theirs):
        """Called before every comparison: plays what only one side treats as an action."""

    def compare_choices(self, ours, theirs, mine, yours):
        """Returns the keys to choose from, once both sets are compared."""
        assert set(mine) == set(yours)
        return sorted(mine)

    def end(self, ours, theirs, rng):
        """Called when one side at least is over; may bring the other to its end."""
        assert ours.is_terminal() and theirs.is_terminal()

    def compare_returns(self, ours, theirs):
        assert ours.returns() == pytest.approx([won / self.scale for won in theirs.returns()])

    def their_information(self, theirs, player):
        return theirs.information_state_string(player)


class Knowledge:
    """Information states of both sides: equal on one exactly where they are equal on the other.

    Files have no perfect recall: an information state is what a player knows now. OpenSpiel's
    strings remember how a player came to know it. So both are compared as what a player has known
    and done at all of their decisions.
    """

    def __init__(self, direction):
        self.direction = direction
        self.ours = {}
        self.theirs = {}

    def compare(self, ours, theirs):
        assert self.ours.setdefault(ours, theirs) == theirs, "ours tell less"
        if self.direction == "equal":
            assert self.theirs.setdefault(theirs, ours) == ours, "ours tell more"


def play(pair, games, seed=1):
    """Plays random games and compares both sides at every step. Returns how many were left at an
    explained difference."""
    pyspiel = pytest.importorskip("pyspiel")
    our_game, their_game = pair.load(pyspiel)
    knowledge = Knowledge(pair.information)
    assert our_game.has_hidden_information == (pair.information is not None)
    rng, left = random.Random(seed), 0
    for _ in range(games):
        ours, theirs = our_game.new_initial_state(), their_game.new_initial_state()
        try:
            play_one(pair, ours, theirs, rng, knowledge)
        except Difference:
            left += 1
        except Exception as error:
            error.add_note(f"\n{ours}\n{theirs}\n{theirs.history_str()}")
            raise
    return left


def play_one(pair, ours, theirs, rng, knowledge):
    recalled = [((seat,), (seat,)) for seat in range(ours.num_players())]
    while True:
        pair.settle(ours, theirs)
        if ours.is_terminal() or theirs.is_terminal():
            pair.end(ours, theirs, rng)
            pair.compare_returns(ours, theirs)
            return
        player = ours.current_player()
        assert player == theirs.current_player()
        mine, yours = pair.our_choices(ours), pair.their_choices(theirs)
        keys = pair.compare_choices(ours, theirs, mine, yours)
        if player < 0:
            compare_odds(ours, theirs, mine, yours)
        key = rng.choice(keys)
        if player >= 0 and pair.information is not None:
            mine_now, yours_now = recalled[player]
            mine_now += (ours.information_state_string(player),)
            yours_now += (pair.their_information(theirs, player),)
            knowledge.compare(mine_now, yours_now)
            recalled[player] = (mine_now + (key,), yours_now + (key,))
        for action in mine[key]:
            ours.apply_action(action)
        for action in yours[key]:
            theirs.apply_action(action)


def compare_odds(ours, theirs, mine, yours):
    odds, their_odds = dict(ours.chance_outcomes()), dict(theirs.chance_outcomes())
    for key, (outcome,) in mine.items():
        (their_outcome,) = yours[key]
        assert odds[outcome] == pytest.approx(their_odds[their_outcome], abs=1e-6)
