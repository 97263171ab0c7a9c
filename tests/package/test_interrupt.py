"""Ctrl-C is heard in every long call, which then ends at once."""

import os
import signal
import subprocess
import sys
import time

import pytest

#: What each script does in its long call, which takes minutes unless it is interrupted.
CALLS = {
    "equity by enumeration": "meeple.equity(['random'] * 3, board='2c7h9d', method='exact')",
    "equity by ranges": "meeple.equity(['22+, A2s+', '22+, A2s+', '22+, A2s+'], method='exact')",
    "equity by pairs": "meeple.equity(['random', 'random'], dead='2c', method='exact')",
    "equity by samples": "meeple.equity(['random'] * 2, method='sample', deals=10**11)",
    "reset": "meeple.Tables('connect-four', 2, seat=1, opponents=SLOW).reset(1)",
    "step": "tables.step(tables.sample())",
    "choose": "state.choose(SLOW)",
    "choose by playouts": "state.choose('flat:playouts=1000000')",
    "search": "meeple.search(state, SLOW)",
    "search in magic": "meeple.search(magic, 'mcts-ismcts:sims=100000000,full_budget=yes')",
    "simulate": "meeple.load_game('connect-four').simulate([SLOW], 2)",
    "playouts": "meeple.load_game('magic').random_playouts(10**9)",
    "experiment": "meeple.run_experiment(EXPERIMENT, folder)",
    "training": "meeple.train(TRAINING, folder)",
}

SCRIPT = """
import signal, sys, tempfile, threading, meeple
# A process in the background ignores the signal by default.
signal.signal(signal.SIGINT, signal.default_int_handler)
SLOW = "mcts:sims=100000000,full_budget=yes"
folder = tempfile.mkdtemp() + "/run"
state = meeple.load_game("connect-four").new_initial_state()
magic = meeple.load_game("magic").new_initial_state()
magic.resolve_chance(1)
EXPERIMENT = {"name": "slow", "tables": ["connect-four"], "bots": [SLOW],
              "task": {"collect": {"games": 4}}}
TRAINING = {"game": "connect-four", "self_play": {"games": 100000},
            "evaluation": {"every": 0}}
tables = meeple.Tables("connect-four", 2, seat=0, opponents=SLOW)
tables.reset(1)
threading.Timer(0.3, lambda: print("running", flush=True)).start()
try:
    CALL
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""

#: Seconds: many times what is promised, for machines that are busy.
PATIENCE = 20


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.replace(" ", "-"))
def test_ctrl_c_is_heard(call, tmp_path):
    command = [sys.executable, "-c", SCRIPT.replace("CALL", CALLS[call])]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout.readline() == "running\n"
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=PATIENCE)[0] == "interrupted\n"
            print(f"{call}: {time.monotonic() - sent:.2f} s")
        finally:
            process.kill()
    assert process.returncode == 0


def test_tables_are_reset_after_an_interruption():
    """The interrupt is raised by a timer in this very process."""
    import threading

    import meeple

    tables = meeple.Tables("connect-four", 1, seat=1, opponents="mcts:sims=100000000,full_budget=yes")
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            tables.reset(1)
    finally:
        signal.signal(signal.SIGINT, handler)
    with pytest.raises(ValueError, match="expected a reset"):
        tables.step([0])
