"""How many cases would tell: a button plans, then one number on Overview, on Decisions and in reports."""

import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from calibcore import Plan, plan
from calibcore.io import read
from calibcore.questions.plan import about
from pages.ui import settings
from pages.ui.settings import Settings
from tests.pages.harness import AS_PEOPLE_GET_IT, on_page, opened, press, said, settled, upload
from tests.pages.test_verdicts import FAIR, table

BUTTON = "How many cases would tell?"
WIDE = replace(settings.START, tolerance=0.15)
CONSISTENT = "a calibrated model would be called consistent within 15 points 8 times in 10"
NUMBER = re.compile(rf"About ([\d,]+) cases would do: {CONSISTENT}")


def numbers(app: AppTest) -> list[str]:
    return NUMBER.findall(said(app))


def planned(app: AppTest) -> Plan:
    (job,) = app.session_state["jobs"]["plan"].values()
    found: Plan = job.future.result()
    return found


def buttons(app: AppTest) -> int:
    return sum(button.label == BUTTON for button in app.button)


@pytest.mark.slow
def test_one_number_on_overview_decisions_and_in_the_report_and_none_before_it_is_asked_for() -> None:
    session = opened("data", AS_PEOPLE_GET_IT, in_use="wine", settings=Settings(WIDE))
    app = upload(session, text=table(FAIR))
    for page in ("overview", "decisions", "share"):
        app = on_page(app, page)
        assert "would do: a calibrated model" not in said(app)
        assert buttons(app) == (page != "share")
    assert "Include how many cases would tell" not in [box.label for box in app.checkbox]
    app = settled(press(on_page(app, "overview"), BUTTON))
    found = planned(app)
    p = read(table(FAIR).encode()).predictions
    assert found.cases == plan(p, replace(WIDE, lens=found.spec.lens)).cases  # as `plan` says it
    number = f"{about(found.cases):,}"
    assert numbers(app) == [number]
    assert buttons(app) == 0
    app = on_page(app, "decisions")
    assert numbers(app) == [number]
    app = on_page(app, "share")
    (box,) = [box for box in app.checkbox if box.label == "Include how many cases would tell"]
    app = settled(box.check().run())
    made = [job for job in app.session_state["jobs"]["report"].values() if job.ready]
    report = made[-1].future.result()
    (part,) = report.parts
    assert (part.name, part.document["cases"]) == ("plan", found.cases)
    assert NUMBER.findall(report.more) == [number]
    assert not any(map(NUMBER.search, report.front.to_do))  # once, beside the verdict
    # With another tolerance the number is another one, which is not told before it is asked for.
    app = on_page(app, "overview")
    next(n for n in app.number_input if n.label == "Tolerance, in points").set_value(12.0).run()
    assert not re.search(r"would do: a calibrated model", said(app))
    assert buttons(app) == 1
