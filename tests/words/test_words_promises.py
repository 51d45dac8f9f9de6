"""What words promise beside numbers: levels that are not the usual ones, and each adjustment by its name."""

from dataclasses import replace

import numpy as np
import pytest

from calibcore.answers.diagram import arrows_table
from calibcore.answers.survey import checks_table
from calibcore.assessment.assess import assess
from calibcore.assessment.survey import survey
from calibcore.assessment.verdict import Verdict
from calibcore.data.predictions import Predictions
from calibcore.diagnose import diagnose
from calibcore.diagram.gap_sizes import Frequencies, Interval
from calibcore.hypothesis_tests import BinPvalues
from calibcore.settings import DiagnosisSpec
from calibcore.terminal import survey_text
from calibcore.transforms.lenses import CanonicalLens, ClassLens
from calibcore.words.arrows import arrows_judged
from calibcore.words.phrases import exact_percent, number_p
from calibcore.words.reported_methods import methods_parts
from calibcore.words.reporting import verdicts_note
from calibcore.words.sizes import balance_sentence, of_many
from calibcore.words.verdicts import adjusted_words
from tests.words.test_words_verdicts import verdict

RNG = np.random.default_rng(4)
G = RNG.dirichlet(np.ones(3), 60)
P = Predictions.from_arrays(G, (RNG.random((60, 1)) > G.cumsum(axis=1)).sum(axis=1), ("a", "b", "c"))


@pytest.fixture(scope="module")
def found():
    spec = DiagnosisSpec(adjustment="benjamini-hochberg", alpha=0.025)
    return assess(P, survey(P, spec, [CanonicalLens(), ClassLens("a")]))


def test_a_p_lies_on_the_side_of_the_level_that_was_set() -> None:
    assert number_p(0.0254) == "0.025"
    assert number_p(0.0254, alpha=0.025) == "0.0254"
    assert number_p(0.02, alpha=0.02) == "0.02"
    some = verdict("consistent", adjusted=0.0254, alpha=0.025)
    assert adjusted_words(some).startswith("adjusted p = 0.0254,")


def test_a_table_shows_the_side_too(found) -> None:
    some = replace(found.verdicts[0], adjusted=0.0254)
    (row,) = checks_table(found.survey.diagnoses[:1], [some]).rows()
    assert row["Adjusted p"] == "0.0254"
    diagram = found.survey.diagnoses[0].reliability
    p = np.full(diagram.n_bins, 0.0254)
    rows = arrows_table(diagram, BinPvalues(p, p, "step-down", 9999), 0.025).rows()
    assert {(row["Arrow's adjusted p"], row["Stands out"]) for row in rows} == {("0.0254", "")}


@pytest.mark.parametrize(("level", "words"), [(0.975, "97.5"), (0.95 - 0.05, "90"), (1 - 0.995, "0.5")])
def test_a_level_is_not_rounded(level, words) -> None:
    assert exact_percent(level) == f"{words}\N{NO-BREAK SPACE}%"


def test_arrows_name_the_level_as_it_is(found) -> None:
    diagram = found.survey.diagnoses[0].reliability
    p = np.ones(diagram.n_bins)
    said = arrows_judged(diagram, BinPvalues(p, p, "step-down", 9999), 0.0125)
    assert "an exact p of 0.0125 or less" in said
    assert "at most 1.25\N{NO-BREAK SPACE}% of the time" in said


def test_benjamini_and_hochberg_do_not_make_an_exact_p(found) -> None:
    assert {v.adjustment for v in found.verdicts} == {"benjamini-hochberg"}
    for words in (adjusted_words(found.verdicts[0]), verdicts_note(found)):
        assert "exact" not in words
        assert "tests that do not speak against each other" in words
    assert "exact for independent cases" in adjusted_words(replace(found.verdicts[0], adjustment="holm"))
    diagnoses = tuple(replace(d, spec=replace(d.spec, adjustment="holm")) for d in found.survey.diagnoses)
    by_holm = replace(found, survey=replace(found.survey, diagnoses=diagnoses))
    assert "exact for independent images" in verdicts_note(by_holm, "image")
    (line,) = (line for line in survey_text(found).splitlines() if line.startswith("- Adjusted p"))
    assert "Benjamini–Hochberg, which needs" in line


def test_a_verdict_that_names_no_adjustment_was_adjusted_by_holm(found) -> None:
    document = found.verdicts[0].to_document()
    assert Verdict.from_document(document).adjustment == "benjamini-hochberg"
    del document["adjustment"]
    assert Verdict.from_document(document).adjustment == "holm"


def test_methods_name_the_bins_of_the_typical_gap(found) -> None:
    measured = dict(methods_parts(found, "", "patient"))["How miscalibration was measured"]
    said = "These are split nearest the median of such a mix of patients and uncertainty. "
    assert said in measured
    assert "Half of its bins go by cases, half by how unsure the model is" in measured
    two = replace(found, survey=survey(P, DiagnosisSpec(), [ClassLens("a")]))
    assert "three and more" not in dict(methods_parts(two, ""))["How miscalibration was measured"]


def test_methods_say_which_bandwidths_come_from_some_pairs_only(found) -> None:
    """Of the kernel test of earlier versions; above 10,000 cases two classes still have all pairs."""
    specs = [replace(d.spec, tests=("exact",)) for d in found.survey.diagnoses]
    earlier = [diagnose(P, spec) for spec in specs]

    def said(*pairs: str) -> str:
        diagnoses = tuple(
            replace(d, bandwidth=replace(d.bandwidth, pairs=of)) for d, of in zip(earlier, pairs, strict=True)
        )
        some = replace(found, survey=replace(found.survey, diagnoses=diagnoses))
        return dict(methods_parts(some, ""))["How miscalibration was measured"]

    assert "between predictions over all pairs (" in said("all", "all")
    assert "between predictions over 1,000,000 seeded pairs (" in said("sampled", "sampled")
    mixed = "between predictions over all pairs, but in 1 check over 1,000,000 seeded pairs ("
    assert mixed in said("all", "sampled")
    assert mixed in said("sampled", "same")


def test_no_gap_is_said_to_be_larger_than_the_prediction() -> None:
    said = Frequencies("a", 0.95, 0.01, Interval(0.94, 0.90, 0.949), 1, 100)
    others = [Frequencies(name, 0.025, 0.495, Interval(-0.47, -0.5, -0.4), 49, 100) for name in "bc"]
    assert of_many(said, 3).high == 0.95
    assert of_many(replace(others[0], gap=Interval(-0.9, -0.97, -0.8)), 3).low == 0.025 - 1
    balance = balance_sentence(CanonicalLens(), (said, *others))
    assert balance == "On balance the model gives 'a' too high a probability and 'c' too low a probability."
