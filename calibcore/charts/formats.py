"""What a figure can be. Nothing is imported here, so that it costs nothing to offer it."""

WIDTHS = (89, 183)
"""Millimetres: one and two columns of a journal, as Nature has them."""
FORMATS = ("pdf", "svg", "png")
MOST_ARROWS = {3: 2_000, 4: 500}
"""By number of classes: arrows drawn at most, those of the fullest bins. So many redraw in a tenth of a
second in the triangle, and turn smoothly in the tetrahedron."""
