"""How many bytes of uploads the server holds: of everybody, and of each visitor.

A file counts as it comes, byte by byte, until nothing has it any more; what was read from it counts beside
it. So who says that much will come, and sends little, holds nobody up.
"""

import threading
from dataclasses import dataclass
from weakref import WeakSet

from calibcore.limits import LIMITS


@dataclass(eq=False)
class Hold:
    """Bytes that count for a visitor as long as this lives: so whoever has them has this beside them."""

    visitor: str
    size: int


HEAD = 4_000
"""Bytes that come with a file and are none of it."""


class Full(Exception):
    """More bytes would be held than are allowed; in sentences that say what mends it."""


class TooLarge(Full):
    """However little else is held: it is larger than what is taken at all."""


class FullForAll(Full):
    """Of this visitor it would be taken, but all together hold too much."""


class Budget:
    """At most so many megabytes of everybody, of each visitor, and of one file. Threads may share it."""

    def __init__(
        self,
        most: int = LIMITS.uploads_mb,
        each: int = LIMITS.visitor_uploads_mb,
        per_file: int = LIMITS.max_unpacked_mb,
    ) -> None:
        self._most, self._each = most, min(each, most)
        self.per_file = min(per_file, each, most)
        self._holds: WeakSet[Hold] = WeakSet()
        self._lock = threading.Lock()

    def take(self, visitor: str, size: int) -> Hold:
        """Count a file that is here.

        Raises
        ------
        Full : with it more would be held than is allowed.
        """
        hold = self.arriving(visitor, size)
        self.grow(hold, size)
        return hold

    def arriving(self, visitor: str, size: int, files: int = 1) -> Hold:
        """Begin to count a file that is said to have that size, or so many ``files`` at once: none of it is
        here, so it takes no room yet.

        Raises
        ------
        Full : with all of it more would be held than is allowed.
        """
        most = self.per_file if files == 1 else self._each
        with self._lock:
            if size > min(most * 1e6 + HEAD * files, self._each * 1e6):
                raise TooLarge(
                    f"It has {_mb(size)}, and this server takes files of at most {most:,} MB. Use "
                    "fewer cases or columns, or Parquet, which needs less space."
                )
            self._check(visitor, size)
            return self._counted(visitor, 0)

    def grow(self, hold: Hold, size: int) -> None:
        """Count so many bytes more of what is on its way.

        Raises
        ------
        Full : with them more would be held than is allowed.
        """
        with self._lock:
            self._check(hold.visitor, size)
            hold.size += size

    def _check(self, visitor: str, size: int) -> None:
        own, total = self._held_by(visitor) + size, self._held_by() + size
        if own > self._each * 1e6:
            raise Full(
                f"With it your files and models in all tabs would take {_mb(own)}. This server holds at "
                f"most {self._each:,} MB for one person or address. Remove models that you do not need "
                "any more, here or in other tabs, and choose the file again."
            )
        if total > self._most * 1e6:
            raise FullForAll(
                f"With it the files and models of all visitors would take {_mb(total)}, and this server "
                f"holds at most {self._most:,} MB. Choose it again in some minutes: what closed tabs "
                f"held is forgotten after {LIMITS.workspace_minutes} minutes."
            )

    def count(self, visitor: str, size: int) -> Hold:
        """Count what is held already, allowed or not."""
        with self._lock:
            return self._counted(visitor, size)

    def held(self) -> int:
        """Bytes of everybody."""
        with self._lock:
            return self._held_by()

    def _held_by(self, visitor: str | None = None) -> int:
        return sum(hold.size for hold in self._holds if visitor in (None, hold.visitor))

    def _counted(self, visitor: str, size: int) -> Hold:
        hold = Hold(visitor, size)
        self._holds.add(hold)
        return hold


BUDGET = Budget()


def _mb(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
