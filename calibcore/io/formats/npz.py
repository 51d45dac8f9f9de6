"""NPZ, arrays of NumPy in an archive -> :class:`Table`."""

import zipfile

from calibcore.errors import InputError
from calibcore.io.archives import archive_of
from calibcore.io.arrays import checked_array, table_of_arrays
from calibcore.io.formats.format import FORMATS, Content, Format
from calibcore.io.tables import Array, Table, check_width
from calibcore.wording import quote


@FORMATS.enter
class NPZ(Format):
    """Several arrays of NumPy."""

    kind = "npz"
    place = 40
    label = "NPZ"
    common = "NumPy"
    reads = "Arrays by their names: `probs`, `labels`, `class_names`. Nothing is unpickled."
    endings = (".npz",)
    inside = ".npy"

    @classmethod
    def read(cls, content: Content) -> Table:
        with archive_of(content.data) as archive:
            arrays = npz_arrays(archive)
            return table_of_arrays(arrays, "NumPy arrays", content.options, content.want_labels)


def npz_arrays(archive: zipfile.ZipFile) -> dict[str, Array]:
    """The arrays by their names, none of them unpickled; sizes are checked before anything is unpacked."""
    arrays: dict[str, Array] = {}
    entries = [entry for entry in archive.infolist() if entry.filename.endswith(".npy")]
    check_width(len(entries))
    for entry in entries:
        name = entry.filename.removesuffix(".npy")
        if name in arrays:
            raise InputError(f"The array {quote(name)} stands twice in the archive; expected once.")
        with archive.open(entry) as stream:
            arrays[name] = checked_array(stream, entry.file_size, f"The array {quote(name)}")
    return arrays
