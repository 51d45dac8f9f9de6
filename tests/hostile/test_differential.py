"""Files of known meaning: none is read as something else, most without a question, nearly all after one."""

from collections import Counter

import pytest

from tests.hostile.fuzzing import MANY_OR_ALL
from tests.hostile.grammar.exports import ASKED, FIELDS, UNREADABLE
from tests.hostile.grammar.faults import faulty
from tests.hostile.grammar.languages import LANGUAGES
from tests.hostile.grammar.outcomes import outcome, tally
from tests.hostile.grammar.roles import named
from tests.hostile.grammar.tools import TOOLS
from tests.hostile.grammar.writing import Drawn, drawn

WRONG, WITHOUT, AFTER_ONE = 0.001, 0.7, 0.95
"""At most so many accepted files are wrong; at least so many accepted without a question, and after one."""


def described(files: list[tuple[Drawn, str]], ends: str) -> str:
    """What the files are that came to some end."""
    return "\n".join(str(file.tags) for file, end in files if end == ends)


@pytest.mark.parametrize("files", MANY_OR_ALL(100, 10_000))
def test_plausible_files(files: int) -> None:
    ends = [(file, outcome(file)) for file in map(drawn, range(files))]
    found = tally([end for file, end in ends if file.answerable])
    assert found["wrong"] <= WRONG, described(ends, "wrong")
    assert found["without a question"] >= WITHOUT, found
    assert found["after one"] >= AFTER_ONE, described(ends, "refused")
    unanswerable = Counter(end for file, end in ends if not file.answerable)
    assert set(unanswerable) == {"refused"}, unanswerable


@pytest.mark.parametrize("files", MANY_OR_ALL(60, 3_000))
def test_few_cases(files: int) -> None:
    """Of few cases the predictions say little, so that more is asked."""
    ends = [(file, outcome(file)) for file in (drawn(seed, (4, 13)) for seed in range(files))]
    found = tally([end for file, end in ends if file.answerable])
    assert found["wrong"] <= WRONG, described(ends, "wrong")
    assert found["without a question"] >= WITHOUT, found
    assert found["after one"] >= AFTER_ONE, described(ends, "refused")


@pytest.mark.parametrize("files", MANY_OR_ALL(80, 3_000))
def test_faulty_files(files: int) -> None:
    """What a fault leaves of a file may be another good file: at most one in a thousand is taken for that."""
    ends = [(file, outcome(file)) for file in map(faulty, range(files))]
    wrong = sum(end == "wrong" for _, end in ends)
    assert wrong <= WRONG * files, described(ends, "wrong")


@pytest.mark.parametrize("files", MANY_OR_ALL(60, 3_000))
def test_files_that_say_by_their_names_what_they_are(files: int) -> None:
    """The reading that the names give is taken, or offered; no other one is taken."""
    ends = [(file, outcome(file)) for file in map(named, range(files))]
    found = tally([end for _, end in ends])
    assert found["wrong"] <= WRONG, described(ends, "wrong")
    assert found["after one"] >= AFTER_ONE, described(ends, "refused") + described(ends, "twice")


EXPORTS = TOOLS | LANGUAGES | FIELDS


@pytest.mark.parametrize("name", EXPORTS)
def test_what_tools_write_is_read_without_a_question(name: str) -> None:
    assert outcome(EXPORTS[name].drawn(name)) == "right"


@pytest.mark.parametrize("name", ASKED)
def test_what_a_file_leaves_open_is_asked_once(name: str) -> None:
    assert outcome(ASKED[name].drawn(name)) == "asked"


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_holds_no_probabilities_and_labels_is_not_read(name: str) -> None:
    assert outcome(UNREADABLE[name].drawn(name)) == "refused"
