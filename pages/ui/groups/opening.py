"""One group of cases as a model of its own, in use on every page."""

import hashlib
from contextlib import suppress
from dataclasses import replace

from calibcore import DiagnosisSpec
from calibcore.errors import InputError
from calibcore.io import Reading
from calibcore.io.roles.stacked import ALL, chosen_rows
from calibcore.numerics.types import Int
from calibcore.questions.groups import Group, rows_of_group
from calibcore.questions.groups.words import group_name, group_title
from pages.ui import dates, state


def use(group: Group, data: state.Loaded, spec: DiagnosisSpec) -> None:
    """Use the cases of a group; another group of the same model that was opened before is let go.

    With units all rows of theirs, of which every page looks at one each.
    """
    rows = rows_of_group(data.predictions, group.column, group.value, spec, dates=dates.order(data))
    identity = "\0".join((group.column, group.value, spec.lens.to_words(), str(len(rows))))
    key = (
        f"{data.key}{state.GROUP}{hashlib.sha256(identity.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
    )
    for other in [
        name for name in state.models() if name.startswith(f"{data.key}{state.GROUP}") and name != key
    ]:
        state.remove(other)
    state.keep(
        state.made_of(
            data,
            key=key,
            title=state.free_title(group_title(data.title, group.column, group.value), key),
            predictions=data.predictions.with_rows(rows),
            reading=None,
            whole=state.Whole(
                data.key,
                data.predictions.n,
                data.uploaded,
                rows,
                group_name(group.column, group.value),
                _read_alone(group, data, rows),
            ),
        )
    )


def _read_alone(group: Group, data: state.Loaded, rows: Int) -> Reading | None:
    """How the file is read so that it gives the rows of a group alone; None where no flag can say that."""
    reading = data.reading or (None if data.whole is None else data.whole.reading)
    if reading is None or group.column not in reading.columns:
        return None
    columns, where = data.predictions.metadata, f"{group.column}={group.value}"
    with suppress(InputError):
        if chosen_rows(columns, data.predictions.n, [where]).tolist() == rows.tolist():
            already = tuple(words for words in reading.options.rows_where or () if words != ALL)
            return replace(reading, options=replace(reading.options, rows_where=(*already, where)))
    return None
