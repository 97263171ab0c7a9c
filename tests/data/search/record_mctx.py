"""Records what mctx finds in a made-up game of two players.

    pip install mctx==0.0.71 jax==0.10.2
    python record_mctx.py > mctx.json

The game has no end within reach of a search. A state is a number of 32 bits; the value to
whoever is to move and the priors follow from it by the functions below, which
crates/search/tests/gumbel.rs has too. Priors are multiples of 1 / 65535, as they are kept in
our trees, so that both searches see the same numbers.
"""

import functools
import json

import jax
import jax.numpy as jnp
import mctx

# Actions, simulations, actions considered, visit offset, value scale.
GROUPS = [
    (2, 16, 16, 50.0, 1.0),
    (4, 32, 4, 50.0, 1.0),
    (7, 64, 4, 50.0, 0.2),
    (8, 50, 8, 50.0, 0.1),
    (8, 8, 16, 20.0, 0.5),
    (8, 200, 3, 50.0, 0.2),
]
SEEDS = range(1, 9)


def mix(x):
    x = jnp.asarray(x, jnp.uint32)
    x = (x ^ (x >> 16)) * jnp.uint32(0x7FEB352D)
    x = (x ^ (x >> 15)) * jnp.uint32(0x846CA68B)
    return x ^ (x >> 16)


def child(state, action):
    return mix(state + jnp.uint32(0x9E3779B9) * (action.astype(jnp.uint32) + 1))


def value(state):
    return (mix(state ^ jnp.uint32(0x01234567)) >> 8).astype(jnp.float32) * 2.0**-23 - 1.0


def logits(state, actions):
    number = jnp.arange(actions, dtype=jnp.uint32)
    weights = 1 + mix(state[:, None] ^ (jnp.uint32(0xABCD0000) + number)) % 1000
    parts = 65535 * weights // weights.sum(axis=1, keepdims=True)
    parts = parts.at[:, 0].add(65535 - parts.sum(axis=1))
    return jnp.log(parts.astype(jnp.float32) / 65535)


def search(actions, simulations, considered, visit_offset, value_scale):
    def step(_params, _key, action, state):
        state = child(state, action)
        zero = jnp.zeros(state.shape)
        output = mctx.RecurrentFnOutput(
            reward=zero, discount=zero - 1, prior_logits=logits(state, actions), value=value(state)
        )
        return output, state

    roots = mix(jnp.asarray(list(SEEDS), jnp.uint32))
    root = mctx.RootFnOutput(
        prior_logits=logits(roots, actions), value=value(roots), embedding=roots
    )
    # Our values are scaled from -1..1 to 0..1, so half the scale is the same.
    qtransform = functools.partial(
        mctx.qtransform_completed_by_mix_value,
        value_scale=value_scale / 2,
        maxvisit_init=visit_offset,
        rescale_values=False,
    )
    found = mctx.gumbel_muzero_policy(
        None,
        jax.random.PRNGKey(0),
        root,
        step,
        num_simulations=simulations,
        max_num_considered_actions=considered,
        gumbel_scale=0.0,
        qtransform=qtransform,
    )
    visits = found.search_tree.summary().visit_counts
    for at, seed in enumerate(SEEDS):
        yield {
            "seed": seed,
            "actions": actions,
            "simulations": simulations,
            "considered": considered,
            "visit_offset": visit_offset,
            "value_scale": value_scale,
            "visits": [int(count) for count in visits[at]],
            "policy": [round(float(share), 7) for share in found.action_weights[at]],
            "best": int(found.action[at]),
        }


cases = [case for group in GROUPS for case in search(*group)]
lines = ",\n".join(json.dumps(case) for case in cases)
print(f'{{"mctx": "{mctx.__version__}", "cases": [\n{lines}\n]}}')
