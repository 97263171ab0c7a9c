"""What experiments write, read by somebody who knows only the documents."""

import json
import os
import struct
import subprocess
import tempfile
import unittest
import zlib
from pathlib import Path

MEEPLE = os.environ["MEEPLE"]
FORMATS = {"I16": ("h", 2), "I32": ("i", 4), "U32": ("I", 4), "U16": ("H", 2), "U8": ("B", 1), "U64": ("Q", 8), "F32": ("f", 4)}

EXPERIMENT = {
    "name": "samples",
    "seed": 1,
    "tables": [{"game": "pig", "config": {"players": 3}}],
    "bots": ["mcts:sims=20"],
    "task": {"collect": {"games": 6}},
}


def load(path: Path) -> tuple[dict, dict]:
    """Reads a safetensors file with nothing but its specification."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    about = json.loads(header.pop("__metadata__")["meeple"])
    tensors = {}
    for name, entry in header.items():
        letter, size = FORMATS[entry["dtype"]]
        start, end = entry["data_offsets"]
        values = struct.unpack(f"<{(end - start) // size}{letter}", data[8 + length + start : 8 + length + end])
        tensors[name] = (entry["shape"], values)
    return about, tensors


class Experiments(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        file = self.folder / "samples.json"
        file.write_text(json.dumps(EXPERIMENT))
        self.out = self.folder / "out"
        subprocess.run([MEEPLE, "run", file, "--out", self.out], check=True, stdout=subprocess.DEVNULL)

    def test_samples(self) -> None:
        about, tensors = load(self.out / "samples" / "0-00000.safetensors")
        self.assertEqual((about["game"], about["version"]), ("pig", "2"))
        (count, cells), _ = tensors["observations"]
        self.assertEqual(cells, sum(field["cells"] for field in about["observation"]))
        self.assertEqual(tensors["outcomes"][0], [count, 3])
        _, starts = tensors["legal_starts"]
        _, policy = tensors["legal_policy"]
        self.assertEqual(len(starts), count + 1)
        for first, last in zip(starts, starts[1:]):
            self.assertAlmostEqual(sum(policy[first:last]), 1.0, places=4)
        records = [json.loads(line) for line in (self.out / "games.jsonl").read_text().splitlines()]
        self.assertEqual(count, sum(record["decisions"] for record in records))
        _, games = tensors["games"]
        _, seats = tensors["seats"]
        _, outcomes = tensors["outcomes"]
        for at in range(count):
            payoffs = records[games[at]]["payoffs"]
            mine = [payoffs[(seats[at] + turn) % 3] for turn in range(3)]
            for told, found in zip(mine, outcomes[3 * at : 3 * at + 3]):
                self.assertAlmostEqual(told, found, places=5)

    def test_checksums(self) -> None:
        for line in (self.out / "games.jsonl").read_text().splitlines():
            body, check = line[:-2].split(',"check":"')
            self.assertEqual(int(check, 16), zlib.crc32((body + "}").encode()))


if __name__ == "__main__":
    unittest.main()
