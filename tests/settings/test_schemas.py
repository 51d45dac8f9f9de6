"""The published JSON Schemas: what the classes say, and what every command writes; and documents of before.

``tests/kept/documents`` holds one document of each kind as the last version wrote it that gave them no name.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from jsonschema import Draft202012Validator

from calibcore import DiagnosisSpec
from calibcore.assessment.assess import Assessment
from calibcore.assessment.survey import Survey
from calibcore.assessment.verdict import Verdict
from calibcore.cli.schema import FOLDER
from calibcore.data.examples import example_csv
from calibcore.diagnose import Diagnosis
from calibcore.errors import InputError
from calibcore.limits import asset_path
from calibcore.pipelines.summary import summary_of
from calibcore.questions.monitor import Monitoring
from calibcore.questions.recalibrate.maps import RecalibrationMap
from calibcore.settings.documents import Documented
from calibcore.settings.text import parsed
from scripts.schemas import schemas, text_of
from tests.asked import small_ones
from tests.cli.commands import run

DOCUMENTS = Path(__file__).parents[1] / "kept" / "documents"
OF_QUESTIONS: dict[str, Any] = {result.HEAD["document"]: make for result, make in small_ones().items()}
READ: dict[str, Callable[[str], Any]] = {
    "diagnosis": Diagnosis.from_json,
    "map": RecalibrationMap.from_json,
    "monitoring-state": Monitoring.from_state,
    "report": Assessment.from_json,
    "settings": DiagnosisSpec.from_json,
    "survey": Assessment.from_json,
    "survey-without-verdicts": Survey.from_json,
    "verdict": lambda text: Verdict.from_document(parsed(text, "The verdict")),
    **{r.HEAD["document"]: r.from_json for r in small_ones() if issubclass(r, Documented)},
}
"""Every kind that is read back."""


@cache
def published(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((asset_path(FOLDER) / f"{name}.json").read_text("utf-8"))
    return found


def closed(schema: Any) -> Any:
    """The same, which takes no key that it does not name: nothing is written that is not said."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    if "properties" in made and made.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


@cache
def validator(name: str) -> Draft202012Validator:
    schema = closed(published(name))
    if name not in ("map", "settings"):  # several schemas in one; and earlier versions take no other key
        schema["required"] = [*schema.get("required", ()), "document"]
    return Draft202012Validator(schema)


def check(text: str, name: str = "") -> None:
    """A document is as its schema says, the one that it names."""
    document = json.loads(text)
    named = document.get("document", "settings")
    assert named == (name or named)
    error = next(iter(validator(named).iter_errors(document)), None)
    assert error is None, f"{named}: {error.json_path}: {error.message:.300}"


def test_the_files_are_what_the_classes_say() -> None:
    made = schemas()
    there = {path.stem: path.read_text("utf-8") for path in asset_path(FOLDER).glob("*.json")}
    assert there.keys() == made.keys(), "python -m scripts.schemas writes them"
    old = [name for name, schema in made.items() if there[name] != text_of(schema)]
    assert not old, f"{', '.join(old)}: python -m scripts.schemas writes them anew"
    assert made.keys() == READ.keys() | OF_QUESTIONS.keys() | {"summary", "labels"}
    for schema in made.values():
        Draft202012Validator.check_schema(schema)


def test_a_schema_is_printed_and_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, printed, _ = run(capsys, "schema", "survey")
    assert (code, json.loads(printed)) == (0, published("survey"))
    code, printed, _ = run(capsys, "schema")
    assert [line.split()[0] for line in printed.splitlines()] == sorted(schemas())
    code, printed, said = run(capsys, "schema", "surveys")
    assert (code, printed) == (2, "")
    assert said.startswith("There is no document 'surveys'; expected one of comparison, decisions, ")
    assert said.endswith(" Did you mean survey?\n")


@pytest.mark.parametrize("name", OF_QUESTIONS)
def test_what_a_question_found_is_as_its_schema_says(name: str) -> None:
    found = OF_QUESTIONS[name]()
    check(found.to_json(), name)
    check(summary_of(found).to_json(), "summary")
    if name in READ:
        assert READ[name](found.to_json()).to_json() == found.to_json()


DATA = ("wine", "breast-cancer", "clinic", "diabetes")
"""Bundled examples of three classes and of two, one of them with columns beside the predictions."""
LINES = (
    "diagnose {f} --json",
    "diagnose {f} --lens confidence --tests exact --stop-at 5 --bootstrap 9 --null temperature:2 --json",
    "survey {f} --lens confidence --lens canonical --json",
    "decide {f} --lens confidence --thresholds 0.6,0.8 --json",
    "decide {f} --lens set:0.9 --thresholds 0.5 --json",
    "monitor {f} --lens confidence --time order --window 20 --state {state} --json",
    "compare {f} {other} --lens confidence --betting --json",
    "recalibrate {f} --method temperature --method isotonic --folds 2 --json",
    "recalibrate {f} --method histogram --folds 2 --out {map}",
    "label-noise {f} --lens confidence --json",
    "plan {f} --lens confidence --tolerance 0.2 --json",
    "stream {parquet} --lens confidence --json",
    "groups {f} --by {column} --worst --json",
    "report {f} --date 2026-01-02 --lens confidence --recalibration --plan --decisions --by {column} --worst"
    " --time order --out {report}",
    "report {f} --date 2026-01-02 --lens confidence --with-rows --out {report}",
)


@pytest.mark.some(4)
@pytest.mark.parametrize(("line", "example"), [(line, data) for line in LINES for data in DATA])
def test_what_commands_write_is_as_the_schemas_say(
    line: str, example: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("f", "other", "parquet", "state", "map", "report")
    endings = (".csv", ".csv", ".parquet", ".json", ".json", ".json")
    files = {name: tmp_path / f"{name}{ending}" for name, ending in zip(names, endings, strict=True)}
    files["f"].write_text(example_csv(example), encoding="utf-8")
    files["other"].write_text(example_csv(example), encoding="utf-8")
    if "{parquet}" in line:
        pd.read_csv(files["f"]).drop(columns=["case"]).to_parquet(files["parquet"])
    words = line.format(**files, column="case" if example != "clinic" else "site").split()
    code, printed, said = run(capsys, *words, "--resamples", "19")
    assert code == 0, said
    written = [files[name].read_text() for name in ("state", "map", "report") if files[name].exists()]
    texts = [text for text in (printed, *written) if text.startswith("{")]
    assert len(texts) == sum(word in line for word in ("--json", "{state}", "{map}", "{report}"))
    for text in texts:
        check(text)


@pytest.mark.slow
def test_what_training_writes_is_as_its_schema_says(capsys: pytest.CaptureFixture[str]) -> None:
    run_file = asset_path("examples", "digits-training.npz")
    _, printed, _ = run(capsys, "training", run_file, "--lens", "confidence", "--resamples", "19", "--json")
    check(printed, "training")


def kind_of(path: Path) -> str:
    """The kind of a document that is kept: "map" of map+vector.json."""
    return path.stem.partition("+")[0].removeprefix("earlier-")


OLD = [*sorted(DOCUMENTS.glob("*.json")), DOCUMENTS.parent / "earlier-report.json"]


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_documents_of_the_version_before_names_are_read(path: Path) -> None:
    kind = kind_of(path)
    found = READ[kind](path.read_text("utf-8"))
    if kind == "map":
        written = found[0].json_code(found[1])
    elif kind == "verdict":
        written = json.dumps(found.to_document())
    else:
        written = found.to_state() if kind == "monitoring-state" else found.to_json()
    check(written, "survey" if kind == "report" else kind)
    if kind != "report":
        assert nameless(json.loads(written)) == nameless(json.loads(path.read_text("utf-8")))


def nameless(value: Any) -> Any:
    """A document without what it says of itself, wherever it does so, and the keys that came later."""
    if isinstance(value, list):
        return [nameless(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: nameless(one) for key, one in value.items() if key not in LATER}


LATER = ("schema", "document", "balance", "missed_rate")


def test_one_of_each_kind_is_kept_and_questions_came_later() -> None:
    assert READ.keys() >= (kept := {kind_of(path) for path in OLD})
    assert READ.keys() - kept <= OF_QUESTIONS.keys()


def a_document(kind: str) -> str:
    """One that is kept, or else the small one."""
    kept = [path.read_text("utf-8") for path in OLD if kind_of(path) == kind]
    return kept[0] if kept else OF_QUESTIONS[kind]().to_json()


@pytest.mark.parametrize("kind", sorted(READ.keys() - {"settings"}))
def test_another_document_is_refused_by_its_name(kind: str) -> None:
    document = json.loads(a_document(kind)) | {"schema": 1, "document": "shopping list"}
    said = r"its document is 'shopping list'; expected [a-z-]+( or [a-z-]+)*\.$"
    with pytest.raises(InputError, match=said):
        READ[kind](json.dumps(document))
    with pytest.raises(InputError, match="has schema 2; this version reads schema 1"):
        READ[kind](json.dumps(document | {"schema": 2}))
