"""Questions over HTTP: the numbers of the command line, and what is told where there are none."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from calibcore.assessment.defaults import default_lenses
from calibcore.data.examples import load_example
from calibcore.diagram.binning import default_binning
from calibcore.remote.fields import SERVED
from calibcore.settings import DiagnosisSpec
from calibcore.words.verdicts import as_a_whole
from pages.work import costs, studies
from pages.work.job import Job
from tests.cli.commands import run
from tests.pages.programs import BASE, EVENT, EVENT_FILE, ask, client, fetched

FEW = {"resamples": "99"}
QUESTIONS: dict[str, tuple[dict[str, str], list[str]]] = {
    "diagnose": ({"lens": "confidence", **FEW}, ["--lens", "confidence", "--resamples", "99"]),
    "survey": ({}, []),
    "recalibrate": ({"method": "temperature"}, ["--method", "temperature"]),
    "groups": ({"by": "site"}, ["--by", "site"]),
    "monitor": ({"time": "day"}, ["--time", "day"]),
    "decide": ({"lens": "class:yes"}, ["--lens", "class:yes"]),
    "plan": ({"tolerance": "0.1", "this-lens-alone": "yes"}, ["--tolerance", "0.1", "--this-lens-alone"]),
    "label-noise": ({"lens": "confidence", **FEW}, ["--lens", "confidence", "--resamples", "99"]),
}
"""Question of one file -> what a program sends, and what is typed."""


@pytest.fixture
def program() -> Iterator[TestClient]:
    with client() as found:
        yield found


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / EVENT_FILE[0]
    path.write_text(EVENT)
    return path


def without(document: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key not in keys}


def test_every_question_is_tried() -> None:
    assert set(SERVED) == {*QUESTIONS, "compare", "training"}


@pytest.mark.some(1)
@pytest.mark.parametrize("question", list(QUESTIONS))
def test_the_numbers_are_those_of_the_command_line(
    question: str, program: TestClient, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fields, typed = QUESTIONS[question]
    response = ask(program, question, {"predictions": EVENT_FILE}, document="full", **fields)
    told = fetched(program, response)
    code, out, _ = run(capsys, question, table, "--json", *typed)
    assert code == 0
    assert without(told, "state", "remarks") == json.loads(out)
    if question == "diagnose":
        return
    response = ask(program, question, {"predictions": EVENT_FILE}, **fields)
    assert response.headers["cache-control"] == "no-store"
    brief = fetched(program, response)
    _, out, _ = run(capsys, question, table, "--format", "summary", *typed)
    assert without(brief, "state", "remarks") == json.loads(out)
    assert len(json.dumps(without(brief, "state"))) <= 5_000


def test_a_survey_in_brief_has_the_promised_names_and_the_numbers_of_the_app(program: TestClient) -> None:
    file = Path("assets/examples/wine.npz").read_bytes()
    told = fetched(program, ask(program, "survey", {"predictions": ("wine.npz", file)}))
    job = Job[Any]()
    p, spec = load_example("wine"), DiagnosisSpec()
    study = studies.surveyed(p, spec, default_lenses(p), default_binning(p.m, p.n))
    overall = as_a_whole(study.work(job).verdicts)
    assert told["verdict"] == overall.answer
    assert told["data"]["n"] == p.n
    assert told["data"]["classes"] == p.m
    gap = overall.typical_gap
    assert told["typical_gap"] == {"estimate": gap.value, "low": gap.low, "high": gap.high}
    for check, verdict in zip(told["checks"], study.work(job).verdicts, strict=True):
        assert (check["answer"], check["adjusted_p"]) == (verdict.answer, verdict.adjusted)


def test_several_files_are_several_models_or_epochs(
    program: TestClient, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = table.with_name("other.csv")
    other.write_text(EVENT.replace("0.90,0.10", "0.80,0.20"))
    files = [EVENT_FILE, ("folder/other.csv", other.read_bytes())]
    told = fetched(program, ask(program, "compare", {"predictions": files}, document="full", resamples=99))
    _, out, _ = run(capsys, "compare", table, other, "--json", "--resamples", 99)
    assert told == json.loads(out)
    epochs = [("epoch_1.csv", EVENT_FILE[1]), ("epoch_2.csv", other.read_bytes())]
    told = fetched(program, ask(program, "training", {"predictions": epochs}, document="full", resamples=99))
    for name, data in epochs:
        table.with_name(name).write_bytes(data)
    paths = [table.with_name(name) for name, _ in epochs]
    _, out, _ = run(capsys, "training", *paths, "--json", "--resamples", 99)
    assert told == json.loads(out)


def test_labels_may_come_in_a_file_of_their_own(program: TestClient) -> None:
    probs = b"no,yes\n" + b"0.3,0.7\n0.6,0.4\n" * 30
    labels = b"label\n" + b"yes\nno\n" * 30
    files = {"predictions": ("p.csv", probs), "labels": ("l.csv", labels)}
    told = fetched(program, ask(program, "survey", files))
    assert told["data"]["n"] == 60
    response = ask(program, "survey", {"predictions": ("p.csv", probs)})
    assert response.status_code == 422
    assert "labels" in response.json()["error"]


def test_of_several_labels_all_are_looked_at_or_the_one_that_is_named(
    program: TestClient, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"{i % 10 / 10},{int(i * 7919 % 100 < i % 10 * 10)},0.{i % 7}," for i in range(120)]
    rows = [f"{row}{'' if i % 40 == 0 else i % 2}" for i, row in enumerate(rows)]
    findings = "\n".join(["mass_prob,mass_true,nodule_prob,nodule_true", *rows])
    file = {"predictions": ("findings.csv", findings.encode())}
    table.write_text(findings)
    for typed, fields in (([], {}), (["--label", "mass"], {"label": "mass"})):
        told = fetched(program, ask(program, "survey", file, document="full", **fields))
        _, out, _ = run(capsys, "survey", table, "--json", *typed)
        assert without(told, "remarks") == json.loads(out)
    brief = fetched(program, ask(program, "survey", file))
    assert [check["lens"] for check in brief["checks"]] == ["label:mass", "label:nodule"]
    told = fetched(program, ask(program, "decide", file, document="full", thresholds="0.2"))
    _, out, _ = run(capsys, "decide", table, "--json", "--thresholds", "0.2")
    assert without(told, "remarks") == json.loads(out)
    assert [entry["label"] for entry in told["labels"]] == ["mass", "nodule"]
    told = fetched(program, ask(program, "diagnose", file, document="full", lens="labels"))
    _, out, _ = run(capsys, "diagnose", table, "--json", "--lens", "labels")
    assert without(told, "remarks") == json.loads(out)


def test_monitoring_goes_on_from_the_state_that_was_told(
    program: TestClient, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fields = {"time": "day"}
    first = fetched(program, ask(program, "monitor", {"predictions": EVENT_FILE}, **fields))
    state = first["state"]
    head, *rows = EVENT.replace("2025-01", "2025-02").splitlines()
    later = ("february.csv", "\n".join([head, *rows[:60]]).encode())
    files = {"predictions": later, "state": ("state.json", json.dumps(state).encode())}
    told = fetched(program, ask(program, "monitor", files, document="full", **fields))
    table.with_name("state.json").write_text(json.dumps(state))
    table.with_name(later[0]).write_bytes(later[1])
    where = table.with_name("state.json")
    typed = ["--time", "day", "--state", where, "--json"]
    _, out, err = run(capsys, "monitor", table.with_name(later[0]), *typed)
    assert not err
    assert without(told, "state") == json.loads(out)
    assert told["state"] == json.loads(where.read_text())


def test_recalibration_hands_over_the_map(program: TestClient) -> None:
    told = fetched(
        program, ask(program, "recalibrate", {"predictions": EVENT_FILE}, method="temperature", out="py")
    )
    assert "def " in told["files"]["made.py"]
    new = ("new.csv", b"no,yes\n0.4,0.6\n0.9,0.1\n")
    files = {"predictions": EVENT_FILE, "apply": new}
    told = fetched(program, ask(program, "recalibrate", files, method="temperature", out="csv"))
    assert told["files"]["made.csv"].splitlines()[0] == "p_no,p_yes"
    response = ask(program, "recalibrate", {"predictions": EVENT_FILE}, out="exe")
    assert response.status_code == 422
    assert "expected .json, .py, .csv" in response.json()["error"]


def test_a_sketch_in_place_of_a_pilot_is_a_word(program: TestClient) -> None:
    told = fetched(
        program, ask(program, "plan", {}, predictions="beta:2,5", tolerance="0.1", lens="confidence")
    )
    assert told["question"] == "plan"


ONE = {"predictions": EVENT_FILE}
WRONG: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, {"seed": "1"}, "The field predictions is missing"),
    ({}, {"predictions": "/etc/passwd"}, "What was sent is the word '/etc/passwd'; expected a file"),
    (ONE, {"lenz": "a"}, "There is no field 'lenz'; did you mean lens?"),
    (ONE, {"seed": ["1", "2"]}, "The field seed was sent twice"),
    ({"predictions": [EVENT_FILE, EVENT_FILE]}, {}, "The field predictions was sent twice"),
    (ONE, {"seed": "x"}, "The value of seed is 'x'; expected a whole number."),
    (ONE, {"resamples": "9" * 5_000}, "The value of resamples is"),
    (ONE, {"values": "x"}, "Argument values: invalid choice: 'x'"),
    (ONE, {"renormalise": "x"}, "The field renormalise is 'x'; expected yes"),
    (ONE, {"document": "all"}, "The field document is 'all'; expected summary"),
    (ONE, {"days": "3"}, "The field days says something about a report"),
    (ONE, {"report": "yes", "days": "0"}, "The field days is '0'; expected"),
    (ONE, {"report": "yes", "date": "soon"}, ""),
    (ONE, {"cluster": "tcp://10.0.0.1:80"}, "There is no field 'cluster'"),
    (ONE, {"out": "/tmp/x.json"}, "There is no field 'out'"),
    (ONE, {"junit": "/tmp/x.xml"}, "The field junit is '/tmp/x.xml'; expected yes or no"),
    (ONE, {"map": "x"}, "There is no field 'map'"),
    (ONE | {"lens": ("a", b"b")}, {}, "The field lens was sent as a file"),
    (ONE | {"spec": ("s.json", b"{")}, {}, "The settings are"),
    (ONE | {"spec": ("s.json", b"\xff")}, {}, "The settings 's.json' cannot be read"),
    (ONE, {"spec": "/etc/passwd"}, "The settings '/etc/passwd' cannot be read"),
]


def test_what_cannot_be_answered_is_one_sentence(program: TestClient) -> None:
    for files, fields, starts in WRONG:
        response = ask(program, "survey", files, **fields)
        told = response.json()
        assert response.status_code == 422, told
        assert told["error"].startswith(starts), told
        assert len(told["error"]) < 600
        assert "--" not in told["error"]


OUTS = ("../../etc/x.py", "/tmp/x", "", ".json", "a" * 11, "j\u0441on", "json\n", "c:x", "x.json")


def test_out_is_an_ending_and_makes_no_path(program: TestClient) -> None:
    for word in OUTS:
        response = ask(program, "recalibrate", ONE, out=word, method="temperature")
        assert response.status_code == 422, word
        assert response.json()["error"].startswith("The field out is "), word
    told = fetched(program, ask(program, "recalibrate", ONE, out="json", method="temperature", folds=2))
    assert list(told["files"]) == ["made.json"]


def test_a_window_of_no_cases_is_refused(program: TestClient) -> None:
    response = ask(program, "monitor", ONE, time="order", window=0)
    assert response.status_code == 422
    assert response.json()["error"].startswith("The window is 0 cases; expected an even number")


def test_nothing_in_an_address_is_passed_over(program: TestClient) -> None:
    for query, words in (("seed=-7&document=full", "The address has 'seed'"), ("=", "The address has ''")):
        response = program.post(f"{BASE}/survey?{query}", files={"predictions": EVENT_FILE})
        assert response.status_code == 422
        assert response.json()["error"].startswith(words)
    for query, words in (
        ("wiat=5", "The address has 'wiat'; known there: wait."),
        ("wait=1&wait=2", "wait twice"),
    ):
        response = program.get(f"{BASE}/jobs/x?{query}")
        assert response.status_code == 422
        assert words in response.json()["error"]
    assert program.delete(f"{BASE}/jobs/x?wait=1").status_code == 422


def test_another_method_is_told_which(program: TestClient) -> None:
    for place, allowed in (("jobs/x", "GET, DELETE"), ("reports/x", "DELETE"), ("survey", "POST")):
        response = program.put(f"{BASE}/{place}")
        assert (response.status_code, response.headers["allow"]) == (405, allowed)


def test_where_a_file_is_wrong_is_told(program: TestClient) -> None:
    file = ("x.csv", EVENT.encode() + b"0.5,0.9,N,2025-01-01,no\n")
    response = ask(program, "survey", {"predictions": file})
    assert response.status_code == 422
    assert response.json()["error"].startswith("Row 121 sums to 1.4.")
    assert response.json()["row"] == 121


def test_what_a_remedy_says_can_be_sent(program: TestClient) -> None:
    data = EVENT.replace("0.75,0.25", "0.75,oops", 1).encode()
    response = ask(program, "survey", {"predictions": ("x.csv", data)})
    assert response.status_code == 422
    (remedy, *_) = response.json()["remedies"]
    told = fetched(program, ask(program, "survey", {"predictions": ("x.csv", data)}, **remedy["fields"]))
    assert told["data"]["n"] == 119


def test_what_the_server_would_cut_is_refused_with_a_sample(
    program: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs, "limit", lambda: 0.05)
    monkeypatch.setattr(costs, "seconds_of_survey", lambda n, *_: n * 1e-3)
    monkeypatch.setattr(costs, "seconds_of_temperature", lambda *_: 0.0)
    monkeypatch.setattr(costs, "LEAST_SAMPLE", 1)
    response = ask(program, "survey", {"predictions": EVENT_FILE})
    assert response.status_code == 422
    assert "this server ends work after" in response.json()["error"]
    assert [remedy["fields"] for remedy in response.json()["remedies"]] == [{"sample": "10"}]


def test_doubts_about_the_cases_are_told(program: TestClient) -> None:
    """Labels in another order are worth knowing before any number is read."""
    rows = "".join(f"{p},{round(1 - p, 2)},{'ba'[p > 0.5]}\n" for p in [0.9, 0.05, 0.8, 0.15, 0.97] * 20)
    told = fetched(program, ask(program, "survey", {"predictions": ("x.csv", f"b,a,label\n{rows}".encode())}))
    assert any("columns" in remark or "classes" in remark for remark in told["remarks"])
