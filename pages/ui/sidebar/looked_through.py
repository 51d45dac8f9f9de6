"""What a page looks through where it begins with bins, or with a lens, of its own."""

from contextlib import suppress

from calibcore import DiagnosisSpec, InputError
from calibcore.transforms.lenses import CanonicalLens, Lens, TopKLens
from pages.ui import diagrams, settings, state
from pages.ui.sidebar import lens_controls
from pages.work import costs

MOST_CORNERS = 4


def on_page(name: str, data: state.Loaded) -> DiagnosisSpec:
    """The settings in use, as the page of that name takes them."""
    spec = settings.current()
    if name == "reliability":
        return diagrams.binned(spec, state.spread(data.predictions, spec))
    return with_corners(spec, data) if name == "simplex" else spec


def with_corners(spec: DiagnosisSpec, data: state.Loaded) -> DiagnosisSpec:
    """Where the lens has no three or four corners with one that has, so that Simplex opens with its figure:
    all classes up to four, else first and second choice and the rest. The lens in use stays elsewhere."""
    p = data.predictions
    if costs.classes_through(spec.lens, p) in (3, 4) or p.confidence_only:
        return spec
    with suppress(InputError):
        lens: Lens = CanonicalLens() if p.m <= MOST_CORNERS else TopKLens(2)
        return settings.through(lens_controls.inside(spec, lens).lens)
    return spec
