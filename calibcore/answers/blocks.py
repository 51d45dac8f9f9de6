"""The blocks that an answer is made of, and where each of them stands.

| block | terminal | notebook | report | page |
| --- | --- | --- | --- | --- |
| Badge | line | chip | on the first page | badge |
| Headline | first line | first line | the figure's caption | heading |
| Sentences | lines | paragraphs | end of the caption | paragraphs |
| Doubts | lines | marked paragraphs | on the first page | warnings |
| Cases | line | quiet paragraph | once for all answers | once for all answers |
| Fold | printed | fold | its tables | fold |
| Table | title and rows | title and rows | a table | table and CSV |
| Chart | – | by ``inline``, or by ``figure()`` | a figure and its caption | figure, reading, table, Save |
| Methods | points at the end | fold | a paragraph | fold |
| Caution | last point | last in the fold | the note of the first table | small print, and in the fold |
| Beside | line | paragraph | beside its verdict | paragraph |
| Notes | first points at the end | quiet paragraphs | the note of the first table | small print |

Markdown for a pipeline has what stands in no fold, but for charts and methods
(:mod:`calibcore.pipelines.markdown`).

Everything is plain text: whoever renders it escapes it. Nothing here knows a question or an interface.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from calibcore.answers.tables import Table


@dataclass(frozen=True)
class Badge:
    """The answer at a glance: never by colour alone.

    Attributes
    ----------
    words : "Cannot tell"
    sign : what stands before them where there are letters only
    icon : the Material symbol that looks like it
    colour : "miscalibrated", "consistent" or "cannot-tell"
    """

    words: str
    sign: str
    icon: str
    colour: str

    @property
    def text(self) -> str:
        """In letters: "✓ Consistent with calibration"."""
        return f"{self.sign} {self.words}"


@dataclass(frozen=True)
class Headline:
    """The answer in a sentence."""

    text: str


@dataclass(frozen=True)
class Sentences:
    """What the answer rests on, a paragraph each; empty ones are left out."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Doubts:
    """What has to be known before any of it is believed, a line each; empty ones are left out."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Cases:
    """What a case is, where rows belong together; empty where every row is one."""

    text: str


@dataclass(frozen=True)
class Caution:
    """How numbers are not to be read."""

    text: str


@dataclass(frozen=True)
class Methods:
    """How it was found out: a heading, sentences, and which redraws were used, for whoever repeats it.

    ``drawn_for`` is the place of the line that the redraws belong to.
    """

    title: str
    lines: tuple[str, ...]
    drawn: str = ""
    drawn_for: int = 0

    def with_redraws(self) -> Iterator[str]:
        """The sentences, the redraws behind the one that they belong to."""
        for place, line in enumerate(self.lines):
            yield f"{line} {self.drawn}".rstrip() if place == self.drawn_for else line


@dataclass(frozen=True, eq=False)
class Chart:
    """What is drawn, named by what draws it: neither plotly nor matplotlib is loaded for it.

    Attributes
    ----------
    name : of the text in assets/texts that says how to read it
    title : empty where what stands above it says it
    says : what it shows in this case; its alternative text
    caption : what stands below it besides the headline where it stands alone
    screen, paper : functions of two packages in calibcore.painters, see :mod:`calibcore.drawing`
    inline : a function of a third package there, which draws it without any library; empty where none does
    of : the result that all are given
    noun : what a case is called, which both are given too; empty where they do not say it
    table : its numbers
    term : in the glossary, what it shows
    marked : what is marked on the screen alone, ``{"chosen": 0.2}`` say
    table_open : whether its table is open on a page from the beginning
    called : what the text that says how to read it calls a case
    """

    name: str
    title: str
    says: str
    screen: str
    paper: str
    of: Any
    noun: str
    table: Table[Any]
    caption: str = ""
    inline: str = ""
    term: str = ""
    marked: Mapping[str, object] = field(default_factory=dict)
    table_open: bool = False
    called: str = "case"

    @property
    def options(self) -> dict[str, str]:
        """What draws it is given beside the result."""
        return {"noun": self.noun} if self.noun else {}


@dataclass(frozen=True, eq=False)
class Fold:
    """What not everyone reads."""

    title: str
    blocks: "tuple[Block, ...]"


@dataclass(frozen=True)
class Beside:
    """What is said beside the verdict on the same cases, too."""

    text: str


@dataclass(frozen=True)
class Notes:
    """What is to be known of the cases and the columns, a line each; empty ones are left out."""

    lines: tuple[str, ...]


Block = (
    Badge
    | Headline
    | Sentences
    | Doubts
    | Cases
    | Caution
    | Methods
    | Chart
    | Fold
    | Table[Any]
    | Beside
    | Notes
)


@dataclass(frozen=True, eq=False)
class Answer:
    """What a result says.

    Attributes
    ----------
    about : what was looked at: "400 cases", "2 classes"
    lens : through which; empty where it is through several, or through none
    """

    about: tuple[str, ...]
    lens: str
    blocks: tuple[Block, ...]

    def each(self, *kinds: type) -> tuple[Any, ...]:
        """The blocks of these kinds, in their order, without what is folded."""
        return tuple(block for block in self.blocks if isinstance(block, kinds))

    def looked_at(self, separator: str, last: str) -> str:
        """What was looked at in a line, the lens behind ``last``."""
        return last.join(filter(None, (separator.join(self.about), self.lens)))

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        return str(next(block.text for block in self.blocks if isinstance(block, Headline)))


def every_table(blocks: Iterable[Block]) -> Iterator[Table[Any]]:
    """The tables among them, the folded ones in their places."""
    for block in blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, Fold):
            yield from every_table(block.blocks)
