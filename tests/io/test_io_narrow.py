"""Files whose numbers arithmetic left a little outside 0 to 1, or off 1, and numbers of half precision."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from calibcore.io.row_groups import RowGroups
from calibcore.words.readings import with_flags
from tests.io.io_errors import refusal, written

RNG = np.random.default_rng(0)
N = 400
P = RNG.random(N)
Y = (RNG.random(N) < P).astype(int)
SURE = np.where(np.arange(N) < 7, 1.0000001, np.where(np.arange(N) < 9, -1e-9, P))
G = RNG.dirichlet([0.3] * 3, N)
WORDS = np.array(list("abc"))[[RNG.choice(3, p=p) for p in G]]
SAID = "9 rows had values outside 0 to 1, by 1e-07 at most: they were set to 0 or 1."


def csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


@pytest.mark.parametrize(("name", "scale"), [("y_prob", 1), ("prob (%)", 100)])
def test_the_surest_cases_are_kept(name: str, scale: int) -> None:
    p = read(csv(pd.DataFrame({"y_true": Y, name: SURE * scale})), name="x.csv").predictions
    assert p.n == N
    assert p.probs[:9, 1].tolist() == [1] * 7 + [0] * 2
    assert SAID in p.notes


@pytest.mark.parametrize(
    ("header", "scale"), [("y_prob", 1), ("prob (%)", 100), ("no,yes", 1), ("no,yes", 100)]
)
@pytest.mark.parametrize("share", [0.6, 0.9])
def test_so_are_they_where_they_are_most_cases(header: str, scale: int, share: float) -> None:
    """A column most of whose values lie a hair outside holds no scores."""
    sure = np.arange(N) < share * N
    yes = np.where(sure, np.where(Y == 1, 1 + 1e-7, -1e-7), P) * scale
    names = header.split(",")
    columns = {names[0]: yes} if len(names) == 1 else {names[0]: scale - yes, names[1]: yes}
    label = Y if len(names) == 1 else np.array(["no", "yes"])[Y]
    p = read(csv(pd.DataFrame({"y_true": label, **columns})), name="x.csv").predictions
    assert p.probs[:, 1].tolist() == pytest.approx(np.where(sure, Y, P).tolist(), abs=1e-9)


def test_a_stream_says_the_same(tmp_path) -> None:
    path = tmp_path / "x.parquet"
    pd.DataFrame({"y_true": Y, "y_prob": SURE}).to_parquet(path)
    groups = RowGroups(path)
    parts = [part for _, part in groups.slices(150)]
    assert np.array_equal(np.concatenate([part.probs for part in parts]), read(path).predictions.probs)
    assert SAID in groups.before


@pytest.mark.parametrize("scale", [1.01, 0.99, 101])
def test_rows_of_one_sum_are_divided(scale: float, tmp_path) -> None:
    frame = pd.DataFrame(G * scale, columns=list("abc")).assign(label=WORDS)
    p = read(csv(frame), name="x.csv").predictions
    np.testing.assert_allclose(p.probs, G, atol=1e-12)
    assert any(note.startswith("400 of 400 rows were divided") for note in p.notes)
    frame.to_parquet(tmp_path / "x.parquet")
    parts = [part.probs for _, part in RowGroups(tmp_path / "x.parquet").slices(150)]
    np.testing.assert_allclose(np.concatenate(parts), G, atol=1e-12)


def test_a_long_list_of_rows_is_shortened() -> None:
    far = np.where(np.arange(N) % 5 == 0, 1.001, P)
    with pytest.raises(InputError) as error:
        read(csv(pd.DataFrame({"y_true": Y, "y_prob": far})), name="x.csv")
    said = with_flags(error.value, ReadOptions())
    assert said.endswith(
        "Leave out these 80 rows with --leave-out-rows " + "".join(f"{r}," for r in range(1, 97, 5)) + "…."
    )
    (remedy,) = error.value.remedies
    assert len(remedy.change["leave_out_rows"]) == 80


def test_leaving_out_is_not_the_first_advice() -> None:
    off = G.copy()
    off[:5] *= 0.9
    with pytest.raises(InputError) as error:
        read(csv(pd.DataFrame(off, columns=list("abc")).assign(label=WORDS)), name="x.csv")
    assert [sorted(remedy.change) for remedy in error.value.remedies] == [["renormalise"], ["leave_out_rows"]]


HALF = P.astype(np.float16)
TABLE = {"y_prob": pa.array(HALF), "y_true": pa.array(Y)}
FILES = {
    "x.npz": written(np.savez, y_prob=HALF, y_true=Y),
    "x.npy": written(
        np.save, np.array(list(zip(HALF, Y, strict=True)), [("y_prob", "f2"), ("y_true", "i8")])
    ),
    "x.parquet": written(lambda file: pyarrow.parquet.write_table(pa.table(TABLE), file)),
    "x.feather": written(lambda file: pyarrow.feather.write_feather(pa.table(TABLE), file)),
}


@pytest.mark.parametrize("name", FILES)
def test_half_precision_is_widened_first(name: str) -> None:
    probs = read(FILES[name], name=name).predictions.probs
    assert np.array_equal(probs[:, 1], HALF.astype(np.float64))
    assert np.array_equal(probs.sum(axis=1), np.ones(N))


def test_beyond_a_millionth_is_refused() -> None:
    far = np.where(np.arange(N) == 3, 1.00001, P)
    assert "Row 4 has 1.00001 in column 'y_prob'" in refusal(csv(pd.DataFrame({"y_true": Y, "y_prob": far})))


def test_what_may_be_percent_is_asked_in_a_sentence() -> None:
    said = refusal(csv(pd.DataFrame({"score": [10, 45, 3, 20.5], "label": [1, 0, 0, 1]})))
    assert said.startswith(
        "The values of column 'score' go up to 45, as percentages do, and nothing says so."
    )
