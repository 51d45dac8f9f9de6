"""The store of shared reports on the command line: ``python -m calibcore.store backup FILE``.

Exit codes: 0 done, 1 done but for reports that are damaged, 2 it cannot be done (one sentence on stderr).
"""

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from calibcore import limits
from calibcore.errors import InputError
from calibcore.extras import need

if TYPE_CHECKING:
    from calibcore.store.backup import Copied


def _parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="python -m calibcore.store", description="Shared reports: back them up, restore them."
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, words in (
        ("backup", "write all shared reports to a file; the server may run"),
        ("restore", "add the shared reports of a backup"),
    ):
        commands.add_parser(name, help=words).add_argument("file", metavar="FILE", type=Path)
    commands.add_parser(
        "delete-expired",
        help="delete what was found expired a day ago, note what is now; the server does so every hour",
    )
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run; returns the exit code."""
    limits.check_or_exit()
    arguments = _parser().parse_args(argv)
    try:
        need("The store of shared reports", "store")
        return _done(arguments)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2


def _done(arguments: argparse.Namespace) -> int:
    from calibcore.store import StoreError, open_store
    from calibcore.store.backup import backup, restore

    try:
        with closing(open_store(limits.SERVER.database_url, limits.SERVER.data)) as store:
            if arguments.command == "backup":
                return _report("backed up", backup(store, arguments.file))
            if arguments.command == "restore":
                return _report("restored", restore(store, arguments.file))
            print(f"Reports deleted: {store.delete_expired(int(time.time())):,}.")
    except StoreError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _report(done: str, copied: "Copied") -> int:
    print(f"Reports {done}: {copied.reports:,}.")
    if copied.damaged:
        print(f"Reports left out, as they are damaged: {copied.damaged:,}.", file=sys.stderr)
    if not copied.complete:
        print("The backup is cut off: reports that came later in it are missing.", file=sys.stderr)
    return int(bool(copied.damaged) or not copied.complete)


if __name__ == "__main__":
    sys.exit(main())
