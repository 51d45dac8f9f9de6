"""What is known of a question: what it finds, and what is made of that."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from calibcore.answers.blocks import Answer
from calibcore.answers.by_label import ByLabel
from calibcore.answers.nouns import said_of
from calibcore.numerics.progress import Progress
from calibcore.words.repeating import Repeat

R = TypeVar("R")


@dataclass(frozen=True)
class Question(Generic[R]):
    """A question, entered once, beside its answer.

    Attributes
    ----------
    name : its key in a report's document, and of its caption in assets/texts
    result : the type of what it finds
    title : of its part of a report, said of cases
    help : what its command does, in a few words
    says : result, what a case is called, and the same result without what belongs to single cases (None: all
        may be told) -> the answer
    without_cases : the result without what belongs to single cases; None where nothing is left
    repeat : result, how the file was read (of several: by name) -> the command that finds the same again
    again : what stands above that command
    named : result, what shortens a name, what shortens a sentence -> the result as a report can show it
    document : that result, and the same without what belongs to single cases -> what a report's document has
    in_notebooks : what of a result a notebook shows, which is handed on with it; None: all
    frame : name of the table that ``to_frame()`` gives; empty for the first
    place : among the parts of a report
    what : how a sentence on results of other predictions begins: "The decisions are"
    made_of : fingerprint of the predictions that a report has to be of; None: any; empty: none
    several : whether it is of several models, so that ``repeat`` is told by name how files were read
    dated : whether ``repeat`` is also told how dates that fit twice were read
    without_counts : the result where a report keeps back the counts of its lens; None where nothing is left
    flag : what the flag of its name does on ``caliblens report``; empty: there is none
    ask : predictions, settings, lenses of the survey (None: the usual ones), what further flags say -> what
        finds the result for that flag, given progress; what cannot be answered is refused before
    left_out : said where it was asked for and the report holds none of it
    against : result, fingerprint of the predictions that a report is of -> what it has against them in a few
        words, as the first page says it; empty: nothing
    by_label : how it is asked of each of several labels of a case; None where it is of none

    Where no report holds the answer it has neither of ``without_cases``, ``repeat`` and ``again``.
    """

    name: str
    result: type[R]
    title: str
    help: str
    says: Callable[[R, str, R | None], Answer]
    without_cases: Callable[[R], R | None] | None = None
    repeat: Callable[..., Repeat] | None = None
    again: str = ""
    named: Callable[[R, Callable[[str], str], Callable[[str], str]], R] = lambda result, *_: result
    document: Callable[[R, R], dict[str, Any]] = lambda _, shared: shared.to_document()  # type: ignore[attr-defined]
    in_notebooks: Callable[[R], R] | None = None
    frame: str = ""
    place: int = 100
    what: str = "The answer is"
    made_of: Callable[[R], str | None] = lambda result: result.fingerprint or ""  # type: ignore[attr-defined]
    several: bool = False
    dated: bool = False
    without_counts: Callable[[R], R | None] = lambda _: None
    flag: str = ""
    ask: Callable[..., Callable[[Progress | None], R]] | None = None
    left_out: str = ""
    against: Callable[[R, str], str] = lambda *_: ""
    by_label: ByLabel[R] | None = None

    @property
    def command(self) -> str:
        """The word of its command: its folder's."""
        return self.result.__module__.split(".")[2].replace("_", "-")

    def answer(self, result: Any, noun: str = "case") -> Answer:
        """What a result says to whoever has the cases."""
        return self.shared_answer(result, noun, None)

    def shared_answer(self, result: Any, noun: str, shared: Any) -> Answer:
        """What a result says; with ``shared``, the same without what belongs to single cases, to anybody.

        Every sentence calls a case what it is, also one that no ``says`` gives the noun.
        """
        return said_of(self.says(result, noun, shared), noun)

    @property
    def included(self) -> str:
        """The words of the box that puts its answer into a report."""
        return f"Include {self.title[:1].lower()}{self.title[1:].rstrip('?')}"
