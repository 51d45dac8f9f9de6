"""What may be asked, as OpenAPI 3.1 and as a page: both out of the fields that there are."""

import html
import json
import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any

from calibcore.cli.arguments import COMMANDS
from calibcore.cli.schema import FOLDER
from calibcore.limits import LIMITS, SERVER, VERSION, asset_path
from calibcore.questions.registry import QUESTIONS
from calibcore.remote.examples import Sending, sendings_of
from calibcore.remote.fields import SERVED, Field, fields_of
from pages.api.answer import IN_BRIEF, SURVEY, own_fields
from pages.api.asks import WAITED
from pages.api.callers import KEY
from pages.api.form import KIND
from pages.api.problems import as_sent
from pages.server import places
from pages.server.places import VERSIONED

DOCUMENTS = {
    SURVEY: "survey",
    "diagnose": "diagnosis",
    **{question.command: question.result.HEAD["document"] for question in QUESTIONS.values()},
}
"""Question -> the schema of its whole answer."""
TYPES: Mapping[str, Mapping[str, Any]] = {
    "file": {"type": "string", "format": "binary", "contentMediaType": "application/octet-stream"},
    "word": {"type": "string"},
    "number": {"type": "number"},
    "integer": {"type": "integer"},
    "yes or no": {"type": "string", "enum": ["yes", "no"]},
}
PROBLEMS = {
    400: "The form cannot be read.",
    401: "Where people sign in: no token, or one that opens nothing.",
    403: "Asked by a page of another site.",
    408: "The form came too slowly.",
    411: "The length of the form was not sent first.",
    413: "The form or a file is larger than this server takes.",
    415: "It is no form.",
    421: "This server has another name.",
    422: "The file cannot be read, or the question cannot be answered: the sentence says why.",
    429: "Too many questions, or too many wrong guesses. Retry-After says when to ask again.",
    500: "An error on the side of the server.",
    503: "There is no room or no place in line now. Retry-After says when to ask again.",
}
"""Status -> when it is answered."""
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string", "description": "What is wrong, in a sentence."},
        "row": {"type": "integer", "description": "The first row that the sentence names, from 1."},
        "column": {"type": ["string", "integer"], "description": "The first column that it names."},
        "remedies": {
            "type": "array",
            "description": "What would mend it, the likeliest first.",
            "items": {
                "type": "object",
                "required": ["words"],
                "properties": {
                    "words": {"type": "string"},
                    "fields": {
                        "type": "object",
                        "additionalProperties": {"type": "string"},
                        "description": "Fields to send with the same files.",
                    },
                    "asks": {"type": "string", "description": "The field whose value only a person knows."},
                },
            },
        },
    },
}
_WORDS = {
    "type": "object",
    "description": "The answer for people: document=markdown, or document=text.",
    "required": ["document", "text"],
    "properties": {"document": {"enum": ["markdown", "text"]}, "text": {"type": "string"}},
}
_BESIDE = {
    "remarks": {
        "type": "array",
        "items": {"type": "string"},
        "description": "What has to be known first: that rows repeat, or that labels seem wrong.",
    },
    "failed": {"type": "boolean", "description": "Whether the answer is the one that fail_if names."},
    "state": {
        "type": "object",
        "description": "Of monitor: to be sent as the file state with the next cases.",
    },
    "files": {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": "What junit and out made, by its name.",
    },
    "report": {
        "type": "object",
        "required": ["link", "key", "expires", "href"],
        "properties": {
            "link": {"type": "string"},
            "key": {"type": "string", "description": "Deletes it: DELETE at href. It is told once."},
            "href": {"type": "string", "description": "Where to delete it, from the root of this host."},
            "expires": {"type": "string", "format": "date-time"},
        },
    },
}
"""What an answer has besides its document, where there is something."""
_RETRY = {
    "Retry-After": {
        "description": "Seconds after which to ask again.",
        "schema": {"type": "integer", "minimum": 1},
    }
}
_HEADERS = {
    401: {"WWW-Authenticate": {"description": "Bearer.", "schema": {"type": "string"}}},
    429: _RETRY,
    503: _RETRY,
}
_LINKS = {
    operation: {"operationId": operation, "parameters": {"job": "$response.body#/job"}}
    for operation in ("job", "stop_job")
}
_JOB = {
    "type": "object",
    "required": ["job", "href", "state", "progress", "words"],
    "properties": {
        "job": {"type": "string"},
        "href": {"type": "string", "description": "Where to ask for it, from the root of this host."},
        "state": {"enum": ["reading", "waiting", "working", "done", "failed"]},
        "progress": {"type": "number", "minimum": 0, "maximum": 1},
        "words": {"type": "string"},
        "seconds_left": {"type": ["number", "null"]},
        "result": {"type": "object", "description": "The answer, once it is done. It is told once."},
        "status": {"type": "integer", "description": "Of what failed: the status it would have had."},
        "problem": {"$ref": "#/components/schemas/Error"},
    },
}


@cache
def document() -> dict[str, Any]:
    """The description of all that may be asked."""
    paths = {f"/{name}": {"post": _operation(name)} for name in SERVED}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Caliblens",
            "version": VERSION,
            "description": "Can a classifier's probabilities be believed? The questions of the command line, "
            "with its numbers. A flag --label-column of the command line is the field label_column.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": f"{places.prefix()}/{VERSIONED}"}],
        "security": [{"token": []}] if SERVER.signs_in else [],
        "paths": paths | {"/jobs/{job}": _jobs(), "/reports/{report}": _reports()},
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Of 'caliblens token create NAME', where people sign in.",
                }
            },
            "schemas": {"Error": _ERROR, "Job": _JOB, "Words": _WORDS, **_documents()},
        },
    }


def _operation(name: str) -> dict[str, Any]:
    fields = all_fields(name)
    forms = ["summary"] * (name in IN_BRIEF) + [DOCUMENTS[name], "Words"]
    answer = {
        "type": "object",
        "anyOf": [{"$ref": f"#/components/schemas/{form}"} for form in forms],
        "properties": _BESIDE,
    }
    sendings = sendings_of(name)
    form = {
        "type": "object",
        "required": [field.name for field in fields.values() if field.required],
        "properties": {field.name: _schema(field, fields, sendings) for field in fields.values()},
        "additionalProperties": False,
    }
    examples = {
        f"{name}-{number}": {"summary": sending.line, "value": _values(sending, fields)}
        for number, sending in enumerate(sendings, 1)
    }
    return {
        "operationId": name.replace("-", "_"),
        "summary": sentence(COMMANDS[name].help),
        "requestBody": {"required": True, "content": {KIND: {"schema": form, "examples": examples}}},
        "responses": {
            "200": _answered("The answer.", answer),
            "202": _answered(
                f"It takes longer than {WAITED:.0f} seconds: ask for it by its name.",
                {"$ref": "#/components/schemas/Job"},
            )
            | {"headers": {"Location": {"schema": {"type": "string"}}, **_RETRY}, "links": _LINKS},
            **_problems(),
        },
    }


def _jobs() -> dict[str, Any]:
    name = {"name": "job", "in": "path", "required": True, "schema": {"type": "string"}}
    return {
        "parameters": [name],
        "get": {
            "operationId": "job",
            "summary": "How far it is; the answer once it is done, which is then forgotten.",
            "parameters": [
                {
                    "name": "wait",
                    "in": "query",
                    "description": "Seconds to wait for the answer, 20 at most.",
                    "schema": {"type": "number", "minimum": 0, "maximum": 20},
                }
            ],
            "responses": {
                "200": _answered("How far it is.", {"$ref": "#/components/schemas/Job"}),
                "404": _answered("There is no such job: it was told, deleted or never was.", _ref_error()),
                **_problems(401, 403, 421, 422, 429, 500, 503),
            },
        },
        "delete": {
            "operationId": "stop_job",
            "summary": "Stop it, and forget it.",
            "responses": {
                "204": {"description": "It is stopped."},
                "404": _answered("There is no such job.", _ref_error()),
                **_problems(401, 403, 421, 422, 429, 500, 503),
            },
        },
    }


def _reports() -> dict[str, Any]:
    name = {"name": "report", "in": "path", "required": True, "schema": {"type": "string"}}
    key = {
        "name": KEY,
        "in": "header",
        "required": True,
        "description": "The key that came with its link.",
        "schema": {"type": "string"},
    }
    return {
        "parameters": [name, key],
        "delete": {
            "operationId": "delete_report",
            "summary": "Delete a stored report.",
            "responses": {
                "204": {"description": "It is deleted."},
                "404": _answered("There is no such report, or it has another key.", _ref_error()),
                **_problems(401, 403, 421, 422, 429, 500, 503),
            },
        },
    }


def all_fields(name: str) -> Mapping[str, Field]:
    """Name -> field: the flags of the command, and what says how the answer is wanted."""
    flags = fields_of(name)
    required = {field.name: field for field in flags.values() if field.required}
    return {**required, **own_fields(name), **flags}


def _values(sending: Sending, fields: Mapping[str, Field]) -> dict[str, Any]:
    """Name -> what is sent for it: a file is its content."""
    values: dict[str, Any] = {}
    for name, word in (*sending.words, *((name, content) for name, _, content in sending.files)):
        field = fields[name]
        value = {"number": float, "integer": int}.get(field.kind, str)(word)
        if field.many:
            values.setdefault(name, []).append(value)
        else:
            values[name] = value
    return values


def _examples(field: Field, fields: Mapping[str, Field], sendings: Iterable[Sending]) -> list[Any]:
    """What is sent for a field, each once; of files the first, and only where there has to be one."""
    values = [made[field.name] for made in (_values(each, fields) for each in sendings) if field.name in made]
    if field.kind == "file":
        return values[:1] if field.required else []
    return [value for place, value in enumerate(values) if value not in values[:place]]


def _schema(field: Field, fields: Mapping[str, Field], sendings: Iterable[Sending]) -> dict[str, Any]:
    schema: dict[str, Any] = dict(TYPES[field.kind])
    if field.choices:
        words = list(field.choices)
        schema["enum"] = [int(word) for word in words] if field.kind == "integer" else words
    instead = {word for sending in sendings for name, word in sending.words if name == field.name}
    if field.kind == "file" and instead:  # a word or a file, as the name of a file says
        schema = {"anyOf": [schema, {"type": "string"}]}
    if field.many:
        schema = {"type": "array", "items": schema, "minItems": 1}
    examples = _examples(field, fields, sendings)
    return (
        schema
        | ({"description": _described(field, fields, instead)} if field.help else {})
        | ({"examples": examples} if examples else {})
    )


def _answered(words: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": words, "content": {"application/json": {"schema": schema}}}


def _ref_error() -> dict[str, str]:
    return {"$ref": "#/components/schemas/Error"}


def _problems(*statuses: int) -> dict[str, Any]:
    return {
        str(status): _answered(PROBLEMS[status], _ref_error())
        | ({"headers": _HEADERS[status]} if status in _HEADERS else {})
        for status in statuses or PROBLEMS
    }


@cache
def _documents() -> dict[str, Any]:
    """The schemas of answers, each with what it refers to inside it."""
    made = {}
    for name in sorted({"summary", *(DOCUMENTS[command] for command in SERVED)}):
        text = asset_path(FOLDER, f"{name}.json").read_text(encoding="utf-8")
        here = json.loads(text.replace('"#/$defs/', f'"#/components/schemas/{name}/$defs/'))
        made[name] = {key: value for key, value in here.items() if key not in ("$schema", "$id")}
    return made


@cache
def page() -> str:
    """The same for people: a page of text and tables that asks for nothing else."""
    parts = [_OVERVIEW.format(base=html.escape(f"{places.prefix()}/{VERSIONED}"))]
    parts.append("<ul>" + "".join(f'<li><a href="#{name}">{name}</a></li>' for name in SERVED) + "</ul>")
    parts += map(_part, SERVED)
    body, style = "\n".join(parts), asset_path("api.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html><html lang="en" style="color-scheme: light dark"><meta charset="utf-8">'
        '<title>Caliblens for programs</title><meta name="viewport" content="width=device-width">'
        f"<style>{style}</style><body><main>{body}</main></body></html>"
    )


_SENT = re.compile(r"[a-z]+[-_]?[a-z]*[,:]|none\b")
"""Words that begin with one that may be sent."""
_OVERVIEW = """<h1>Caliblens for programs</h1>
<p>Can a classifier's probabilities be believed? Send a file, get an answer as JSON:</p>
<pre>curl -F predictions=@predictions.csv {base}/survey</pre>
<p><code>document=full</code> gives what the command line prints with <code>--json</code>. A flag
<code>--label-column</code> of the command line is the field <code>label_column</code>. What takes longer is
answered by 202 and the address of a job. Errors are a sentence: <code>{{"error": "…"}}</code>.
For programs: <a href="openapi.json">openapi.json</a>.</p>"""


def _part(name: str) -> str:
    fields = all_fields(name)
    rows = "".join(
        f"<tr><td><code>{field.name}</code></td><td>{_kind_words(field)}</td>"
        f"<td>{html.escape(_described(field, fields))}</td></tr>"
        for field in fields.values()
    )
    return (
        f'<h2 id="{name}">POST {name}</h2><p>{html.escape(sentence(COMMANDS[name].help))}</p>'
        f"<details><summary>Fields</summary><table><thead><tr><th>Field</th><th>Value</th><th>Meaning</th></tr>"
        f"</thead><tbody>{rows}</tbody></table></details>"
    )


def _kind_words(field: Field) -> str:
    words = ", ".join(field.choices) or field.kind
    more = [" (needed)"] * field.required + [" (several times)"] * field.many
    return html.escape(words) + "".join(more)


def _described(field: Field, fields: Mapping[str, Field], instead: Collection[str] = ()) -> str:
    """What ``--help`` says of it, in words of a form; of a file also which words may be sent ``instead``."""
    words = sentence(as_sent(field.help, fields), field.choices)
    if field.kind == "file" and instead:
        words += f" A word is sent without the name of a file, as {' or '.join(sorted(instead))}."
    return words


def sentence(words: str, choices: Iterable[str] = ()) -> str:
    """Words of ``--help`` as a sentence; what may be sent stays as it is sent."""
    begin = words[:1] if _SENT.match(words) or words.partition(" ")[0] in choices else words[:1].upper()
    return begin + words[1:] + ("" if not words or words[-1:] in ".?!" else ".")


def index() -> dict[str, Any]:
    """Where to begin."""
    return {
        "name": "caliblens",
        "version": VERSION,
        "openapi": f"{places.prefix()}/{VERSIONED}/openapi.json",
        "docs": f"{places.prefix()}/{VERSIONED}/docs",
        "questions_a_minute": LIMITS.api_per_minute,
    }
