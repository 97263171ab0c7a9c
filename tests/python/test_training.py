"""What a training run writes, read by the programs it is meant for."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from test_experiments import load

MEEPLE = os.environ["MEEPLE"]

CONFIG = {
    "game": "tic-tac-toe",
    "seed": 1,
    "network": {"width": 16, "blocks": 1, "neck": 16, "value": 8},
    "self_play": {"games": 10, "simulations": 8},
    "learning": {"batch": 16},
    "evaluation": {"every": 2, "games": 4, "bot": "puct:sims=8", "ladder": ["random"]},
}


class Training(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name) / "run"
        file = Path(folder.name) / "train.json"
        file.write_text(json.dumps(CONFIG))
        # Two parts, so that there are two event files.
        self.run_meeple("--config", file, "--out", self.out, "--iterations", "2")
        self.run_meeple("--resume", self.out, "--iterations", "4")

    def run_meeple(self, *arguments: object) -> None:
        command = [MEEPLE, "train", *map(str, arguments)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def test_tensorboard(self) -> None:
        self.assertEqual(len(list((self.out / "tensorboard").iterdir())), 2)
        events = EventAccumulator(str(self.out / "tensorboard"))
        events.Reload()
        lines = (self.out / "history.jsonl").read_text().splitlines()
        history = [json.loads(line) for line in lines]
        for tag, key in [("loss/policy", "policy_loss"), ("buffer/window", "window")]:
            found = [(event.step, event.value) for event in events.Scalars(tag)]
            self.assertEqual([step for step, _ in found], [1, 2, 3, 4])
            for (_, value), report in zip(found, history):
                self.assertAlmostEqual(value, report[key], places=4)
        self.assertEqual([event.step for event in events.Scalars("strength/elo")], [2, 4])

    def test_shards(self) -> None:
        shards = sorted((self.out / "samples").iterdir())
        self.assertEqual([shard.name for shard in shards], [f"{n:06}.safetensors" for n in range(4)])
        for number, shard in enumerate(shards):
            about, tensors = load(shard)
            self.assertEqual((about["game"], about["version"]), ("tic-tac-toe", "2"))
            (count, _), _ = tensors["observations"]
            _, games = tensors["games"]
            self.assertTrue(all(10 * number <= game < 10 * number + 10 for game in games))
            self.assertEqual(list(games), sorted(games))
            _, starts = tensors["legal_starts"]
            _, policy = tensors["legal_policy"]
            for first, last in zip(starts, starts[1:]):
                self.assertAlmostEqual(sum(policy[first:last]), 1.0, places=3)
            self.assertEqual(tensors["values"][0], [count, 2])
            self.assertEqual(set(tensors["cut"][1]), {0})


if __name__ == "__main__":
    unittest.main()
