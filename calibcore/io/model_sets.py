"""The models of a file that stand beside each other, or below each other where columns name them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.data.units import as_texts, codes_of
from calibcore.errors import InputError
from calibcore.io.columns import other_column
from calibcore.io.options import ReadOptions, names_from_words, names_in_words
from calibcore.io.roles import combined_sets
from calibcore.io.roles.stacked import names_cases
from calibcore.io.roles.wide_models import MOST_MODELS, WideModel
from calibcore.io.sources import Tables
from calibcore.io.tables import Array
from calibcore.wording import count, listed, quote


@dataclass(frozen=True, eq=False)
class ModelSet:
    """The models of a file, in the order in which they come.

    Attributes
    ----------
    names : of the models, each once
    columns : those that say which model a row is from, together; none where models stand beside each other
    values : of these columns, for each model
    wide : the columns of each model, where they stand beside each other
    beside : columns of fractions that might be models, too, and were not taken for such
    nameless : rows in which the columns name no model
    """

    names: tuple[str, ...]
    columns: tuple[str, ...] = ()
    values: tuple[tuple[str, ...], ...] = ()
    wide: tuple[WideModel, ...] = ()
    beside: tuple[str, ...] = ()
    nameless: int = 0

    @property
    def column(self) -> str:
        """The columns as a person names them: "model", or "model,prompt"; empty for none."""
        return self.columns[0] if len(self.columns) == 1 else names_in_words(self.columns)

    def where(self, name: str) -> tuple[str, ...]:
        """The rows of a model: ("model=bert", "prompt=v2")."""
        return combined_sets.where(self.columns, self.values[self.names.index(name)])

    def words(self, name: str) -> str:
        """A model as a button names it: "model bert, prompt v2"."""
        if not self.columns:
            return name
        values = self.values[self.names.index(name)]
        return ", ".join(f"{column} {value}" for column, value in zip(self.columns, values, strict=True))


def sets_of(columns: Sequence[str], values: Sequence[tuple[str, ...]], nameless: int = 0) -> ModelSet:
    """The models that columns name together: "bert / v2", or lists where two would be alike."""
    names = tuple(map(combined_sets.name_of, values))
    if len(set(names)) < len(names):
        names = tuple(names_in_words(of_model, may_be=False) for of_model in values)
    return ModelSet(names, tuple(columns), tuple(values), nameless=nameless)


def many_models(models: ModelSet) -> str:
    return f"{count(len(models.names), 'model')}: {listed(models.names, 8)}"


def are_models(models: ModelSet) -> str:
    return f"{'is' if len(models.names) == 1 else 'are'} {many_models(models)}"


def which_says(models: ModelSet) -> str:
    """What says which model a row is from."""
    if len(models.columns) == 1:
        return f"Column {quote(models.columns[0])} says which model a row is from."
    return f"The columns {listed(models.columns)} say together which model a row is from."


def by_column(tables: Tables, words: str) -> ModelSet:
    """The models that a column names; or several together, "model,prompt", where none is called so."""
    table = tables.table
    several = names_from_words(words) or () if words not in table.names else ()
    columns = [table.names[table.find(name, "models")] for name in (several or (words,))]
    values = combined_sets.values_of([cells_of(tables, column) for column in columns])
    if not 2 <= len(values) <= MOST_MODELS:
        many = "1 value" if len(values) == 1 else f"{len(values):,} values"
        what = f"Column {quote(columns[0])} should say which model a row is from, and has {many}"
        if len(columns) > 1:
            which = f"The columns {listed(columns)} should say together which model a row is from"
            what = f"{which}, and have {many}"
        raise InputError(f"{what}; expected 2 to {MOST_MODELS}.")
    named = tuple(of_model for of_model in values if all(of_model))
    nameless = int(_names_none(tables, columns).sum()) if len(named) < len(values) else 0
    return sets_of(columns, named, nameless)


def by_column_and_others(tables: Tables, column: str, options: ReadOptions) -> ModelSet:
    """The models that a column names; with others where a case stands in several rows of each, which these
    tell apart, unless one of the first is asked for."""
    models = by_column(tables, column)
    if options.model is not None and options.model.strip() in models.names:
        return models
    table = tables.table
    first = codes_of(cells_of(tables, column), names=False)[0]
    codes = {
        name: codes_of(other_column(table, j), names=False)[0]
        for j, name in enumerate(table.names)
        if j not in table.in_blocks and name != column
    }
    sets = {
        name: combined_sets.combined([first, column_codes])
        for name, column_codes in codes.items()
        if 1 < column_codes.max() + 1 <= combined_sets.MOST_SETS
    }
    for case in filter(names_cases, codes):
        if not combined_sets.is_once(codes[case], first):
            beside = combined_sets.columns_of_sets(codes[case], {n: s for n, s in sets.items() if n != case})
            if beside and combined_sets.is_once(
                codes[case], combined_sets.combined([sets[n] for n in beside])
            ):
                return by_column(tables, names_in_words((column, *beside)))
    return models


def _names_none(tables: Tables, columns: Sequence[str]) -> Array:
    """(n,) whether a row names no model in one of the columns."""
    texts = [as_texts(cells_of(tables, column)) for column in columns]
    return np.array([any(text.strip() == "" for text in row) for row in zip(*texts, strict=True)])


def refuse_nameless(tables: Tables, models: ModelSet) -> None:
    """Raise an InputError where a row names no model: it is left out of none in silence."""
    if not models.nameless:
        return
    bad = np.flatnonzero(_names_none(tables, models.columns))
    which = "column" if len(models.columns) == 1 else "columns"
    rows = list_rows(bad, lambda _: f"names no model in {which} {listed(models.columns)}")
    raise InputError(f"{rows} Expected the name of a model in every row.", leaving_out(bad, tables.table.n))


def cells_of(tables: Tables, column: str) -> Array:
    return other_column(tables.table, tables.table.names.index(column))
