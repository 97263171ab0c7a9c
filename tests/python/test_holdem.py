"""Plays our hands of hold'em again with PokerKit, step by step and from PHH."""

import json
import os
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

from pokerkit import Automation, FixedLimitTexasHoldem, HandHistory, NoLimitTexasHoldem

MEEPLE = os.environ["MEEPLE"]
GAMES = 36
TABLES = [
    {},
    {"betting": "fcpa", "stacks": [2000, 700]},
    {"betting": "limit"},
    {"players": 3, "stacks": [300, 1000, 425], "bets": [25, 75]},
    {"players": 4, "betting": "limit", "stacks": [450, 130, 900, 60]},
    {"players": 5, "ante": 15, "stacks": [95, 130, 260, 2000, 15]},
    {"players": 6, "betting": "fcpa", "small_blind": 25, "big_blind": 51, "stacks": [999, 200, 55, 301, 30, 777]},
    {"players": 6, "betting": "limit", "ante": 7, "stacks": [99, 200, 55, 301, 3, 777]},
    {"players": 3, "bets": [], "amounts": [220, 260, 350, 420, 700], "stacks": [430, 360, 1000]},
]
EXPERIMENT = {
    "name": "hands",
    "seed": 7,
    "tables": [{"game": "holdem", "config": config} for config in TABLES],
    "bots": ["random"],
    "task": {"simulate": {"games": GAMES}},
    "output": {"replays": GAMES, "report": False, "csv": False},
}
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def meeple(*arguments) -> str:
    return subprocess.run([MEEPLE, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def stacks_of(config: dict) -> list[int]:
    stacks = config["stacks"]
    return stacks if isinstance(stacks, list) else [stacks] * config["players"]


def most_won(stacks: list[int]) -> int:
    """What the payoffs are divided by: the most that one seat could win."""
    return max(
        sum(min(mine, theirs) for other, theirs in enumerate(stacks) if other != seat)
        for seat, mine in enumerate(stacks)
    )


def first_state(config: dict):
    stacks, big = stacks_of(config), config["big_blind"]
    table = (AUTOMATIONS, True, config["ante"], (config["small_blind"], big))
    if config["betting"] == "limit":
        return FixedLimitTexasHoldem.create_state(*table, big, 2 * big, stacks, len(stacks))
    return NoLimitTexasHoldem.create_state(*table, big, stacks, len(stacks))


def play(state, steps: list[dict]) -> None:
    """Does what a replay says; PokerKit refuses whatever is not legal."""
    hole = 2 * state.player_count
    cards = []
    for number, step in enumerate(steps):
        kind, _, rest = step["name"].partition(" ")
        if step["by"] == "chance":
            cards.append(rest)
            if number < hole:
                if len(cards) == 2:
                    state.deal_hole("".join(cards), number // 2)
                    cards = []
            elif len(cards) == (1 if state.board_cards else 3):
                if state.actor_index is not None:
                    # Nobody is left who could answer: we do not ask.
                    assert state.checking_or_calling_amount == 0
                    state.check_or_call()
                state.burn_card("??")
                state.deal_board("".join(cards))
                cards = []
            continue
        assert step["by"] == f"seat {state.actor_index}", (step, state.actor_index)
        amount = int(rest.split()[-1]) if rest else 0
        if kind == "fold":
            state.fold()
        elif kind in ("check", "call"):
            assert state.checking_or_calling_amount == amount, step
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(amount)


class Holdem(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        warnings.simplefilter("ignore")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        file = cls.folder / "hands.json"
        file.write_text(json.dumps(EXPERIMENT))
        meeple("run", file, "--out", cls.folder / "out")
        cls.replays = sorted((cls.folder / "out" / "replays").glob("*.json"))

    def chips_won(self, config: dict, payoffs: list[float]) -> list[int]:
        return [round(payoff * most_won(stacks_of(config))) for payoff in payoffs]

    def assert_same_chips(self, theirs: list[int], ours: list[int], stacks: list[int]) -> None:
        """The same but for odd chips of shared side pots.

        Each side pot is shared on its own, while PokerKit first puts those
        together that the same seats win: a chip a pot may go elsewhere.
        """
        if theirs == ours:
            return
        self.assertEqual(sum(theirs), sum(ours))
        apart = [seat for seat in range(len(ours)) if theirs[seat] != ours[seat]]
        self.assertGreater(len(set(stacks)), 1, "there are no side pots")
        for seat in apart:
            self.assertLess(abs(theirs[seat] - ours[seat]), len(set(stacks)), (theirs, ours))
        self.odd.append((theirs, ours))

    def test_chips_are_those_of_pokerkit(self) -> None:
        self.assertGreaterEqual(len(self.replays), GAMES * len(TABLES))
        shown, self.odd = 0, []
        for file in self.replays:
            told = json.loads(meeple("export", file, "--to", "json"))
            state = first_state(told["config"])
            with self.subTest(config=told["config"], steps=[step["name"] for step in told["steps"]]):
                play(state, told["steps"])
                self.assertFalse(state.status)
                won = self.chips_won(told["config"], told["payoffs"])
                self.assert_same_chips(list(state.payoffs), won, stacks_of(told["config"]))
            shown += sum(state.statuses) > 1
        self.assertGreater(shown, GAMES)
        self.assertLess(len(self.odd), len(self.replays) // 100, self.odd)

    def test_pokerkit_reads_our_phh_and_we_read_it_back(self) -> None:
        self.odd = []
        for file in self.replays[::3]:
            replay = json.loads(file.read_text())
            text = meeple("export", file, "--to", "phh")
            hand = self.folder / "hand.phh"
            hand.write_text(text)
            with self.subTest(text=text):
                history = HandHistory.loads(text)
                *_, end = history
                self.assertFalse(end.status)
                stacks = stacks_of(replay["config"])
                won = self.chips_won(replay["config"], replay["payoffs"])
                finish = [chips + more for chips, more in zip(stacks, won)]
                self.assertEqual(history.finishing_stacks, finish)
                self.assert_same_chips(list(end.stacks), finish, stacks)
                back = json.loads(meeple("export", hand, "--to", "replay"))
                for key in ("game", "config", "bots", "actions", "payoffs"):
                    self.assertEqual(back[key], replay[key], key)

    def test_we_read_what_pokerkit_writes(self) -> None:
        for file in self.replays[::7]:
            told = json.loads(meeple("export", file, "--to", "json"))
            if told["config"]["ante"]:
                continue  # PokerKit's writer leaves the trimming of antes out.
            state = first_state(told["config"])
            play(state, told["steps"])
            game = self.game_of(told["config"])
            hand = self.folder / "theirs.phh"
            hand.write_text(HandHistory.from_game_state(game, state).dumps())
            with self.subTest(text=hand.read_text()):
                back = json.loads(meeple("export", hand, "--to", "json"))
                self.assertEqual(back["payoffs"], told["payoffs"])

    def game_of(self, config: dict):
        big = config["big_blind"]
        table = (AUTOMATIONS, True, config["ante"], (config["small_blind"], big))
        if config["betting"] == "limit":
            return FixedLimitTexasHoldem(*table, big, 2 * big)
        return NoLimitTexasHoldem(*table, big)


if __name__ == "__main__":
    unittest.main()
