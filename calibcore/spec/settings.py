"""DiagnosisSpec: every setting of a diagnosis in one frozen object, to JSON and back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, cast

from calibcore import distances
from calibcore.binning import Binning, UniformBinning
from calibcore.kernels import ExponentialKernel, Kernel
from calibcore.lenses import CanonicalLens, Lens
from calibcore.predictions import InputError
from calibcore.reliability import check_bars, check_interval
from calibcore.spec.codec import as_list, built, check_type, check_types, decode, encode, mapping
from calibcore.spec.kinds import BINNINGS, KERNELS, LENSES

SCHEMA = 1
TESTS = ("exact", "consistency", "distribution-free", "asymptotic")
MOST_RESAMPLES = 1_000_000


@dataclass(frozen=True)
class DiagnosisSpec:
    """What to look at and how.

    Attributes
    ----------
    lens, binning, distance, kernel : the strategy objects, and the name of a distance
    tests : names out of :data:`TESTS`, each at most once
    resamples : redraws of every Monte Carlo test
    interval : levels of the consistency bars
    bars : "exact" (Poisson-binomial; two classes) or "resampled"
    shuffle : put the rows in a seeded random order before what depends on their order
    alpha : level of the tests
    tolerance : the miscalibration that would matter, as a probability
    seed : of all randomness
    """

    lens: Lens = CanonicalLens()
    binning: Binning = UniformBinning(10)
    distance: str = distances.DEFAULT
    kernel: Kernel = ExponentialKernel()
    tests: tuple[str, ...] = TESTS
    resamples: int = 999
    interval: tuple[float, float] = (0.05, 0.95)
    bars: str = "exact"
    shuffle: bool = False
    alpha: float = 0.05
    tolerance: float = 0.05
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("tests", "interval"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        check_types(type(self), {f.name: getattr(self, f.name) for f in fields(self)}, "The settings")
        distances.distance(self.distance)
        for name in self.tests:
            if name not in TESTS:
                raise InputError(f"There is no test {name!r}; expected some of {', '.join(TESTS)}.")
        if len(set(self.tests)) < len(self.tests):
            raise InputError(f"A test is named twice in {', '.join(self.tests)}.")
        if not 1 <= self.resamples <= MOST_RESAMPLES:
            raise InputError(f"The number of redraws is {self.resamples}; expected 1 to {MOST_RESAMPLES:,}.")
        if self.seed < 0:
            raise InputError(f"The seed is {self.seed}; expected a whole number from 0 up.")
        check_bars(self.bars)
        for level in self.interval:
            check_type("The settings", "interval", level, float)
        check_interval(self.interval)
        for what, value in (("level", self.alpha), ("tolerance", self.tolerance)):
            if not 0 < value < 1:
                raise InputError(f"The {what} is {value:g}; expected a number between 0 and 1.")

    def to_document(self) -> dict[str, Any]:
        """A dict that spells out every setting, defaults included."""
        return {"schema": SCHEMA} | {f.name: encode(getattr(self, f.name)) for f in fields(self)}

    def to_json(self) -> str:
        """One line of JSON; the same settings give the same text."""
        return json.dumps(self.to_document(), ensure_ascii=False)

    @classmethod
    def from_document(cls, document: object) -> "DiagnosisSpec":
        """The inverse of :meth:`to_document`; keys that are left out take their defaults.

        Raises
        ------
        InputError : unknown key, kind or schema; the message lists what is allowed.
        """
        values = mapping(document, "The settings are", ("schema", *(f.name for f in fields(cls))))
        schema = values.pop("schema", SCHEMA)
        if type(schema) is not int or schema != SCHEMA:
            raise InputError(f"The settings have schema {schema!r}; this version reads schema {SCHEMA}.")
        for name, kinds in (("lens", LENSES), ("binning", BINNINGS), ("kernel", KERNELS)):
            if name in values:
                values[name] = decode(values[name], cast("Mapping[str, type]", kinds), name)
        for name in ("tests", "interval"):
            if name in values:
                values[name] = tuple(as_list(values[name], name))
        if len(values.get("interval", (0, 1))) != 2:
            raise InputError(f"The interval has {len(values['interval'])} numbers; expected 2.")
        return cast(DiagnosisSpec, built(lambda: cls(**values), "The settings"))

    @classmethod
    def from_json(cls, text: str) -> "DiagnosisSpec":
        """From JSON text; see :meth:`from_document`."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(f"The settings are not JSON: {error}.") from error
        return cls.from_document(document)

    def for_classes(self, m: int) -> "DiagnosisSpec":
        """The same with a binning that fits ``m`` classes: uniform:10 where its own does not."""
        return self if self.binning.fits(m) else replace(self, binning=UniformBinning(10))
