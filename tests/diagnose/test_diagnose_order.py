"""Tests that pair neighbouring rows, where the rows stand in the order of their labels."""

from dataclasses import replace

import pytest

from calibcore.data.examples import w19_model
from calibcore.diagnose import Diagnosis, diagnose
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens
from tests.diagnose.test_diagnose import SPEC, in_order_of_the_labels, problem, pvalues

LINEAR = (
    "distribution-free-linear",
    "distribution-free-block",
    "asymptotic-linear",
    "asymptotic-block",
)


@pytest.mark.parametrize("lens", [CanonicalLens(), TopKLens(1), ClassLens("b")])
def test_ordered_labels_withhold_the_linear_tests_and_a_shuffle_brings_them_back(lens) -> None:
    p = in_order_of_the_labels(w19_model("M1", n=250, m=4))
    p = p.through(p.probs, p.labels, tuple("abcd"))
    withheld = diagnose(p, replace(SPEC, lens=lens))
    for test in withheld.tests:
        if test.name == "asymptotic-cme":  # through two classes its locations may say the same
            continue
        assert (test.result is None) == (test.name in LINEAR)
        assert ("shuffle the rows" in test.note) == (test.name in LINEAR)
    block = {e.name: e for e in withheld.estimates}["skce-block"]
    assert (block.value, block.pvalue) == (None, None)
    assert "shuffle the rows" in block.note
    assert Diagnosis.from_json(withheld.to_json()).to_json() == withheld.to_json()
    shuffled = diagnose(p, replace(SPEC, lens=lens, shuffle=True))
    assert not [name for name, p in pvalues(shuffled).items() if p is None and name != "asymptotic-cme"]
    for name in set(pvalues(withheld)) - set(LINEAR):
        assert pvalues(shuffled)[name] == pvalues(withheld)[name]
    assert shuffled.skce["unbiased"] == withheld.skce["unbiased"]
    for name in ("linear", "block"):
        assert shuffled.skce[name] != withheld.skce[name]
        assert shuffled.skce[name] == shuffled.test(f"asymptotic-{name}").result.statistic
    block = {e.name: e.value for e in shuffled.estimates}["skce-block"]
    assert block == pytest.approx(shuffled.skce["block"], rel=1e-10)


@pytest.mark.slow
def test_rows_in_random_order_are_not_withheld() -> None:
    for seed in range(20):
        assert None not in pvalues(diagnose(problem(60, seed=seed), replace(SPEC, resamples=1))).values()
