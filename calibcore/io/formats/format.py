"""A format of files: what it is known by, how it is read, and what is said of it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from calibcore.io.options import ReadOptions
from calibcore.io.tables import Table
from calibcore.strategies import Strategies

FORMATS = Strategies("format")
"""Kind -> the format, in the order in which they are looked for and listed."""


@dataclass(frozen=True, eq=False)
class Content:
    """The bytes of a file, its name, and what the user says about it.

    ``want_labels``: the file holds labels, so that arrays named like labels come first.
    """

    data: bytes
    name: str
    options: ReadOptions = ReadOptions()
    want_labels: bool = False


class Format(ABC):
    """A format of files. Nobody makes one: the class itself is what is entered.

    What is larger than the limits when it is declared, packed or counted is refused by ``read``, with
    :func:`.check_rows`, :func:`.check_width` and :func:`.check_declared`, before it takes memory.
    """

    kind: ClassVar[str]
    place: ClassVar[float]
    label: ClassVar[str]
    """In a sentence: "The Parquet file is damaged"."""
    names: ClassVar[tuple[str, ...]] = ()
    """In lists for the command line: CSV, TSV; empty: the label."""
    expected: ClassVar[str] = ""
    """In the sentence on what is expected: "CSV or other text"; empty: the label."""
    common: ClassVar[str] = ""
    """What people call it who never heard the label: Excel; empty: the label."""
    reads: ClassVar[str]
    """One sentence for the table in docs/files.md."""
    endings: ClassVar[tuple[str, ...]]
    """Of names of files, in small letters: ".parquet". They decide what the first bytes leave open."""
    magic: ClassVar[tuple[bytes, ...]] = ()
    """First bytes; of text those behind a byte order mark and blanks."""
    inside: ClassVar[str] = ""
    """Of an archive (ZIP): a file that it holds, as "xl/workbook.xml", or how files in it end, as ".npy"."""
    text: ClassVar[bool] = False
    """Whether this is text. Then it is looked for last, and leaves out rows itself: they may be damaged. What
    cannot be read is tried as the next format of text, where the name has an ending of that."""
    weight: ClassVar[int] = 1
    """How many times its bytes count: what takes more memory than other formats counts so."""
    extra: ClassVar[str] = ""
    """The extra of :data:`.EXTRAS` that it needs."""
    modules: ClassVar[tuple[str, ...]] = ()
    """What the process that reads imports before the first file comes, where it is installed."""

    @classmethod
    def begins(cls, data: bytes) -> bool:
        """Whether these are of this format, by their first bytes."""
        return data.startswith(cls.magic)

    @classmethod
    def called(cls, ending: str) -> str:
        """What a name with this ending says that the file is."""
        return cls.label

    @classmethod
    @abstractmethod
    def read(cls, content: Content) -> Table:
        """The table in a file. Raises :class:`InputError`; what else it raises is said to be damage."""

    @classmethod
    def refusal(cls, error: Exception) -> str:
        """What an error of the reader means, as a sentence; empty: that the file is damaged."""
        return ""
