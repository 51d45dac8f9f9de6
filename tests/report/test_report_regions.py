"""A region that leaves few cases out tells nothing of them: an attacker reads a report and subtracts."""

import argparse
import csv
import io
import json
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibcore import CanonicalLens, ClassLens, DiagnosisSpec, Predictions, RegionLens, TopKLens, monitor
from calibcore.assessment.assess import assess
from calibcore.cli.arguments import COMMANDS
from calibcore.questions.decide import decide
from calibcore.questions.groups.differences import LEFT, REGION, regions_kept_back
from calibcore.questions.groups.says import table_handed_on
from calibcore.questions.groups.words import WORST_KEPT_BACK
from calibcore.report import Report, report_of, to_html, to_json, to_pdf
from calibcore.words.tables import csv_of
from tests.cli.commands import run
from tests.quick import survey, survey_groups

FAST = DiagnosisSpec(resamples=199, tolerance=0.3)


def cases(left_out: int, off: float = 0.0) -> Predictions:
    """``left_out`` cases alone were given more than 90 %."""
    rng = np.random.default_rng(left_out)
    q = np.concatenate([rng.uniform(0.1, 0.8, 400), rng.uniform(0.92, 0.99, left_out)])
    ill = rng.random(len(q)) < q - off
    columns = {"site": np.where(np.arange(len(q)) % 2 == 0, "A", "B"), "number": np.arange(len(q))}
    return Predictions.from_arrays(np.column_stack([q, 1 - q]), np.where(ill, 0, 1), ["ill", "well"], columns)


def region(high: float = 0.9, lens: Any = None) -> RegionLens:
    return RegionLens(lens or CanonicalLens(), "ill", 0.0, high)


def report(p: Predictions, lenses: list[Any], **more: Any) -> Report:
    assessment = assess(p, survey(p, FAST, lenses))
    return report_of(p, assessment, FAST, title="x", date="2026-11-21", **more)


def told_of_few(made: Report, p: Predictions) -> set[str]:
    """What the document tells of the outcomes of those left out: totals less those of each region."""
    document = json.loads(to_json(made))
    total = dict(zip(document["data"]["class_names"], document["data"]["class_counts"], strict=True))
    found = set()
    for entry in document["lenses"]:
        n = entry["verdict"]["n"]
        if not entry["lens"].startswith("region"):
            continue
        for one in (*entry["verdict"]["frequencies"], *entry["diagnosis"]["frequencies"]):
            found.add(f"{total[one['class_name']] - one['hits']} of {p.n - one['n']} by frequencies")
        bins = entry["diagnosis"]["reliability"]
        if len(bins["counts"]):
            hits = np.dot(bins["counts"], np.array(bins["observed"])[:, 0])
            first = entry["diagnosis"]["lens"]["class_names"][0]
            found.add(f"{total[first] - round(hits)} of {p.n - sum(bins['counts'])} by bins")
        if entry["diagnosis"]["calibration_error"]["ece"] is not None:
            found.add("by errors of bins")
        assert n > 0
    return found


@pytest.mark.parametrize("left_out", [1, 19])
def test_nothing_is_told_of_few(left_out: int) -> None:
    p = cases(left_out)
    made = report(p, [CanonicalLens(), region()])
    assert told_of_few(made, p) == set()
    (whole, part) = made.assessment.verdicts
    assert whole.frequencies
    assert part.answer == assess(p, survey(p, FAST, [CanonicalLens(), region()])).verdicts[1].answer
    assert part.typical_gap.high > 0
    assert "Reliability: 'ill', where" not in "".join(plate.title for plate in made.plates)
    assert to_html(made)


def test_the_attacker_succeeds_where_rows_are_told_or_twenty_are_left() -> None:
    p = cases(1)
    truth = int(p.labels[400] == 1)
    told = told_of_few(report(p, [CanonicalLens(), region()], with_rows=True), p)
    assert f"{truth} of 1 by frequencies" in told
    assert f"{truth} of 1 by bins" in told
    assert told_of_few(report(cases(20), [CanonicalLens(), region()]), cases(20))


def test_a_check_without_counts_may_carry_the_answer() -> None:
    p = cases(3, off=0.3)
    made = report(p, [region(), TopKLens(1)])
    assert told_of_few(made, p) == set()
    alone = report(p, [region()])
    assert alone.front.counted == ()
    assert "not handed on" in alone.front.counted_note
    assert to_html(alone)


def test_two_regions_are_not_told_where_few_lie_between() -> None:
    p = cases(40)
    edge = float(np.sort(p.probs[400:, 0])[2])
    between = region(edge)
    assert regions_kept_back(p, [region(), between], None) == {between}
    assert regions_kept_back(p, [between, region()], None) == {region()}
    assert regions_kept_back(p, [region(), region(lens=ClassLens("ill"))], None) == frozenset()
    few = RegionLens(CanonicalLens(), "ill", edge - 1e-3, edge)
    assert regions_kept_back(p, [few], None) == {few}


@pytest.mark.slow
def test_parts_through_such_a_region_tell_nothing_either() -> None:
    p, spec = cases(3), DiagnosisSpec(resamples=199, lens=region(), tests=("exact-omnibus",))
    made = report(
        p,
        [CanonicalLens()],
        answers=[
            survey_groups(p, ["site"], spec, worst=True),
            monitor(p, spec, time="number", window=60),
            decide(p, spec, [0.3, 0.5]),
        ],
    )
    document = json.loads(to_json(made))
    assert "decisions" not in document
    assert all(group["n"] is None for group in document["groups"]["groups"])
    assert document["groups"]["worst"] is None
    assert "monitoring" not in document
    assert to_html(made)
    assert to_pdf(made).startswith(b"%PDF-")


@pytest.mark.parametrize(("left_out", "told"), [(1, False), (19, False), (20, True)])
def test_the_file_of_groups_tells_what_their_document_tells(left_out: int, told: bool) -> None:
    """And the notebook's table; a frame is for whoever has the rows."""
    p = cases(left_out)
    rare = np.where(np.arange(p.n) < 25, "few", np.where(np.arange(p.n) < 30, "tiny", "many"))
    p = replace(p, metadata={**p.metadata, "rare": rare})
    spec = replace(FAST, lens=region(), tests=("exact-omnibus",))
    found = survey_groups(p, ["site", "rare"], spec, worst=True)
    assert found.kept_back == ({"rare": LEFT} if told else dict.fromkeys(("site", "rare"), REGION))
    document = json.loads(found.without_cases().to_json())
    assert (document["worst"] is not None) == (told and found.worst is not None and not found.worst.kept_back)
    in_file = list(csv.DictReader(io.StringIO(csv_of(table_handed_on(found).rows(exact=True)))))
    for one, row in zip(document["groups"], in_file, strict=True):
        assert (one["column"], one["value"]) == (row["column"], row["value"])
        assert row["n"] == ("" if one["n"] is None else str(one["n"]))
        frequencies = (one["verdict"] or {}).get("frequencies")
        assert bool(row.get("net gap")) == bool(frequencies)
        assert row["withheld"] == one["withheld"]
        assert row["counts"] == found.kept_back.get(one["column"], "")
    assert [bool(row["n"]) for row in in_file if row["column"] == "site"] == [told, told]
    assert "tiny" not in {row["value"] for row in in_file}
    shown = unescape(found._repr_html_())
    assert (REGION in shown) == (not told)
    assert (WORST_KEPT_BACK in shown) == (found.worst is not None and document["worst"] is None)
    frame = found.to_frame()
    assert frame["n"].dtype.kind in "iu"
    assert frame.loc[frame["column"] == "site", "n"].sum() == 400


def test_groups_through_such_a_region_are_printed_without_counts_unless_rows_are_wanted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for left_out, told in ((3, False), (30, True)):
        p = cases(left_out)
        rows = zip(*p.probs.T, np.array(p.class_names)[p.labels], p.metadata["site"], strict=True)
        file = tmp_path / f"{left_out}.csv"
        file.write_text("\n".join(["ill,well,label,site", *(",".join(map(str, row)) for row in rows)]))
        command = ("groups", file, "--by", "site", "--lens", "region:ill:0:0.9:canonical", "--json")
        code, out, err = run(capsys, *command, "--resamples", "199")
        assert code == 0, err
        assert [group["n"] is not None for group in json.loads(out)["groups"]] == [told, told]
        _, out, _ = run(capsys, *command, "--resamples", "199", "--with-rows")
        assert sum(group["n"] for group in json.loads(out)["groups"]) == 400


def test_whom_a_document_is_for_is_said_where_it_is_asked_for() -> None:
    """Of every command that prints one: groups alone keep back what tells of few cases."""
    said = "for whoever has the rows; to hand something on write a report"
    for name, module in COMMANDS.items():
        command = argparse.ArgumentParser()
        module.add_arguments(command)
        words = " ".join(command.format_help().split())
        if "--json" in command._option_string_actions:
            assert ("which may be handed on" in words) == (name == "groups")
            assert (said in words) == (name != "groups")
