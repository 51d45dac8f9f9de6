"""What dask writes to the log is not for those who only asked for numbers."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quietly() -> Iterator[None]:
    yield


_ = logging
