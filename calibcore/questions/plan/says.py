"""The answer about how many cases would tell."""

from collections.abc import Callable, Sequence

from calibcore.answers.blocks import Answer, Chart, Headline, Methods, Sentences
from calibcore.answers.question import Question
from calibcore.answers.tables import Column, Table
from calibcore.data.predictions import Predictions
from calibcore.io import Reading
from calibcore.numerics.progress import Progress
from calibcore.questions.plan import Plan, plan, plan_of_survey
from calibcore.questions.plan import words as planning
from calibcore.questions.plan.by_label import BY_LABEL
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import Lens
from calibcore.wording import in_noun, plural
from calibcore.words.looking import classes_in, name_in, sentence_case
from calibcore.words.repeating import (
    PLANNED,
    Command,
    Repeat,
    as_asked,
)


def says(plan: Plan, noun: str = "case", _shared: Plan | None = None) -> Answer:
    """The answer; all of it may be told, as nothing in it is of a single case."""
    first, *more = (in_noun(words, noun) for words in planning.plan_sentences(plan))
    table = plan_table(plan, noun)
    chart = Chart(
        name="enough",
        title=table.title,
        says=" ".join(more),
        screen="enough.enough_figure",
        paper="enough_print",
        of=plan,
        noun=noun,
        table=table,
    )
    methods = (in_noun(words, noun) for words in (planning.method_sentence(plan), planning.OTHER_ERRORS))
    return Answer(
        (classes_in(plan),),
        name_in(plan),
        (
            Headline(first),
            Sentences(tuple(more)),
            table,
            chart,
            Methods("How it was planned", tuple(methods), f"Seed {plan.spec.seed}."),
        ),
    )


def plan_table(plan: Plan, noun: str = "case") -> Table[int]:
    """How small an error is seen with fewer and with more cases; in full precision also with the plan's."""
    rows = planning.fewer_and_more(plan)
    columns: tuple[Column[int], ...] = (
        Column(sentence_case(plural(noun)), "cases", lambda n: n, lambda n: f"{n:,}", right=True),
        Column("Seen 8 times in 10 from", "smallest detectable", plan.detectable, planning.size_format(plan)),
    )
    exact = tuple(sorted({*rows, plan.cases}))
    return Table("plan", "How small an error is seen", columns, rows, in_full=exact)


def _ask(
    predictions: Predictions,
    spec: DiagnosisSpec,
    lenses: Sequence[Lens] | None,
    hypotheses: int | None = None,
) -> Callable[[Progress | None], Plan]:
    if hypotheses is not None:  # of a label, which is tested beside others
        return lambda progress: plan(predictions, spec, progress=progress, hypotheses=hypotheses)
    return lambda progress: plan_of_survey(predictions, spec, lenses, progress)


def plan_command(plan: Plan, origin: Reading | str) -> Repeat:
    """The command that plans for the same number again."""
    command = Command("plan", origin)
    if plan.hypotheses is not None:
        command.flag("--hypotheses", str(plan.hypotheses))
    return command.repeat(as_asked(plan.spec), PLANNED)


QUESTION = Question(
    name="plan",
    result=Plan,
    title=planning.ENOUGH,
    help="how many cases it takes to see an error of a given size",
    says=says,
    without_cases=lambda plan: plan,
    repeat=plan_command,
    again="And this one plans for the same number:",
    place=60,
    what="The plan was made",
    flag="also how many such cases would tell, as 'plan' says it",
    ask=_ask,
    by_label=BY_LABEL,
)
