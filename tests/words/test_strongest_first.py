"""Where names of checks, classes or groups are cut, the strongest evidence is among those that are left.

The class that is off most is planted last in the order of the classes, and looked for in all outputs.
"""

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from calibcore import Predictions
from calibcore.answers.classes import evidence_table
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.headline import by_evidence
from calibcore.diagram.gap_sizes import Interval
from calibcore.notebook.pieces import table
from calibcore.questions.decide import decide
from calibcore.questions.decide.says import thresholds_table
from calibcore.questions.groups import GroupSurvey, diagrams, group_diagrams
from calibcore.questions.groups.charts import groups_rows
from calibcore.questions.groups.words import diagrams_sentence, headline, worst_sentences
from calibcore.report import report_of, to_html, to_pdf
from calibcore.report.front_page import asked_sentences
from calibcore.sensitivity.each_class import classes_by_evidence
from calibcore.terminal import survey_text
from calibcore.transforms.lenses import CanonicalLens, TopKLens
from calibcore.words.phrases import exact_percent
from calibcore.words.reporting import classes_told
from calibcore.words.sizes import approximate_interval, typical_size
from calibcore.words.tables import shortened, spread
from calibcore.words.verdicts import by_lenses_sentence, lenses_sentence
from tests.quick import survey, survey_groups
from tests.report.reported import DATE, SPEC, pages_of, squeezed

NAMES = ("angioma", "keratosis", "mole", "nevus", "melanoma")


def planted(n: int = 1500) -> Predictions:
    """(n × 5): every class is off, melanoma most, and it is the last."""
    rng = np.random.default_rng(11)
    true = rng.dirichlet(np.array([1.2, 1.2, 1.2, 1.2, 2.4]), size=n)
    labels = (rng.random((n, 1)) >= np.cumsum(true, axis=1)[:, :-1]).sum(axis=1)
    said = true * np.array([1.7, 1.5, 1.4, 1.6, 0.35])
    return Predictions.from_arrays(said / said.sum(axis=1, keepdims=True), labels, NAMES)


@cache
def judged() -> tuple[Predictions, Assessment]:
    """The survey of them."""
    p = planted()
    return p, assess(p, survey(p, SPEC))


def first_named(text: str) -> str:
    """What stands first after "checks found a problem:"."""
    found = re.search(r"foundaproblem:(.*?)and\d+more", squeezed(text))
    assert found is not None, text
    return found[1]


@pytest.mark.slow
def test_the_planted_class_is_named_in_every_output() -> None:
    p, of = judged()
    found = [v for v in of.verdicts if v.found]
    # of a model with a sixth check that finds nothing, names are cut
    calm = next(v for v in of.verdicts if v.lens == TopKLens(1))
    verdicts = tuple(replace(v, answer="cannot-tell") if v is calm else v for v in of.verdicts)
    cut = replace(of, verdicts=type(of.verdicts)(verdicts, of.survey))
    assert len([v for v in verdicts if v.found]) > 3
    assert min(found, key=by_evidence).lens in (CanonicalLens(), of.verdicts[-1].lens)
    report = report_of(p, cut, SPEC, title="net", date=DATE)
    pdf = " ".join(pages_of(to_pdf(report)))
    for text in (lenses_sentence(verdicts), survey_text(cut), to_html(report), pdf):
        assert "melanoma" in first_named(text)
    html = cut.verdicts._repr_html_()
    assert "melanoma" in first_named(re.sub("<[^>]+>", " ", html).replace("&#x27;", "'"))


@pytest.mark.slow
def test_classes_are_in_the_order_of_the_p_that_stands_beside_them_then_of_their_gap() -> None:
    _, of = judged()
    names = [c.name for c in classes_by_evidence(of).classes]
    assert names[0] == "melanoma"
    order = [(c.verdict.adjusted, -c.verdict.typical_gap.value) for c in classes_by_evidence(of).classes]
    assert order == sorted(order)
    # The raw p may part what the adjusted p, which is shown, does not: then the gap decides.
    raw = {c.name: 0.001 * (i + 1) for i, c in enumerate(reversed(classes_by_evidence(of).classes))}
    tied = [replace(v, pvalue=raw.get(v.lens.one_class or "", v.pvalue), adjusted=0.01) for v in of.verdicts]
    other = classes_by_evidence(replace(of, verdicts=tied))
    gaps = [c.verdict.typical_gap.value for c in other.classes]
    assert gaps == sorted(gaps, reverse=True)
    assert [row["Class"] for row in evidence_table(other).rows()] == [c.name for c in other.classes]


@pytest.mark.slow
def test_the_check_that_makes_the_whole_miscalibrated_is_the_strongest() -> None:
    _, of = judged()
    whole = next(v for v in of.verdicts if v.lens == CanonicalLens())
    by = tuple(f"class:{name}" for name in ("melanoma", "nevus", "mole"))
    assert "'melanoma' and 2 others" in by_lenses_sentence(replace(whole, by_lenses=by), "case")


@pytest.mark.slow
def test_checks_that_were_asked_and_groups_too() -> None:
    p, of = judged()
    whole = next(v for v in of.verdicts if v.lens == CanonicalLens())
    lenses = ((TopKLens(1), 0.4), (TopKLens(2), 0.3), (TopKLens(3), 0.2), (CanonicalLens(), 0.01))
    more = [replace(whole, lens=lens, adjusted=adjusted) for lens, adjusted in lenses]
    assert "all classes together" in asked_sentences(p, more, None)
    found = _groups()
    tested = [group for group in found.tested if group.verdict is not None]
    off = min(tested, key=lambda g: by_evidence(g.verdict))  # type: ignore[arg-type]
    assert off.value == "g"
    said = headline(found)
    assert off.verdict is not None
    size, interval = typical_size(off.verdict.typical_gap), approximate_interval(off.verdict.typical_gap)
    assert said.startswith("Worst in site g: it says ")
    alike = tuple(replace(each, adjusted=0.5) for each in found.between or ())
    assert headline(replace(found, between=alike)) == said.replace("Worst in", "Largest estimate in")
    (worst, in_which) = worst_sentences(found)
    assert worst.startswith(f"In site g it is typically {size} off ({interval}), on balance")
    assert "groups that were tested: site g" in in_which
    off_groups = [g for g in tested if g.verdict and g.verdict.answer == "miscalibrated"]
    both = replace(found, groups=tuple(off_groups[:2]))
    assert len(both.tested) == 2
    assert "Miscalibrated in both groups that were tested: site " in worst_sentences(both)[-1]
    assert [row.value for row in groups_rows(found)] == sorted(
        (100 * g.verdict.typical_gap.value for g in tested if g.verdict), reverse=True
    )


def _groups() -> GroupSurvey:
    """Seven sites, of which the last is off most."""
    return survey_groups(_of_groups(), ["site"], SPEC)


def _of_groups() -> Predictions:
    rng = np.random.default_rng(4)
    n = 1400
    site = np.repeat(list("abcdefg"), n // 7)
    x = rng.uniform(0.2, 0.8, n)
    true = np.clip(x - np.where(site == "g", 0.35, 0.16), 0.01, 0.99)
    labels = (rng.random(n) >= true).astype(int)
    return Predictions.from_arrays(
        np.column_stack([x, 1 - x]), labels, ["ill", "well"], metadata={"site": site}
    )


def test_a_table_that_is_cut_keeps_the_rows_that_stand_out() -> None:
    """As on paper and in a notebook, where the fullest bins come first and the farthest may be the last."""
    rows = [{"Cases": 100 - i, "Outside": "yes" if i in (17, 29) else ""} for i in range(30)]
    kept = shortened(rows, 15)
    assert [row["Cases"] for row in kept] == [*range(100, 87, -1), 83, 71]
    assert shortened(rows[:10], 15) == rows[:10]
    assert shortened([], 15) == []
    ps = ["0.04", "0.03", "0.001 (smallest)", "0.02"]
    many = [{"Arrow's adjusted p": p, "Stands out": "yes"} for p in ps]
    assert [row["Arrow's adjusted p"] for row in shortened(many, 2)] == ["0.001 (smallest)", "0.02"]
    assert "<td>71</td>" in table(rows, "Bins").replace(' class="number"', "")
    verdicts = ["Consistent"] * 28 + ["Miscalibrated, but small", "Miscalibrated"]
    judged = [{"Group": f"{i}", "Verdict": one, "Adjusted p": "0.5"} for i, one in enumerate(verdicts)]
    assert [row["Group"] for row in shortened(judged, 3)] == ["0", "28", "29"]
    pairs = [{"First": f"{i}", "Adjusted p": p} for i, p in enumerate(["–", "0.5", "< 0.0001", "0.2"])]
    assert [row["First"] for row in shortened(pairs, 2)] == ["2", "3"]


def test_a_table_over_time_keeps_the_windows_that_stand_out() -> None:
    kept = spread(range(100), 10, lambda i: i in (4, 7, 90))
    assert len(kept) == 10
    assert {4, 7, 90, 99} <= set(kept)
    assert kept == sorted(kept)
    assert max(b - a for a, b in pairwise(kept)) < 20
    assert spread(range(100), 4, lambda _: True) == [24, 49, 74, 99]
    assert spread(range(5), 10, lambda _: False) == [*range(5)]


@pytest.mark.slow
def test_of_many_classes_those_that_are_off_are_told_however_rare() -> None:
    _, of = judged()
    (off,) = (v for v in of.verdicts if v.lens.one_class == "melanoma")
    rare = [replace(f, happened=0 if f.class_name == "melanoma" else f.happened) for f in of.frequencies]
    calm = [v if v is off else replace(v, answer="cannot-tell") for v in of.verdicts]
    told = classes_told(replace(of, frequencies=tuple(rare), verdicts=calm), 3)
    assert told[-1].class_name == "melanoma"
    happened = sorted((f.happened for f in rare), reverse=True)
    assert sorted((f.happened for f in told[:-1]), reverse=True) == happened[:2]


def test_of_many_thresholds_the_one_that_stands_out_is_told() -> None:
    """Every prediction of .13 is wrong, and thresholds are told in steps of 5 points."""
    g = np.r_[np.full(60, 0.13), np.linspace(0.02, 0.98, 200)]
    ill = np.r_[np.zeros(60), np.arange(200) % 2]
    p = Predictions.from_arrays(np.column_stack([g, 1 - g]), (1 - ill).astype(int), ["ill", "well"])
    for which in ([0.11, 0.12, 0.13, *(k / 20 for k in range(1, 20))], [k / 100 for k in range(3, 97)]):
        found = decide(p, SPEC, which)
        clearest = min(found.thresholds, key=lambda one: (one.pvalue, -abs(one.net_benefit - one.promised)))
        assert clearest.pvalue <= SPEC.alpha
        rows = thresholds_table(found).few_rows()
        assert len(rows) <= 11
        assert exact_percent(clearest.threshold) in [row["Threshold"] for row in rows]


def test_of_many_groups_the_strongest_evidence_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagrams, "MOST_DRAWN", 2)
    found, p = _groups(), _of_groups()
    drawn = [one.group for one in group_diagrams(p, found)]
    strongest = sorted((by_evidence(g.verdict) for g in found.tested if g.verdict), key=lambda e: e)[:2]
    assert sorted(by_evidence(g.verdict) for g in drawn if g.verdict) == strongest
    # The largest gap of few cases is not the strongest evidence.
    first = found.tested[0]
    assert first.verdict is not None
    unclear = replace(first.verdict, adjusted=0.9, answer="cannot-tell", typical_gap=Interval(0.5, 0.0, 0.9))
    few = replace(first, verdict=unclear)
    other = replace(found, groups=(few, *found.groups[1:]))
    assert few not in [one.group for one in group_diagrams(p, other)]
    assert "with the strongest evidence of 7" in diagrams_sentence(other, drawn)
