"""A small log of each kind, as its tool writes it, and what is true of it."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Example = Callable[[], tuple[Any, list[list[float]], list[int]]]
EXAMPLES: dict[str, Example] = {}
"""Kind of a log -> its content, and of each question the probabilities of its options and which is right; of
a log that holds how sure the model was, those of right and wrong."""
OF_CONFIDENCE: set[str] = set()
"""Kinds whose example holds how sure the model was, and no probabilities of options."""
DATA = Path(__file__).parents[0] / "kept" / "logs"
GENUINE = {
    "lm-evaluation-harness": DATA / "samples_my_arc_2026-11-27T07-23-17.963904.jsonl",
    "inspect": DATA / "inspect.json",
    "inspect, with reasons": DATA / "inspect_cot.json",
    "inspect, shuffled": DATA / "inspect_shuffled.json",
    "helm, letters": DATA / "helm_joint.json",
    "helm, option by option": DATA / "helm_separate.json",
    "helm, calibrated": DATA / "helm_calibrated.json",
}
"""What lm-evaluation-harness 0.4.13, Inspect 0.3.285 and HELM 0.5.16 wrote of models that answer at random,
cut short."""


def of(kind: str, confidence: bool = False) -> Callable[[Example], Example]:
    """Decorator of what makes a log of this kind; ``confidence``: of how sure the model was alone."""

    def enter(make: Example) -> Example:
        EXAMPLES[kind] = make
        if confidence:
            OF_CONFIDENCE.add(kind)
        return make

    return enter


def cases(n: int = 24, few: int = 3, many: int = 5) -> tuple[list[list[float]], list[int]]:
    """Probabilities of ``few`` to ``many`` options a question, and which is right, drawn from them."""
    rng = np.random.default_rng(3)
    counts = [few + i % (many - few + 1) for i in range(n)]
    probs = [rng.dirichlet(np.full(k, 2.0)).tolist() for k in counts]
    return probs, [int(rng.choice(len(p), p=p)) for p in probs]


def lines(records: list[Any]) -> bytes:
    """JSON lines."""
    return "\n".join(json.dumps(record) for record in records).encode()


def logs_of(probs: list[float], shift: float = 0.0) -> list[float]:
    """Log-likelihoods, which are logarithms of probabilities up to what all share."""
    return [math.log(p) + shift for p in probs]


@of("lm-evaluation-harness")
def harness() -> Any:
    """Everything as text, as it is written."""
    probs, right = cases()
    return (
        [
            {
                "doc_id": i,
                "doc": {"question": f"What is {i}?", "subject": "law" if i % 2 else "art", "answer": y},
                "target": str(y),
                "arguments": {
                    f"gen_args_{j}": {"arg_0": "Q", "arg_1": " " + "ab" * (j + 1)} for j in range(len(p))
                },
                "resps": [[[str(x), "False"]] for x in logs_of(p, -7)],
                "filtered_resps": [[str(x), "False"] for x in logs_of(p, -7)],
                "filter": "none",
                "metrics": ["acc"],
                "acc": float(int(np.argmax(p)) == y),
            }
            for i, (p, y) in enumerate(zip(probs, right, strict=True))
        ],
        probs,
        right,
    )


@of("helm")
def helm() -> Any:
    """Options asked for one by one: the last tokens are the option."""
    probs, right = cases()
    states = [
        {
            "instance": {
                "id": f"id{i}",
                "references": [
                    {"output": {"text": f"op tion{k}"}, "tags": ["correct"] * (k == y)} for k in range(len(p))
                ],
            },
            "reference_index": j,
            "request_mode": "original",
            "train_trial_index": 0,
            "result": {
                "completions": [
                    {
                        "text": "",
                        "logprob": -99.0,
                        "tokens": [
                            {"text": "Question", "logprob": -5.0},
                            {"text": " op", "logprob": x - 1},
                            {"text": " tion", "logprob": 0.5},
                            {"text": f"{j}", "logprob": 0.5},
                        ],
                    }
                ]
            },
        }
        for i, (p, y) in enumerate(zip(probs, right, strict=True))
        for j, x in enumerate(logs_of(p, -2))
    ]
    return {"adapter_spec": {"model": "some/model"}, "request_states": states}, probs, right


def helm_together(with_tokens: bool = True) -> Any:
    """Letters as tokens, with the likeliest ones beside them or without."""
    probs, right = cases(few=4, many=4)
    states = []
    for i, (p, y) in enumerate(zip(probs, right, strict=True)):
        best = int(np.argmax(p))
        token = {"text": f" {'ABCD'[best]}", "logprob": math.log(p[best])}
        if with_tokens:
            token["top_logprobs"] = {f" {letter}": x for letter, x in zip("ABCD", logs_of(p), strict=True)}
        states.append(
            {
                "instance": {
                    "id": f"id{i}",
                    "references": [
                        {"output": {"text": f"{k}"}, "tags": ["correct"] * (k == y)} for k in range(4)
                    ],
                },
                "output_mapping": {"A": "0", "B": "1", "C": "2", "D": "3"},
                "train_trial_index": 0,
                "result": {
                    "completions": [{"text": token["text"], "logprob": token["logprob"], "tokens": [token]}]
                },
            }
        )
    return {"adapter_spec": {}, "request_states": states}, probs, right


@of("helm-statistics", confidence=True)
def helm_statistics() -> Any:
    """Sums and means of each question."""
    rng = np.random.default_rng(5)
    sure = rng.uniform(0.3, 1, 40)
    right = rng.random(40) < sure
    stats = [
        {
            "instance_id": f"id{i}",
            "train_trial_index": 0,
            "stats": [
                {"name": {"name": "num_references", "split": "test"}, "count": 1, "mean": 4.0},
                {"name": {"name": "max_prob", "split": "test"}, "count": 1, "mean": p},
                {"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": float(y)},
            ],
        }
        for i, (p, y) in enumerate(zip(sure.tolist(), right.tolist(), strict=True))
    ]
    return stats, [[p, 1 - p] for p in sure.tolist()], [int(not y) for y in right.tolist()]


@of("inspect")
def inspect() -> Any:
    """The likeliest tokens of the answer, behind a word that says that it comes."""
    probs, right = cases()
    return (
        {
            "version": 2,
            "eval": {"task": "exam", "model": "some/model"},
            "samples": [
                {
                    "id": f"q{i}",
                    "epoch": 1,
                    "choices": [f"option {k}" for k in range(len(p))],
                    "target": "ABCDE"[y],
                    "metadata": {"subject": "law" if i % 2 else "art"},
                    "scores": {"choice": {"value": "C", "answer": "ABCDE"[int(np.argmax(p))]}},
                    "output": {
                        "choices": [
                            {
                                "logprobs": {
                                    "content": [
                                        {"token": "ANSWER", "logprob": 0.0, "top_logprobs": []},
                                        {
                                            "token": " " + "ABCDE"[int(np.argmax(p))],
                                            "logprob": math.log(max(p)),
                                            "top_logprobs": [
                                                {"token": f" {letter}", "logprob": x}
                                                for letter, x in zip("ABCDE", logs_of(p), strict=False)
                                            ],
                                        },
                                    ]
                                }
                            }
                        ]
                    },
                }
                for i, (p, y) in enumerate(zip(probs, right, strict=True))
            ],
        },
        probs,
        right,
    )


@of("logprobs")
def logprobs() -> Any:
    """Options by their letters."""
    probs, right = cases()
    return (
        [
            {
                "id": i,
                "task": "x" if i % 3 else "y",
                "logprobs": dict(zip("ABCDE", logs_of(p, -0.01), strict=False)),
                "label": "ABCDE"[y],
            }
            for i, (p, y) in enumerate(zip(probs, right, strict=True))
        ],
        probs,
        right,
    )


def written(kind: str) -> bytes:
    """The example as a file."""
    value = EXAMPLES[kind]()[0]
    return lines(value) if kind in ("lm-evaluation-harness", "logprobs") else json.dumps(value).encode()
