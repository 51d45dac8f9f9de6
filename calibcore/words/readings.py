"""What was read: the first rows, class by class."""

from calibcore.io import Reading
from calibcore.io.understanding import row_cells


def first_rows(reading: Reading) -> tuple[str, ...]:
    """ "row 1: cat 0.81, dog 0.19, was dog": how the first rows were taken, to be compared with the file."""
    sentences = []
    names = reading.predictions.class_names
    for number, probs, k in reading.first_rows:
        *classes, (was, label) = row_cells(names, probs, names[k]).items()
        cells = [f"{name} {probability}" for name, probability in classes]
        more = reading.predictions.m - len(cells)
        rest = f", {more:,} more {'class' if more == 1 else 'classes'}" if more > 0 else ""
        sentences.append(f"row {number:,}: {', '.join(cells)}{rest}, {was} {label}")
    return tuple(sentences)
