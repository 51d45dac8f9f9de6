"""What several tests need."""

import atexit
import base64
import gc
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

if "CALIBLENS_DATA" not in os.environ:  # no test reads or writes what a server of this machine keeps
    os.environ["CALIBLENS_DATA"] = tempfile.mkdtemp(prefix="caliblens-tests-")
    atexit.register(shutil.rmtree, os.environ["CALIBLENS_DATA"], True)
settings.register_profile("same", deadline=None, derandomize=True, database=None, max_examples=15)
settings.register_profile("fresh", deadline=None, derandomize=False, print_blob=True)
settings.load_profile("same")
"""`make test` tries the same examples every time; `make slow` and `make hostile` others, seven times as many,
with --hypothesis-profile=fresh. What fails is printed, with a line that repeats it: @reproduce_failure."""
GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write tests/golden anew, for review")


def pytest_configure() -> None:
    """Python looks for garbage after every 700 new objects, which takes a tenth of the time of tests; after
    10,000 it finds the same."""
    gc.set_threshold(10_000, 10, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test's cases ``some(n)`` keeps n, from the first to the last; the others are slow. A case that is
    named to pytest alone stays."""
    families: dict[tuple[str, str], list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("some"):
            families.setdefault((str(item.path), getattr(item, "originalname", item.name)), []).append(item)
    for family in families.values():
        (n,) = family[0].get_closest_marker("some").args  # type: ignore[union-attr]
        kept = {round(i * (len(family) - 1) / max(n - 1, 1)) for i in range(n)}
        for place, item in enumerate(family):
            if place not in kept:
                item.add_marker("slow")


@pytest.fixture(scope="session", autouse=True)
def _what_was_not_closed_is_found() -> Iterator[None]:
    """At the end at the latest, where it fails the last test of a worker."""
    yield
    gc.collect()


def pytest_collection_finish() -> None:
    """What was imported and collected stays: Streamlit looks for garbage after every run of a page."""
    gc.collect()
    gc.freeze()


def _readable(value: Any) -> Any:
    """Arrays as lists, numbers to 6 digits: a text in which a change can be read."""
    if isinstance(value, dict) and "bdata" in value:
        flat = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
        shape = [int(side) for side in str(value.get("shape", len(flat))).split(",")]
        return _readable(flat.reshape(shape).tolist())
    if isinstance(value, dict):
        if "labelalias" in value:  # on one line
            value = value | {"labelalias": "; ".join(map(" -> ".join, value["labelalias"].items()))}
        return {key: _readable(value[key]) for key in sorted(value)}
    if isinstance(value, np.ndarray | list | tuple):
        return [_readable(v) for v in value]
    if isinstance(value, float | np.floating):
        return float(f"{float(value):.6g}")
    return value.item() if isinstance(value, np.generic) else value


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, Any], None]:
    """Compare a plotly figure with tests/golden/NAME.json; `pytest --update-golden` writes it anew."""

    def compare(name: str, figure: Any) -> None:
        document = figure.to_dict()
        document["layout"].pop("template", None)
        text = json.dumps(_readable(document), indent=1, ensure_ascii=False) + "\n"
        path = GOLDEN / f"{name}.json"
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path.name} is not there; look at the figure, then run --update-golden"
        assert text == path.read_text(encoding="utf-8"), f"{name} changed; look, then run --update-golden"

    return compare
