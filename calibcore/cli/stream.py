"""``caliblens stream BIG.parquet``: a diagnosis of a file that need not fit into memory."""

import argparse
from pathlib import Path

from calibcore.cli import flags
from calibcore.cli.requests import EVERY_TEST, request_from
from calibcore.cli.running import printed
from calibcore.errors import InputError
from calibcore.flags import NONE
from calibcore.io.row_groups import RowGroups
from calibcore.numerics.progress import Progress
from calibcore.settings import ESTIMATES, DiagnosisSpec
from calibcore.streaming import diagnose_slices
from calibcore.terminal import diagnosis_text

HELP = "diagnose a Parquet file that need not fit into memory"
PLACE = 30
EXAMPLES = ("stream twenty-million.parquet --lens confidence",)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.reading_flags(command)
    flags.setting_flags(command)
    command.add_argument("--cluster", default=NONE, help=argparse.SUPPRESS)  # refused in a sentence
    flags.json_flag(command)
    flags.lens_flag(command)
    flags.made_flags(command)


def run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    """The diagnosis as text or, with ``--json``, as one JSON object.

    Raises
    ------
    InputError : a cluster, labels in a second file, or as :func:`~calibcore.streaming.diagnose_slices`.
    """
    spec = request_from(arguments).spec
    _refuse_what_no_stream_does(spec)
    if arguments.cluster not in ("", NONE):
        raise InputError("A stream is read and computed on this machine alone; leave out --cluster.")
    options = flags.options_from(arguments)
    if arguments.labels is not None:
        raise InputError("Labels in a second file cannot be streamed; put them into a column.")
    try:
        diagnosis = diagnose_slices(RowGroups(Path(arguments.predictions), options), spec, progress)
    except InputError as error:
        raise error.only(RowGroups.FIELDS) from None
    return printed(arguments, diagnosis, diagnosis_text), 0


def _refuse_what_no_stream_does(spec: DiagnosisSpec) -> None:
    """What can be left out by name as long as nothing was asked for in particular."""
    cannot = [name for name in ("exact-omnibus", "consistency") if name in spec.tests]
    if spec.tests not in EVERY_TEST and cannot:
        raise InputError(
            f"The settings ask for the test {cannot[0]}, which a stream cannot make. Leave it out of --tests."
        )
    if spec.estimates not in (ESTIMATES, (), ("skce-block",)):
        raise InputError(
            f"The settings ask for the estimates {', '.join(spec.estimates)}; a stream makes skce-block "
            "alone. Say so by --estimates skce-block, or none."
        )
