"""What a file may unpack to, and what its texts may be."""

from collections.abc import Iterable

from calibcore.data.checks import shown
from calibcore.errors import InputError

MOST_PACKED, PACKED_FREELY = 200, 50_000_000
"""A file may unpack to so many times its size; up to so many bytes, to any number of times."""


def check_packing(unpacked: float, packed: int) -> None:
    """InputError for a file that unpacks to so much more than it has that no table would: it would let a
    small file take all memory."""
    if unpacked > MOST_PACKED * packed and unpacked > PACKED_FREELY:
        raise InputError(
            f"The file unpacks to {unpacked / 1e6:,.0f} MB or more, which is over {MOST_PACKED} times its "
            "own size. Save it without compression."
        )


def check_text(texts: Iterable[object]) -> None:
    """InputError if a text holds half a pair of surrogates, which nothing can show or save."""
    whole = "".join(text for text in texts if isinstance(text, str))
    try:
        whole.encode()
    except UnicodeEncodeError as error:
        place = shown(whole[max(0, error.start - 10) : error.end])
        raise InputError(f"The text {place} is no Unicode: half of a character is missing.") from None
