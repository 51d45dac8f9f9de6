"""monitor: evidence against calibration, case by case in time, from one file or from one after the other.

The order of cases is one in time, and is refused where it is one of labels.
"""

import math
from copy import deepcopy
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import gammaln

from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.data.times import DayOrder, Times, times_of
from calibcore.data.units import first_rows, notes_beside, short_hashes
from calibcore.data.weights import refuse_untested
from calibcore.diagnose.parts import settings_for
from calibcore.errors import InputError
from calibcore.numerics.progress import Progress, silent
from calibcore.numerics.resampling import first_class_chances
from calibcore.numerics.types import Float, Int
from calibcore.questions.given import as_two_classes, column_given
from calibcore.questions.monitor.evidence import Evidence
from calibcore.questions.monitor.result import Monitoring
from calibcore.questions.monitor.windows import CASES, Windows
from calibcore.settings import DiagnosisSpec, lens_to_words
from calibcore.wording import listed

_MOST_NAME = 60
RARE = 1_000
"""Labels of cases without an order stand in blocks by chance in 1 of so many files at most: then they are
called ordered."""


@dataclass(frozen=True, eq=False)
class InTime:
    """Predictions in the order of their times, equal ones in the order of the rows; ``times`` None for that
    of the rows alone. ``sorted_`` says whether the rows stood in another order."""

    predictions: Predictions
    times: Times | None
    sorted_: bool

    def text(self, i: int) -> str:
        """The time of a case; empty where there is none."""
        return "" if self.times is None else self.times.text(i)

    def only(self, rows: Int) -> "InTime":
        """Some of the cases."""
        times = self.times and Times(self.times.kind, self.times.values[rows], self.times.zoned)
        return InTime(self.predictions.with_rows(rows), times, self.sorted_)


def monitor(
    predictions: Predictions,
    spec: DiagnosisSpec | None = None,
    progress: Progress | None = None,
    *,
    time: str | None = None,
    dates: DayOrder | None = None,
    window: int | None = None,
    state: Monitoring | None = None,
) -> Monitoring:
    """The evidence against calibration after every case, through the lens of ``spec``.

    An alarm is raised when it reaches 20: a model that stays calibrated does so in at most 1 of 20
    histories, however often one looks. Cases that share a time keep the order of their rows. Where ``spec``
    names a unit the first row of each is looked at, and no later one. An outcome that was given probability 0
    makes the evidence infinite; nothing after it is looked at. Cost O(n·J), J = 14 for two classes, else
    22 + 6m: a million cases of ten classes take some 5 s.

    Parameters
    ----------
    time : the column of metadata with dates or numbers; None: the order of the rows
    dates : "day-first" or "month-first", where the dates fit both
    window : cases of a moving window, even; by default 200, or that of ``state``
    state : of earlier files: the same numbers as of all in one

    Raises
    ------
    InputError : weights, pooled pairs; times that cannot be read; labels that stand in order; a state of
        another model, lens, column or window, of times after these, or that holds this file already.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import Predictions, monitor
    >>> p = Predictions.from_arrays(np.tile([[0.9, 0.1], [0.8, 0.2]], (60, 1)), [0, 1] * 60, ["ill", "well"])
    >>> monitoring = monitor(p)
    >>> monitoring.alarm, round(monitoring.pvalue, 12), monitoring.since.case
    (20, 0.0, 1)
    """
    spec = settings_for("monitor", predictions, spec or (state and state.spec))
    refuse_untested(predictions)
    if not predictions.rows_are_cases:
        raise InputError("Pooled pairs of one case happen at one time; monitor before pooling.")
    ordered = in_time(predictions, time, dates)
    cases, hashes = _one_row_a_unit(ordered, spec, state)
    if spec.lens.region:
        cases = cases.only(np.asarray(spec.lens.rows(cases.predictions), np.int64))
    induced = spec.lens(cases.predictions)
    if not induced.rows_are_cases:
        raise InputError("Pooled pairs of one case happen at one time; monitor through another lens.")
    kind = "order" if ordered.times is None else ordered.times.kind
    size = CASES if window is None else window
    begun = state or Monitoring(
        spec, induced.class_names, time, kind, Evidence(induced.m), Windows(size), {}, {}, {}, {}
    )
    if state is not None:
        _check(state, predictions, spec, induced, time, kind, window)
        _check_times(state, ordered)
    if begun.stopped is not None:
        return begun
    return _added(begun, predictions, cases, induced, hashes, ordered, progress or silent)


def _one_row_a_unit(
    ordered: InTime, spec: DiagnosisSpec, state: Monitoring | None
) -> tuple[InTime, frozenset[str]]:
    """The first row of each unit that was not seen before, and hashes of all units."""
    if spec.unit is None:
        return ordered, frozenset()
    rows, names = first_rows(ordered.predictions, spec.unit)
    hashes = short_hashes(names)
    before = frozenset() if state is None else state.units
    new = np.array([key not in before for key in hashes], np.bool_)
    return ordered.only(rows[new]), frozenset(hashes)


def _check(
    state: Monitoring,
    predictions: Predictions,
    spec: DiagnosisSpec,
    induced: Predictions,
    time: str | None,
    kind: str,
    window: int | None,
) -> None:
    """Raises :class:`InputError` where a state is of something else."""
    for what, before, now in (
        ("lens", lens_to_words(state.spec.lens), lens_to_words(spec.lens)),
        ("column of units", state.spec.unit, spec.unit),
        ("column of times", state.time, time),
        ("kind of times", state.kind, kind),
        ("window", state.windows.size, state.windows.size if window is None else window),
    ):
        if before != now:
            raise InputError(
                f"The state has the {what} {shown(before)} and this look has {shown(now)}; expected the same."
            )
    if state.class_names != induced.class_names:
        raise InputError(
            f"The state has the classes {_cut(state.class_names)} and this file has "
            f"{_cut(induced.class_names)}; expected the same."
        )
    if predictions.fingerprint in state.files:
        raise InputError("The state holds this file already; expected the cases that came after.")


def _cut(names: tuple[str, ...]) -> str:
    return listed(tuple(name if len(name) <= _MOST_NAME else f"{name[: _MOST_NAME - 1]}…" for name in names))


def _check_times(state: Monitoring, ordered: InTime) -> None:
    if ordered.times is None or state.last is None:
        return
    if ordered.times.zoned != state.zoned:
        had, other = ("", " no") if state.zoned else (" no", "")
        raise InputError(
            f"The state has{had} time zones and this file has{other}; expected one or the other."
        )
    if ordered.times.values[0] < state.last:
        dtype = "int64" if state.kind == "date" else "float64"
        end = replace(ordered.times, values=np.array([state.last]).astype(dtype)).text(0)
        raise InputError(
            f"The file begins at {ordered.text(0)}, before {end}, where the state ends; expected the cases "
            "that came after."
        )


def _added(
    begun: Monitoring,
    predictions: Predictions,
    cases: InTime,
    induced: Predictions,
    hashes: frozenset[str],
    ordered: InTime,
    progress: Progress,
) -> Monitoring:
    never = np.flatnonzero(induced.probs[np.arange(induced.n), induced.labels] == 0)
    size = int(never[0]) + 1 if len(never) else induced.n
    evidence, windows = deepcopy(begun.evidence), deepcopy(begun.windows)
    crossed, first = dict(begun.crossed), begun.n
    predicted, hits = _chances_and_hits(induced)
    start = 0
    while start < size:
        stop = min(size, start + evidence.room())
        evidence.add(induced.probs[start:stop], induced.labels[start:stop], crossed)
        times = [cases.text(i) for i in range(start, stop)] if cases.times is not None else []
        windows.add(predicted[start:stop], hits[start:stop], times)
        start = stop
        progress(start / size, f"case {first + start:,}")

    def text(case: int) -> str:
        return cases.text(case - 1 - first)

    starts = {s: begun.start_times[s] for s in evidence.starts if s in begun.start_times}
    points = {c: begun.point_times[c] for c in evidence.cases if c in begun.point_times}
    levels = dict(begun.crossed_times)
    if cases.times is not None:
        starts |= {s: text(s + 1) for s in evidence.starts if first <= s < first + size}
        points |= {c: text(c) for c in evidence.cases if c > first}
        levels |= {level: text(case) for level, case in crossed.items() if level not in begun.crossed}
    last = begun.last if ordered.times is None else ordered.times.values[-1].item()
    notes = notes_beside(begun.spec.unit, predictions.notes)
    if ordered.sorted_:
        notes = (*notes, f"The rows were put into the order of the column {shown(begun.time)}.")
    return replace(
        begun,
        evidence=evidence,
        windows=windows,
        crossed=crossed,
        point_times=points,
        start_times=starts,
        crossed_times=levels,
        stopped=first + size if len(never) else None,
        stopped_decimals=predictions.rounding.decimals if len(never) and predictions.rounding else None,
        last=last,
        zoned=ordered.times is not None and ordered.times.zoned,
        files=(*begun.files, predictions.fingerprint),
        units=begun.units | hashes,
        rows=begun.rows + predictions.n,
        notes=(*begun.notes, *(note for note in notes if note not in begun.notes)),
    )


def _chances_and_hits(induced: Predictions) -> tuple[Float, Float]:
    """(n,) probability of a hit and whether it was one: of the first of two, or the likeliest."""
    two = as_two_classes(induced)
    return first_class_chances(two.probs), (two.labels == 0).astype(np.float64)


def in_time(predictions: Predictions, column: str | None, dates: DayOrder | None = None) -> InTime:
    """Cases in the order of ``column`` of the metadata, or as they stand.

    Raises
    ------
    InputError : no such column; times that cannot be read, see :func:`.times_of`; labels that stand in
        blocks where nothing but the order of the rows orders the cases, see :func:`in_blocks`.
    """
    if column is None:
        ties = np.zeros(predictions.n, np.int64)
        in_order = InTime(predictions, None, False)
    else:
        times = times_of(column_given(predictions, column), column, dates)
        order = np.argsort(times.values, kind="stable")
        moved = bool((order != np.arange(len(order))).any())
        in_order = InTime(predictions, times, moved)
        if moved:
            in_order = in_order.only(order)
        values = times.values[order]
        ties = np.cumsum(np.diff(values, prepend=values[:1]) != 0)
    if in_blocks(in_order.predictions.labels, ties):
        where = "the file" if column is None else f"the rows of one time in column {shown(column)}"
        raise InputError(
            f"The labels stand in order within {where}: all cases of a class stand together, so that each "
            "outcome foretells the next. Expected rows in the order in which they happened."
        )
    return in_order


def in_blocks(labels: Int, ties: Int) -> bool:
    """Whether within every tie all cases of a class stand together, though chance would hardly do so.

    ties : (n,) rising numbers of the ties, of which the order is that of the rows

    With counts ``c_k`` in a tie of ``c`` cases, of ``m`` classes, ``m! Π c_k!/c!`` of all orders have one run
    a class. The product over the ties is compared with 1/1,000. Refusing looks at
    labels and can only take alarms away: that calibrated models reach 20 in 1 of 20 histories at most stays
    true. Labels in ties of one case are not looked at, so that no change in time is mistaken for an order.
    """
    if not len(labels):
        return False
    new = np.diff(ties, prepend=ties[:1] - 1) != 0
    starts = np.flatnonzero(new)
    tie = np.cumsum(new) - 1
    changes = (np.diff(labels, prepend=labels[:1]) != 0) | new
    runs = np.bincount(tie, changes, len(starts))
    kinds, counts = np.unique(tie * (int(labels.max()) + 1) + labels, return_counts=True)
    of_tie = kinds // (int(labels.max()) + 1)
    classes = np.bincount(of_tie, minlength=len(starts))
    if (runs != classes).any():
        return False
    sizes = np.bincount(tie, minlength=len(starts))
    log_share = float((gammaln(classes + 1) - gammaln(sizes + 1)).sum() + gammaln(counts + 1).sum())
    return log_share < -math.log(RARE)
