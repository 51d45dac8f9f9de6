"""The Groups page: columns, verdicts, a group on every page and the way back, units, dates that fit twice."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from calibcore import DiagnosisSpec, Predictions, compare, survey_groups
from calibcore.data.examples import load_example
from calibcore.io import Reading, read
from calibcore.questions.compare import words as comparing
from calibcore.transforms.lenses import CanonicalLens
from calibcore.words.repeating import diagnosis_command
from pages.ui import state
from pages.ui.groups import opening
from pages.ui.settings import Settings
from pages.ui.state import Loaded
from tests.pages.harness import CSV, START, choose, displayed, on_page, opened, press, said, settled, upload

LENS = Settings(replace(START, lens=CanonicalLens()))


def made(n: int = 400, dates: bool = False) -> Loaded:
    """Two sites, the one called B off; a site of 9 cases; each patient twice."""
    rng = np.random.default_rng(6)
    site = np.repeat(["A", "B", "tiny"], [n // 2, n - n // 2 - 9, 9])
    q = rng.uniform(0.2, 0.8, n)
    truth = np.where(site == "B", q - 0.15, q)
    labels = (rng.random(n) > truth).astype(int)
    columns = {"site": site, "patient": np.array([f"P{i // 2}" for i in range(n)])}
    if dates:
        columns["seen"] = np.array([f"{1 + i % 12:02d}/{1 + i % 11:02d}/2026" for i in range(n)])
    p = Predictions.from_arrays(np.column_stack([q, 1 - q]), labels, ["ill", "well"], columns)
    return Loaded("model-0", "two.csv", "", "visit", p, repeats=False)


def page(data: Loaded, **state: object) -> AppTest:
    return opened("groups", models={data.key: data}, in_use=data.key, settings=LENS, **state)


def test_what_is_needed_and_an_example_that_has_it() -> None:
    app = opened("groups", in_use="wine")
    assert "Groups need a column beside the predictions" in said(app)
    app = settled(press(app, "Look at an example with sites and patients"))
    text = said(app)
    assert "so choose before you see results" in text
    assert "1,460 units (patient), one row of each" not in text  # nothing is tested yet
    (box,) = [one for one in app.multiselect if one.label == "Columns that make groups"]
    assert box.options == ["site", "sex", "age", "date"]  # the patient is the unit
    app = settled(box.select("site").run())
    app = settled(app)
    text = said(app)
    assert "## Worst in site East: it says " in text
    assert "These are 1,460 units (patient), one row of each, drawn at random by seed 0." in text
    found = survey_groups(
        load_example("clinic"), ["site"], DiagnosisSpec(lens=CanonicalLens(), unit="patient")
    )
    assert [f"{g.n:,}" for g in found.groups] == list(displayed(app.dataframe[0])["Visits"])


@pytest.mark.slow
def test_a_group_is_looked_at_alone_on_every_page_and_left_again() -> None:
    app = page(made(), groups_by=("site",))
    app = settled(app)
    assert re.search(
        r"## Worst in site B: it says \d+.% for '\w+', it happens in \d+ to \d+.%\.\s+"
        r"In site B it is typically \d+\.\d points off \(approximate 95.% interval \d+\.\d to \d+\.\d\), "
        r"on balance '\w+' too (?:high|low)\. "
        r"Miscalibrated in 1 of 2 groups that were tested\.\s+"
        r"On balance groups differ from each other by site \(p ",
        said(app),
    )
    assert "1 group not tested: fewer than 20 visits." in said(app)
    assert list(displayed(app.dataframe[0])["Visits"]) == ["200", "191", "fewer than 20"]
    app.session_state["groups-opened"] = 0  # the mark of B, as a click on the figure says
    app = settled(app.run())
    assert app.session_state["in-use"].startswith("model-0-group-")
    app = on_page(app, "reliability")
    assert "two.csv, site B · 191 of 400 visits · 2 classes" in said(app)
    app = settled(press(app, "Back to all 400 visits"))
    assert "two.csv · 400 visits" in said(app)


def test_the_command_of_a_group_reads_its_rows_where_a_flag_can_say_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    two = made()
    file = pd.DataFrame(two.predictions.probs, columns=two.predictions.class_names)
    file["truth"] = np.array(two.predictions.class_names)[two.predictions.labels]
    file["site"], file["age"] = np.tile(["St. Gallen", "Bern"], 200), np.arange(400) % 80
    content = file.to_csv(index=False).encode()
    reading = read(content, name="two.csv")
    data = replace(two, predictions=reading.predictions, reading=reading)
    opened_groups: list[Loaded] = []
    monkeypatch.setattr(state, "models", dict)
    monkeypatch.setattr(state, "free_title", lambda title, _: title)
    monkeypatch.setattr(state, "keep", opened_groups.append)
    spec = LENS.spec
    for group in survey_groups(data.predictions, ["site", "age"], spec).groups:
        opening.use(group, data, spec)
    flags = {}
    for each in opened_groups:
        origin = each.origin
        command = diagnosis_command(spec, origin).command
        flags[each.title] = "--rows-where" in command
        if isinstance(origin, Reading):
            again = read(content, options=origin.options).predictions
            assert again.fingerprint == each.predictions.fingerprint
        else:
            assert "PREDICTIONS" in command
    assert flags["two.csv, site St. Gallen"]
    assert flags["two.csv, site Bern"]
    assert not any(flag for title, flag in flags.items() if "age" in title)  # cut at quartiles


def test_the_search_waits_for_a_click() -> None:
    app = settled(page(made(), groups_by=("site",)))
    assert "Where it is worst" not in said(app)
    app = settled(settled(press(app, "Where is it worst?")))
    assert "Where it is worst: in 191 visits with site B" in said(app)


@pytest.mark.slow
def test_rows_that_belong_together_are_chosen_in_the_side_bar() -> None:
    data = replace(made(), group_column="patient", repeats=None)
    app = settled(page(data, groups_by=("site",)))
    assert "here 400 visits come from 200 different values of 'patient'" in said(app)
    app = settled(choose(app, "Rows that belong together", "Those of one patient"))
    text = said(app)
    assert "different values of" not in text
    assert "These are 200 units (patient), one row of each" in text
    app = settled(choose(app, "Rows that belong together", "None belong together"))
    assert "different values of" in said(app)


def test_a_column_that_names_no_units_is_refused_beside_its_control() -> None:
    data = made()
    p = replace(data.predictions, metadata={**data.predictions.metadata, "hole": np.array(["", *"x" * 399])})
    app = page(replace(data, predictions=p))
    app = settled(choose(app, "Rows that belong together", "Those of one hole"))
    assert "Row 1 has nothing in column 'hole'." in said(app)
    assert "The page still shows the setting before." in said(app)


@pytest.mark.parametrize(("order", "months"), [("day", 11), ("month", 12)])
@pytest.mark.slow
def test_dates_that_fit_twice_are_asked_about(order: str, months: int) -> None:
    app = settled(page(made(1_200, dates=True), groups_by=("seen",)))
    assert "Looking at the groups" not in said(app)
    app = settled(settled(press(app, f"The {order} comes first")))
    assert len(displayed(app.dataframe[0])) == months
    assert f"Dates: the {order} comes first, as you said." in said(app)


def test_what_a_question_is_about_says_not_whose_it_is() -> None:
    """The subjects of an examination are no subjects of a study."""
    exams = CSV.replace("patient,", "subject,", 1).splitlines()
    topics = ("anatomy", "law", "physics")
    text = "\n".join(
        [exams[0], *(topics[i % 3] + line[line.index(",") :] for i, line in enumerate(exams[1:]))]
    )
    app = settled(upload(opened("data"), text=text))
    assert "different values of" not in said(app)
    people = CSV.replace("patient,", "subject,", 1)
    assert "different values of 'subject'" in said(settled(upload(opened("data"), text=people)))


def test_a_column_of_single_cases_makes_no_groups() -> None:
    app = settled(page(made(), groups_by=("patient",)))
    assert "The column 'patient' has 200 groups; expected 50 at most." in said(app)
    weighted = made()
    p = replace(weighted.predictions, weights=np.ones(400))
    assert "no tests" in said(page(replace(weighted, predictions=p)))


@pytest.mark.some(2)
@pytest.mark.parametrize("name", ["", "reliability", "simplex", "tests", "compare", "share", "data"])
@pytest.mark.slow
def test_every_page_looks_at_one_row_of_each_unit(name: str) -> None:
    settings = Settings(replace(START, lens=CanonicalLens(), unit="patient"))
    app = settled(opened(name, in_use="clinic", settings=settings))
    assert "different values of" not in said(app)


def test_the_confidence_of_two_classes_says_what_it_hides() -> None:
    data = made()
    for name in ("groups", "monitor"):
        app = opened(name, models={data.key: data}, in_use=data.key)
        assert "The confidence does not tell which of two classes is said too often" in said(app)
        app = settled(press(app, "Look at both classes"))
        assert "The confidence does not tell" not in said(app)
        assert "the class 'well'" in said(app)
    assert "The confidence does not tell" not in said(opened("groups", in_use="wine"))


def test_what_a_site_is_called_says_nothing_of_rows_that_belong_together() -> None:
    """Cases of a site make a group; those of a patient belong together."""
    for name in ("site", "hospital", "group", "Site ID", "ward"):
        assert state.NAMES_A_UNIT.fullmatch(name) is None
    for name in ("Patient ID", "subjects", "cluster"):
        assert state.NAMES_A_UNIT.fullmatch(name) is not None
    text = CSV.replace("patient,", "site,", 1)
    app = settled(upload(opened("data"), text=text))
    assert "different values of" not in said(app)
    app = settled(upload(opened("data")))
    assert "here 60 cases come from 20 different values of 'patient'" in said(app)


@pytest.mark.slow
def test_the_other_models_are_compared_on_the_group_in_use() -> None:
    data = made()
    p = data.predictions
    turned = np.arange(p.n)[::-1]
    numbered = replace(p, metadata={**p.metadata, "case": np.arange(p.n)})
    other = Predictions.from_arrays(
        numbered.probs**1.3 / (numbered.probs**1.3).sum(axis=1, keepdims=True),
        p.labels, p.class_names, {"case": np.arange(p.n)},
    ).with_rows(turned)  # fmt: skip
    data = replace(data, predictions=numbered)
    beside = replace(data, key="model-1", title="other.csv", predictions=other)
    alone = replace(data, key="model-2", title="short.csv", predictions=p.with_rows(np.arange(90)))
    models = {one.key: one for one in (data, beside, alone)}
    app = settled(opened("groups", models=models, in_use=data.key, settings=LENS, groups_by=("site",)))
    app.session_state["groups-opened"] = 0
    app = settled(app.run())
    app = on_page(app, "compare")
    text = said(app)
    assert "two.csv, site B · 191 of 400 visits · 2 classes" in text
    (box,) = [one for one in app.multiselect if one.label == "Compared with"]
    assert list(box.options) == ["other.csv, site B"]
    rows = np.flatnonzero(p.metadata["site"] == "B")
    expected = compare(
        {
            "two.csv, site B": numbered.with_rows(rows),
            "other.csv, site B": other.with_rows(turned).with_rows(rows),
        },
        replace(START, lens=CanonicalLens()),
    )
    table = next(displayed(one) for one in app.dataframe if "Model" in one.value)
    assert set(table["Model"]) == {"two.csv, site B", "other.csv, site B"}
    assert comparing.headline(expected).replace("These cases", "These visits") in text
    assert "short.csv is not compared" in text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["data", "reliability", "improve", "monitor", "decisions", "share", "tests"])
def test_every_page_says_which_cases_are_looked_at(name: str) -> None:
    whole = made()
    rows = np.arange(200)
    group = replace(
        whole, key="model-0-group-x", title="two.csv, site A", predictions=whole.predictions.with_rows(rows),
        whole=state.Whole(whole.key, 400, True, rows, "site A"),
    )  # fmt: skip
    app = settled(
        opened(
            name, models={whole.key: whole, group.key: group}, in_use=group.key, settings=LENS,
            monitor_time="\0",
        )
    )  # fmt: skip
    text = said(app)
    assert "two.csv, site A" in text
    assert "This is an example" not in text
    if name == "monitor":
        assert "One group of cases is looked at here." in text
        assert not app.file_uploader
    app = settled(press(app, "Back to all 400 visits"))
    assert app.session_state["in-use"] == whole.key


@pytest.mark.slow
def test_a_training_run_says_that_the_group_is_not_looked_at() -> None:
    whole = made()
    rows = np.arange(200)
    group = replace(
        whole, key="g", title="two.csv, site A", whole=state.Whole(whole.key, 400, True, rows, "A")
    )
    app = opened("training", models={group.key: group}, in_use=group.key)
    assert "'two.csv, site A' is in use on the other pages." in said(app)


@pytest.mark.slow
def test_a_report_can_hold_the_groups_and_the_time() -> None:
    app = settled(page(made(), groups_by=("site",)))
    app = settled(settled(press(app, "Where is it worst?")))
    app = on_page(app, "monitor")
    app = settled(choose(app, "What orders the cases", "The order of the rows"))
    app = on_page(app, "share")
    for words in ("Include the groups of 'site'", "Include evidence against calibration in time"):
        (box,) = [one for one in app.checkbox if one.label.replace("\\", "") == words]
        app = settled(box.check().run())
    (report,) = [job.future.result() for job in app.session_state["jobs"]["report"].values() if job.ready][
        -1:
    ]
    assert [part.name for part in report.parts] == ["groups", "monitoring"]
    assert "Where it is worst: in 191 visits with site B" in report.parts[0].plates[0].says
    assert "--time order" in report.parts[1].repeat.command
    assert "tiny" not in str(report.parts[0].document["groups"])
