"""Which column may hold the labels: by its name, and by what stands in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import loose, says_of_answers, tokens, version_of
from calibcore.column_names.no_classes import PARTS
from calibcore.errors import InputError, NoLabelsError, Remedy
from calibcore.io.roles import agreement
from calibcore.io.roles.faulty_labels import FaultyLabels
from calibcore.io.roles.label_places import (
    ANY,
    BESIDE,
    BY_NAME,
    BY_PREDICTIONS,
    LABEL,
    PREDICTED,
    TRUTH,
    Place,
)
from calibcore.io.roles.look import MOST_OFFERED, Look
from calibcore.io.roles.meaning import Meaning, Words, cell_text
from calibcore.io.tables import LEFT_OUT, capitalised, is_bool_column
from calibcore.numerics.types import Float, Int
from calibcore.wording import count, listed


@dataclass(frozen=True)
class LabelFit:
    """Labels and what they stand for; ``doubt`` is why a person is asked whether these are the labels."""

    place: Place
    meaning: Meaning
    doubt: str = ""


Understand = Callable[[int], tuple[Meaning, ...]]
"""What the labels of a column stand for, in every way that fits; :class:`InputError` if none does."""


class LabelSearch:
    """The labels that go with (r, m) predictions, among columns that may hold them.

    ``places``: those columns; ``probs``: the predictions of the rows of the sample; ``faulty``: which
    columns would be the labels, but for some of their rows.
    """

    def __init__(
        self,
        look: Look,
        places: Sequence[Place],
        understand: Understand,
        probs: Float,
        faulty: FaultyLabels,
    ) -> None:
        self.look, self.understand, self.probs, self.m = look, understand, probs, probs.shape[1]
        self.faulty = faulty
        self.places = [place for place in places if not self._tells_rows_apart(place)] or list(places)

    def fits(self, own_file: bool, named: bool) -> tuple[LabelFit, ...]:
        """What fits; several, or one in doubt, are a question.

        ``own_file``: they are in a file of their own; ``named``: names of columns say something.
        :class:`InputError` that names what there is, if nothing fits.
        """
        look, best = self.look, max((place.rank for place in self.places), default=ANY)
        if best >= LABEL:
            return self._named(best)
        fits, refusal = self._fitting(self._of_rank(ANY))
        self._refuse_faulty(fits)
        if _several(fits):  # any text of so many words might be of other classes
            fits = [fit for fit in fits if not fit.meaning.open]
            fits = [fit for fit in fits if not fit.meaning.doubt] or fits
        fits = self._of_different_contents(fits)
        chosen = self._by_words(fits, own_file) if named else self._by_position(fits)
        if chosen and named and not own_file:
            chosen = self._with_others(chosen)
        if chosen and named and not any(fit.doubt for fit in chosen):
            beside = self._fitting(self._of_rank(BESIDE))[0]
            clear = not any(
                fit.meaning.doubt for fit in chosen
            )  # then only what holds the classes is a rival
            rivals = [
                fit
                for fit in beside
                if self._holds_names(fit) and not self._is_constant(fit) and not (clear and fit.meaning.doubt)
            ]
            different = self._of_different_contents([*chosen, *rivals])
            if _several(different):
                return self._in_doubt(different)
        if chosen:
            return chosen
        rest = list(filter(self._may_be_meant, self._fitting(self._of_rank(BESIDE, PREDICTED))[0]))
        unnamed = self._of_rank(ANY)
        text = len(unnamed) == 1 and not look.numeric[unnamed[0].columns[0]]
        if refusal and text and not any(map(self._holds_names, rest)):
            raise refusal  # the only column of text: what is wrong with it says more than that there is none
        faulty = [place.columns[0] for place in self._of_rank(BESIDE) if self._is_faulty_text(place)]
        offered = columns_of_labels(look, [*(fit.place.columns[0] for fit in rest), *faulty])
        if own_file:
            raise InputError(
                f"No column of the file of labels may be the labels. Its columns are "
                f"{listed(look.table.names_found)}.",
                offered,
            )
        left_out = "".join(f" {note}" for note in look.table.notes if note.startswith(LEFT_OUT))
        raise NoLabelsError(
            f"No column of labels was found. The columns are {listed(look.table.names_found)}.{left_out} "
            "If the labels are in a file of their own, give that too.",
            offered,
        )

    def _refuse_faulty(self, fits: Sequence[LabelFit]) -> None:
        """InputError for a column that is the labels but for some rows, which have none, or no class."""
        columns = [place.columns[0] for place in self._of_rank(ANY)]
        complete = {fit.place.columns[0] for fit in fits}
        faults = {j: fault for j in columns if j not in complete and (fault := self.faulty.fault(j))}
        texts = {j: fault for j, fault in faults.items() if not self.look.numeric[j]}
        sure = [fit for fit in fits if not (fit.meaning.doubt or fit.meaning.open)]
        clear = list(filter(self._holds_names, sure))
        rivals = [fit.place.columns[0] for fit in (clear if clear or texts else fits)]
        faults = texts if clear or texts else faults
        faults = {j: fault for j, fault in faults.items() if not any(self._says_as(i, j) for i in rivals)}
        if len(faults) == 1 and not rivals:
            raise next(iter(faults.values()))
        if faults:
            both = sorted({*faults, *rivals})
            raise InputError(
                f"The columns {listed(self.look.table.names_of(both))} could all be the labels. "
                f"{next(iter(faults.values()))}",
                columns_of_labels(self.look, both),
            )

    def _says_as(self, i: int, j: int) -> bool:
        """Whether the column ``j`` says what ``i`` does, or nothing, in every row."""
        own, other = ([cell_text(cell) for cell in self.look.table.columns[k]] for k in (i, j))
        return all(a == b or not b for a, b in zip(own, other, strict=True))

    def _is_faulty_text(self, place: Place) -> bool:
        (j,) = place.columns
        return self.faulty.names_classes(j) and self.faulty.fault(j) is not None

    def _may_be_meant(self, fit: LabelFit) -> bool:
        """Whether a column that is called otherwise is offered all the same: it holds the classes' names, and
        not those that were predicted; or it says whether the one answer was right.
        """
        if self.m == 2 and says_of_answers(self.look.names[fit.place.columns[0]]):
            return True
        words = {word.casefold() for word in self.look.words(fit.place.columns[0]).words}
        part = words <= PARTS  # of the data: for training, or for testing
        named = self._holds_names(fit) and not (fit.meaning.open or part)
        return named and not (self._is_constant(fit) or self._is_guess(fit))

    def _with_others(self, chosen: tuple[LabelFit, ...]) -> tuple[LabelFit, ...]:
        """Labels of which only a person knows, beside all others that may be meant.

        :class:`InputError` where neither the name nor the predictions speak for the only ones.
        """
        if not all(fit.doubt for fit in chosen) or _several(chosen):
            return chosen

        def may_be(fit: LabelFit) -> bool:
            return not (self._is_constant(fit) or self._is_guess(fit)) and self._like_classes(fit.place)

        rivals = list(filter(may_be, self._fitting(self._of_rank(BESIDE))[0]))
        if _several(different := self._of_different_contents([*chosen, *rivals])):
            if chosen[0].doubt != self._only(chosen[0]):
                return tuple(replace(fit, doubt=chosen[0].doubt) for fit in different)
            return self._in_doubt(different)
        labels = [self._sampled(fit) for fit in chosen]
        telling = len(self.probs) >= agreement.FEW and not self._is_constant(chosen[0])
        if chosen[0].doubt != self._only(chosen[0]) or not telling or self._holds_names(chosen[0]):
            return chosen
        if max(agreement.support(self.probs, column) for column in labels) > agreement.SOME:
            return chosen
        raise NoLabelsError(
            f"{chosen[0].doubt} Nor do the predictions go with it. If the labels are in a file of their own, "
            "give that too.",
            columns_of_labels(self.look, ()),
        )

    def _only(self, fit: LabelFit) -> str:
        """The doubt of what is no label by its name, and no name of a class by its values."""
        where = self.look.table.where(fit.place.columns[0])
        return f"Only {where} may be the labels, and its name does not say so."

    def _of_rank(self, *ranks: int) -> list[Place]:
        return [place for place in self.places if place.rank in ranks]

    def _fitting(self, places: Sequence[Place]) -> tuple[list[LabelFit], InputError | None]:
        """Every way in which the labels of these columns fit; the first refusal."""
        fits: list[LabelFit] = []
        refusal = None
        for place in places:
            try:
                fits += [LabelFit(place, meaning) for meaning in self.understand(place.columns[0])]
            except InputError as error:
                refusal = refusal or error
        return fits, refusal

    def _named(self, best: int) -> tuple[LabelFit, ...]:
        """Labels by their names; what is named like labels and holds no classes is refused."""
        named = self._of_rank(best)
        fits, refusal = self._fitting(list(filter(self._like_classes, named)) or named)
        if refusal and not fits:
            raise self._with_unnamed(refusal)
        fits = self._of_different_contents(fits)
        if _several(fits):
            return self._in_doubt(fits)
        self._refuse_gaps(named, fits[0])
        rivals = self._named_less_clearly(fits[0]) if best == TRUTH else []
        if _several(different := self._of_different_contents([*fits, *rivals])):
            return self._in_doubt(different)
        if named_so := self._named_otherwise(fits):
            return self._in_doubt([*named_so, *fits])
        if best >= TRUTH or fits[0].meaning.doubt:
            return tuple(fits)
        return self._if_no_guess(fits)

    def _with_unnamed(self, refusal: InputError) -> InputError:
        """The same, with columns of no such name that go with the predictions: "churned" beside a "category"
        of something else."""
        if refusal.remedies or self.m > 2:
            return refusal
        zeros = [place for place in self._of_rank(ANY) if self.look.binary[place.columns[0]]]
        fits = [fit for fit in self._fitting(zeros)[0] if not self._is_constant(fit)]
        fits = [fit for fit in fits if agreement.support(self.probs, self._sampled(fit)) > agreement.SOME]
        fits = [fit for fit in fits if not self._may_be_decision(fit)]
        if not fits or len(self.probs) < agreement.FEW:
            return refusal
        different = self._of_different_contents(fits)
        refusal.remedies = columns_of_labels(self.look, [fit.place.columns[0] for fit in different])
        return refusal

    def _may_be_decision(self, fit: LabelFit) -> bool:
        words = {token.text for token in tokens(self.look.names[fit.place.columns[0]])}
        return self._is_guess(fit) or not words.isdisjoint(lexicon.PREDICTED)

    def _named_otherwise(self, fits: Sequence[LabelFit]) -> list[LabelFit]:
        """Columns that name the class of every code of the labels, other than as these are understood."""
        own = self._words(fits[0])
        if not (own.all_integers or own.truths):
            return []
        texts = [p for p in self._of_rank(LABEL, ANY, BESIDE) if not self.look.numeric[p.columns[0]]]
        named = [fit for fit in self._fitting(texts)[0] if self._names_codes(fit, own)]
        understood = {tuple(self._sampled(fit).tolist()) for fit in fits}
        return [
            fit
            for fit in self._of_different_contents(named)
            if len(understood) > 1 or tuple(self._sampled(fit).tolist()) not in understood
        ]

    def _names_codes(self, fit: LabelFit, own: Words) -> bool:
        """Whether a column of text says a class, and another one of every code."""
        words = self._words(fit)
        sure = self._holds_names(fit) and not fit.meaning.doubt and not fit.meaning.open
        pairs = set(zip(own.sample.tolist(), words.sample.tolist(), strict=True)) if sure else set()
        ones, partners = {first for first, _ in pairs}, {other for _, other in pairs}
        opinion = bool(own.known & words.known)  # the same words: somebody else's labels
        return not opinion and len(pairs) > 1 and len(pairs) == len(ones) == len(partners)

    def _named_less_clearly(self, own: LabelFit) -> list[LabelFit]:
        """ "label" or "class" beside "y_true", of the same words, and not what the model said."""
        if own.place.why != BY_NAME:
            return []
        words = set(map(loose, self._words(own).words))

        def is_rival(fit: LabelFit) -> bool:
            alike = words & set(map(loose, self._words(fit).words))
            by_name = fit.place.why == BY_NAME and not fit.meaning.open
            return bool(alike and by_name) and not self._is_constant(fit) and not self._is_guess(fit)

        versions = [p for p in self._of_rank(ANY) if self.m == 2 and self._is_version(p)]
        return list(filter(is_rival, self._fitting([*self._of_rank(LABEL), *versions])[0]))

    def _is_version(self, place: Place) -> bool:
        """Whether it is one of several labels by its name, as "label_2"."""
        (j,) = place.columns
        return self.look.parsed[j].role == "label" and bool(version_of(self.look.names[j]))

    def _refuse_gaps(self, places: Sequence[Place], own: LabelFit) -> None:
        """InputError for labels beside a column named alike that says others, and of some rows nothing."""
        table = self.look.table
        cells = [cell_text(cell) for cell in table.columns[own.place.columns[0]]]
        for place in places:
            (j,) = place.columns
            other = [cell_text(cell) for cell in table.columns[j]] if place != own.place else []
            differ = sum(a != b for a, b in zip(cells, other, strict=False) if b)
            if differ and not all(other):
                columns = sorted((own.place.columns[0], j))
                raise InputError(
                    f"The columns {listed(table.names_of(columns))} could both be the labels, and differ in "
                    f"{count(differ, 'row')}; {table.where(j)} has empty cells.",
                    columns_of_labels(self.look, columns),
                )

    def _in_doubt(self, fits: Sequence[LabelFit]) -> tuple[LabelFit, ...]:
        columns = sorted({fit.place.columns[0] for fit in fits})
        doubt = f"The columns {listed(self.look.table.names_of(columns))} could all be the labels."
        return tuple(replace(fit, doubt=doubt) for fit in fits)

    def _if_no_guess(self, fits: Sequence[LabelFit]) -> tuple[LabelFit, ...]:
        """ "label" or "class" that is always the likeliest class may be what the model said."""
        own = fits[0]
        guess = self._is_guess(own)
        constant = self._is_constant(own) and len(self.probs) > 1
        # "Tree" of "Tree (cat)" may as well be what the tree said.
        learner = own.place.why == BY_PREDICTIONS
        if not (guess or constant or learner):
            return tuple(fits)
        words = set(map(loose, self._words(own).words))

        def is_rival(fit: LabelFit) -> bool:
            alike = constant or words & set(map(loose, self._words(fit).words))
            named = (fit.place.rank == ANY and not learner) or self._holds_names(fit)
            return bool(alike and named) and not self._is_constant(fit) and not self._is_guess(fit)

        rivals = list(filter(is_rival, self._fitting(self._of_rank(ANY, BESIDE))[0]))
        if not rivals and not agreement.is_surely_guess(self.probs, self._sampled(own)):
            return tuple(fits)
        if not guess and not constant:
            return self._in_doubt((*fits, *rivals))
        where = self._where(own)
        doubt = f"{where} says the same in every row." if constant and rivals else _always(where)
        return tuple(replace(fit, doubt=doubt) for fit in (*fits, *rivals))

    def _guess_doubt(self, fit: LabelFit) -> str:
        """Why labels whose name says nothing may be what a model said; "" if nothing speaks for it."""
        labels = self._sampled(fit)
        if agreement.is_surely_guess(self.probs, labels):
            return _always(self._where(fit))
        never = agreement.is_never_guess(self.probs, labels)
        return f"{self._where(fit)} is never the likeliest class." if never else ""

    def _by_words(self, fits: Sequence[LabelFit], own_file: bool) -> tuple[LabelFit, ...]:
        """Without a name that says so: the one column of text that holds names of the classes; else ask."""
        texts = list(filter(self._holds_names, fits))
        likely = [fit for fit in texts if not fit.meaning.doubt] or fits
        if _several(likely) or not likely:
            return self._in_doubt(likely)
        best = likely[0]
        why = "its values are the names of the classes" if texts else "the only column that may be"
        doubt = self._guess_doubt(best)
        if not doubt and len(self.probs) >= agreement.FEW and self._is_guess(best):
            doubt = _always(self._where(best))
        if not doubt and agreement.is_surely_split(self.probs, self._sampled(best)):
            doubt = f"{self._where(best)} goes with the predictions in every row, as a decision would."
        if not doubt and not texts and not own_file:
            doubt = self._only(best)
        return tuple(replace(fit, place=replace(fit.place, why=why), doubt=doubt) for fit in likely)

    def _by_position(self, fits: Sequence[LabelFit]) -> tuple[LabelFit, ...]:
        """In a table without names: the one column that may be the labels, the first or the last one."""
        if _several(fits) or not fits:
            return self._in_doubt(fits)
        (j,) = fits[0].place.columns
        ends = {0: "first", len(self.look.names) - 1: "last"}
        doubt = "" if fits[0].meaning.doubt else self._guess_doubt(fits[0])
        if not self.look.numeric[j]:
            why = "the only column of text"
        elif j in ends:
            why = f"the {ends[j]} column, which holds whole numbers while the others hold fractions"
        else:
            why, doubt = "the only column that may be", f"Only {self.look.names[j]} may be the labels."
        return tuple(replace(fit, place=replace(fit.place, why=why), doubt=doubt) for fit in fits)

    def _words(self, fit: LabelFit) -> Words:
        return self.look.words(fit.place.columns[0])

    def _where(self, fit: LabelFit) -> str:
        return capitalised(self.look.table.where(fit.place.columns[0]))

    def _sampled(self, fit: LabelFit) -> Int:
        """The labels of the sample's rows."""
        return self._words(fit).sampled(fit.meaning.numbers)

    def _is_guess(self, fit: LabelFit) -> bool:
        return agreement.is_guess(self.probs, self._sampled(fit))

    def _is_constant(self, fit: LabelFit) -> bool:
        """Whether it says the same in every row."""
        return len(self._words(fit).words) == 1

    def _holds_names(self, fit: LabelFit) -> bool:
        """Whether a column of text holds the names of the classes."""
        (j,) = fit.place.columns
        text = not self.look.numeric[j] and not is_bool_column(self.look.table.columns[j])
        return bool(text) and fit.meaning.kind == "names"

    def _tells_rows_apart(self, place: Place) -> bool:
        """Whether every row has a value of its own, and far more rows than classes: "reference" of a case."""
        cells = self.look.table.columns[place.columns[0]]
        return place.why == BY_NAME and len(cells) > 2 * self.m + 10 and bool(cells.nunique() == len(cells))

    def _like_classes(self, place: Place) -> bool:
        """Whether there are not many more different values than classes."""
        (j,) = place.columns
        if self.look.table.n > 2 and self.look.counts_rows(j):
            return False
        try:
            return bool(len(self.look.words(j).words) <= max(2 * self.m, self.m + 5))
        except InputError:
            return True

    def _of_different_contents(self, fits: Sequence[LabelFit]) -> list[LabelFit]:
        """Without columns that say the same as another one: as names, and as numbers."""
        left: list[tuple[LabelFit, Int]] = []
        for fit in fits:
            own = self._words(fit).mapped(fit.meaning.numbers)
            if not any(
                candidate.place != fit.place and np.array_equal(own, other) for candidate, other in left
            ):
                left.append((fit, own))
        return [fit for fit, _ in left]


def _several(fits: Sequence[LabelFit]) -> bool:
    """Whether these are labels of more than one column."""
    return len({fit.place for fit in fits}) > 1


def _always(where: str) -> str:
    return f"{where} is the likeliest class in every row, as a prediction would be."


def columns_of_labels(look: Look, candidates: Sequence[int]) -> tuple[Remedy, ...]:
    """The columns to choose the labels from; that a person has to name one, where they are too many."""
    candidates = list(dict.fromkeys(candidates))
    if not 0 < len(candidates) <= MOST_OFFERED:
        return (Remedy("Say which column holds the labels", asks="label_column"),)
    return tuple(
        Remedy(
            f"Take the labels from {look.table.where(j)}",
            {"label_column": look.names[j]},
            rows=look.first_rows([j]),
        )
        for j in candidates
    )


def without_labels(error: InputError, look: Look, candidates: Sequence[int]) -> NoLabelsError:
    """What is wrong with a column that was taken for the labels, and where these may be instead."""
    return NoLabelsError(
        f"{error} If another column holds the labels, choose that. If they are in a file of their own, give "
        "that too.",
        columns_of_labels(look, candidates),
    )
