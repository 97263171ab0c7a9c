"""Training data: the files that experiments and training write, as NumPy arrays.

The format is safetensors, described in docs/src/reference/experiments.md; nothing but
NumPy is needed.
"""

from __future__ import annotations

import json
import os
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = dict[str, npt.NDArray[Any]]

__all__ = ["SampleError", "dense_policy", "read_samples", "samples_from_bytes"]

_TYPES = {
    "U8": np.uint8,
    "I8": np.int8,
    "BOOL": np.bool_,
    "U16": np.uint16,
    "I16": np.int16,
    "U32": np.uint32,
    "I32": np.int32,
    "F32": np.float32,
    "U64": np.uint64,
    "I64": np.int64,
    "F64": np.float64,
}


class SampleError(ValueError):
    """A file that holds no samples, or is damaged."""


def samples_from_bytes(data: bytes, name: str = "samples") -> tuple[Arrays, dict[str, Any]]:
    """The arrays in the bytes of a file, by name, and what its `meeple` entry says."""
    try:
        (length,) = struct.unpack_from("<Q", data)
        header = json.loads(bytes(data[8 : 8 + length]))
        about = json.loads(header.pop("__metadata__")["meeple"])
        arrays = {}
        for key, entry in header.items():
            start, end = (8 + length + offset for offset in entry["data_offsets"])
            if end > len(data):
                raise ValueError(f"{key} ends at byte {end} of {len(data)}")
            raw: npt.NDArray[Any] = np.frombuffer(data[start:end], _TYPES[entry["dtype"]])
            arrays[key] = raw.reshape(entry["shape"])
    except (ValueError, KeyError, TypeError, struct.error) as error:
        raise SampleError(f"{name} is no file of samples, or damaged: {error!r}") from error
    return arrays, about


def read_samples(path: str | os.PathLike[str]) -> tuple[Arrays, dict[str, Any]]:
    """The arrays of a file of samples, by name, and what its `meeple` entry says."""
    with open(path, "rb") as file:
        return samples_from_bytes(file.read(), str(path))


def dense_policy(arrays: Arrays, actions: int) -> npt.NDArray[np.float32]:
    """The policies as one array `[decisions, actions]` of float32."""
    starts = arrays["legal_starts"].astype(np.int64)
    policy = np.zeros((len(starts) - 1, actions), np.float32)
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    policy[rows, arrays["legal_actions"]] = arrays["legal_policy"]
    return policy
