"""A target at another prevalence: against plain loops, and how often the promise is broken."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit, logit, ndtr

from calibcore import (
    ClassLens,
    Decisions,
    DiagnosisSpec,
    InputError,
    MultiLabelPredictions,
    Predictions,
    decide,
)
from calibcore.numerics.types import Float
from calibcore.painters.screen.decisions import promise_figure
from calibcore.questions.decide import words as deciding
from calibcore.questions.decide.by_label import BY_LABEL
from calibcore.questions.decide.guarantee import MOST_LOOKED_AT
from calibcore.questions.decide.promise_at_prevalence import (
    GuaranteeAtPrevalence,
    guarantee_at_prevalence,
    ruled_out_at_prevalence,
)
from calibcore.questions.decide.says import promises
from calibcore.questions.over_labels import ask_each
from calibcore.wording import percent
from calibcore.words.phrases import exact_percent
from tests.cli.commands import run

ILL = DiagnosisSpec(lens=ClassLens("ill"), resamples=99)
Generator = np.random.Generator


def two(chances: Float, event: np.ndarray) -> Predictions:
    probs = np.column_stack([chances, 1 - chances])
    return Predictions.from_arrays(probs, (~event).astype(int), ["ill", "well"])


def at_most(wrong: int, n: int, chance: float) -> float:
    """P(Bin(n, chance) ≤ wrong), term by term."""
    return math.fsum(math.comb(n, j) * chance**j * (1 - chance) ** (n - j) for j in range(wrong + 1))


def literal(
    scores: Float, event: np.ndarray, prevalence: float, target: float, risk: float
) -> tuple[int, int]:
    """Accepted cases of either kind by the definition, one threshold at a time."""
    own = sorted((math.floor(p * 1_000 + 1e-9) for p in scores[event].tolist()), reverse=True)
    beside = [math.floor(p * 1_000 + 1e-9) for p in scores[~event].tolist()]
    surest, n, m = sorted(scores[event].tolist(), reverse=True), len(own), len(beside)
    within = math.sqrt(math.log(2 / risk) / (2 * n))
    odds = prevalence * (1 - target) / ((1 - prevalence) * target)
    ends = [k for k in range(1, n + 1) if k == n or own[k] != own[k - 1]]
    first = max(1.0, within * n)
    wished = [first * (n / first) ** (i / (MOST_LOOKED_AT - 1)) for i in range(MOST_LOOKED_AT)]
    grid = sorted({next(end for end in ends if end >= min(n, round(each))) for each in wished})
    total = math.fsum((1 - p) / p for p in surest)

    def most(k: int) -> int:
        rate = odds * (k / n - within)
        if rate <= 0:
            return -1
        return m if rate >= 1 else max((w for w in range(m) if at_most(w, m, rate) <= risk / 2), default=-1)

    def power(k: int) -> float:
        promised = math.fsum((1 - p) / p for p in surest[:k]) / total
        return at_most(most(k), m, promised) if most(k) >= 0 else 0.0

    order = sorted(grid, key=lambda k: (-round(power(k), 12), k))
    accepted, largest = (0, 0), 0
    for k in order:
        if k > largest:
            largest = k
            wrong = sum(step >= own[k - 1] for step in beside)
            if wrong > most(k):
                break
            accepted = k, wrong
    return accepted


def drawn(of_own: int, others: int, seed: int) -> tuple[Float, np.ndarray]:
    rng = np.random.default_rng(seed)
    odds = np.append(rng.normal(2, 1.2, of_own), rng.normal(-2.5, 1.2, others))
    return np.round(expit(odds), 4), np.arange(of_own + others) < of_own


@pytest.mark.some(1)
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_definition(seed: int) -> None:
    chances, event = drawn(40 + 20 * seed, 90, seed)
    some = 0
    for prevalence, target, risk in ((0.5, 0.8, 0.1), (0.3, 0.6, 0.05), (0.9, 0.9, 0.2), (0.05, 0.7, 0.1)):
        found = guarantee_at_prevalence(chances, event, prevalence, target, risk)
        assert (found.right, found.wrong) == literal(chances, event, prevalence, target, risk)
        if found.threshold is not None:
            some += 1
            assert np.count_nonzero(event & (chances >= found.threshold)) == found.right
            assert np.count_nonzero(~event & (chances >= found.threshold)) == found.wrong
            rate = found.right / found.of_right * prevalence, found.wrong / found.of_wrong * (1 - prevalence)
            assert rate[0] >= target * sum(rate)  # what is shown was reached, too
            assert found.share == pytest.approx(sum(rate))
    assert some


def test_a_figure_shows_what_would_be_wrong_there_and_how_far_it_may_be() -> None:
    """Against cases counted at each threshold, and the limit by its definition."""
    chances, event = drawn(300, 900, 3)
    for prevalence, target in ((0.1, 0.8), (0.02, 0.5), (0.6, 0.95)):
        found = guarantee_at_prevalence(chances, event, prevalence, target)
        assert found.threshold is not None
        assert found.shown in found.places
        assert len(found.places) > 20
        for place in found.places:
            right = place.accepted - place.wrong
            lowest = sorted(chances, reverse=True)[place.accepted - 1]
            step = math.floor(lowest * 1_000 + 1e-9) / 1_000
            assert (np.sum(event & (chances >= step)), np.sum(~event & (chances >= step))) == (
                right,
                place.wrong,
            )
            rates = prevalence * right / 300, (1 - prevalence) * place.wrong / 900
            assert found.share_of(place) == pytest.approx(sum(rates))
            assert found.error_of(place) == pytest.approx(rates[1] / sum(rates))
            least, limit = right / 300 - math.sqrt(math.log(40) / 600), found.limit_of(place)
            assert limit >= found.error_of(place)
            if least <= 0 or place.wrong == 900:
                assert limit == 1
                continue
            most = limit * prevalence * least / ((1 - limit) * (1 - prevalence))
            assert at_most(place.wrong, 900, most) == pytest.approx(0.025, rel=1e-6)
        assert found.limit_of(found.shown) <= 1 - target + 1e-9


def test_the_figure_says_at_which_prevalence() -> None:
    chances, event = drawn(300, 900, 3)
    asked = decide(two(chances, event), ILL, [0.2], target=0.8, prevalence=0.1)
    inside, outside = promises(asked, "patient")
    assert (inside.name, outside.name) == ("promised-threshold-there", "ruled-out-threshold-there")
    assert asked.guarantee_at_prevalence is not None
    kept = asked.guarantee_at_prevalence
    assert inside.says.startswith("Where 10\N{NO-BREAK SPACE}% of the patients are 'ill': where ")
    assert (
        f"from {exact_percent(kept.threshold or 0)} that is promised, for {percent(kept.share)}."
        in inside.says
    )
    rows = inside.table.rows(exact=True)
    assert [row["error"] for row in rows] == [kept.error_of(place) for place in kept.places]
    figure = promise_figure(asked, noun="patient")
    assert figure.layout.xaxis.title.text == "Coverage there: patients ruled in, %"
    (mark,) = [trace for trace in figure.data if str(trace.name).startswith("promised")]
    assert (mark.x[0], mark.y[0]) == pytest.approx((100 * kept.share, 100 * kept.error_of(kept.shown)))
    read_back = Decisions.from_json(asked.to_json())
    assert read_back.guarantee_at_prevalence == kept
    assert asked._repr_html_().count("<svg") == 2


def test_what_is_ruled_out_mirrors_what_is_ruled_in() -> None:
    chances, event = drawn(300, 900, 7)
    out = ruled_out_at_prevalence(chances, event, 0.4, 0.9)
    mirrored = guarantee_at_prevalence(1 - chances, ~event, 0.6, 0.9)
    assert out.threshold is not None
    assert abs(out.right - mirrored.right) <= 9  # 1 − p may lie on the step below
    assert np.count_nonzero(~event & (chances <= out.threshold)) == out.right
    assert np.count_nonzero(event & (chances <= out.threshold)) == out.wrong
    found = decide(two(chances, event), ILL, [0.5], target=0.9, prevalence=0.4)
    assert found.rule_out_at_prevalence == out
    assert found.guarantee_at_prevalence == guarantee_at_prevalence(chances, event, 0.4, 0.9)
    assert (found.guarantee, found.rule_out) == (None, None)  # these would be of the file's own mix


def test_a_target_that_the_prevalence_keeps_alone_accepts_every_case() -> None:
    """Of 2 in 100 nobody has to be looked at to be right in 95."""
    chances, event = drawn(60, 60, 1)
    out = ruled_out_at_prevalence(chances, event, 0.02, 0.95)
    assert (out.right, out.wrong) == (60, np.count_nonzero(event & (chances <= (out.threshold or 0))))


def test_too_few_cases_are_told_how_many_would_do() -> None:
    rng, event = np.random.default_rng(2), np.arange(90) < 30
    chances = expit(np.where(event, 4, -4) + math.sqrt(8) * rng.normal(size=90))
    found = guarantee_at_prevalence(chances, event, 0.1, 0.95)
    assert (found.threshold, found.right, found.wrong) == (None, 0, 0)
    assert found.cases_needed is not None
    assert found.cases_needed > 90
    flat = guarantee_at_prevalence(np.full(90, 0.5), event, 0.1, 0.95)
    assert (flat.threshold, flat.cases_needed) == (None, None)
    said = deciding.there_sentences(
        decide(two(chances, event), ILL, [0.5], target=0.95, prevalence=0.1), "patient"
    )
    assert (
        "no threshold was found at which these 90 patients show that 95\N{NO-BREAK SPACE}% are 'ill'"
        in said[0]
    )
    assert "could show it, of either kind the share that it has here" in said[0]


def test_what_lies_below_all_cases_of_the_class_is_not_promised_to_be_as_sure() -> None:
    """200 ill at .999 and 1,000 well at .001: five times as many show it, and no more than that are named."""
    event = np.arange(1_200) < 200
    found = guarantee_at_prevalence(np.where(event, 0.999, 0.001), event, 0.02, 0.95)
    assert found.threshold is None
    assert found.cases_needed is not None
    assert 1_200 < found.cases_needed < 6_000
    many = np.tile(event, -(-found.cases_needed // 1_200))
    assert guarantee_at_prevalence(np.where(many, 0.999, 0.001), many, 0.02, 0.95).threshold == 0.999


def test_where_it_cannot_be_asked_a_sentence_says_why() -> None:
    chances, event = drawn(30, 60, 2)
    p = two(chances, event)
    with pytest.raises(InputError, match=r"The target is 1\.0; expected a number above 0 and below 1"):
        decide(p, ILL, prevalence=0.1, target=1.0)
    for only in (np.ones(90, bool), np.zeros(90, bool)):
        with pytest.raises(InputError, match="All cases are of one kind"):
            guarantee_at_prevalence(chances, only, 0.1)
    sites = Predictions.from_arrays(p.probs, p.labels, p.class_names, metadata={"site": np.arange(90) % 2})
    with pytest.raises(InputError, match="How frequent the event is in each group is not known"):
        decide(sites, ILL, prevalence=0.1, target=0.9, groups="site")


def test_the_command_says_it_and_the_document_is_read_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chances, event = drawn(300, 900, 3)
    rows = [f"{p},{1 - p},{'ill' if hit else 'well'}" for p, hit in zip(chances, event, strict=True)]
    (path := tmp_path / "two.csv").write_text("\n".join(["ill,well,truth", *rows]))
    options = ("--lens", "class:ill", "--thresholds", "0.2", "--prevalence", "0.1", "--target", "0.8",
               "--resamples", "99")  # fmt: skip
    code, out, _ = run(capsys, "decide", path, *options)
    assert code == 0
    told = out.replace("\N{NO-BREAK SPACE}", " ")
    assert "Where 10 % of the cases are 'ill', from" in told
    assert "Where 10 % of the cases are 'ill', up to" in told
    code, out, _ = run(capsys, "decide", path, *options, "--json")
    document = json.loads(out)
    promise = document["guarantee_at_prevalence"]
    assert (code, promise["target"], promise["risk"], promise["prevalence"]) == (0, 0.8, 0.05, 0.1)
    assert promise["share"] == pytest.approx(0.1 * promise["right"] / 300 + 0.9 * promise["wrong"] / 900)
    assert "guarantee" not in document
    again = Decisions.from_json(out)
    assert again.guarantee_at_prevalence == GuaranteeAtPrevalence.from_document(promise)
    promise["right"] = 301
    with pytest.raises(InputError, match="More are accepted than there are"):
        Decisions.from_document(document)
    promise["right"] = 0
    with pytest.raises(InputError, match="Something is accepted at no threshold, or nothing at one"):
        Decisions.from_document(document)


def test_no_case_lies_alone_beside_what_is_handed_on() -> None:
    chances, event = drawn(300, 900, 3)
    found = decide(two(chances, event), ILL, [0.2], target=0.8, prevalence=0.1)
    promise = found.guarantee_at_prevalence
    assert promise is not None
    shared = found.without_cases()
    assert shared is not None
    kept = shared.guarantee_at_prevalence
    assert kept is not None
    assert replace(kept, curve=promise.curve) == promise
    counts = sorted({0, 1200, *(place.accepted for place in kept.places)})
    assert len(counts) > 10
    assert min(np.diff(counts)) > 1
    near = replace(promise, right=300, wrong=899)
    assert replace(found, guarantee_at_prevalence=near).without_cases().guarantee_at_prevalence is None
    beside = found.thresholds[0].treated.cases + 1 - promise.right
    near = replace(promise, wrong=beside)
    assert replace(found, guarantee_at_prevalence=near).without_cases().guarantee_at_prevalence is None


def test_of_several_labels_each_has_a_share_of_the_risk() -> None:
    chances, event = drawn(300, 900, 3)
    cases = MultiLabelPredictions.from_arrays(
        np.column_stack([chances, chances[::-1]]), np.column_stack([event, event[::-1]]), ["a", "b"]
    )
    over = ask_each(decide, cases, DiagnosisSpec(resamples=99), thresholds=[0.5], target=0.8, prevalence=0.1)
    assert {of.result.guarantee_at_prevalence.risk for of in over.labels} == {0.025}
    rows = BY_LABEL.columns(over.labels)
    kept = next(column for column in rows if column.name == "80\N{NO-BREAK SPACE}% right from")
    assert all("%" in str(kept.value(of)) for of in over.labels)


# --- by simulation ------------------------------------------------------------------------------------


Draw = Callable[[Generator, int, bool], Float]
Tail = Callable[[float, bool], float]
"""Threshold, whether of those with the event -> the share of them that is predicted so or higher."""


def normal(
    with_event: tuple[float, float], without: tuple[float, float], times: float = 1.0, more: float = 0.0
) -> tuple[Draw, Tail]:
    """Log odds are normal in either kind; the model says so many ``times`` as large ones, and ``more``."""

    def draw(rng: Generator, n: int, event: bool) -> Float:
        mean, deviation = with_event if event else without
        return np.asarray(expit(times * (mean + deviation * rng.normal(size=n)) + more))

    def tail(threshold: float, event: bool) -> float:
        mean, deviation = with_event if event else without
        return float(1 - ndtr(((logit(threshold) - more) / times - mean) / deviation))

    return draw, tail


def stepped(own: float, others: float) -> tuple[Draw, Tail]:
    """The model says .9 or .1: .9 to so many of either kind."""

    def draw(rng: Generator, n: int, event: bool) -> Float:
        return np.where(rng.random(n) < (own if event else others), 0.9, 0.1)

    def tail(threshold: float, event: bool) -> float:
        return (own if event else others) if threshold > 0.1 else 1.0

    return draw, tail


def even(share: float) -> tuple[Draw, Tail]:
    """Scores are even above ½, where all with the event are and ``share`` of the others, and below it."""

    def draw(rng: Generator, n: int, event: bool) -> Float:
        upper = rng.random(n) < (1.0 if event else share)
        return np.where(upper, 0.5, 0.0) + 0.5 * rng.random(n)

    def tail(threshold: float, event: bool) -> float:
        upper = 1.0 if event else share
        return (
            upper * min(1.0, 2 - 2 * threshold)
            if threshold >= 0.5
            else upper + (1 - upper) * (1 - 2 * threshold)
        )

    return draw, tail


def worlds(odds: float) -> dict[str, tuple[Draw, Tail]]:
    """``odds``: the others may be accepted so many times as often as those with the event, and no more."""
    return {
        "calibrated": normal((2, 2), (-2, 2)),
        "tells apart": normal((3, 1.5), (-3, 1.5)),
        "over": normal((2, 2), (-2, 2), 2),
        "under": normal((2, 2), (-2, 2), 0.5),
        "of another prevalence": normal((2, 2), (-2, 2), 1, -3),
        "others spread": normal((2, 1.5), (-2, 3)),
        "of no use": normal((0, 1), (0, 1)),
        "the wrong way": normal((-1, 1), (1, 1)),
        "a hair below, one step": stepped(0.8, min(1.0, 0.8 * odds * 1.001)),
        "a hair below, everywhere": even(min(1.0, odds * 1.001)),
    }


DESIGNS = ((50, 500), (200, 200), (200, 2_000), (1_000, 5_000))
ASKED = ((0.02, 0.5), (0.1, 0.9), (0.5, 0.95))


@pytest.mark.slow
@pytest.mark.parametrize(("with_event", "without"), DESIGNS)
def test_the_promise_is_seldom_broken(with_event: int, without: int) -> None:
    files, limit = 100, 100 * 0.05 + 3 * math.sqrt(100 * 0.05 * 0.95)
    usual, most = 0, (0, "")
    for prevalence, target in ASKED:
        odds = prevalence * (1 - target) / ((1 - prevalence) * target)
        for name, (draw, tail) in worlds(odds).items():
            broken = naive = 0
            for seed in range(files):
                rng = np.random.default_rng([with_event, without, seed])
                chances = np.append(draw(rng, with_event, True), draw(rng, without, False))
                event = np.arange(with_event + without) < with_event
                found = guarantee_at_prevalence(chances, event, prevalence, target)

                def is_broken(threshold: float | None, tail: Tail = tail, odds: float = odds) -> bool:
                    return (
                        threshold is not None
                        and tail(threshold, False) > odds * tail(threshold, True) + 1e-12
                    )

                broken += is_broken(found.threshold)
                naive += is_broken(found.naive)
            most = max(most, (broken, f"{name} {prevalence} {target}"))
            usual = max(usual, naive)
            assert broken <= limit, (name, prevalence, target)
    print(f"{with_event} and {without}: broken in {most[0] / files} ({most[1]}), naive in {usual / files}")
    assert usual > 0.43 * files


@pytest.mark.slow
def test_as_many_cases_as_are_needed_show_it_about_eight_times_in_ten() -> None:
    """Pilots of calibrated models; files of as many cases, of the same law."""
    shown = asked = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        distance = rng.uniform(2.5, 4)
        draw, _ = normal((distance / 2, math.sqrt(distance)), (-distance / 2, math.sqrt(distance)))
        event = np.arange(1_200) < 200
        pilot = np.append(draw(rng, 200, True), draw(rng, 1_000, False))
        needed = guarantee_at_prevalence(pilot, event, 0.1, 0.9).cases_needed
        if needed is None:
            continue
        own = round(needed / 6)
        for _ in range(20):
            chances = np.append(draw(rng, own, True), draw(rng, needed - own, False))
            kept = guarantee_at_prevalence(chances, np.arange(needed) < own, 0.1, 0.9)
            shown, asked = shown + (kept.threshold is not None), asked + 1
    print(f"shown in {shown} of {asked}")
    assert asked >= 100
    assert shown / asked > 0.6
