"""The controls of the bins, of what they are judged by, and of the rows that go into them."""

from dataclasses import replace

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.data.confidence import PREDICTED, TRUTH
from calibcore.diagram.binning import BINNINGS, MOST_BINS, Binning
from calibcore.numerics.distances import DISTANCES
from pages.ui import frame, settings
from pages.ui.settings import with_changes
from pages.ui.show import glossary
from pages.ui.sidebar import lens_controls
from pages.ui.sidebar.control import control
from pages.work import costs

EACH_FOR_ITSELF = "\0"
"""No name of a column."""
LEVELS = (0.5, 1, 2.5, 5, 10, 25, 75, 90, 95, 97.5, 99, 99.5)


def bins(spec: DiagnosisSpec, p: Predictions) -> None:
    """The kind of bins, and how many or how large."""
    _bins(spec.binning, p, costs.classes_through(spec.lens, p))


def bins_of_two(_spec: DiagnosisSpec, p: Predictions) -> None:
    """The bins of all checks of one probability, whatever the lens in use."""
    _bins(settings.checked(2).binning, p, 2, "Bins of one class" if p.m > 2 else "Bins", n_classes=2)


def bins_of_many(_spec: DiagnosisSpec, p: Predictions) -> None:
    """The bins of the check of all classes together, where there are three or more."""
    if p.m > 2:
        _bins(settings.checked(p.m).binning, p, p.m, "Bins of all classes", n_classes=p.m)


def _bins(
    binning: Binning, p: Predictions, m: int, label: str = "Bins", n_classes: int | None = None
) -> None:
    kind, own = binning.kind, "" if n_classes is None else f"-{'two' if n_classes == 2 else 'many'}"
    suggested: dict[str, Binning] = {each: cls.suggested(p.n) for each, cls in BINNINGS.items()}
    known = suggested | lens_controls.remembered(binning)
    control(
        st.selectbox, label, f"binning{own}", kind, lambda spec, kind: replace(spec, binning=known[kind]),
        options=[each for each in BINNINGS if suggested[each].fits(m)],
        say=lambda each: BINNINGS[each].label, help=glossary("bin"), n_classes=n_classes,
    )  # fmt: skip

    def sized(spec: DiagnosisSpec, value: int) -> DiagnosisSpec:
        if spec.binning.kind != kind:  # another lens was chosen in the same breath
            return spec
        return replace(spec, binning=with_changes(spec.binning, **{binning.size_field: int(value)}))

    control(
        st.number_input, binning.size_label, f"bins-{kind}{own}", int(getattr(binning, binning.size_field)),
        sized, n_classes=n_classes, min_value=binning.smallest, max_value=MOST_BINS, step=1,
    )  # fmt: skip


def tolerance(spec: DiagnosisSpec, _p: Predictions) -> None:
    """The error that would matter."""
    control(
        st.number_input, "Tolerance, in points", "tolerance", round(100 * spec.tolerance, 6),
        lambda spec, value: replace(spec, tolerance=value / 100),
        min_value=0.1, max_value=99.0, step=0.5, format="%g", help=glossary("tolerance"),
    )  # fmt: skip


def unit(spec: DiagnosisSpec, p: Predictions) -> None:
    """Where there are columns beside the predictions: which of them says that rows belong together."""
    names = [name for name in p.metadata if not (p.confidence_only and name in (PREDICTED, TRUTH))]
    if not names:
        return
    further = [spec.unit] if spec.unit not in (None, *names) else []
    control(
        st.selectbox, frame.UNIT_LABEL, "unit", spec.unit or EACH_FOR_ITSELF,
        lambda spec, name: replace(spec, unit=None if name == EACH_FOR_ITSELF else name),
        options=[EACH_FOR_ITSELF, *names, *further], help=glossary("unit"),
        say=lambda name: "None belong together" if name == EACH_FOR_ITSELF else f"Those of one {name}",
    )  # fmt: skip


def bars(spec: DiagnosisSpec, p: Predictions) -> None:
    """What the consistency bars span and, for two classes, how they are made."""
    low, high = (round(100 * level, 6) for level in spec.interval)
    control(
        st.select_slider, "Consistency bars from … to …", "interval", (low, high),
        lambda spec, value: replace(spec, interval=(value[0] / 100, value[1] / 100)),
        options=sorted({*LEVELS, low, high}), format_func=lambda level: f"{level:.8g} %",
        help=glossary("consistency bar"),
    )  # fmt: skip
    if costs.classes_through(spec.lens, p) == 2:
        control(
            st.toggle, "Bars by redrawing outcomes", "bars", spec.bars == "resampled",
            lambda spec, on: replace(spec, bars="resampled" if on else "exact"), help="Exact otherwise.",
        )  # fmt: skip


def distance(spec: DiagnosisSpec, _p: Predictions) -> None:
    """Of the average gap."""
    control(
        st.selectbox, "Distance", "distance", spec.distance,
        lambda spec, name: replace(spec, distance=name),
        options=list(DISTANCES), say=distance_label,
    )  # fmt: skip


def distance_label(kind: str) -> str:
    """A distance, or the metric of a kernel, as the side bar calls it."""
    label: str = DISTANCES[kind].label
    return label
