"""The package passes mypy in its strict mode, and tells users the types of everything."""

import pathlib
import subprocess
import sys

import pytest

import meeple

pytest.importorskip("mypy")
PACKAGE = pathlib.Path(meeple.__file__).parent


def mypy(*arguments):
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_package_is_strictly_typed(tmp_path):
    checked = mypy("--cache-dir", str(tmp_path), "-p", "meeple")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_users_are_told_types(tmp_path):
    file = tmp_path / "user.py"
    file.write_text(
        "import meeple\n"
        "reveal_type(meeple.Tables('pig', 2).rewards)\n"
        "reveal_type(meeple.Tables('pig', 2).step([0, 0])[3])\n"
        "state = meeple.load_game('pig').new_initial_state()\n"
        "reveal_type(state.legal_actions())\n"
        "reveal_type(state.legal_actions(as_array=True))\n"
        "reveal_type(state.full_history()[0].player)\n"
        "reveal_type(meeple.__version__)\n"
    )
    checked = mypy("--cache-dir", str(tmp_path), str(file))
    assert checked.returncode == 0, checked.stdout + checked.stderr
    revealed = [line.split("Revealed type is ")[1] for line in checked.stdout.splitlines()]
    expected = ["floating[numpy._typing._nbit_base._32Bit]", "numpy.bool", "list[", "64Bit", "int", "str"]
    assert len(revealed) == len(expected)
    for line, word in zip(revealed, expected):
        assert word in line, (line, word)
