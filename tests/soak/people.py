"""What people do: each act is one interaction, timed until the page has answered."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pages.server import page_list
from tests.soak.client import Session, Unanswered
from tests.soak.elements import Shown

THINK = (5.0, 10.0)
"""Seconds between two acts."""
SIZES = ((1_000, 3), (2_000, 4), (3_000, 10), (5_000, 5), (10_000, 3), (10_000, 10))
"""Cases and classes of the files that people bring."""
LOOKS_AT = {
    "Confidence in the answer": "confidence in the answer",
    "The most likely classes": "most likely classes",
    "One class": "the class '",
    "All classes together": "all classes together",
}
"""Kind of lens -> words that stand in the side bar when it is looked through."""
KINDS = ("selectbox", "number_input")
"""Of the controls that people look for in the side bar."""
HEADINGS = {page.title: page.heading for page in page_list.pages()}
"""Page -> its title."""


@dataclass
class Diary:
    """What was done and how long each answer took; what went wrong."""

    acts: list[tuple[str, float]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def wrote(self, act: str, seconds: float) -> None:
        """One more interaction."""
        self.acts.append((act, seconds))


def file_of(n: int, m: int, seed: int) -> bytes:
    """A file of made predictions, a little too sure of themselves."""
    rng = np.random.default_rng(seed)
    truth = rng.dirichlet(np.full(m, 0.5), size=n)
    labels = (rng.random((n, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=m - 1)
    said = (truth + 1e-6) ** 1.2
    said /= said.sum(axis=1, keepdims=True)
    head = ",".join(f"class{k}" for k in range(m)) + ",label\n"
    rows = (
        ",".join(f"{x:.6f}" for x in row) + f",class{label}\n"
        for row, label in zip(said, labels, strict=True)
    )
    return (head + "".join(rows)).encode()


def looks_at(session: Session) -> str:
    """What the side bar says is looked at."""
    return next((line for line in session.said().splitlines() if "You look at" in line), "")


def in_use(session: Session) -> str:
    """Whose data the side bar was drawn for."""
    box = session.find("selectbox", "Predictions").proto
    return str(box.options[box.default])


@dataclass
class Person:
    """Somebody at a tab, who acts by a generator of their own."""

    session: Session
    rng: np.random.Generator
    diary: Diary
    files: dict[str, bytes]
    data: str = ""
    """What is looked at, as the person chose it."""
    steps: list[tuple[str, str]] = field(default_factory=list)
    """The data, and what the side bar said, before each change of a setting."""

    async def live(self, seconds: float, think: tuple[float, float] = THINK) -> None:
        """Act and think until the time is over, an act that fails being written down."""
        acts = list(ACTS)
        shares = np.array([ACTS[act][1] for act in acts]) / sum(share for _, share in ACTS.values())
        end = time.monotonic() + seconds
        await asyncio.sleep(self.rng.uniform(0, think[1]))
        while time.monotonic() < end:
            act = str(self.rng.choice(acts, p=shares))
            try:
                taken = await ACTS[act][0](self)
            except (Unanswered, TimeoutError, OSError) as problem:
                self.diary.errors.append(f"{act}: {problem or type(problem).__name__}")
            else:
                if taken is not None:
                    self.diary.wrote(act, taken)
            self.diary.errors += [f"{act}: {error}" for error in self.session.errors]
            self.session.errors.clear()
            await asyncio.sleep(self.rng.uniform(*think))

    async def does(self, act: Awaitable[float], effect: Callable[[Session], bool], what: str) -> float:
        """Do it; seconds until nothing runs and its effect is on the page, as another run may end before."""
        began = time.perf_counter()
        await act
        try:
            await self.session.until(effect)
        except TimeoutError:
            said = f"{self.session.titles()[:1]} {in_use(self.session)}; {looks_at(self.session)}"
            raise Unanswered(f"no {what!r} on the page: {said[:200]}") from None
        return time.perf_counter() - began

    async def to(self, page: str) -> float:
        """To a page, whose title is seen then; seconds that took."""
        title = HEADINGS[page]
        return await self.does(self.session.go(page), lambda now: title in now.titles(), title)

    async def sees(self, one: Shown, value: Any, words: str) -> float:
        """Set a widget; the side bar says then that ``words`` are looked at. Seconds that took."""
        before = looks_at(self.session)
        act = self.session.set(one, value)
        taken = await self.does(act, lambda now: re.search(words, looks_at(now)) is not None, words)
        if looks_at(self.session) != before:
            self.steps.append((self.data, before))
        return taken

    async def sets(self, box: Shown, number: int) -> float:
        """Set a number; the control shows it then as the setting in use. Seconds that took."""
        before = looks_at(self.session)

        def holds(now: Session) -> bool:
            return any(
                one.proto.label == box.proto.label and one.proto.default == number
                for one in now.all("number_input")
            )

        taken = await self.does(self.session.set(box, float(number)), holds, f"{box.proto.label}: {number}")
        if looks_at(self.session) != before:
            self.steps.append((self.data, before))
        elif not before:
            self.steps.clear()  # on this page nothing says what is looked at, nor would an undo
        return taken

    async def brings(self, name: str) -> float:
        """Upload a file on the page Data; seconds until its data are in use."""
        before, title = in_use(self.session), re.compile(re.escape(name) + r"( \(\d+\))?")
        taken = await self.does(
            self.session.upload(name, self.files[name]),
            lambda now: in_use(now) != before and title.fullmatch(in_use(now)) is not None,
            name,
        )
        self.data = in_use(self.session)
        return taken

    async def uses(self, title: str) -> float:
        """Choose what is loaded; seconds until its data are in use."""
        act = self.session.choose("Predictions", title)
        taken = await self.does(act, lambda now: in_use(now) == title, title)
        self.data = title
        return taken

    async def _at(self, page: str) -> float:
        """To a page if one is not there; seconds that took."""
        return 0.0 if self.session.page == self.session.pages[page] else await self.to(page)

    async def finds(self, *labels: str) -> Shown:
        """A control of the side bar with one of these labels; on a page that has it, if not on this one."""
        if not any(self.session.has(kind, label) for kind in KINDS for label in labels):
            await self.to("Reliability")
        shown = (one for kind in KINDS for one in self.session.all(kind) if one.proto.label in labels)
        return next(shown)

    def _pick(self, options: list[str]) -> str:
        return options[int(self.rng.integers(len(options)))]


async def to_a_page(who: Person) -> float:
    return await who.to(who._pick(list(who.session.pages)))


async def another_lens(who: Person) -> float:
    box = await who.finds("Look at")
    kind = who._pick([kind for kind in LOOKS_AT if kind in box.proto.options])
    return await who.sees(box, kind, LOOKS_AT[kind])


async def another_class(who: Person) -> float | None:
    look_at = await who.finds("Look at")
    if not who.session.has("selectbox", "Class"):
        if "One class" not in look_at.proto.options:  # Simplex offers what has corners
            return None
        return await who.sees(look_at, "One class", LOOKS_AT["One class"])
    box = who.session.find("selectbox", "Class")
    name = who._pick(list(box.proto.options))
    return await who.sees(box, name, re.escape(f"the class '{name}'"))


async def other_bins(who: Person) -> float:
    labels = ("Bins from 0 to 100 %", "Number of bins", "Fewest cases in a bin", "Split while a bin holds")
    box = await who.finds(*labels)
    low, high = (20, 300) if "ases" in box.proto.label or "while" in box.proto.label else (5, 30)
    number = int(who.rng.integers(low, high))
    return await who.sets(box, number)


async def unfold(who: Person) -> float | None:
    folds = [fold for fold in who.session.all("expandable") if fold.id]
    if not folds:
        return None
    fold = folds[int(who.rng.integers(len(folds)))]
    state = who.session.states.get(fold.id)
    is_open = state.bool_value if state is not None else fold.proto.expanded
    return await who.does(
        who.session.set(fold, not is_open),
        lambda now: all(one.proto.expanded != is_open for one in now.all("expandable") if one.id == fold.id),
        f"{fold.proto.label} {'closed' if is_open else 'open'}",
    )


async def run_tests(who: Person) -> float:
    return await who.to("Tests")


async def look_at_survey(who: Person) -> float:
    return await who.to("Overview")


async def bring_a_file(who: Person) -> float:
    await who._at("Data")
    return await who.brings(who._pick(sorted(who.files)))


async def read_members(who: Person) -> float | None:
    await who._at("Reliability")
    bins = who.session.find("multiselect", "The cases behind a cross")
    if not bins.proto.options:
        return None
    chosen = who._pick(list(bins.proto.options))

    def shown(now: Session) -> bool:
        box = next(
            (box for box in now.all("multiselect") if box.proto.label == "The cases behind a cross"), bins
        )
        there = "These cases as CSV" in [button.proto.label for button in now.all("download_button")]
        return there and [box.proto.options[i] for i in box.proto.default] == [chosen]

    who.steps.clear()  # reading is not undone: until the next step the page offers no Undo
    return await who.does(who.session.set(bins, [chosen]), shown, chosen)


async def another_example(who: Person) -> float:
    box = await who.finds("Predictions")
    return await who.uses(who._pick(list(box.proto.options)))


async def undo(who: Person) -> float | None:
    """Only a change that was made on the data in use: on others it may change nothing that is seen."""
    if not who.steps or who.steps[-1][0] != who.data:
        return None
    await who.finds("Look at")
    _, before = who.steps.pop()
    return await who.does(who.session.press("Undo"), lambda now: looks_at(now) == before, before)


ACTS: dict[str, tuple[Callable[[Person], Awaitable[float | None]], float]] = {
    "to a page": (to_a_page, 4),
    "another lens": (another_lens, 4),
    "another class": (another_class, 3),
    "other bins": (other_bins, 4),
    "a fold": (unfold, 3),
    "tests": (run_tests, 2),
    "survey": (look_at_survey, 2),
    "a file": (bring_a_file, 2),
    "members": (read_members, 2),
    "an example": (another_example, 1),
    "undo": (undo, 1),
}
"""Act -> what it does, and how often it is done, as shares."""
