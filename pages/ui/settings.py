"""The settings of a session: kept in one place, fitted to the data in use, undone one by one."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, TypeAlias, TypeVar, cast
from weakref import WeakKeyDictionary

import streamlit as st

from calibcore import DiagnosisSpec, InputError, Predictions
from calibcore.assessment.defaults import as_surveyed, default_lens, default_lenses
from calibcore.data.units import units_of
from calibcore.diagram.binning import Binning, default_binning
from calibcore.kernels import METRICS
from calibcore.transforms.lenses import Lens, TopKLens
from pages.ui import regions, state
from pages.work.costs import classes_through

START = DiagnosisSpec(
    lens=TopKLens(1), tests=("exact-omnibus", "exact", "distribution-free", "asymptotic"), estimates=()
)
"""Where a session begins: confidence in the answer, the notion that most people mean; what is quick. Its lens
gives way to the :func:`.default_lens` of the data in use until one is chosen."""
MOST_STEPS = 50
"""Changes that can be undone."""
S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True)
class Settings:
    """What the user asked for. ``two`` and ``many`` are the binnings chosen for lenses of two and of more
    classes, in place of ``spec.binning``; None stands for the default, which looks at the number of cases.
    ``lenses`` are those of a survey that is repeated; None stands for the default ones. ``added`` are looked
    through besides, in every survey of data that they fit. ``chose_start`` says that the lens of the start
    was chosen where the data begin with another.
    """

    spec: DiagnosisSpec = START
    two: Binning | None = None
    many: Binning | None = None
    lenses: tuple[Lens, ...] | None = None
    added: tuple[Lens, ...] = ()
    chose_start: bool = False

    @property
    def lens(self) -> Lens | None:
        """The lens that was chosen; None stands for the default one of the data in use."""
        return self.spec.lens if self.chose_start or self.spec.lens != START.lens else None

    def looking(self, lens: Lens, p: Predictions) -> "Settings":
        """These, with ``lens`` chosen on ``p``."""
        chose_start = lens == START.lens != default_lens(p)
        return replace(self, spec=replace(self.spec, lens=lens), chose_start=chose_start)


AT_FIRST = Settings()
"""Of a session in which nothing was changed, unless it was begun with others."""


def binning_for(settings: Settings, m: int, n: int) -> Binning:
    """The binning of a lens of ``m`` classes over ``n`` cases."""
    chosen = settings.two if m == 2 else settings.many
    return chosen if chosen is not None and chosen.fits(m) else default_binning(m, n)


_fitted: "WeakKeyDictionary[Predictions, tuple[Settings, DiagnosisSpec]]" = WeakKeyDictionary()
"""Predictions -> the settings that were fitted to them last, and how: a page asks ten times."""


def fitted(settings: Settings, p: Predictions) -> DiagnosisSpec:
    """The settings as they can be used on ``p``: what makes no sense there gives way to the start."""
    known = _fitted.get(p)
    if known is None or known[0] is not settings:
        known = _fitted[p] = settings, _as_fits(settings, p)
    return known[1]


def _as_fits(settings: Settings, p: Predictions) -> DiagnosisSpec:
    spec = settings.spec
    if spec.unit is not None and why_no_units(p, spec.unit):
        spec = replace(spec, unit=None)
    lens = settings.lens
    if lens is None or not _fits(lens, p):
        lens = default_lens(p)
    spec, m = replace(spec, lens=lens), classes_through(lens, p)
    return replace(_with_kernel_for(spec, m), binning=binning_for(settings, m, p.n))


_refused_units: "WeakKeyDictionary[Predictions, dict[str, str]]" = WeakKeyDictionary()
"""Predictions -> column -> why it says of no rows that they belong together; empty where it does."""


def why_no_units(p: Predictions, column: str) -> str:
    """Why a column cannot say which rows belong together; empty if it can. Cost O(n log n), once."""
    known = _refused_units.setdefault(p, {})
    if column not in known:
        try:
            units = len(units_of(p, column)[1])
            known[column] = (
                "" if units > 1 else "All rows belong together by this column; expected two units."
            )
        except InputError as error:
            known[column] = str(error)
    return known[column]


def with_changes(strategy: S, **changes: Any) -> S:
    """A binning or kernel with other settings: all of them are dataclasses."""
    changed: S = replace(cast(Any, strategy), **changes)
    return changed


def _with_kernel_for(spec: DiagnosisSpec, m: int) -> DiagnosisSpec:
    """Where the kernel is none for ``m`` classes, that of the metric that always is, if that helps."""
    for fitting in (spec, replace(spec, kernel=with_changes(spec.kernel, metric=METRICS[0]))):
        with suppress(InputError):
            fitting.kernel.check(m)
            return fitting
    return spec


def _at_first() -> Settings:
    """With what this session was begun."""
    begun: Settings = st.session_state.get("settings-at-first", AT_FIRST)
    return begun


def _asked() -> Settings:
    asked: Settings = st.session_state.get("settings", _at_first())
    return asked


Step: TypeAlias = Settings | Callable[[], object]
"""What Undo goes back to: the settings before a change, or what puts back a look or a choice."""


def _steps() -> list[Step]:
    steps: list[Step] = st.session_state.setdefault("settings-before", [])
    return steps


def for_other(p: Predictions) -> DiagnosisSpec:
    """The settings in use, fitted to other data than those in use."""
    return fitted(_asked(), p)


def current() -> DiagnosisSpec:
    """The settings in use, fitted to the data in use."""
    return fitted(_asked(), state.predictions())


def through(lens: Lens) -> DiagnosisSpec:
    """The settings in use with another lens, fitted to the data in use; nothing changes.

    Raises
    ------
    InputError : it does not fit the data in use.
    """
    asked, p = _asked(), state.predictions()
    classes_through(lens, p)
    return fitted(asked.looking(lens, p), p)


def chose_bins(m: int) -> bool:
    """Whether bins were chosen for lenses of ``m`` classes: a page then does not begin with its own."""
    asked = _asked()
    return (asked.two if m == 2 else asked.many) is not None


def gave_way() -> bool:
    """Whether the lens that was asked for does not fit the data in use."""
    return _asked().lens not in (None, current().lens)


def change(spec: DiagnosisSpec, seen: DiagnosisSpec | None = None) -> None:
    """Make ``spec`` the settings from the next run on.

    seen : what ``spec`` was made of, where that is not the settings in use: a page may begin with a lens or
        bins of its own. Only what differs from it changes

    Raises
    ------
    InputError : it does not fit the data in use; nothing changes.
    """
    m = classes_through(spec.lens, state.predictions())
    spec.kernel.check(m)
    if spec.unit is not None and (why := why_no_units(state.predictions(), spec.unit)):
        raise InputError(why)
    asked, used = _asked(), current()
    seen = seen or used
    if spec.binning != seen.binning and spec.binning.fits(m):
        asked = replace(asked, two=spec.binning) if m == 2 else replace(asked, many=spec.binning)
    differs = {
        field.name: getattr(spec, field.name)
        for field in fields(spec)
        if getattr(spec, field.name) != getattr(seen, field.name)
    }
    lens = _other_lens(spec.lens, seen.lens, used.lens)
    differs |= {"lens": asked.spec.lens, "binning": START.binning}
    new = replace(asked, spec=replace(used, **differs))
    unchosen = asked.lens is None and lens == used.lens
    _keep(new if unchosen else new.looking(lens, state.predictions()))


def _other_lens(asked: Lens, seen: Lens, used: Lens) -> Lens:
    """The lens ``used`` with what was changed of the one ``seen``: its region, what it shows, or both."""
    lens, region = regions.parts(asked)
    if lens == regions.parts(seen)[0]:
        lens = regions.parts(used)[0]
    return lens if region is None else replace(region, lens=lens)


def set_lens(lens: Lens) -> None:
    """Look through ``lens`` from the next run on: the one way for pages, a step that can be undone.

    Raises
    ------
    InputError : it does not fit the data in use; nothing changes.
    """
    p = state.predictions()
    spec = replace(current(), lens=lens, binning=START.binning)
    spec.kernel.check(classes_through(lens, p))
    _keep(replace(_asked(), spec=spec).looking(lens, p))


def try_lens(lens: Lens) -> None:
    """:func:`set_lens` as a callback: other data may be chosen in the same breath, and that holds."""
    with suppress(InputError):
        set_lens(lens)


def check(new: Settings) -> None:
    """:class:`InputError` where a lens or the kernel of ``new`` does not fit the data in use."""
    p = state.predictions()
    new.spec.kernel.check(classes_through(new.spec.lens, p))
    for lens in new.lenses or ():
        classes_through(lens, p)


def take_over(new: Settings) -> None:
    """Make ``new`` the settings from the next run on: one step that can be undone.

    Raises
    ------
    InputError : it does not fit the data in use; nothing changes.
    """
    check(new)
    taken = replace(new, spec=replace(new.spec, binning=START.binning))
    _keep(taken.looking(new.spec.lens, state.predictions()))
    st.session_state["settings-refused"] = {}


_default_lenses: "WeakKeyDictionary[Predictions, tuple[Lens, ...]]" = WeakKeyDictionary()
"""Predictions -> the lenses of their survey: choosing among many classes looks at every probability."""


def family() -> tuple[Lens, ...]:
    """The lenses of the survey, over which p-values are adjusted: the default ones, or those of a report that
    is repeated where they fit the data in use, and whatever the user added. Pages never change it."""
    return _family(_asked())


def _family(asked: Settings) -> tuple[Lens, ...]:
    p = state.predictions()
    own = asked.lenses
    if own is None or not all(_fits(lens, p) for lens in own):
        own = _default_lenses.get(p) or _default_lenses.setdefault(p, default_lenses(p))
    added = (as_surveyed(lens, p) for lens in asked.added if _fits(lens, p))
    return tuple(dict.fromkeys((*own, *added)))


def _fits(lens: Lens, p: Predictions) -> bool:
    try:
        classes_through(lens, p)
    except InputError:
        return False
    return True


def in_family(lens: Lens) -> bool:
    """Whether the survey looks through ``lens``."""
    return as_surveyed(lens, state.predictions()) in family()


def add_to_family(lens: Lens) -> None:
    """Look through ``lens`` in the survey too, from the next run on: a step that can be undone."""
    asked = _asked()
    if not in_family(lens):
        _keep(replace(asked, added=(*asked.added, lens)))


def was_added(lens: Lens) -> bool:
    """Whether ``lens`` is in the survey because the user added it."""
    return lens in _asked().added


def take_from_family(lens: Lens) -> None:
    """Leave out of the survey a lens that was added."""
    asked = _asked()
    _keep(replace(asked, added=tuple(other for other in asked.added if other != lens)))


def same_survey(other: Settings) -> bool:
    """Whether ``other`` would survey as the settings in use do, at the same tolerance."""
    asked = _asked()

    def what(settings: Settings) -> tuple[object, ...]:
        spec = replace(
            settings.spec,
            lens=START.lens,
            binning=START.binning,
            distance=START.distance,
            null=START.null,
            tests=(),
            estimates=(),
        )
        return spec, settings.two, settings.many, set(_family(settings))

    return what(asked) == what(other)


def surveyed(lenses: Sequence[Lens]) -> tuple[DiagnosisSpec, Binning]:
    """The settings of a survey, which do not depend on the lens in use, and its binning of many classes.

    Nor on the tolerance, as nothing is computed with it: see :meth:`.Assessment.at`. It tests calibration,
    whatever hypothesis was chosen for the tests through one lens.
    """
    return as_surveyed_by(_asked(), lenses, state.predictions())


def as_surveyed_by(asked: Settings, lenses: Sequence[Lens], p: Predictions) -> tuple[DiagnosisSpec, Binning]:
    """:func:`surveyed` of other settings and data than those in use."""
    two = binning_for(asked, 2, p.n)
    spec = replace(
        asked.spec,
        lens=START.lens,
        binning=two,
        null=START.null,
        tolerance=START.tolerance,
        tests=("exact-omnibus",),
        estimates=(),
        unit=fitted(asked, p).unit,
    )
    for lens in lenses:
        spec = _with_kernel_for(spec, classes_through(lens, p))
    return spec, binning_for(asked, max(3, p.m), p.n)


def undo() -> None:
    """Take back the last thing that was done: a change of settings, a look, a choice."""
    steps = _steps()
    if steps:
        match steps.pop():
            case Settings() as before:
                st.session_state["settings"] = before
            case put_back:
                left = len(steps)
                put_back()
                del steps[left:]
    st.session_state["settings-refused"] = {}
    st.session_state[state.NOT_UNDONE] = False


def looked(key: str, before: object) -> None:
    """Callback of a switch that changes how a page looks and no setting: a step that can be undone.

    before : what it showed; a control that has gone reports itself once more
    """
    if st.session_state.get(key, before) != before:
        _remember(partial(_put, key, before))


def put(key: str, value: object) -> None:
    """Write into a widget of this key, as a button beside it does: a step that can be undone."""
    _remember(partial(_put, key, st.session_state.get(key)))
    _put(key, value)


def _put(key: str, value: object) -> None:
    st.session_state[key] = value


def chosen(choose: Callable[[T], object], before: T, value: T) -> None:
    """Choose ``value``: a step that can be undone, to what was ``before`` and the settings of then."""
    steps, asked = list(_steps()), _asked()
    choose(value)
    _steps()[:] = steps  # the settings that it changed are one step with it
    _remember(partial(_choose_again, choose, before, asked))


def _choose_again(choose: Callable[[T], object], before: T, asked: Settings) -> None:
    choose(before)
    st.session_state["settings"] = asked


def done_for_good() -> None:
    """Something was done that is not undone: until the next step, Undo is not offered."""
    st.session_state[state.NOT_UNDONE] = True


def _remember(step: Step) -> None:
    steps = _steps()
    steps.append(step)
    del steps[:-MOST_STEPS]
    st.session_state[state.NOT_UNDONE] = False


def reset() -> None:
    """Back to the start; that can be undone too."""
    _keep(_at_first())
    st.session_state["settings-refused"] = {}


def can_undo() -> bool:
    """Whether the last thing that was done can be undone."""
    return bool(_steps()) and not st.session_state.get(state.NOT_UNDONE, False)


def can_reset() -> bool:
    """Whether anything differs from the start."""
    return _asked() != _at_first()


def _keep(new: Settings) -> None:
    before = _asked()
    if new == before:
        return
    _remember(before)
    st.session_state["settings"] = new


def refused() -> dict[str, str]:
    """Key of a control -> why what it says cannot be used. What it says stays there, to be mended."""
    fingerprint = state.predictions().fingerprint
    if st.session_state.get("settings-refused-for") != fingerprint:  # other data, other reasons
        st.session_state["settings-refused-for"] = fingerprint
        st.session_state["settings-refused"] = {}
    reasons: dict[str, str] = st.session_state.setdefault("settings-refused", {})
    return reasons


def changed_by(
    key: str,
    before_value: object,
    make: Callable[[DiagnosisSpec, object], DiagnosisSpec],
    fingerprint: str,
    here: Callable[[], DiagnosisSpec],
) -> None:
    """Callback of a control: what it says now becomes part of the settings, or is refused beside it.

    The ``before_value`` changes nothing: a control that has gone reports itself once more. ``fingerprint`` is
    that of the data for which it was drawn: others may be chosen in the same breath, and what does not fit
    those is dropped. ``here()`` are the settings as the page takes them.
    """
    if state.in_use() is None:
        return
    why = refused()
    why.pop(key, None)
    if st.session_state.get(key, before_value) == before_value:
        return
    before = here()
    try:
        asked = make(before, st.session_state[key])
        if asked != before:  # else a lens that gave way would be lost
            change(asked, before)
    except InputError as error:
        if fingerprint == state.predictions().fingerprint:
            why[key] = str(error)
