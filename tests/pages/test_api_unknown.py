"""A program that knows the description and nothing else: what it sends, and what it may be told.

Names, files and values that it sends all come out of ``/openapi.json``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from calibcore.limits import SERVER
from calibcore.remote.fields import SERVED
from pages.api import asks, callers, form, openapi
from pages.server import entry
from pages.server.budget import Budget
from pages.server.rate_limit import Guesses
from tests.pages.programs import BASE, client

KIND = "multipart/form-data"


class Stranger:
    """Asks a server by its description."""

    def __init__(self, http: TestClient) -> None:
        self.http = http
        openapi.document.cache_clear()  # another test may have had people sign in
        self.description: Any = http.get(f"{BASE}/openapi.json").json()
        self.root = self.description["servers"][0]["url"]
        self.operations = {
            operation["operationId"]: (path, method, operation)
            for path, item in self.description["paths"].items()
            for method, operation in item.items()
            if isinstance(operation, dict)
        }

    @property
    def questions(self) -> list[str]:
        """Operations that take a form."""
        return [name for name, (_, _, operation) in self.operations.items() if "requestBody" in operation]

    def form(self, name: str) -> Any:
        """The schema of the form of a question, and its examples."""
        return self.operations[name][2]["requestBody"]["content"][KIND]

    def needed(self, name: str) -> dict[str, Any]:
        """What has to be sent, each by the first example of its own."""
        schema = self.form(name)["schema"]
        return {field: schema["properties"][field]["examples"][0] for field in schema["required"]}

    def send(self, name: str, values: Mapping[str, Any], **headers: str) -> Any:
        """The response to these values."""
        path, method, _ = self.operations[name]
        properties = self.form(name)["schema"]["properties"]
        parts: list[tuple[str, Any]] = []
        for field, value in values.items():
            schema = properties.get(field, {"type": "string"})
            each = value if schema.get("type") == "array" else [value]
            of_each = schema.get("items", schema)
            forms = of_each.get("anyOf", [of_each])
            for number, word in enumerate(each):
                # Where a word may stand for a file: a table has lines.
                may_be = {form.get("format") for form in forms}
                is_file = "binary" in may_be and (len(may_be) == 1 or "\n" in word)
                parts.append((field, (f"{field}-{number}" if is_file else None, str(word))))
        return self.http.request(method, self.root + path, files=parts, headers=headers)

    def told(self, name: str, response: Any, **parameters: str) -> Any:
        """The answer, fetched by the link where it comes later; each on its way is as it is described."""
        body = self.check(name, response)
        links = self._described(name, response)["links"] if response.status_code == 202 else {}
        while response.status_code == 202 or body.get("state") in ("reading", "waiting", "working"):
            name = links["job"]["operationId"]
            assert links["job"]["parameters"] == {"job": "$response.body#/job"}
            path, method, _ = self.operations[name]
            response = self.http.request(
                method, self.root + path.format(job=body["job"]), params={"wait": "5"}
            )
            body = self.check(name, response)
        return body.get("result", body)

    def check(self, name: str, response: Any) -> Any:
        """What was answered, which is as the description says."""
        described = self._described(name, response)
        ((kind, content),) = described["content"].items()
        assert response.headers["content-type"] == kind
        for header in described.get("headers", {}):
            assert header in response.headers, (name, response.status_code, header)
        body = response.json()
        schema = {**content["schema"], "components": self.description["components"]}
        Draft202012Validator(schema).validate(body)
        return body

    def _described(self, name: str, response: Any) -> Any:
        path, method, operation = self.operations[name]
        described = operation["responses"]
        status = str(response.status_code)
        assert status in described, (
            f"{method} {path} answers {status}, which is not described: {response.text}"
        )
        return described[status]


@pytest.fixture
def stranger(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stranger]:
    monkeypatch.setattr(callers, "_asked", Guesses(10**6))
    monkeypatch.setattr(callers, "_guesses", Guesses(10**6))
    monkeypatch.setattr(callers, "SLOW", 0.0)
    with client() as http:
        yield Stranger(http)


def test_every_example_is_as_its_form_says(stranger: Stranger) -> None:
    """Whole ones, and each of a field."""
    for name in stranger.questions:
        form = stranger.form(name)
        schema = {**form["schema"], "components": stranger.description["components"]}
        assert form["examples"]
        for example in form["examples"].values():
            Draft202012Validator(schema).validate(example["value"])
        for field in form["schema"]["properties"].values():
            assert field["description"]
            for value in field.get("examples", []):
                Draft202012Validator(field).validate(value)


@pytest.mark.slow
def test_every_example_is_answered_as_is_described(stranger: Stranger) -> None:
    for name in stranger.questions:
        for example in stranger.form(name)["examples"].values():
            response = stranger.send(name, example["value"])
            assert response.status_code in (200, 202), (name, example["summary"], response.text)
            answer = stranger.told(name, response)
            assert "error" not in answer, (name, example["summary"], answer)


@pytest.mark.some(2)
@pytest.mark.parametrize("question", SERVED)
def test_what_is_needed_is_enough(question: str, stranger: Stranger) -> None:
    (name,) = (name for name in stranger.questions if stranger.operations[name][0] == f"/{question}")
    response = stranger.send(name, stranger.needed(name))
    assert response.status_code in (200, 202), response.text
    answer = stranger.told(name, response)
    assert "error" not in answer, answer


def test_no_question_is_left_out(stranger: Stranger) -> None:
    assert {stranger.operations[name][0] for name in stranger.questions} == {f"/{name}" for name in SERVED}


@pytest.mark.some(2)
@pytest.mark.parametrize("question", SERVED)
def test_what_cannot_be_answered_is_told_as_is_described(question: str, stranger: Stranger) -> None:
    name = question.replace("-", "_")
    needed = stranger.needed(name)
    (first, *_) = needed
    unreadable = "a,b\nnone,oops\n"
    for values in (
        needed | {first: [unreadable] * 2 if isinstance(needed[first], list) else unreadable},
        {"seed": "1", **{field: needed[field] for field in needed if field != first}},
        needed | {"no-such-field": "x"},
        needed | {"seed": "x"},
    ):
        response = stranger.send(name, values)
        assert response.status_code in (422, 202), response.text
        told = stranger.told(name, response)
        assert told.get("problem", told)["error"]


def test_who_is_refused_is_told_as_is_described(stranger: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    """One question stands for all: they share the door."""
    name = stranger.questions[0]
    needed, (path, method, _) = stranger.needed(name), stranger.operations[name]

    def refused(response: Any, status: int) -> None:
        assert response.status_code == status, response.text[:300]
        assert stranger.check(name, response)["error"]

    refused(stranger.send(name, needed, Origin="http://evil.example"), 403)
    for headers, status in (({}, 415), ({"Content-Type": f"{KIND}; boundary=b"}, 400)):
        refused(stranger.http.request(method, stranger.root + path, content=b"x", headers=headers), status)
    body = stranger.http.request(
        method, stranger.root + path, content=iter([b"x"]), headers={"Content-Type": f"{KIND}; boundary=b"}
    )
    refused(body, 411)
    with monkeypatch.context() as small:
        small.setattr(form, "BUDGET", Budget(most=1, each=1, per_file=1))
        refused(stranger.send(name, needed | {"predictions": "a,b\n" * 2_000_000}), 413)
    with monkeypatch.context() as full:
        full.setattr(asks, "MOST_OF_ALL", 0)
        refused(stranger.send(name, needed), 503)
    with monkeypatch.context() as often:
        often.setattr(callers, "_asked", Guesses(1))
        stranger.send(name, {"no-such-field": "x"})
        refused(stranger.send(name, needed), 429)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(entry, "SERVER", replace(SERVER, base_url="https://caliblens.example.org"))
        refused(stranger.send(name, needed, Host="evil.example"), 421)
    path, method, _ = stranger.operations["job"]
    for question, status in (("", 404), ("?wait=100", 404)):
        response = stranger.http.request(method, stranger.root + path.format(job="x") + question)
        assert response.status_code == status
        assert stranger.check("job", response)["error"]
    assert stranger.check("stop_job", stranger.http.delete(stranger.root + path.format(job="x")))["error"]


def test_where_people_sign_in_a_token_is_asked_for_as_is_described(
    stranger: Stranger, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stranger.description["security"] == []
    server = replace(SERVER, oidc_metadata_url="https://y.org", cookie_secret="s" * 40)
    for module in (callers, openapi):
        monkeypatch.setattr(module, "SERVER", server)
    openapi.document.cache_clear()
    try:
        description = stranger.http.get(f"{BASE}/openapi.json").json()
    finally:
        openapi.document.cache_clear()
    (need,) = description["security"]
    (scheme,) = need
    assert description["components"]["securitySchemes"][scheme] == {
        "type": "http",
        "scheme": "bearer",
        "description": "Of 'caliblens token create NAME', where people sign in.",
    }
    for headers in ({}, {"Authorization": "Bearer wrong"}):
        response = stranger.send("survey", stranger.needed("survey"), **headers)
        assert response.status_code == 401
        assert stranger.check("survey", response)["error"]
        assert response.headers["www-authenticate"] == "Bearer"
