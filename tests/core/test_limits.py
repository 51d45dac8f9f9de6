"""Configuration: what the environment may say."""

import os

import pytest

from calibcore.limits import LIMITS, PREFIX, VARIABLES, VERSION, Limits, asset_path


def test_an_empty_environment_gives_the_defaults_and_at_least_one_thread():
    limits = Limits.from_environment({})
    assert limits.threads >= 1
    assert limits == Limits(threads=limits.threads)


def test_every_variable_is_read():
    given = {name: str(11 + i) for i, name in enumerate(VARIABLES)}
    limits = Limits.from_environment(given)
    for name, text in given.items():
        assert getattr(limits, name.removeprefix(PREFIX).lower()) == int(text)


def test_all_variables_begin_with_the_prefix():
    assert len(VARIABLES) == len(set(VARIABLES))
    assert all(name.startswith("CALIBLENS_") and name.isupper() for name in VARIABLES)


def test_zero_threads_stand_for_the_cores_of_this_process():
    expected = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert Limits.from_environment({"CALIBLENS_THREADS": "0"}).threads == expected


def test_the_other_settings_stay_when_threads_are_counted():
    assert Limits.from_environment({"CALIBLENS_JOBS": "7"}).jobs == 7


def test_blanks_count_as_left_out():
    blank = Limits.from_environment({"CALIBLENS_JOBS": "  ", "CALIBLENS_MAX_ROWS": ""})
    assert blank == Limits.from_environment({})
    assert Limits.from_environment({"CALIBLENS_JOBS": " 3 "}).jobs == 3


@pytest.mark.parametrize("text", ["-1", "2.5", "many", "1e3", "0x10", "²", "1_000", "+4"])
def test_what_is_no_whole_number_is_refused_by_name(text: str):
    with pytest.raises(ValueError, match=r"CALIBLENS_MAX_ROWS is .*; expected a whole number from 1 up"):
        Limits.from_environment({"CALIBLENS_MAX_ROWS": text})


def test_only_threads_may_be_zero():
    for name in VARIABLES:
        if name != "CALIBLENS_THREADS":
            with pytest.raises(ValueError, match=f"{name} is '0'"):
                Limits.from_environment({name: "0"})


def test_other_variables_are_left_alone():
    assert Limits.from_environment({"THREADS": "x", "CALIBLENS": "y"}) == Limits.from_environment({})


def test_this_process_has_limits_of_at_least_one():
    assert all(getattr(LIMITS, name.removeprefix(PREFIX).lower()) >= 1 for name in VARIABLES)


def test_assets_are_found():
    assert asset_path("examples", "index.json").is_file()
    assert VERSION.count(".") == 2
