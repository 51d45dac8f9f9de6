"""Products in one thread while our own threads work, and what was before afterwards."""

from collections.abc import Iterator
from dataclasses import replace
from threading import Barrier, Thread

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from calibcore import diagnose, judge, limits, survey
from calibcore.numerics.blas import in_one_thread
from tests.strategy_battery import made


def threads_of_products() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def set_threads_of_products(size: int) -> None:
    """From a thread that is gone then: as long as it lives some libraries would listen to no other."""
    thread = Thread(target=threadpool_limits, args=(size, "blas"))
    thread.start()
    thread.join()


@pytest.fixture(autouse=True)
def two_before() -> Iterator[None]:
    (before,) = threads_of_products()
    set_threads_of_products(2)
    yield
    set_threads_of_products(before)


def test_within_products_have_one_thread_and_afterwards_what_they_had() -> None:
    with in_one_thread():
        with in_one_thread():
            assert threads_of_products() == {1}
        assert threads_of_products() == {1}
    assert threads_of_products() == {2}
    with pytest.raises(ZeroDivisionError), in_one_thread():
        raise ZeroDivisionError
    assert threads_of_products() == {2}


def test_whoever_leaves_last_gives_back() -> None:
    """Two surveys beside each other, of which the first to begin is the first to end."""
    inside, left, seen = Barrier(2), Barrier(2), list[set[int]]()

    def first() -> None:
        with in_one_thread():
            inside.wait(10)
        left.wait(10)

    def second() -> None:
        with in_one_thread():
            inside.wait(10)
            left.wait(10)
            seen.append(threads_of_products())

    both = [Thread(target=first), Thread(target=second)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert seen == [{1}]
    assert threads_of_products() == {2}


def test_whoever_set_threads_before_still_may() -> None:
    with in_one_thread():
        pass
    with threadpool_limits(1, "blas"):
        assert threads_of_products() == {1}
    assert threads_of_products() == {2}


@pytest.mark.parametrize("threads", [1, 2])
def test_surveys_verdicts_and_diagnoses_have_it_however_many_threads(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIMITS", replace(limits.LIMITS, threads=threads))
    p, seen = made(600, 3), list[set[int]]()

    def look(*_: object) -> None:
        seen.append(threads_of_products())

    judge(p, survey(p, progress=look), look)
    diagnose(p, progress=look)
    assert {frozenset(each) for each in seen} == {frozenset({1})}
    assert threads_of_products() == {2}


@pytest.mark.parametrize("stops", ["progress", "on_result"])
def test_a_survey_that_is_stopped_gives_back(stops: str) -> None:
    def stop(*_: object) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        survey(made(600, 3), **{stops: stop})  # type: ignore[arg-type]
    assert threads_of_products() == {2}
