"""Every diagram twice, on the screen and on paper, from one result."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module

import numpy as np
import plotly.graph_objects as go

from calibcore import (
    Diagnosis,
    DiagnosisSpec,
    GroupSurvey,
    Predictions,
    Recalibration,
    decide,
    diagnose,
    monitor,
    plan,
    recalibrate,
    track_training,
)
from calibcore.answers.blocks import Chart
from calibcore.assessment.assess import assess
from calibcore.charts.cumulative import cumulative_lines
from calibcore.data.examples import load_example, load_run
from calibcore.diagnose import NamedTest, bin_pvalues_for
from calibcore.diagram.binning import MedianVarianceBinning, SimplexBinning, UniformBinning
from calibcore.diagram.curves import reliability_curve
from calibcore.diagram.density import isolines
from calibcore.diagram.frequency_intervals import frequency_intervals
from calibcore.diagram.outlines import bin_outlines, consistency_outline
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.diagram.spread import spread_binning, spread_of
from calibcore.diagram.zoom import Zoom
from calibcore.display import WithFigure
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.painters import paper
from calibcore.painters.paper import (
    Figure,
    aligned_print,
    bandwidth_print,
    before_after_print,
    bins_print,
    comparison_print,
    cumulative_print,
    decision_print,
    enough_print,
    evidence_print,
    gains_print,
    group_multiples_print,
    groups_print,
    multiples_print,
    null_print,
    promise_print,
    reliability_print,
    rule_out_print,
    selective_print,
    sensitivity_print,
    simplex_print,
    smooth_curve_print,
    smooth_print,
    temperature_print,
    tetrahedron_print,
    training_print,
)
from calibcore.painters.screen.bandwidths import bandwidth_figure
from calibcore.painters.screen.cumulative import cumulative_figure
from calibcore.painters.screen.decisions import (
    decision_figure,
    promise_figure,
    rule_out_figure,
    selective_figure,
)
from calibcore.painters.screen.enough import enough_figure
from calibcore.painters.screen.evidence import evidence_figure
from calibcore.painters.screen.forest import comparison_figure, groups_figure
from calibcore.painters.screen.multiples import group_multiples_figure, multiples_figure
from calibcore.painters.screen.null_distribution import null_figure
from calibcore.painters.screen.pairs import bins_figure
from calibcore.painters.screen.recalibration import before_after_figure, gains_figure, temperature_figure
from calibcore.painters.screen.reliability import reliability_figure
from calibcore.painters.screen.sensitivity import sensitivity_figure
from calibcore.painters.screen.simplex import simplex_figure, smooth_figure
from calibcore.painters.screen.smooth_curve import smooth_curve_figure
from calibcore.painters.screen.tests_aligned import aligned_figure
from calibcore.painters.screen.tetrahedron import tetrahedron_figure
from calibcore.painters.screen.training import training_figure
from calibcore.questions.compare import bins_of_both
from calibcore.questions.groups import group_diagrams
from calibcore.questions.recalibrate import look, temperature_curve
from calibcore.questions.registry import QUESTIONS
from calibcore.questions.without_bins import average_without_bins
from calibcore.sensitivity.bandwidths import bandwidth_sensitivity
from calibcore.sensitivity.binnings import binning_sensitivity
from calibcore.sensitivity.each_class import classes_by_evidence
from calibcore.transforms.lenses import ClassLens, TopKLens
from tests.asked import small_ones
from tests.quick import compare, survey, survey_groups


@dataclass(frozen=True)
class Twice:
    """``screen()`` the plotly figure, ``paper(width=89)`` the printed one."""

    screen: Callable[[], go.Figure]
    paper: Callable[..., Figure]


@cache
def two_classes() -> Reliability:
    return reliability(TopKLens(1)(load_example("digits-forest")), UniformBinning(10))


@cache
def many_classes() -> Reliability:
    return reliability(load_example("digits-forest"), UniformBinning(4), n_resamples=99)


@cache
def three_classes() -> Reliability:
    return reliability(load_example("wine"), SimplexBinning(5), n_resamples=199)


@cache
def four_classes() -> Reliability:
    return reliability(TopKLens(3)(load_example("digits-forest")), MedianVarianceBinning(50), n_resamples=99)


@cache
def redraws(example: str = "breast-cancer", name: str = "exact-skce") -> NamedTest:
    found = diagnose(load_example(example), DiagnosisSpec(resamples=199, estimates=(), tests=("exact",)))
    test = found.test(name)
    assert test is not None
    return test


@cache
def three_without_bins() -> SmoothArrows:
    rng = np.random.default_rng(1)
    labels = rng.integers(3, size=400)
    g = np.exp(2.8 * (rng.normal(size=(400, 3)) + 1.5 * np.eye(3)[labels]))
    names = ("ripe", "green", "a name that is long enough for two lines")
    p = Predictions.from_arrays(g / g.sum(axis=1, keepdims=True), labels, names)
    return average_without_bins(p, DiagnosisSpec(resamples=199))


@cache
def all_tests() -> Diagnosis:
    return diagnose(load_example("wine"), DiagnosisSpec(resamples=99, estimates=()))


DRAWN: dict[str, Callable[[], Twice]] = {}
"""Name -> what makes both, in the order in which they are tried."""


def drawn(name: str) -> Callable[[Callable[[], Twice]], Callable[[], Twice]]:
    """Enters a figure."""

    def enter(make: Callable[[], Twice]) -> Callable[[], Twice]:
        assert name not in DRAWN
        DRAWN[name] = make
        return make

    return enter


def both(screen: Callable[..., go.Figure], paper: Callable[..., Figure], *given: object) -> Twice:
    """One result, drawn by two functions that take the same."""
    return Twice(partial(screen, *given), partial(paper, *given))


@cache
def forest() -> Predictions:
    return TopKLens(1)(load_example("digits-forest"))


CONFIDENCE = DiagnosisSpec(lens=TopKLens(1), resamples=199)
TRIANGLE = DiagnosisSpec(binning=MedianVarianceBinning(10), resamples=199)


@drawn("models")
def _models() -> Twice:
    three = {name: load_example(f"digits-{name}") for name in ("forest", "naive-bayes", "logistic")}
    return both(comparison_figure, comparison_print, compare(three, CONFIDENCE))


@drawn("bins of two models")
def _bins_of_two_models() -> Twice:
    shared = bins_of_both(forest(), TopKLens(1)(load_example("digits-naive-bayes")))
    two = ("random forest", "a name of a model that is much too long to stand beside a mark of any kind")
    return both(bins_figure, bins_print, shared, two)


@drawn("training")
def _training() -> Twice:
    epochs = {t: q for t, q in load_run("digits-training").items() if t % 12 == 0}
    return both(training_figure, training_print, track_training(epochs, CONFIDENCE))


@cache
def mended() -> Recalibration:
    return recalibrate(load_example("wine"), None, DiagnosisSpec(lens=TopKLens(1), resamples=99))


@drawn("gains")
def _gains() -> Twice:
    return both(gains_figure, gains_print, mended())


@drawn("before and after")
def _before_and_after() -> Twice:
    best = look(load_example("wine"), mended(), mended().methods[0].kind)
    return both(before_after_figure, before_after_print, best)


@drawn("temperature")
def _temperature() -> Twice:
    tried = temperature_curve(load_example("wine"), mended())
    return both(temperature_figure, temperature_print, mended(), tried)


@drawn("decisions")
def _decisions() -> Twice:
    wine = load_example("wine")
    worth = decide(wine, DiagnosisSpec(lens=ClassLens(wine.class_names[0]), resamples=199))
    return both(decision_figure, decision_print, worth)


@drawn("accepted answers")
def _accepted_answers() -> Twice:
    return both(selective_figure, selective_print, decide(load_example("digits-forest"), CONFIDENCE))


@drawn("a promised threshold")
def _promise() -> Twice:
    asked = decide(load_example("digits-forest"), CONFIDENCE, target=0.97)
    return both(promise_figure, promise_print, asked)


@drawn("a promise at another prevalence")
def _promise_there() -> Twice:
    p = load_example("breast-cancer")
    of_class = DiagnosisSpec(lens=ClassLens(p.class_names[0]), resamples=99)
    return both(promise_figure, promise_print, decide(p, of_class, target=0.8, prevalence=0.1))


@drawn("what is ruled out")
def _rule_out() -> Twice:
    p = load_example("breast-cancer")
    of_class = DiagnosisSpec(lens=ClassLens(p.class_names[0]), resamples=99)
    return both(rule_out_figure, rule_out_print, decide(p, of_class, target=0.99))


@drawn("enough cases")
def _enough_cases() -> Twice:
    return both(enough_figure, enough_print, plan("beta:2,5", DiagnosisSpec(tolerance=0.15)))


@cache
def sites() -> GroupSurvey:
    by_patient = DiagnosisSpec(resamples=199, unit="patient")
    return survey_groups(load_example("clinic"), ["site", "age"], by_patient)


@drawn("groups")
def _groups() -> Twice:
    return both(groups_figure, groups_print, sites())


@drawn("groups side by side")
def _groups_side_by_side() -> Twice:
    diagrams = group_diagrams(load_example("clinic"), sites())
    return Twice(partial(group_multiples_figure, diagrams, 0, 8), partial(group_multiples_print, diagrams))


@drawn("evidence")
def _evidence() -> Twice:
    by_patient = DiagnosisSpec(resamples=199, unit="patient")
    return both(evidence_figure, evidence_print, monitor(load_example("clinic"), by_patient, time="date"))


@drawn("evidence of rows")
def _evidence_of_rows() -> Twice:
    rows = monitor(load_example("digits-forest"), CONFIDENCE, window=100)
    return Twice(partial(evidence_figure, rows, "light", "image"), partial(evidence_print, rows, "image"))


@drawn("reliability")
def _reliability() -> Twice:
    return both(reliability_figure, reliability_print, two_classes(), "image")


@drawn("reliability with a curve")
def _with_a_curve() -> Twice:
    one, steps = two_classes(), reliability_curve(forest(), "isotonic", n_resamples=49)
    return Twice(partial(reliability_figure, one, curve=steps), partial(reliability_print, one, curve=steps))


@drawn("reliability in log-odds")
def _in_log_odds() -> Twice:
    surest = TopKLens(1)(load_example("digits-logistic"))
    spread = spread_of(surest)
    sure = reliability(surest, spread_binning(spread))
    return Twice(
        partial(reliability_figure, sure, "image", spread=spread),
        partial(reliability_print, sure, "image", spread=spread),
    )


@drawn("classical")
def _classical() -> Twice:
    one = two_classes()
    return Twice(
        partial(reliability_figure, one, "image", "light", True),
        partial(reliability_print, one, "image", True),
    )


@drawn("classical with curve and intervals")
def _classical_with_all() -> Twice:
    one, smooth = two_classes(), reliability_curve(forest(), "smooth", n_resamples=49)
    intervals = frequency_intervals(one, TopKLens(1))
    return Twice(
        partial(reliability_figure, one, "image", "light", True, smooth, intervals, True),
        partial(reliability_print, one, "image", True, smooth, intervals, True),
    )


@drawn("many classes")
def _many_classes() -> Twice:
    return both(reliability_figure, reliability_print, many_classes())


@drawn("triangle")
def _triangle() -> Twice:
    three, bins = three_classes(), SimplexBinning(5)
    return Twice(
        partial(simplex_figure, three, "wine", "light", bins, 2),
        partial(simplex_print, three, "wine", bins, 2),
    )


@drawn("triangle without bins")
def _triangle_without_bins() -> Twice:
    return both(smooth_figure, smooth_print, three_without_bins(), "wine")


@drawn("curve without bins")
def _curve_without_bins() -> Twice:
    alike = average_without_bins(load_example("digits-forest"), CONFIDENCE)
    return both(smooth_curve_figure, smooth_curve_print, alike, "image")


@cache
def _all_in_the_triangle() -> tuple[Reliability, tuple[object, ...]]:
    """Arrows, and binning, thickness, p-values, level, bins, lines and a region around one prediction."""
    wine, binning = load_example("wine"), TRIANGLE.binning
    cut = reliability(wine, binning, n_resamples=99)
    tests, cells = bin_pvalues_for(wine, TRIANGLE, cut.n_bins), bin_outlines(wine.probs, binning)
    region = consistency_outline(cut.mean_prediction[1], float(cut.high[1]))
    return cut, (binning, 1, tests, 0.05, cells, isolines(wine.probs), region)


@drawn("triangle with all")
def _triangle_with_all() -> Twice:
    cut, more = _all_in_the_triangle()
    return Twice(
        partial(simplex_figure, cut, "wine", "light", *more), partial(simplex_print, cut, "wine", *more)
    )


@drawn("part of the triangle")
def _part_of_the_triangle() -> Twice:
    (cut, more), part = _all_in_the_triangle(), Zoom((0.0, 0.0, 0.6))
    return Twice(
        partial(simplex_figure, cut, "wine", "light", *more, part),
        partial(simplex_print, cut, "wine", *more, part),
    )


@drawn("tetrahedron")
def _tetrahedron() -> Twice:
    return both(tetrahedron_figure, tetrahedron_print, four_classes(), "image")


@drawn("side of the tetrahedron")
def _side_of_the_tetrahedron() -> Twice:
    four, small = four_classes(), Zoom((0.2, 0.0, 0.0, 0.0))
    frame = consistency_outline(four.mean_prediction[2], float(four.high[2]))
    return Twice(
        partial(tetrahedron_figure, four, "image", "light", 50, 2, None, 0.05, frame, small),
        partial(tetrahedron_print, four, "image", 50, 2, None, 0.05, frame, small),
    )


@drawn("tests")
def _tests() -> Twice:
    return both(aligned_figure, aligned_print, all_tests())


@drawn("bandwidths")
def _bandwidths() -> Twice:
    bands = bandwidth_sensitivity(load_example("wine"), DiagnosisSpec(resamples=49))
    return both(bandwidth_figure, bandwidth_print, bands)


@drawn("other bins")
def _other_bins() -> Twice:
    bins = binning_sensitivity(load_example("wine"), DiagnosisSpec(lens=TopKLens(1), resamples=99))
    return both(sensitivity_figure, sensitivity_print, bins)


@drawn("classes")
def _classes() -> Twice:
    wine = load_example("wine")
    each = classes_by_evidence(assess(wine, survey(wine, DiagnosisSpec(resamples=99, alpha=0.5))))
    return Twice(partial(multiples_figure, each, 0, 3), partial(multiples_print, each))


@drawn("up to each class")
def _cumulative() -> Twice:
    return both(
        cumulative_figure, cumulative_print, cumulative_lines(load_example("tumour-grades"), "tumour")
    )


@drawn("null distribution")
def _null_distribution() -> Twice:
    return both(null_figure, null_print, redraws())


@drawn("null distribution of the ECE")
def _null_distribution_of_the_ece() -> Twice:
    return both(null_figure, null_print, redraws("wine", "exact-ece"))


def _of_question(result: type) -> Twice:
    """The figure of a small result, by the names that its answer gives."""
    (chart, *_) = charts_of(result)
    module, _, draw = chart.screen.partition(".")
    screen = getattr(import_module(f"calibcore.painters.screen.{module}"), draw)
    return Twice(
        partial(screen, chart.of, **chart.options),
        partial(getattr(paper, chart.paper), chart.of, **chart.options),
    )


def charts_of(result: type) -> tuple[Chart, ...]:
    """What the answer of a small result shows."""
    charts: tuple[Chart, ...] = QUESTIONS[result].answer(small_ones()[result]()).each(Chart)
    return charts


OF_QUESTIONS = [result for result in QUESTIONS if issubclass(result, WithFigure)]
for result in OF_QUESTIONS:
    drawn(f"a small {QUESTIONS[result].name}")(partial(_of_question, result))
NAMES = tuple(DRAWN)


class _All(Mapping[str, Twice]):
    """Each is made when it is asked for, once."""

    def __getitem__(self, name: str) -> Twice:
        return _made(name)

    def __iter__(self) -> Iterator[str]:
        return iter(DRAWN)

    def __len__(self) -> int:
        return len(DRAWN)


@cache
def _made(name: str) -> Twice:
    return DRAWN[name]()


def twice() -> Mapping[str, Twice]:
    """By name; each with what it can show beside its marks."""
    return _All()
