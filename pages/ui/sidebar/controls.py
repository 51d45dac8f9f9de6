"""The settings in the side bar. Each control shows the settings in use and changes one of them."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, cast

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.diagram.binning import (
    BINNINGS,
    MOST_BINS,
    Binning,
)
from calibcore.hypothesis_tests.families import FAMILIES
from calibcore.kernels import BANDWIDTH_RULES, KERNELS, METRICS, with_kind
from calibcore.numerics.distances import DISTANCES
from calibcore.spec import ESTIMATES
from calibcore.words.looking import looked_at
from pages.ui import choices, frame, settings, state
from pages.ui.settings import current, with_changes
from pages.ui.show import fold, glossary, plain
from pages.ui.sidebar import lens_controls, rare_controls
from pages.ui.sidebar.lens_controls import Change
from pages.work import costs

EACH_FOR_ITSELF = "\0"
"""No name of a column."""
NUMBER = "number"
"""A bandwidth by no rule."""
STOP_AT = 10
"""As extreme redraws after which a test may stop: usual (Besag & Clifford 1991)."""
MOST_IN_A_BROWSER = 2**53 - 1
"""Beyond, a browser's numbers are not exact."""
LEVELS = (0.5, 1, 2.5, 5, 10, 25, 75, 90, 95, 97.5, 99, 99.5)


def control(
    widget: Callable[..., Any],
    label: str,
    key: str,
    value: Any,
    make: Change,
    /,
    **how: Any,
) -> None:
    """One control: it shows ``value`` and, when the user changes it, makes the settings that ``make`` makes
    of them and the new value. What is refused stays in the control, with the reason below.

    Select boxes are given ``options`` and, as ``say``, what each is called.
    """
    if widget in (st.selectbox, st.multiselect):
        words = choices.worded(how["options"], how.pop("say"))
        key = choices.key_of(key, words)
        how |= {"options": list(words), "format_func": words.__getitem__}
        if widget is st.selectbox:
            make = _among(words, make)
    if key not in st.session_state:  # it was away, and with it what was refused
        settings.refused().pop(key, None)
    why = settings.refused().get(key)
    if why is None and st.session_state.get(key) != value:
        st.session_state[key] = value
    for bound, wider in (("min_value", min), ("max_value", max)):  # a report may hold rarer values
        if bound in how:
            how[bound] = wider(how[bound], *(value if isinstance(value, tuple) else (value,)))
    if isinstance(value, int) and abs(value) > MOST_IN_A_BROWSER:
        st.session_state.pop(key, None)
        st.caption(f"{label}: {value:,}, too large to be changed here. Reset takes the usual value.")
        return
    # The default too: a browser that missed the run in which the value was set begins with it.
    if widget is st.selectbox:
        how["index"] = how["options"].index(value)
    else:
        how["default" if widget is st.multiselect else "value"] = value
    fingerprint = state.predictions().fingerprint
    widget(label, key=key, on_change=settings.changed_by, args=(key, value, make, fingerprint), **how)
    if why is not None:
        st.error(f"{plain(why)} The page still shows the setting before.")


def _among(options: Mapping[Any, str], make: Change) -> Change:
    """What is no option, as a browser may still send it, changes nothing."""
    return lambda spec, value: make(spec, value) if value in options else spec


def draw() -> None:
    """What is looked at in a sentence; undo and reset; the controls. Nothing where no data are in use."""
    data = state.in_use()
    if data is None:
        return
    p, spec = data.predictions, current()
    m = costs.classes_through(spec.lens, p)
    st.markdown(f"**You look at** {plain(looked_at(spec, m, data.noun))}.")
    if settings.gave_way():
        st.caption("The lens chosen before does not fit these data. It comes back with the data it fits.")
    with st.container(horizontal=True):
        st.button(
            "Undo", icon=":material/undo:", on_click=settings.undo, disabled=not settings.can_undo(),
            help="Takes back the last change of a setting.",
        )  # fmt: skip
        st.button(
            "Reset", icon=":material/restart_alt:", on_click=settings.reset,
            disabled=not settings.can_reset(), help="All settings as at the start. Undo brings them back.",
        )  # fmt: skip
    lens_controls.draw(control, spec, p)
    _binning(spec, m, p.n)
    _tolerance(spec)
    _unit(spec, p)
    fold("Bars and distance", "fold-bars", lambda: _bars(spec, m))
    fold("Kernel and tests", "fold-kernel", lambda: _kernel_and_tests(spec))
    fold("Rarely changed", "fold-rare", lambda: rare_controls.draw(control, spec, p))


def _size(binning: Binning) -> str:
    """The name of the setting that says how many bins there are, or how large."""
    return fields(cast(Any, binning))[0].name


def _kernel_and_tests(spec: DiagnosisSpec) -> None:
    _kernel(spec)
    _tests(spec)


def _binning(spec: DiagnosisSpec, m: int, n: int) -> None:
    binning = spec.binning
    kind = binning.kind
    suggested: dict[str, Binning] = {each: cls.suggested(n) for each, cls in BINNINGS.items()}
    known = suggested | lens_controls.remembered(binning)
    control(
        st.selectbox, "Bins", "binning", kind, lambda spec, kind: replace(spec, binning=known[kind]),
        options=[each for each in BINNINGS if suggested[each].fits(m)],
        say=lambda each: BINNINGS[each].label, help=glossary("bin"),
    )  # fmt: skip

    def sized(spec: DiagnosisSpec, value: int) -> DiagnosisSpec:
        if spec.binning.kind != kind:  # another lens was chosen in the same breath
            return spec
        return replace(spec, binning=with_changes(spec.binning, **{binning.size_field: int(value)}))

    control(
        st.number_input, binning.size_label, f"bins-{kind}", int(getattr(binning, binning.size_field)),
        sized, min_value=binning.smallest, max_value=MOST_BINS, step=1,
    )  # fmt: skip


def _tolerance(spec: DiagnosisSpec) -> None:
    control(
        st.number_input, "Tolerance, in points", "tolerance", round(100 * spec.tolerance, 6),
        lambda spec, value: replace(spec, tolerance=value / 100),
        min_value=0.1, max_value=99.0, step=0.5, format="%g", help=glossary("tolerance"),
    )  # fmt: skip


def _unit(spec: DiagnosisSpec, p: Predictions) -> None:
    """Where there are columns beside the predictions: which of them says that rows belong together."""
    if not p.metadata:
        return
    control(
        st.selectbox, frame.UNIT_LABEL, "unit", spec.unit or EACH_FOR_ITSELF,
        lambda spec, name: replace(spec, unit=None if name == EACH_FOR_ITSELF else name),
        options=[EACH_FOR_ITSELF, *p.metadata], help=glossary("unit"),
        say=lambda name: "None belong together" if name == EACH_FOR_ITSELF else f"Those of one {name}",
    )  # fmt: skip


def _bars(spec: DiagnosisSpec, m: int) -> None:
    low, high = (round(100 * level, 6) for level in spec.interval)
    control(
        st.select_slider, "Consistency bars from … to …", "interval", (low, high),
        lambda spec, value: replace(spec, interval=(value[0] / 100, value[1] / 100)),
        options=sorted({*LEVELS, low, high}), format_func=lambda level: f"{level:.8g} %",
        help=glossary("consistency bar"),
    )  # fmt: skip
    if m == 2:
        control(
            st.toggle, "Bars by redrawing outcomes", "bars", spec.bars == "resampled",
            lambda spec, on: replace(spec, bars="resampled" if on else "exact"), help="Exact otherwise.",
        )  # fmt: skip
    control(
        st.selectbox, "Distance", "distance", spec.distance,
        lambda spec, name: replace(spec, distance=name),
        options=list(DISTANCES), say=_distance,
    )  # fmt: skip


def _distance(kind: str) -> str:
    label: str = DISTANCES[kind].label
    return label


def _rule(name: str) -> str:
    return "A number" if name == NUMBER else BANDWIDTH_RULES[name].label


def _kernel(spec: DiagnosisSpec) -> None:
    kernel = spec.kernel
    control(
        st.selectbox, "Kernel", "kernel", kernel.kind,
        lambda spec, kind: replace(spec, kernel=with_kind(spec.kernel, KERNELS[kind])),
        options=list(KERNELS), say=lambda kind: kind.replace("-", " ").capitalize(), help=glossary("kernel"),
    )  # fmt: skip
    control(
        st.selectbox, "Metric", "metric", kernel.metric,
        lambda spec, metric: replace(spec, kernel=with_changes(spec.kernel, metric=metric)),
        options=list(METRICS), say=_distance,
    )  # fmt: skip
    given = not isinstance(kernel.bandwidth, str)

    def by_rule(spec: DiagnosisSpec, rule: str) -> DiagnosisSpec:
        return replace(spec, kernel=with_changes(spec.kernel, bandwidth=0.5 if rule == NUMBER else rule))

    control(
        st.selectbox, "Bandwidth", "rule", NUMBER if given else kernel.bandwidth, by_rule,
        options=[*BANDWIDTH_RULES, NUMBER], say=_rule, help=glossary("bandwidth"),
    )  # fmt: skip
    if given:
        control(
            st.number_input, "Bandwidth as a number", "bandwidth", float(kernel.bandwidth),
            lambda spec, value: replace(spec, kernel=with_changes(spec.kernel, bandwidth=float(value))),
            min_value=0.001, max_value=100.0, format="%.3f",
        )  # fmt: skip


def _tests(spec: DiagnosisSpec) -> None:
    control(
        st.multiselect, "Tests", "tests", list(spec.tests),
        lambda spec, chosen: replace(spec, tests=tuple(name for name in FAMILIES if name in chosen)),
        options=list(FAMILIES), say=lambda kind: FAMILIES[kind].label, help=glossary("exact test"),
    )  # fmt: skip
    control(
        st.number_input, "Redraws", "resamples", spec.resamples,
        lambda spec, value: replace(spec, resamples=int(value)),
        min_value=99, max_value=9_999, step=100,
    )  # fmt: skip
    control(
        st.toggle, "Stop exact tests early", "stop-at", spec.stop_at is not None,
        lambda spec, on: replace(spec, stop_at=STOP_AT if on else None), help=glossary("early stopping"),
    )  # fmt: skip
    if spec.stop_at is not None:
        control(
            st.number_input, "Redraws as extreme", "stop-at-number", spec.stop_at,
            lambda spec, value: replace(spec, stop_at=int(value)), min_value=1, max_value=10_000, step=1,
        )  # fmt: skip
    control(
        st.toggle, "Other estimates", "estimates", bool(spec.estimates),
        lambda spec, on: replace(spec, estimates=ESTIMATES if on else ()), help=glossary("other estimates"),
    )  # fmt: skip
    control(
        st.number_input, "Seed", "seed", spec.seed, lambda spec, value: replace(spec, seed=int(value)),
        min_value=0, max_value=2**31, step=1, help=glossary("seed"),
    )  # fmt: skip
    control(
        st.toggle, "Shuffle the rows", "shuffle", spec.shuffle,
        lambda spec, on: replace(spec, shuffle=on), help=glossary("row order"),
    )  # fmt: skip
