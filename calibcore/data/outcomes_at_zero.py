"""Outcomes that were given probability 0: which of them rounding explains, and what is then redrawn."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Self

import numpy as np

from calibcore.data.case_data import CaseData, read_only
from calibcore.data.decimals import Rounding, expected_at_zero, rounding_pvalue
from calibcore.numerics.types import Float, Int

REFUTED = 0.005
"""p of the number of outcomes at a rounded 0 from which on they are not put down to rounding. That costs a
tenth of the usual level at most."""


class OutcomesAtZero(CaseData, ABC):
    """Cases with probabilities and one outcome each, which may be one that was called impossible."""

    labels: Int
    rounding: Rounding | None

    @property
    @abstractmethod
    def cases(self) -> Self: ...

    @abstractmethod
    def with_cases(self, rows: Int, labels: Int | None = None) -> Self: ...

    @cached_property
    def impossible_outcomes(self) -> int:
        """Cases whose outcome was given probability 0: each refutes calibration by itself."""
        p = self.cases
        return int(np.count_nonzero(p.probs[np.arange(p.n), p.labels] == 0))

    @property
    def possible(self) -> Self:
        """Without cases whose outcome stands at a 0 that rounding made; all where fewer than 2 are left.

        Such a 0 stands for a small chance, and yet no redraw makes that outcome.
        """
        return self._possible or self

    @cached_property
    def _possible(self) -> Self | None:
        """None for these themselves."""
        if self.rounding is None or not self.impossible_outcomes:
            return None
        p = self.cases
        rows = np.flatnonzero(p.probs[np.arange(p.n), p.labels] > 0)
        return self.with_cases(rows) if len(rows) >= 2 else None

    @cached_property
    def kept(self) -> Int:
        """(k,) cases that every redraw leaves as they are: those that :attr:`possible` leaves out, as long as
        rounding explains so many (:data:`REFUTED`); else none, and they speak against calibration."""
        p, many = self.cases, self.impossible_outcomes
        if p.rounding is None or not many or p.n - many < 2:
            return np.empty(0, np.int64)
        if rounding_pvalue(many, expected_at_zero(p.probs, p.rounding)) <= REFUTED:
            return np.empty(0, np.int64)
        return np.flatnonzero(p.probs[np.arange(p.n), p.labels] == 0).astype(np.int64)

    @cached_property
    def chances(self) -> Float:
        """(n, m) what the labels of cases are redrawn from: their probabilities, and of :attr:`kept` ones
        what happened. A test of the redraws is then exact, given which cases are kept."""
        p = self.cases
        if not len(self.kept):
            return p.probs
        chances = p.probs.copy()
        chances[self.kept] = np.eye(p.probs.shape[1])[p.labels[self.kept]]
        return read_only(chances)

    @property
    def without_kept(self) -> Self:
        """Without :attr:`kept` cases: for tests that they would leave too little to see."""
        return self.possible if len(self.kept) else self
