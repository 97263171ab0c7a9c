"""The vector environment with Gymnasium's interface."""

# %% Four thousand games of Stone Age against two bots.
import time

import gymnasium

import meeple.gymnasium  # registers the environments

envs = gymnasium.make_vec("meeple/stone-age-v0", 1024, players=3, opponents="random", copy=False)
observations, infos = envs.reset(seed=1)
start, steps = time.perf_counter(), 50
finished = 0
for _ in range(steps):
    observations, rewards, terminated, truncated, infos = envs.step(envs.unwrapped.sample_actions())
    finished += int(terminated.sum())
rate = steps * envs.num_envs / (time.perf_counter() - start)
print(f"{rate:,.0f} decisions a second, {finished} games finished")
