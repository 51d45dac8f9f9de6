"""Work as bytes, its large arrays apart, so that each of them travels once."""

import hashlib
import io
import pickle
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
LARGE = 100_000
"""Bytes from which an array travels by itself."""


def packed(work: Any) -> tuple[bytes, list[Array]]:
    """``work`` without its large arrays, and those."""
    arrays: list[Array] = []
    numbers: dict[int, int] = {}

    class Pickler(pickle.Pickler):
        def persistent_id(self, value: Any) -> int | None:
            if not (isinstance(value, np.ndarray) and value.nbytes >= LARGE and value.dtype.kind in "biuf"):
                return None
            if id(value) not in numbers:
                numbers[id(value)] = len(arrays)
                arrays.append(value)
            return numbers[id(value)]

    out = io.BytesIO()
    Pickler(out, protocol=5).dump(work)
    return out.getvalue(), arrays


def unpacked(data: bytes, arrays: list[Array]) -> Any:
    """The inverse of :func:`packed`."""

    class Unpickler(pickle.Unpickler):
        def persistent_load(self, number: int) -> Array:
            return arrays[number]

    return Unpickler(io.BytesIO(data)).load()


def digest(array: Array) -> str:
    """SHA-256 of the numbers, their type, shape, order and whether they may be changed: 0.6 s a gigabyte."""
    kind = f"{array.dtype.str},{array.shape},{array.strides},{array.flags.writeable}"
    content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    sha = hashlib.sha256(kind.encode())
    sha.update(content.data)
    return sha.hexdigest()
