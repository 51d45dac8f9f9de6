"""Reference cases of the questions, made apart by complete enumeration or plain loops."""

import json
from pathlib import Path
from typing import Any

_CASES: dict[str, Any] = json.loads(Path(__file__).with_name("next.json").read_text())


def reference(section: str, name: str) -> dict[str, Any]:
    """The case of that name in a section: ``input`` and ``output``."""
    return next(case for case in _CASES[section] if case["name"] == name)


def references(section: str, begins: str) -> list[dict[str, Any]]:
    """All cases of a section whose names begin so."""
    return [case for case in _CASES[section] if case["name"].startswith(begins)]


CIFAR10: dict[str, Any] = _CASES["cifar10"]
"""Four published networks: ``each`` by name, ``pairs`` by both names."""
