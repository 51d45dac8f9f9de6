"""Files -> :class:`~calibcore.data.predictions.Predictions`.

:func:`read` takes a table of predictions, with the labels in it or in a second
file, in any of the known formats, and says back how it understood it. Whatever
cannot be used is an :class:`~calibcore.errors.InputError` of one message.

The way: :mod:`.sources` makes a :class:`.tables.Table` of bytes, :mod:`.roles` says what each
column is, and what numbers and labels stand for; :mod:`.reader` puts them together.
"""

from calibcore.io.all_models import models_in
from calibcore.io.options import ReadOptions
from calibcore.io.reader import read, read_labels
from calibcore.io.reading import Reading
from calibcore.io.several_labels import LabelsReading

Origin = Reading | LabelsReading | str
"""How a file was read, or what data are in words."""

__all__ = ["LabelsReading", "Origin", "ReadOptions", "Reading", "models_in", "read", "read_labels"]
