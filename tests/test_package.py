"""What pyproject.toml promises to those who install the package."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from pandas.compat._optional import VERSIONS

from calibcore.extras import EXTRAS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CORE = {"numpy", "scipy", "numba", "pandas", "pyarrow", "narwhals", "threadpoolctl"}


def pins(name: str) -> dict[str, list[str]]:
    """Package -> its versions: one for each Python that has its own."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    versions: dict[str, list[str]] = {}
    for line in lines:
        if line and not line.startswith(("#", "-r")):
            package, version = line.partition(";")[0].split("==")
            versions.setdefault(canonicalize_name(package), []).append(version)
    return versions


def ranges(*extras: str) -> dict[str, Requirement]:
    """The packages of the core, or of extras and those that they name in turn."""
    texts = [text for extra in extras for text in PROJECT["optional-dependencies"][extra]]
    found: dict[str, Requirement] = {}
    for need in map(Requirement, texts if extras else PROJECT["dependencies"]):
        if need.name == PROJECT["name"]:
            found |= ranges(*need.extras)
        else:
            found[canonicalize_name(need.name)] = need
    return found


def test_the_core_needs_six_packages() -> None:
    assert set(ranges()) == CORE


@cache
def distributions() -> Mapping[str, list[str]]:
    """Module -> what is installed that brings it; reads every file list there is, and so is asked once."""
    return packages_distributions()


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_brings_the_modules_that_the_code_asks_for(extra: str) -> None:
    of = distributions()
    assert {canonicalize_name(of[module][0]) for module in EXTRAS[extra]} == set(ranges(extra))


def test_there_is_a_word_for_every_extra() -> None:
    assert set(EXTRAS) == set(PROJECT["optional-dependencies"])


def test_the_pins_are_the_packages_of_the_app_within_their_ranges() -> None:
    """So that what the tests run on is what people get."""
    files = {"requirements.txt": ranges() | ranges("app"), "requirements-cluster.txt": ranges("cluster")}
    for name, wanted in files.items():
        pinned = pins(name)
        assert set(pinned) == set(wanted), name
        for package, versions in pinned.items():
            assert all(map(wanted[package].specifier.contains, versions)), package


def test_every_range_begins_somewhere_and_pins_nothing() -> None:
    for need in (ranges() | ranges(*EXTRAS)).values():
        operators = [part.operator for part in need.specifier]
        assert sorted(operators) in (["<", ">="], [">="]), need


@pytest.mark.parametrize("package", ["jinja2", "openpyxl", "pyarrow"])
def test_the_oldest_package_is_one_that_pandas_takes(package: str) -> None:
    """What tables use by way of pandas: it refuses older ones where they are met, on a page."""
    (oldest,) = [s.version for s in (ranges() | ranges("app"))[package].specifier if s.operator == ">="]
    assert Version(oldest) >= Version(VERSIONS[package])
