"""What people try without reading: len, rows, pickle, a number for rng, verdicts of a survey, verbs."""

import copy
import inspect
import pickle
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any, get_type_hints

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import calibcore
from calibcore import (
    ECE,
    SKCE,
    ClassLens,
    ConsistencyTest,
    DiagnosisSpec,
    ExactOmnibusTest,
    ExactTest,
    GroupsLens,
    InputError,
    LabelLens,
    MultiLabelPredictions,
    PooledLens,
    Predictions,
    RegionLens,
    Survey,
    TopKLens,
    Verdict,
    Verdicts,
    judge,
    survey,
)
from calibcore.assessment.assess import Assessment, assess
from calibcore.data.examples import gaussian_mixture, w19_model
from calibcore.diagram.curves import reliability_curve
from calibcore.diagram.reliability import reliability
from calibcore.estimators.intervals import bootstrap_interval
from calibcore.hypothesis_tests import AsymptoticSKCETest
from calibcore.hypothesis_tests.bins import bin_pvalues
from calibcore.hypothesis_tests.smooth_arrows import smooth_arrows
from calibcore.numerics.streams import Seed
from calibcore.questions.registry import QUESTIONS
from tests.asked import small_ones

NAMES = ("a", "b", "c")
LENSES = (TopKLens(1), ClassLens("a"))
SPEC = DiagnosisSpec(resamples=99, alpha=0.3)


def drawn(n: int = 120, seed: int = 0) -> Predictions:
    """Cases with everything that may stand beside them."""
    rng = np.random.default_rng(seed)
    columns = {"unit": np.arange(n) // 2, "site": np.array(["x", "y", "z"], object)[np.arange(n) % 3]}
    columns |= {"time": np.arange(n), "date": np.datetime64("2024-01-01") + np.arange(n)}
    return Predictions.from_arrays(rng.dirichlet(np.ones(3), n), rng.integers(3, size=n), NAMES, columns)


P = drawn()
WEIGHTED = replace(P, weights=np.linspace(0.5, 1.5, P.n))


# --- len and rows ------------------------------------------------------------------------

MASK = np.arange(P.n) % 5 == 1
ROWS: dict[str, Any] = {
    "a slice": slice(3, 40),
    "every other": slice(None, None, 2),
    "backwards": slice(50, 10, -3),
    "a mask": MASK,
    "a mask of pandas": pd.Series(MASK),
    "a mask that knows missing values": pd.Series(MASK, dtype="boolean"),
    "a list of truth values": MASK.tolist(),
    "numbers": np.array([5, 3, 3, 119]),
    "small numbers": np.array([5, 3], np.uint8),
    "a list": [0, -1, -120],
    "a range": range(4, 9),
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("p", [P, WEIGHTED], ids=["plain", "weighted"])
def test_rows_are_taken_as_of_an_array(rows: Any, p: Predictions) -> None:
    which = np.arange(p.n)[rows if isinstance(rows, slice) else np.asarray(rows)]
    some = p[rows]
    assert (len(p), len(some)) == (120, len(which))
    assert_array_equal(some.probs, p.probs[which])
    assert_array_equal(some.labels, p.labels[which])
    assert some.class_names == p.class_names
    for name, column in p.metadata.items():
        assert_array_equal(some.metadata[name], column[which])
    if p.weights is None:
        assert some.weights is None
    else:
        assert some.weights is not None
        assert_allclose(some.weights, p.weights[which] / p.weights[which].mean())
    for array in (some.probs, some.labels, *some.metadata.values()):
        assert not array.flags.writeable
    assert some.fingerprint == p.with_rows(which).fingerprint
    assert ECE()(some) == ECE()(p.with_rows(which))  # compiled code takes what a slice left


def test_units_follow_the_rows() -> None:
    some = P[P.metadata["site"] == "x"]
    assert DiagnosisSpec(unit="unit").independent(some).n == len(np.unique(some.metadata["unit"]))


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (3, "The rows are 3; expected a slice, a mask or a list of numbers. One case is p[3:4]."),
        (np.int64(7), "One case is p[7:8]."),
        (None, "The rows are None; expected a slice"),
        ("site", "The rows are 'site'; expected a slice"),
        (["site"], "The rows are of type <U4; expected truth values or whole numbers."),
        ([[0, 1]], "The rows are [[0, 1]]; expected a slice"),
        ((slice(3), 0), "The rows are of type object; expected truth values or whole numbers."),
        ([120], "There is no row 120; expected numbers from -120 to 119."),
        ([0, -121], "There is no row -121; expected numbers from -120 to 119."),
        (np.array([2**63], np.uint64), "There is no row 9,223,372,036,854,775,808"),
        ([0.0, 1.0], "The rows are of type float64; expected truth values or whole numbers."),
        ([True, False], "The mask of rows has the length 2; expected 120, a truth value a case."),
        (np.ones(121, bool), "The mask of rows has the length 121; expected 120"),
        ([None] * 120, "The rows are of type object; expected truth values or whole numbers."),
        ([], "No row was asked for; expected at least one of 120."),
        (np.zeros(120, bool), "No row was asked for; expected at least one of 120."),
        (slice(120, None), "The rows slice(120, None, None) are none of 120; expected at least one."),
        (slice("a"), "expected a slice of whole numbers."),
        (slice(0, 9, 0), "expected a slice of whole numbers."),
    ],
)  # fmt: skip
def test_rows_that_are_none_are_refused_in_a_sentence(rows: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        P[rows]
    assert sentence in str(caught.value)


def test_pairs_of_one_case_are_not_taken_apart() -> None:
    pooled = PooledLens()(P)
    assert len(pooled) == 3 * P.n
    with pytest.raises(InputError, match="no rows are taken from them"):
        pooled[:10]


def test_nobody_takes_predictions_for_a_list() -> None:
    """NumPy would go through them case by case, and cases of cases."""
    for ask in (list, np.asarray, lambda p: P in p):
        with pytest.raises(TypeError):
            ask(P)


# --- pickle ------------------------------------------------------------------------------


def two() -> Predictions:
    return Predictions.from_arrays(
        np.column_stack([P.probs[:, 0], 1 - P.probs[:, 0]]), P.labels != 0, ["ill", "well"]
    )


def of_labels() -> calibcore.OverLabels:
    rng = np.random.default_rng(0)
    probs = rng.random((60, 2))
    outcomes = (rng.random((60, 2)) < probs).astype(int)
    cases = calibcore.MultiLabelPredictions.from_arrays(probs, outcomes, ["mass", "edema"])
    return calibcore.ask_each(calibcore.decide, cases, SPEC, thresholds=[0.5])


@cache
def of_types() -> Mapping[str, Any]:
    """One of every public type by its name; others are made without settings."""
    found = survey(P, SPEC, LENSES)
    of_confidence = replace(SPEC, lens=TopKLens(1))
    diagnosis = calibcore.diagnose(P, of_confidence)
    return {
        "Predictions": P,
        "Diagnosis": diagnosis,
        "DiagnosisSpec": replace(SPEC, unit="unit"),
        "Reliability": diagnosis.reliability,
        "TestResult": diagnosis.tests[0].result,
        "Survey": found,
        "Verdicts": found.verdicts,
        "Verdict": found.verdicts[0],
        "OverLabels": of_labels(),
        "Comparison": calibcore.compare({"a": P, "b": drawn(seed=0)}, of_confidence),
        "Decisions": calibcore.decide(P, replace(SPEC, lens=ClassLens("a"))),
        "GroupSurvey": calibcore.survey_groups(P, ["site"], SPEC, worst=True),
        "WrongLabels": calibcore.explain_by_wrong_labels(P, of_confidence),
        "Monitoring": calibcore.monitor(P, SPEC, time="time"),
        "Plan": calibcore.plan(P, of_confidence),
        "Recalibration": calibcore.recalibrate(P, ["temperature"], SPEC),
        "TrainingRun": calibcore.track_training({1: P, 2: P}, of_confidence),
        "SmoothArrows": calibcore.average_without_bins(two(), SPEC),
        "CalibrationScorer": calibcore.CalibrationScorer(TopKLens(1)),
        "ClassLens": ClassLens("a"),
        "LabelLens": LabelLens("mass"),
        "UpToLens": calibcore.UpToLens("a"),
        "AtLeastLens": calibcore.AtLeastLens("c"),
        "MultiLabelPredictions": MultiLabelPredictions.from_arrays(
            [[0.2, 0.9], [0.4, 0.6]], [[0, 1], [1, np.nan]], ["mass", "effusion"]
        ),
        "GroupsLens": GroupsLens({"A": ["a", "b"], "C": ["c"]}),
        "RegionLens": RegionLens(TopKLens(1), "a", 0.0, 0.5),
        "ExactTest": ExactTest(SKCE(), 9),
        "ConsistencyTest": ConsistencyTest(ECE(), 9),
        "DistributionFreeSKCETest": calibcore.DistributionFreeSKCETest(SKCE(estimator="biased")),
        "InputError": InputError("A sentence."),
    }


TYPES = [name for name in calibcore.__all__ if isinstance(getattr(calibcore, name), type)]


def same(one: Any, other: Any) -> None:
    """Alike in type and contents, down to the last number; what was read-only is."""
    assert type(one) is type(other)
    if is_dataclass(one):
        for part in fields(one):
            if (type(one), part.name) != (Survey, "predictions"):
                same(getattr(one, part.name), getattr(other, part.name))
    elif isinstance(one, np.ndarray):
        assert_array_equal(one, other)
        assert one.dtype == other.dtype
    elif isinstance(one, Mapping):
        assert list(one) == list(other)
        same(tuple(one.values()), tuple(other.values()))
    elif isinstance(one, tuple | list):
        assert len(one) == len(other)
        for part, of_other in zip(one, other, strict=True):
            same(part, of_other)
    elif isinstance(one, BaseException):
        same((one.args, one.__dict__), (other.args, other.__dict__))
    else:
        assert one == other or (one != one and other != other)


@pytest.mark.some(20)
@pytest.mark.parametrize("name", TYPES)
def test_every_public_type_can_be_pickled_and_copied(name: str) -> None:
    kind = getattr(calibcore, name)
    value = of_types()[name] if name in of_types() else small_ones().get(kind, kind)()
    assert isinstance(value, kind)
    pickled = [pickle.loads(pickle.dumps(value, protocol)) for protocol in (2, pickle.HIGHEST_PROTOCOL)]
    for again in (*pickled, copy.copy(value), copy.deepcopy(value)):
        same(value, again)
        assert repr(again) == repr(value)
        if hasattr(value, "to_json"):
            assert again.to_json() == value.to_json()


def test_predictions_that_were_pickled_are_read_only_and_the_same() -> None:
    pooled = PooledLens()(P)
    for p in (P, WEIGHTED, pooled, P.sampled(20)):
        p.fingerprint  # noqa: B018 (what was worked out is not taken along)
        for again in (pickle.loads(pickle.dumps(p)), copy.deepcopy(p)):
            assert "fingerprint" not in vars(again)
            assert again.fingerprint == p.fingerprint
            arrays = [again.probs, again.labels, again.weights, *again.metadata.values()]
            assert not any(array.flags.writeable for array in arrays if array is not None)
            with pytest.raises(TypeError):
                again.metadata["more"] = P.labels  # type: ignore[index]
            same(p.pooled_from, again.pooled_from)


def test_a_pickle_that_was_changed_gives_compiled_code_nothing_that_it_does_not_know() -> None:
    state = P.__getstate__()
    for name, value in (("labels", P.labels + 3), ("labels", P.labels[1:]), ("probs", P.probs[:, :2])):
        with pytest.raises(InputError):
            object.__new__(Predictions).__setstate__(state | {name: value})


# --- a survey and its verdicts -----------------------------------------------------------


@pytest.fixture(scope="module")
def found() -> Survey:
    return survey(P, replace(SPEC, unit="unit"), LENSES)


def test_a_survey_has_its_verdicts_worked_out_once(found: Survey, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr("calibcore.assessment.verdict.judge", lambda *of: asked.append(of) or judge(*of))
    expected = judge(P, found)
    anew = replace(found)
    assert anew.verdicts == expected
    assert isinstance(anew.verdicts, Verdicts)
    assert all(isinstance(verdict, Verdict) for verdict in anew.verdicts)
    assert anew.verdicts.survey is anew
    assert len(asked) == 1


def test_a_survey_that_was_read_says_what_is_missing(found: Survey) -> None:
    fresh = replace(found)
    for read in (
        Survey.from_json(found.to_json()),
        pickle.loads(pickle.dumps(fresh)),
        fresh.without_cases(),
    ):
        assert read.predictions is None
        with pytest.raises(InputError) as caught:
            read.verdicts  # noqa: B018
        assert str(caught.value) == (
            "This survey was read, and holds no cases to judge: "
            "give them too, by calibcore.judge(predictions, survey)."
        )
        assert judge(P, read)[0].answer == found.verdicts[0].answer


def test_verdicts_that_are_known_go_along_and_cases_do_not(found: Survey) -> None:
    assert found.verdicts
    assert P.metadata["site"].tobytes() not in pickle.dumps(found)
    assert P.probs.tobytes() not in pickle.dumps(found)
    for handed_on in (pickle.loads(pickle.dumps(found)), found.without_cases()):
        assert handed_on.predictions is None
        assert handed_on.verdicts == found.verdicts
    assert "predictions" not in found.to_document()


def test_an_assessment_keeps_no_cases_and_its_survey_has_the_verdicts() -> None:
    first = assess(P, survey(P, SPEC, LENSES))
    for of in (first, first.at(0.2), Assessment.from_json(first.to_json())):
        assert of.survey.predictions is None
        assert tuple(of.survey.verdicts) == of.verdicts


# --- rng ---------------------------------------------------------------------------------

BINNING = DiagnosisSpec().for_classes(3).binning
BY_RNG: dict[str, Callable[[Any], Any]] = {
    "exact": lambda rng: ExactTest(SKCE(), 19)(P, rng).null_distribution,
    "omnibus": lambda rng: ExactOmnibusTest(n_resamples=19)(P, rng).component_redraws,
    "redraws": lambda rng: ExactOmnibusTest(n_resamples=19).redraws(P, rng),
    "consistency": lambda rng: ConsistencyTest(ECE(), 19)(P, rng).null_distribution,
    "asymptotic": lambda rng: AsymptoticSKCETest(n_resamples=19)(P, rng).null_distribution,
    "bootstrap": lambda rng: bootstrap_interval(ECE(), P, 19, rng),
    "bins": lambda rng: bin_pvalues(P, BINNING, 199, rng).pvalue,
    "reliability": lambda rng: reliability(P, BINNING, n_resamples=19, rng=rng).high,
    "curve": lambda rng: reliability_curve(two(), "isotonic", n_resamples=19, rng=rng).high,
    "arrows": lambda rng: smooth_arrows(two(), alpha=0.5, n_resamples=19, rng=rng).critical,
    "models": lambda rng: w19_model("M1", 20, rng=rng).probs,
    "mixture": lambda rng: gaussian_mixture(20, 0, -2, rng).probs,
}


@pytest.mark.parametrize("name", BY_RNG)
def test_rng_is_a_number_a_generator_or_none(name: str) -> None:
    """Scientific Python's SPEC 7."""
    draw = BY_RNG[name]
    generator = np.random.default_rng(5)
    first = draw(5)
    same(draw(np.int64(5)), first)
    same(draw(generator), first)
    others = [draw(generator), draw(None), draw(None)]  # it goes on; new numbers every time
    assert len({np.asarray(str(each)).tobytes() for each in others}) == 3
    for wrong in (-1, 1.5, "5", True, [5], np.random.RandomState(5)):
        with pytest.raises(InputError) as caught:
            draw(wrong)
        assert "expected a whole number from 0 up, a numpy.random.Generator, or None" in str(caught.value)


def test_every_public_function_that_takes_an_rng_takes_them_all() -> None:
    modules = [
        "calibcore", "calibcore.hypothesis_tests", "calibcore.data.examples", "calibcore.diagram.curves",
        "calibcore.diagram.reliability", "calibcore.estimators.intervals",
        "calibcore.hypothesis_tests.smooth_arrows", "calibcore.hypothesis_tests.bins",
    ]  # fmt: skip
    taking = set()
    for module in map(import_module, modules):
        public = getattr(module, "__all__", [n for n in vars(module) if not n.startswith("_")])
        for name in public:
            value = getattr(module, name)
            place = getattr(value, "__module__", "")
            if not place.startswith("calibcore") or not (
                hasattr(module, "__all__") or place == module.__name__
            ):
                continue
            methods = [m for n, m in vars(value).items() if n == "__call__" or not n.startswith("_")]
            for function in methods if isinstance(value, type) else [value]:
                if inspect.isfunction(function) and "rng" in inspect.signature(function).parameters:
                    assert get_type_hints(function)["rng"] == Seed, function.__qualname__
                    taking.add(function.__qualname__)
    assert len(taking) >= 15


# --- verbs -------------------------------------------------------------------------------

VERBS = {"ask", "assert", "average", "diagnose", "judge", "show", "survey"}
NOUN = re.compile(r"\w+(?:ing|[^s]s|ion|ison|ment|ness|ity)")


def begins_with_a_verb(function: Any) -> bool:
    """Of questions there are more and more: what begins theirs must not end as nouns do."""
    word = function.__name__.partition("_")[0]
    asks = get_type_hints(function)["return"] in QUESTIONS
    return NOUN.fullmatch(word) is None if asks else word in VERBS


def test_functions_have_verbs_and_types_have_nouns() -> None:
    functions = [value for name in calibcore.__all__ if inspect.isfunction(value := getattr(calibcore, name))]
    other = [function.__name__ for function in functions if not begins_with_a_verb(function)]
    assert not other, f"{', '.join(other)}: a function begins with a verb, which VERBS has."
    assert len(functions) + len(TYPES) + 1 == len(calibcore.__all__)  # and the version


@pytest.mark.parametrize("name", ["groups", "training", "comparison_of", "monitoring"])
def test_a_noun_is_found(name: str) -> None:
    def function() -> calibcore.Decisions: ...  # type: ignore[empty-body]

    function.__name__ = name
    assert not begins_with_a_verb(function)
    function.__name__ = "assess"
    assert begins_with_a_verb(function)
