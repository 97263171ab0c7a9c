"""PyTorch learns from self-play shards, and evaluates for a search: needs `pip install torch`."""

import tempfile
import time

import numpy as np
import torch

import meeple
from meeple.samples import dense_policy
from meeple.selfplay import Work, collect

game = meeple.load_game("connect-four")


def collect_games(units):
    """Games of a search against itself: what was seen, what to play, how it ended."""
    work = Work(run="torch", game="connect-four", bot="mcts:sims=200", games=40)
    with tempfile.TemporaryDirectory() as folder:
        shards = collect(work, range(units), folder)
        parts = [shards.get(seed) for seed in shards.seeds()]
    seen = [game.features(arrays["observations"]) for _, arrays, _ in parts]
    policy = [dense_policy(arrays, about["actions"]) for _, arrays, about in parts]
    outcomes = [arrays["outcomes"] for _, arrays, _ in parts]
    return [torch.from_numpy(np.concatenate(column)) for column in (seen, policy, outcomes)]


class PolicyValueNet(torch.nn.Module):
    """Logits of the actions, and a value for each seat, the one that decides first."""

    def __init__(self, hidden=128):
        super().__init__()
        (features,) = game.observation_tensor_shape()
        self.trunk = torch.nn.Sequential(
            torch.nn.Linear(features, hidden),
            torch.nn.ReLU(),
            torch.nn.Linear(hidden, hidden),
            torch.nn.ReLU(),
        )
        self.policy = torch.nn.Linear(hidden, game.num_distinct_actions())
        self.value = torch.nn.Linear(hidden, game.num_players())

    def forward(self, seen):
        hidden = self.trunk(seen)
        return self.policy(hidden), torch.tanh(self.value(hidden))

    def evaluator(self, observations, masks, players):
        """What `meeple.search` asks, many states at a time."""
        with torch.no_grad():
            logits, values = self(torch.from_numpy(observations))
        return values.numpy(), logits.numpy()


def loss(net, seen, policy, outcomes):
    """How far it is from what the search would play, and from how the games ended."""
    logits, values = net(seen)
    wrong_policy = torch.nn.functional.cross_entropy(logits, policy)
    return wrong_policy + torch.nn.functional.mse_loss(values, outcomes)


def learn(net, data, epochs, batch=256):
    """Learns from all decisions `epochs` times."""
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    for _ in range(epochs):
        for rows in torch.randperm(len(data[0])).split(batch):
            optimizer.zero_grad()
            loss(net, *(column[rows] for column in data)).backward()
            optimizer.step()


def share_against_random(net, games):
    """The share of points of a search that it evaluates for, over both seats."""
    points = 0.0
    for number in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() == number % 2:
                search = meeple.search(
                    state, "puct:sims=32", evaluator=net.evaluator, batch=8, seed=number
                )
                state.apply_action(search.best)
            else:
                state.apply_action(state.choose("random", seed=1000 * number + state.move_number()))
        points += (1 + state.returns()[number % 2]) / 2
    return points / games


if __name__ == "__main__":
    torch.manual_seed(1)
    data = collect_games(units=30)
    count = len(data[0]) // 5
    apart, data = [column[:count] for column in data], [column[count:] for column in data]
    net = PolicyValueNet()
    before = loss(net, *apart).item()
    start, epochs = time.perf_counter(), 2
    learn(net, data, epochs)
    rate = epochs * len(data[0]) / (time.perf_counter() - start)
    after = loss(net, *apart).item()
    print(f"{len(data[0])} decisions, {rate:,.0f} learned from a second")
    print(f"loss on games kept apart: {before:.3f} -> {after:.3f}")
    share = share_against_random(net, games=40)
    print(f"{100 * share:.0f} % of the points against random play")
