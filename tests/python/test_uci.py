"""Drives `meeple uci` with python-chess, as a chess program would."""

import os
import subprocess
import threading
import unittest

import chess
import chess.engine
import chess.pgn

MEEPLE = [os.environ["MEEPLE"], "uci"]


class Uci(unittest.TestCase):
    def setUp(self):
        self.engine = chess.engine.SimpleEngine.popen_uci(MEEPLE, timeout=30)

    def tearDown(self):
        self.engine.quit()

    def test_introduces_itself(self):
        self.assertTrue(self.engine.id["name"].startswith("Meeple"))
        self.engine.configure({"Hash": 16})
        self.engine.ping()

    def test_plays_a_whole_game_against_itself(self):
        board = chess.Board()
        limits = [chess.engine.Limit(nodes=40), chess.engine.Limit(time=0.02)]
        while not board.is_game_over(claim_draw=True):
            played = self.engine.play(board, limits[board.turn])
            self.assertIn(played.move, board.legal_moves)
            board.push(played.move)
        self.assertGreater(board.ply(), 10)
        # Other programs read the game as it was played.
        game = chess.pgn.Game.from_board(board)
        self.assertEqual(game.end().board().fen(), board.fen())

    def test_analyses_by_nodes_and_by_time(self):
        board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
        by_nodes = self.engine.analyse(board, chess.engine.Limit(nodes=2000))
        self.assertEqual(by_nodes["pv"][0], chess.Move.from_uci("a1a8"))
        self.assertEqual(by_nodes["score"].white().mate(), 1)
        by_time = self.engine.analyse(chess.Board(), chess.engine.Limit(time=0.2))
        self.assertLess(by_time["time"], 2.0)
        self.assertIn(by_time["pv"][0], chess.Board().legal_moves)

    def test_searches_to_a_depth_and_for_a_mate(self):
        told = self.engine.analyse(chess.Board(), chess.engine.Limit(depth=5))
        self.assertEqual(told["depth"], 5)
        self.assertGreaterEqual(told["seldepth"], 5)
        # A mate in three with a rook sacrifice, then the defender before the last move.
        board = chess.Board("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1")
        told = self.engine.analyse(board, chess.engine.Limit(mate=3))
        self.assertEqual(told["score"].white().mate(), 3)
        for move in told["pv"]:
            self.assertIn(move, board.legal_moves)
            board.push(move)
        self.assertTrue(board.is_checkmate())
        board.pop()
        board.pop()
        told = self.engine.analyse(board, chess.engine.Limit(depth=4))
        self.assertEqual(told["score"].black().mate(), -1)

    def test_several_lines(self):
        board = chess.Board()
        lines = self.engine.analyse(board, chess.engine.Limit(depth=5), multipv=3)
        self.assertEqual([line["multipv"] for line in lines], [1, 2, 3])
        self.assertEqual(len({line["pv"][0] for line in lines}), 3)
        scores = [line["score"].white().score() for line in lines]
        self.assertEqual(scores, sorted(scores, reverse=True))

    def test_searches_only_the_given_moves(self):
        moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
        played = self.engine.play(chess.Board(), chess.engine.Limit(depth=4), root_moves=moves)
        self.assertIn(played.move, moves)

    def test_threads_and_limited_strength(self):
        self.engine.configure({"Threads": 2, "Hash": 8})
        board = chess.Board("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1")
        told = self.engine.analyse(board, chess.engine.Limit(depth=8))
        self.assertEqual(told["score"].white().mate(), 3)
        self.engine.configure({"Threads": 1, "UCI_LimitStrength": True, "UCI_Elo": 800})
        board = chess.Board()
        while not board.is_game_over(claim_draw=True) and board.ply() < 40:
            played = self.engine.play(board, chess.engine.Limit(time=1.0))
            self.assertIn(played.move, board.legal_moves)
            board.push(played.move)

    def test_plays_by_the_clock(self):
        limit = chess.engine.Limit(white_clock=1.0, black_clock=1.0, white_inc=0.0, black_inc=0.0)
        played = self.engine.play(chess.Board(), limit, info=chess.engine.INFO_ALL)
        self.assertLess(played.info["time"], 0.6)

    def test_stops_an_endless_search(self):
        board = chess.Board()
        with self.engine.analysis(board) as analysis:
            for info in analysis:
                if info.get("nodes", 0) > 0:
                    break
            analysis.stop()
            best = analysis.wait()
        self.assertIn(best.move, board.legal_moves)

    def test_finds_mate_after_moves_of_every_kind(self):
        board = chess.Board()
        for san in "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O Bc5 d4 exd4 e5 d5 exd6 O-O".split():
            board.push_san(san)
        played = self.engine.play(board, chess.engine.Limit(nodes=100))
        self.assertIn(played.move, board.legal_moves)


class Lines(unittest.TestCase):
    """The protocol line by line, for what python-chess never sends."""

    def setUp(self):
        self.engine = subprocess.Popen(
            MEEPLE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def tearDown(self):
        self.send("quit")
        self.assertEqual(self.engine.wait(timeout=30), 0)
        rest = self.engine.stdout.read()
        self.assertNotIn("bestmove", rest, "an answer to nothing")
        self.engine.stdin.close()
        self.engine.stdout.close()

    def send(self, *lines):
        self.engine.stdin.write("".join(f"{line}\n" for line in lines))
        self.engine.stdin.flush()

    def lines_up_to(self, word):
        lines = []
        while not lines or not lines[-1].startswith(word):
            line = self.engine.stdout.readline()
            self.assertTrue(line, f"no {word} after {lines}")
            lines.append(line.strip())
        return lines

    def assert_answers(self, board=None):
        """The search ends with a legal move; returns what was told about it."""
        lines = self.lines_up_to("bestmove")
        move = chess.Move.from_uci(lines[-1].split()[1])
        self.assertIn(move, (board or chess.Board()).legal_moves)
        return lines[-2].split()

    def assert_silent(self):
        """Nothing but readiness is told: no search has answered."""
        self.send("isready")
        told = self.lines_up_to("readyok")
        self.assertFalse([line for line in told if line.startswith("bestmove")])

    def test_go_nodes(self):
        self.send("position startpos moves e2e4", "go nodes 500")
        board = chess.Board()
        board.push_uci("e2e4")
        told = self.assert_answers(board)
        self.assertEqual(told[told.index("nodes") + 1], "500")

    def test_go_movetime(self):
        self.send("position startpos", "go movetime 100")
        told = self.assert_answers()
        self.assertLessEqual(int(told[told.index("time") + 1]), 1000)

    def test_stop_ends_a_search_and_means_nothing_without_one(self):
        self.send("stop")
        self.assert_silent()
        self.send("go infinite")
        self.assert_silent()
        self.send("stop")
        self.assert_answers()
        self.send("stop")
        self.assert_silent()

    def test_ponderhit_means_nothing_unless_the_search_ponders(self):
        self.send("ponderhit")
        self.assert_silent()
        self.send("go infinite", "ponderhit")
        self.assert_silent()
        self.send("stop")
        self.assert_answers()
        self.send("ponderhit")
        self.assert_silent()

    def test_ponderhit_ends_pondering(self):
        self.send("go ponder wtime 60000 btime 60000")
        self.assert_silent()
        self.send("ponderhit")
        self.assert_answers()
        self.send("go ponder", "stop")
        self.assert_answers()

    def test_what_it_does_not_know_ends_nothing(self):
        self.send("xyzzy", "setoption name Nonsense value 3", "go nodes 20 mate 3")
        self.assert_answers()

    def test_illegal_positions_and_moves_are_reported(self):
        for line, told in [
            ("position fen 8/8/8/8/8/8/8/K7 w - - 0 1", "expected one black king"),
            ("position startpos moves e2e4 e2e5", "e2e5 is not legal"),
            ("setoption name Hash value 0", "expected a number from 1 to 65536"),
        ]:
            self.send(line)
            self.assertIn(told, self.lines_up_to("info string")[-1])
        self.send("position startpos", "go depth 1 searchmoves e2e5 e2e4")
        self.assertIn("e2e5 is not legal", self.lines_up_to("info string")[-1])
        lines = self.lines_up_to("bestmove")
        self.assertEqual(lines[-1].split()[1], "e2e4")

    def test_a_finished_game_has_no_move(self):
        self.send("position startpos moves f2f3 e7e5 g2g4 d8h4", "go depth 3")
        self.assertEqual(self.lines_up_to("bestmove")[-1], "bestmove 0000")

    def test_ten_thousand_lines_at_once(self):
        lines = ["position startpos moves e2e4", "go infinite", "isready", "stop", "xyzzy"] * 2000
        # On another thread: the engine writes while it reads.
        sender = threading.Thread(target=self.send, args=(*lines, "isready"))
        sender.start()
        best = ready = 0
        while ready < 2001:
            line = self.engine.stdout.readline()
            self.assertTrue(line)
            best += line.startswith("bestmove")
            ready += line.startswith("readyok")
        sender.join()
        self.assertEqual(best, 2000)


class Quit(unittest.TestCase):
    def test_quit_ends_a_search(self):
        for end in ["quit\n", ""]:
            done = subprocess.run(
                MEEPLE, input=f"go infinite\n{end}", capture_output=True, text=True, timeout=30
            )
            self.assertEqual(done.returncode, 0)
            self.assertEqual(done.stdout.count("bestmove"), 1)


if __name__ == "__main__":
    unittest.main()
