"""The threshold that keeps a promise: against plain loops, and how often the promise is broken."""

import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from calibcore import ClassLens, Decisions, DiagnosisSpec, InputError, Predictions, TopKLens, decide
from calibcore.numerics.types import Float, Int
from calibcore.questions.decide import words as deciding
from calibcore.questions.decide.charts import promise_curves
from calibcore.questions.decide.guarantee import (
    MOST_LOOKED_AT,
    Guarantee,
    cases_needed,
    fewest,
    guarantee_of,
    ruled_out,
)
from calibcore.settings.codec import write
from calibcore.wording import percent
from tests.cli.commands import run

CONFIDENCE = DiagnosisSpec(lens=TopKLens(1), resamples=99)


def two(chances: Float, hits: Int) -> Predictions:
    return Predictions.from_arrays(np.column_stack([chances, 1 - chances]), 1 - hits, ["ill", "well"])


def at_most(wrong: int, k: int, chance: float) -> float:
    """P(Bin(k, chance) ≤ wrong), term by term."""
    return math.fsum(math.comb(k, j) * chance**j * (1 - chance) ** (k - j) for j in range(wrong + 1))


def literal(scores: Float, right: Int, target: float, risk: float) -> tuple[int, int]:
    """Accepted and wrong ones by the definition, one number of cases at a time."""
    pairs = sorted(zip(scores.tolist(), right.tolist(), strict=True), key=lambda pair: -pair[0])
    n, least = len(pairs), 1
    while target**least > risk:
        least += 1
    if n < least:
        return 0, 0
    steps = [int(Fraction(score) * 1_000) for score, _ in pairs]
    ends = [k for k in range(1, n + 1) if k == n or steps[k] != steps[k - 1]]
    wished = [least * (n / least) ** (i / (MOST_LOOKED_AT - 1)) for i in range(MOST_LOOKED_AT)]
    grid = sorted({next(end for end in ends if end >= min(n, round(each))) for each in wished})

    def power(k: int) -> float:
        promised = 1 - math.fsum(score for score, _ in pairs[:k]) / k
        few = [w for w in range(k) if at_most(w, k, 1 - target) <= risk]
        return at_most(max(few), k, promised) if few else 0.0

    order = sorted(grid, key=lambda k: (-round(power(k), 12), k))
    rising: list[int] = []
    for k in order:
        if not rising or k > rising[-1]:
            rising.append(k)
    accepted = (0, 0)
    for k in rising:
        wrong = sum(1 - r for _, r in pairs[:k])
        if at_most(wrong, k, 1 - target) > risk:
            break
        accepted = k, wrong
    return accepted


@pytest.mark.some(1)
@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.beta(8, 1, 40 + 40 * seed)
    scores = np.round(scores, 2) if seed % 2 else scores
    right = (rng.random(len(scores)) < scores ** (0.3 + 0.3 * seed)).astype(int)
    for target, risk in ((0.9, 0.1), (0.8, 0.05), (0.95, 0.2)):
        found = guarantee_of(scores, right, target, risk)
        assert (found.accepted, found.wrong) == literal(scores, right, target, risk)
        if found.threshold is not None:
            assert np.count_nonzero(scores >= found.threshold) == found.accepted
            assert found.threshold == round(found.threshold, 3)
        if found.naive is not None:
            assert right[scores >= found.naive].mean() >= target - 1e-12


def test_fifty_nine_right_answers_show_95_percent_and_58_show_nothing() -> None:
    assert fewest(0.95, 0.05) == 59
    enough = guarantee_of(np.full(59, 0.97), np.ones(59, int))
    assert (enough.threshold, enough.accepted, enough.wrong, enough.cases_needed) == (0.97, 59, 0, None)
    few = guarantee_of(np.full(58, 0.97), np.ones(58, int))
    assert (few.threshold, few.accepted, few.naive) == (None, 0, 0.97)


def ends_of(falling: Float) -> Int:
    return np.flatnonzero(np.append(np.diff(np.floor(falling * 1_000)) != 0, True)) + 1


def test_where_the_model_never_promises_as_much_no_number_of_cases_is_enough() -> None:
    flat = np.full(50, 0.9)
    assert cases_needed(ends_of(flat), np.cumsum(flat), 0.95, 0.05) is None
    assert guarantee_of(flat, np.ones(50, int)).cases_needed is None


PILOTS = {
    "sure": lambda rng, n: rng.beta(20, 1, n),
    "less sure": lambda rng, n: rng.beta(8, 1, n),
    "all alike": lambda rng, n: np.full(n, 0.97),
    "two levels": lambda rng, n: np.where(rng.random(n) < 0.3, 0.985, 0.7),
    "rounded": lambda rng, n: np.round(rng.beta(12, 1, n), 2),
    "log odds": lambda rng, n: 1 / (1 + np.exp(-np.abs(1.5 + 1.5 * rng.normal(size=n)))),
}
"""Laws of predictions."""


@pytest.mark.slow
@pytest.mark.parametrize("law", PILOTS)
def test_as_many_cases_as_are_needed_show_it_about_eight_times_in_ten(law: str) -> None:
    """With the pilot's predictions, and with fresh ones of the same law; 1,000 files of 100 pilots."""
    shown = np.zeros(2)
    for seed in range(100):
        rng = np.random.default_rng(seed)
        pilot = np.sort(PILOTS[law](rng, 50 if seed % 2 else 200))[::-1]
        needed = cases_needed(ends_of(pilot), np.cumsum(pilot), 0.95, 0.05)
        assert needed is not None
        for _ in range(10):
            drawn = rng.choice(pilot, needed), PILOTS[law](rng, needed)
            for i, chances in enumerate(drawn):
                right = (rng.random(needed) < chances).astype(int)
                shown[i] += guarantee_of(chances, right).threshold is not None
    assert (shown / 1_000 > 0.7).all()
    assert (shown / 1_000 < 0.9).all()


def test_the_places_of_the_figure_are_those_of_a_plain_loop() -> None:
    rng = np.random.default_rng(5)
    scores = np.round(rng.beta(8, 1, 300), 2)
    right = (rng.random(300) < scores).astype(int)
    result = guarantee_of(scores, right, 0.9)
    assert result.curve
    assert result.curve[-1].accepted == 300
    for place in result.places:
        least = np.sort(scores)[::-1][place.accepted - 1]
        assert place.accepted == np.count_nonzero(scores >= least)  # equal ones enter together
        assert place.wrong == np.count_nonzero(right[scores >= least] == 0)
        limit = place.limit(0.05)
        if place.wrong < place.accepted:
            assert at_most(place.wrong, place.accepted, limit) == pytest.approx(0.05)
        if place.accepted == result.accepted:
            assert limit <= 0.1  # what is shown to keep the target lies below it
    naive = result.naive_counts
    assert naive is not None
    assert np.count_nonzero(scores >= result.naive) == naive.accepted


@pytest.mark.parametrize("right", [0, 1])
def test_where_all_or_none_are_right_the_figure_stands(right: int) -> None:
    for n in (1, 2, 58, 59, 200):
        result = guarantee_of(np.full(n, 0.97), np.full(n, right))
        assert [place.wrong for place in result.places] == [n * (1 - right)]
        assert result.places[0].limit(0.05) == pytest.approx(1 - 0.05 ** (1 / n) if right else 1.0)
        assert Guarantee.from_document(json.loads(json.dumps(write(result)))) == result


def test_no_case_lies_alone_between_places_that_are_handed_on() -> None:
    rng = np.random.default_rng(6)
    chances = rng.beta(12, 1, 90)
    hits = (rng.random(90) < chances).astype(int)
    shared = decide(two(chances, hits), CONFIDENCE, [0.5, 0.6], target=0.8).without_cases()
    assert shared is not None
    assert shared.guarantee is not None
    counts = sorted({0, 90, *(place.accepted for place in shared.guarantee.places)})
    assert len(counts) > 10
    assert min(np.diff(counts)) > 1


def test_what_is_ruled_out_mirrors_what_is_ruled_in() -> None:
    rng = np.random.default_rng(3)
    chances = np.round(rng.beta(0.3, 3, 600), 3)
    hits = (rng.random(600) < chances).astype(int)
    out, mirrored = ruled_out(chances, hits), guarantee_of(1 - chances, 1 - hits)
    assert abs(out.accepted - mirrored.accepted) <= 12  # 1 − p may lie on the step below
    assert out.threshold is not None
    assert np.count_nonzero(chances <= out.threshold) == out.accepted
    assert hits[chances <= out.threshold].sum() == out.wrong
    of_class = decide(two(chances, hits), DiagnosisSpec(lens=ClassLens("ill"), resamples=99), target=0.95)
    assert of_class.rule_out == out
    assert any("'ill' may be ruled out" in told for told in deciding.guarantee_sentences(of_class, "patient"))


@pytest.mark.parametrize("value", [0.0, 1.0, math.nan])
@pytest.mark.parametrize("name", ["target", "risk"])
def test_a_target_or_risk_that_is_none_is_refused(name: str, value: float) -> None:
    with pytest.raises(InputError, match=f"The {name} is .*; expected a number above 0 and below 1"):
        decide(two(np.full(9, 0.9), np.ones(9, int)), CONFIDENCE, **{"target": 0.9, name: value})


def test_the_document_has_its_names_and_an_earlier_one_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(4)
    chances = rng.beta(12, 1, 400)
    hits = (rng.random(400) < chances).astype(int)
    rows = [f"{p},{1 - p},{'ill' if hit else 'well'}" for p, hit in zip(chances, hits, strict=True)]
    (path := tmp_path / "two.csv").write_text("\n".join(["ill,well,truth", *rows]))
    options = ("--lens", "confidence", "--target", "0.9", "--risk", "0.1", "--json", "--resamples", "99")
    code, out, _ = run(capsys, "decide", path, *options)
    document = json.loads(out)
    guarantee = document["guarantee"]
    assert code == 0
    assert list(guarantee)[:6] == ["target", "risk", "threshold", "accepted", "wrong", "share"]
    assert (guarantee["target"], guarantee["risk"]) == (0.9, 0.1)
    assert guarantee["share"] == guarantee["accepted"] / 400
    assert "rule_out" not in document
    assert Decisions.from_json(out).guarantee == Guarantee.from_document(guarantee)
    earlier = {key: value for key, value in document.items() if key not in ("guarantee", "rule_out")}
    assert Decisions.from_document(earlier).guarantee is None
    code, _, err = run(capsys, "decide", path, "--lens", "confidence", "--risk", "0.1")
    assert (code, err) == (2, "--risk is of a target; say which by --target 0.95.\n")


def rare(n: int = 4_000, seed: int = 3, **by: float) -> Predictions:
    """Calibrated chances of an event that about 3 % have; ``tilt`` makes them too high."""
    rng = np.random.default_rng(seed)
    odds = by.get("middle", -4.3) + 1.3 * rng.normal(size=n)
    chances = 1 / (1 + np.exp(-odds))
    return two(1 / (1 + np.exp(-odds - by.get("tilt", 0.0))), (rng.random(n) < chances).astype(int))


def test_where_the_commonest_answer_reaches_the_target_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    p = rare()
    well = int((p.labels == 1).sum())
    found = decide(p, CONFIDENCE, target=0.95)
    assert (found.commonest.class_name, found.commonest.cases) == ("well", well)
    said = "Always answering 'well' is right in"
    sentences = deciding.guarantee_sentences(found)
    assert sentences[0].startswith("From ")
    assert sentences[1] == f"{said} {percent(well / p.n)}: look at 'ill' instead."
    assert deciding.instead(found) == "ill"
    nearly = decide(p, CONFIDENCE, target=1 - (1 - well / p.n) / 1.19)
    assert said in " ".join(deciding.guarantee_sentences(nearly))
    beyond = decide(p, CONFIDENCE, target=1 - (1 - well / p.n) / 1.21)
    assert said not in " ".join(deciding.guarantee_sentences(beyond))
    assert deciding.instead(beyond) == ""
    assert Decisions.from_json(found.to_json()).commonest == found.commonest

    for lens, rare_one, doing in (("ill", "are not 'ill'", "out"), ("well", "are 'well'", "in")):
        one = decide(p, DiagnosisSpec(lens=ClassLens(lens), resamples=99), target=0.95)
        whom = f"{percent(well / p.n)} of the cases {rare_one} without any model: to rule {doing}, "
        assert [line for line in deciding.guarantee_sentences(one) if "without any model" in line] == [
            f"{whom}ask for more than that."
        ]
        assert one.commonest is None
    spec = DiagnosisSpec(lens=ClassLens("ill"), resamples=99)
    there = decide(p, spec, target=0.95, prevalence=0.3)
    assert "without any model" not in " ".join(deciding.there_sentences(there))
    there = decide(p, spec, target=0.95, prevalence=0.02)
    assert "98.0 % are not 'ill' without any model" in " ".join(deciding.there_sentences(there)).replace(
        "\N{NO-BREAK SPACE}", " "
    )

    names = np.array(p.class_names)[p.labels]
    rows = [f"{a:.6f},{1 - a:.6f},{name}" for a, name in zip(p.probs[:, 0], names, strict=True)]
    (path := tmp_path / "rare.csv").write_text("\n".join(["ill,well,truth", *rows]))
    code, out, _ = run(
        capsys, "decide", path, "--lens", "confidence", "--target", "0.95", "--resamples", "99"
    )
    assert code == 0
    assert "- To act for 'ill': --lens class:ill." in out


def test_of_more_classes_the_others_are_named_one_by_one_and_of_a_confidence_none() -> None:
    p = rare()
    three = np.column_stack([p.probs[:, 0] * 0.7, p.probs[:, 0] * 0.3, p.probs[:, 1]])
    labels = np.where(p.labels == 1, 2, np.arange(p.n) % 2)
    found = decide(Predictions.from_arrays(three, labels, ["a", "b", "c"]), CONFIDENCE, target=0.95)
    assert "look at the other classes one by one instead." in " ".join(deciding.guarantee_sentences(found))
    assert deciding.instead(found) == ""


def test_of_classes_in_order_a_border_is_named_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = ["I,II,III,truth", *["0.5,0.3,0.2,I", "0.2,0.3,0.5,III", "0.2,0.5,0.3,II"] * 9]
    (path := tmp_path / "grades.csv").write_text("\n".join(rows))
    for command in (
        ("decide",),
        ("report", "--decisions", "--out", tmp_path / "r.html", "--lens", "canonical"),
    ):
        words = (command[0], path, *command[1:], "--resamples", "99")
        code, _, err = run(capsys, *words, "--ordered", "I,II,III")
        assert code == 2
        assert err.endswith("--lens at-least:II, --lens class:I or --lens confidence.\n")
        assert run(capsys, *words)[2].endswith(": --lens class:I or --lens confidence.\n")


@pytest.mark.some(2)
@pytest.mark.parametrize("seed", range(12))
def test_no_number_of_cases_is_said_that_these_have_or_that_a_broken_promise_tells(seed: int) -> None:
    """Whatever is asked of whichever model: at, below or above the cases that there are."""
    for tilt in (-1.0, 0.0, 1.5):
        p = rare(400 + 300 * seed, seed, middle=-1.0, tilt=tilt)
        for target in (0.7, 0.8, 0.9, 0.99):
            for prevalence in (None, 0.3):
                spec = DiagnosisSpec(lens=ClassLens("ill"), resamples=99)
                found = decide(p, spec, target=target, prevalence=prevalence)
                lines = (*deciding.guarantee_sentences(found), *deciding.there_sentences(found))
                cannot = [line for line in lines if "No threshold" in line or "no threshold" in line]
                for line in cannot:
                    assert found.kept != ("the model does not keep its promise" in line), line
                    assert "ecalibrate" not in line, line
                    there = not found.kept and " no threshold was found" in line
                    assert ("its promise at the prevalence here." in line) == there, line
                    said = re.search(r"About ([\d,]+) could", line)
                    assert said is None or (found.kept and int(said[1].replace(",", "")) > p.n), line
                    assert said is not None or any(
                        words in line
                        for words in ("10,000,000 would not", "cannot be told", "so many do 8 times")
                    ), line


def test_of_units_the_promise_is_of_one_row_each() -> None:
    """30 rows each of 60 patients are right in .8, one row each of 540 always: of all rows .84 are right."""
    rng = np.random.default_rng(3)
    right = np.concatenate([rng.random(1_800) < 0.8, np.ones(540, np.bool_)])
    patient = np.concatenate([np.repeat(np.arange(60), 30), np.arange(60, 600)])
    p = Predictions.from_confidence(np.full(2_340, 0.97), right, {"patient": patient})
    spec = DiagnosisSpec(lens=TopKLens(1), unit="patient", resamples=99)
    lines = deciding.guarantee_sentences(decide(p, spec, target=0.95))
    assert "At least 95\N{NO-BREAK SPACE}% of these are right" in lines[0]
    assert lines[-1] == (
        "That is of one row of each unit (patient), drawn at random. What is promised need not hold over all "
        "rows, where some units have more of them than others."
    )
    alone = deciding.guarantee_sentences(decide(p, replace(spec, unit=None), target=0.95))
    assert not any("one row of each" in line for line in alone)


def test_the_usual_threshold_stands_behind_ruling_in() -> None:
    p = rare(1_500, 5, middle=-1.0)
    found = decide(p, DiagnosisSpec(lens=ClassLens("ill"), resamples=99), target=0.9)
    lines = deciding.guarantee_sentences(found)
    (place,) = [i for i, line in enumerate(lines) if line.startswith("The lowest threshold")]
    assert "'ill'" in lines[place - 1]
    assert "ruled out" not in " ".join(lines[:place])


@pytest.mark.some(2)
@pytest.mark.parametrize("middle", [-4.3, -3.0, -1.0, 0.0, 1.0, 3.0])
def test_the_axis_of_a_promise_holds_its_line(middle: float) -> None:
    p = rare(1_500, 7, middle=middle)
    for target in (0.7, 0.95, 0.99):
        for prevalence in (None, 0.02):
            spec = DiagnosisSpec(lens=ClassLens("ill"), resamples=99)
            found = decide(p, spec, target=target, prevalence=prevalence)
            for promise in (found.ruling_in, found.ruling_out):
                curves = promise_curves(found, promise, "case")
                inside = sum(y <= curves.top for y in curves.wrong)
                assert 2 * inside >= len(curves.wrong)
                assert 0 < curves.asked < curves.top <= 100
                marks = [place.y for place in (curves.shown, curves.naive) if place is not None]
                assert all(y <= curves.top for y in marks)


def test_of_rows_that_belong_together_one_each_is_looked_at() -> None:
    chances, hits = np.full(120, 0.99), np.ones(120, int)
    p = Predictions.from_arrays(
        np.column_stack([chances, 1 - chances]), 1 - hits, ["ill", "well"],
        metadata={"patient": np.arange(120) // 3},
    )  # fmt: skip
    assert decide(p, CONFIDENCE, target=0.95).guarantee.threshold == 0.99
    one_each = decide(p, DiagnosisSpec(lens=TopKLens(1), resamples=99, unit="patient"), target=0.95)
    assert (one_each.guarantee.n, one_each.guarantee.threshold) == (40, None)


def worlds(n: int, rng: np.random.Generator) -> dict[str, tuple[Float, Float]]:
    """Scores, and the true chances of being right."""
    score = 1 / (1 + np.exp(-np.abs(1.5 + 1.5 * rng.normal(size=n))))
    odds = np.log(score / (1 - score))

    def chance(of: Float) -> Float:
        return np.asarray(1 / (1 + np.exp(-of)))

    return {
        "calibrated": (score, score),
        "over": (score, chance(0.6 * odds)),
        "under": (score, chance(1.6 * odds)),
        "waves": (score, chance(odds + 0.8 * np.sin(4 * odds))),
        "flat .93": (score, np.full(n, 0.93)),
        "surest worse": (score, np.where(score > np.quantile(score, 0.9), score - 0.15, score)),
        "exactly .95": (score, np.full(n, 0.95)),
        "rounded, a hair below": (np.round(score, 2), np.full(n, 0.9499)),
        "scores of no use": (rng.uniform(0.5, 1, n), np.full(n, 0.949)),
        "one in ten is chance": (score, np.where(rng.random(n) < 0.9, chance(1.2 * odds), 0.5)),
        "a hair below at the top": (score, np.where(score > np.quantile(score, 0.8), 0.9495, 0.97)),
        "all equal": (np.full(n, 0.97), np.full(n, 0.9499)),
    }


@pytest.mark.slow
@pytest.mark.parametrize("n", [200, 500, 2_000])
def test_the_promise_is_seldom_broken_where_the_usual_one_is_often(n: int) -> None:
    sets, broken, naive, shares = 400, dict[str, int](), dict[str, int](), dict[str, float]()
    for seed in range(sets):
        rng = np.random.default_rng([n, seed])
        for name, (score, true) in worlds(n, rng).items():
            found = guarantee_of(score, (rng.random(n) < true).astype(int))

            def is_broken(threshold: float | None, score: Float = score, true: Float = true) -> bool:
                return threshold is not None and bool(true[score >= threshold].mean() < 0.95 - 1e-9)

            broken[name] = broken.get(name, 0) + is_broken(found.threshold)
            naive[name] = naive.get(name, 0) + is_broken(found.naive)
            shares[name] = shares.get(name, 0.0) + found.share / sets
    limit = sets * 0.05 + 3 * math.sqrt(sets * 0.05 * 0.95)
    assert {name: count for name, count in broken.items() if count > limit} == {}
    often = {name for name, count in naive.items() if count > 0.43 * sets}
    assert often >= {"calibrated", "over", "flat .93"}
    if n >= 500:
        assert shares["under"] > shares["calibrated"] > 0.02
