"""The pictures of the documents: each line of docs/gallery.md is run, and what it writes is made small.

    python -m scripts.gallery [FOLDER]

The app's pictures are made by scripts/screenshots.py.
"""

import contextlib
import io
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PIL import Image

from calibcore.__main__ import main as command_line

ROOT = Path(__file__).parents[1]
PAGE, FOLDER = ROOT / "docs/gallery.md", ROOT / "docs/gallery"
PROGRAM = "python -m calibcore "
WIDEST, COLOURS = 720, 128
"""Pixels and colours of a picture: one has some 30 kB."""
_LINE = re.compile(r"^```(python)?\n(.*?)^```", flags=re.DOTALL | re.MULTILINE)


def lines() -> Iterator[tuple[bool, str]]:
    """Whether it is Python, and what is typed, in the order of the page."""
    for python, text in _LINE.findall(PAGE.read_text(encoding="utf-8")):
        yield bool(python), text


def run(text: str, python: bool, names: dict[str, Any]) -> None:
    """Run one of them in the folder that is current."""
    if python:
        exec(text, names)  # noqa: S102 - a line of our own page
        return
    words = shlex.split(text.removeprefix(PROGRAM))
    words = [str(ROOT / word) if word.startswith("assets/") else word for word in words]
    with contextlib.redirect_stdout(io.StringIO()):
        if code := command_line(words):
            raise SystemExit(code)


def draw(folder: Path, done: Callable[[str], object] = print) -> None:
    """All figures of the page, as their lines write them, in ``folder``."""
    names: dict[str, Any] = {}
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.chdir(folder):
        for python, text in lines():
            run(text, python, names)
            done(text.splitlines()[-1])


def small(path: Path, widest: int = WIDEST) -> None:
    """A picture as documents hold it; colours of small marks are kept."""
    with Image.open(path) as picture:
        width, height = picture.size
        scale = min(1.0, widest / width)
        size = (round(width * scale), round(height * scale))
        made = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    made.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    draw(out)
    for path in out.glob("*.png"):
        small(path)
