"""Prints predictions per second of onnxruntime on one core, a line a batch size.

The model is the file named on the command line.
"""

import sys
import time

import numpy
import onnxruntime

SECONDS = 3


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def predictions_per_second(model, rows):
    (observation,) = model.get_inputs()
    cells = observation.shape[1]
    # None of them is 0, as in our own measurement.
    asked = numpy.random.default_rng(2).integers(1, 10, (rows, cells), dtype=numpy.int32)
    rates = []
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        round_start = time.perf_counter()
        done = 0
        while time.perf_counter() - round_start < 0.02:
            model.run(None, {observation.name: asked})
            done += rows
        rates.append(done / (time.perf_counter() - round_start))
    return sorted(rates)[len(rates) // 2]


model = session(sys.argv[1])
for rows in (1, 16, 64, 256):
    print(f"batch_{rows}", round(predictions_per_second(model, rows)), flush=True)
