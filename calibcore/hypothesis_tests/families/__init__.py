"""The families of tests that settings ask for, each in a file of its own."""

from calibcore.hypothesis_tests.families.family import (
    FAMILIES,
    Family,
    Planned,
    Setup,
    family_of,
    names_of,
)
from calibcore.strategies import import_all

__all__ = ["FAMILIES", "Family", "Planned", "Setup", "family_of", "names_of"]

import_all(__name__, __path__)
