"""Files in shapes that people publish: headers are as there, numbers are invented.

Each is read as it is meant, or asked about with that reading on offer, or refused with a sentence on why.
Where the first proposal leads is never another reading.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tests.hostile.grammar.drawing import Truth
from tests.hostile.grammar.outcomes import ends
from tests.hostile.grammar.writing import Drawn
from tests.io.readings import GUESS, GUESSED, NAMES, THREE, TRUE, WHICH, N, P, Y, table

READ, READ_OR_ASKED, ASKED, NOT_TAKEN = "read", "read or asked", "asked", "asked or refused"
"""Without a question, without or with one, after one, or in no case by itself."""
Q = np.round(1 - P, 3)
SURE, SURE3 = np.maximum(P, Q), THREE.max(axis=1)
A, B, C = THREE.T
RNG = np.random.default_rng(29)
IDS = RNG.permutation(1_000)[:N]
PEOPLE = [f"sub-{i:03d}" for i in IDS]
OTHER = np.round(RNG.beta(0.8, 0.8, N), 3)
HIT, HIT3 = (GUESS == Y).astype(int), (GUESSED == TRUE).astype(int)
YES = np.array(["no", "yes"])
FIVE = np.array([RNG.multinomial(1000, row) for row in RNG.dirichlet(np.full(5, 0.5), N)]) / 1000
WHICH5 = np.array([RNG.choice(5, p=row) for row in FIVE])
LOGIT = np.round(np.log((P + 0.002) / (1.002 - P)), 4)
ODDS = np.array([RNG.multinomial(1000, row) for row in 0.7 * THREE + 0.1]) / 1000
DAYS = np.round(RNG.uniform(20, 1_900, N))


@dataclass(frozen=True)
class Shape:
    """A file, what it means, and what is to come of it.

    Attributes
    ----------
    meaning : probabilities, labels and names; None: nothing that could be read
    says : a pattern of what has to be said, in a note, a question or the refusal
    others : what is right as well, once chosen
    stated : a pattern of the doubt that a single way out has beside it, for whoever does not take it
    """

    columns: Any
    meaning: Truth | None
    comes: str
    says: str = ""
    labels: Mapping[str, Any] | None = None
    others: tuple[Truth, ...] = ()
    name: str = "predictions.csv"
    stated: str = ""

    def drawn(self, title: str) -> Drawn:
        data = self.columns.encode() if isinstance(self.columns, str) else table(self.columns)
        labels = None if self.labels is None else table(dict(self.labels))
        truth = self.meaning or Truth(np.c_[Q, P], Y, ("?", "??"))
        alone = self.comes in (READ, READ_OR_ASKED)
        return Drawn(
            data,
            self.name,
            truth,
            (title,),
            labels,
            answerable=self.meaning is not None or bool(self.others),
            must_ask=not alone,
            said=self.says if alone else "",
            others=self.others,
        )


TWO = Truth(np.c_[1 - P, P], Y, ("0", "1"))
NO_YES = Truth(np.c_[1 - P, P], Y, ("no", "yes"))
SEVERAL = Truth(THREE, WHICH, tuple(NAMES))
NUMBERED = Truth(THREE, WHICH, ("0", "1", "2"))
STATED = Truth(np.c_[1 - P, P], Y, ("wrong", "right"))
ANSWERED = Truth(np.c_[1 - SURE, SURE], HIT, ("wrong", "right"))
ANSWERED3 = Truth(np.c_[1 - SURE3, SURE3], HIT3, ("wrong", "right"))
FOLDS = RNG.integers(0, 5, N)
STACKED = {
    "image_id": np.r_[IDS, IDS],
    "y_true": np.r_[Y, Y],
    "y_prob": np.r_[P, OTHER],
    "method_name": np.repeat(["resnet18", "vit_small"], N),
}
LETTERS = np.array(list("ABCDE"))
HDA = ("home", "draw", "away")
AS_PREDICTED = "as a prediction would be"
SHAPES = {
    # One column of probabilities.
    "a slide": Shape({"slide_id": PEOPLE, "label": Y, "pred": GUESS, "prob_0": Q, "prob_1": P}, TWO, READ),
    "a subject": Shape({"subject_id": PEOPLE, "y_true": Y, "y_prob": P}, TWO, READ),
    "a subject, the class in the name": Shape(
        {"subject_id": PEOPLE, "y_true": Y, "y_prob_pd": P, "y_pred": GUESS}, TWO, READ
    ),
    "images of sites": Shape(
        {
            "image_id": PEOPLE,
            "y_true": Y,
            "y_pred": GUESS,
            "y_probability": P,
            "split": "test",
            "site": "hospital_A",
            "device": "scanner_X",
        },
        TWO,
        READ,
    ),
    "a score and an entity": Shape({"y_true": Y, "y_score": P, "entity_id": IDS}, TWO, READ),
    "donors": Shape(
        {"sample_id": IDS, "y_true": Y, "y_prob": P, "donor_id": IDS % 7, "dataset": "d1"}, TWO, READ
    ),
    "words and a score": Shape(
        {"sex": "F", "patient_id": IDS, "y_true": YES[Y], "y_pred": YES[GUESS], "y_score": P}, NO_YES, READ
    ),
    "a sequence": Shape({"sequence_id": range(N), "label": Y, "pred": GUESS, "prob": P}, TWO, READ),
    "lines of JSON with a logit": Shape(
        "\n".join(
            json.dumps(
                {
                    "schema_version": 1,
                    "index": i,
                    "y_true": int(Y[i]),
                    "logit": LOGIT[i],
                    "prob": P[i],
                    "y_pred": int(GUESS[i]),
                }
            )
            for i in range(N)
        ),
        TWO,
        READ,
        name="predictions.jsonl",
    ),
    "folds of a model": Shape({"row_id": IDS, "fold": FOLDS, "target": Y, "oof_pred": P}, TWO, READ),
    "a risk in years": Shape({"eid": IDS, "incident": Y, "risk_5y": P}, TWO, READ_OR_ASKED),
    # Several columns.
    "five grades": Shape(
        {"image_id": PEOPLE, "true_label": WHICH5, "pred_label": FIVE.argmax(1)}
        | {f"prob_{k}": FIVE[:, k] for k in range(5)},
        Truth(FIVE, WHICH5, tuple("01234")),
        READ,
    ),
    "with the confidence": Shape(
        {"true": Y, "pred": GUESS, "prob_0": Q, "prob_1": P, "confidence": SURE}, TWO, READ
    ),
    "a text and its label first": Shape(
        {
            "sequence": ["ACGT"] * N,
            "label": Y,
            "sample_id": IDS,
            "pred_label": GUESS,
            "prob_0": Q,
            "prob_1": P,
        },
        TWO,
        READ,
    ),
    "matches": Shape(
        {"match_id": IDS, "p_home": A, "p_draw": B, "p_away": C, "outcome": np.array(HDA)[WHICH]},
        Truth(THREE, WHICH, HDA),
        READ,
    ),
    "matches by number": Shape(
        {"match_id": IDS, "p_home": A, "p_draw": B, "p_away": C, "outcome": WHICH},
        Truth(THREE, WHICH, HDA),
        READ_OR_ASKED,
    ),
    "matches of a pool": Shape(
        {
            "liga": "L1",
            "kolejka": IDS % 30,
            "p_home": A,
            "p_draw": B,
            "p_away": C,
            "pred": np.array(list("1X2"))[THREE.argmax(1)],
            "wynik": np.array(list("1X2"))[WHICH],
            "correct": HIT3,
        },
        Truth(THREE, WHICH, HDA),
        NOT_TAKEN,
        others=(Truth(THREE, WHICH, ("1", "X", "2")),),
    ),
    "a bookmaker beside": Shape(
        {
            "canonical_event_id": IDS,
            "p_home": A,
            "p_draw": B,
            "p_away": C,
            "market_home": ODDS[:, 0],
            "market_draw": ODDS[:, 1],
            "market_away": ODDS[:, 2],
            "outcome": np.array(HDA)[WHICH],
            "brier": np.round(((THREE - np.eye(3)[WHICH]) ** 2).sum(1), 4),
        },
        Truth(THREE, WHICH, HDA),
        ASKED,
    ),
    "an exam": Shape(
        {"question_id": IDS, "answer": LETTERS[WHICH5]}
        | {f"prob_{x}": FIVE[:, k] for k, x in enumerate(LETTERS)},
        Truth(FIVE, WHICH5, tuple(LETTERS)),
        READ,
    ),
    "the truth is called correct": Shape(
        {
            "repeat": 0,
            "fold": FOLDS,
            "row_id": IDS,
            "prediction": YES[GUESS],
            "correct": YES[Y],
            "confidence.no": Q,
            "confidence.yes": P,
        },
        NO_YES,
        READ_OR_ASKED,
    ),
    "lesions in two files": Shape(
        {"image": PEOPLE, "MEL": A, "NV": B, "BCC": C},
        Truth(THREE, WHICH, ("MEL", "NV", "BCC")),
        READ,
        labels={"image": PEOPLE, **{x: (k == WHICH) * 1.0 for k, x in enumerate(("MEL", "NV", "BCC"))}},
    ),
    "rows of numbers alone": Shape(
        "".join(
            f"{i / 7:.3f} {i % 5:.3f} {y} {g} {q} {p}\n"
            for i, y, g, q, p in zip(IDS, Y, GUESS, Q, P, strict=True)
        ),
        TWO,
        READ_OR_ASKED,
        name="predict.txt",
    ),
    # Several models.
    "models beside each other": Shape(
        {
            "id": IDS,
            "y_true": Y,
            "y_prob_lr": P,
            "y_prob_cb_tuned": OTHER,
            "y_prob_final": np.round((P + OTHER) / 2, 4),
        },
        TWO,
        ASKED,
    ),
    "a rating and a learner": Shape(
        {
            "home_team": "a",
            "away_team": "b",
            "home_win": Y,
            "elo_home_win_prob": OTHER,
            "meta_learner_prob": P,
        },
        TWO,
        NOT_TAKEN,
    ),
    "networks with all classes": Shape(
        {"ID": IDS, "true_label": WHICH, "pred_label_meta": THREE.argmax(1)}
        | {f"prob_itrans_{k}": THREE[:, k] for k in range(3)}
        | {f"prob_tabtrans_{k}": ODDS[:, k] for k in range(3)},
        NUMBERED,
        ASKED,
    ),
    "models below each other": Shape(
        STACKED, TWO, NOT_TAKEN, others=(Truth(np.c_[1 - OTHER, OTHER], Y, ("0", "1")),)
    ),
    # How sure the model was of its answer.
    "how sure of the answer": Shape(
        {"sample_id": IDS, "true_label": TRUE, "predicted_label": GUESSED, "confidence": SURE3},
        ANSWERED3,
        READ,
        "Only the confidence",
    ),
    "how sure, and a hit": Shape(
        {
            "path": PEOPLE,
            "true_label": TRUE,
            "predicted_label": GUESSED,
            "confidence": SURE3,
            "correct": HIT3.astype(bool),
        },
        ANSWERED3,
        READ,
        "Only the confidence",
    ),
    "how sure, of two numbers": Shape(
        {"iteration": range(N), "groundtruth": Y, "prediction": GUESS, "confidence": SURE, "correct": HIT},
        ANSWERED,
        READ,
        "Only the confidence",
    ),
    "how sure, and a margin": Shape(
        {
            "image_id": PEOPLE,
            "true_label": TRUE,
            "pred_label": GUESSED,
            "correct": HIT3.astype(bool),
            "confidence": SURE3,
            "margin": np.round(SURE3 - np.sort(THREE, axis=1)[:, 1], 3),
            "loss": np.round(-np.log(np.maximum(THREE[np.arange(N), WHICH], 1e-3)), 4),
        },
        ANSWERED3,
        READ,
        "Only the confidence",
    ),
    "how sure in percent": Shape(
        {
            "image": PEOPLE,
            "true_label": WHICH,
            "predicted_label": THREE.argmax(1),
            "confidence": 100 * SURE3,
            "correct": HIT3,
        },
        ANSWERED3,
        READ,
        "Only the confidence",
    ),
    "a stated confidence": Shape({"id": IDS, "confidence": P, "correct": Y.astype(bool)}, STATED, READ),
    # Labels that are none.
    "the decision is called like the outcome": Shape(
        {"PassengerId": IDS, "Survived": GUESS, "Probability": P}, None, NOT_TAKEN, stated=AS_PREDICTED
    ),
    "the decision is called a label": Shape(
        {
            "timestamp": "2026-05-03T11:27:46",
            "device": "d",
            "label": np.array(["negative", "neutral", "positive"])[THREE.argmax(1)],
            "prob_negative": A,
            "prob_neutral": B,
            "prob_positive": C,
        },
        None,
        NOT_TAKEN,
        stated=AS_PREDICTED,
    ),
    "scores of a match and no outcome": Shape(
        {
            "date": "2026-03-01",
            "team1": TRUE,
            "team2": GUESSED,
            "elo_prob1": P,
            "elo_prob2": Q,
            "score1": IDS % 5,
            "score2": IDS % 4,
        },
        None,
        NOT_TAKEN,
    ),
    "a time to the event": Shape(
        {"patient": IDS, "time_to_event": DAYS, "event_occurred": Y, "predicted_risk": P},
        TWO,
        READ_OR_ASKED,
        "censored|did not happen",
    ),
    "two readers": Shape(
        {
            "case": IDS,
            "label_reader1": Y,
            "label_reader2": np.where(RNG.random(N) < 0.2, 1 - Y, Y),
            "prob": P,
        },
        TWO,
        ASKED,
    ),
    "before and after a merge": Shape(
        {"id": IDS, "label_x": Y, "prob": P, "label_y": np.where(np.arange(N) % 6 == 0, 1 - Y, Y)}, TWO, ASKED
    ),
    "several classes at once": Shape(
        {"id": IDS, "toxic": P, "insult": OTHER, "toxic_true": Y, "insult_true": GUESS},
        None,
        NOT_TAKEN,
        others=(TWO, Truth(np.c_[1 - OTHER, OTHER], GUESS, ("0", "1"))),
    ),
}


@pytest.mark.parametrize("title", SHAPES)
def test_what_comes_of_a_file(title: str) -> None:
    shape = SHAPES[title]
    found = ends(shape.drawn(title))
    allowed = {
        READ: {"right"},
        READ_OR_ASKED: {"right", "asked", "twice"},
        ASKED: {"asked", "twice"},
        NOT_TAKEN: {"asked", "twice", "refused"},
    }[shape.comes]
    assert found.alone in allowed, found
    if not (shape.stated and re.search(shape.stated, found.sentence)):
        assert found.after != "wrong", found
    if shape.says and found.alone == "refused":
        assert re.search(shape.says, found.sentence), found
