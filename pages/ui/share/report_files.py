"""The finished report of what a session found: drawn once, with the title and rows that its author wants."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from types import MappingProxyType

from calibcore import (
    Comparison,
    Decisions,
    DiagnosisSpec,
    GroupSurvey,
    Monitoring,
    OverLabels,
    Plan,
    Recalibration,
)
from calibcore.assessment.assess import Assessment
from calibcore.data.several_labels import Cases
from calibcore.report import Report, report_of, to_html, to_json, to_pdf
from calibcore.transforms.lenses import cases_seen
from calibcore.words.reporting import prediction_rows
from calibcore.words.tables import csv_of
from pages.server import report_route
from pages.ui import dates
from pages.ui.state import Loaded
from pages.work import costs, jobs, studies
from pages.work.job import Job

Asking = Recalibration | Decisions | GroupSurvey | Monitoring | Plan | OverLabels
"""What another page found."""
SHARE_OF_SURVEY = 0.02
"""A report takes so much of the time of its survey, roughly."""


def cases_of(data: Loaded, all_labels: bool) -> Cases:
    """The predictions in use, or ``all_labels`` of which these are one."""
    return data.labels if all_labels and data.labels is not None else data.predictions


@dataclass(frozen=True, eq=False)
class Asked:
    """A report as its author wants it."""

    report: Report
    data: Loaded
    title: str
    rows: bool
    all_labels: bool = False

    @property
    def predictions(self) -> Cases:
        """What the report is about."""
        return cases_of(self.data, self.all_labels)

    @property
    def whole(self) -> Report:
        """The report with this title, and with rows if they are wanted."""
        rows = csv_of(prediction_rows(self.predictions)) if self.rows else None
        return replace(self.report, title=self.title, predictions=rows)


def today() -> str:
    """The day that a report made now carries."""
    return f"{datetime.fromtimestamp(report_route.now(), UTC):%Y-%m-%d}"


@dataclass(frozen=True, eq=False)
class Beside:
    """A comparison that the report is to hold, and the models in it by their names."""

    comparison: Comparison
    models: Mapping[str, Loaded]


def start(
    assessment: Assessment,
    data: Loaded,
    spec: DiagnosisSpec,
    beside: Beside | None = None,
    asked: Mapping[str, Asking] = MappingProxyType({}),
    *,
    all_labels: bool = False,
) -> Job[Report]:
    """The report of what was found, without rows, begun if need be; ``asked`` are other answers that it is to
    hold, by their names in its document. It is of the predictions in use, or of ``all_labels``."""
    p, day, order = cases_of(data, all_labels), today(), dates.order(data)
    read = data.labels_reading if all_labels else data.reading
    origin = read if all_labels and read is not None else data.origin
    caution = data.warning if spec.unit is None else ""
    diagnoses = assessment.survey.diagnoses
    classes = [costs.classes_through(d.spec.lens, cases_seen(p, d.spec.lens)) for d in diagnoses]
    key = (
        p.fingerprint, spec.to_json(), *(d.spec.to_json() for d in diagnoses), data.title, data.noun,
        caution, day, repr(read and (read.name, read.labels_name, read.options)),
        *studies.of_unit(p, spec),
        *(() if beside is None else (*beside.models, beside.comparison.spec.to_json())),
        *(part for name, result in asked.items() for part in (name, _digest(result))), str(order),
    )  # fmt: skip
    answers = [*asked.values(), *(() if beside is None else (beside.comparison,))]
    origins = {} if beside is None else {name: model.origin for name, model in beside.models.items()}

    def work(job: Job[Report]) -> Report:
        return report_of(
            p, assessment, spec, title=data.title, date=day, noun=data.noun, model=data.title,
            caution=caution, origin=origin, origins=origins, answers=answers, dates=order,
            progress=job.report,
        )  # fmt: skip

    of_lens = diagnoses[0].spec
    expected = costs.Estimate(p.n, lambda n: SHARE_OF_SURVEY * costs.seconds_of_survey(n, classes, of_lens))
    return jobs.start("report", key, work, expected)


def _digest(result: Asking) -> str:
    return sha256(result.to_json().encode("utf-8", "surrogatepass")).hexdigest()


def as_file(asked: Asked) -> str:
    """The page, to be kept as a file."""
    return to_html(asked.whole)


def as_pdf(asked: Asked, paper: str) -> bytes:
    """The report on paper."""
    return to_pdf(asked.whole, paper)


def as_json(asked: Asked) -> str:
    """The report's document, which opens its settings again."""
    return to_json(asked.whole)
