"""Several models beside each other: columns whose names differ by the model alone.

"rf_p_cat, rf_p_dog, svm_p_cat, svm_p_dog" are two models of two classes, "BERT_prob, GPT_prob" two with one
column each. Names propose sets of columns, numbers say which of the sets are models: the columns of one model
add up, those of one class do not.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import Token, loose, says_of_answers, tokens
from calibcore.column_names.names import parse
from calibcore.column_names.no_classes import (
    AGGREGATES,
    COUNTED,
    ENSEMBLES,
    MODELS,
    PAIRS_OF_MODELS,
    SPREADS,
    class_within,
)
from calibcore.io.roles.look import Look
from calibcore.io.roles.sums import MOST
from calibcore.io.tables import Table

MOST_MODELS = 50
"""Models of one file: more columns that are named alike are classes, or features."""
MOST_CANDIDATES = 6
"""Sets of models that are tried."""
_MOST_COLUMNS, _MOST_WORDS, _MOST_WORDS_OF_MODEL = 20_000, 12, 8
_SOME = 0.5
"""Share of rows that add up over columns that are classes, and no models."""
_SEPARATORS, _EMPTY = " _.-:/=|", ("()", "[]", "{}")
_NO_MODEL = (
    lexicon.PROBABILITY | lexicon.WEAK | lexicon.PREDICTED | lexicon.CONFIDENCE | lexicon.TRUTH
    | lexicon.LABEL | lexicon.LOGIT | lexicon.LOG | lexicon.LOG_PROBABILITY | lexicon.HIGHEST
    | lexicon.CONNECTING | lexicon.RIGHT | lexicon.BOUNDS | SPREADS | lexicon.OTHER - COUNTED
)  # fmt: skip
"""Words that say what a column is, and none of which is a model by itself."""
_CALLED = MODELS | ENSEMBLES | lexicon.words_of("model modell modele modelo clf classifier estimator learner")
"""Words that a model may be called by with nothing else beside them: "xgb", "model_2"."""
_ASSESSORS = lexicon.words_of("""
    reader rater human radiologist annotator expert consensus clinician physician doctor reviewer pathologist
    majority panel
""")
"""People who judge the same cases, and what they find together."""
ALONE, ANSWER = "probability", "prediction"
"""What a column of a model is called that bears nothing but its name: a fraction, and anything else."""


@dataclass(frozen=True)
class WideModel:
    """A model of a table: its name, and its columns, each with what it is called without that name."""

    name: str
    columns: tuple[tuple[int, str], ...]

    @property
    def places(self) -> frozenset[int]:
        """Its columns."""
        return frozenset(j for j, _ in self.columns)


@dataclass(frozen=True)
class Candidate:
    """A set of models that the columns may belong to, and whether that is clear: the columns of each of them
    add up, or each has a confidence and something that goes with it.
    """

    models: tuple[WideModel, ...]
    clear: bool

    @property
    def names(self) -> tuple[str, ...]:
        """What the models are called."""
        return tuple(model.name for model in self.models)


def candidates(
    look: Look, labels: Sequence[Collection[str]], label_look: Look | None = None
) -> list[Candidate]:
    """Sets of models that the columns may belong to, the likeliest first; none where there are none.

    ``labels`` are the words of columns that may be the labels, ``label_look`` is at their own file. Cost
    O(columns) and the sample.
    """
    looks = (look,) if label_look is None or label_look is look else (look, label_look)
    table = look.table
    if len(table.blocks) > 1:
        return _of_blocks(table)
    if not table.named or table.blocks or len(table.names) > _MOST_COLUMNS:
        return []
    known: dict[frozenset[frozenset[int]], tuple[float, tuple[WideModel, ...]]] = {}
    for stems in _grids(look):
        models = _models(look, stems)
        rank = _rank(look, stems, models, labels, looks) if models else 0
        partition = frozenset(model.places for model in models)
        if rank > 0 and (partition not in known or rank > known[partition][0]):
            known[partition] = rank, models
    ordered = sorted(known.values(), key=lambda ranked: -ranked[0])
    return [
        Candidate(models, rank >= _ADDING or all(_is_confident(look, model) for model in models))
        for rank, models in ordered[:MOST_CANDIDATES]
    ]


def _is_confident(look: Look, model: WideModel) -> bool:
    """Whether a model has a column that is called a confidence, and another one."""
    named = [j for j, _ in model.columns if _called_confidence(look.names[j])]
    return len(named) == 1 and len(model.columns) > 1


def table_of(table: Table, models: Sequence[WideModel], model: WideModel) -> Table:
    """The columns of one of the ``models`` without its name in theirs, and those of no model."""
    foreign = frozenset[int]().union(*(other.places for other in models if other is not model))
    rest = [j for j in range(len(table.names)) if j not in foreign]
    names = dict(model.columns)
    shared = {table.names[j] for j in rest if j not in names}
    plain = list(names.values())
    called = {
        j: name if name not in shared and plain.count(name) == 1 else table.names[j]
        for j, name in model.columns
    }
    return replace(
        table,
        columns=tuple(table.columns[j] for j in rest),
        names=tuple(called.get(j, table.names[j]) for j in rest),
        blocks=tuple(tuple(map(rest.index, block)) for block in table.blocks if set(block) <= set(rest)),
        label=None if table.label is None or table.label not in rest else rest.index(table.label),
        doubled=(),
    )


# Names -----------------------------------------------------------------------------------------------------

_Stem = tuple[str, str]
"""What stands before a model's name and behind it."""
_Grid = dict[_Stem, dict[str, int]]
"""Stem -> name of the model -> column; the same models in every stem."""


def _spans(name: str) -> Iterator[tuple[_Stem, str]]:
    """What may be the name of a model within that of a column, and what stands around it."""
    words = tokens(name)
    if len(words) > _MOST_WORDS:
        return
    for start in range(len(words)):
        for end in range(start + 1, min(start + _MOST_WORDS_OF_MODEL, len(words)) + 1):
            if not 0 < end - start < len(words):
                continue
            model = name[words[start].start : words[end - 1].end]
            if _may_be_a_model(words[start:end]):
                yield (name[: words[start].start], name[words[end - 1].end :]), model


def _may_be_a_model(words: Sequence[Token]) -> bool:
    """Whether some of the words say more than what a column is, and they are no number alone."""
    texts = [word.text for word in words if not word.text.isdecimal()]
    return bool(texts) and not _NO_MODEL.issuperset(texts)


_PLACES: tuple[Callable[[_Stem], bool], ...] = (
    lambda stem: not stem[0],
    lambda stem: not stem[1],
    lambda stem: bool(stem[0] and stem[1]),
)
"""Of what stands beside a model: behind it, before it, or around it. "rf_cat" and "cat_rf" are no one set."""


def _grids(look: Look) -> Iterator[_Grid]:
    """Sets of stems in which the same models stand."""
    numbers = [j for j in range(len(look.names)) if look.numeric[j] and not look.integral[j]]
    sure = [j for j in range(len(look.names)) if j not in numbers and _is_called_confidence(look, j)]
    groups: dict[_Stem, dict[str, int]] = {}
    for j in sorted((*numbers, *sure)):
        for (before, behind), model in _spans(look.names[j].strip()):
            groups.setdefault((before.casefold(), behind.casefold()), {}).setdefault(model, j)
    by_models: dict[frozenset[str], _Grid] = {}
    for stem, group in groups.items():
        if 2 <= len(group) <= MOST_MODELS:
            by_models.setdefault(frozenset(group), {})[stem] = group
    for grid in by_models.values():
        for stands in _PLACES:
            chosen = {stem: group for stem, group in grid.items() if stands(stem)}
            if chosen:
                yield chosen
    names = {j: look.names[j].strip() for j in numbers}
    called = of_models_among([names[j] for j in numbers], [names[j] for j in numbers if look.unit[j]])
    bare = {name: j for j, name in names.items() if name in called}
    if 2 <= len(bare) <= MOST_MODELS:
        yield {("", ""): bare}


def _is_called_confidence(look: Look, j: int) -> bool:
    """Whether a column is called a confidence or a probability, of whole numbers or with words or empty cells
    among them, not of 0 and 1."""
    words = {token.text for token in tokens(look.names[j])}
    called = words & (lexicon.CONFIDENCE | lexicon.PROBABILITY | lexicon.HIGHEST | {"score", "scores"})
    return bool(called - {"p", "top"}) and not look.binary[j] and not look.unit[j]


def _called_confidence(name: str) -> bool:
    return not lexicon.CONFIDENCE.isdisjoint(token.text for token in tokens(name))


def of_models_among(names: Sequence[str], units: Collection[str]) -> tuple[str, ...]:
    """Names of columns that are models, two or more, each with nothing else in its name; else none.

    Beside a model "average" is one, too, and so is "svm_prob". ``units`` : those between 0 and 1.
    """
    alone = {name for name in names if is_model_alone(name)}
    people = {name for name in units if is_of_people(name)}
    if alone:
        alone |= {name for name in units if is_of_models(name) or _is_model_s_probability(name)}
    if alone or len(people) > 1:
        alone |= people
    return tuple(name for name in names if name in alone) if len(alone) > 1 else ()


def is_of_people(name: str) -> bool:
    """Whether a name is of people who judge cases, and nothing else: "reader 2", "consensus"."""
    words = [word.text for word in tokens(name) if not word.text.isdecimal() and len(word.text) > 1]
    return bool(words) and _ASSESSORS.issuperset(words)


def _is_model_s_probability(name: str) -> bool:
    rest = [word for word in tokens(name) if word.text not in lexicon.PROBABILITY]
    return 0 < len(rest) < len(tokens(name)) and is_model_alone(" ".join(word.text for word in rest))


def is_known(name: str) -> bool:
    """Whether a name says nothing but which model, or who judged."""
    return not class_within(name) or is_of_people(name)


def is_model_alone(name: str) -> bool:
    """Whether a name is a model and nothing else: "xgb", "logistic regression"."""
    words = [word.text for word in tokens(name)]
    called = not _CALLED.isdisjoint(words) or not PAIRS_OF_MODELS.isdisjoint(pairwise(words))
    return called and not class_within(name)


def is_of_models(name: str) -> bool:
    """Whether a name says which version of a model, or what several of them give together: "baseline"."""
    return not AGGREGATES.isdisjoint(word.text for word in tokens(name)) and not class_within(name)


def _without(name: str, stem: _Stem) -> str:
    """What a column is called without its model, which stands between the two parts of ``stem``."""
    before, behind = stem[0].rstrip(_SEPARATORS), stem[1].lstrip(_SEPARATORS)
    if not before:
        before = stem[0].strip(_SEPARATORS)
    glue = "_" if before and behind and before[-1] not in "([{" and behind[0] not in ")]}" else ""
    joined = f"{before}{glue}{behind}".strip(_SEPARATORS)
    for empty in _EMPTY:
        joined = joined.replace(empty, "")
    return joined.strip(_SEPARATORS) or name


def _models(look: Look, grid: _Grid) -> tuple[WideModel, ...]:
    """The models of a grid, in the order of their columns, with what else is called after one of them."""
    first = next(iter(grid.values()))
    names = sorted(first, key=lambda model: min(group[model] for group in grid.values()))
    columns: dict[str, list[tuple[int, str]]] = {name: [] for name in names}
    used = set()
    for group in grid.values():
        for model, j in group.items():
            used.add(j)
            name = look.names[j].strip()
            stem = _stem_of(name, model, grid)
            columns[model].append((j, ALONE if stem is None or stem == ("", "") else _without(name, stem)))
    for j, name in enumerate(look.names):
        stems = {model: _stem_of(name.strip(), model, grid) for model in names if j not in used}
        owners = {model: stem for model, stem in stems.items() if stem is not None}
        if owners:
            owner = max(owners, key=len)
            alone = not any(owners[owner])
            if not alone or not look.fractional[j]:  # "rf" beside "rf_prob" is what it predicted
                columns[owner].append((j, ANSWER if alone else _without(name.strip(), owners[owner])))
    if any(len({name for _, name in own}) < len(own) for own in columns.values()):
        return ()
    return tuple(WideModel(name, tuple(sorted(columns[name]))) for name in names)


def _stem_of(name: str, model: str, grid: _Grid) -> _Stem | None:
    """What stands around the model in the name of a column, where it stands as it does in the grid."""
    (before, behind) = next(iter(grid))
    for stem, span in _spans(name):
        if span.casefold() != model.casefold():
            continue
        if (not before and not stem[0]) or (not behind and not stem[1]) or (before and behind and all(stem)):
            return stem
    return ("", "") if name.casefold() == model.casefold() else None


# Numbers ---------------------------------------------------------------------------------------------------

_ADDING, _KNOWN, _ALONE, _OPEN, _MANY = 12.0, 2.0, 2.0, 1.0, 0.05
"""Ranks: columns of each model add up; names of models; one column each; anything else; for each model."""


def _rank(
    look: Look,
    grid: _Grid,
    models: Sequence[WideModel],
    labels: Sequence[Collection[str]],
    label_looks: Sequence[Look],
) -> float:
    """How likely these are models; 0 where they are classes, guesses by rank or labels of their own."""
    names = [model.name for model in models]
    classes = {loose(word) for words in labels for word in words}
    called = [*names, *(look.names[j] for group in grid.values() for j in group.values())]
    if any(loose(name) in classes for name in called):
        return 0.0
    core = [[group[name] for group in grid.values()] for name in names]
    known = _KNOWN * all(map(is_known, names))
    short = -0.01 * max(len(tokens(name)) for name in names)
    if len(grid) > 1 and all(_adds_up(look, columns) for columns in core):
        return _ADDING + known + short + min(len(grid), 1_000) / 1_000
    across = [[group[name] for name in names] for group in grid.values()]
    if any(look.share(columns) >= _SOME or _falls(look, columns) for columns in across):
        return 0.0
    if any(_are_one_hot(table_look, names) for table_look in label_looks):
        return 0.0
    labels_apart = not known and any(
        _has_a_label(table_look, name) for table_look in label_looks for name in names
    )
    if labels_apart and not all(_answers(look, model) for model in models):
        return 0.0
    probabilities = [j for columns in core for j in columns if look.unit[j] and _speaks(look, j)]
    alone = _ALONE * (len(grid) == 1) + _ALONE * (len(probabilities) >= len(names))
    return _OPEN + known + alone + short + _MANY * len(names)


def _speaks(look: Look, j: int) -> bool:
    parsed = look.parsed[j]
    return parsed.speaks_of_predictions or parsed.role == "confidence" or parse(look.names[j]).numeric


def _adds_up(look: Look, columns: Sequence[int]) -> bool:
    """Whether the columns of a model add up, or those of them that are no measure beside them."""
    beside = ("other", "confidence")
    plain = [j for j in columns if look.parsed[j].role not in beside]
    return any(look.share(chosen) >= MOST for chosen in (columns, plain) if len(chosen) > 1)


def _falls(look: Look, columns: Sequence[int]) -> bool:
    """Whether the columns fall in every row: the likeliest guess, the second one, and so on."""
    part = look.sample[:, list(columns)]
    steps = np.diff(part, axis=1)
    return len(part) > 1 and bool((steps <= 0).all() and (steps < 0).any())


def _answers(look: Look, model: WideModel) -> bool:
    """Whether a column says that the model was right, or what it answered beside its confidence: no label of
    its own has that."""
    own = [name for _, name in model.columns]
    answers = any(not lexicon.PREDICTED.isdisjoint(token.text for token in tokens(name)) for name in own)
    return any(map(says_of_answers, own)) or (answers and _is_confident(look, model))


def _has_a_label(look: Look, name: str) -> bool:
    """Whether a column of 0 and 1 is called so: then the name is a class, and the case may be it or not."""
    wanted = {loose(name), loose(parse(name).inner)} - {""}  # "pred_mass" of "y_pred_mass" is of "mass"
    return any(
        look.binary[j]
        and parsed.role != "predicted"
        and not wanted.isdisjoint((loose(parsed.inner), loose(parsed.text)))
        for j, parsed in enumerate(look.parsed)
    ) or any(loose(look.parsed[owner].inner) in wanted for owner in look.outcomes.values())


def _are_one_hot(look: Look, names: Sequence[str]) -> bool:
    """Whether columns of 0 and 1 that end with the names, as "oh_cat" does, say of each row which it was."""
    ends = {
        loose(tokens(name)[-1].text): j
        for j, name in enumerate(look.names)
        if look.binary[j] and tokens(name)
    }
    columns = [ends.get(loose(name)) for name in names]
    if None in columns:
        return False
    return bool((look.sample[:, [j for j in columns if j is not None]].sum(axis=1) == 1).all())


def _of_blocks(table: Table) -> list[Candidate]:
    """Arrays of one width whose names differ by the model: "rf_probs" and "svm_probs"."""
    names = [table.names[block[0]].removesuffix("[0]") for block in table.blocks]
    groups: dict[_Stem, dict[str, int]] = {}
    for i, name in enumerate(names):
        for stem, model in _spans(name):
            groups.setdefault(stem, {}).setdefault(model, i)
    sets = []
    for group in groups.values():
        widths = {len(table.blocks[i]) for i in group.values()}
        if 2 <= len(group) <= MOST_MODELS and len(widths) == 1:
            models = tuple(
                WideModel(model, tuple((j, table.names[j]) for j in table.blocks[i]))
                for model, i in group.items()
            )
            sets.append(Candidate(models, clear=False))
    sets.sort(key=lambda candidate: (-len(candidate.names), max(map(len, candidate.names))))
    return sets[:MOST_CANDIDATES]
