"""Drives `meeple uci` with python-chess, as a chess program would."""

import os
import subprocess
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
        self.assertGreater(by_nodes["score"].white().score(), 300)
        by_time = self.engine.analyse(chess.Board(), chess.engine.Limit(time=0.2))
        self.assertLess(by_time["time"], 2.0)
        self.assertIn(by_time["pv"][0], chess.Board().legal_moves)

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


if __name__ == "__main__":
    unittest.main()
