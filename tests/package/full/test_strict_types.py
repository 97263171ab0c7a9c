"""The package is strictly typed where Ray and Stable-Baselines3 are installed, too."""

import subprocess
import sys

import pytest

for module in ("mypy", "ray", "stable_baselines3"):
    pytest.importorskip(module)


def test_the_package_is_strictly_typed(tmp_path):
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary"]
    command += ["--cache-dir", str(tmp_path), "-p", "meeple"]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
