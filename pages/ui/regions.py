"""A lens with the region of predictions that it looks at, taken apart and put together."""

from dataclasses import replace

from calibcore import DiagnosisSpec
from calibcore.transforms.lenses import Lens, RegionLens


def parts(lens: Lens) -> tuple[Lens, RegionLens | None]:
    """The lens inside a region, and the region if there is one."""
    return (lens.lens, lens) if isinstance(lens, RegionLens) else (lens, None)


def inside(spec: DiagnosisSpec, lens: Lens) -> DiagnosisSpec:
    """``spec`` with another lens; its region stays."""
    _, region = parts(spec.lens)
    return replace(spec, lens=lens if region is None else replace(region, lens=lens))
