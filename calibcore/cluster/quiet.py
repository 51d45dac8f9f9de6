"""What dask logs of a connection that is lost and found is not for those who only asked for numbers."""

import logging
import threading

_LOGGERS = (
    "distributed.client", "distributed.core", "distributed.batched", "distributed.comm.core",
    "distributed.comm.tcp", "distributed.utils", "distributed.utils_comm", "tornado.application", "asyncio",
)  # fmt: skip


class _Threads(logging.Filter):
    """Drops what some threads log, and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.silent: set[int] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        return record.thread not in self.silent


_threads = _Threads()


async def silence_this_thread() -> int:
    """To be awaited in the thread that is not to be heard; its number, for :func:`heard_again`."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_threads)  # as one, however often it is added
    number = threading.get_ident()
    _threads.silent.add(number)
    return number


def heard_again(number: int) -> None:
    """Once that thread has ended, as its number may be another's later."""
    _threads.silent.discard(number)
