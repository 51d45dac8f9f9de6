"""What a survey found, in a run of an experiment tracker."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from calibcore.answers import survey as surveys
from calibcore.answers.blocks import Chart
from calibcore.assessment.assess import Assessment, assess
from calibcore.assessment.survey import survey
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import default_binning
from calibcore.drawing import on_paper
from calibcore.extras import need
from calibcore.pipelines.markdown import markdown_of
from calibcore.pipelines.summary import summary_of
from calibcore.settings import DiagnosisSpec
from calibcore.words.verdicts import as_a_whole

FOLDER = "caliblens"
"""Before the names of metrics, and the folder of files."""
WIDTH = 89.0
"""Millimetres of the figure: a column of a paper."""
FIGURE, SUMMARY, ANSWER = "reliability.png", "summary.json", "answer.md"


def metrics_of(assessment: Assessment) -> dict[str, float]:
    """The numbers of a survey as a whole, by names that trackers take.

    ``caliblens/typical_gap`` with ``_low`` and ``_high``, ``caliblens/adjusted_p``, whether it is
    ``caliblens/miscalibrated`` and ``caliblens/cannot_tell``, 1 or 0, how many ``caliblens/checks_off``, and
    ``caliblens/smallest_detectable`` where it is known.
    """
    overall = as_a_whole(assessment.verdicts)
    gap = overall.typical_gap
    numbers = {
        "typical_gap": gap.value,
        "typical_gap_low": gap.low,
        "typical_gap_high": gap.high,
        "adjusted_p": overall.adjusted,
        "miscalibrated": float(overall.answer == "miscalibrated"),
        "cannot_tell": float(overall.answer == "cannot-tell"),
        "checks_off": float(sum(verdict.found for verdict in assessment.verdicts)),
    }
    if overall.smallest_detectable is not None:
        numbers["smallest_detectable"] = overall.smallest_detectable
    return {f"{FOLDER}/{name}": float(number) for name, number in numbers.items()}


def files_of(assessment: Assessment) -> dict[str, bytes]:
    """The diagram that carries the answer, the summary, and the answer as Markdown, by name.

    All may be handed on. The diagram needs the extra ``print`` and is left out without it.
    """
    files = {
        SUMMARY: summary_of(assessment).to_json().encode(),
        ANSWER: markdown_of(assessment).encode(),
    }
    figure = _figure(assessment)
    return files if figure is None else {FIGURE: figure, **files}


def _figure(assessment: Assessment) -> bytes | None:
    try:
        need("A figure for print", "print")
    except ImportError:
        return None
    from calibcore.painters.paper import saved

    (chart,) = surveys.says(assessment).each(Chart)
    return saved(on_paper(chart.paper, chart.of, **chart.options)(WIDTH), "png")


def log_survey(run: Any, predictions: Predictions, spec: DiagnosisSpec | None = None) -> Assessment:
    """Survey the predictions, and put :func:`metrics_of` and :func:`files_of` into a run of MLflow.

    run : as ``mlflow.start_run()`` gives it, or its id

    Cost: a survey with its verdicts. Needs the package mlflow.

    Raises
    ------
    InputError : as :func:`survey`.
    """
    from mlflow import MlflowClient  # whoever has a run has it

    run_id = run if isinstance(run, str) else run.info.run_id
    assessment = surveyed(predictions, spec)
    client = MlflowClient()
    for name, number in metrics_of(assessment).items():
        client.log_metric(run_id, name, number)
    with TemporaryDirectory() as folder:
        for name, content in files_of(assessment).items():
            path = Path(folder, name)
            path.write_bytes(content)
            client.log_artifact(run_id, str(path), FOLDER)
    return assessment


def surveyed(predictions: Predictions, spec: DiagnosisSpec | None = None) -> Assessment:
    """A survey with its verdicts, as the command makes it."""
    many = default_binning(max(3, predictions.m), predictions.n)
    result = survey(predictions, spec or DiagnosisSpec(), binning_of_many=many)
    return assess(predictions, result)
