"""sb3-contrib's MaskablePPO learns connect four: needs `pip install sb3-contrib` (PyTorch)."""

import numpy as np


def train_and_measure(steps, games):
    """Trains for `steps` decisions and returns the share of points against random play."""
    import gymnasium
    from sb3_contrib import MaskablePPO

    import meeple.gymnasium  # registers the environments

    env = gymnasium.make("meeple/connect-four-v0", seat="rotate", dtype="float32")
    agent = MaskablePPO("MlpPolicy", env, seed=1, n_steps=1024, batch_size=256, verbose=0)
    agent.learn(steps)
    results = []
    for game in range(games):
        observation, info = env.reset(seed=10_000 + game)
        done = False
        while not done:
            masks = env.unwrapped.action_masks()
            action, _ = agent.predict(observation, action_masks=masks, deterministic=True)
            observation, reward, terminated, truncated, info = env.step(int(action))
            done = terminated or truncated
        results.append(reward)
    return float(np.mean((np.array(results) + 1) / 2))


if __name__ == "__main__":
    print(f"{100 * train_and_measure(100_000, 500):.1f} % of the points against random play")
