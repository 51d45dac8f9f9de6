"""A cluster of real processes on this machine, that tests may kill, hold up and start again."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

_FORK = multiprocessing.get_context("forkserver")
_FORK.set_forkserver_preload(["distributed", "calibcore.assessment.assess", "tests.cluster.machines"])
_NUMBERS = count()
START = 30.0
"""Seconds within which a process has to be there, on a busy machine too."""


def _begin(log: str, without: str, version: str) -> None:
    """What each process does first: it ends with its parent, and writes to a file."""

    def end_with_parent() -> None:
        wait([multiprocessing.parent_process().sentinel])
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    if version:
        from calibcore import limits
        from calibcore.cluster import tasks

        limits.VERSION = tasks.VERSION = version
    if without:
        for name in [name for name in sys.modules if name.split(".")[0] == without]:
            del sys.modules[name]
        sys.modules[without] = None  # an import of it fails


def _freeze_at_work() -> None:
    """This process stops by itself in the midst of the first work that it is given: no sleep would tell when
    that has begun and is not over yet."""
    from calibcore.cluster import tasks

    unpacked = tasks.unpacked

    def and_freeze(*given: Any) -> Any:
        work = unpacked(*given)
        os.kill(os.getpid(), signal.SIGSTOP)
        return work

    tasks.unpacked = and_freeze


def _scheduler(log: str, port: int, without: str, version: str, config: dict[str, Any]) -> None:
    _begin(log, without, version)
    import dask
    from distributed import Scheduler

    async def run() -> None:
        async with Scheduler(host="127.0.0.1", port=port, dashboard=False) as scheduler:
            print("scheduler", scheduler.address, flush=True)
            await scheduler.finished()

    with dask.config.set(config):
        asyncio.run(run())


def _worker(
    log: str, address: str, directory: str, without: str, version: str, options: dict[str, Any]
) -> None:
    _begin(log, without, version)
    if options.pop("freezes", False):
        _freeze_at_work()
    from distributed import Worker

    async def run() -> None:
        async with Worker(
            address,
            **{"nthreads": 1, "memory_limit": 0} | options,
            local_directory=directory,
            dashboard=False,
        ) as worker:
            print("worker", worker.address, flush=True)
            await worker.finished()

    asyncio.run(run())


class Machines:
    """A scheduler and its workers; everything ends with :meth:`stop`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scheduler: Any = None
        self.workers: list[Any] = []
        self._groups: list[subprocess.Popen[bytes]] = []
        self.address = ""

    def start_scheduler(self, port: int = 0, without: str = "", version: str = "", **config: Any) -> str:
        """Its address."""
        log, settings = self._log(), {"temporary-directory": str(self.folder)} | config
        arguments = str(log), port, without, version, settings
        self.scheduler = _FORK.Process(target=_scheduler, args=arguments, daemon=True)
        self.scheduler.start()
        self.address = self._said(log, "scheduler")
        return self.address

    def start_worker(self, without: str = "", version: str = "", wait: bool = True, **options: Any) -> Any:
        """A worker without a nanny; the process. One that ``freezes`` does so when it is given work."""
        log = self._log()
        arguments = str(log), self.address, str(self.folder), without, version, options
        process = _FORK.Process(target=_worker, args=arguments, daemon=True)
        process.start()
        process.log = log
        self.workers.append(process)
        if wait:
            process.address = self._said(log, "worker")
        return process

    def start(self, workers: int, **options: Any) -> str:
        """A scheduler and some workers; the address."""
        self.start_scheduler()
        for process in [self.start_worker(wait=False, **options) for _ in range(workers)]:
            process.address = self._said(process.log, "worker")
        return self.address

    def start_nanny(self, *options: str) -> subprocess.Popen[bytes]:
        """What `dask worker` starts: a worker, and a nanny that starts it again."""
        command = [sys.executable, "-m", "distributed.cli.dask_worker", self.address, "--no-dashboard"]
        command += ["--nthreads", "1", "--local-directory", str(self.folder), *options]
        environment = os.environ | {"DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD": "forkserver"}
        with self._log().open("wb") as out:
            process = subprocess.Popen(
                command, stdout=out, stderr=out, env=environment, start_new_session=True
            )
        self._groups.append(process)
        return process

    def kill_workers(self) -> None:
        """All those without a nanny, at once."""
        for process in self.workers:
            process.kill()
        for process in self.workers:
            process.join()
        self.workers.clear()

    def kill_scheduler(self) -> None:
        self.scheduler.kill()
        self.scheduler.join()

    def stop(self) -> None:
        """End everything, whatever state it is in."""
        for group in self._groups:
            with suppress(ProcessLookupError):
                os.killpg(group.pid, signal.SIGKILL)
            group.wait()
        for process in self.workers:
            if process.is_alive():
                os.kill(process.pid, signal.SIGKILL)
            process.join()
        if self.scheduler is not None and self.scheduler.is_alive():
            self.kill_scheduler()

    def _log(self) -> Path:
        return self.folder / f"log-{next(_NUMBERS)}"

    def _said(self, log: Path, word: str) -> str:
        def said() -> str:
            lines = log.read_text().splitlines(keepends=True) if log.exists() else []
            found = (line.removeprefix(word + " ").strip() for line in lines if line.endswith("\n"))
            return next((address for address in found if address.startswith("tcp://")), "")

        until(lambda: bool(said()), START, lambda: log.read_text())
        return said()


def until(
    true: Callable[[], bool], seconds: float = 10.0, otherwise: Callable[[], str] = lambda: ""
) -> float:
    """Wait until something is true; the seconds that it took."""
    start = time.monotonic()
    while not true():
        assert time.monotonic() - start < seconds, otherwise() or f"not within {seconds} seconds"
        time.sleep(0.02)
    return time.monotonic() - start
