"""What a comparison comes to, in words."""

import re
from dataclasses import replace

import numpy as np
import pytest

from calibcore import Comparison, DiagnosisSpec, Predictions, TopKLens, compare
from calibcore.answers.blocks import Sentences
from calibcore.questions.compare import Pair, bins_of_both
from calibcore.questions.compare import words as comparing
from calibcore.questions.compare.says import QUESTION, bins_table, models_table, pairs_table, scores_table
from calibcore.words.phrases import p_words

SPEC = DiagnosisSpec(lens=TopKLens(1), resamples=199)


def models(n: int, **sharper: float) -> dict[str, Predictions]:
    rng = np.random.default_rng(3)
    labels = rng.integers(3, size=n)
    x = rng.normal(size=(n, 3)) + 1.5 * np.eye(3)[labels]
    logits = {name: np.exp(1.5 * by * x) for name, by in sharper.items()}
    return {
        name: Predictions.from_arrays(g / g.sum(axis=1, keepdims=True), labels) for name, g in logits.items()
    }


@pytest.fixture(scope="module")
def clear() -> Comparison:
    return compare(models(2_000, sure=3.0, good=1.0, unsure=0.4), SPEC)


@pytest.fixture(scope="module")
def unclear() -> Comparison:
    return compare(models(60, one=1.0, other=1.1), SPEC)


def test_the_better_calibrated_model_is_named_first(clear: Comparison) -> None:
    rest = [model.name for model in clear.by_gap[1:]]
    assert comparing.headline(clear) == (
        f"'good' is better calibrated than '{rest[0]}' and '{rest[1]}' (adjusted p < 0.0001)."
    )
    assert comparing.size_sentence(clear) == (
        "With 'good', the confidence is typically at most 5.0 points off "
        "(approximate 95\N{NO-BREAK SPACE}% interval 0.0 to 5.0)."
    )
    assert comparing.best_score(clear).startswith("'good' also has the least Brier score (0.")


def beside(right: float, p: float, more: float = 0.6, brier: float = 0.3) -> Comparison:
    """'good' is better calibrated than 'sure', and has an accuracy and a Brier score of its own."""
    found = compare(models(2_000, sure=3.0, good=1.0), SPEC)
    (pair,) = found.pairs
    scores = {"good": {"accuracy": right, "brier": brier}, "sure": {"accuracy": more}}
    told = tuple(
        replace(m, diagnosis=replace(m.diagnosis, scores={**m.diagnosis.scores, **scores[m.name]}))
        for m in found.models
    )
    difference = more - right if pair.a == "sure" else right - more
    accuracy = replace(pair.accuracy, difference=difference, pvalue=p)
    return replace(found, models=told, pairs=(replace(pair, accuracy=accuracy, accuracy_adjusted=p),))


def sentences_on(comparison: Comparison) -> str:
    (block,) = QUESTION.answer(comparison).each(Sentences)[:1]
    return " ".join(block.lines)


def test_the_better_calibrated_model_that_is_right_less_often_says_so() -> None:
    less = "is right less often (58.7 against 59.9\N{NO-BREAK SPACE}%)."
    said = comparing.best_score(beside(0.587, 1e-5, more=0.599))
    assert said.endswith(f"clearly less than 'sure', but {less}")
    assert sentences_on(beside(0.587, 1e-5, more=0.599)).count("right less often") == 1
    assert "right less often" not in sentences_on(beside(0.587, 0.051, more=0.599)), "no clear difference"
    assert "right less often" not in sentences_on(beside(0.62, 1e-5)), "it is right more often"
    worse = beside(0.587, 1e-5, more=0.599, brier=0.9)  # the Brier score is of the other
    assert comparing.accuracy_caution(worse) == f"But 'good' {less}"
    assert "right less often" not in comparing.best_score(worse)


def test_of_several_models_those_are_named_that_are_right_more_often(clear: Comparison) -> None:
    def ahead(pair: Pair) -> Pair:
        return replace(
            pair, accuracy=replace(pair.accuracy, difference=sign(pair) * 0.1), accuracy_adjusted=0.01
        )

    def sign(pair: Pair) -> int:
        return -1 if pair.a == "good" else 1

    pairs = tuple(ahead(pair) if {pair.a, pair.b} == {"good", "sure"} else pair for pair in clear.pairs)
    said = comparing.best_score(replace(clear, pairs=pairs))
    assert ", but is right less often than 'sure' (" in said
    assert "'unsure' (" not in said


def test_where_nothing_can_be_told_it_is_said(unclear: Comparison) -> None:
    names = [model.name for model in unclear.by_gap]
    (pair,) = unclear.pairs
    assert pair.adjusted is not None
    assert comparing.headline(unclear) == (
        f"These cases cannot tell which is better calibrated, '{names[0]}' or '{names[1]}' "
        f"(adjusted {p_words(pair.adjusted)})."
    )
    assert not comparing.size_sentence(unclear)
    sentence = comparing.pair_sentence(unclear, unclear.pairs[0])
    assert sentence.startswith(f"These cases cannot tell '{names[0]}' from '{names[1]}': ")
    assert ", adjusted p = " in sentence
    assert pairs_table(unclear, unclear.pairs).rows()[0]["Better calibrated"] == "cannot tell"


def test_a_pair_names_the_closer_model_first(clear: Comparison) -> None:
    sentence = comparing.pair_sentence(clear, clear.pair("sure", "good"))
    good, sure = (
        next(model.verdict.typical_gap for model in clear.models if model.name == name)
        for name in ("good", "sure")
    )
    assert sentence == (
        f"'good' is better calibrated than 'sure': at most {100 * good.high:.1f} points "
        f"({100 * good.low:.1f} to {100 * good.high:.1f}) against {100 * sure.value:.1f} points "
        f"({100 * sure.low:.1f} to {100 * sure.high:.1f}), adjusted p < 0.0001."
    )


def test_one_model_twice() -> None:
    p = models(60, one=1.0)["one"]
    same = compare({"a": p, "b": p}, SPEC)
    assert comparing.pair_sentence(same, same.pairs[0]) == (
        "'a' and 'b' say the same in every case: they are one model."
    )


def test_few_cases_are_not_tested() -> None:
    few = compare(models(30, one=1.0, other=2.0), SPEC)
    sentence = comparing.pair_sentence(few, few.pairs[0])
    assert "is not tested: 30 cases are too few: expected 50 or more" in sentence
    assert pairs_table(few, few.pairs).rows()[0]["Adjusted p"] == "–"


def test_what_is_left_out(clear: Comparison) -> None:
    sentences = {(one.model, one.given): comparing.nested_sentence(clear, one) for one in clear.nested}
    assert sentences["unsure", "good"] == (
        "'good' adds to what 'unsure' says (adjusted p = 0.01, the smallest possible): "
        "a mixture of both should predict better than 'unsure' alone. As 'unsure' is miscalibrated, that "
        "need not be information that it leaves out."
    )
    fine = [replace(m, verdict=replace(m.verdict, answer="cannot-tell")) for m in clear.models]
    calm = replace(clear, models=tuple(fine))
    one = next(one for one in clear.nested if one.model == "unsure" and one.given == "good")
    assert comparing.nested_sentence(calm, one) == (
        "'good' adds to what 'unsure' says (adjusted p = 0.01, the smallest possible): "
        "a mixture of both should predict better than 'unsure' alone. It may be information that 'unsure' "
        "leaves out, or an error of its own probabilities."
    )
    assert comparing.left_out(clear, one) == "is miscalibrated, or leaves something out"
    assert comparing.left_out(calm, one) == "is off, or leaves something out"
    assert sentences["good", "unsure"].startswith(
        "There is no sign that 'unsure' holds information that 'good' leaves out (adjusted p = "
    )


def test_what_mends_a_temperature_is_not_called_information() -> None:
    """'mended' is a function of 'sure', which no verdict finds miscalibrated: the sharper test does."""
    rng = np.random.default_rng(8)
    logit = rng.normal(0, 1.5, 1_000)
    right, said = (1 / (1 + np.exp(-t * logit)) for t in (1, 1.15))
    labels = (rng.random(1_000) < right).astype(int)
    both = {"sure": said, "mended": right}
    found = compare(
        {name: Predictions.from_arrays(np.column_stack([1 - p, p]), labels) for name, p in both.items()},
        DiagnosisSpec(resamples=199),
    )
    assert all(model.verdict.answer != "miscalibrated" for model in found.models)
    (one,) = (one for one in found.nested if one.model == "sure")
    assert one.rejects(found.spec.alpha)
    assert comparing.nested_sentence(found, one).endswith(
        "It may be information that 'sure' leaves out, or an error of its own probabilities."
    )


def test_scores_of_a_pair_and_what_is_withheld(clear: Comparison, unclear: Comparison) -> None:
    pair = clear.pair("sure", "good")
    rows = scores_table(clear, pair).rows()
    assert [row["Score"] for row in rows] == ["Brier score", "Log loss", "Accuracy"]
    assert list(rows[0])[1:3] == [pair.a, pair.b]
    assert comparing.withheld_words(pair) == (
        "The difference of the log loss is not given: a model expects too few of the outcomes that decide "
        "by this score."
    )
    assert "Which outcomes decide differs from score to score." in comparing.SCORES_METHOD
    few = compare(models(15, one=1.0, other=2.0), SPEC)
    assert comparing.withheld_words(few.pairs[0]) == (
        "Differences of scores are not given: 15 cases are too few: expected 20 or more."
    )
    assert scores_table(few, few.pairs[0]).rows()[0][comparing.DIFFERENCE] == "–"
    exact = models_table(clear).rows(exact=True)
    assert exact[0]["model"] == "good"
    assert exact[0]["brier"] == clear.by_gap[0].diagnosis.scores["brier"]


def test_an_interval_by_betting_says_so() -> None:
    y = (np.arange(60) % 40 == 0).astype(int)
    rare = [Predictions.from_arrays(np.tile([1 - e, e], (60, 1)), y) for e in (1e-4, 0.1)]
    betting = compare(rare, DiagnosisSpec(resamples=199))
    usual = replace(
        betting, pairs=tuple(replace(p, brier=replace(p.brier, by_betting=False)) for p in betting.pairs)
    )
    for of, ending in ((betting, f", {comparing.BY_BETTING}"), (usual, ")")):
        (row,), (exact,) = (pairs_table(of, of.pairs).rows(full) for full in (False, True))
        assert row["Brier difference"].endswith(ending)
        assert row["Log loss difference"] == "–"
        assert scores_table(of, of.pairs[0]).rows()[0][comparing.DIFFERENCE] == row["Brier difference"]
        assert exact["Brier interval by betting"] == (of is betting)
    assert f"“{comparing.BY_BETTING}”" in comparing.SCORES_METHOD


def test_bins_that_two_models_share() -> None:
    known = models(2_000, sure=3.0, good=1.0)
    bins = bins_of_both(*(TopKLens(1)(p) for p in known.values()))
    sentence = comparing.bins_sentence(bins, ("sure", "good"))
    outside = sum(shared.a.outside for shared in bins if shared.a)
    of = sum(shared.a is not None for shared in bins)
    assert sentence.startswith(f"'sure' lies outside its bar in {outside} of {of} bins, 'good' lies outside ")
    rows = bins_table(bins, ("sure", "good"), "image").rows()
    assert rows[-1]["Predicted"] == "90\N{NO-BREAK SPACE}% to 100\N{NO-BREAK SPACE}%"
    assert str(rows[-1]["sure"]).endswith(" images)")
    exact = bins_table(bins, ("sure", "good")).rows(exact=True)
    assert exact[-1]["sure: observed less predicted"] == bins[-1].a.deviation  # type: ignore[union-attr]


def test_rows_stand_by_typical_gap(clear: Comparison) -> None:
    rows = models_table(clear).rows()
    assert [row["Model"] for row in rows] == [model.name for model in clear.by_gap]
    assert rows[0]["Model"] == "good"
    assert rows[0]["Not told apart from"] == "–"
    sizes = [re.findall(r"\.(\d+)", row["Typical gap"]) for row in rows]
    assert len({len(digits) for row in sizes for digits in row}) == 1  # digits alike
    assert all(len(row) == 3 for row in sizes)  # a size and both ends


def test_models_of_classes_in_order_have_their_score_too() -> None:
    """The ranked probability score by its definition: Σ_k (P(class ≤ k) − [label ≤ k])², averaged."""
    rng = np.random.default_rng(8)
    g, other = (rng.dirichlet(np.ones(3), 120) for _ in range(2))
    y = (rng.random((120, 1)) > g.cumsum(axis=1)).sum(axis=1).clip(max=2)
    names = ["low", "medium", "high"]
    models = {
        name: Predictions.from_arrays(probs, y, names, ordered=True)
        for name, probs in (("first", g), ("second", other))
    }
    rows = {row["model"]: row for row in models_table(compare(models)).rows(exact=True)}
    happened = y[:, None] <= np.arange(2)
    for name, probs in (("first", g), ("second", other)):
        each = ((probs.cumsum(axis=1)[:, :2] - happened) ** 2).sum(axis=1)
        assert rows[name]["rps"] == pytest.approx(each.mean())
        assert rows[name]["rps, standard error"] == pytest.approx(each.std(ddof=1) / np.sqrt(120), rel=0.01)
    assert "Ranked probability score" in models_table(compare(models)).rows()[0]
    unordered = {name: Predictions.from_arrays(p.probs, y, names) for name, p in models.items()}
    assert "Ranked probability score" not in models_table(compare(unordered)).rows()[0]
