"""Every example runs, and so does every example of the documentation."""

import pathlib
import re
import runpy
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
#: These need PyTorch or Ray and are run by `cargo xtask test --full`.
HEAVY = {"maskable_ppo.py", "ray_selfplay.py", "torch_on_samples.py"}
EXAMPLES = sorted(p for p in (ROOT / "examples" / "python").glob("*.py") if p.name not in HEAVY)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [str(path)])
    found = runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out
    if path.stem == "ppo":
        assert found["final"] > 0.8, "it learns to beat random play, which is worth 0"
    if path.stem == "train":
        assert found["share"] > 0.6
    if path.stem == "train_on_samples":
        assert found["last"] < found["first"] - 0.1


def test_the_documentations_examples_run(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "src" / "reference" / "python.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) > 4
    for block in blocks:
        exec(compile(block, "docs/src/reference/python.md", "exec"), {})  # noqa: S102
