"""The documented example: PyTorch learns from self-play shards."""

import pathlib
import runpy

import pytest

pytest.importorskip("torch")

EXAMPLE = pathlib.Path(__file__).parents[3] / "examples" / "python" / "torch_on_samples.py"


def test_what_is_learned_judges_for_a_search():
    found = runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert found["after"] < found["before"] - 0.1
    assert found["share"] > 0.85
