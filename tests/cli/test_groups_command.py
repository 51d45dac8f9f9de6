"""``caliblens groups``: what is printed and what is refused."""

import json
import math
import re
from pathlib import Path

import pandas as pd
import pytest

from calibcore import survey_groups
from calibcore.io import read
from calibcore.questions.groups import words as grouping
from calibcore.questions.groups.says import groups_table
from calibcore.wording import percent
from calibcore.words.phrases import p_words
from calibcore.words.sizes import approximate_interval, of_many, typical_size
from tests.cli.commands import run
from tests.questions.groups.test_groups import FAST, hospital

QUICK = ("--resamples", "199", "--seed", "1")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("groups") / "hospital.csv"
    p = hospital(1_500, off=0.35)
    columns = {name: column for name, column in p.metadata.items() if name != "row"}
    table = pd.DataFrame(p.probs, columns=p.class_names).assign(**columns)
    table["label"] = [p.class_names[k] for k in p.labels]
    table["day"] = "03/04/2026"
    table.loc[:700, "day"] = "05/06/2026"
    table.loc[3, "site"] = "secret"
    table.to_csv(path, index=False)
    return path


def test_the_document_and_the_text(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    by = ("--by", "site", "--by", "sex", "--worst", *QUICK)
    code, out, _ = run(capsys, "groups", file, *by, "--json")
    assert code == 0
    document = json.loads(out)
    found = survey_groups(read(file).predictions, ["site", "sex"], FAST, worst=True)
    assert document == json.loads(found.without_cases().to_json())
    assert "secret" not in out
    assert found.kept_back == {"site": "what is left of it is fewer than 20 cases"}
    code, out, _ = run(capsys, "groups", file, *by, "--json", "--with-rows")
    assert json.loads(out) == json.loads(found.to_json())
    entry = next(group for group in json.loads(out)["groups"] if group["value"] == "B")
    assert {"column", "value", "n", "p_value", "adjusted"} <= set(entry)
    code, out, _ = run(capsys, "groups", file, *by)
    assert code == 0
    repeats, _, text = out.partition("\n\n")
    assert repeats.startswith("1,500 rows hold 482 different values of 'patient'.")
    assert repeats.endswith("name this column as the unit with --unit patient.")
    lines = text.splitlines()
    assert lines[0] == "1,500 cases, 6 groups; the class 'c1'"
    assert lines[2] == grouping.headline(found)
    verdict = found.group("site", "B").verdict
    assert verdict is not None
    size, interval = typical_size(verdict.typical_gap), approximate_interval(verdict.typical_gap)
    assert re.fullmatch(r"approximate 95.% interval \d+\.\d to \d+\.\d", interval)
    (said,) = verdict.frequencies
    predicted, number = percent(said.said, 0), sum(len(g.verdict.frequencies) for g in found.tested)
    gap = of_many(said, number)
    low, high = said.said - gap.high, said.said - gap.low
    observed = f"{math.floor(100 * low)} to {math.ceil(100 * high)}\N{NO-BREAK SPACE}%"
    assert lines[2] == f"Worst in site B: it says {predicted} for 'c1', it happens in {observed}."
    squeezed = " ".join(text.split())
    size_sentence = f"In site B it is typically {size} off ({interval}), on balance 'c1' too high."
    assert " ".join(size_sentence.split()) in squeezed
    assert "Miscalibrated in 1 of 5 groups that were tested." in squeezed
    by_site, by_sex = sorted(found.between or (), key=lambda between: between.pvalue)
    assert (by_site.column, by_site.groups, by_sex.column, by_sex.groups) == ("site", 3, "sex", 2)
    by = f"by site (adjusted {p_words(by_site.adjusted)}); no sign of it by sex"
    assert f"On balance groups differ from each other {by}" in squeezed
    assert "Chance is a poor explanation of all groups together (p = 0.005" in squeezed
    assert "Where it is worst: in " in out
    assert "cases with site B" in out
    assert "1 group not tested: fewer than 20 cases." in out
    (row,) = [row for row in groups_table(found).rows() if row["Group"] == "secret"]
    assert (row["Cases"], row["Verdict"], row[grouping.NET_GAP]) == ("fewer than 20", "not tested", "–")


def test_one_row_a_unit(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "groups", file, "--by", "sex", "--unit", "patient", *QUICK)
    assert code == 0
    units = pd.read_csv(file)["patient"].nunique()
    assert (
        f"1,500 rows of {units} units (patient): one row of each was drawn at random, seed 1. Gaps are of"
        in out
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--by", "label"), "There is no column 'label' beside predictions and labels"),
        (("--by", "ward"), "'ward' beside predictions and labels; the other columns are 'site'"),
        (("--by", "day"), "Say so by --dates day-first or --dates month-first."),
        ((), "--by"),
        (("--by", "site", "--statistic", "ece"), "ece"),
    ],
)
def test_what_is_refused(
    file: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    try:
        code, out, err = run(capsys, "groups", file, *words)
    except SystemExit as error:
        captured = capsys.readouterr()
        code, out, err = int(str(error.code)), captured.out, captured.err
    assert (code, out) == (2, "")
    assert sentence in err
