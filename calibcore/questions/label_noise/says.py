"""The answer about how many wrong labels would explain what happened."""

from calibcore.answers.blocks import Answer, Cases, Headline, Methods, Sentences
from calibcore.answers.question import Question
from calibcore.answers.tables import Column, Table
from calibcore.questions.label_noise import WrongLabels
from calibcore.questions.label_noise import words as wrong_labels
from calibcore.questions.label_noise.by_label import BY_LABEL
from calibcore.wording import count
from calibcore.words.looking import classes_in, name_in
from calibcore.words.phrases import one_row_sentence, redraws_sentence


def says(result: WrongLabels, noun: str = "case", _shared: WrongLabels | None = None) -> Answer:
    """The answer; no report holds it."""
    return Answer(
        (count(result.n, noun), classes_in(result)),
        name_in(result),
        (
            Headline(wrong_labels.sentence(result)),
            Sentences((wrong_labels.likeliest_sentence(result),)),
            Cases(one_row_sentence(result.n, result.spec.unit, result.spec.seed)),
            shares_table(result),
            Methods(
                "How wrong labels were looked for", (wrong_labels.METHOD,), redraws_sentence(result.spec)
            ),
        ),
    )


def shares_table(result: WrongLabels) -> Table[WrongLabels]:
    """One row for CSV and frame: people read it in sentences."""
    columns: tuple[Column[WrongLabels], ...] = (
        Column("", "smallest share", lambda result: result.smallest),
        Column("", "most likely share", lambda result: result.estimate),
        Column("", "p without any", lambda result: result.pvalue),
        Column("", "p at the most likely share", lambda result: result.pvalue_at_estimate),
    )
    return Table("wrong-labels", "Shares of wrong labels", columns, (result,))


QUESTION = Question(
    name="label-noise",
    result=WrongLabels,
    title="How many wrong labels would explain it?",
    help="how many wrong labels would explain what happened",
    says=says,
    by_label=BY_LABEL,
)
