"""Mutants of every kind of document that is read back: each field, in every way that harmed once or might.

A mutant is read, and what could be read is used as the product would: shown, continued, applied. Only
:class:`InputError` may come out, soon and in little memory. ``python -m tests.hostile.mutants monitoring 0 1
all`` runs them by hand, each after the other, with a limit on memory: see :func:`main`.
"""

import json
import os
import random
import resource
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from calibcore import DiagnosisSpec, Predictions, diagnose, terminal
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.rerun import differences, repeatable
from calibcore.assessment.survey import Survey, survey
from calibcore.assessment.verdict import Verdict, decided
from calibcore.diagnose import Diagnosis
from calibcore.errors import InputError
from calibcore.questions.decide import Decisions, decide
from calibcore.questions.monitor import Monitoring, monitor
from calibcore.questions.recalibrate.maps import MAPS, RecalibrationMap
from calibcore.questions.registry import QUESTIONS
from calibcore.settings import TESTS, lens_from_words, lens_to_words
from calibcore.settings.text import parsed
from calibcore.transforms.lenses import CanonicalLens, ClassLens, SetLens, TopKLens
from calibcore.words.sharing import opened_report, repeated
from tests.asked import small_ones
from tests.hostile.documents import RICH
from tests.hostile.invariants import one_sentence, peak_kb

SECONDS, MEGABYTES = 2.0, 200.0
"""Of one mutant, read and used."""
ROOM = 1_000_000_000
"""Bytes of addresses that a process may take for all its mutants, beyond what it had before."""
RNG = np.random.default_rng(12)
N = 80
SPEC = DiagnosisSpec(resamples=19, tests=("exact-omnibus",), estimates=())
FULL = replace(SPEC, tests=TESTS, estimates=DiagnosisSpec().estimates, bootstrap=20)


def _model(seed: int, m: int, n: int = N, day: int = 0) -> Predictions:
    """A model that is too sure, with a date, a site and a patient of each case."""
    rng = np.random.default_rng(seed)
    probs = rng.dirichlet(np.ones(m), n)
    labels = (rng.random(n)[:, None] > np.sqrt(probs).cumsum(1) / np.sqrt(probs).sum(1, keepdims=True)).sum(1)
    dates = np.datetime64("2026-01-01") + day + np.arange(n)
    columns = {
        "day": dates.astype(str),
        "site": np.array(["A", "B"])[np.arange(n) % 2],
        "patient": np.array([f"p{day + i // 2}" for i in range(n)]),
    }
    return Predictions.from_arrays(probs, labels, list("abcdef"[:m]), columns)


TWO, THREE = _model(1, 2), _model(2, 3)
FEW = THREE.with_rows(np.arange(30))
LATER = _model(3, 2, 60, N)
PROBS = np.array([[0.0, 1.0], [0.1, 0.9], [0.5, 0.5], [1.0, 0.0]])


def _shown(result: Any) -> None:
    """In a notebook and as a table."""
    assert repr(result)
    for show in ("_repr_html_", "to_frame"):
        if hasattr(result, show):
            getattr(result, show)()


def _text(words: Callable[[Any], str]) -> Callable[[Any], None]:
    def use(result: Any) -> None:
        assert words(result)
        _shown(result)

    return use


def _settings(spec: DiagnosisSpec) -> None:
    """Each field is used, and few of the tests and estimates: each was asked for by its name."""
    lens_to_words(spec.lens)
    diagnose(FEW, replace(spec, tests=spec.tests[-1:], estimates=spec.estimates[-1:])).to_json()


def _survey(found: Survey) -> None:
    decided(found)
    _shown(found)


def _judged(found: Assessment) -> None:
    terminal.survey_text(found)
    found.at(0.3)
    _survey(found.survey)


def _repeated(shared: Any) -> None:
    opened_report(shared)
    repeated(len(shared.results), differences(shared, _assessment()))


def _continued(state: Monitoring) -> None:
    for later in (LATER, TWO):
        found = state
        try:
            found = monitor(later, state.spec, time=state.time, state=state)
        except InputError as error:
            one_sentence(str(error))
        found.to_state(), found.to_json()
        terminal.answer_text(found)
        _shown(found)


def _applied(read: tuple[RecalibrationMap, tuple[str, ...]]) -> None:
    fitted, names = read
    m = len(names)
    probs = PROBS if m == 2 else np.vstack([np.eye(m), np.full((1, m), 1 / m)])
    after = fitted(probs)
    assert after.shape == probs.shape
    assert ((after >= 0) & (after <= 1)).all()
    assert np.allclose(after.sum(axis=1), 1)
    fitted.json_code(names), fitted.scikit_learn_code(names), fitted.torch_code()


@cache
def _assessment() -> Assessment:
    return assess(THREE, survey(THREE, SPEC, [TopKLens(1), CanonicalLens(), ClassLens("a")]))


def _monitoring(units: bool) -> str:
    spec = replace(SPEC, lens=CanonicalLens(), unit="patient" if units else None)
    return monitor(TWO, spec, time="day" if units else None, window=20).to_state()


def _map(kind: str) -> str:
    p = TWO if MAPS[kind].two_classes else THREE
    fitted = MAPS[kind].fit(p.probs, p.labels)
    return fitted.json_code(p.class_names)


def _report() -> str:
    """What is read of a report."""
    said = {"report": {"title": "A model", "date": "26 November 2026"}, "spec": SPEC.to_document()}
    return json.dumps(_assessment().to_document() | said)


@dataclass(frozen=True)
class Kind:
    """A kind of document: what is read, a good text of it, what reads it, and the next that is done with it.

    So many of its mutants are tried, drawn at random once.
    """

    of: type
    make: Callable[[], str]
    read: Callable[[str], Any]
    use: Callable[[Any], None]
    most: int = 1_100


KINDS: dict[str, Kind] = {
    "settings": Kind(DiagnosisSpec, RICH.to_json, DiagnosisSpec.from_json, _settings),
    "lens": Kind(
        TopKLens, lambda: json.dumps(RICH.to_document()["lens"]), lens_from_words, lambda lens: lens(THREE)
    ),
    "diagnosis": Kind(
        Diagnosis,
        lambda: diagnose(TWO, replace(FULL, unit="patient")).to_json(),
        Diagnosis.from_json,
        _text(terminal.diagnosis_text),
    ),
    "survey": Kind(Survey, lambda: _assessment().survey.to_json(), Survey.from_json, _survey),
    "judged": Kind(Assessment, lambda: _assessment().to_json(), Assessment.from_json, _judged),
    "report": Kind(
        Assessment,
        _report,
        repeatable,
        _repeated,
    ),
    "verdict": Kind(
        Verdict,
        lambda: json.dumps(_assessment().verdicts[0].to_document()),
        lambda text: Verdict.from_document(parsed(text, "The verdict")),
        _shown,
    ),
    **{
        QUESTIONS[result].name: Kind(
            result, lambda make=make: make().to_json(), result.from_json, _text(terminal.answer_text)
        )
        for result, make in small_ones().items()
        if hasattr(result, "from_json")
    },
    "decisions by sets": Kind(
        Decisions,
        lambda: decide(THREE, replace(SPEC, lens=SetLens(0.8)), [0.5]).to_json(),
        Decisions.from_json,
        _text(terminal.answer_text),
    ),
    "monitoring": Kind(Monitoring, lambda: _monitoring(False), Monitoring.from_state, _continued),
    "monitoring by dates": Kind(Monitoring, lambda: _monitoring(True), Monitoring.from_state, _continued),
    **{
        f"map {name}": Kind(cls, lambda name=name: _map(name), RecalibrationMap.from_json, _applied)
        for name, cls in MAPS.items()
    },
}
"""Every kind; :func:`without_a_kind` says which types have none."""


def without_a_kind(types: list[type]) -> list[str]:
    """A sentence a type that is read back and of which there are no mutants."""
    known = {kind.of for kind in KINDS.values()}
    return [
        f"{cls.__name__} is read back from JSON and has no entry in tests/hostile/mutants.py."
        for cls in types
        if cls not in known
    ]


DEEP = "[" * 500 + "]" * 500
GONE, TWICE = "gone", "twice"
RAW = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    DEEP,
    '{"a":' * 500 + "1" + "}" * 500,
    "1" * 5_000,
    '"\\ud800"',
)
"""As they stand in the text."""
VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 3, 7, 0.0, -0.5, 0.5, 1.5, 1e-300, 1e17, 1e308, -1e308, 10**6, 10**18,
    -(10**18), 10**30, 10**400, "", "x", "1", "a", "b", "canonical", "x" * 10_000, "x" * 1_000_000, "\0", [],
    {}, [None], [0], ["x"], [[]], [[0, 1]], [{}], {"a": 1}, {"kind": "x"}, [0] * 10_000, [1e308] * 3,
)  # fmt: skip


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place; of lists the first two entries and the last."""
    yield path
    items: list[Any] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = [(i, value[i]) for i in sorted({0, 1, len(value) - 1} & set(range(len(value))))]
    for key, one in items:
        yield from _paths(one, (*path, key))


def _near(value: Any) -> list[Any]:
    """What is nearly right: other numbers and lists of that sort."""
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, int | float):
        return [value + 1, value - 1, 2 * value + 1, -value, float(value), value * 1e6, str(value)]
    if isinstance(value, list):
        return [value + value, value[:-1], value[1:], value[::-1], dict(enumerate(map(str, value))), [value]]
    if isinstance(value, dict):
        return [list(value.items()), list(value.values()), {**value, "more": 1}]
    return [value + "x", [value], value.upper()]


def mutants(kind: str, most: int = 1_000_000) -> Iterator[tuple[str, str]]:
    """What was done, and the document's text then; of more than ``most`` some. The same at every call."""
    good = json.loads(KINDS[kind].make())
    places = []
    for path in _paths(good):
        value: Any = good
        for key in path:
            value = value[key]
        keys = bool(path) and isinstance(path[-1], str)
        near = _near(value)
        places += [(path, near, i) for i in range(len(VALUES) + len(near) + len(RAW) + 2 * keys)]
    if len(places) > most:
        places = random.Random(kind).sample(places, most)
    for path, near, i in places:
        ways = [*VALUES, *near]
        raw = json.dumps(ways[i]) if i < len(ways) else [*RAW, GONE, TWICE][i - len(ways)]
        yield f"{'.'.join(map(str, path))} = {raw[:60]}", _changed(good, path, raw)


def _changed(document: Any, path: tuple[Any, ...], raw: str) -> str:
    """The text of a document with other text at a place, an object's key left out, or there twice."""
    if not path:
        return raw
    key, rest = path[0], path[1:]
    if isinstance(document, list):
        parts = [_changed(one, rest, raw) if i == key else json.dumps(one) for i, one in enumerate(document)]
        return f"[{', '.join(parts)}]"
    parts = []
    for name, one in document.items():
        own = name == key
        if own and not rest and raw == GONE:
            continue
        text = _changed(one, rest, raw) if own and not (not rest and raw == TWICE) else json.dumps(one)
        parts.append(f"{json.dumps(name)}: {text}")
        if own and not rest and raw == TWICE:
            parts.append(parts[-1])
    return f"{{{', '.join(parts)}}}"


def _refusal(sentence: str) -> None:
    """One sentence that names what is wrong, and not merely that something is."""
    one_sentence(sentence)
    assert "something is missing" not in sentence, "the sentence names no field"


def try_one(kind: Kind, text: str) -> bool:
    """Read it, and use what was read; whether it could be. Raises what may not be."""
    try:
        result = kind.read(text)
    except InputError as error:
        _refusal(str(error))
        return False
    try:
        kind.use(result)
    except InputError as error:
        one_sentence(str(error))
    return True


def main() -> None:
    """``KIND FIRST EVERY all|COUNT``: mutants from the ``FIRST`` on; prints each that fails, and a sum.

    Each mutant is announced before it is tried: what the last was is known where this process dies.
    """
    name, first, count = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    warnings.simplefilter("ignore")
    for each in list(KINDS) if name == "each" else [name]:
        _run(each, first, count)


def _run(name: str, first: int, count: str) -> None:
    kind = KINDS[name]
    most = kind.most if count == "all" else int(count)
    assert try_one(kind, kind.make()), f"the good document of {name} is refused"
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + ROOM, resource.getrlimit(resource.RLIMIT_AS)[1]))
    tried = used = 0
    worst_seconds = worst_mb = 0.0
    for i, (words, text) in enumerate(mutants(name, most)):
        if i < first:
            continue
        print(json.dumps({"kind": name, "at": i, "words": words}), flush=True)
        Path("/proc/self/clear_refs").write_text("5")
        before, began = peak_kb(), time.process_time()
        problem = ""
        try:
            used += try_one(kind, text)
        except BaseException as error:
            where = traceback.extract_tb(error.__traceback__)[-3:]
            places = " < ".join(f"{os.path.basename(f.filename)}:{f.lineno}" for f in reversed(where))
            problem = f"{type(error).__name__}: {str(error)[:200]} ({places})"
        seconds, mb = time.process_time() - began, (peak_kb() - before) / 1000
        if not problem and (seconds > SECONDS or mb > MEGABYTES):
            problem = f"{seconds:.1f} s, {mb:.0f} MB"
        tried, worst_seconds, worst_mb = tried + 1, max(worst_seconds, seconds), max(worst_mb, mb)
        if problem:
            print(json.dumps({"kind": name, "words": words, "problem": problem}), flush=True)
    done = {"tried": tried, "used": used, "seconds": round(worst_seconds, 2), "mb": round(worst_mb)}
    print(json.dumps({"kind": name, "done": done}), flush=True)
    resource.setrlimit(
        resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.getrlimit(resource.RLIMIT_AS)[1])
    )


if __name__ == "__main__":
    main()
