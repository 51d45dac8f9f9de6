"""``caliblens stream BIG.parquet``: a diagnosis of a file that need not fit into memory."""

import argparse
from pathlib import Path

from calibcore.data.checks import spelled_out
from calibcore.errors import InputError
from calibcore.io import ReadOptions
from calibcore.io.row_groups import RowGroups
from calibcore.numerics.progress import Progress
from calibcore.spec import DiagnosisSpec
from calibcore.streaming import diagnose_slices
from calibcore.words.terminal import diagnosis_text


def answer(
    arguments: argparse.Namespace, options: ReadOptions, spec: DiagnosisSpec, progress: Progress | None
) -> str:
    """What is printed: the diagnosis as text or, with ``--json``, as one JSON object.

    Raises
    ------
    InputError : labels in a second file, or as :func:`~calibcore.streaming.diagnose_slices`.
    """
    if arguments.labels is not None:
        raise InputError("Labels in a second file cannot be streamed; put them into a column.")
    try:
        diagnosis = diagnose_slices(RowGroups(Path(arguments.predictions), options), spec, progress)
    except InputError as error:
        raise error.only(RowGroups.FIELDS) from None
    return spelled_out(diagnosis.to_json()) if arguments.json else diagnosis_text(diagnosis)
