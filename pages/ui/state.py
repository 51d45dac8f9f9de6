"""What a session holds: the models that are loaded, the one in use, and cached calls into calibcore.

Caches are per session, bounded, and keyed by the predictions' fingerprint and
the settings as JSON; predictions are passed with a leading underscore, which
keeps Streamlit from sampling them.
"""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import streamlit as st

from calibcore import DiagnosisSpec, MultiLabelPredictions, Predictions
from calibcore.data.confidence import TRUTH
from calibcore.data.examples import EXAMPLES
from calibcore.data.mismatch import Mismatch, mismatch
from calibcore.data.units import are_topics, column_digest
from calibcore.diagnose import bin_pvalues_for, reliability_for
from calibcore.diagnose.curves import curve_for, curve_settings
from calibcore.diagnose.parts import spread_for
from calibcore.diagram.curves import Curve
from calibcore.diagram.density import Isoline
from calibcore.diagram.density import isolines as isolines_around
from calibcore.diagram.outlines import Outline, bin_outlines
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.spread import Spread
from calibcore.hypothesis_tests import BinPvalues
from calibcore.io import Reading
from calibcore.io.roles.stacked import repeated
from calibcore.io.several_labels import LabelsReading, all_pairs, one_label
from calibcore.numerics.types import Int
from calibcore.words.looking import repeats_warning
from calibcore.words.repeating import IN_PYTHON
from pages.server import audit, visitors
from pages.server.budget import BUDGET, Hold
from pages.work import bundled

DEFAULT_EXAMPLE = "digits-forest"
IN_USE, WHY_NOTHING = "in-use", "why-nothing"
"""Keys of the session: the key of the model or example in use; why there is none, in a sentence."""
NOT_UNDONE = "not-undone"
"""Key of the session: whether the last thing that was done is none that can be undone."""
EXAMPLE_LABELS = "example-labels"
"""Key of the session: examples with several labels -> the one that is looked at, where one was chosen."""
SAMPLE, RECALIBRATED = "-random-", "-recalibrated-"
"""Stand between the key of a model and the number of cases in the key of its sample, or the kind of map in
that of its recalibrated predictions."""
GROUP = "-group-"
"""Stands between the key of a model and what tells a group of its cases apart, in the key of that group."""
MOST_MODELS = 12
"""Uploaded models a session holds; one more takes the place of the oldest that is not in use."""
NAMES_A_UNIT = re.compile(
    r"\s*(patient|subject|person|participant|individual|animal|cluster)s?([ _.-]?(id|nr|no))?\s*",
    re.IGNORECASE,
)
"""A column of that name says whose cases they are. One of sites or groups says where, and makes groups."""
OF_PEOPLE = ("patient",)
"""Columns of the bundled examples that say whose cases they are."""


class NothingInUse(LookupError):
    """What was in use is not there any more."""


@dataclass(frozen=True, eq=False)
class Loaded:
    """Predictions with what people call them. ``reading`` says how a file was read.

    ``group_column`` names whose cases they are (a patient's, say); ``repeats`` is what
    the user says about cases that belong together, None if nothing was said. What was read
    from a file counts as ``hold``. The cases may be a group of those of another model, ``whole``. They may
    have been made ``in_python``, and handed over. Where each case has several ``labels`` these are of one of
    them, see :func:`use_label`; ``labels_reading`` says how a file of them was read.
    """

    key: str
    title: str
    description: str
    noun: str
    predictions: Predictions
    reading: Reading | None = None
    group_column: str | None = None
    repeats: bool | None = None
    hold: Hold | None = None
    whole: "Whole | None" = None
    in_python: bool = False
    labels: MultiLabelPredictions | None = None
    labels_reading: LabelsReading | None = None

    @property
    def origin(self) -> Reading | str:
        """How a file was read, or what the data are in words."""
        if self.whole is not None:
            return self.whole.reading or f"a group of cases, '{self.title}'"
        if self.in_python:
            return IN_PYTHON
        return self.reading or f"the bundled example '{self.title}'"

    @property
    def uploaded(self) -> bool:
        """Whether a person brought it, or the model of which it is a group of cases."""
        brought = self.reading is not None or self.in_python
        return brought or (self.whole is not None and self.whole.uploaded)

    @cached_property
    def groups(self) -> int:
        """Different values of the group column; the number of cases without one. Cost O(n)."""
        if self.group_column is None:
            return self.predictions.n
        return len(set(self.predictions.metadata[self.group_column].tolist()))

    @cached_property
    def mismatch(self) -> Mismatch | None:
        """What speaks against labels and columns belonging together, of an upload."""
        return mismatch(self.predictions) if self.uploaded else None

    @property
    def warning(self) -> str:
        """What has to stand beside every p-value where cases repeat; empty where they do not or have none."""
        if self.predictions.case_of is not None:
            return ""
        groups_repeat = self.group_column is not None and self.groups < self.predictions.n
        if not groups_repeat and not self.repeats:
            return ""
        column = self.group_column if groups_repeat else None
        return repeats_warning(self.predictions.n, self.noun, column, self.groups)

    def same_cases(self, other: "Loaded") -> bool:
        """Whether two models speak of the same outcomes, by the names of the classes."""
        a, b = self.predictions, other.predictions
        if a.n != b.n or a.kind != b.kind or set(a.class_names) != set(b.class_names):
            return False
        if a.confidence_only:  # each is right about other cases: the truth is what they share
            first, second = (p.metadata.get(TRUTH) for p in (a, b))
            return first is not None and second is not None and first.tolist() == second.tolist()
        if a.class_names == b.class_names:
            return a.labels.tobytes() == b.labels.tobytes()
        places = [a.class_names.index(name) for name in b.class_names]
        return all(bool(((a.labels == i) == (b.labels == k)).all()) for k, i in enumerate(places))


@dataclass(frozen=True, eq=False)
class Whole:
    """The model of which another one holds a group of cases: its key, its cases, whether it was uploaded;
    the ``rows`` of it that are the group, and what that is called, "site B"; how a file is read so that it
    gives this group alone, where a flag can say that."""

    key: str
    n: int
    uploaded: bool
    rows: Int
    group: str
    reading: Reading | None = None


@st.cache_resource(max_entries=len(EXAMPLES) + bundled.MOST_LABELS)
def _example(key: str, label: str | None) -> Loaded:
    example = next(e for e in EXAMPLES if e.key == key)
    p, of_all = bundled.predictions(key, label), bundled.cases(key)
    column = next((name for name in p.metadata if name in OF_PEOPLE), None)
    labels = of_all if isinstance(of_all, MultiLabelPredictions) else None
    return Loaded(
        key, example.title, example.description, example.noun, p, group_column=column, labels=labels
    )


def models() -> dict[str, Loaded]:
    """The uploaded models of this session, oldest first."""
    loaded_models: dict[str, Loaded] = st.session_state.setdefault("models", {})
    return loaded_models


def root(key: str) -> str:
    """The key of the model of which one is a group of cases or a sample; else its own."""
    return key.partition(GROUP)[0].partition(SAMPLE)[0]


def known() -> list[str]:
    """The keys of the uploaded models, then of the examples."""
    return [*models(), *(example.key for example in EXAMPLES)]


def find(key: str) -> Loaded | None:
    """The uploaded model or the example of that key; None where there is none, or none any more."""
    if key in models():
        return models()[key]
    if key not in {example.key for example in EXAMPLES}:
        return None
    looked_at: dict[str, str] = st.session_state.get(EXAMPLE_LABELS, {})
    return _example(key, looked_at.get(key))


def in_use() -> Loaded | None:
    """The data in use: what was chosen, or an example before that; None if it is not there any more."""
    return find(st.session_state.get(IN_USE, DEFAULT_EXAMPLE))


def loaded() -> Loaded:
    """The data in use.

    Raises
    ------
    NothingInUse : they are not there any more; nothing else takes their place.
    """
    data = in_use()
    if data is None:
        raise NothingInUse
    return data


def predictions() -> Predictions:
    """The predictions in use."""
    return loaded().predictions


def use(key: str) -> None:
    """Make a model or an example the data in use."""
    st.session_state[IN_USE] = key
    st.session_state[NOT_UNDONE] = True
    st.session_state.pop(WHY_NOTHING, None)


def use_nothing(why: str) -> None:
    """No model and no example is in use until one is chosen; ``why`` is a sentence."""
    st.session_state[IN_USE] = ""
    st.session_state[WHY_NOTHING] = why


def why_nothing() -> str:
    """Why nothing is in use."""
    return str(st.session_state.get(WHY_NOTHING, "The model that you looked at is not there any more."))


def add(
    number: int, title: str, reading: Reading, in_use: bool = True, labels: LabelsReading | None = None
) -> Loaded:
    """Keep a file that was read, with all ``labels`` if it is one of several; use it, if so ``in_use``.

    ``number`` is that of its source: the same source read differently takes the place of its
    former reading, and what was said about that stays. Another model of a file has its own name.
    """
    key, p = f"model-{number}", reading.predictions
    before = models().get(key)
    of_another = (
        before is not None
        and before.reading is not None
        and (before.reading.options.model != reading.options.model)
    )
    _remove_made_of(key)  # the former reading
    column = unit_column(p)
    if before is not None and before.group_column != unit_column(before.predictions):  # it was chosen
        column = before.group_column
    audit.record(
        "read", by=audit.pseudonym(visitors.owner()), cases=p.n, classes=p.m, fingerprint=p.fingerprint
    )
    return keep(
        Loaded(
            key,
            before.title if before and not of_another else free_title(title, key),
            "",
            before.noun if before else "case",
            p,
            reading,
            column if column in p.metadata else None,
            before.repeats if before else None,
            BUDGET.count(visitors.current()[0], p.nbytes + (labels.predictions.nbytes if labels else 0)),
            labels=labels.predictions if labels else None,
            labels_reading=labels,
        ),
        in_use,
    )


def _remove_made_of(key: str) -> None:
    """Samples and groups of the cases of a model, and these recalibrated."""
    parts = tuple(f"{key}{mark}" for mark in (SAMPLE, RECALIBRATED, GROUP))
    for made in [other for other in models() if other.startswith(parts)]:
        remove(made)


def use_label(key: str, name: str) -> None:
    """Of a model or an example with several labels look at the one of that name, or where it is empty at all
    together.

    Raises
    ------
    InputError : there is no such label, or too little is known of it; nothing changes.
    """
    model = find(key)
    if model is None or model.labels is None:
        return
    if model.labels_reading is None:
        bundled.predictions(key, name)
        st.session_state[EXAMPLE_LABELS] = st.session_state.get(EXAMPLE_LABELS, {}) | {key: name}
    else:
        reading = one_label(model.labels_reading, name) if name else all_pairs(model.labels_reading)
        size = reading.predictions.nbytes + model.labels.nbytes
        hold = BUDGET.count(visitors.current()[0], size)
        models()[key] = replace(model, predictions=reading.predictions, reading=reading, hold=hold)
    _remove_made_of(key)  # the other label


def add_handed(number: int, title: str, p: Predictions) -> Loaded:
    """Keep predictions that were made in Python, the ``number``-th of them, and use them."""
    key = f"handed-{number}"
    column = unit_column(p)
    hold = BUDGET.count(visitors.current()[0], p.nbytes)
    made = Loaded(key, free_title(title, key), "", "case", p, None, column, hold=hold, in_python=True)
    return keep(made)


def unit_column(p: Predictions) -> str | None:
    """The column that says whose cases these are, as far as names and repeats tell."""
    named = (
        name
        for name, column in p.metadata.items()
        if NAMES_A_UNIT.fullmatch(name) and not are_topics(name, column)
    )
    return next(named, None) or repeated(p) or None


def made_of(model: Loaded, **changes: Any) -> Loaded:
    """A model of other cases or probabilities than ``model``: of several labels it has the one alone that is
    looked at, as the others stay those of all cases and of the model as it was."""
    return replace(model, labels=None, labels_reading=None, **changes)


def keep(model: Loaded, in_use: bool = True) -> Loaded:
    """Keep a model and, if it is to be ``in_use``, use it."""
    models()[model.key] = model
    if in_use:
        use(model.key)
    stays = (model.key, st.session_state.get(IN_USE))
    for other in [k for k in models() if k not in stays][: max(0, len(models()) - MOST_MODELS)]:
        remove(other)
    return model


def free_title(title: str, key: str) -> str:
    """The title, with a number if another model or an example has it: one name for one thing."""
    taken = {model.title for k, model in models().items() if k != key} | {e.title for e in EXAMPLES}
    return next(t for t in (title, *(f"{title} ({i})" for i in range(2, 99))) if t not in taken)


def describe(key: str, **changes: Any) -> None:
    """Change what is said about an uploaded model: title, noun, group_column, repeats."""
    if key not in models():
        return
    if "title" in changes:
        changes["title"] = free_title(changes["title"], key)
    models()[key] = replace(models()[key], **changes)


def remove(key: str) -> None:
    """Forget an uploaded model and the diagrams computed from it. Nothing takes its place in use."""
    removed = models().pop(key, None)
    if removed is not None:
        if st.session_state.get(IN_USE) == key:
            use_nothing(f"'{removed.title}' was removed.")
        for cache in (_diagram, _spread, _curve, _bin_tests, _cells, _isolines):
            cache.clear()


def diagram(p: Predictions, spec: DiagnosisSpec) -> Reliability:
    """The reliability diagram's numbers, cached for this session."""
    return _diagram(p, _fingerprint(p, spec), diagram_settings(spec).to_json())


def spread(p: Predictions, spec: DiagnosisSpec) -> Spread | None:
    """How the predictions are spread through the lens where they crowd, cached for this session."""
    return _spread(p, _fingerprint(p, spec), diagram_settings(spec).to_json())


def bin_tests(p: Predictions, spec: DiagnosisSpec, n_bins: int) -> BinPvalues | None:
    """The p-values of the diagram's bins, cached for this session."""
    return _bin_tests(p, n_bins, _fingerprint(p, spec), diagram_settings(spec).to_json())


def cells(p: Predictions, spec: DiagnosisSpec) -> list[Outline]:
    """The outlines of the diagram's bins, cached for this session."""
    return _cells(p, _fingerprint(p, spec), diagram_settings(spec).to_json())


def isolines(p: Predictions, spec: DiagnosisSpec) -> tuple[Isoline, ...]:
    """The lines around the densest predictions, cached for this session."""
    return _isolines(p, _fingerprint(p, spec), diagram_settings(spec).to_json())


def _fingerprint(p: Predictions, spec: DiagnosisSpec) -> str:
    """Of the predictions and, where rows belong together, of what says so."""
    return p.fingerprint if spec.unit is None else p.fingerprint + column_digest(p, spec.unit)


def diagram_settings(spec: DiagnosisSpec) -> DiagnosisSpec:
    """Only what the diagram depends on, so that other settings do not draw it anew."""
    start = DiagnosisSpec()
    return replace(spec, tests=(), estimates=(), kernel=start.kernel, distance=start.distance)


def gap_settings(spec: DiagnosisSpec) -> DiagnosisSpec:
    """Only what an average gap depends on."""
    return replace(diagram_settings(spec), distance=spec.distance)


@st.cache_data(max_entries=32, scope="session", show_spinner=False)
def _diagram(_p: Predictions, fingerprint: str, spec_json: str) -> Reliability:  # noqa: ARG001 (the key)
    return reliability_for(_p, DiagnosisSpec.from_json(spec_json))


@st.cache_data(max_entries=32, scope="session", show_spinner=False)
def _spread(_p: Predictions, fingerprint: str, spec_json: str) -> Spread | None:  # noqa: ARG001 (the key)
    return spread_for(_p, DiagnosisSpec.from_json(spec_json))


def curve(p: Predictions, spec: DiagnosisSpec, kind: str) -> Curve:
    """The curve over the diagram, cached for this session."""
    return _curve(p, _fingerprint(p, spec), curve_settings(spec).to_json(), kind)


@st.cache_data(max_entries=16, scope="session", show_spinner=False)
def _curve(_p: Predictions, fingerprint: str, spec_json: str, kind: str) -> Curve:  # noqa: ARG001 (the key)
    return curve_for(_p, DiagnosisSpec.from_json(spec_json), kind)


@st.cache_data(max_entries=32, scope="session", show_spinner=False)
def _bin_tests(_p: Predictions, n_bins: int, fingerprint: str, spec_json: str) -> BinPvalues | None:  # noqa: ARG001 (the key)
    return bin_pvalues_for(_p, DiagnosisSpec.from_json(spec_json), n_bins)


@st.cache_data(max_entries=32, scope="session", show_spinner=False)
def _cells(_p: Predictions, fingerprint: str, spec_json: str) -> list[Outline]:  # noqa: ARG001 (the key)
    spec = DiagnosisSpec.from_json(spec_json)
    return bin_outlines(spec.induced(_p).probs, spec.binning)


@st.cache_data(max_entries=8, scope="session", show_spinner=False)
def _isolines(_p: Predictions, fingerprint: str, spec_json: str) -> tuple[Isoline, ...]:  # noqa: ARG001 (the key)
    spec = DiagnosisSpec.from_json(spec_json)
    return isolines_around(spec.induced(_p).probs)
