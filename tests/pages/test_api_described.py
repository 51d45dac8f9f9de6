"""What a program knows that reads the description alone: OpenAPI, a page, and answers that are like it."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from starlette.testclient import TestClient

from calibcore.cli.arguments import commands_of, parser
from calibcore.questions.registry import QUESTIONS
from calibcore.remote.fields import KEPT_BACK, SERVED, fields_of
from pages.api import asks, openapi
from pages.api.answer import own_fields
from tests.pages.programs import BASE, EVENT_FILE, ask, client, fetched


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    """As a program gets it."""
    with client() as program:
        response = program.get(f"{BASE}/openapi.json")
    assert response.headers["content-type"] == "application/json"
    found: dict[str, Any] = response.json()
    return found


@pytest.fixture
def program() -> Iterator[TestClient]:
    with client() as found:
        yield found


def check(told: Any, described: dict[str, Any], path: str, method: str, status: int) -> None:
    """Whether an answer is as the description says."""
    schema = _answer(described, path, method, status)["content"]["application/json"]["schema"]
    Draft202012Validator({**schema, "components": described["components"]}).validate(told)


def _answer(described: dict[str, Any], path: str, method: str, status: int) -> Any:
    return described["paths"][path][method]["responses"][str(status)]


def test_it_is_openapi(described: dict[str, Any]) -> None:
    OpenAPIV31SpecValidator(described).validate()


def test_every_question_and_every_flag_is_described(described: dict[str, Any]) -> None:
    assert set(described["paths"]) == {f"/{name}" for name in SERVED} | {"/jobs/{job}", "/reports/{report}"}
    commands = commands_of(parser())
    for name in SERVED:
        form = described["paths"][f"/{name}"]["post"]["requestBody"]["content"]["multipart/form-data"][
            "schema"
        ]
        flags = {action.dest for action in commands[name]._actions} - {*KEPT_BACK}
        assert {*fields_of(name)} <= flags
        assert set(form["properties"]) == {*fields_of(name), *own_fields(name)}
        missing = flags - {*fields_of(name)}
        assert missing <= {"out", "title", "date", "noun", "paper", "with_rows"}, (name, missing)
        assert "predictions" in form["required"]
    assert {question.command for question in QUESTIONS.values()} <= set(SERVED)


def test_answers_are_as_they_are_described(
    program: TestClient, described: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    forms = ({}, {"document": "full"}, {"document": "text"}, {"junit": "yes", "fail_if": "miscalibrated"})
    for fields in forms:
        response = ask(program, "survey", {"predictions": EVENT_FILE}, **fields)
        assert response.status_code == 200
        told = response.json()
        check(told, described, "/survey", "post", 200)
        schemas = [described["components"]["schemas"][name] for name in ("summary", "survey", "Words")]
        (schema,) = _answer(described, "/survey", "post", 200)["content"].values()
        beside = {*told} - {key for form in schemas for key in form["properties"]}
        assert beside <= {*schema["schema"]["properties"]}
    told = fetched(program, ask(program, "groups", {"predictions": EVENT_FILE}, by=["site"], resamples=99))
    check(told, described, "/groups", "post", 200)
    response = ask(program, "survey", {"predictions": ("x.csv", b"a,b,label\n0.5,x,a\n0.5,0.5,b\n1,0,a\n")})
    assert response.status_code == 422
    check(response.json(), described, "/survey", "post", 422)
    monkeypatch.setattr(asks, "WAITED", 0.0)
    response = ask(program, "survey", {"predictions": EVENT_FILE})
    check(response.json(), described, "/survey", "post", 202)
    while (job := program.get(response.json()["href"]).json())["state"] != "done":
        check(job, described, "/jobs/{job}", "get", 200)
    check(job, described, "/jobs/{job}", "get", 200)


def test_the_page_asks_for_nothing_else(program: TestClient) -> None:
    response = program.get(f"{BASE}/docs")
    assert response.headers["content-type"].startswith("text/html")
    page = response.text
    links = re.findall(r"(?:src|href|action|url)\s*[=(]\s*[\"']?([^\"')> ]+)", page)
    assert set(links) == {*(f"#{name}" for name in SERVED), "openapi.json"}
    assert not re.findall(r"<(?:script|img|link|iframe|object|form)\b", page)
    for name in SERVED:
        assert f'id="{name}"' in page
        for field in openapi.all_fields(name):
            assert f"<code>{field}</code>" in page


def test_the_description_is_small_and_where_to_begin_names_it(
    program: TestClient, described: dict[str, Any]
) -> None:
    assert len(json.dumps(described)) < 400_000
    start = program.get(BASE).json()
    assert program.get(start["openapi"]).json() == described
    assert program.get(start["docs"]).status_code == 200
