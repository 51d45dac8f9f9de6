"""What is fuzzed: bytes in, an assertion out; with the seeds to begin from."""

from collections.abc import Callable

from tests.hostile.corpus import NAMES, PIECES, VALID
from tests.hostile.readers import read_one


def _readers(data: bytes) -> None:
    """The first byte chooses the name of the file."""
    read_one(data[1:], NAMES[data[0] % len(NAMES)] if data else "")


TARGETS: dict[str, tuple[Callable[[bytes], None], tuple[bytes, ...], tuple[bytes, ...]]] = {
    "readers": (_readers, tuple(b"\0" + data for data in VALID), PIECES),
}
