"""Room that is kept on the disk of an SQLite store: to delete from a full disk takes some, too."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

RESERVE = 32_000_000
"""Bytes: a deleted report is overwritten in the log of writes first, so as many as a large one takes."""
SHARE = 10
"""Of what is free, this part at most."""


class Room:
    """A file beside the store that is given up when there is no other room, and made again afterwards."""

    def __init__(self, store: Path) -> None:
        self._path = store.with_name(store.name + "-reserve")

    def keep(self, size: int = RESERVE) -> None:
        """Keep as much as that, or a tenth of what is free; nothing where even that cannot be had."""
        with suppress(OSError):
            if self._path.exists():
                return
            self._take(min(size, shutil.disk_usage(self._path.parent).free // SHARE))

    def give(self) -> int:
        """Give it up; the bytes that this frees."""
        try:
            size = self._path.stat().st_size
            self._path.unlink()
        except OSError:
            return 0
        return size

    def take_back(self, size: int) -> None:
        """What was given up, or as large a part of it as can be had."""
        while size >= 4_096:
            try:
                self._take(size)
            except OSError:
                size //= 2
            else:
                return

    def _take(self, size: int) -> None:
        if size <= 0:
            return
        file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            _fill(file, size)
        except OSError:
            self._path.unlink()
            raise
        finally:
            os.close(file)


def _fill(file: int, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
        return
    for _ in range(0, size, 1_000_000):
        os.write(file, bytes(1_000_000))
