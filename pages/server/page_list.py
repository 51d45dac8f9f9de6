"""The pages there are: constants in each file of `pages` say what it is. They are read, nothing is run."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

FOLDER = Path(__file__).parents[1]
NEEDED = {"TITLE": str, "HEADING": str, "ICON": str, "GROUP": str, "PLACE": int, "SIDEBAR": tuple}
"""Constants that each page has, and what they are."""
OPTIONAL: dict[str, Any] = {
    "MORE": (), "TOUR": "", "TOUR_AT": "", "WITHOUT_DATA": False, "FOR_ADMINS": False,
}  # fmt: skip
"""Constants that may come with them, and what stands in their place where they do not."""


_READING = Lock()
"""Held while a file is parsed: Python 3.11 may fail where two threads do so at once, as visitors do."""


@dataclass(frozen=True)
class Page:
    """One page. ``name`` is that of its file and its address; that of the first page, where people arrive,
    is empty."""

    path: Path
    name: str
    title: str
    """In the navigation."""
    heading: str
    """On top of the page."""
    icon: str
    """Of Material Symbols, for links to the page."""
    group: str
    """Pages of one group stand together in the navigation, apart from the others."""
    place: int
    """In the navigation: the smallest comes first."""
    sidebar: tuple[str, ...]
    """Parts of the side bar, from top to bottom: of :data:`pages.ui.sidebar.parts.PARTS`."""
    more: tuple[str, ...]
    """Parts that matter on the page, too, and stand in a fold below those."""
    tour: str
    """What the tour says here; empty where it does not come by."""
    tour_at: str
    """Key of what the tour points at."""
    without_data: bool
    """Whether it is shown where no model is in use, too."""
    for_admins: bool
    """Whether it is for those alone who look after the server."""


@cache
def pages() -> tuple[Page, ...]:
    """The pages for everybody in their order, read once: a run of a page asks some thirty times.

    Raises
    ------
    ValueError : a file does not say what it has to say of its page.
    """
    return tuple(page for page in _all() if not page.for_admins)


@cache
def pages_for_admins() -> tuple[Page, ...]:
    """The others, for those who look after the server."""
    return tuple(page for page in _all() if page.for_admins)


def _all() -> list[Page]:
    unordered = (_read(path) for path in FOLDER.glob("*.py") if path.name != "__init__.py")
    return sorted(unordered, key=lambda page: page.place)


def page(name: str) -> Page:
    """The page of that name; the first one where the name is empty.

    Raises
    ------
    ValueError : there is none.
    """
    known = (*pages(), *pages_for_admins())
    for entry in known:
        if entry.name == (name or known[0].name):
            return entry
    raise ValueError(f"There is no page '{name}'. There are: {', '.join(entry.name for entry in known)}.")


def _read(path: Path) -> Page:
    given = OPTIONAL | _constants(path)
    for name, kind in NEEDED.items():
        if not isinstance(given.get(name), kind):
            raise ValueError(f"pages/{path.name} needs a constant {name}, which is a {kind.__name__}.")
    if bool(given["TOUR"]) != bool(given["TOUR_AT"]):
        raise ValueError(f"pages/{path.name} needs both TOUR and TOUR_AT, or neither.")
    return Page(
        path,
        path.stem,
        title=given["TITLE"],
        heading=given["HEADING"],
        icon=given["ICON"],
        group=given["GROUP"],
        place=given["PLACE"],
        sidebar=given["SIDEBAR"],
        more=given["MORE"],
        tour=given["TOUR"],
        tour_at=given["TOUR_AT"],
        without_data=given["WITHOUT_DATA"],
        for_admins=given["FOR_ADMINS"],
    )


def _constants(path: Path) -> dict[str, Any]:
    """Name -> value of what a file sets at its top level in words and numbers."""
    with _READING:
        parsed = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in parsed.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in {*NEEDED, *OPTIONAL}
    }
