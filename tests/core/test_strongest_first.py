"""Where names of checks, classes or groups are cut, the strongest evidence is among those that are left.

The class that is off most is planted last in the order of the classes, and looked for in all outputs.
"""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibcore import Predictions, survey
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.headline import by_evidence
from calibcore.notebook.pieces import table
from calibcore.questions.groups import GroupSurvey, groups
from calibcore.report import report_of, to_html, to_pdf
from calibcore.sensitivity.each_class import classes_by_evidence
from calibcore.transforms.lenses import CanonicalLens, TopKLens
from calibcore.words.classes import evidence_rows
from calibcore.words.front_page import asked_sentences
from calibcore.words.grouping import headline
from calibcore.words.sizes import typical_size
from calibcore.words.tables import shortened
from calibcore.words.terminal import survey_text
from calibcore.words.verdicts import by_lenses_sentence, lenses_sentence
from tests.core.reported import DATE, SPEC, pages_of, squeezed

pytestmark = pytest.mark.usefixtures("few")
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
    assert [row["Class"] for row in evidence_rows(other)] == [c.name for c in other.classes]


def test_the_check_that_makes_the_whole_miscalibrated_is_the_strongest() -> None:
    _, of = judged()
    whole = next(v for v in of.verdicts if v.lens == CanonicalLens())
    by = tuple(f"class:{name}" for name in ("melanoma", "nevus", "mole"))
    assert "'melanoma' and 2 others" in by_lenses_sentence(replace(whole, by_lenses=by), "case")


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
    assert said.startswith(f"Typically {typical_size(off.verdict.typical_gap)} off in site g, on balance")
    assert "groups that were tested: site g" in said


def _groups() -> GroupSurvey:
    """Seven sites, of which the last is off most."""
    rng = np.random.default_rng(4)
    n = 1400
    site = np.repeat(list("abcdefg"), n // 7)
    x = rng.uniform(0.2, 0.8, n)
    true = np.clip(x - np.where(site == "g", 0.35, 0.16), 0.01, 0.99)
    labels = (rng.random(n) >= true).astype(int)
    p = Predictions.from_arrays(np.column_stack([x, 1 - x]), labels, ["ill", "well"], metadata={"site": site})
    return groups(p, ["site"], SPEC)


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
