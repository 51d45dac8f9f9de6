"""What a decision is about: a class against the rest, or the model's own answer."""

import streamlit as st

from calibcore import DiagnosisSpec, MultiLabelPredictions, OverLabels, Predictions, decide
from calibcore.questions.decide import RANGES, TARGET, Decisions, default_thresholds
from calibcore.questions.decide import words as deciding
from calibcore.transforms.lenses import AtLeastLens, ClassLens, Lens, TopKLens
from calibcore.words.looking import name_among, sentence_case
from pages.ui import choices, class_order, dates, looks, regions, settings
from pages.ui.groups import columns
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded
from pages.work import costs, studies
from pages.work.studies import Study

_TARGET, _PREVALENCE, _GROUPS = "decide-target", "decide-prevalence", "decide-groups-column"
OWN = "Act on the model's own answer, or ask"


def choose(data: Loaded, spec: DiagnosisSpec) -> bool:
    """The box of what can be decided about; whether the lens in use is about two outcomes.

    A choice is a lens like any other: the side bar shows it, and it can be undone.
    """
    p = data.predictions
    lens, _ = regions.parts(spec.lens)
    m = costs.classes_through(spec.lens, p)
    if m != 2:
        st.markdown(
            f"## A decision is about two outcomes. "
            f"{plain(sentence_case(spec.lens.phrase()))} {'has' if m == 1 else 'have'} {m:,}."
        )
        st.markdown(
            "Choose what one acts on. That is one class, from some probability on. Or it is the model's own "
            "answer, which one accepts where it is sure and puts to a person elsewhere."
        )
    offered = _offered(p)
    if m == 2 and lens not in offered:
        offered[lens] = sentence_case(name_among(lens, p.class_names))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choices.choose_one(
            "Decide about",
            choices.worded(offered, offered.__getitem__, most=120),
            lens if lens in offered else None,
            _look,
            name="decide-about",
            help=glossary("decision"),
            placeholder="Choose what one acts on",
            width=460,
        )
        if m == 2:
            choose_range(spec)
            _target()
            if prevalence(spec) is None:
                _groups(data, spec)
            if not spec.lens.within.answers:
                _prevalence(spec)
    return m == 2


def _offered(p: Predictions) -> dict[Lens, str]:
    """What can be decided about, in words: of classes in order the borders first, up to the last class."""
    single: dict[Lens, str] = {
        ClassLens(name): f"Act for '{name}'{remark}" for name, remark in class_order.remarks().items()
    }
    borders: dict[Lens, str] = {}
    if p.ordered:
        borders = {AtLeastLens(name): f"Act for '{name}' or above" for name in p.class_names[1:-1]}
        last = ClassLens(p.class_names[-1])
        borders |= {last: single.pop(last)} if last in single else {}
    return {TopKLens(1): OWN, **borders, **single}


def offer_rarer(decisions: Decisions) -> None:
    """A button that acts for the rarer of two classes, where always answering the other needs no model."""
    if name := deciding.instead(decisions):
        act = st.button(f"Act for '{plain(name)}'", icon=":material/balance:", key="act-for-rarer")
        if act:
            _look(ClassLens(name))
            st.rerun()


def thresholds(spec: DiagnosisSpec) -> tuple[float, ...]:
    """Those of the range in use."""
    return RANGES[range_of(spec)]


def range_of(spec: DiagnosisSpec) -> str:
    """The range in use: that of the lens until another is chosen."""
    usual = next(name for name, thresholds in RANGES.items() if thresholds == default_thresholds(spec.lens))
    chosen: str = st.session_state.get(_key(spec), usual)
    return chosen


def _key(spec: DiagnosisSpec) -> str:
    return f"decide-range-{'answers' if spec.lens.within.answers else 'class'}"


def choose_range(spec: DiagnosisSpec) -> None:
    """Which thresholds are looked at together; rare events are acted on at low ones."""
    looks.drawn(
        st.segmented_control,
        "Thresholds",
        list(RANGES),
        default=range_of(spec),
        required=True,
        format_func=lambda name: deciding.range_words(RANGES[name]),
        key=_key(spec),
        start=range_of(spec),
        help=glossary("range of thresholds"),
    )


def target() -> float:
    """The share of right answers that is asked for, from some threshold on."""
    return float(st.session_state.get(_TARGET, 100 * TARGET)) / 100


def _target() -> None:
    looks.drawn(
        st.number_input,
        "Right in at least, %",
        50.0,
        99.9,
        100 * target(),
        1.0,
        format="%g",
        key=_TARGET,
        start=100 * target(),
        width=170,
        help=glossary("target"),
    )


def prevalence(spec: DiagnosisSpec) -> float | None:
    """How frequent the event is where one acts, if that is said and one acts for a class."""
    percents = st.session_state.get(_PREVALENCE)
    return None if percents is None or spec.lens.within.answers else float(percents) / 100


def _prevalence(spec: DiagnosisSpec) -> None:
    share = prevalence(spec)
    looks.drawn(
        st.number_input,
        "Another prevalence, %",
        0.01,
        99.99,
        None if share is None else 100 * share,
        1.0,
        format="%g",
        key=_PREVALENCE,
        start=None if share is None else 100 * share,
        width=190,
        placeholder="as in the file",
        help=glossary("another prevalence"),
    )


def asked(data: Loaded, spec: DiagnosisSpec, column: str | None) -> Study[Decisions]:
    """What the page asks, as its controls stand, also in each group of a ``column``."""
    order = None if column is None else dates.order(data)
    return studies.decisions(
        data.predictions, spec, thresholds(spec), target(), prevalence(spec), column, order
    )


def of_labels(p: MultiLabelPredictions, data: Loaded, spec: DiagnosisSpec) -> Study[OverLabels]:
    """The same of each label, as the controls stand."""
    column = groups(data, spec)
    return studies.over_labels(
        decide, p, spec, costs.seconds_of_decisions, () if column is None else (column,),
        thresholds=thresholds(spec), target=target(), prevalence=prevalence(spec), groups=column,
        dates=None if column is None else dates.order(data),
    )  # fmt: skip


def groups(data: Loaded, spec: DiagnosisSpec) -> str | None:
    """The column in whose groups the target is looked at, too; None for none."""
    name = st.session_state.get(_GROUPS)
    return name if prevalence(spec) is None and name in columns.offered(data, spec) else None


def _groups(data: Loaded, spec: DiagnosisSpec) -> None:
    """The box of columns; none where the file has none."""
    words = {"": "no column"} | choices.worded(columns.offered(data, spec))
    if len(words) == 1:
        return

    def keep(name: str) -> None:
        st.session_state[_GROUPS] = name

    choices.choose_one(
        "Also in each group of", words, groups(data, spec) or "", keep, name="decide-groups",
        width=220, help=glossary("promise in groups"),
    )  # fmt: skip


def _look(lens: Lens) -> None:
    """Look through ``lens``; a region of predictions stays."""
    settings.try_lens(regions.inside(settings.current(), lens).lens)
