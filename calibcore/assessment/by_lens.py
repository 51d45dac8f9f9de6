"""Work on each lens of a survey: on a cluster, beside each other in threads, or one lens after the other."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from contextvars import copy_context
from functools import partial
from threading import Lock
from typing import Any

from calibcore import limits
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases
from calibcore.numerics.engine import THREADS_FROM, TWO_CLASSES, beside, in_use, taking, threads
from calibcore.numerics.progress import Progress
from calibcore.settings import DiagnosisSpec, lens_to_words
from calibcore.transforms.lenses import Lens


def by_lens(
    predictions: Cases,
    specs: Mapping[int, DiagnosisSpec],
    classes: Mapping[int, int],
    items: Mapping[int, Any],
    look: Callable[..., Any],
    progress: Progress | None,
) -> Iterator[tuple[int, Any]]:
    """The number of each lens and what ``look(predictions, item, report)`` makes of its item.

    Lenses with two classes are a task each for the engine in use, which reports nothing and is told no
    metadata, and come first, unless rows have units. Others, and several labels, give the engine tasks of
    their own. Without an engine lenses are looked at beside each other, a thread each, as much of the work
    through a lens is in one thread. Those of many classes take longest: they begin first, and have all
    threads, as they may be alone in the end.

    classes : how many each lens leaves
    """
    if not in_use() and len(specs) > 1 and threads() > 1 and predictions.n >= THREADS_FROM:
        yield from _beside_each_other(
            specs, classes, lambda i, report: look(predictions, items[i], report), progress
        )
        return
    bare = predictions.bare() if in_use() and isinstance(predictions, Predictions) else None
    apart = [i for i, spec in specs.items() if bare and spec.unit is None and classes[i] == 2]
    cost = predictions.n * TWO_CLASSES * sum(specs[i].resamples for i in apart)
    engine = taking(cost) if len(apart) > 1 else None
    left = [i for i in specs if engine is None or i not in apart]
    if engine is not None:

        def report_all(fraction: float) -> None:
            if progress is not None:
                progress(fraction * len(apart) / len(specs), f"{len(apart)} checks of two classes")

        bare_look = partial(look, bare)
        yield from zip(
            apart, engine.each(bare_look, [items[i] for i in apart], report_all, cost), strict=True
        )
    for done, i in enumerate(left, start=len(specs) - len(left)):

        def report(fraction: float, words: str, done: int = done, lens: Lens = specs[i].lens) -> None:
            if progress is not None:
                progress((done + fraction) / len(specs), f"{lens_to_words(lens)}: {words}")

        yield i, look(predictions, items[i], report)
    if progress is not None:
        progress(1.0, "done")


def _beside_each_other(
    specs: Mapping[int, DiagnosisSpec],
    classes: Mapping[int, int],
    look: Callable[[int, Progress], Any],
    progress: Progress | None,
) -> Iterator[tuple[int, Any]]:
    """What ``look`` makes of each lens by its number, in order, as many at a time as there are threads."""
    done, one_at_a_time = dict.fromkeys(specs, 0.0), Lock()

    def task(i: int) -> Any:
        def report(fraction: float, words: str) -> None:
            with one_at_a_time:
                done[i] = fraction
                if progress is not None:
                    progress(sum(done.values()) / len(done), f"{lens_to_words(specs[i].lens)}: {words}")

        with nullcontext() if classes[i] > 2 else beside(limits.LIMITS.threads):
            result = look(i, report)
        report(1.0, "done")
        return result

    pool = ThreadPoolExecutor(threads())
    try:
        longest_first = sorted(specs, key=lambda i: -classes[i])
        coming = {i: pool.submit(copy_context().run, task, i) for i in longest_first}
        for i in specs:
            yield i, coming[i].result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    if progress is not None:
        progress(1.0, "done")
