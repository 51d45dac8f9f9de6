"""What ships as found on the bundled examples is what is found on them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibcore.assessment.defaults import default_lenses
from calibcore.data.examples import EXAMPLES
from calibcore.limits import asset_path
from pages.ui.settings import AT_FIRST, as_surveyed_by
from pages.work import bundled, studies
from pages.work.job import Job
from scripts.make_answers import study_of
from tests.pages.harness import AS_PEOPLE_GET_IT, opened, said

KEYS = [example.key for example in EXAMPLES]


def differences(one: Any, other: Any, at: str = "") -> list[str]:
    """Where two documents differ by more than another processor's order of sums explains."""
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            return [f"{at}: {sorted(one.keys() ^ other.keys())}"]
        return [where for key in one for where in differences(one[key], other[key], f"{at}.{key}")]
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return [f"{at}: {len(one)} and {len(other)}"]
        pairs = enumerate(zip(one, other, strict=True))
        return [where for i, (a, b) in pairs for where in differences(a, b, f"{at}[{i}]")]
    if isinstance(one, float) and isinstance(other, float):
        return [] if one == pytest.approx(other, rel=1e-7, abs=1e-10) else [f"{at}: {one} and {other}"]
    return [] if one == other else [f"{at}: {one!r} and {other!r}"]


@pytest.mark.some(4)
@pytest.mark.parametrize("key", KEYS)
def test_every_example_has_the_answer_that_a_new_session_asks_for(key: str) -> None:
    """Else the page would compute it, and nobody would notice."""
    assert bundled.shipped(study_of(bundled.cases(key)).key) is not None


@pytest.mark.some(1)
@pytest.mark.parametrize("key", sorted(KEYS, key=["letters", "wine"].count, reverse=True))
def test_it_is_what_is_computed(key: str) -> None:
    study = study_of(bundled.cases(key), anew=True)
    shipped = bundled.shipped(study.key)
    assert shipped is not None
    computed = study.work(Job())
    assert computed is not shipped
    assert differences(json.loads(shipped.to_json()), json.loads(computed.to_json())) == []


def test_differences_are_seen() -> None:
    one = {"a": [1.0, {"b": "x"}], "n": 3}
    assert differences(one, {"a": [1.0 + 1e-12, {"b": "x"}], "n": 3}) == []
    assert differences(one, {"a": [1.001, {"b": "y"}], "n": 4}) == [
        ".a[0]: 1.0 and 1.001", ".a[1].b: 'x' and 'y'", ".n: 3 and 4"
    ]  # fmt: skip
    assert differences(one, {"a": [1.0]}) == [": ['n']"]


def test_the_folder_holds_nothing_else() -> None:
    folder: Path = asset_path("examples", bundled.ANSWERS)
    assert {path.name for path in folder.iterdir()} == {"index.json", *(f"{key}.json.gz" for key in KEYS)}
    assert sum(path.stat().st_size for path in folder.iterdir()) < 3_000_000


def test_the_verdict_on_an_example_stands_without_any_survey(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> None:
        raise AssertionError("A survey was begun.")

    monkeypatch.setattr("pages.work.studies.survey", none)
    app = opened("overview", begin=AS_PEOPLE_GET_IT, in_use="wine")
    assert "Miscalibrated" in said(app) or "Consistent" in said(app) or "Cannot tell" in said(app)
    assert not app.error


def test_another_setting_is_computed() -> None:
    p = bundled.predictions("wine")
    lenses = default_lenses(p)
    spec, many = as_surveyed_by(AT_FIRST, lenses, p)
    for other in (replace(spec, seed=1), replace(spec, alpha=0.1)):
        assert bundled.shipped(studies.surveyed(p, other, lenses, many).key) is None
    assert bundled.shipped(studies.surveyed(p, spec, lenses[1:], many).key) is None
    assert bundled.shipped(studies.surveyed(p, spec, lenses, many).key) is not None
