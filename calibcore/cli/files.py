"""Where commands get what they read, and leave what they write: on the disk, or with whoever sent it."""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import MultiLabelPredictions
from calibcore.errors import InputError
from calibcore.io import LabelsReading, Reading, ReadOptions, read, read_labels
from calibcore.io.all_models import Models, models_in
from calibcore.io.epochs import Epochs, read_epochs
from calibcore.io.unlabelled import read_for_map, read_labels_for_map, read_pilot


class Files(Protocol):
    """Files by what they were called in the arguments of a command.

    All that reads may raise :class:`.InputError`.
    """

    def read(self, path: str, labels: Path | None, options: ReadOptions) -> Reading:
        """Predictions with their labels, as :func:`calibcore.io.read`."""
        ...

    def several(self, path: str, labels: Path | None, options: ReadOptions) -> LabelsReading:
        """All labels of a file in which each case has several, as :func:`calibcore.io.read_labels`."""
        ...

    def models(self, path: str, labels: Path | None, options: ReadOptions) -> Models:
        """All models of a file, as :func:`.models_in`."""
        ...

    def epochs(
        self, paths: Sequence[str], labels: Path | None, options: ReadOptions, column: str | None
    ) -> Epochs:
        """A training run, as :func:`.read_epochs`."""
        ...

    def pilot(self, path: str, labels: Path | None, options: ReadOptions) -> Predictions:
        """Predictions that need no labels, as :func:`.read_pilot`."""
        ...

    def for_map(
        self, path: str, class_names: tuple[str, ...], options: ReadOptions
    ) -> tuple[Predictions, bool]:
        """Predictions that a map is applied to, as :func:`.read_for_map`."""
        ...

    def labels_for_map(
        self, path: str, labels: Path | None, label_names: tuple[str, ...], options: ReadOptions
    ) -> tuple[MultiLabelPredictions, bool]:
        """Those of several labels of each case, as :func:`.read_labels_for_map`."""
        ...

    def text(self, path: str) -> str:
        """A whole file of text. Raises OSError or UnicodeDecodeError where there is none."""
        ...

    def write(self, path: str, made: bytes) -> None:
        """Write it, over what is there; :class:`.InputError` where that cannot be."""
        ...

    def write_whole(self, path: str, made: bytes) -> None:
        """The same, as a whole or not at all: what was there stays where writing fails. Raises OSError."""
        ...


class OnDisk:
    """What is typed on the command line are paths."""

    def read(self, path: str, labels: Path | None, options: ReadOptions) -> Reading:
        """As of :class:`Files`."""
        return read(Path(path), labels=labels, options=options)

    def several(self, path: str, labels: Path | None, options: ReadOptions) -> LabelsReading:
        """As of :class:`Files`."""
        return read_labels(Path(path), labels=labels, options=options)

    def models(self, path: str, labels: Path | None, options: ReadOptions) -> Models:
        """As of :class:`Files`."""
        return models_in(Path(path), labels=labels, options=options)

    def epochs(
        self, paths: Sequence[str], labels: Path | None, options: ReadOptions, column: str | None
    ) -> Epochs:
        """As of :class:`Files`."""
        return read_epochs(
            [Path(path) for path in paths], labels=labels, options=options, epoch_column=column
        )

    def pilot(self, path: str, labels: Path | None, options: ReadOptions) -> Predictions:
        """As of :class:`Files`."""
        return read_pilot(Path(path), labels=labels, options=options)

    def for_map(
        self, path: str, class_names: tuple[str, ...], options: ReadOptions
    ) -> tuple[Predictions, bool]:
        """As of :class:`Files`."""
        return read_for_map(Path(path), class_names, options=options)

    def labels_for_map(
        self, path: str, labels: Path | None, label_names: tuple[str, ...], options: ReadOptions
    ) -> tuple[MultiLabelPredictions, bool]:
        """As of :class:`Files`."""
        return read_labels_for_map(Path(path), label_names, labels=labels, options=options)

    def text(self, path: str) -> str:
        """As of :class:`Files`."""
        return Path(path).read_text(encoding="utf-8")

    def write(self, path: str, made: bytes) -> None:
        """As of :class:`Files`."""
        try:
            Path(path).write_bytes(made)
        except OSError as error:
            why = (error.strerror or "an error").lower()
            raise InputError(f"The file {path!r} cannot be written: {why}.") from error

    def write_whole(self, path: str, made: bytes) -> None:
        """As of :class:`Files`."""
        target, beside = Path(path), None
        try:
            descriptor, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
            with os.fdopen(descriptor, "wb") as file:
                file.write(made)
            Path(beside).replace(target)
        except OSError:
            if beside is not None:
                Path(beside).unlink(missing_ok=True)
            raise


DISK = OnDisk()
_GIVEN = "files_given"


def files_of(arguments: argparse.Namespace) -> Files:
    """Where the files are that these arguments name: on the disk, unless others were :func:`given <give>`."""
    files: Files = getattr(arguments, _GIVEN, DISK)
    return files


def give(arguments: argparse.Namespace, files: Files) -> None:
    """From now on what these arguments name are ``files``, and nothing on the disk."""
    setattr(arguments, _GIVEN, files)
