"""How work says how far it is."""

from collections.abc import Callable

from calibcore.numerics.engine import Progress as Report

__all__ = ["Cancelled", "Progress", "Report", "silent", "telling"]

Progress = Callable[[float, str], None]
"""Is told the fraction done and what is being done; may raise :class:`Cancelled`."""


class Cancelled(Exception):
    """Raised by a progress callback to stop the work."""


def silent(fraction: float, words: str) -> None:
    """A :data:`Progress` that tells nobody."""


def telling(progress: Progress | None, words: str, step: int = 0, steps: int = 1) -> Report:
    """Takes the fraction done of one step; ``progress`` is told that of the whole, with ``words``."""

    def report(fraction: float) -> None:
        if progress is not None:
            progress((step + fraction) / steps, words)

    return report
