"""The licence of every installed package: `make audit`. Fails on one neither permissive nor listed here.

A licence is what the package's own metadata say: an expression, a short name, or classifiers.
"""

import re
import sys
from importlib.metadata import Distribution, distributions

PERMISSIVE = re.compile(
    r"(the )?(mit|mit-0|mit-cmu|isc|hpnd|zlib|0bsd|cc0-1\.0|unlicense|bsl-1\.0|python-2\.0|public domain"
    r"|(new |simplified |modified |[23]-clause )?(free)?bsd([ -][0-9][ -]clause)?"
    r"|apache|apache[ -]2(\.0)?|apache software( license)?( 2\.0)?|apache-2\.0 with llvm-exception"
    r"|psf-2\.0|python software foundation)( license)?( 2\.0)?",
    re.IGNORECASE,
)
REASONS = {
    "atheris": "Apache-2.0 by its source, which its metadata do not say: tests only",
    "axe-playwright-python": "MIT by its licence file, which its metadata do not say: tests only",
    "certifi": "MPL-2.0: a list of certificates, shipped unchanged",
    "hypothesis": "MPL-2.0: tests only",
    "mergedeep": "MIT by its classifier, beside a licence that says UNKNOWN: docs only",
    "pathspec": "MPL-2.0: mypy's and MkDocs', tests and docs only",
    "ptyprocess": "ISC by its licence file: the kernel of notebooks, tests only",
    "pypdfium2": "BSD-3-Clause and Apache-2.0, and those of pdfium's parts: tests only",
    "caliblens": "this project",
}
"""Packages whose licence asks for more, or whose metadata name none, and why they are used all the same."""


def licence(found: Distribution) -> str:
    """What the metadata say."""
    said = found.metadata
    classifiers = [c.split("::")[-1].strip() for c in said.get_all("Classifier") or [] if c[:7] == "License"]
    named = [c for c in classifiers if c not in ("License", "OSI Approved")]
    free = (said.get("License") or "").strip()
    short = free if free and "\n" not in free and len(free) < 60 else ""
    return said.get("License-Expression") or short or ", ".join(named) or "not said"


def permissive(words: str) -> bool:
    """Whether every licence of an expression is, or one of those to choose from."""
    choices = re.split(r"\s+OR\s+|\s*/\s*", words.strip("() "))
    return any(
        all(PERMISSIVE.fullmatch(part.strip("() ")) for part in re.split(r"\s+AND\s+|,\s*", choice))
        for choice in choices
    )


def main() -> int:
    """Print them all; 1 if one needs a reason that is not there."""
    found = {d.metadata["Name"].lower().replace("_", "-"): d for d in distributions()}
    wrong = []
    for name, distribution in sorted(found.items()):
        words = licence(distribution)
        reason = REASONS.get(name, "")
        if not (reason or permissive(words)):
            wrong.append(name)
        print(f"{name:<32}{distribution.version:<16}{words}{f'  ({reason})' if reason else ''}")
    print(f"{len(found)} packages.", end=" ")
    print(f"Neither permissive nor listed: {', '.join(wrong)}." if wrong else "All are permissive or listed.")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
