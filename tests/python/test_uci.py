"""Drives `meeple uci` with python-chess, as a chess program would."""

import os
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
        while not board.is_game_over(claim_draw=True) and board.ply() < 160:
            played = self.engine.play(board, chess.engine.Limit(nodes=40))
            self.assertIn(played.move, board.legal_moves)
            board.push(played.move)
        self.assertGreater(board.ply(), 10)

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


if __name__ == "__main__":
    unittest.main()
