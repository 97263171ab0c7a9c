"""Training from Python: started, watched, stopped, resumed."""

import json
import signal
import subprocess
import sys

import pytest

import meeple

CONFIG = {
    "game": "tic-tac-toe",
    "seed": 3,
    "network": {"width": 16, "blocks": 1, "neck": 16, "value": 8},
    "self_play": {"games": 20, "at_once": 8, "simulations": 8},
    "buffer": {"first": 200, "last": 400, "trainings": 2, "most_trainings": 4},
    "learning": {"batch": 32},
    "evaluation": {"every": 2, "games": 4, "bot": "puct:sims=8", "ladder": ["random"]},
}


def test_a_run_is_watched_and_returns_what_it_came_to(tmp_path):
    reports = []
    reached = meeple.train(CONFIG, tmp_path, iterations=3, on_iteration=reports.append)
    assert reached["ended"] == "finished" and reached["folder"] == str(tmp_path)
    assert reached["state"]["iterations"] == 3 and reached["state"]["games"] == 60
    assert [report["iteration"] for report in reports] == [1, 2, 3]
    assert reached["latest"] == reports[-1] and "policy_loss" in reports[-1]
    assert {rating["name"] for rating in reached["ratings"]} >= {"random"}
    network = meeple.load_network("tic-tac-toe", reached["model"])
    assert network.players == 2
    bots = [f"puct:sims=8,model={reached['model']}", "random"]
    assert meeple.load_game("tic-tac-toe").simulate(bots, 10)["games"] == 10


def test_a_run_in_parts_comes_to_the_same(tmp_path):
    parts = tmp_path / "parts"
    stopped = meeple.train(CONFIG, parts, iterations=100_000, on_iteration=lambda report: False)
    reached = stopped["state"]["iterations"]
    assert stopped["ended"] == "stopped" and reached >= 1
    heard = []
    # The folder knows the rest of the configuration.
    gone_on = meeple.train(folder=parts, iterations=reached + 2, on_iteration=heard.append)
    assert gone_on["ended"] == "finished"
    assert [report["iteration"] for report in heard] == [reached + 1, reached + 2]
    file = tmp_path / "config.json"
    file.write_text(json.dumps(CONFIG))
    whole = meeple.train(file, tmp_path / "whole", iterations=reached + 2, threads=1)
    model = (tmp_path / "whole" / "model.safetensors").read_bytes()
    assert (parts / "model.safetensors").read_bytes() == model
    assert gone_on["state"]["games"] == whole["state"]["games"] == 20 * (reached + 2)


def test_hidden_information_is_trained_too(tmp_path):
    config = {**CONFIG, "game": "kuhn", "evaluation": {"every": 0}}
    reached = meeple.train(config, tmp_path, iterations=2)
    assert reached["state"]["games"] == 40


def test_what_a_callback_raises_stops_the_run(tmp_path):
    def fails(report):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        meeple.train(CONFIG, tmp_path, iterations=1_000_000, on_iteration=fails)
    assert meeple.train(folder=tmp_path, iterations=1)["state"]["iterations"] >= 1


def test_ctrl_c_ends_it_and_keeps_what_is_finished(tmp_path):
    script = (
        "import json, signal, sys, meeple\n"
        # A process in the background ignores the signal by default.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "meeple.train(json.loads(sys.argv[1]), sys.argv[2], iterations=1_000_000,\n"
        "             on_iteration=lambda report: print(report['iteration'], flush=True))\n"
    )
    command = [sys.executable, "-c", script, json.dumps(CONFIG), str(tmp_path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "1\n"
        process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert "KeyboardInterrupt" in errors
    assert meeple.train(folder=tmp_path, iterations=1)["state"]["iterations"] >= 1


def test_mistakes_are_named(tmp_path):
    for config, kind, message in [
        ({"game": "tic-tac-tow"}, ValueError, "tic-tac-tow"),
        ({"game": "kuhn", "self_play": {"games": 0}}, ValueError, "0 is not from 1 to"),
        ({"game": "kuhn", "gmaes": 1}, ValueError, "gmaes"),
        (tmp_path / "missing.json", FileNotFoundError, "missing|No such file"),
        (3, TypeError, "config is int, expected a dictionary or the path of a file"),
    ]:
        with pytest.raises(kind, match=message):
            meeple.train(config, tmp_path / "run", iterations=1)
    with pytest.raises(TypeError, match="neither config nor folder"):
        meeple.train()
    with pytest.raises(ValueError, match="holds no training run"):
        meeple.train(folder=tmp_path / "run")
    meeple.train(CONFIG, tmp_path / "run", iterations=1)
    with pytest.raises(ValueError, match="seed differs"):
        meeple.train({**CONFIG, "seed": 4}, tmp_path / "run", iterations=2)
