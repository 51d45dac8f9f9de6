"""A report's JSON read again: what repeats it, what it found, what is none."""

import json
import random
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from calibcore import DiagnosisSpec, InputError, survey
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.rerun import differences, lens_results, repeatable
from calibcore.data.examples import load_example
from calibcore.diagram.binning import EqualMassBinning, MedianVarianceBinning
from calibcore.kernels import GaussianKernel
from calibcore.report import report_of, to_json
from calibcore.transforms.lenses import CanonicalLens, ClassLens, GroupsLens, RegionLens, TopKLens
from calibcore.words.sharing import opened_report, repeated, same_data

P = load_example("wine")
GROUPS = GroupsLens((("A", ("grower 1", "grower 2")), ("B", ("grower 3",))))
EMPTY = RegionLens(TopKLens(1), "grower 1", 0.9999999, 1.0)
"""A lens that cannot be looked through here: it is refused, and counts."""
LENSES = (TopKLens(1), CanonicalLens(), ClassLens("grower 2"), GROUPS, EMPTY)
TWO, MANY = EqualMassBinning(7), MedianVarianceBinning(20)
SPEC = DiagnosisSpec(
    lens=GROUPS, binning=TWO, kernel=GaussianKernel(), resamples=1_099, seed=3, tolerance=0.1, alpha=0.04
)


@cache
def found() -> Assessment:
    return assess(P, survey(P, SPEC, LENSES, binning_of_many=MANY)).at(SPEC.tolerance)


@cache
def text() -> str:
    return to_json(report_of(P, found(), SPEC, title="Wine's report", date="2026-11-21", noun="wine"))


def test_every_setting_comes_back_refused_lenses_too() -> None:
    shared = repeatable(text())
    assert (shared.title, shared.date, shared.fingerprint) == ("Wine's report", "2026-11-21", P.fingerprint)
    assert shared.spec == SPEC
    assert (shared.two, shared.many) == (TWO, MANY)
    assert shared.lenses == LENSES
    assert len(shared.results) == len(LENSES) - 1 == len(found().survey.diagnoses)


def test_repeated_with_them_the_survey_finds_the_same_to_the_last_p() -> None:
    shared = repeatable(text())
    spec = replace(shared.spec, binning=shared.two)
    again = assess(P, survey(P, spec, shared.lenses, binning_of_many=shared.many)).at(spec.tolerance)
    assert differences(shared, again) == ()
    assert lens_results(again) == shared.results
    assert repeated(4, ()) == (
        "Repeated: the verdicts and p-values are those of the report, in all 4 checks."
    )
    assert "the one check" in repeated(1, ())


@pytest.mark.slow
def test_another_seed_lens_or_tolerance_is_a_difference() -> None:
    shared = repeatable(text())
    other = assess(P, survey(P, replace(SPEC, seed=4), LENSES, binning_of_many=MANY)).at(0.1)
    pairs = differences(shared, other)
    assert pairs
    words = repeated(4, pairs)
    assert words.startswith(f"Not the same as in the report: {len(pairs)} check")
    assert "the report says" in words
    assert "adjusted p" in words
    fewer = assess(P, survey(P, SPEC, LENSES[:2], binning_of_many=MANY)).at(0.1)
    assert [then.lens for then, now in differences(shared, fewer) if now is None and then] == [
        "class:grower 2",
        "groups:A=grower 1,grower 2;B=grower 3",
    ]
    more = replace(shared, results=shared.results[:1])
    assert len([then for then, _ in differences(more, found()) if then is None]) == 3
    turned = replace(shared, results=(replace(shared.results[0], answer="other"), *shared.results[1:]))
    assert len(differences(turned, found())) == 1
    assert "1 check is different" in repeated(4, differences(turned, found()))


def test_the_json_of_a_survey_repeats_it_as_well() -> None:
    shared = repeatable(found().to_json())
    assert (shared.title, shared.date) == ("", "")
    assert shared.spec == found().survey.diagnoses[0].spec
    assert shared.lenses == LENSES


def test_it_is_said_whether_the_data_are_the_same() -> None:
    shared = repeatable(text())
    assert "These data have the report's fingerprint" in same_data(shared, P.fingerprint)
    assert "the same numbers are expected" in same_data(shared, P.fingerprint)
    assert "about the same numbers" in same_data(replace(shared, version="0.0.9"), P.fingerprint)
    other = same_data(shared, "0" * 64)
    assert "These are other data: their fingerprint is 000000000000…" in other
    assert P.fingerprint[:12] in other
    assert "…." not in other


def test_an_opened_report_has_its_title_and_its_date() -> None:
    shared = replace(repeatable(text()), title="Net", date="2026-11-21")
    assert opened_report(shared) == "Settings of the report 'Net' of 21 November 2026"
    assert opened_report(replace(shared, date="yesterday, about noon")) == (
        "Settings of the report 'Net' of yesterday,"
    )
    assert opened_report(replace(shared, title="", date="")) == "Settings of the report"


def _changed(**changes: Any) -> str:
    return json.dumps(json.loads(text()) | changes)


def _in_lens(**changes: Any) -> str:
    document = json.loads(text())
    document["lenses"][0] |= changes
    return json.dumps(document)


BROKEN = {
    "nothing": "",
    "a list": "[]",
    "half": text()[: len(text()) // 2],
    "deep": "[" * 100_000,
    "another document": '{"schema": 1, "data": {}}',
    "no lens": _changed(lenses=[]),
    "a lens that is none": _changed(lenses=[1]),
    "lenses that are none": _changed(lenses=7),
    "no diagnosis": _in_lens(diagnosis=None),
    "no verdict": _in_lens(verdict={}),
    "a later schema": _changed(schema=2),
    "unknown setting": _changed(spec={"colour": "red"}),
    "settings that are none": _changed(spec=[1]),
    "a later schema of settings": _changed(spec={"schema": 9}),
    "refused by nobody": _changed(refused=[{"lens": "telescope", "reason": ""}]),
    "said by nobody": _changed(report=[]),
    "frequencies of nothing": _changed(class_frequencies=[{}]),
    "a p that is none": _in_lens(verdict=json.loads(text())["lenses"][0]["verdict"] | {"pvalue": "small"}),
    "an answer that is none": _in_lens(verdict=json.loads(text())["lenses"][0]["verdict"] | {"answer": "!"}),
    "very many lenses": _changed(lenses=json.loads(text())["lenses"][:1] * 300),
}


@pytest.mark.parametrize("document", BROKEN.values(), ids=BROKEN)
@pytest.mark.slow
def test_what_is_no_report_is_one_sentence(document: str) -> None:
    with pytest.raises(InputError) as caught:
        repeatable(document)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inside for place in _places(part, (*path, key)))]


@pytest.mark.slow
def test_a_document_with_one_wrong_value_is_refused_or_can_be_spoken_of() -> None:
    rng, start = random.Random(0), json.loads(text())
    start["lenses"], start["refuted"] = start["lenses"][:2], start["refuted"][:2]
    start["report"] = {"title": start["report"]["title"], "date": start["report"]["date"]}
    places = [place for place in _places(start) if place]
    whole, refused = json.dumps(start), 0
    assert len(repeatable(whole).results) == 2
    for _ in range(200):
        document = json.loads(whole)
        *way, last = rng.choice(places)
        inner = document
        for key in way:
            inner = inner[key]
        inner[last] = rng.choice([None, -1, 1e400, "x" * 10_000, [], {}, [[[]]], True, "\u202e<b>"])
        try:
            shared = repeatable(json.dumps(document))
        except InputError:
            refused += 1
        else:
            assert len(opened_report(shared)) < 200
            assert same_data(shared, P.fingerprint)
            assert repeated(4, differences(shared, found()))
    assert 0 < refused < 200
