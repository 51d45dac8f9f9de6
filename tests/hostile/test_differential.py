"""Files of known meaning: none is read as something else, most without a question, nearly all after one."""

import re
from collections import Counter

import numpy as np
import pytest

from calibcore.io import ReadOptions
from tests.hostile.fuzzing import MANY_OR_ALL
from tests.hostile.grammar import kinds_of_columns, kinds_of_frames, kinds_of_labels, kinds_of_values
from tests.hostile.grammar.exports import ASKED, CONFIDENCES, FIELDS, UNREADABLE
from tests.hostile.grammar.faults import faulty
from tests.hostile.grammar.languages import LANGUAGES
from tests.hostile.grammar.outcomes import Ends, Meant, ends, outcome, tally
from tests.hostile.grammar.tools import TOOLS
from tests.hostile.grammar.writing import drawn

WRONG, AFTER_ONE = 0.001, 0.95
"""At most so many accepted files are wrong, by themselves and after the first proposals; at least so many are
accepted after one answer at most."""
WITHOUT, FEW_WITHOUT = 0.906, 0.837
"""At least so many are accepted without a question: as many as before the kinds below were known."""
KINDS = kinds_of_labels.KINDS | kinds_of_columns.KINDS | kinds_of_values.KINDS | kinds_of_frames.KINDS
Found = list[tuple[Meant, Ends]]


def described(files: Found, count: str, end: str) -> str:
    """What the files are that came to some end."""
    return "\n".join(f"{f.tags} {e.sentence:.300}" for f, e in files if getattr(e, count) == end)


def both_counts_hold(files: Found) -> dict[str, float]:
    """Nearly none is wrong, nor after the first proposals; the shares."""
    found = tally([end for _, end in files])
    assert found["wrong"] <= WRONG, described(files, "alone", "wrong")
    assert found["wrong after the first proposal"] <= WRONG, described(files, "after", "wrong")
    return found


@pytest.mark.parametrize("files", MANY_OR_ALL(60, 10_000))
def test_plausible_files(files: int) -> None:
    all_ends = [(file, ends(file)) for file in map(drawn, range(files))]
    known = [(file, end) for file, end in all_ends if file.answerable]
    found = both_counts_hold(known)
    assert found["without a question"] >= (WITHOUT if files > 1_000 else 0.8), found
    assert found["after one"] >= AFTER_ONE, described(known, "alone", "refused")
    unanswerable = Counter(end.alone for file, end in all_ends if not file.answerable)
    assert set(unanswerable) == {"refused"}, unanswerable


@pytest.mark.parametrize("files", MANY_OR_ALL(50, 3_000))
@pytest.mark.slow
def test_few_cases(files: int) -> None:
    """Of few cases the predictions say little, so that more is asked."""
    all_ends = [(file, ends(file)) for file in (drawn(seed, (4, 13)) for seed in range(files))]
    known = [(file, end) for file, end in all_ends if file.answerable]
    found = both_counts_hold(known)
    assert found["without a question"] >= (FEW_WITHOUT if files > 1_000 else 0.7), found
    assert found["after one"] >= AFTER_ONE, described(known, "alone", "refused")


@pytest.mark.parametrize("files", MANY_OR_ALL(60, 3_000))
@pytest.mark.slow
def test_faulty_files(files: int) -> None:
    """What a fault leaves of a file may be another good file: at most one in a thousand is taken for that."""
    found = [(file, ends(file)) for file in map(faulty, range(files))]
    wrong = sum(end.alone == "wrong" for _, end in found)
    assert wrong <= WRONG * files, described(found, "alone", "wrong")


def of_a_kind(name: str, files: int) -> Found:
    """So many of a kind, and what came of them."""
    seeds = ([16, *name.encode(), seed] for seed in range(files))
    drawn_files = [KINDS[name].draw(np.random.default_rng(seed)) for seed in seeds]
    return [(file, ends(file)) for file in drawn_files]


@pytest.mark.parametrize("files", MANY_OR_ALL(3, 300))
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.some(6)
def test_files_of_a_kind(name: str, files: int) -> None:
    """None is taken for something else, by itself or after the first proposals; most are reached."""
    kind, all_ends = KINDS[name], of_a_kind(name, files)
    both_counts_hold(all_ends)
    for file, end in all_ends:
        if end.alone not in ("right", "wrong") and file.says:
            assert re.search(file.says, end.sentence), (file.tags, end.sentence)
    known = [(file, end) for file, end in all_ends if file.answerable]
    if known and files > 100:
        found = tally([end for _, end in known])
        assert found["without a question"] >= kind.unasked, described(known, "alone", "asked")
        assert found["after two"] >= kind.reached, described(known, "alone", "refused")


EXPORTS = TOOLS | LANGUAGES | FIELDS


@pytest.mark.some(40)
@pytest.mark.parametrize("name", EXPORTS)
def test_what_tools_write_is_read_without_a_question(name: str) -> None:
    assert outcome(EXPORTS[name].drawn(name)) == "right"


@pytest.mark.parametrize("name", ASKED)
def test_what_a_file_leaves_open_is_asked_once(name: str) -> None:
    assert outcome(ASKED[name].drawn(name)) == "asked"


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_holds_no_probabilities_and_labels_is_not_read(name: str) -> None:
    assert outcome(UNREADABLE[name].drawn(name)) == "refused"


@pytest.mark.parametrize("name", CONFIDENCES)
def test_a_decision_and_how_sure_it_was_are_read(name: str) -> None:
    export, sure, right = CONFIDENCES[name]
    found = export.drawn(name).reading(ReadOptions())
    assert found.confidence_only
    assert np.allclose(found.probs[:, 0], sure)
    assert (found.labels == np.where(right, 0, 1)).all()
