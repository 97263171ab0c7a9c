"""The games that OpenSpiel has too, and how actions there and here correspond."""

import re

from lock_step import Difference, Pair

LETTERS = "abcdefghijklmnopqrs"


def site(column, row):
    """The name of a site, from 0 on; row 0 is the lowest."""
    return f"{LETTERS[column]}{row + 1}"


def turned_over(name, rows):
    """A site whose rows OpenSpiel counts from the top."""
    return f"{name[0]}{rows + 1 - int(name[1:])}"


def moved(name):
    """"a2-a3" and "a3xb4" without their signs."""
    return re.sub("[-x]", "", name)


class TicTacToe(Pair):
    file = "tic-tac-toe"

    def their_key(self, state, action):
        return site(action % 3, 2 - action // 3)


class ConnectFour(Pair):
    """OpenSpiel names columns, the file the sites where stones come to lie."""

    file = "connect-four"

    def our_key(self, name):
        return LETTERS.index(name[0])

    def their_key(self, state, action):
        return action


class Hex(Pair):
    file = "hex"

    def their_key(self, state, action):
        return state.action_to_string(action)


class Amazons(Pair):
    """OpenSpiel chooses a queen and its target in two actions, the file in one."""

    file = "amazons"

    def our_key(self, name):
        return moved(name)

    def their_choices(self, state):
        def at(action):
            return site(action % 10, 9 - action // 10)

        actions = state.legal_actions()
        if "From" not in state.action_to_string(actions[0]):
            return {at(shot): (shot,) for shot in actions}
        return {
            at(queen) + at(target): (queen, target)
            for queen in actions
            for target in state.child(queen).legal_actions()
        }


class Breakthrough(Pair):
    """The first player plays from the top in OpenSpiel."""

    file = "breakthrough"

    def our_key(self, name):
        return moved(name)

    def their_key(self, state, action):
        name = state.action_to_string(action)
        return turned_over(name[:2], 8) + turned_over(name[2:4], 8)


class Clobber(Pair):
    file = "clobber"

    def our_key(self, name):
        return moved(name)

    def their_key(self, state, action):
        return state.action_to_string(action)


class Draughts(Pair):
    file = "english-draughts"

    def our_key(self, name):
        return moved(name)

    def their_key(self, state, action):
        return state.action_to_string(action)

    def end(self, ours, theirs, rng):
        if not ours.is_terminal():
            assert not any(is_jump(name) for name in names_played(theirs)[-40:])
            assert theirs.returns() == [0, 0]
            raise Difference
        super().end(ours, theirs, rng)


def is_jump(name):
    return abs(ord(name[0]) - ord(name[2])) == 2


def names_played(state):
    """The names of all actions so far, by playing the game again."""
    again, names = state.get_game().new_initial_state(), []
    for action in state.history():
        names.append(again.action_to_string(action))
        again.apply_action(action)
    return names


class NineMensMorris(Pair):
    file = "nine-mens-morris"
    POINTS = (
        "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"
    ).split()

    def our_key(self, name):
        return moved(name)

    def their_key(self, state, action):
        numbers = re.findall(r"\d+", state.action_to_string(action))
        return "".join(self.POINTS[int(number)] for number in numbers)

    def end(self, ours, theirs, rng):
        if not ours.is_terminal():
            assert "Turn number: 200" in str(theirs) and theirs.returns() == [0, 0]
            raise Difference
        super().end(ours, theirs, rng)


class Oware(Pair):
    file = "oware"

    def their_key(self, state, action):
        return site(action, 0) if state.current_player() == 0 else site(5 - action, 1)

    def end(self, ours, theirs, rng):
        if not ours.is_terminal():
            assert repeats(theirs)
            raise Difference
        super().end(ours, theirs, rng)


def repeats(state):
    """Whether the last position of a game of oware is an earlier one; all seeds are collected
    afterwards, so that the last move is played by hand."""
    again, seen = state.get_game().new_initial_state(), set()
    *before, last = state.history()
    for action in before:
        seen.add(tuple(again.observation_tensor(0)))
        again.apply_action(action)
    # The position after the last move cannot be asked for: it follows from the seeds.
    seeds = [round(part * 48) for part in again.observation_tensor(0)]
    houses, house = seeds[:12], again.current_player() * 6 + last
    start, hand = house, houses[house]
    houses[house] = 0
    while hand:
        house = (house + 1) % 12
        if house != start:
            houses[house] += 1
            hand -= 1
    return any([round(part * 48) for part in other[:12]] == houses for other in seen)


class Kalah(Pair):
    file = "kalah"

    def their_key(self, state, action):
        return site(action - 1, 0) if action < 7 else site(13 - action, 1)

    def end(self, ours, theirs, rng):
        assert ours.is_terminal()
        while not theirs.is_terminal():
            theirs.apply_action(rng.choice(theirs.legal_actions()))


class DotsAndBoxes(Pair):
    file = "dots-and-boxes"

    def their_key(self, state, action):
        kind, row, column = re.search(r"\((.),(\d),(\d)\)", state.action_to_string(action)).groups()
        row, column = int(row), int(column)
        return site(2 * column + 1, 6 - 2 * row) if kind == "h" else site(2 * column, 5 - 2 * row)


class Go(Pair):
    file = "go"

    def their_key(self, state, action):
        # Columns have no letter i there.
        return "pass" if action == 81 else site(action % 9, action // 9)

    def compare_choices(self, ours, theirs, mine, yours):
        assert set(mine) <= set(yours)
        for key in set(yours) - set(mine):
            after = theirs.child(*yours[key])
            assert after.is_terminal() and after.returns() == [0, 0], key
        return sorted(mine)


class Reversi(Pair):
    file = "reversi"

    def their_key(self, state, action):
        name = state.action_to_string(action)
        return "pass" if name == "pass" else turned_over(name, 8)


class Pentago(Pair):
    """OpenSpiel places and rotates in one action, the file in two."""

    file = "pentago"
    TURNS = dict(
        s="nw_left", t="nw_right", u="ne_left", v="ne_right",
        w="se_left", x="se_right", y="sw_left", z="sw_right",
    )  # fmt: skip

    def our_choices(self, state):
        return {
            f"{place} {turn}": (action, rotation)
            for action, place in state.legal_action_names().items()
            for rotation, turn in state.child(action).legal_action_names().items()
        }

    def their_key(self, state, action):
        name = state.action_to_string(action)
        return f"{turned_over(name[:2], 6)} {self.TURNS[name[2]]}"


class UltimateTicTacToe(Pair):
    """OpenSpiel chooses a small board and a cell in two actions where the board is free."""

    file = "ultimate-tic-tac-toe"

    def their_choices(self, state):
        def cells(state, before):
            keys = {}
            for action in state.legal_actions():
                board = int(re.search(r"board (\d)", state.action_to_string(action))[1])
                column = board % 3 * 3 + action % 3
                row = board // 3 * 3 + action // 3
                keys[site(column, 8 - row)] = (*before, action)
            return keys

        actions = state.legal_actions()
        if not state.action_to_string(actions[0]).startswith("Choose"):
            return cells(state, ())
        keys = {}
        for board in actions:
            keys |= cells(state.child(board), (board,))
        return keys


class Pig(Pair):
    file = "pig"

    def our_key(self, name):
        return {"hold": "stop"}.get(name, name)

    def their_key(self, state, action):
        return state.action_to_string(action).removeprefix("Roll ")

    def settle(self, ours, theirs):
        if ours.is_chance_node() and not theirs.is_chance_node():
            assert "Turn total: 0" in str(theirs)
            assert [theirs.action_to_string(action) for action in theirs.legal_actions()] == [
                "roll",
                "stop",
            ]
            theirs.apply_action(0)

    def compare_choices(self, ours, theirs, mine, yours):
        if set(yours) == {"stop"}:
            assert set(mine) == {"stop", "roll"}
            scores, total = re.search(r"Scores: (.*), Turn total: (\d+)", str(theirs)).groups()
            assert int(scores.split()[ours.current_player()]) + int(total) >= 100
            return ["stop"]
        return super().compare_choices(ours, theirs, mine, yours)


class LiarsDice(Pair):
    file = "liars-dice"
    information = "equal"

    def their_key(self, state, action):
        name = state.action_to_string(action)
        if name == "Liar":
            return "liar"
        if name.startswith("Roll"):
            return name.split()[1]
        quantity, face = map(int, name.split("-"))
        return str((quantity - 1) * 6 + face)


class Goofspiel(Pair):
    """OpenSpiel's players bid at the same time, which it can turn into one after the other."""

    file = "goofspiel"
    information = "equal"

    def our_key(self, name):
        return name[:-1]

    def their_key(self, state, action):
        return str(action + 1)

    def end(self, ours, theirs, rng):
        assert theirs.is_terminal()
        while not ours.is_terminal():
            (choice,) = self.our_choices(ours).values()
            ours.apply_action(*choice)


class Kuhn(Pair):
    file, scale, information = "kuhn-poker", 2, "equal"

    def their_key(self, state, action):
        return "JQK"[action] if state.is_chance_node() else ["pass", "bet"][action]


class Leduc(Pair):
    file, scale, information = "leduc-poker", 13, "equal"

    def their_key(self, state, action):
        if state.is_chance_node():
            return "JQK"[action // 2] + "sh"[action % 2]
        return ["fold", "call", "raise"][action]


class CrazyEights(Pair):
    file = "crazy-eights"
    information = "finer"

    def their_key(self, state, action):
        name = state.action_to_string(action)
        if name in ("Draw", "Pass"):
            return name.lower()
        if name.startswith("Nominate"):
            return dict(C="clubs", D="diamonds", H="hearts", S="spades")[name[-1]]
        card = name.split()[-1]
        return card[1] + card[0].lower()

    def settle(self, ours, theirs):
        if not theirs.history():
            # The second player deals.
            assert dict(theirs.chance_outcomes()) == {52: 0.5, 53: 0.5}
            theirs.apply_action(53)

    def compare_choices(self, ours, theirs, mine, yours):
        keys = super().compare_choices(ours, theirs, mine, yours)
        turned_up = theirs.is_chance_node() and len(theirs.history()) == 15
        return [key for key in keys if not turned_up or key[0] != "8"]

    def their_information(self, theirs, player):
        return theirs.observation_string(player)

    def end(self, ours, theirs, rng):
        assert ours.is_terminal()
        if not theirs.is_terminal():
            assert names_played(theirs)[-2:] == ["Pass", "Pass"]
            theirs.apply_action(*self.their_choices(theirs)["pass"])
        assert theirs.is_terminal()

    def compare_returns(self, ours, theirs):
        hands = cards_left(theirs)
        first = (hands[0] < hands[1]) - (hands[0] > hands[1])
        assert ours.returns() == [first, -first]
        assert all((won == 0) == (hand == 0) for won, hand in zip(theirs.returns(), hands))


def cards_left(state):
    """How many cards each of the two players of crazy eights has."""
    rows = [line.split("Suit ")[1:] for line in str(state).splitlines() if line.startswith("Suit ")]
    return [sum(len(row[player][2:].replace(" ", "")) for row in rows) for player in range(2)]


class PhantomTicTacToe(Pair):
    file, information = "phantom-tic-tac-toe", "equal"

    def their_key(self, state, action):
        return site(action % 3, 2 - action // 3)


class DarkHex(Pair):
    file = "dark-hex"
    information = "equal"

    def their_key(self, state, action):
        return site(action % 3, action // 3)

    def their_information(self, theirs, player):
        # Without the line that counts the actions of both players.
        lines = theirs.information_state_string(player).split("\n")
        return tuple(line for line in lines if not line.isdigit())


class Battleships(Pair):
    file = "battleships"
    information = "finer"
    SHIPS = (("carrier", 5), ("battleship", 4), ("cruiser", 3), ("submarine", 3), ("destroyer", 2))

    def their_key(self, state, action):
        played = len(state.history())
        kind, at = divmod(action, 64)
        row, column = divmod(at, 8)
        if kind == 0:
            return site(column, row)
        name, length = self.SHIPS[played // 2]
        last = site(column + length - 1, row) if kind == 1 else site(column, row + length - 1)
        return f"{name} {site(column, row)}-{last}"

    def compare_returns(self, ours, theirs):
        first, second = theirs.returns()
        assert first == -second != 0
        assert ours.returns() == ([1, -1] if first > 0 else [-1, 1])


PAIRS = [kind() for kind in Pair.__subclasses__()]
