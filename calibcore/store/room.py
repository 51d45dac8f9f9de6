"""Room that is kept on the disk of an SQLite store: to delete from a full disk takes some, too."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

RESERVE = 32_000_000
"""Bytes: a deleted report is overwritten in the log of writes first, so as many as a large one takes."""
LEAST = 300_000
"""On a small disk: what it takes to open the store and to delete a report piece by piece, twice over."""
SHARE, MOST_SHARE = 10, 2
"""Of what is free, this part; on a small disk more, but never more than half."""
MORE = 65_536
"""Bytes that a report takes beside its own: pages that point to others, the index, their place in the log."""
BLOCK = 4_096


class Room:
    """A file beside the store that is given up when there is no other room, and made again afterwards."""

    def __init__(self, store: Path) -> None:
        self._path = store.with_name(store.name + "-reserve")

    def keep(self, least: int = LEAST) -> int:
        """Keep a tenth of what is free, and as much as ``least`` where that is no more than half; nothing
        where even that cannot be had. What is kept already stays, and grows where there is more room now.
        The bytes that are kept."""
        with suppress(OSError):
            size = self._path.stat().st_size if self._path.exists() else 0
            free = shutil.disk_usage(self._path.parent).free + size
            self._take(max(min(RESERVE, free // SHARE), min(least, free // MOST_SHARE)), size)
            return self._path.stat().st_size if self._path.exists() else 0
        return 0

    def is_enough(self, size: int, unused: int) -> bool:
        """Whether there is room for a report of that size in the log of writes, and in the store's own file,
        which has so many ``unused`` bytes; and to delete it later from a disk that others have filled."""
        needed = size + size // 20 + MORE
        held = self.keep(max(LEAST, needed))
        try:
            disk = shutil.disk_usage(self._path.parent)
        except OSError:
            return True  # what is wrong there is said by whoever writes
        return not disk.total or (disk.free >= needed + max(needed - unused, 0) and held >= needed)

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
        self._take(size, 0)

    def _take(self, size: int, held: int) -> None:
        """A file of that size, or half of it, or half of that."""
        with suppress(OSError):
            file = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o600)
            try:
                while size > held and size >= BLOCK and not _filled(file, size, held):
                    size //= 2
            finally:
                os.close(file)


def _filled(file: int, size: int, held: int) -> bool:
    """Whether it could be made that large; else it has the size that it had."""
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file, 0, size)
            return True
        for start in range(held, size, 1_000_000):
            os.pwrite(file, bytes(min(1_000_000, size - start)), start)
    except OSError:
        os.ftruncate(file, held)
        return False
    return True
