"""What may be handed on to a pipeline: a summary, Markdown, JUnit XML; of every question, and of surveys."""

import json
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from markdown_it import MarkdownIt

from calibcore import ClassLens, DiagnosisSpec, InputError, Predictions, decide
from calibcore.answers.blocks import every_table
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.headline import by_evidence
from calibcore.data.examples import example_csv
from calibcore.data.outside_text import spelled_out, visible
from calibcore.pipelines.handed_on import hand_on
from calibcore.pipelines.junit import junit_of
from calibcore.pipelines.markdown import MOST_ROWS, escaped, markdown_of
from calibcore.pipelines.summary import MOST_BYTES, summary_of
from calibcore.settings import lens_from_words
from calibcore.transforms.lenses import CanonicalLens, RegionLens, TopKLens
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.verdicts import as_a_whole
from tests.asked import EVIL, NAMES, cases, small_ones
from tests.cases import each
from tests.cli.commands import run
from tests.quick import survey

RESULTS = list(small_ones())
GITHUB = MarkdownIt("gfm-like", {"linkify": False, "html": True})


@cache
def surveyed() -> Assessment:
    return assess(cases(), survey(cases()))


def found(result: type) -> Any:
    return small_ones()[result]()


def test_what_no_question_found_is_refused_in_a_sentence() -> None:
    for given in (surveyed().survey, cases(), 5):
        for made in (summary_of, markdown_of):
            with pytest.raises(
                TypeError, match=r"calibcore.tracking.surveyed\(predictions\); was given an obj"
            ):
                made(given)


def test_a_summary_of_a_survey_has_its_numbers() -> None:
    assessment = surveyed()
    overall = as_a_whole(assessment.verdicts)
    document = json.loads(summary_of(assessment).to_json())
    gap = overall.typical_gap
    assert document["verdict"] == overall.answer
    assert document["typical_gap"] == {"estimate": gap.value, "low": gap.low, "high": gap.high}
    assert document["smallest_detectable"] == overall.smallest_detectable
    checks = [(lens_from_words(c["lens"]), c["answer"], c["adjusted_p"]) for c in document["checks"]]
    assert checks == [(v.lens, v.answer, v.adjusted) for v in assessment.verdicts]
    p = cases()
    assert document["data"] == {
        "n": p.n, "classes": p.m, "fingerprint": p.fingerprint, "kind": "probabilities"
    }  # fmt: skip
    assert (document["seed"], document["left_out"]) == (0, 0)


def test_a_summary_stays_short_and_keeps_what_is_strongest() -> None:
    """Names of 200 characters, of which some cannot be seen and take six letters each in JSON."""
    rng = np.random.default_rng(1)
    hidden = "\u202e" * 97
    names = [f"{i:03}{'é' * 100}{hidden}" for i in range(30)]
    p = Predictions.from_arrays(rng.dirichlet(np.ones(30), 60), rng.integers(30, size=60), names)
    assessment = assess(p, survey(p))
    summary = summary_of(assessment)
    assert len(spelled_out(summary.to_json()).encode()) <= MOST_BYTES
    assert 0 < len(summary.checks) < len(assessment.verdicts)
    assert len(summary.checks) + summary.left_out == len(assessment.verdicts)
    assert "canonical" in [check.lens for check in summary.checks]
    rest = [v.adjusted for v in assessment.verdicts if not v.lens.whole]
    kept = [check.adjusted_p for check in summary.checks if check.lens != "canonical"]
    assert max(kept) <= sorted(rest)[len(kept) - 1] + 1e-12


@each("result", RESULTS)
def test_every_question_has_a_summary_and_markdown(result: type) -> None:
    made = found(result)
    summary, answered = summary_of(made), hand_on(made)
    assert len(spelled_out(summary.to_json()).encode()) <= MOST_BYTES
    assert summary.sentence == visible(answered.answer.headline)
    tables = [block for block in every_table(answered.answer.blocks) if block.rows(exact=True)]
    assert bool(summary.rows) == bool(tables)
    assert summary.data.n is None or summary.data.n == made.n
    read(markdown_of(made))


def read(text: str) -> list[list[str]]:
    """Rows of its tables as a reader sees them; refuses what is more than bold, quotes, tables, lists."""
    tokens = [token for block in GITHUB.parse(text) for token in (block, *(block.children or ()))]
    kinds = {token.type.removesuffix("_open").removesuffix("_close") for token in tokens}
    assert not kinds & {"link", "image", "html_block", "code_block", "fence", "hr", "em", "s", "heading"}
    html = {token.content for token in tokens if token.type == "html_inline"}
    assert html <= {"<!-- -->", "<sub>", "</sub>"}
    rows: list[list[str]] = []
    for before, token in zip(GITHUB.parse(text), GITHUB.parse(text)[1:], strict=False):
        if before.type == "tr_open":
            rows.append([])
        if before.type in ("td_open", "th_open"):
            rows[-1].append("".join(child.content for child in token.children or () if child.type == "text"))
    return rows


def test_markdown_says_what_the_answer_says() -> None:
    assessment = surveyed()
    text = markdown_of(assessment, ["Do labels and columns belong together?", ""])
    rows = read(text)
    assert rows[0][:3] == ["Check", "Verdict", "Typical gap"]
    (table,) = (t for t in every_table(hand_on(assessment).answer.blocks) if t.name == "verdicts")
    shown = [[" ".join(visible(str(cell)).split()) for cell in row.values()] for row in table.rows()]
    assert rows[1:] == shown
    assert "> ⚠️ Do labels and columns belong together?" in text
    assert cases().fingerprint[:12] in text


@each(
    "text",
    [
        EVIL, *NAMES, "@octocat and #12 and !3", "https://example.org/ and www.example.org", "a | b", "`x`",
        "*a* _b_", "- a", "1. a", "12) a", "# a", "/close", "+ a", "= a", "> a", "~~a~~", "[a](b)", "![a](b)",
        "a\n\n- b", "\\", "$a$", "&amp; &lt;", "<!-- a", "a\tb",
    ],
)  # fmt: skip
def test_any_text_stands_in_markdown_as_it_is(text: str) -> None:
    """Alone, in bold and in a cell, and nobody is called by it."""
    line = escaped(text)
    seen = " ".join(visible(text).split())
    for made in (line, f"| a |\n| --- |\n| {line} |", f"**a {line}**"):
        read(made)
        inline = [token for token in GITHUB.parse(made) if token.type == "inline"][-1]
        said = "".join(child.content for child in inline.children or () if child.type == "text")
        assert said == (f"a {seen}" if made.startswith("**") else seen)
    assert not line.startswith("/")
    assert not any(mark + letter in line for mark in "@#!" for letter in "o13")


@pytest.mark.slow
def test_a_long_table_keeps_what_stands_out() -> None:
    """Of 25 classes, one of which is off."""
    rng = np.random.default_rng(3)
    probs = rng.dirichlet(np.ones(25), 400)
    labels = (rng.random((400, 1)) > probs.cumsum(axis=1)).sum(axis=1).clip(max=24)
    labels = np.where(labels == 24, 23, labels)
    p = Predictions.from_arrays(probs, labels, [f"c{i:02}" for i in range(25)])
    lenses = [CanonicalLens(), *(ClassLens(name) for name in p.class_names)]
    assessment = assess(p, survey(p, lenses=lenses))
    text = markdown_of(assessment)
    head, *rows = read(text)
    assert (head[0], len(rows)) == ("Check", MOST_ROWS)
    assert "And 6 more rows." in text
    off = [row for row in rows if row[1].startswith("✕")]
    assert len(off) == sum(v.answer == "miscalibrated" for v in assessment.verdicts) > 0


def verdicts_in(text: str) -> list[str]:
    root = ElementTree.fromstring(text)
    (suite,) = root
    tests = suite.findall("testcase")
    states = [next((child.tag for child in test), "passed") for test in tests]
    assert suite.attrib["tests"] == str(len(tests))
    assert suite.attrib["failures"] == str(states.count("failure"))
    assert suite.attrib["skipped"] == str(states.count("skipped"))
    return states


STATES = {"miscalibrated": "failure", "cannot-tell": "skipped", "consistent": "passed"}


def test_junit_has_a_test_a_check() -> None:
    assessment = surveyed()
    ordered = sorted(assessment.verdicts, key=by_evidence)
    answers = [as_a_whole(assessment.verdicts).answer, *(v.answer for v in ordered)]
    assert verdicts_in(junit_of(assessment)) == [STATES[answer] for answer in answers]
    names = [test.attrib["name"] for test in ElementTree.fromstring(junit_of(assessment)).iter("testcase")]
    checks = [visible(sentence_case(name_of(verdict))) for verdict in ordered]
    assert names == ["the verdict on the whole", *checks]


@each("result", RESULTS)
def test_junit_of_every_question_is_read(result: type) -> None:
    """A test a verdict where there are verdicts, else one; an alarm is what fails it."""
    made = found(result)
    passed, alarmed = verdicts_in(junit_of(made)), verdicts_in(junit_of(made, failed=True))
    if len(passed) == 1 and passed != alarmed:
        assert (passed, alarmed) == (["passed"], ["failure"])
    else:
        assert passed == alarmed


def test_what_a_region_picks_out_is_not_counted() -> None:
    p = cases()
    region = RegionLens(CanonicalLens(), "a", 0.5, 1.0)
    assessment = assess(p, survey(p, lenses=[TopKLens(1), region]))
    told_of = hand_on(assessment)
    (table,) = (t for t in every_table(told_of.answer.blocks) if t.name == "verdicts")
    assert table.rows()[1]["On balance"] in ("", "–")
    of_few = RegionLens(ClassLens("a"), "a", 0.5, 1.0)
    with pytest.raises(InputError, match="--json"):
        summary_of(decide(p, DiagnosisSpec(lens=of_few, resamples=19), [0.6]))


@each("command, rest", [("survey", ""), ("label-noise", "--lens confidence"), ("groups", "--by case")])
@pytest.mark.slow
def test_the_command_prints_what_the_library_makes(
    command: str, rest: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, junit = tmp_path / "wine.csv", tmp_path / f"{command}.xml"
    file.write_text(example_csv("wine"), encoding="utf-8")
    words = [command, file, "--resamples", "19", *rest.split()]
    code, printed, said = run(capsys, *words, "--format", "summary")
    assert code == 0, said
    document = json.loads(printed)
    assert (document["document"], document["question"]) == ("summary", command)
    more = ["--junit", junit] if command != "label-noise" else []
    _, printed, _ = run(capsys, *words, "--format", "markdown", *more)
    read(printed)
    assert escaped(document["sentence"]) in printed
    assert junit.exists() == bool(more)
    if more:
        states = verdicts_in(junit.read_text("utf-8"))
        assert states
    _, as_json, _ = run(capsys, *words, "--json")
    assert run(capsys, *words, "--format", "json")[1] == as_json
    assert run(capsys, *words, "--format", "text")[1] == run(capsys, *words)[1]


def test_two_forms_at_once_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(capsys, "survey", "x.csv", "--json", "--format", "summary")
    assert stopped.value.code == 2
    assert "not allowed with" in capsys.readouterr().err
