"""The answer about how many wrong labels would explain what happened."""

from calibcore.answers.blocks import Answer, Cases, Headline, Methods, Sentences
from calibcore.answers.question import Question
from calibcore.answers.tables import Column, Table
from calibcore.questions.label_noise import WrongLabels
from calibcore.questions.label_noise import words as wrong_labels
from calibcore.wording import count
from calibcore.words.looking import name_in
from calibcore.words.phrases import one_row_sentence, redraws_sentence


def says(found: WrongLabels, noun: str = "case", _told: WrongLabels | None = None) -> Answer:
    """The answer; no report holds it."""
    return Answer(
        (count(found.n, noun), f"{found.m:,} classes"),
        name_in(found),
        (
            Headline(wrong_labels.sentence(found)),
            Sentences((wrong_labels.likeliest_sentence(found),)),
            Cases(one_row_sentence(found.n, found.spec.unit, found.spec.seed)),
            shares_table(found),
            Methods("How wrong labels were looked for", (wrong_labels.METHOD,), redraws_sentence(found.spec)),
        ),
    )


def shares_table(found: WrongLabels) -> Table[WrongLabels]:
    """One row for CSV and frame: people read it in sentences."""
    columns: tuple[Column[WrongLabels], ...] = (
        Column("", "smallest share", lambda found: found.smallest),
        Column("", "most likely share", lambda found: found.estimate),
        Column("", "p without any", lambda found: found.pvalue),
        Column("", "p at the most likely share", lambda found: found.pvalue_at_estimate),
    )
    return Table("wrong-labels", "Shares of wrong labels", columns, (found,))


QUESTION = Question(
    name="label-noise",
    result=WrongLabels,
    title="How many wrong labels would explain it?",
    help="how many wrong labels would explain what happened",
    says=says,
)
