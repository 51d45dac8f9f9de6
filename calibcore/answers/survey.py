"""The answer of a survey: the verdict on the whole, check by check, what is known of each class."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from calibcore.answers.blocks import (
    Answer,
    Badge,
    Beside,
    Block,
    Cases,
    Chart,
    Doubts,
    Fold,
    Headline,
    Methods,
    Notes,
    Sentences,
)
from calibcore.answers.diagram import diagram_chart
from calibcore.answers.measures import checks_measured
from calibcore.answers.nouns import said_of
from calibcore.answers.tables import Column, Table, interval_column
from calibcore.assessment.assess import Assessment, SoFar
from calibcore.assessment.headline import by_evidence, headline, is_by_order
from calibcore.assessment.power import Detectable
from calibcore.assessment.survey import Survey
from calibcore.assessment.verdict import OPEN, Verdict
from calibcore.assessment.verdict_tests import exact_pvalue
from calibcore.diagnose import Diagnosis
from calibcore.diagram.gap_sizes import ClassFrequencies, Frequencies, Interval
from calibcore.settings import lens_to_words
from calibcore.transforms.lenses import Lens, TopKLens
from calibcore.wording import count, in_noun, percent, sentences
from calibcore.words import ranks
from calibcore.words.diagram import by_chance, heading, reason
from calibcore.words.frequencies import frequencies_note, share_words
from calibcore.words.leading import early_parts, whole_parts
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.phrases import cases_words, classes_words, number_p, points, points_shown
from calibcore.words.results import impossible_outcomes, ties_sentence
from calibcore.words.sizes import (
    balance_words,
    digits_of,
    gap_cell,
    pattern_words,
    smallest_words,
    typical_digits,
)
from calibcore.words.temperature import beside_verdicts
from calibcore.words.testing import rows_doubt, units_sentence
from calibcore.words.verdict_rows import ALONE_SHORT, UNKNOWN, refused_lines, verdict_methods
from calibcore.words.verdicts import (
    SIGNS,
    adjusted_p,
    answer_parts,
    as_a_whole,
    chip,
    chip_text,
    not_said,
    worst_class,
)

NONE_DIFFERS = "In no check do the probabilities differ from what happened by more than chance allows."


def says(assessment: Assessment, noun: str = "case", how_many: str = "") -> Answer:
    """The answer of a survey and its verdicts.

    how_many : with how many cases these could tell, or what says it, where these cannot
    """
    diagnoses, verdicts = assessment.survey.diagnoses, assessment.verdicts
    first, more = whole_parts(diagnoses, verdicts, noun)
    worst = worst_class(verdicts)
    refused = refused_lines(assessment.survey.refused)
    classes: list[Block] = []
    if assessment.frequencies:
        table = classes_table(assessment.frequencies, diagnoses[0].spec.unit)
        classes = [Fold("Class by class, in natural frequencies", (table,))]
    answer = Answer(
        _about(diagnoses, noun),
        "",
        (
            badge(as_a_whole(verdicts)),
            Headline(first),
            Sentences(ranks.with_direction(sentences(how_many, more), diagnoses, verdicts)),
            Cases(units_sentence(_of_whole(diagnoses))),
            Beside(beside_verdicts(assessment.temperature, verdicts, bool(_by_order(diagnoses)))),
            _doubts(diagnoses, verdicts, noun),
            _carrying(diagnoses, verdicts, noun),
            checks_table(diagnoses, verdicts, notes=(*refused, "" if worst is None else worst[1])),
            Sentences((not_said(noun),)),
            *classes,
            Fold("More measures", (checks_measured(strongest_first(diagnoses, verdicts), noun),)),
            Notes(_notes(diagnoses)),
            Methods("Methods", verdict_methods(diagnoses[0], verdicts)),
        ),
    )
    return said_of(answer, noun)


def says_so_far(survey: Survey, so_far: SoFar, where: str, noun: str = "case") -> Answer:
    """The answer as far as the tests decide it, without what could have been seen.

    where : what works that out
    """
    diagnoses, verdicts = so_far.diagnoses, so_far.verdicts
    blocks = says_early(so_far, noun) or (Headline(NONE_DIFFERS),)
    rest = "What these cases could have shown, and with it each verdict, is worked out by"
    return Answer(
        _about(diagnoses, noun),
        "",
        (
            *blocks,
            Sentences((f"{in_noun(rest, noun)} {where}.",)),
            Cases(units_sentence(_of_whole(diagnoses))),
            _doubts(diagnoses, verdicts, noun),
            _carrying(diagnoses, verdicts, noun),
            checks_table(diagnoses, verdicts, so_far.coming, tuple(refused_lines(survey.refused))),
            Sentences((not_said(noun),)),
            Notes(_notes(diagnoses)),
        ),
    )


OTHERS_COME = "The other checks are being tested. Then this says which way, where and how far."


def says_early(so_far: SoFar, noun: str = "case") -> tuple[Block, ...]:
    """The answer alone as soon as what it needs is there; until then that there is a problem, or nothing."""
    first_rejecting = so_far.first_rejecting
    if first_rejecting is not None:
        check = sentence_case(name_of(first_rejecting))
        return Headline(f"Miscalibrated. The check '{check}' shows it."), Sentences((OTHERS_COME,))
    if not so_far.whole:
        return ()
    first, more = early_parts(so_far, noun)
    return badge(as_a_whole(so_far.whole)), Headline(first), Sentences((more,))


def says_nothing_yet(survey: Survey, why: str, noun: str = "case") -> Answer:
    """Of a survey that verdicts cannot be told of."""
    return Answer(_about(survey.diagnoses, noun), "", (Doubts((why,)),))


def says_verdict(verdict: Verdict, noun: str = "case", how_many: str = "") -> Answer:
    """The verdict on one check, by itself."""
    first, more = answer_parts(verdict, noun)
    blocks = (badge(verdict), Headline(first), Sentences((sentences(how_many, more),)))
    return Answer((sentence_case(name_of(verdict)),), "", blocks)


def _about(diagnoses: Sequence[Diagnosis], noun: str) -> tuple[str, ...]:
    first = diagnoses[0]
    cases = sentence_case(cases_words(first.n, noun, first.drawn_from))
    return cases, classes_words(first.m, first.kind), count(len(diagnoses), "check")


def _doubts(diagnoses: Sequence[Diagnosis], verdicts: Sequence[Verdict], noun: str) -> Doubts:
    """What puts these answers in doubt, the same while checks are still tested and afterwards."""
    impossible = max(diagnoses, key=lambda diagnosis: diagnosis.impossible_outcomes)
    refuted = any(verdict.refuted for verdict in verdicts)
    return Doubts(
        (
            "" if refuted else impossible_outcomes(impossible, noun),
            *(ties_sentence(each, noun) for each in _by_order(diagnoses)),
            rows_doubt(_of_whole(diagnoses)),
        )
    )


def _by_order(diagnoses: Sequence[Diagnosis]) -> list[Diagnosis]:
    """Of the confidence, where which class is likeliest is a matter of the order of the columns."""
    return [each for each in diagnoses if each.spec.lens == TopKLens(1) and is_by_order(each)]


def _notes(diagnoses: Sequence[Diagnosis]) -> tuple[str, ...]:
    """Those of the data, each once; of several labels every label may have one of its own."""
    return tuple(dict.fromkeys(note for diagnosis in diagnoses for note in diagnosis.notes))


def badge(verdict: Verdict) -> Badge:
    """A verdict at a glance."""
    shown = chip(verdict)
    return Badge(shown.words, SIGNS[shown.colour], shown.icon, shown.colour)


def _of_whole(diagnoses: Sequence[Diagnosis]) -> Diagnosis:
    return next((each for each in diagnoses if each.spec.lens.whole), diagnoses[0])


def _carrying(diagnoses: Sequence[Diagnosis], verdicts: Sequence[Verdict], noun: str) -> Chart:
    """The diagram of the check that carries the answer, named, with its reason."""
    carrying = headline(diagnoses, verdicts)
    why = sentences(reason(carrying, noun), by_chance(carrying))
    return diagram_chart(carrying.diagnosis.reliability, heading(carrying), why, why, noun)


# --- check by check -------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Check:
    """What was looked at, and what is known of it: one of ``diagnosis`` and ``verdict`` at least.

    ``adjusted`` is None as long as others are looked through; ``coming`` says whether the smallest detectable
    error is still being worked out.
    """

    diagnosis: Diagnosis | None
    verdict: Verdict | None
    pvalue: float
    adjusted: float | None = None
    coming: bool = False

    @property
    def lens(self) -> Lens:
        """Through which it was looked."""
        return self._either.lens if isinstance(self._either, Verdict) else self._either.spec.lens

    @property
    def name(self) -> str:
        """As it begins a sentence."""
        return sentence_case(name_of(self.diagnosis or self._either))

    @property
    def n(self) -> int:
        """Cases."""
        return self._either.n if isinstance(self._either, Verdict) else self._either.lens_n

    @property
    def typical_gap(self) -> Interval | None:
        """None in surveys of earlier versions."""
        return self._either.typical_gap

    @property
    def frequencies(self) -> Sequence[Frequencies]:
        """One entry a class; for two classes the first alone."""
        return self._either.frequencies

    @property
    def answered(self) -> Verdict | None:
        """The verdict, if it is not open."""
        return None if self.verdict is None or self.verdict.answer == OPEN else self.verdict

    @property
    def _either(self) -> Verdict | Diagnosis:
        either = self.verdict or self.diagnosis
        assert either is not None
        return either


def checks_table(
    diagnoses: Sequence[Diagnosis],
    verdicts: Sequence[Verdict] = (),
    coming: Collection[int] = (),
    notes: tuple[str, ...] = (),
) -> Table[Check]:
    """A row a check, those of the strongest evidence first; without verdicts, as long as others are looked
    through, in the order in which they came.

    coming : places where the smallest detectable error is still being worked out
    """
    if not verdicts:
        return _table([Check(each, None, exact_pvalue(each)) for each in diagnoses], notes)
    pairs = enumerate(zip(diagnoses, verdicts, strict=True))
    checks = [Check(each, v, v.pvalue, v.adjusted, place in coming) for place, (each, v) in pairs]
    strongest_first = sorted(zip(checks, verdicts, strict=True), key=lambda pair: by_evidence(pair[1]))
    return _table([check for check, _ in strongest_first], notes)


def strongest_first(diagnoses: Sequence[Diagnosis], verdicts: Sequence[Verdict]) -> list[Diagnosis]:
    """In the order of the rows of :func:`checks_table`, for what stands below it."""
    pairs = sorted(zip(diagnoses, verdicts, strict=True), key=lambda pair: by_evidence(pair[1]))
    return [diagnosis for diagnosis, _ in pairs]


def checks_of_survey(survey: Survey) -> Table[Check]:
    """The same of a survey by itself, in full precision, with no verdict."""
    each = zip(survey.diagnoses, survey.pvalues, survey.adjusted, strict=True)
    return _table([Check(diagnosis, None, p, adjusted) for diagnosis, p, adjusted in each])


def checks_of_verdicts(verdicts: Sequence[Verdict]) -> Table[Check]:
    """The same of verdicts by themselves."""
    return _table([Check(None, verdict, verdict.pvalue, verdict.adjusted) for verdict in verdicts])


def _table(checks: Sequence[Check], notes: tuple[str, ...] = ()) -> Table[Check]:
    digits = typical_digits([check.typical_gap for check in checks if check.typical_gap is not None])

    def adjusted(check: Check) -> str:
        if check.verdict is None:
            return f"{number_p(check.pvalue)} {ALONE_SHORT}"
        return adjusted_p(check.verdict, short=True)

    def smallest(check: Check) -> str | None:
        return None if check.verdict is None or check.coming else smallest_words(check.verdict)

    def on_balance(check: Check) -> str:
        if check.diagnosis is not None and is_by_order(check.diagnosis):
            return "–"
        return balance_words(check.lens, check.frequencies)

    judged = any(check.verdict is not None for check in checks)
    columns: tuple[Column[Check], ...] = (
        Column("Check", "", lambda check: check.name),
        Column("", "lens", lambda check: lens_to_words(check.lens)),
        Column("Verdict", "", lambda check: check.answered, chip_text, unknown=UNKNOWN),
        Column("", "verdict" * judged, lambda check: check.answered and chip(check.answered).words),
        Column("", "n", lambda check: check.n),
        Column("", "p", lambda check: check.pvalue),
        Column("", "adjusted p", lambda check: check.adjusted),
        interval_column(
            "Typical gap",
            "typical gap",
            lambda check: check.typical_gap,
            lambda gap: gap_cell(gap, digits),
            unknown="–",
        ),
        Column("On balance", "", on_balance),
        Column("Adjusted p", "", adjusted, right=True),
        Column("Smallest detectable", "", smallest, unknown=UNKNOWN),
        Column(
            "",
            "smallest detectable" * judged,
            lambda check: check.verdict and check.verdict.smallest_detectable,
        ),
    )
    return Table("verdicts", "Check by check", columns, tuple(checks), rows_are="checks", notes=notes)


# --- class by class -------------------------------------------------------------------


def classes_table(
    frequencies: Sequence[ClassFrequencies], unit: str | None = None, shares: bool = False
) -> Table[ClassFrequencies]:
    """A row a class: how often it was called so and was, how often it was so and was called.

    unit : what rows belong to that depend on each other; shares then have no exact intervals
    shares : also how often each happened of all, and what was predicted on average
    """

    def part(share: Interval | None, entry: ClassFrequencies) -> str | None:
        return None if share is None else share_words(entry.called_and_happened, share, unit is None)

    def happened(entry: ClassFrequencies) -> str:
        return (
            f"{entry.happened:,} ({percent(entry.happened / entry.n)})" if shares else f"{entry.happened:,}"
        )

    columns: tuple[Column[ClassFrequencies], ...] = (
        Column("Class", "class", lambda entry: entry.class_name),
        Column("", "n", lambda entry: entry.n),
        Column("", "mean prediction", lambda entry: entry.mean_prediction),
        Column("", "happened", lambda entry: entry.happened),
        Column("Model's answer", "called", lambda entry: entry.called, lambda cases: f"{cases:,}"),
        Column("Of these right", "", lambda entry: part(entry.right, entry), unknown="–"),
        Column("", "called and happened", lambda entry: entry.called_and_happened),
        Column(
            "Sure on average",
            "mean prediction when called",
            lambda entry: entry.mean_when_called,
            lambda sure: percent(sure, 0),
            unknown="–",
        ),
        Column("Happened", "", happened),
        Column("Of these found", "", lambda entry: part(entry.found, entry), unknown="–"),
        Column("Predicted on average" * shares, "", lambda entry: percent(entry.mean_prediction)),
    )
    notes = (frequencies_note(unit),)
    return Table("classes", "Class by class", columns, tuple(frequencies), rows_are="classes", notes=notes)


# --- what could have been seen --------------------------------------------------------


def detectable_table(verdict: Verdict) -> Table[Detectable]:
    """A row a pattern, the hardest to see first: how large it must be to be seen 8 times in 10."""

    def seen_from(sizes: Detectable) -> str:
        if sizes.size is None:
            return f"not even the largest ({points_shown(sizes.largest)})"
        return points(sizes.size, digits_of(sizes.size, verdict.tolerance))

    columns: tuple[Column[Detectable], ...] = (
        Column("Pattern", "", lambda sizes: pattern_words(verdict.lens, sizes)),
        Column("", "pattern", lambda sizes: sizes.pattern),
        Column("", "class", lambda sizes: sizes.class_name),
        Column("Seen 8 times in 10 from", "", seen_from),
        Column("", "smallest detectable", lambda sizes: sizes.size),
        Column("", "share", lambda sizes: sizes.share),
        Column("", "power", lambda sizes: sizes.power),
    )
    title = "What these cases could have shown"
    return Table("smallest-detectable", title, columns, verdict.detectable, rows_are="patterns")
