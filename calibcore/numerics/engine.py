"""Where long sums are made: in threads of this process, or wherever the engine that is in use takes them.

Work is a function and what all of its calls share, ``partial(function, *shared)``, and one item a call.
The function belongs to a module, so that another process finds it by its name. Results come in the order
of the items, so that neither threads nor machines change a number but for the rounding of long sums.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, Protocol, TypeVar, cast

from calibcore import limits

Progress = Callable[[float], None]
"""Is told which fraction is done; may raise to stop the work."""
A = TypeVar("A")
R = TypeVar("R")
TWO_CLASSES = 4
"""Cost of a case in a redraw of a kernel estimate along a line."""
THREADS_FROM = 512
"""Below so many cases threads cost more than they save."""


class EngineError(RuntimeError):
    """The engine failed, not the data: one sentence that says what happened and what to do."""


class Engine(Protocol):
    """Takes work elsewhere. ``cost`` is in multiplications and additions, some 10⁹ a second and core."""

    def worth(self, cost: float) -> bool:
        """Whether so much work is taken: small work is faster here."""

    def parts(self, cost: float) -> int:
        """Into how many parts work is best cut."""

    def each(
        self, work: "partial[R]", items: Sequence[Any], progress: Progress | None, cost: float
    ) -> Iterator[R]:
        """The result of each item, in their order."""

    def sums(
        self, work: "partial[R]", items: Sequence[Any], progress: Progress | None, cost: float
    ) -> Iterator[R]:
        """Sums over some items each, that add up to the sum over all."""


_engine: ContextVar[Engine | None] = ContextVar("engine", default=None)
_beside: ContextVar[int] = ContextVar("beside", default=1)
_look_up: ContextVar[Callable[[], None] | None] = ContextVar("look_up", default=None)


@contextmanager
def _within(variable: ContextVar[A], value: A) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def using(engine: Engine | None) -> AbstractContextManager[None]:
    """Within, long work of this thread goes to ``engine``; None: it stays here."""
    return _within(_engine, engine)


def beside(workers: int) -> AbstractContextManager[None]:
    """Within, this thread shares the cores with others, ``workers`` in all."""
    return _within(_beside, max(1, workers))


def looking_up(ask: Callable[[], None]) -> AbstractContextManager[None]:
    """Within, this thread calls ``ask`` now and then, which may raise to stop the work."""
    return _within(_look_up, ask)


def look_up(_fraction: float = 0.0) -> None:
    """Look up from the work; may raise. A :data:`Progress`."""
    ask = _look_up.get()
    if ask is not None:
        ask()


def threads() -> int:
    """Threads for one computation."""
    return max(1, limits.LIMITS.threads // _beside.get())


def in_use() -> bool:
    """Whether there is an engine at all."""
    return _engine.get() is not None


def taking(cost: float) -> Engine | None:
    """The engine in use, if it takes work of that cost."""
    engine = _engine.get()
    return engine if engine is not None and engine.worth(cost) else None


def in_order(
    work: Callable[[A], R],
    items: Sequence[A],
    progress: Progress | None = None,
    n: int = THREADS_FROM,
    cost: float = 0.0,
) -> Iterator[R]:
    """Results in the order of the items; stops early when the consumer does.

    From threads if there are many cases ``n``. Work with a ``cost`` is a partial and may go to the engine.
    """
    engine = taking(cost) if cost and len(items) > 1 else None
    if engine is not None:
        yield from engine.each(cast("partial[R]", work), items, progress, cost)
    elif len(items) == 1 or threads() == 1 or n < THREADS_FROM:
        yield from _reported(map(work, items), len(items), progress)
    else:
        pool = ThreadPoolExecutor(threads())
        try:
            yield from _reported(pool.map(work, items), len(items), progress)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def summed(
    work: "partial[R]",
    items: Sequence[Any],
    progress: Progress | None = None,
    n: int = THREADS_FROM,
    cost: float = 0.0,
) -> R:
    """The sum of the results: numbers, arrays, or tuples of arrays. Added in order; arrays in place."""
    engine = taking(cost) if len(items) > 1 else None
    parts = engine.sums(work, items, progress, cost) if engine else in_order(work, items, progress, n)
    total = next(parts)
    for part in parts:
        total = _added(total, part)
    return total


def ranges(n: int, step: int, cost: float) -> list[tuple[int, int]]:
    """n rows in one range, or in about as many as the engine wants, cut at multiples of ``step``."""
    engine = taking(cost)
    if engine is None:
        return [(0, n)]
    size = -(-n // (engine.parts(cost) * step)) * step
    return [(start, min(start + size, n)) for start in range(0, n, size)]


def _added(total: Any, part: Any) -> Any:
    if isinstance(total, tuple):
        return tuple(_added(a, b) for a, b in zip(total, part, strict=True))
    total += part
    return total


def _reported(results: Iterator[R], total: int, progress: Progress | None) -> Iterator[R]:
    for done, result in enumerate(results, start=1):
        look_up()
        if progress is not None:
            progress(done / total)
        yield result
