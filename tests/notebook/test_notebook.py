"""Results in a notebook: they show their verdict, figure and table, stand alone, and let nobody in."""

import copy
import math
import pickle
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import calibcore
from calibcore import (
    DiagnosisSpec,
    InputError,
    MultiLabelPredictions,
    Predictions,
    Survey,
    Verdict,
    Verdicts,
    ask_each,
    average_without_bins,
    decide,
    diagnose,
    survey,
)
from calibcore.answers.survey import checks_table
from calibcore.assessment.assess import Assessment
from calibcore.assessment.headline import headline
from calibcore.charts import style
from calibcore.data.outside_text import visible
from calibcore.display import Displayed, WithFigure
from calibcore.limits import asset_path
from calibcore.notebook import VIEWS, answers
from calibcore.painters.inline.promise import _up_to
from calibcore.questions.decide.charts import promise_curves
from calibcore.questions.plan.words import whole_parts_and_cases
from calibcore.questions.registry import QUESTIONS
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens
from calibcore.words.diagram import heading, reason
from calibcore.words.tables import number_in
from calibcore.words.verdicts import as_a_whole, chip_text
from tests.asked import EVIL, small_ones

NAMES = (EVIL, "b", "</style></svg><script>alert(2)</script>")
EMPTY = ("br", "img", "input", "link", "meta", "hr")


def made(miscalibrated: float, n: int = 300, names: tuple[str, ...] = NAMES) -> Predictions:
    rng = np.random.default_rng(4)
    probs = rng.dirichlet(np.ones(len(names)), size=n)
    truth = probs.copy()
    truth[:, 1] += miscalibrated * truth[:, 0]
    truth[:, 0] *= 1 - miscalibrated
    labels = (rng.random((n, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=len(names) - 1)
    return Predictions.from_arrays(probs, labels, names)


P = made(0.6)
SPEC = DiagnosisSpec(resamples=99, alpha=0.3)
SEVERAL = MultiLabelPredictions.from_arrays(P.probs[:, :2], P.labels[:, None] == [0, 1], NAMES[:2])
OF_QUESTIONS = {QUESTIONS[result].name: make for result, make in small_ones().items()}


@pytest.fixture(scope="module")
def found() -> Verdicts:
    lenses = (TopKLens(1), CanonicalLens(), ClassLens(EVIL))
    return calibcore.judge(P, survey(P, SPEC, lenses))


@pytest.fixture(scope="module")
def shown(found: Verdicts) -> Mapping[str, Displayed]:
    """One of each type, and what is special among them: weighted, two classes, one that is consistent."""
    diagnosis = diagnose(P, SPEC)
    weighted = Predictions.from_arrays(P.probs, P.labels, NAMES, weights=np.linspace(1, 2, P.n))
    two = made(0.0, names=("no", "yes"))
    tested = diagnosis.tests[0].result
    assert tested is not None
    return {
        "predictions": P,
        "weighted predictions": weighted,
        "test": tested,
        "reliability": diagnosis.reliability,
        "diagnosis": diagnosis,
        "weighted diagnosis": diagnose(weighted, replace(SPEC, lens=TopKLens(1), tests=())),
        "survey": found.survey,
        "survey of two": survey(two, SPEC),
        "verdict": found[0],
        "verdicts": found,
        "arrows without bins": average_without_bins(P, SPEC),
        "curve without bins": average_without_bins(P, replace(SPEC, lens=TopKLens(1))),
        **{name: make() for name, make in OF_QUESTIONS.items()},
        "over labels": ask_each(decide, SEVERAL, SPEC, thresholds=[0.5]),
    }


KINDS = (
    "predictions", "weighted predictions", "test", "reliability", "diagnosis", "weighted diagnosis", "survey",
    "survey of two", "verdict", "verdicts", "arrows without bins", "curve without bins", *OF_QUESTIONS,
    "over labels",
)  # fmt: skip


class Elements(HTMLParser):
    """All elements of a page with their attributes; fails where one is closed that is not open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def text_of(html: str) -> str:
    """What a person reads, without tags and styles."""
    words = re.sub(r"<[^>]*>", " ", re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL))
    for sign, entity in (("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#x27;"), ("&", "&amp;")):
        words = words.replace(entity, sign)
    return " ".join(words.split())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.slow
def test_html_stands_alone_and_lets_nobody_in(kind: str, shown: Mapping[str, Displayed]) -> None:
    html = shown[kind]._repr_html_()
    elements = Elements(html).found
    allowed = {
        "div", "style", "p", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "figure",
        "figcaption", "svg", "path", "rect", "text", "title",
    }  # fmt: skip
    assert {tag for tag, _ in elements} <= allowed
    names = {name for _, attributes in elements for name in attributes}
    assert not {name for name in names if name.startswith("on") or name in ("src", "href", "style", "srcset")}
    assert "\u202e" not in html
    assert "url(" not in html
    assert "@import" not in html
    assert len(html) < 60_000
    for svg in re.findall(r"<svg.*?</svg>", html, flags=re.DOTALL):
        ET.fromstring(svg)


@pytest.mark.some(6)
@pytest.mark.parametrize("kind", KINDS)
def test_a_repr_is_short_and_has_no_arrays(kind: str, shown: Mapping[str, Displayed]) -> None:
    said = repr(shown[kind])
    assert len(said) < 400
    assert said.startswith(f"{type(shown[kind]).__name__}(")
    assert "array" not in said
    assert "\n" not in said


def test_all_types_have_a_view_and_the_parametrised_kinds_are_all(shown: Mapping[str, Displayed]) -> None:
    missing = {view.__name__ for view in VIEWS.keys() ^ {type(one) for one in shown.values()}}
    assert not missing, f"{', '.join(missing)}: shown has one of every type with a view, and of no other."
    assert tuple(shown) == KINDS


def test_verdicts_show_the_sentences_the_table_and_the_diagram_of_the_app(found: Verdicts) -> None:
    html = found._repr_html_()
    said = text_of(html)
    assert chip_text(as_a_whole(found)) in said
    for part in whole_parts_and_cases(Assessment(found.survey, tuple(found), ())):
        assert " ".join(visible(part).split()) in said
    for row in checks_table(found.survey.diagnoses, found).rows():
        assert row["Adjusted p"] in said
        assert " ".join(row["Typical gap"].split()) in said
    diagram = headline(found.survey.diagnoses, found).diagnosis.reliability
    first = headline(found.survey.diagnoses, found)
    assert " ".join(visible(heading(first)).split()) in said
    assert " ".join(visible(reason(first)).split()) in said
    assert html.count('class="cross') == diagram.n_bins + 1  # and one in the key
    assert html.count('class="cross outside"') == int(diagram.outside.sum()) + 1


def test_the_marks_of_the_diagram_stand_where_the_numbers_are(found: Verdicts) -> None:
    """Crosses in the order of deviations; each within its bar unless it is outside."""
    diagram = headline(found.survey.diagnoses, found).diagnosis.reliability
    svg = ET.fromstring(re.findall(r"<svg.*?</svg>", found._repr_html_(), flags=re.DOTALL)[0])
    crosses = [(e.attrib["d"], e.attrib["class"]) for e in svg.iter("path") if "cross" in e.attrib["class"]]
    places = [[float(x) for x in re.findall(r"-?[\d.]+", d)[:2]] for d, _ in crosses[1:]]
    x, y = np.array(places).T + 4.5
    bars = [e.attrib for e in svg.iter("rect") if e.attrib["class"] == "chance"][1:]
    assert np.argsort(-y).tolist() == np.argsort(diagram.deviation, kind="stable").tolist()
    slope, offset = np.polyfit(diagram.mean_prediction[:, 0], x, 1)
    np.testing.assert_allclose(slope * diagram.mean_prediction[:, 0] + offset, x, atol=0.11)
    for b, bar in enumerate(bars):
        top, bottom = float(bar["y"]), float(bar["y"]) + float(bar["height"])
        assert (top - 0.2 <= y[b] <= bottom + 0.2) != diagram.outside[b]


@pytest.mark.parametrize("target", [0.95, 0.7])
def test_the_figure_of_a_promise_stands_where_its_numbers_are(target: float) -> None:
    """Read off the ticks: both thresholds, and the line up to the edge of the panel and no further."""
    rng = np.random.default_rng(4)
    chances = rng.beta(12, 1, 400)
    labels = (rng.random(400) > chances).astype(int)
    two = Predictions.from_arrays(np.column_stack([chances, 1 - chances]), labels, NAMES[:2])
    found = decide(two, DiagnosisSpec(lens=ClassLens(EVIL), resamples=99), target=target)
    drawings = re.findall(r"<svg.*?</svg>", found._repr_html_(), flags=re.DOTALL)
    assert len(drawings) == 2  # ruled in, ruled out
    for drawn, guarantee in zip(drawings, (found.guarantee, found.rule_out), strict=True):
        assert guarantee is not None
        svg = ET.fromstring(drawn)
        curves = promise_curves(found, guarantee, "case")
        texts = [(e.text or "", float(e.attrib["x"]), float(e.attrib["y"])) for e in svg.iter("text")]
        across = [(float(words), x) for words, x, y in texts if words.isdecimal() and y > 210]
        upwards = [(float(words), y - 4) for words, _, y in texts if words.isdecimal() and y <= 204]
        marks = {kind: [e for e in svg.iter("path") if e.get("class") == kind] for kind in MARKS}
        for kind, place in (("naive", curves.naive), ("promised", curves.shown)):
            assert len(marks[kind]) == (0 if place is None else 2)  # and one in the key
            if place is not None:
                x, y = (float(part) for part in re.findall(r"[\d.]+", marks[kind][0].attrib["d"])[:2])
                assert x + 5 == pytest.approx(np.interp(place.x, *zip(*across, strict=True)), abs=0.11)
                (low, at_low), (high, at_high) = upwards[0], upwards[-1]
                assert y == pytest.approx(
                    at_low + (place.y - low) * (at_high - at_low) / (high - low), abs=0.11
                )
        numbers = [float(part) for part in re.findall(r"[\d.]+", marks["delivered"][0].attrib["d"])]
        assert min(numbers[1::2]) >= 28
        assert max(numbers[1::2]) <= 200
        assert sum(e.get("class") == "zone" for e in svg.iter("rect")) == len(guarantee.places)


MARKS = ("naive", "promised", "delivered")


def test_a_line_is_cut_where_it_leaves_the_panel() -> None:
    assert _up_to(10, [(0, 0), (1, 20), (2, 30), (3, 5)]) == [
        (0, 0), (0.5, 10), (1, 10), (2, 10), (pytest.approx(2.8), 10), (3, 5),
    ]  # fmt: skip
    assert _up_to(10, [(1, 10)]) == [(1, 10)]


def test_a_survey_says_what_its_tests_decide_and_where_the_rest_comes_from(
    shown: Mapping[str, Displayed],
) -> None:
    decided, undecided = text_of(shown["survey"]._repr_html_()), text_of(shown["survey of two"]._repr_html_())
    assert "✕ Miscalibrated" in decided
    assert "Miscalibrated" not in undecided
    assert "Consistent" not in undecided
    assert "In no check do the probabilities differ" in undecided
    assert all("survey.verdicts" in said for said in (decided, undecided))


def test_a_survey_of_an_earlier_version_says_so(found: Verdicts) -> None:
    earlier = replace(
        found.survey, diagnoses=tuple(replace(d, typical_gap=None) for d in found.survey.diagnoses)
    )
    assert "made by an earlier version. Make it anew." in text_of(earlier._repr_html_())
    assert earlier.to_frame()["typical gap"].isna().all()


def test_verdicts_are_a_tuple_still(found: Verdicts) -> None:
    assert isinstance(found, tuple)
    assert found == tuple(found)
    assert all(isinstance(verdict, Verdict) for verdict in found)
    for other in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert other == found
        assert type(other) is Verdicts
        assert isinstance(other.survey, Survey)


def test_frames_have_the_numbers_in_full(found: Verdicts, shown: Mapping[str, Displayed]) -> None:
    of_verdicts, of_survey = found.to_frame(), found.survey.to_frame()
    for frame in (of_verdicts, of_survey):
        assert frame["adjusted p"].tolist() == list(found.survey.adjusted)
    assert of_verdicts["typical gap"].tolist() == [verdict.typical_gap.value for verdict in found]
    assert of_verdicts["lens"].tolist()[:2] == ["top-k:1", "canonical"]
    again = Predictions.from_frame(P.to_frame(), label="label")
    assert again.fingerprint == P.fingerprint
    diagnosis = shown["diagnosis"]
    assert isinstance(diagnosis, calibcore.Diagnosis)
    numbers = diagnosis.to_frame().set_index("name")
    assert numbers["value"]["ece"] == diagnosis.calibration_error["ece"]
    assert numbers["value"]["brier"] == diagnosis.scores["brier"]
    for test in diagnosis.tests:
        assert test.result is None or numbers["p"][f"test {test.name}"] == test.result.pvalue
    bins = diagnosis.reliability.to_frame()
    assert sorted(bins["deviation"]) == sorted(diagnosis.reliability.deviation)
    assert bins["cases"].sum() == P.n
    for name in KINDS:
        assert len(shown[name].to_frame()) > 0


def test_columns_of_the_same_name_are_refused() -> None:
    p = Predictions.from_arrays([[0.2, 0.8]], [0], ["label", "b"])
    with pytest.raises(InputError, match="Two columns would be called 'label'"):
        p.to_frame()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_figures_are_those_of_the_app(theme: str, found: Verdicts, shown: Mapping[str, Displayed]) -> None:
    diagram = headline(found.survey.diagnoses, found).diagnosis.reliability
    figure = found.figure(theme)
    observed = [trace for trace in figure.data if str(trace.name).startswith("observed")]
    assert sorted(y for trace in observed for y in trace.y) == sorted((100 * diagram.deviation).tolist())
    assert figure.layout.font.color == style.TEXT[theme]
    drawn = [one for name, one in shown.items() if isinstance(one, WithFigure) and name != "verdicts"]
    assert len(drawn) > 8
    for one in drawn:
        assert one.figure(theme).data


def test_another_theme_is_refused(found: Verdicts) -> None:
    with pytest.raises(InputError, match="no theme 'blue'; expected light or dark"):
        found.figure("blue")


def test_without_plotly_all_is_shown_and_a_figure_names_the_extra(
    found: Verdicts, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith(("plotly", "calibcore.painters.screen"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "plotly", None)
    assert "<svg" in found._repr_html_()
    with pytest.raises(ImportError, match=r'pip install "caliblens\[figures\]"'):
        found.figure()


def test_colours_are_those_of_the_figures_and_of_the_report() -> None:
    css = asset_path("notebook", "notebook.css").read_text(encoding="utf-8").upper()
    page = {"text": style.TEXT, "ground": style.BACKGROUND, "predicted": style.PREDICTED}
    for name, colours in {**style.VERDICT_TEXT, **page}.items():
        assert f"--{name.upper()}: LIGHT-DARK({colours['light']}, {colours['dark']})".upper() in css, name
    assert f"--OBSERVED: {style.OBSERVED}" in css
    assert f"--CHANCE: {style.CHANCE}" in css


def test_columns_of_numbers_are_sorted_by_them_in_every_table(
    shown: Mapping[str, Displayed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new cell in words that no number is found in would turn its column into one that sorts as text."""
    tables: list[Any] = []
    monkeypatch.setattr(answers, "table", lambda rows, title: tables.append((title, rows)) or "")
    for result in shown.values():
        result._repr_html_()
    assert len(tables) > 20
    for title, rows in tables:
        for head in rows[0] if rows else ():
            found = [number_in(row.get(head)) for row in rows]
            if 2 * sum(number is not None and math.isfinite(number) for number in found) >= len(found):
                assert None not in found, (title, head, [row.get(head) for row in rows])
