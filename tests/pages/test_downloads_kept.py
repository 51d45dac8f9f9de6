"""A file that a click makes is there until the page of its button runs again, whoever else is at work."""

from collections.abc import Iterator

import pytest
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from pages.server import streamlit_internals

TAB = "a tab"


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    make = MediaFileManager.execute_deferred
    monkeypatch.setattr(media_file_manager, "_get_session_id", lambda: TAB)
    MediaFileManager.execute_deferred = getattr(make, "__wrapped__", make)  # type: ignore[method-assign]
    yield
    MediaFileManager.execute_deferred = make  # type: ignore[method-assign]


def clicked() -> tuple[MediaFileManager, str, str]:
    """Streamlit's files after a click on a button, the button's name and the address of what it made."""
    files = MediaFileManager(MemoryMediaFileStorage("/media"))
    button = files.add_deferred(lambda: b"a,b", "text/csv", "0.1", "numbers.csv")
    return files, button, files.execute_deferred(button)


def others_run(files: MediaFileManager) -> None:
    """Two runs of pages end, anybody's."""
    files.remove_orphaned_files()
    files.remove_orphaned_files()


def there(files: MediaFileManager, address: str) -> bool:
    try:
        return files._storage.get_file(address.removeprefix("/media/").partition(".")[0]).content == b"a,b"  # type: ignore[attr-defined]
    except MediaFileStorageError:
        return False


def test_streamlit_itself_throws_it_away() -> None:
    """Once this fails, Streamlit has closed the gap, and ``streamlit_internals._keep_downloads`` can go."""
    files, _, address = clicked()
    assert there(files, address)
    others_run(files)
    assert not there(files, address)


def test_it_stays_while_others_run_and_goes_with_its_page() -> None:
    streamlit_internals.mend(lambda: "")
    streamlit_internals.mend(lambda: "")
    files, button, address = clicked()
    others_run(files)
    assert there(files, address)
    again = files.execute_deferred(button)
    others_run(files)
    assert there(files, again)
    files.clear_session_refs(TAB)
    others_run(files)
    assert not there(files, address)


def test_a_button_that_went_meanwhile_costs_the_file_its_keeping_alone() -> None:
    streamlit_internals.mend(lambda: "")
    files = MediaFileManager(MemoryMediaFileStorage("/media"))

    def gone() -> bytes:
        files.clear_session_refs(TAB)
        others_run(files)
        return b"a,b"

    address = files.execute_deferred(files.add_deferred(gone, "text/csv", "0.1", "numbers.csv"))
    assert there(files, address)
