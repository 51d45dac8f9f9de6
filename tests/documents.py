"""The documents: what people read in the repository, the pages of docs and of its folders."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(path: Path) -> str:
    """What a document is called in tests: "README", "cli", "statistics/power", "decisions/README"."""
    return path.relative_to(ROOT).with_suffix("").as_posix().removeprefix("docs/")


TEXTS = {name_of(path): path.read_text(encoding="utf-8") for path in PAGES}
"""Name -> what it says."""


def texts_in(folder: str) -> str:
    """All pages of a folder of docs."""
    return "\n".join(text for name, text in TEXTS.items() if name.startswith(f"{folder}/"))
