"""The documented example: sb3-contrib's MaskablePPO learns to beat random play."""

import pathlib
import runpy

import pytest

pytest.importorskip("sb3_contrib")

EXAMPLE = pathlib.Path(__file__).parents[3] / "examples" / "python" / "maskable_ppo.py"


def test_the_agent_beats_random_play():
    share = runpy.run_path(str(EXAMPLE))["train_and_measure"](steps=60_000, games=200)
    assert share > 0.75
