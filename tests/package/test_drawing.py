"""Pictures of states: SVG and pixels."""

import re
import xml.etree.ElementTree

import numpy as np
import pytest

import meeple


def shown(state, player=None):
    """The shapes and the words of a picture."""
    tree = xml.etree.ElementTree.fromstring(state.to_svg(player))
    shapes = {}
    for part in tree:
        shapes.setdefault(part.tag.split("}")[1], []).append(part)
    return shapes, [part.text for part in shapes.get("text", [])]


def test_every_game_has_a_picture(name):
    state = meeple.load_game(name).new_initial_state()
    state.resolve_chance(1)
    page = state._repr_html_()
    assert page.startswith("<svg") and "<pre>" in page
    for player in [None, *range(state.num_players())]:
        shapes, _ = shown(state, player)
        assert sum(map(len, shapes.values())) >= 5
        pixels = state.to_pixels(player)
        assert pixels.dtype == np.uint8
        # Colours as numbers, which are sorted much faster than triples.
        assert len(np.unique(pixels.reshape(-1, 3) @ np.array([1, 256, 65536]))) >= 3
    with pytest.raises(IndexError):
        state.to_svg(9)


def test_boards_have_squares_and_pieces():
    chess = meeple.load_game("chess").new_initial_state()
    shapes, words = shown(chess)
    assert len(shapes["rect"]) == 64 and len(shapes["circle"]) == 2 * 32
    assert words.count("K") == 2 and words.count("P") == 16 and {"a", "h", "1", "8"} <= set(words)
    four = meeple.load_game("connect-four").new_initial_state()
    four.apply_action(3)
    shapes, _ = shown(four)
    assert len(shapes["rect"]) == 42 and len(shapes["circle"]) == 2


def test_backgammon_shows_the_whole_board():
    state = meeple.load_game("backgammon").new_initial_state()
    shapes, words = shown(state)
    assert len(shapes["path"]) == 24, "one point each"
    assert len(shapes["circle"]) == 2 * 30, "fifteen checkers each"
    assert {str(point) for point in range(1, 25)} <= set(words)
    rng = np.random.default_rng(1)
    while not state.is_terminal():
        state.resolve_chance(int(rng.integers(1 << 30)))
        state.apply_action(int(rng.choice(state.legal_actions())))
        shapes, words = shown(state)
        # A stack of more than five is five checkers and a number; so are some points.
        numbers = [int(word) for word in words if re.fullmatch(r"[6-9]|1[0-5]", word)]
        more = sum(number - 5 for number in numbers) - sum(range(1, 11))
        assert len(shapes["circle"]) // 2 + more == 30


def test_cards_are_drawn_and_hidden_ones_are_not_named():
    state = meeple.load_game("holdem").new_initial_state()
    state.resolve_chance(1)
    _, words = shown(state)
    named = [word for word in words if re.fullmatch(r"[2-9TJQKA][cdhs]", word)]
    assert len(named) == 4
    _, mine = shown(state, 0)
    assert len([word for word in mine if re.fullmatch(r"[2-9TJQKA][cdhs]", word)]) == 2
    kuhn = meeple.load_game("kuhn").new_initial_state()
    kuhn.resolve_chance(1)
    assert len({"J", "Q", "K"} & set(shown(kuhn)[1])) == 2
    assert len({"J", "Q", "K"} & set(shown(kuhn, 0)[1])) == 1


def test_tables_show_every_word(name):
    """Nothing that the text says is missing in the picture."""
    if name not in ("magic", "stone-age", "kuhn", "leduc", "knockout-whist", "pig"):
        pytest.skip("a board, or cards in one word")
    state = meeple.load_game(name).new_initial_state()
    for seed in range(8):
        state.resolve_chance(seed)
        if not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
    text = state.observation_string(0)
    _, words = shown(state, 0)
    plain = re.sub(r"[\s,;:.?>-]+", "", text)
    drawn = re.sub(r"[\s,;:.?>-]+", "", "".join(words))
    assert sorted(plain) == sorted(drawn)


def test_files_are_drawn_from_their_pictures():
    hexes = meeple.load_game("hex").new_initial_state()
    hexes.apply_action(0)
    shapes, words = shown(hexes)
    assert len(shapes["polygon"]) == 121 and len(shapes["circle"]) == 2
    assert words == ["blue to move"]
    morris = meeple.load_game("nine-mens-morris").new_initial_state()
    # Lines between neighbours, points, and a mark for each player's hand.
    shapes, words = shown(morris)
    assert len(shapes["polygon"]) == 32 and len(shapes["circle"]) == 24 + 2
    assert words.count("9") == 2
    _, words = shown(meeple.load_game("kalah").new_initial_state())
    assert words.count("4") == 12
    draughts = meeple.load_game("english-draughts").new_initial_state()
    shapes, words = shown(draughts)
    assert len(shapes["rect"]) == 64 and words.count("M") == 24
    assert set("abcdefgh") | set("12345678") <= set(words)


@pytest.mark.parametrize("game", ["crazy-eights", "goofspiel", "dark-hex", "go"])
def test_pictures_of_files_have_one_size_and_hide_what_is_hidden(game):
    rng = np.random.default_rng(2)
    state = meeple.load_game(game).new_initial_state()
    sizes = set()
    for _ in range(60):
        state.resolve_chance(int(rng.integers(1 << 30)))
        sizes.add(state.to_pixels(0).shape)
        other = state.resample_from_infostate(0, int(rng.integers(1 << 30)))
        assert other.to_svg(0) == state.to_svg(0)
        if state.is_terminal():
            break
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert len(sizes) == 1
    env = meeple.Tables(game, 1)
    env.reset(1)
    assert env.pixels().shape == state.to_pixels(0).shape
