"""What behaves as a tensor of torch does where NumPy is concerned; torch itself is no need of the tests.

Tried beside torch 2.13: with a gradient or on a device NumPy cannot read it, and bfloat16 it does not know.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

BFLOAT16 = np.uint32(0xFFFF0000)


class Tensor:
    """``state``: "attached" to a gradient, then on a "device", then "here"; and its kind of numbers."""

    def __init__(self, values: Any, state: str = "attached") -> None:
        self.values, self.state = np.asarray(values), state

    def __array__(self, *_: object, **__: object) -> NDArray[Any]:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> "Iterator[Tensor]":
        return (Tensor(value, self.state) for value in self.values)

    def __getitem__(self, rows: Any) -> "Tensor":
        return Tensor(self.values[rows], self.state)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    @property
    def ndim(self) -> int:
        return self.values.ndim

    def detach(self) -> "Tensor":
        return Tensor(self.values, self.state.replace("attached", "device"))

    def cpu(self) -> "Tensor":
        return Tensor(self.values, self.state.replace("device", "here"))

    def double(self) -> "Tensor":
        return Tensor(self.values.astype(float), self.state.replace("bfloat16", "double"))

    def numpy(self) -> NDArray[Any]:
        if self.state.endswith("bfloat16"):
            raise TypeError("Got unsupported ScalarType BFloat16")
        assert self.state.startswith("here")
        return self.values


def bfloat16(values: NDArray[Any]) -> NDArray[np.float32]:
    """Rounded to 8 binary digits, to nearest."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + np.uint32(0x8000)) & BFLOAT16).view(np.float32)
