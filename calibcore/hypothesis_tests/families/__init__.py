"""The families of tests that settings ask for."""

from calibcore.hypothesis_tests.families.family import FAMILIES, Planned, Setup, family_of, names_of
from calibcore.strategies import import_all

__all__ = ["FAMILIES", "Planned", "Setup", "family_of", "names_of"]

import_all(__name__, __path__)
