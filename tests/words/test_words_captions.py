"""Captions explain what is drawn and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from calibcore import diagnose
from calibcore.diagnose import Diagnosis, NamedTest
from calibcore.hypothesis_tests import BinPvalues, TestResult
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens
from calibcore.words.arrows import net_gap_sentence
from calibcore.words.reporting import arrows_caption, diagram_caption, redraws_caption
from tests.report.reported import drawn

SPEC = DiagnosisSpec(resamples=99, tests=())


@pytest.fixture(scope="module")
def of_class() -> Diagnosis:
    return diagnose(drawn(400, 3, off=0.6), replace(SPEC, lens=ClassLens("0")))


def test_a_diagram_has_what_its_caption_speaks_of(of_class: Diagnosis) -> None:
    diagram = replace(of_class.reliability, outside=np.zeros(of_class.reliability.n_bins, np.bool_))
    none = diagram_caption(diagram, False, "image")
    assert none.startswith(
        "Each cross is a bin of images with similar predictions: observed minus predicted."
    )
    assert "Strong" not in none
    assert "Triangles" not in none
    assert "case" not in none
    one = replace(diagram, outside=np.arange(diagram.n_bins) == 0)
    assert diagram_caption(one, True, "image").endswith(
        "Triangles at the edge are bins of few images beyond the scale."
    )
    assert "Strong crosses lie outside." in diagram_caption(one, False)
    assert "Grey bars" not in diagram_caption(replace(one, bars="none"), False)
    assert "Larger" not in diagram_caption(one.only(np.array([0])), False)


def test_arrows_say_how_one_would_stand_out() -> None:
    diagram = diagnose(drawn(400, 3, off=0.6), replace(SPEC, lens=CanonicalLens())).reliability
    p = np.full(diagram.n_bins, 0.5)
    weak = BinPvalues(p, p, "step-down", 999)
    reading = arrows_caption(diagram, diagram, weak, 0.05, "image")
    assert reading.startswith(net_gap_sentence(diagram))
    assert "Strong arrows" not in reading
    assert f"adjusted for {diagram.n_bins} arrows" in reading
    strong = BinPvalues(p, np.where(np.arange(diagram.n_bins) == 0, 0.01, 0.5), "step-down", 999)
    reading = arrows_caption(diagram, diagram, strong, 0.05, "image")
    assert reading.startswith(net_gap_sentence(diagram))
    assert "Strong arrows have an exact p" in reading
    assert reading.endswith("The others could be chance.")


def test_p_is_said_with_its_adjustment_and_its_hatched_share(of_class: Diagnosis) -> None:
    null = np.linspace(0, 1, 99)

    def said(
        statistic: float, p: float, adjusted_for: str = "5 checks", far: bool = False, **details: int
    ) -> str:
        result = TestResult(statistic, p, "made", "exact", null, 99, details=details)
        return redraws_caption(of_class, NamedTest("exact-ece", "ece", result), far, adjusted_for, "image")

    middle = said(0.5, 0.5)
    assert "p = 0.5, before adjusting for 5 checks: the hatched share, the observed value" in middle
    assert middle.endswith("It is exact for independent images.")
    assert "lashes" not in middle
    assert "p = 0.5: the hatched share" in said(0.5, 0.5, adjusted_for="")
    beyond = said(9.0, 0.01, far=True)
    assert "hatched" not in beyond
    assert "Slashes break the axis" in beyond
    assert "no redraw lies beyond the line" in beyond
    assert "where the test stopped" in said(0.5, 0.5, stop_at=10, most_resamples=999)
