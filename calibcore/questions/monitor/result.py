"""What monitoring found, its JSON document, and the state with which next month's file goes on."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Annotated, ClassVar, Literal, Self

from calibcore.bounds import As, AtLeastOne, Count, Length, Names, Within
from calibcore.data.decimals import MOST_DECIMALS
from calibcore.data.outside_text import shown
from calibcore.display import WithFigure
from calibcore.errors import InputError
from calibcore.questions.groups.differences import FEWEST
from calibcore.questions.monitor.evidence import LEVELS, Evidence, Log
from calibcore.questions.monitor.windows import Window, Windows
from calibcore.settings.codec import from_entry, write_object
from calibcore.settings.documents import check_head, complete
from calibcore.settings.faults import FieldError, misfit
from calibcore.settings.layout import Layout, headed
from calibcore.settings.result import Result
from calibcore.settings.text import parsed

ALARM, GRAVE = LEVELS
MOST_VALUES = 3_000_000
"""Of a state, which holds a hash of every unit."""
Last = Annotated[int, Within(-(2**62), 2**62)]
STATE = "caliblens monitor"
"""What a state says it is."""
Time = Annotated[str, As(str | None, lambda time: time or "", lambda time: time or None)]
"""Empty, in documents null, where the order is that of the rows."""


@dataclass(frozen=True)
class Since:
    """About when a change began: an estimate, no promise.

    case : counted from 1; 1 where it may have been so from the start
    within : of so many cases one after the other one was a candidate
    """

    case: int
    time: Time
    within: int

    @property
    def is_the_beginning(self) -> bool:
        """Whether it may have been so from the first case on: nothing tells of a later start."""
        return self.case <= max(1, self.within)


@dataclass(frozen=True)
class Alarm:
    """The evidence reached a level, at a case counted from 1."""

    level: float
    case: int
    time: Time


@dataclass(frozen=True)
class ListedWindow(Window):
    """A window in a document."""

    KEYS: ClassVar = ("first", "last", "said", "happened", "low", "high", "start", "end", "gap")

    start: Time = ""
    end: Time = ""


@dataclass(frozen=True, eq=False, repr=False)
class Monitoring(Result, WithFigure):
    """The evidence against calibration in time.

    Attributes
    ----------
    class_names : of what the lens shows
    time : the column that orders the cases; None: the order of the rows
    kind : "order", "date" or "number"
    evidence : log M, and all that is needed to go on
    windows : the gap in moving windows
    crossed : level, 20 or 100 -> the first case with M at it or above
    point_times, start_times, crossed_times : case -> its time, where there are times
    stopped : the case whose outcome was given probability 0; nothing after it is looked at
    stopped_decimals : digits that its probabilities were rounded to, None if they were not
    last, zoned : the time of the last case, and whether times have zones
    files : fingerprints of what was added
    units : short hashes of the units seen, where ``spec.unit`` names them; one row of each is looked at
    rows : how many rows these cases came from
    notes : sentences about what was changed on the way in

    >>> import numpy as np
    >>> from calibcore import Predictions, monitor
    >>> p = Predictions.from_arrays(np.tile([[0.9, 0.1], [0.8, 0.2]], (60, 1)), [0, 1] * 60, ["ill", "well"])
    >>> monitor(p)
    Monitoring(120 cases, alarm at case 20)
    """

    HEAD = headed("monitoring")
    DATA = ("n", "rows", "class_names")
    NAMES: ClassVar = {
        "time": "time.column",
        "kind": "time.kind",
        "pvalue": "p_value",
        "cases": "case",
        "case_times": "case_time",
        "kept_windows": "windows",
    }
    KEYS: ClassVar = (
        "time", "kind", "files", "alarm", "alarms", "pvalue", "since", "stopped", "last_log_evidence",
        "cases", "log_evidence", "case_times", "window", "windows_of", "kept_windows", "notes",
    )  # fmt: skip

    class_names: Names
    time: str | None
    kind: Literal["order", "date", "number"]
    evidence: Evidence
    windows: Windows
    crossed: Mapping[float, AtLeastOne]
    point_times: Mapping[Count, str]
    start_times: Mapping[Count, str]
    crossed_times: Mapping[float, str]
    stopped: AtLeastOne | None = None
    stopped_decimals: Annotated[int, Within(0, MOST_DECIMALS)] | None = None
    last: Last | float | None = None
    zoned: bool = False
    files: tuple[Annotated[str, Length(0, 200)], ...] = ()
    units: Annotated[frozenset[Annotated[str, Length(0, 64)]], Length(0, MOST_VALUES)] = frozenset()
    rows: Count = 0
    notes: tuple[str, ...] = ()

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where fields of a state contradict each other."""
        evidence, windows = self.evidence, self.windows
        if not len(set(self.class_names)) == len(self.class_names) == evidence.m:
            raise misfit(self.class_names, f"{evidence.m:,} different names").inside("class_names")
        if (self.time is None) != (self.kind == "order"):
            raise misfit(self.time, f"a column for times of kind {self.kind!r}").inside("time")
        if (self.last is None) != (self.time is None) or (
            self.kind == "date" and not isinstance(self.last, int)
        ):
            raise misfit(self.last, f"the last of times of kind {self.kind!r}").inside("last")
        if windows.begin + len(windows.said) != self.n:
            raise misfit(windows.begin, f"what leaves {self.n:,} cases").inside("begin").inside("windows")
        if bool(windows.times) != bool(self.time is not None and windows.said):
            raise (
                misfit(windows.times, "a time a case where a column orders them")
                .inside("times")
                .inside("windows")
            )
        if self.rows < self.n:
            raise misfit(self.rows, f"{self.n:,} at least, as there are cases").inside("rows")
        stopped = None if math.isfinite(evidence.log) else self.n
        if self.stopped != stopped:
            raise misfit(self.stopped, shown(stopped)).inside("stopped")
        self._check_times()

    def _check_times(self) -> None:
        """The cases that have times are those of which something is held."""
        passed = {level for level in LEVELS if self.evidence.largest >= math.log(level)}
        if set(self.crossed) != passed or any(case > self.n for case in self.crossed.values()):
            raise misfit(list(self.crossed), f"the levels {sorted(passed)}").inside("crossed")
        for name, held in (
            ("point_times", self.evidence.cases),
            ("start_times", [start for start in self.evidence.starts if start < self.n]),
            ("crossed_times", list(self.crossed)),
        ):
            if set(getattr(self, name)) != set(held if self.time is not None else ()):
                raise FieldError("does not have the times of what is held", (name,))

    def __repr__(self) -> str:
        alarm = "no alarm" if self.alarm is None else f"alarm at case {self.alarm:,}"
        return f"Monitoring({self.n:,} cases, {alarm})"

    @property
    def n(self) -> int:
        """Cases that were looked at."""
        return self.evidence.n

    @property
    def alarm(self) -> int | None:
        """The first case with M ≥ 20, counted from 1."""
        return self.crossed.get(ALARM)

    @property
    def pvalue(self) -> float:
        """``min(1, 1/max M)``: valid whenever one looks."""
        return math.exp(-self.evidence.largest)

    @property
    def since(self) -> Since | None:
        """About when it began; None where there is no alarm or a single outcome made it."""
        case = None if self.alarm is None or self.stopped is not None else self.evidence.since()
        if case is None:
            return None
        return Since(case, self.start_times.get(case - 1, ""), self.evidence.every)

    @property
    def at_one_time(self) -> bool:
        """Whether a column of times has the same for all cases, so that it orders nothing."""
        return bool(self.windows.times) and self.start_times.get(0) == self.windows.times[-1]

    @property
    def about(self) -> str:
        """What the windows are of: the first of two classes; empty for the confidence of more."""
        return self.class_names[0] if len(self.class_names) == 2 else ""

    @property
    def alarms(self) -> "tuple[Alarm, ...]":
        """The levels that were reached, the lowest first."""
        levels = sorted(self.crossed.items())
        return tuple(Alarm(level, case, self.crossed_times.get(level, "")) for level, case in levels)

    @property
    def last_log_evidence(self) -> float | None:
        """log M after the last case; None where one outcome ended it."""
        return None if self.stopped else self.evidence.log

    @property
    def cases(self) -> list[int]:
        """Those of which the evidence is kept."""
        return self.evidence.cases

    @property
    def log_evidence(self) -> list[Log]:
        """log M after each of :attr:`cases`."""
        return self.evidence.logs

    @property
    def case_times(self) -> list[str | None] | None:
        """Times of :attr:`cases`, where a column orders them."""
        return [self.point_times.get(c) for c in self.evidence.cases] if self.time else None

    @property
    def window(self) -> int:
        """Cases of a window."""
        return self.windows.size

    @property
    def windows_of(self) -> str:
        """What the windows are of, "confidence" for more than two classes."""
        return self.about or "confidence"

    @property
    def kept_windows(self) -> "tuple[ListedWindow, ...]":
        """The windows as the document lists them."""
        return tuple(ListedWindow(**vars(window)) for window in self.windows.listed)

    def without_cases(self) -> Self:
        """Without what is about one case or a few: the evidence step by step, and what windows tell of few.

        Windows overlap by half. Halves of fewer than 20 cases can be had by subtracting, so that only windows
        one after the other are told; and none after which fewer than 20 cases are left. The last, which ends
        at the last case, is told where it begins 20 cases or more from where these begin and end.

        The evidence before and after a case tells its probability and its outcome, so it is told half a
        window apart, and never at the last case but one. An outcome of probability 0 has no number.
        """
        evidence, apart = self.evidence, self.windows.size // 2
        published: dict[int, float] = {}
        last = 0
        for case, log in zip(evidence.cases, evidence.logs, strict=True):
            far = case - last >= (apart if case < self.n else 2)
            if far and case != self.stopped and self.n - case != 1:
                published[case] = log
                last = case
        windows = list(filter(self._is_told, self.windows.kept))
        latest = self.windows.latest
        edges = {0, self.n, *(w.first - 1 for w in windows), *(w.last for w in windows)}
        tells = latest is not None and all(
            latest.first - 1 == edge or abs(latest.first - 1 - edge) >= FEWEST for edge in edges
        )
        return replace(
            self,
            evidence=replace(evidence, cases=list(published), logs=list(published.values())),
            windows=replace(self.windows, kept=windows, before=self.windows.before if tells else None),
            crossed={level: case for level, case in self.crossed.items() if case != self.stopped},
            point_times={case: time for case, time in self.point_times.items() if case in published},
        )

    def _is_told(self, window: Window) -> bool:
        size = self.windows.size
        apart = size >= 2 * FEWEST or (window.first - 1) % size == 0
        return apart and not 0 < self.n - window.last < FEWEST

    def to_state(self) -> str:
        """JSON with which :func:`.monitor` goes on as if all files had been one.

        It holds the probabilities and outcomes of the cases that are waiting for their window, less than
        ``window`` of them, and of half a window before; of units hashes; no other column.
        """
        return json.dumps(write_object(self, STATE_LAYOUT), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_state(cls, text: str) -> "Monitoring":
        """The inverse of :meth:`to_state`.

        Raises
        ------
        InputError : no such state, in one sentence.
        """
        document = parsed(text, "The state", MOST_VALUES)
        if document.get("state") != STATE:
            raise InputError(
                f"The state says it is {shown(document.get('state'))}; expected one that monitor wrote."
            )
        check_head(document, "The state", STATE_LAYOUT.head["document"])
        with complete("The state"):
            return from_entry(cls, document, STATE_LAYOUT)


STATE_LAYOUT = Layout(
    Monitoring, headed("monitoring-state") | {"state": STATE}, tuple(f.name for f in fields(Monitoring)), {}
)
"""How a state holds everything."""
