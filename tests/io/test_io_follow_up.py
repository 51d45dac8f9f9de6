"""A follow-up time beside an event: censored cases count as "did not happen" once a person says so."""

import pytest

from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from calibcore.words.readings import flags_beyond
from tests.io.readings import RNG, N, P, Y, choices, chosen, holds, table

TIMES = RNG.exponential(1000, N).round(1)
SURVIVAL = [
    ("futime", "event"), ("time", "status"), ("follow_up_days", "died"), ("OS_time", "OS_event"),
    ("tte", "event"),
    ("time_to_event", "event_occurred"), ("Survival_in_days", "Status"), ("months", "death"), ("T", "E"),
    ("survival time", "dead"), ("days (follow-up)", "relapse"), ("Zeit", "Ereignis"), ("time", "fustat"),
]  # fmt: skip


@pytest.mark.parametrize("names", SURVIVAL, ids=" ".join)
def test_an_event_beside_a_follow_up_time_is_asked_about(names: tuple[str, str]) -> None:
    time, event = names
    data = table({time: TIMES, event: Y, "pred_risk_5y": P})
    with pytest.raises(InputError, match="seems to be a follow-up time") as caught:
        read(data)
    (remedy,) = caught.value.remedies
    assert remedy.words == f"The labels are {event!r}. Cases without an event count as 'did not happen'"
    assert flags_beyond(ReadOptions().mended(remedy), ReadOptions()) == f"--label-column {event}"
    (reading,) = chosen(data, [remedy])
    assert holds(reading)
    assert any("Cases without an event count as 'did not happen'" in note for note in reading.notes)


def test_who_was_censored_is_the_other_one() -> None:
    data = table({"days": TIMES, "censored": 1 - Y, "prob": P})
    assert holds(chosen(data, choices(data))[0])


def test_codes_1_and_2() -> None:
    data = table({"time": TIMES, "status": Y + 1, "risk": P})
    assert holds(chosen(data, choices(data))[0])


@pytest.mark.parametrize(
    "columns",
    [
        {"days": TIMES, "label": Y}, {"time_in_hospital": TIMES, "died": Y}, {"tenure": TIMES, "churned": Y},
        {"years": 1, "died": Y}, {"time": range(N), "died": Y}, {"time": P, "died": Y},
        {"years": TIMES, "wahr": Y},
    ],
)  # fmt: skip
def test_other_times_are_no_question(columns: dict[str, object]) -> None:
    assert holds(read(table({**columns, "prob": P})))


def test_a_follow_up_time_beside_a_label_is_said() -> None:
    reading = read(table({"followup": TIMES, "label": Y, "prob": P}))
    assert holds(reading)
    assert any("Column 'followup' seems to be a follow-up time" in note for note in reading.notes)
