"""Training: a network learns tic-tac-toe from its own games, and is played by."""

# %% A small run; `{"game": "connect-four"}` and an evening is a larger one.
import tempfile

import meeple

config = {
    "game": "tic-tac-toe",
    "network": {"width": 32, "blocks": 1, "neck": 32, "value": 16},
    "self_play": {"games": 100, "simulations": 16},
    "buffer": {"first": 1000, "last": 4000},
    "evaluation": {"every": 0},
}


def show(report):
    """Is told of every iteration; returning False would end the run."""
    print(f"iteration {report['iteration']}: policy loss {report['policy_loss']:.3f}")


with tempfile.TemporaryDirectory() as folder:
    reached = meeple.train(config, folder, iterations=5, on_iteration=show)
    # A run can be resumed from its folder, here or by `meeple train --resume`.
    reached = meeple.train(folder=folder, iterations=10, on_iteration=show)

    # %% The network as a bot, against random play.
    bots = [f"puct:sims=16,model={reached['model']}", "random"]
    counts = meeple.load_game("tic-tac-toe").simulate(bots, 200)
    share = (1 + counts["mean_returns"][0]) / 2
    print(f"{reached['state']['games']} games: {100 * share:.0f} % of the points as first player")
