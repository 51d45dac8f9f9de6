"""Evaluation logs of language models: each kind against what is true of it, and what is refused."""

import copy
import io
import json
import math
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose

from calibcore import ClassLens, DiagnosisSpec, Predictions, TopKLens, diagnose, limits
from calibcore.data.examples import load_example
from calibcore.errors import InputError
from calibcore.io import Reading, ReadOptions, read
from calibcore.io.logs import LOGS, log_of
from calibcore.io.logs.log import softmax_of
from calibcore.io.logs.nested import answer_place, by_word, places_of, scores_of
from calibcore.io.roles.varying_options import COUNT
from calibcore.numerics.resampling import draw_labels, redrawn_counts
from tests.cli.commands import run
from tests.hostile.invariants import one_sentence, result_or_sentence
from tests.log_examples import (
    EXAMPLES,
    GENUINE,
    OF_CONFIDENCE,
    cases,
    harness,
    helm_together,
    lines,
    logs_of,
    written,
)

DOCS = Path(__file__).parents[2] / "docs" / "files.md"


def of(value: Any, name: str = "x.json", **options: Any) -> Reading:
    data = lines(value) if isinstance(value, list) else json.dumps(value).encode()
    return read(data, name=name, options=ReadOptions(**options))


def refused(value: Any, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        of(value, **options)
    one_sentence(str(caught.value))
    return caught.value


def check(reading: Reading, probs: list[list[float]], right: list[int]) -> None:
    """Each option has its probability, and one that a question has not has 0, exactly."""
    p = reading.predictions
    assert p.labels.tolist() == right
    for found, expected in zip(p.probs, probs, strict=True):
        assert_allclose(found[: len(expected)], expected, rtol=1e-9)
        assert not found[len(expected) :].any()


def softmax(scores: list[float]) -> list[float]:
    """Literally."""
    weights = [math.exp(score - max(scores)) for score in scores]
    return [weight / math.fsum(weights) for weight in weights]


@pytest.mark.parametrize("kind", LOGS)
def test_every_log_is_read_as_it_is(kind: str) -> None:
    assert kind in EXAMPLES, f"The log {kind!r} has no example: write one in tests/log_examples.py."
    value, probs, right = EXAMPLES[kind]()
    assert log_of(value) is LOGS[kind]
    log = LOGS[kind]
    row = f"| {log.label} | {log.file} | {log.reads} |"
    assert row in DOCS.read_text(encoding="utf-8"), f"docs/files.md has no row for it:\n{row}"
    reading = read(written(kind), name="x.json")
    assert reading.predictions.confidence_only == (kind in OF_CONFIDENCE), (
        f"@of({kind!r}, confidence=True) of tests/log_examples.py says that it holds no others."
    )
    check(reading, probs, right)


def test_tables_are_no_logs() -> None:
    values: tuple[Any, ...] = ([], [1], {}, {"samples": []}, [{"a": 0.5, "b": 0.5}], "text", None, [[1]])
    for value in values:
        assert log_of(value) is None


def test_genuine_samples_agree_with_what_the_harness_found() -> None:
    """Its ``acc`` is of the likeliest option, its ``acc_norm`` of the likeliest by length."""
    path = GENUINE["lm-evaluation-harness"]
    samples = [json.loads(line) for line in path.read_text().splitlines()]
    plain, divided = read(path), read(path, options=ReadOptions(by_length=True))
    for reading, metric in ((plain, "acc"), (divided, "acc_norm")):
        p = reading.predictions
        found = (p.probs.argmax(axis=1) == p.labels).astype(float)
        assert found.tolist() == [sample[metric] for sample in samples]
    p = plain.predictions
    assert p.class_names == ("A", "B", "C", "D", "E")
    assert p.metadata[COUNT].tolist() == [len(sample["filtered_resps"]) for sample in samples]
    assert set(p.metadata["task"]) == {"my_arc"}
    labels = [sample["doc"]["choices"]["label"].index(sample["doc"]["answerKey"]) for sample in samples]
    check(plain, [softmax([float(x) for x, _ in one["filtered_resps"]]) for one in samples], labels)
    assert "Rows have 3 to 5 options" in " ".join(plain.notes)
    assert "The classes are places: A is the option that stands first." in plain.notes
    assert "as asked" in " ".join(divided.notes)


def test_a_genuine_log_of_inspect_is_read_as_json_and_as_archives() -> None:
    log = json.loads(GENUINE["inspect"].read_text())
    whole = read(GENUINE["inspect"])
    assert (whole.predictions.n, whole.predictions.m) == (15, 5)
    assert set(whole.predictions.metadata) >= {"task", "id", "subject", COUNT}
    files = {"header.json": json.dumps({key: log[key] for key in log if key != "samples"})}
    files |= {f"samples/{one['id']}_epoch_1.json": json.dumps(one) for one in log["samples"]}
    files["summaries.json"] = "[]"
    for data in (_stored(files), _zstandard(files)):
        p = read(data, name="run.eval").predictions
        assert sorted(p.probs.tolist()) == sorted(whole.predictions.probs.tolist())


def _stored(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def _zstandard(files: dict[str, str], damage: bool = False) -> bytes:
    """As Inspect packs it: method 93 of ZIP."""
    body, directory = b"", b""
    for name, text in files.items():
        raw, packed = text.encode(), pa.compress(text.encode(), "zstd", asbytes=True)
        packed = packed[:-3] + b"xyz" if damage else packed
        common = struct.pack("<HHHHIII", 0, 93, 0, 0, zlib.crc32(raw), len(packed), len(raw))
        begin = struct.pack("<4sH", b"PK\x03\x04", 63) + common + struct.pack("<HH", len(name), 0)
        directory += struct.pack("<4sHH", b"PK\x01\x02", 63, 63) + common
        directory += struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, len(body)) + name.encode()
        body += begin + name.encode() + packed
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, len(files), len(files), len(directory), len(body), 0)
    return body + directory + end


def test_damaged_archives_of_logs_are_one_sentence() -> None:
    header = json.dumps({"eval": {"task": "x"}})
    for files in ({"header.json": "[]", "samples/a.json": "{}"}, {"header.json": header}):
        with pytest.raises(InputError, match="header of an evaluation and no samples"):
            read(_stored(files), name="x.eval")
    files = {"header.json": header, "samples/a.json": "{" * 500}
    for data in (_stored(files), _zstandard(files), _zstandard(files, damage=True), _zstandard(files)[:300]):
        result_or_sentence(partial(read, data, name="x.eval"))


# --- HELM and Inspect, as they write


def _helm_found(path: Path) -> list[dict[str, float]]:
    """What HELM computed of each question, by name."""
    stats = json.loads(path.with_name(f"{path.stem}_stats.json").read_text())
    return [{one["name"]["name"]: one["mean"] for one in record["stats"]} for record in stats]


@pytest.mark.parametrize(
    ("kind", "by_length"), [("letters", False), ("option by option", True), ("calibrated", False)]
)
def test_helm_found_the_same_confidence_and_answers(kind: str, by_length: bool) -> None:
    """Its ``max_prob`` and ``exact_match`` of each question, of both files of a run."""
    path = GENUINE[f"helm, {kind}"]
    found, p = _helm_found(path), read(path, options=ReadOptions(by_length=by_length)).predictions
    assert_allclose(p.probs.max(axis=1) if p.m > 2 else p.probs[:, 0], [one["max_prob"] for one in found])
    right = p.probs.argmax(axis=1) == p.labels if p.m > 2 else p.labels == 0
    assert right.tolist() == [one["exact_match"] == 1 for one in found]
    if p.m > 2:
        assert p.probs.argmax(axis=1).tolist() == [one["predicted_index"] for one in found]
    stats = read(path.with_name(f"{path.stem}_stats.json")).predictions
    assert_allclose(stats.probs[:, 0], [one["max_prob"] for one in found])


def test_every_metric_of_helm_may_write_its_own_record() -> None:
    """Those of one question belong together, whatever stands in them."""
    path = GENUINE["helm, letters"].with_name("helm_joint_stats.json")
    records = json.loads(path.read_text())
    apart = [{**record, "stats": [one]} for record in records for one in record["stats"]]
    others = [{**record, "perturbation": {"name": "typos"}} for record in records]
    assert of([*apart, *others]).predictions.n == 2 * len(records)
    assert_allclose(of(apart).predictions.probs, read(path).predictions.probs)


def test_a_service_without_log_probabilities_is_no_certain_model() -> None:
    """HELM writes 0 for all of them, and a certainty of 1 for each answer."""
    state = json.loads(GENUINE["helm, letters"].read_text())
    stats = json.loads(GENUINE["helm, letters"].with_name("helm_joint_stats.json").read_text())
    for record in state["request_states"]:
        (completion,) = record["result"]["completions"]
        completion["logprob"] = completion["tokens"][0]["logprob"] = 0.0
    for record in stats:
        for one in record["stats"]:
            one["mean"] = {"max_prob": 1.0, "logprob": 0.0}.get(one["name"]["name"], one["mean"])
    for value in (state, stats):
        assert "nothing says" in str(refused(value)).lower()


def test_texts_of_helm_have_no_confidence_in_the_answer() -> None:
    """Reasons before an answer: their probability as a whole is another one, and they are no wrong letter."""
    state = json.loads(GENUINE["helm, letters"].read_text())
    states = state["request_states"]
    for record in states[:3]:
        record["result"]["completions"][0]["text"] = " A closer look helps. The answer is B."
    error = refused(state)
    assert str(error).startswith("Row 1 has the answer 'A closer look helps.")
    assert of(state, **error.remedies[0].change).predictions.n == len(states) - 3
    for record in states:
        record["result"]["completions"][0]["text"] = " A closer look helps. The answer is B."
    assert "The model wrote texts, such as" in str(refused(state))


def test_letters_in_parts_of_bytes_are_put_together() -> None:
    """As HELM writes tokens that are no whole letters."""
    value, probs, right = EXAMPLES["helm"]()
    for record in value["request_states"]:
        for reference in record["instance"]["references"]:
            reference["output"]["text"] = reference["output"]["text"].replace("tion", "tion’s ")
        tokens = record["result"]["completions"][0]["tokens"]
        parts = [{"text": text, "logprob": 0.0} for text in ("bytes:\\xe2\\x80", "bytes:\\x99", "s")]
        tokens[-1:-1] = parts
    check(of(value), probs, right)


def test_of_a_text_with_reasons_the_answer_counts() -> None:
    """ "A" begins the sentence before, certain; the answer that a scorer took from the text comes last."""
    path = GENUINE["inspect, with reasons"]
    samples = json.loads(path.read_text())["samples"]
    expected = []
    for one in samples:
        last = one["output"]["choices"][0]["logprobs"]["content"][-1]["top_logprobs"]
        scores = {token["token"].strip(): token["logprob"] for token in last}
        expected.append(softmax([scores[letter] for letter in "ABCD"]))
    check(read(path), expected, ["ABCD".index(one["target"]) for one in samples])
    places = [{"A": -0.01}, {" B": -0.7, " A": -0.8, " C": -2.0}]
    assert answer_place(places, list("ABC")) == places[1]
    assert answer_place(places, list("ABC"), "A") == places[0]
    assert answer_place(places, list("ABC"), "C") == {}


def test_of_shuffled_choices_the_answer_alone_is_known() -> None:
    """The log has them as they were before, and its tokens letters as they came."""
    path = GENUINE["inspect, shuffled"]
    samples = json.loads(path.read_text())["samples"]
    reading = read(path)
    p = reading.predictions
    assert any("were shuffled" in note for note in reading.notes)
    expected = []
    for one in samples:
        last = one["output"]["choices"][0]["logprobs"]["content"][-1]["top_logprobs"]
        expected.append(max(softmax([token["logprob"] for token in last])))
    assert p.confidence_only
    assert_allclose(p.probs[:, 0], expected)
    assert (p.labels == 0).tolist() == [one["scores"]["choice"]["value"] == "C" for one in samples]


@pytest.mark.parametrize("form", ["{}", "{}%", "0.{}"])
def test_what_a_model_says_of_itself_to_a_scorer(form: str) -> None:
    """From 0 to 1, up to 100, or with the sign."""
    value, *_ = EXAMPLES["inspect"]()
    sure = [30 + 2 * i for i in range(len(value["samples"]))]
    for one, number in zip(value["samples"], sure, strict=True):
        del one["output"]
        cell: Any = form.format(number) if "%" in form else float(form.format(number))
        one["scores"] = {"own": {"value": "C", "answer": "A", "metadata": {"stated_confidence": cell}}}
    assert_allclose(of(value).predictions.probs[:, 0], [number / 100 for number in sure])


# --- lm-evaluation-harness --------------------------------------------------


def test_targets_are_places_letters_or_texts() -> None:
    """What the harness found by itself decides between them."""
    samples, probs, right = harness()
    lettered, worded, labelled = (copy.deepcopy(samples) for _ in range(3))
    for one, y in zip(lettered, right, strict=True):
        one["target"] = "ABCDE"[y]
    for one, y in zip(worded, right, strict=True):
        one["target"] = "ab" * (y + 1)
    for one, y, p in zip(labelled, right, probs, strict=True):  # the label "1" is no place 1
        one["doc"]["choices"] = {"label": list("12345")[: len(p)], "text": []}
        one["target"] = "12345"[y]
    for value in (samples, lettered, worded, labelled, {"samples": {"exam": samples}}):
        check(of(value), probs, right)
    counted = copy.deepcopy(samples)
    for one, y in zip(counted, right, strict=True):
        one["target"], one["acc"] = y + 1, None
    check(of(counted, label_base=1), probs, right)
    for one in labelled:
        del one["acc"]
        one["target"] = "1"
    assert "It is open what the target '1' of row 1 means" in str(refused(labelled))
    lettered[3]["target"] = "Z"
    assert str(refused(lettered)).startswith("Row 4 has the target 'Z'.")
    samples[0]["acc"] = 1 - samples[0]["acc"]
    assert any(note.startswith("In 1 of 24 questions acc") for note in of(samples).notes)


@pytest.mark.parametrize("said", [None, 0, 1])
def test_targets_that_count_from_another_number_are_never_left_out_alone(said: int | None) -> None:
    """To leave out the rows that do not fit would read all others one place off."""
    start = 0 if said == 1 else 1
    samples = [
        {"doc_id": i, "target": str(i % 4 + start), "filtered_resps": [[-1.0 - j, False] for j in range(4)]}
        for i in range(12)
    ]
    error = refused(samples, **({} if said is None else {"label_base": said}))
    assert [dict(remedy.change) for remedy in error.remedies] == [{"label_base": start}]
    assert of(samples, label_base=start).predictions.labels.tolist() == [i % 4 for i in range(12)]


def test_several_tasks_in_a_log_are_groups() -> None:
    samples, probs, right = harness()
    for value in (
        {"samples": {"one": samples, "two": samples[:9]}},
        [*({**one, "task": "one"} for one in samples), *({**one, "task": "two"} for one in samples[:9])],
    ):
        reading = of(value)
        check(reading, [*probs, *probs[:9]], [*right, *right[:9]])
        task = reading.predictions.metadata["task"]
        assert task.tolist() == ["one"] * 24 + ["two"] * 9
        assert len(set(reading.predictions.metadata["id"])) == 33
    apart = of([*samples, *samples[:9]])  # one log behind the other, and nothing names them
    assert apart.predictions.metadata["task"].tolist() == ["log 1"] * 24 + ["log 2"] * 9
    named = of(samples, name="samples_arc_easy_2026-01-02T03-04-05.6.jsonl")
    assert set(named.predictions.metadata["task"]) == {"arc_easy"}


def test_options_that_are_the_same_everywhere_are_classes() -> None:
    probs, right = cases(few=2, many=2)
    samples: list[dict[str, Any]] = [
        {
            "doc_id": i,
            "target": y,
            "arguments": [["Is it?", " no"], ["Is it?", " yes"]],
            "resps": [[[x, False]] for x in logs_of(p)],
        }
        for i, (p, y) in enumerate(zip(probs, right, strict=True))
    ]
    reading = of(samples)
    assert reading.predictions.class_names == ("no", "yes")
    check(reading, probs, right)
    for one in samples:  # beside each option how likely it is without the question
        one["arguments"] = [*one["arguments"], ["", " no"], ["", " yes"]]
        one["resps"] = [*one["resps"], [[-1.0, False]], [[-2.0, False]]]
    check(of(samples), probs, right)


def test_texts_may_hold_what_unicode_calls_a_break_of_lines() -> None:
    samples, probs, right = harness()
    samples[3]["doc"]["question"] = "one\u2028two\x85three\x0cfour"
    data = "\r\n".join(json.dumps(one, ensure_ascii=False) for one in samples).encode()
    check(read(data, name="x.jsonl"), probs, right)


def test_what_tells_the_truth_is_no_column_for_groups() -> None:
    """Groups by what happened would find any model wrong."""
    assert set(of(harness()[0]).predictions.metadata) == {"id", "subject", COUNT}


def test_generated_texts_and_odd_responses_are_refused() -> None:
    samples = harness()[0]
    texts = [{**one, "resps": [["so"]], "filtered_resps": ["so"]} for one in samples]
    assert "log-likelihoods of options nowhere" in str(refused(texts))
    for response, said in (
        ([["so", "False"]], "Row 5 has the text 'so'. Expected a log-likelihood of each option"),
        ([], "Row 5 has no responses."),
        ([["-1.5", "False"]], "Row 5 has 1 option. Expected two or more."),
        ([["nan", "False"], ["-1", "False"]], "Row 5 has the text 'nan'."),
        ([["-inf", "False"], ["-inf", "False"]], "Row 5 has -inf as its largest log-likelihood."),
    ):
        odd = [
            *copy.deepcopy(samples[:4]),
            {**samples[4], "filtered_resps": response, "target": "0"},
            *samples[5:],
        ]
        error = refused(odd)
        assert str(error).startswith(said)
        assert error.remedies[0].change == {"leave_out_rows": (5,)}
        probs, right = cases()
        check(of(odd, leave_out_rows=(5,)), [*probs[:4], *probs[5:]], [*right[:4], *right[5:]])
        assert "ow 7 has" in str(refused([*odd[:6], odd[4], *odd[7:]], leave_out_rows=(5,)))


def test_lengths_that_nobody_knows_cannot_be_divided_by() -> None:
    samples = [{key: one[key] for key in one if key != "arguments"} for one in harness()[0]]
    assert "does not hold how long each option is" in str(refused(samples, by_length=True))
    table = [{"a": 0.4, "b": 0.6, "label": "a"}, {"a": 0.7, "b": 0.3, "label": "b"}] * 5
    assert "no log that holds both" in str(refused(table, by_length=True))


def test_as_many_options_as_classes_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LIMITS", limits.Limits(max_classes=4))
    assert "has 5 options" in str(refused(harness()[0]))


def test_an_unlikely_option_is_one_all_the_same() -> None:
    """Only what is missing, or impossible by itself, has probability 0."""
    probs = softmax_of(np.array([[0.0, -5000.0, np.nan, -np.inf]]))
    assert (probs > 0).tolist() == [[True, True, False, False]]


# --- HELM and Inspect -------------------------------------------------------


def test_options_asked_for_together() -> None:
    value, probs, right = helm_together()
    check(of(value), probs, right)
    states = helm_together()[0]["request_states"]
    assert "Of the question of request 1 not all 3 options were asked for" in str(
        refused({"request_states": EXAMPLES["helm"]()[0]["request_states"][1:]})
    )
    states[2]["instance"]["references"] = []
    assert str(refused({"request_states": states})).startswith("Row 3 holds no instance with references")


def test_what_is_subtracted_from_options_asked_for_one_by_one() -> None:
    value, probs, right = EXAMPLES["helm"]()
    states = value["request_states"]
    alone = copy.deepcopy(states)
    for state in alone:
        state["request_mode"] = "calibration"
        state["result"]["completions"][0]["tokens"][-1]["logprob"] += state["reference_index"]
    reading = of({"request_states": [*states, *alone]})
    shifted = [softmax([-float(k) for k in range(len(p))]) for p in probs]
    check(reading, shifted, right)
    alone[0]["result"]["completions"][0]["tokens"][-1]["text"] = "?"
    assert "do not end with the option" in str(refused({"request_states": [*states, *alone]}))


def test_logs_of_a_confidence_alone() -> None:
    """Where the other tokens are not logged, there is how sure the model was, and if it was right."""
    value, probs, right = helm_together(with_tokens=False)
    table = LOGS["helm"].read(value, "x", ReadOptions())
    best = [int(np.argmax(p)) for p in probs]
    assert table.names[:4] == ("confidence", "correct", "prediction", "truth")
    assert_allclose(table.columns[0], [max(p) for p in probs])
    assert table.columns[1].tolist() == [a == b for a, b in zip(best, right, strict=True)]
    assert table.columns[2].tolist() == ["ABCD"[a] for a in best]
    value, probs, wrong = EXAMPLES["helm-statistics"]()
    table = LOGS["helm-statistics"].read(value, "x", ReadOptions())
    assert table.columns[0].tolist() == [p[0] for p in probs]
    assert table.columns[1].tolist() == [not y for y in wrong]
    value = EXAMPLES["inspect"]()[0]
    for i, one in enumerate(value["samples"]):
        one["output"] = {"choices": []}
        one["scores"] = {"own": {"value": "CI"[i % 2], "answer": "a text", "metadata": {"confidence": 0.8}}}
    table = LOGS["inspect"].read(value, "x", ReadOptions())
    assert table.names[:2] == ("confidence", "correct")
    assert "prediction" not in table.names
    assert table.columns[1].tolist() == [i % 2 == 0 for i in range(24)]
    said = [
        {"logprobs": {"content": [{"token": "B", "logprob": -0.5}]}, "label": "AB"[i % 2]} for i in range(8)
    ]
    table = LOGS["logprobs"].read(said, "x", ReadOptions())
    assert table.names == ("prediction", "confidence", "label")
    assert_allclose(table.columns[1], math.exp(-0.5))


def test_inspect_without_probabilities_is_refused() -> None:
    value = EXAMPLES["inspect"]()[0]
    for one in value["samples"]:
        one["output"] = {"choices": []}
    assert "neither log-probabilities nor a confidence" in str(refused(value))
    value = EXAMPLES["inspect"]()[0]
    value["samples"][1]["target"] = ["A", "B"]
    assert str(refused(value)).startswith("Row 2 has 4 choices and the target ''.")


# --- log-probabilities of tokens --------------------------------------------


def _top(p: list[float], other: str = "The") -> list[dict[str, Any]]:
    """Tokens as a service lists them, the likeliest first, one of which is no option."""
    pairs = [*zip("ABCDE", p, strict=False), (other, 0.0)]
    scaled = [(token, 0.95 * x if token != other else 0.05) for token, x in pairs]
    entries = [{"token": f" {token}", "logprob": math.log(x), "bytes": None} for token, x in scaled]
    return sorted(entries, key=lambda entry: -float(entry["logprob"]))


SHAPES: dict[str, Callable[[list[float]], dict[str, Any]]] = {
    "top_logprobs": lambda p: {"top_logprobs": _top(p)},
    "a whole response": lambda p: {
        "response": {"choices": [{"logprobs": {"content": [{**_top(p)[0], "top_logprobs": _top(p)}]}}]}
    },
    "behind other tokens": lambda p: {
        "logprobs": {
            "content": [
                {"token": "Answer", "logprob": 0.0, "top_logprobs": []},
                {**_top(p)[0], "top_logprobs": _top(p)},
            ]
        }
    },
    "tokens beside their logprobs": lambda p: {
        "choices": [
            {
                "logprobs": {
                    "tokens": [_top(p)[0]["token"]],
                    "token_logprobs": [_top(p)[0]["logprob"]],
                    "top_logprobs": [{entry["token"]: entry["logprob"] for entry in _top(p)}],
                }
            }
        ]
    },
}


@pytest.mark.parametrize("shape", SHAPES)
def test_lists_of_likeliest_tokens(shape: str) -> None:
    probs, right = cases(few=4, many=4)
    records = [
        {**SHAPES[shape](p), "gold": "ABCD"[y], "subject": "art"} for p, y in zip(probs, right, strict=True)
    ]
    reading = of(records)
    assert reading.predictions.class_names == ("A", "B", "C", "D")
    check(reading, probs, right)
    assert "options have 95 % of the probability on average" in " ".join(reading.notes)


def test_options_of_another_number_and_log_likelihoods_in_lists() -> None:
    probs, right = cases()
    check(of([{"lls": logs_of(p, -9), "label": y} for p, y in zip(probs, right, strict=True)]), probs, right)
    same, answers = cases(few=3, many=3)
    records: list[Any]
    for key, values in (("lls", -4.0), ("log_probs", 0.0)):  # of one length, with names of classes as labels
        records = [
            {key: logs_of(p, values), "label": ("cat", "dog", "owl")[y]}
            for p, y in zip(same, answers, strict=True)
        ]
        assert "it is open which column is which class" in str(refused(records))
        check(of(records, class_names=("cat", "dog", "owl")), same, answers)
    records = [
        {"top_logprobs": _top(p), "choices": list("abcde")[: len(p)], "label": "ABCDE"[y]}
        for p, y in zip(probs, right, strict=True)
    ]
    check(of(records), probs, right)
    few = [{"logprobs": {"A": -0.1, "B": -2}, "label": "A"}, {"logprobs": {"B": -0.1}, "label": "A"}] * 9
    assert "Expected two or more" in str(refused(few))
    assert "Nothing says which tokens are the answers" in str(
        refused([{"top_logprobs": _top([0.5, 0.5]), "note": "x"}] * 9)
    )


def test_an_option_that_is_not_listed_gets_the_most_that_it_can_have() -> None:
    tokens = {" A": math.log(0.6), "A": math.log(0.1), "B": math.log(0.2), "The": math.log(0.06)}
    scores, missing = scores_of(tokens, ("A", "B", "C", "D"))
    assert missing == 2
    assert_allclose(np.exp(scores), [0.7, 0.2, 0.02, 0.02])
    assert_allclose(math.exp(by_word(tokens)["A"]), 0.7)
    assert places_of({"content": "x"}) == places_of([1, "a"]) == places_of("x") == []


def test_tokens_have_no_more_than_all_of_the_probability() -> None:
    """ "A" that was drawn and " A" in its list are one token twice, or of two places."""
    probs, right = cases(few=4, many=4)
    records = [{"top_logprobs": _top(p), "gold": "ABCD"[y]} for p, y in zip(probs, right, strict=True)]
    records[3]["top_logprobs"] = [{"token": "A", "logprob": -0.1}, {"token": " A", "logprob": -0.2}]
    error = refused(records)
    assert "Row 4 gives its answers" in str(error)
    (remedy,) = error.remedies
    assert of(records, **remedy.change).predictions.n == len(records) - 1


# --- options that vary, and records that nest -------------------------------


def _csv(probs: list[list[float]], right: list[int]) -> bytes:
    rows = [
        ",".join([*(f"{x:.9f}" for x in p), *[""] * (5 - len(p)), "ABCDE"[y]])
        for p, y in zip(probs, right, strict=True)
    ]
    return "\n".join(["A,B,C,D,E,truth", *rows]).encode()


def test_empty_cells_and_short_lists_are_options_that_a_row_has_not() -> None:
    probs, right = cases()
    files = {
        "x.csv": _csv(probs, right),
        "x.jsonl": lines([{"probs": p, "label": y} for p, y in zip(probs, right, strict=True)]),
        "y.jsonl": lines(
            [
                {"answer": {"probabilities": dict(zip("ABCDE", p, strict=False))}, "outcome": "ABCDE"[y]}
                for p, y in zip(probs, right, strict=True)
            ]
        ),
        "z.json": json.dumps({"probs": probs, "labels": right}).encode(),
    }
    for name, data in files.items():
        reading = read(data, name=name)
        p = reading.predictions
        assert p.class_names == ("A", "B", "C", "D", "E")
        assert p.labels.tolist() == right
        assert p.metadata[COUNT].tolist() == list(map(len, probs))
        for found, expected in zip(p.probs, probs, strict=True):
            assert_allclose(found[: len(expected)], expected, atol=1e-8)
            assert not found[len(expected) :].any()
        assert sum(note.startswith("Rows have 3 to 5 options, 16 of 24 fewer") for note in reading.notes) == 1


def test_an_empty_cell_elsewhere_is_refused_as_before() -> None:
    probs, right = cases()
    whole = _csv(probs, right).decode()
    lost = whole.splitlines()
    lost[4] = "," + lost[4].partition(",")[2]  # a probability is lost: the row does not sum to 1
    with pytest.raises(InputError, match="Row 4 has empty cells and sums to") as caught:
        read("\n".join(lost).encode(), name="x.csv")
    assert caught.value.remedies[0].change == {"leave_out_rows": (4,)}
    lost[1:] = ["," + line.partition(",")[2] for line in lost[1:]]
    with pytest.raises(InputError, match="is empty in column"):
        read("\n".join(lost).encode(), name="x.csv")
    wrong = whole.splitlines()
    wrong[1] = wrong[1][:-1] + "E"  # it has three options
    with pytest.raises(InputError, match="Row 1 was 'E', whose cell is empty") as caught:
        read("\n".join(wrong).encode(), name="x.csv")
    assert caught.value.remedies[0].change == {"leave_out_rows": (1,)}
    assert (
        read("\n".join(wrong).encode(), name="x.csv", options=ReadOptions(leave_out_rows=(1,))).predictions.n
        == 23
    )
    ragged = lines([{"probs": p, "label": y} for p, y in zip([[0.5, 0.4], *probs[1:]], right, strict=True)])
    with pytest.raises(InputError, match="values in every row"):
        read(ragged, name="x.jsonl")


@pytest.mark.parametrize("lost", [0.001, 0.004])
def test_a_small_cell_that_is_lost_is_no_missing_option(lost: float) -> None:
    """Where full rows sum to 1 exactly a row of which 0.001 is missing has lost it."""
    rows = [f"{lost},{1 - lost - 0.3:.3f},0.3,A"] + ["0.2,0.5,0.3,B", "0.6,0.1,0.3,A", "0.1,0.1,0.8,C"] * 6
    whole = ["A,B,C,truth", *rows]
    assert read("\n".join(whole).encode(), name="x.csv").predictions.n == 19
    whole[1] = "," + whole[1].partition(",")[2]
    with pytest.raises(InputError, match=r"Row 1 has empty cells and sums to 0\.99") as caught:
        read("\n".join(whole).encode(), name="x.csv")
    assert caught.value.remedies[0].change == {"leave_out_rows": (1,)}


def test_a_confidence_that_is_another_statistic_is_said_to_be_one() -> None:
    probs, right = cases(few=3, many=3)
    names = ("grant", "deny", "refer")

    def records(confidence: Any) -> list[Any]:
        return [
            {
                "case": {"channel": "web" if i % 2 else "post"},
                "answer": {
                    "label": names[int(np.argmax(p))],
                    "confidence": confidence(sorted(p)),
                    "probabilities": dict(zip(names, p, strict=True)),
                },
                "truth": names[y],
            }
            for i, (p, y) in enumerate(zip(probs, right, strict=True))
        ]

    margin = of(records(lambda p: round(p[-1] - p[-2], 3)))
    check(margin, probs, right)
    assert "Column 'answer.confidence' is a statistic, and not the probability" in " ".join(margin.notes)
    assert set(margin.predictions.metadata) == {"case.channel", "answer.label", "answer.confidence"}
    same = of(records(lambda p: round(100 * p[-1])))
    assert "Column 'answer.confidence' is the largest probability of each row." in same.notes


def test_nesting_is_bounded() -> None:
    deep: Any = {"a": 0.5}
    for _ in range(12):
        deep = {"x": deep}
    assert "nests more than 8 objects" in str(refused([{"y": deep, "label": 1}] * 4))
    wide = {f"k{i}": {f"j{j}": 0.1 for j in range(90)} for i in range(90)}
    assert "columns" in str(refused([{"y": wide, "label": 1}] * 3))


def test_no_test_draws_an_option_that_a_row_has_not() -> None:
    """Redraws of rows with zeros in any place, and p as of the same rows without the columns of zeros."""
    rng = np.random.default_rng(8)
    p = load_example("multiple-choice")
    moved = p.probs[:, [3, 0, 4, 2, 1]]  # zeros before, between and behind the others
    for probs in (p.probs, moved, np.tile(moved, 20)):  # few classes, and many
        for _ in range(20):
            labels = draw_labels(probs, rng)
            assert (probs[np.arange(p.n), labels] > 0).all()
        never = probs.copy()
        never[:, 1] = 0
        assert not redrawn_counts(never, 99, rng)[:, 1].any()
    three = p.with_rows(np.flatnonzero(p.metadata[COUNT] == 3))
    alone = Predictions.from_arrays(three.probs[:, :3], three.labels, list("ABC"))
    for lens in (TopKLens(1), ClassLens("A"), TopKLens(2)):
        spec = DiagnosisSpec(lens=lens, resamples=199, tests=("exact-omnibus",), estimates=())
        found = [diagnose(one, spec) for one in (three, alone)]
        first, second = (one.test("exact-omnibus").result.pvalue for one in found)  # type: ignore[union-attr]
        assert first == second


# --- commands ---------------------------------------------------------------


def test_commands_on_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples = harness()[0]
    path = tmp_path / "samples.jsonl"
    tasks = [{**one, "task": "one" if i % 2 else "two", "doc_id": i} for i, one in enumerate(samples * 2)]
    for one in tasks:
        one["doc"] = {"year": one["doc_id"] % 3}
    path.write_bytes(lines(tasks))
    code, printed, said = run(capsys, "survey", path, "--json", "--resamples", "19", "--lens", "class:A")
    assert (code, said) == (0, "")
    data = json.loads(printed)["data"]
    assert data == {"n": 48, "classes": list("ABCDE"), "kind": "probabilities"}
    code, printed, _ = run(
        capsys, "groups", path, "--by", "task", "--lens", "class:A", "--resamples", "19", "--json"
    )
    assert code == 0
    assert {group["value"] for group in json.loads(printed)["groups"]} == {"one", "two"}
    code, printed, _ = run(capsys, "diagnose", path, "--by-length", "--resamples", "19", "--tests", "none")
    assert code == 0
    assert "divided by the length of its option" in printed


# --- hostile ----------------------------------------------------------------

ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1e308, -1e308, 10**400, "", "x" * 99, "nan", "-inf", [], {}, [[]], [None],
    [[[[[[1]]]]]], {"a": None}, ["-1.5"], {"token": "A", "logprob": "x"}, [{"token": "A", "logprob": -1}],
    "\ud800", float("nan"),
)  # fmt: skip


def _places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, cell in items for place in ((*way, key), *_places(cell, (*way, key)))]


def _mutant(value: Any, rng: np.random.Generator) -> bytes:
    """The same with one or two values replaced, taken out or repeated."""
    value = copy.deepcopy(value)
    for _ in range(int(rng.integers(1, 3))):
        ways = _places(value)
        if not ways:
            break
        way = ways[int(rng.integers(len(ways)))]
        inner = value
        for key in way[:-1]:
            inner = inner[key]
        what = int(rng.integers(4))
        if what == 0:
            del inner[way[-1]]
        elif what == 1 and isinstance(inner, list):
            inner.append(copy.deepcopy(inner[way[-1]]))
        else:
            inner[way[-1]] = copy.deepcopy(ODD[int(rng.integers(len(ODD)))])
    text = (
        "\n".join(map(json.dumps, value))
        if isinstance(value, list) and rng.random() < 0.5
        else json.dumps(value)
    )
    return text.encode("utf-8", "surrogatepass")


@pytest.mark.some(2)
@pytest.mark.parametrize("kind", EXAMPLES)
@pytest.mark.parametrize("many", [25, pytest.param(1_000, marks=pytest.mark.hostile)])
def test_damaged_logs_are_read_or_one_sentence(kind: str, many: int) -> None:
    rng = np.random.default_rng(many)
    value = EXAMPLES[kind]()[0]
    small = (
        value[:6]
        if isinstance(value, list)
        else {k: v[:6] if isinstance(v, list) else v for k, v in value.items()}
    )
    for _ in range(many):
        data = _mutant(small, rng)
        reading = result_or_sentence(partial(read, data, name="x.json"))
        if reading is not None:
            p = reading.predictions
            assert np.isfinite(p.probs).all()
            assert_allclose(p.probs.sum(axis=1), 1, atol=1e-5)
