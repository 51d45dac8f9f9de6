"""groups: is the model calibrated in every group, and where is it off most?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibcore.assessment.chance_limits import size_is_known
from calibcore.assessment.defaults import default_lens
from calibcore.assessment.effort import USUAL, Effort
from calibcore.assessment.impossible import Impossible, impossible, is_hypothesis, with_count
from calibcore.assessment.omnibus_power import omnibus_detectable
from calibcore.assessment.power import Detectable, smallest
from calibcore.assessment.verdict import Answer, Verdict
from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.data.times import DayOrder
from calibcore.data.units import notes_beside, rows_looked_at, units_of
from calibcore.data.weights import refuse_untested
from calibcore.diagnose.parts import across_units_for, left_out_note, look_at, settings_for, sizes_for
from calibcore.diagram.gap_sizes import Frequencies
from calibcore.diagram.typical_gap import TypicalGap
from calibcore.errors import InputError
from calibcore.hypothesis_tests import TestResult, monte_carlo_pvalue, none_as_extreme
from calibcore.hypothesis_tests.adjust import holm, smallest_adjusted
from calibcore.hypothesis_tests.result import ROUNDING
from calibcore.io.roles.stacked import stacked
from calibcore.numerics.progress import Progress, Report, silent, telling
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Int
from calibcore.questions.given import as_two_classes, enough_redraws
from calibcore.questions.groups.between import Between, between
from calibcore.questions.groups.between import adjusted as adjusted_between
from calibcore.questions.groups.columns import MOST_COLUMNS, Column, column_of
from calibcore.questions.groups.differences import (
    FEWEST,
    REGION,
    kept_back,
    may_be_told,
    regions_kept_back,
    told_codes,
)
from calibcore.questions.groups.redrawn import STATISTICS, rarest, redrawn_tests
from calibcore.questions.groups.result import Group, GroupSurvey, Worst
from calibcore.questions.groups.search import search
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, Lens

EXPECTED = 5.0
WORST_RESAMPLES = 999
SEARCHING = "searching where it is worst"
_ALIKE = 1e-9
"""Predictions that differ by less are the same."""
_TESTING, _SEEING = 0.45, 0.35
"""Shares of the work; what is left is the search."""


def lens_of_groups(predictions: Predictions) -> Lens:
    """All of two classes, and of classes in order; of others the confidence, which few cases tell more of."""
    return CanonicalLens() if predictions.m == 2 else default_lens(predictions)


def survey_groups(
    predictions: Predictions,
    by: Sequence[str],
    spec: DiagnosisSpec | None = None,
    progress: Progress | None = None,
    *,
    statistic: str = "exact-omnibus",
    worst: bool = False,
    dates: DayOrder | None = None,
    effort: Effort = USUAL,
) -> GroupSurvey:
    """Test and size calibration in every group of the columns ``by``, through the lens of ``spec``.

    Labels of all cases are redrawn together, so that every p is exact, and so is the global one: of the
    largest of the groups' statistics, each less its mean and by its deviation over all B + 1 label sets.
    Where rows of the same cases stand below each other, without units, there is no global p and no search.
    Without a ``spec`` the lens is :func:`lens_of_groups`. Where it names units one row of each is tested, and
    gaps are of all rows, with intervals over units. Cost: for each column a redraw of the test on all cases,
    and what could have been seen in the groups that are not rejected.

    Parameters
    ----------
    by : columns of metadata, see :func:`.column_of`
    statistic : "exact-omnibus" or "skce-unbiased", with the kernel of ``spec``
    worst : also search for the set of cases where the model is off most, see :mod:`.search`
    dates : "day-first" or "month-first", where the dates of a column fit both
    effort : with which is simulated what could have been seen, see :class:`.Effort`

    Raises
    ------
    InputError : weights, pooled pairs; no such column, or one of too many values; another statistic.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import Predictions, survey_groups
    >>> probs, labels = np.tile([[0.8, 0.2], [0.3, 0.7]], (60, 1)), np.tile([0, 1, 1, 1], 30)
    >>> site = np.repeat(["A", "B"], 60)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"], {"site": site})
    >>> result = survey_groups(p, ["site"])
    >>> [(group.value, group.n, group.adjusted) for group in result.groups]
    [('A', 60, 0.002), ('B', 60, 0.002)]
    """
    if statistic not in STATISTICS:
        raise InputError(f"There is no statistic {shown(statistic)}; expected {' or '.join(STATISTICS)}.")
    look = _look(predictions, by, spec, dates)
    spec, every, of_all, columns, induced = look.spec, look.every, look.of_all, look.columns, look.induced
    names = [(column.name, value) for column in columns for value in column.values]
    rows = [np.flatnonzero(column.codes == c) for column in columns for c in range(len(column.values))]
    all_rows = [every[column.codes == c] for column in of_all for c in range(len(column.values))]
    why = [too_few(induced.with_rows(of_group)) if len(of_group) else "no case" for of_group in rows]
    tested = [i for i, reason in enumerate(why) if not reason]
    redraws = enough_redraws(len(tested), spec, f"{len(tested):,} groups", "there have to be", "columns")
    spec = replace(spec, resamples=redraws)
    tell = progress or silent
    judged = [look.possible(rows[i]) for i in tested]
    tests = redrawn_tests(
        induced, judged, spec, statistic,
        lambda done: tell(_TESTING * done, "redrawing outcomes"),
    )  # fmt: skip
    scores = rarest(tests)
    global_p = monte_carlo_pvalue(float(scores[0]), scores[1:]) if len(tests) else None
    never = [_refuted(predictions.with_rows(all_rows[i]), spec) for i in tested]
    counts = [look.counted(rows[i]) for i in tested]
    pvalues = [
        0.0 if is_never else with_count(t.pvalue, counted)
        for is_never, t, counted in zip(never, tests, counts, strict=True)
    ]
    if global_p is not None:
        every_tested = np.unique(np.concatenate([rows[i] for i in tested]))
        global_p = 0.0 if 0.0 in pvalues else with_count(global_p, look.counted(every_tested))
    if look.not_independent:
        global_p = None
    adjusted = holm(pvalues).tolist()
    floors = smallest_adjusted(np.array([t.pvalue for t in tests]), np.array(adjusted), spec.resamples)
    within = _within(pvalues, [names[i][0] for i in tested])
    groups = []
    for i, name in enumerate(names):
        if why[i]:
            groups.append(Group(*name, len(rows[i]), withheld=why[i]))
            continue
        k = tested.index(i)
        at_floor = bool(floors[k]) and pvalues[k] > 0

        def seen(fraction: float, k: int = k) -> None:
            tell(_TESTING + _SEEING * (k + fraction) / len(tested), "what could have been seen")

        of_group = predictions.with_rows(all_rows[i])
        fitted = spec.for_classes(induced.m)
        sizes = sizes_for(of_group, fitted)
        p = pvalues[k], adjusted[k]
        looked = induced.with_rows(rows[i])
        left = induced.with_rows(judged[k])
        verdict = _verdict(
            looked.n, left, sizes, never[k], spec, tests[k], *p, at_floor, len(tested), effort, seen
        )
        units = None if spec.unit is None else across_units_for(of_group, fitted)
        groups.append(Group(*name, len(rows[i]), *p, within[k], at_floor, verdict, units=units))
    most = None
    if worst:
        before = _TESTING + _SEEING
        most = _searched(look, lambda done: tell(before + (1 - before) * done, SEARCHING))
    tell(1.0, "done")
    return GroupSurvey(
        spec,
        induced.n,
        None if spec.unit is None else predictions.n,
        induced.class_names,
        predictions.fingerprint,
        {column.name: column.kind for column in columns},
        statistic,
        global_p,
        global_p is not None and global_p > 0 and none_as_extreme(global_p, spec.resamples),
        tuple(groups),
        most,
        (
            *notes_beside(spec.unit, predictions.notes),
            *left_out_note(induced.n - len(look.possible(np.arange(induced.n)))),
        ),
        look.kept_back,
        look.not_independent or None,
        () if look.not_independent else _between(look, names, rows, tested),
    )


def worst_group(
    predictions: Predictions,
    by: Sequence[str],
    spec: DiagnosisSpec | None = None,
    progress: Progress | None = None,
    *,
    dates: DayOrder | None = None,
) -> Worst | None:
    """What :func:`survey_groups` finds as ``worst``, by itself; None where no set is large enough.

    Raises
    ------
    InputError : as :func:`survey_groups`.
    """
    return _searched(_look(predictions, by, spec, dates), telling(progress, SEARCHING))


def rows_of_group(
    predictions: Predictions,
    column: str,
    value: str,
    spec: DiagnosisSpec | None = None,
    *,
    dates: DayOrder | None = None,
) -> Int:
    """The rows of one group of :func:`survey_groups`, rising: with units all of theirs.

    Raises
    ------
    InputError : as :func:`survey_groups`; no such group.
    """
    look = _look(predictions, [column], spec, dates)
    (groups_of,) = look.of_all
    if value not in groups_of.values:
        raise InputError(f"There is no group {shown(value)} in the column {shown(column)}.")
    rows: Int = look.every[groups_of.codes == groups_of.values.index(value)]
    return rows


@dataclass(frozen=True, eq=False)
class _Look:
    """What is grouped: all rows that the lens shows, and those of them that are looked at, through the lens.

    Attributes
    ----------
    every : all rows that the lens shows
    in_small_region : whether the lens looks at a region that leaves out, or holds, fewer than 20 cases
    of_all, columns : the columns as groups of these, and of the rows that are looked at
    looked_at, induced : the rows that are looked at, with units one of each, and through the lens
    unit : of every row that the lens shows the number of its unit; without units each has its own
    not_independent : why rows of different groups are not independent, if that is seen
    """

    spec: DiagnosisSpec
    every: Int
    of_all: list[Column]
    columns: list[Column]
    looked_at: Predictions
    induced: Predictions
    unit: Int
    not_independent: str
    in_small_region: bool

    def possible(self, rows: Int) -> Int:
        """Of ``rows`` that are looked at those that are tested: no outcome at a 0 that rounding made."""
        left = rows[~self.at_rounded[rows]]
        return left if len(left) >= 2 else rows

    def counted(self, rows: Int) -> float | None:
        """p of the number of the others; None where no 0 was predicted that rounding made."""
        group = self.looked_at.with_rows(rows)
        if not is_hypothesis(group):
            return None
        return replace(impossible(group), outcomes=self.induced.with_rows(rows).impossible_outcomes).pvalue

    @property
    def sizes(self) -> list[Int]:
        """Of each column how many cases each group has; with units, units."""
        return [np.bincount(column.codes, minlength=len(column.values)) for column in self.columns]

    @cached_property
    def at_rounded(self) -> NDArray[np.bool_]:
        """(n,) the rows that are looked at whose outcome stands, through the lens, at a rounded 0."""
        p = self.induced
        zero: NDArray[np.bool_] = p.probs[np.arange(p.n), p.labels] == 0
        return zero if p.rounding is not None else np.zeros(p.n, np.bool_)

    @cached_property
    def kept_back(self) -> dict[str, str]:
        """Columns of which no count may be handed on, and why."""
        if self.in_small_region:
            return dict.fromkeys((column.name for column in self.columns), REGION)
        alike = bool(np.ptp(self.induced.probs, axis=0).max() < _ALIKE)
        return kept_back(self.of_all, self.unit, self.sizes, alike)


def _look(
    predictions: Predictions, by: Sequence[str], spec: DiagnosisSpec | None, dates: DayOrder | None
) -> _Look:
    by_default = spec is None
    spec = settings_for("survey_groups", predictions, spec)
    refuse_untested(predictions)
    if isinstance(by, str):
        by = [by]
    names = list(dict.fromkeys(by))
    if not 1 <= len(names) <= MOST_COLUMNS:
        raise InputError(f"There are {len(names)} columns to group by; expected 1 to {MOST_COLUMNS}.")
    if by_default:
        spec = look_at(predictions, replace(spec, lens=lens_of_groups(predictions)))
    every, looked_at = _rows(predictions, spec)
    cases = predictions.with_rows(looked_at)
    induced = spec.lens(cases)
    if not induced.rows_are_cases:
        raise InputError("Pooled pairs of one case belong to one group; take groups before pooling.")
    of_all = [column_of(predictions.with_rows(every), name, dates) for name in names]
    chosen = np.searchsorted(every, looked_at)
    columns = [replace(column, codes=column.codes[chosen]) for column in of_all]
    unit = every if spec.unit is None else units_of(predictions, spec.unit)[0][every]
    same_cases = stacked(predictions) if spec.unit is None else None
    why = "" if same_cases is None else same_cases.why
    small = bool(regions_kept_back(predictions, [spec.lens], spec.unit))
    return _Look(spec, every, of_all, columns, cases, induced, unit, why, small)


def _searched(look: _Look, report: Report) -> Worst | None:
    if look.not_independent:
        return None
    rows = look.possible(np.arange(look.induced.n))
    columns = [replace(column, codes=column.codes[rows]) for column in look.columns]
    induced = as_two_classes(look.induced.with_rows(rows))
    worst = search(induced, columns, WORST_RESAMPLES, look.spec.seed, report)
    if worst is None:
        return None
    by_name = {column.name: column for column in look.of_all}
    members = np.ones(len(look.every), bool)
    for name, values, inside in worst.where:
        codes = [by_name[name].values.index(value) for value in values]
        members &= np.isin(by_name[name].codes, codes) == inside
    published = [*told_codes(look.of_all, look.sizes, look.kept_back), members.astype(np.int64)]
    return replace(worst, kept_back=look.in_small_region or not may_be_told(published, look.unit))


def _rows(predictions: Predictions, spec: DiagnosisSpec) -> tuple[Int, Int]:
    """All rows that the lens shows, and those of them that are looked at: with units one of each."""
    every, looked_at = np.arange(predictions.n), rows_looked_at(predictions, spec.unit, spec.seed)
    if spec.lens.region:
        every = np.asarray(spec.lens.rows(predictions), np.int64)
        looked_at = looked_at[np.isin(looked_at, every)]
    return every, looked_at


def too_few(group: Predictions) -> str:
    """Why a group is too small, by its predictions alone; empty where it is not.

    Fewer than 20 cases, or fewer than 5 expected of either outcome: of each of two classes, of three and more
    that the likeliest class happens and that it does not.
    """
    if group.n < FEWEST:
        return f"fewer than {FEWEST} cases"
    if as_two_classes(group).probs.sum(axis=0).min() < EXPECTED:
        return f"fewer than {EXPECTED:g} expected of one outcome"
    return ""


def _between(
    look: _Look, names: Sequence[tuple[str, str]], rows: Sequence[Int], tested: Sequence[int]
) -> tuple[Between, ...]:
    """How far the tested groups of each column lie apart, where there are two or more."""
    two, of_columns = as_two_classes(look.induced), []
    for column in look.columns:
        of_column = [look.possible(rows[i]) for i in tested if names[i][0] == column.name]
        if len(of_column) > 1:
            of_columns.append((column.name, len(of_column), *between(two, of_column)))
    return adjusted_between(of_columns)


def _refuted(of_group: Predictions, spec: DiagnosisSpec) -> int:
    """How many outcomes of a group, in all its rows, were given probability 0; 0 where they were rounded."""
    return 0 if of_group.rounding is not None else spec.lens(of_group).impossible_outcomes


def _within(pvalues: Sequence[float], columns: Sequence[str]) -> list[float]:
    """Adjusted among the groups of each column."""
    adjusted = [0.0] * len(pvalues)
    for name in dict.fromkeys(columns):
        places = [i for i, column in enumerate(columns) if column == name]
        for i, p in zip(places, holm([pvalues[i] for i in places]).tolist(), strict=True):
            adjusted[i] = p
    return adjusted


def _verdict(
    n: int,
    group: Predictions,
    sizes: tuple[TypicalGap, tuple[Frequencies, ...]],
    never: int,
    spec: DiagnosisSpec,
    test: TestResult,
    pvalue: float,
    adjusted: float,
    at_floor: bool,
    hypotheses: int,
    effort: Effort,
    report: Report,
) -> Verdict:
    gap, classes = sizes
    rejected = adjusted <= spec.alpha * (1 + ROUNDING)
    redraws = test.component_redraws
    seen: tuple[Detectable, ...] = ()
    if not rejected and redraws is not None:
        seen = omnibus_detectable(
            group,
            replace(spec.kernel, bandwidth=1.0),
            spec.alpha / hypotheses,
            redraws,
            stream(spec.seed, "detectable"),
            effort,
            report,
        )
    largest = smallest(seen, spec.tolerance)
    answer: Answer = "cannot-tell"
    if rejected:
        answer = "miscalibrated"
    elif seen and largest is not None and largest <= spec.tolerance and size_is_known(gap, spec.tolerance):
        answer = "consistent"
    decided = test.decided_by
    return Verdict(
        lens=spec.lens,
        answer=answer,
        small=rejected and gap.high < spec.tolerance,
        pvalue=pvalue,
        adjusted=adjusted,
        alpha=spec.alpha,
        tolerance=spec.tolerance,
        n=n,
        typical_gap=gap,
        frequencies=classes,
        detectable=seen,
        smallest_detectable=largest if seen else None,
        at_floor=at_floor,
        refuted=Impossible(never, 0.0, None, 0.0) if never else None,
        decided_by=decided.name if decided else "",
        direction=decided.direction if decided else "",
    )
