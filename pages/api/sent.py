"""The files that a program sent: read in processes of their own, and on no disk."""

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import MultiLabelPredictions
from calibcore.errors import InputError
from calibcore.io import LabelsReading, Reading, ReadOptions
from calibcore.io.all_models import Models
from calibcore.io.apart import (
    LabelsBeside,
    models_in_apart,
    read_apart,
    read_epochs_apart,
    read_for_map_apart,
    read_labels_apart,
    read_labels_for_map_apart,
    read_pilot_apart,
)
from calibcore.io.epochs import Epochs
from calibcore.numerics.progress import Cancelled

MOST_TEXT = 64_000_000
"""Bytes of a file of settings, or of a state."""


class Sent:
    """The :class:`calibcore.cli.files.Files` of one request: bytes by the names that they were given.

    What a command writes is kept in ``made``. Turns go round by ``visitor``; who calls ``stop`` ends reading.
    """

    def __init__(self, files: Mapping[str, bytes], visitor: str) -> None:
        self._files, self._visitor = dict(files), visitor
        self.made: dict[str, bytes] = {}
        self._stopped = threading.Event()

    def stop(self) -> None:
        """End reading at the next look."""
        self._stopped.set()

    def read(self, path: str, labels: Path | None, options: ReadOptions) -> Reading:
        """As of :class:`.Files`."""
        return read_apart(self._data(path), name=path, **self._how(labels, options))

    def several(self, path: str, labels: Path | None, options: ReadOptions) -> LabelsReading:
        """As of :class:`.Files`."""
        return read_labels_apart(self._data(path), name=path, **self._how(labels, options))

    def models(self, path: str, labels: Path | None, options: ReadOptions) -> Models:
        """As of :class:`.Files`."""
        return models_in_apart(self._data(path), name=path, **self._how(labels, options))

    def epochs(
        self, paths: Sequence[str], labels: Path | None, options: ReadOptions, column: str | None
    ) -> Epochs:
        """As of :class:`.Files`."""
        return read_epochs_apart(
            [self._data(path) for path in paths], names=paths, epoch_column=column,
            **self._how(labels, options)
        )  # fmt: skip

    def pilot(self, path: str, labels: Path | None, options: ReadOptions) -> Predictions:
        """As of :class:`.Files`."""
        return read_pilot_apart(self._data(path), name=path, **self._how(labels, options))

    def for_map(
        self, path: str, class_names: tuple[str, ...], options: ReadOptions
    ) -> tuple[Predictions, bool]:
        """As of :class:`.Files`."""
        return read_for_map_apart(
            self._data(path), class_names, name=path, options=options, check=self._check,
            visitor=self._visitor,
        )  # fmt: skip

    def labels_for_map(
        self, path: str, labels: Path | None, label_names: tuple[str, ...], options: ReadOptions
    ) -> tuple[MultiLabelPredictions, bool]:
        """As of :class:`.Files`."""
        how = self._how(labels, options)
        return read_labels_for_map_apart(self._data(path), label_names, name=path, **how)

    def text(self, path: str) -> str:
        """As of :class:`.Files`."""
        if path not in self._files:
            raise FileNotFoundError(path)
        data = self._files[path]
        if len(data) > MOST_TEXT:
            raise InputError(
                f"The file {shown(path)} has {len(data):,} bytes; expected {MOST_TEXT:,} at most."
            )
        return data.decode("utf-8")

    def write(self, path: str, made: bytes) -> None:
        """As of :class:`.Files`."""
        self.made[path] = made

    def write_whole(self, path: str, made: bytes) -> None:
        """As of :class:`.Files`."""
        self.made[path] = made

    def _data(self, path: str) -> bytes:
        if path not in self._files:
            raise InputError(
                f"What was sent is the word {shown(path)}; expected a file, as curl sends it: "
                "-F predictions=@FILE."
            )
        return self._files[path]

    def _how(self, labels: Path | None, options: ReadOptions) -> LabelsBeside:
        name = None if labels is None else str(labels)
        second = None if name is None else self._data(name)
        return {
            "labels": second, "labels_name": name, "options": options, "check": self._check,
            "visitor": self._visitor,
        }  # fmt: skip

    def _check(self, _waits: bool) -> None:
        if self._stopped.is_set():
            raise Cancelled
