"""OpenSpiel's games by the names of ours; those that come as files have the prefix `files/`.

Tables are as large as ours are by default.
"""

GAMES = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four",
    "kuhn": "kuhn_poker",
    "leduc": "leduc_poker",
    "pig": "pig",
    "breakthrough": "breakthrough",
    "chess": "chess",
    "backgammon": "backgammon",
    "files/tic-tac-toe": "tic_tac_toe",
    "files/connect-four": "connect_four",
    "files/hex": "hex",
    "files/amazons": "amazons",
    "files/breakthrough": "breakthrough",
    "files/clobber": "clobber(rows=10,columns=10)",
    "files/english-draughts": "checkers",
    "files/nine-mens-morris": "nine_mens_morris",
    "files/oware": "oware",
    "files/kalah": "mancala",
    "files/dots-and-boxes": "dots_and_boxes(num_rows=3,num_cols=3)",
    "files/go": "go(board_size=9,komi=7.5)",
    "files/reversi": "othello",
    "files/pentago": "pentago",
    "files/ultimate-tic-tac-toe": "ultimate_tic_tac_toe",
    "files/pig": "pig",
    "files/liars-dice": "liars_dice",
    "files/goofspiel": "turn_based_simultaneous_game(game=goofspiel(num_cards=13,"
    "points_order=random,returns_type=win_loss))",
    "files/kuhn-poker": "kuhn_poker",
    "files/leduc-poker": "leduc_poker",
    "files/crazy-eights": "crazy_eights(players=2,max_turns=10000)",
    "files/phantom-tic-tac-toe": "phantom_ttt",
    "files/dark-hex": "dark_hex(board_size=5,num_rows=5,num_cols=5)",
    "files/battleships": "battleship(board_width=8,board_height=8,ship_sizes=[5;4;3;3;2],"
    "ship_values=[1;1;1;1;1],num_shots=64,allow_repeated_shots=False)",
}


def deal(state):
    """Plays chance events until a player decides."""
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state
