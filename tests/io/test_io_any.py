"""Reading files: any bytes give a reading or one sentence, and what is written is read back."""

import csv
import io
import json
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from calibcore.column_names import lexicon
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.io import Reading, ReadOptions, read
from tests.hostile.corpus import MAGIC, damaged
from tests.hostile.corpus import NAMES as ANY_NAMES
from tests.strategies import predictions

MANY = settings(max_examples=100)
RNG = np.random.default_rng(0)
PROBS = RNG.multinomial(1000, [0.2, 0.3, 0.5], size=12) / 1000
LABELS = np.r_[0, 1, 2, RNG.integers(0, 3, 9)]
TABLE = pd.DataFrame(PROBS, columns=list("abc")).assign(label=np.array(list("abc"))[LABELS], age=30)


def written(write, *arguments, **others) -> bytes:
    buffer = io.BytesIO()
    write(buffer, *arguments, **others)
    return buffer.getvalue()


NAMES = st.sampled_from(ANY_NAMES)
READ_AS_IT_IS = ReadOptions()
OPTIONS = st.builds(
    ReadOptions,
    label_column=st.sampled_from([None, None, None, "label", "column 4", "no"]),
    values=st.sampled_from(["auto", "auto", "auto", "probabilities", "percent", "logits"]),
    label_base=st.sampled_from([None, None, None, 0, 1]),
    header=st.sampled_from([None, None, None, True, False]),
    delimiter=st.sampled_from([None, None, None, ";", "tab", "x"]),
    class_names=st.sampled_from([None, None, None, ("a", "b", "c"), ("no", "yes")]),
    renormalise=st.booleans(),
    transpose=st.sampled_from([False, False, False, True]),
    leave_out_rows=st.sampled_from([(), (), (), (1,), (2, 3, 12), (10**9,)]),
    swap_files=st.sampled_from([None, None, None, True, False]),
    columns_are=st.sampled_from([None, None, None, ("c", "a", "b"), ("x", "x")]),
    ordered=st.sampled_from([None, None, None, ("c", "a", "b"), ("x", "x"), ("none",)]),
)


def check(
    data: bytes,
    name: str,
    labels: bytes | None = None,
    options: ReadOptions = READ_AS_IT_IS,
    mend: bool = True,
) -> None:
    """Predictions, or a sentence; and the same of whatever is offered as a remedy."""
    try:
        reading = read(data, name=name, labels=labels, options=options)
    except InputError as error:
        for remedy in error.remedies if mend else ():
            if remedy.change:
                check(data, name, labels, options.mended(remedy), mend=False)
        message = str(error)
        assert message
        assert message[-1] in ".}"
        assert "in a way that is not known here" not in message  # the net below all nets
        assert len(message) < 2000
        return
    assert isinstance(reading, Reading)
    assert isinstance(reading.predictions, Predictions)
    np.testing.assert_allclose(reading.predictions.probs.sum(axis=1), 1, atol=1e-5)


@MANY
@given(st.sampled_from(MAGIC), st.binary(max_size=300), NAMES)
def test_any_bytes(start, data, name):
    check(start + data, name)


@MANY
@given(st.text(alphabet="0123456789.,;-\n\t \"'ab%#=[]{}:é", max_size=200), NAMES, OPTIONS)
def test_any_text(text, name, options):
    check(text.encode(), name, options=options)


@settings(MANY, max_examples=300)
@given(damaged(), NAMES, st.none() | damaged() | st.just(b"\n".join(b"%d" % y for y in LABELS)), OPTIONS)
@pytest.mark.slow
def test_damaged_files(data, name, labels, options):
    check(data, name, labels, options)


@MANY
@given(st.binary(max_size=200), st.sampled_from(["probs.npy", "xl/workbook.xml", "a.csv"]), st.booleans())
def test_any_bytes_in_a_zip(data, name, with_header):
    header = written(np.save, PROBS)[:128] if with_header else b""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, header + data)
    check(buffer.getvalue(), "x.npz")


STYLES = st.sampled_from(["names", "0-based", "1-based", "one-hot", "file"])
NOT_DIGITS = st.text(
    alphabet=st.characters(min_codepoint=33, max_codepoint=0x24F, exclude_categories=("C", "Z")), max_size=8
).map(lambda text: f"k{text}")


@st.composite
def named(draw: st.DrawFn) -> Predictions:
    """Predictions whose classes have any names that differ in more than capital letters.

    None is called as an uncertainty: such a column is a class only where labels name it.
    """
    p = draw(predictions(classes=(2, 6), cases=(2, 12)))
    certain = NOT_DIGITS.filter(lambda name: not any(word in name.lower() for word in lexicon.UNCERTAINTY))
    names = draw(st.lists(certain, min_size=p.m, max_size=p.m, unique_by=str.lower))
    return Predictions.from_arrays(p.probs, p.labels, names)


@pytest.mark.slow
@MANY
@given(
    named(),
    st.sampled_from(["names", "0-based", "1-based", "one-hot", "file"]),
    st.sampled_from([",", ";", "\t"]),
)
def test_what_is_written_is_read_back(p, style, separator):
    columns = {f"p_{name}": p.probs[:, k] for k, name in enumerate(p.class_names)}
    labels = None
    if style == "names":
        columns["label"] = np.array(p.class_names)[p.labels]
    elif style == "one-hot":
        columns |= {f"y_{name}": p.onehot()[:, k].astype(int) for k, name in enumerate(p.class_names)}
    elif style == "file":
        names = np.array(p.class_names)[p.labels]
        labels = pd.Series(names).to_csv(index=False, header=False, quoting=csv.QUOTE_ALL).encode()
    else:
        columns["label"] = p.labels + int(style == "1-based")
    base = int(style[0]) if style.endswith("based") else None
    data = pd.DataFrame(columns).to_csv(index=False, sep=separator).encode()
    try:
        reading = read(data, labels=labels, options=ReadOptions(label_base=base))
    except InputError as question:
        if not question.remedies:  # so few cases may fit two readings, and then a person is asked
            raise
        return
    assert reading.predictions.fingerprint == p.fingerprint
    assert reading.label_kind == ("names" if style == "file" else style)


@pytest.mark.slow
@settings(max_examples=30)
@given(named())
def test_every_format_reads_alike(p):
    names = [f"p_{name}" for name in p.class_names]
    frame = pd.DataFrame(p.probs, columns=names)
    frame["label"] = np.array(p.class_names)[p.labels]
    files = [
        written(frame.to_parquet),
        written(frame.to_feather),
        json.dumps(frame.to_dict("records")).encode(),
        json.dumps(frame.to_dict("list")).encode(),
        written(np.savez, probs=p.probs, labels=p.labels, class_names=p.class_names),
    ]
    for data in files:
        reading = read(data, options=ReadOptions(label_base=0))
        assert reading.predictions.fingerprint == p.fingerprint


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("header", [True, False])
def test_plain_tables_need_no_options(separator, header):
    frame = pd.DataFrame(np.c_[PROBS, LABELS], columns=["a", "b", "c", "label"]).astype({"label": int})
    reading = read(frame.to_csv(index=False, header=header, sep=separator).encode())
    assert_array_equal(reading.predictions.probs, PROBS)
    assert_array_equal(reading.predictions.labels, LABELS)
