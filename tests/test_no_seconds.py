"""No test asks for speed: what is measured in seconds fails where others work, and `make bench` is for it."""

import ast
import re
from pathlib import Path

from tests.cases import each

HERE = Path(__file__).parent
CLOCKS = {"monotonic", "perf_counter", "process_time", "time", "timeit"}
WAITS = {"pages/test_queue.py", "cluster/machines.py", "cluster/test_cancelling.py"}
"""They wait for what another process does: a limit is there so that a test ends, or is that of the work."""
APART = ("soak", "benchmarks")
FILES = sorted(
    path
    for path in HERE.rglob("*.py")
    if path.relative_to(HERE).parts[0] not in APART and path != Path(__file__)
)


def asserted_seconds(source: str) -> list[int]:
    """Lines with an assertion that something took less than so many seconds."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert):
            for part in ast.walk(node.test):
                if isinstance(part, ast.Compare) and any(isinstance(op, ast.Lt | ast.LtE) for op in part.ops):
                    names = {n.attr for n in ast.walk(part) if isinstance(n, ast.Attribute)}
                    names |= {n.id for n in ast.walk(part) if isinstance(n, ast.Name)}
                    if names & CLOCKS:
                        lines.append(node.lineno)
    return lines


@each("path", FILES, ids=lambda path: str(path.relative_to(HERE)))
def test_no_test_asserts_how_long_something_takes(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    if str(path.relative_to(HERE)) in WAITS or not re.search("|".join(CLOCKS), source):
        return
    assert asserted_seconds(source) == []


def test_an_assertion_of_seconds_is_noticed() -> None:
    assert asserted_seconds("assert time.monotonic() - begun < 2") == [1]
    assert asserted_seconds("import x\nassert process_time() - begun <= MOST, 'slow'") == [2]
    assert asserted_seconds("assert time.monotonic() - gone > patience") == []
    assert asserted_seconds("assert work.calls < MOST_CALLS") == []
