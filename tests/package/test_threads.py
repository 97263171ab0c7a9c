"""Objects that several threads share: every call is a whole of its own."""

import threading

import numpy as np

import meeple


def together(count, work):
    """Runs `work(number)` on threads that begin at once; raises what one of them raised."""
    barrier, errors = threading.Barrier(count), []

    def run(number):
        barrier.wait()
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_a_state_is_shared():
    state = meeple.load_game("pig").new_initial_state()

    def work(number):
        for _ in range(200):
            state.clone().resolve_chance(number)
            state.choose("random") if state.current_player() >= 0 else state.resolve_chance(number)
            assert state.serialize() and state == state.clone()

    together(4, work)


def test_a_search_leaves_others_alone():
    state = meeple.load_game("connect-four").new_initial_state()
    searched = []

    def work(number):
        if number == 0:
            searched.append(meeple.search(state, "mcts:sims=20000").iterations)
        else:
            for _ in range(300):
                state.apply_action(state.legal_actions()[0])
                state.undo_action(0, state.history()[-1])

    together(2, work)
    assert searched[0] > 0


def test_tables_are_shared():
    tables = meeple.Tables("connect-four", 8, seat=0, opponents="mcts:sims=10")
    tables.reset(1)

    def work(number):
        for _ in range(20):
            with tables.lock:
                tables.step(tables.sample())
            assert tables.text(number % 8)

    together(4, work)


def test_a_network_is_shared():
    network = meeple.new_network("tic-tac-toe", width=16, blocks=1, neck=8, value=8)
    state = meeple.load_game("tic-tac-toe").new_initial_state()
    seen = state.get_observation()
    other = meeple.new_network("tic-tac-toe", width=16, blocks=1, neck=8, value=8, seed=2)

    def work(number):
        for _ in range(50):
            network.predict(seen)
            network.train_batch(seen[None], np.full((1, 9), 1 / 9), [[0.0, 0.0]])
            # In both directions at once: neither waits for the other for ever.
            (network if number % 2 else other).copy_weights_to(other if number % 2 else network)

    together(4, work)
