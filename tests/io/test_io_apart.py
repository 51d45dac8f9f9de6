"""A file that is read in a process of its own is read like any other, and whatever it does ends with it."""

import io
import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibcore.data.examples import example_csv
from calibcore.errors import InputError, NoLabelsError, Remedy
from calibcore.io import Reading, ReadOptions, apart, read
from calibcore.io.apart import read_apart, read_epochs_apart, read_for_map_apart, read_pilot_apart
from calibcore.io.unlabelled import read_pilot
from tests.io.io_errors import csv
from tests.io.test_io_archives import ARCHIVES, DAMAGE

DIGITS = example_csv("digits-forest").encode()
WITH_COLUMNS = b"patient,day,a,b,label\n" + b"".join(
    b"p%d,2024-01-%02d,0.3,0.7,%s\n" % (i, i % 28 + 1, b"ab"[i % 3 > 0 :][:1]) for i in range(60)
)


@pytest.fixture(scope="module", autouse=True)
def _ended() -> Iterator[None]:
    yield
    apart._NURSERY.stop()


def npz(**arrays: Any) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def large(rows: int) -> bytes:
    rng = np.random.default_rng(0)
    return npz(probs=rng.dirichlet(np.ones(10), size=rows), labels=rng.integers(0, 10, rows))


def same(one: Reading, other: Reading) -> None:
    p, q = one.predictions, other.predictions
    assert p.fingerprint == q.fingerprint
    assert {name: values.tolist() for name, values in p.metadata.items()} == {
        name: values.tolist() for name, values in q.metadata.items()
    }
    assert type(p.metadata) is type(q.metadata)
    for array in (q.probs, q.labels, *q.metadata.values()):
        assert not array.flags.writeable
    for name in (
        "notes",
        "label_source",
        "options",
        "columns",
        "label_columns",
        "name",
        "labels_name",
        "swapped",
    ):
        assert getattr(one, name) == getattr(other, name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "name"),
    [
        (DIGITS, "digits.csv"),
        (WITH_COLUMNS, "columns.csv"),
        (npz(probs=np.full((6, 3), 1 / 3), labels=np.arange(6) % 3), "x.npz"),
        (b'[{"a": 0.2, "b": 0.8, "label": "a"}, {"a": 0.5, "b": 0.5, "label": "b"}]', "x.json"),
    ],
)
def test_it_is_read_as_ever(data: bytes, name: str) -> None:
    same(read(data, name=name), read_apart(data, name=name))


@pytest.mark.slow
def test_with_labels_of_another_file_and_what_was_said_about_it() -> None:
    probs, labels = b"a,b\n0.2,0.8\n0.6,0.4\n", b"label\nb\na\n"
    options = ReadOptions(renormalise=True)
    there = read_apart(probs, name="p.csv", labels=labels, labels_name="l.csv", options=options)
    same(read(probs, name="p.csv", labels=labels, labels_name="l.csv", options=options), there)


def test_whatever_else_is_read_is_read_as_ever() -> None:
    """Predictions without labels, those that a map is applied to, and the files of a training run."""
    probs, labels = b"a,b\n0.2,0.8\n0.6,0.4\n", b"label\nb\na\n"
    pilot = read_pilot_apart(probs, name="p.csv")
    assert pilot.fingerprint == read_pilot(probs, name="p.csv").fingerprint
    assert not pilot.probs.flags.writeable
    given, labelled = read_for_map_apart(probs, ("b", "a"), name="p.csv")
    assert (given.class_names, labelled) == (("b", "a"), False)
    assert given.probs[0].tolist() == [0.8, 0.2]
    names = ["epoch_1.csv", "epoch_2.csv"]
    run = read_epochs_apart([probs, probs], names=names, labels=labels, labels_name="l.csv")
    assert list(run.predictions) == [1, 2]
    with pytest.raises(InputError, match="no number"):
        read_epochs_apart([probs, probs], names=["a.csv", "b.csv"], labels=labels)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"a,b\n0.2,0.8\n",
        b"\xff\xfe\x00nonsense",
        b"a,b,label\n0.2,0.9,a\n",
        b"{",
        b"PK\x03\x04",
        csv((2, 2, "oops"), (5, 4, "zebra")),  # rows to leave out
        b"30,40,label\n30,40,a\n" * 3,
    ],
)
def test_what_is_wrong_with_it_is_said_as_ever(data: bytes) -> None:
    with pytest.raises(InputError) as here:
        read(data, name="x.csv")
    with pytest.raises(InputError) as there:
        read_apart(data, name="x.csv")
    one, other = here.value, there.value
    assert (type(one), str(one), one.remedies, one.columns) == (
        type(other),
        str(other),
        other.remedies,
        other.columns,
    )
    assert getattr(one, "__notes__", ()) == getattr(other, "__notes__", ())


def test_that_kind_of_error_is_tried() -> None:
    with pytest.raises(NoLabelsError):
        read_apart(b"a,b\n0.2,0.8\n0.6,0.4\n", name="x.csv")
    with pytest.raises(InputError) as caught:
        read_apart(csv((2, 2, "oops")), name="x.csv")
    assert [remedy.change for remedy in caught.value.remedies] == [{"leave_out_rows": (2,)}]


def test_readings_to_choose_from_come_across() -> None:
    rows = ({"row 1": "cat 0.81, dog 0.19"}, {"row 2": "cat 0.4, dog 0.6"})
    error = InputError(
        "Two fit.", [Remedy("cat, dog", {"columns": ("a", "b")}, rows=rows), Remedy("x", asks="y")]
    )
    error.columns = ("a", "b")
    out = io.BytesIO()
    pickle.Pickler(out, protocol=5).dump((type(error), error.args, error.__dict__))
    assert apart._AnswerUnpickler(io.BytesIO(out.getvalue())).load() == (
        InputError,
        error.args,
        error.__dict__,
    )


def test_it_ends_when_its_time_is_over_and_nobody_is_held_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "LOOK", 0.005)
    data, gaps, over = large(300_000), [0.0], threading.Event()
    read_apart(DIGITS, name="x.csv")

    def tick() -> None:
        last = time.monotonic()
        while not over.is_set():
            time.sleep(0.01)
            now = time.monotonic()
            gaps.append(now - last)
            last = now

    ticking = threading.Thread(target=tick)
    ticking.start()
    with pytest.raises(InputError, match=r"took more than 0 seconds, the most that this server allows\. Use"):
        read_apart(data, name="x.npz", seconds=0.03)
    same(read(data, name="x.npz"), read_apart(data, name="x.npz"))
    over.set()
    ticking.join()
    assert max(gaps) < 1.0
    assert children() == []


def children() -> list[int]:
    """Of the process that waits."""
    assert apart._NURSERY._process is not None
    pid = apart._NURSERY._process.pid
    until = time.monotonic() + 5
    path = Path(f"/proc/{pid}/task/{pid}/children")
    while (found := path.read_text().split()) and time.monotonic() < until:
        time.sleep(0.02)
    return [int(number) for number in found]


@pytest.mark.slow
def test_a_process_that_dies_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def dies(pid: int) -> int:
        os.kill(pid, signal.SIGSEGV)
        return 0

    data = large(300_000)
    monkeypatch.setattr(apart, "LOOK", 0.005)
    with monkeypatch.context() as patch:
        patch.setattr(apart, "_resident", dies)
        with pytest.raises(InputError, match="could not be read: most likely it needs more memory"):
            read_apart(data, name="x.npz")
    assert apart._NURSERY._process is not None
    apart._NURSERY._process.kill()
    apart._NURSERY._process.wait()
    same(read(DIGITS, name="x.csv"), read_apart(DIGITS, name="x.csv"))


def test_too_much_memory_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "LOOK", 0.005)
    monkeypatch.setattr(apart, "TIMES", 0)
    monkeypatch.setattr(apart, "SHARE", 1_000_000)
    with pytest.raises(InputError, match="needs more memory than this server allows"):
        read_apart(large(300_000), name="x.npz")
    assert children() == []


@pytest.mark.slow
def test_a_small_file_that_takes_much_waits_for_its_turn_among_the_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(apart, "LOOK", 0.005)
    monkeypatch.setattr(apart, "LARGE", 10**9)
    monkeypatch.setattr(apart, "SHARE", 1_000_000)
    asked, answer = [], apart._answer

    def heard(*given: Any) -> Any:
        asked.append(given[-1])
        return answer(*given)

    monkeypatch.setattr(apart, "_answer", heard)
    data = large(300_000)
    same(read(data, name="x.npz"), read_apart(data, name="x.npz"))
    assert asked == [False, True]


def test_no_room_for_a_process_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(apart, "_NURSERY", apart._Nursery())
    monkeypatch.setattr(apart.subprocess, "Popen", full)
    apart.warm()
    with pytest.raises(InputError, match="cannot be read now: the server has no room for it"):
        read_apart(DIGITS, name="x.csv")


def test_whoever_waits_can_break_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    class Left(BaseException):
        pass

    def leaves(_waits: bool) -> None:
        raise Left

    monkeypatch.setattr(apart, "LOOK", 0.005)
    with pytest.raises(Left):
        read_apart(large(300_000), name="x.npz", check=leaves)
    assert children() == []


def test_one_large_file_is_read_at_a_time_and_small_ones_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "LARGE", 1_000)
    at_once, most = [0], [0]
    answer = apart._answer

    def counted(parts: tuple[bytes, ...], *rest: Any) -> Any:
        big = len(parts[1]) > 1_000
        at_once[0] += big
        most[0] = max(most[0], at_once[0])
        try:
            return answer(parts, *rest)
        finally:
            at_once[0] -= big

    monkeypatch.setattr(apart, "_answer", counted)
    small = b"a,b,label\n0.2,0.8,a\n0.3,0.7,b\n"
    files = [DIGITS, small, DIGITS, small, DIGITS]
    threads = [threading.Thread(target=read_apart, args=(data,), kwargs={"name": "x.csv"}) for data in files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert most == [1]


class Evil:
    def __reduce__(self) -> Any:
        return os.system, ("true",)


@pytest.mark.parametrize(
    "value",
    [Evil(), os.getcwd, print, apart.read_apart, pickle.loads, np.load, Path("/")],
)
def test_a_child_that_is_somebody_elses_gets_nothing_done(value: Any) -> None:
    with pytest.raises(pickle.UnpicklingError):
        apart._AnswerUnpickler(io.BytesIO(pickle.dumps(value, protocol=5))).load()


def test_names_within_names_lead_nowhere() -> None:
    evil = b"\x80\x04\x8c\x0fcalibcore.limits\x8c\tos.system\x93."
    with pytest.raises((pickle.UnpicklingError, EOFError)):
        apart._AnswerUnpickler(io.BytesIO(evil)).load()
    out = io.BytesIO()
    pickle.Pickler(out, protocol=5).dump(read(WITH_COLUMNS, name="x.csv").notes)
    assert apart._AnswerUnpickler(io.BytesIO(out.getvalue())).load()


@pytest.mark.parametrize("damage", ["another checksum", "locked", "Zstandard"])
def test_a_damaged_archive_is_called_so(damage: str) -> None:
    """And not too large for the memory."""
    change, says = DAMAGE[damage]
    with pytest.raises(InputError) as error:
        read_epochs_apart([change(ARCHIVES["run.npz"])], names=["run.npz"])
    assert says in str(error.value)
    with pytest.raises(InputError) as error:
        read_apart(change(ARCHIVES["one.npz"]), name="one.npz")
    assert says in str(error.value)
