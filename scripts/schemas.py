"""The JSON Schema of every document, out of its class; ``python -m scripts.schemas`` writes them to assets.

``tests/settings/test_schemas.py`` makes them anew and compares.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import calibcore.cli.arguments  # noqa: F401 (imports every class of a document)
from calibcore.cli.schema import FOLDER
from calibcore.limits import asset_path
from calibcore.questions.monitor.result import STATE_LAYOUT
from calibcore.questions.recalibrate.maps.map import RecalibrationMap
from calibcore.report import document as report
from calibcore.settings import DiagnosisSpec
from calibcore.settings.codec import schema_of_object, summary
from calibcore.settings.documents import AsDocument, schema_document
from calibcore.settings.forms import Schema, Shared

TITLES = {
    "map": "A recalibration map with its numbers, and the classes it is for.",
    "monitoring-state": "What monitoring goes on from with the next cases.",
    "report": "A survey with its verdicts, what the report says of it, and what else was asked.",
    "settings": "Every setting of a look; those that are left out take their defaults.",
}


def schemas() -> dict[str, Schema]:
    """Name of a document -> its schema."""
    made: dict[str, Callable[[Shared], Schema]] = {
        "map": RecalibrationMap.document_schema,
        "monitoring-state": lambda shared: schema_of_object(STATE_LAYOUT.cls, shared, STATE_LAYOUT),
        "report": report.schema,
        "settings": _settings,
    }
    titles = dict(TITLES)
    for cls in _classes(AsDocument):
        name = cls.HEAD["document"]
        made[name] = lambda shared, cls=cls: schema_of_object(cls, shared)
        titles[name] = summary(cls)
    found = {}
    for name in sorted(made):
        shared = Shared()
        found[name] = schema_document(name, titles[name], made[name](shared), shared)
    return found


def _settings(shared: Shared) -> Schema:
    """Where settings are a document of their own, any may be left out."""
    schema = schema_of_object(DiagnosisSpec, shared)
    del schema["required"]
    return schema | {"additionalProperties": False}


def text_of(schema: Schema) -> str:
    """As it stands in its file: a line a property, and a line a definition."""
    parts = []
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            inner = ",\n".join(f"  {json.dumps(name)}: {json.dumps(of)}" for name, of in value.items())
            parts.append(f'"{key}": {{\n{inner}\n }}' if inner else f'"{key}": {{}}')
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _classes(cls: Any) -> Iterator[Any]:
    """Those of the package that say their name."""
    for sub in cls.__subclasses__():
        if "HEAD" in vars(sub) and sub.__module__.startswith("calibcore."):
            yield sub
        yield from _classes(sub)


def main() -> None:
    """Write all of them, and nothing else."""
    folder = asset_path(FOLDER)
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.json"):
        path.unlink()
    for name, schema in schemas().items():
        (folder / f"{name}.json").write_text(text_of(schema), encoding="utf-8")


if __name__ == "__main__":
    main()
