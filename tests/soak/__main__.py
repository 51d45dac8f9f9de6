"""Many people at once on the real server: `make soak`, or `python -m tests.soak --minutes 10`.

Two identical rounds; after each all tabs are closed and what they left is waited out. Exit code 1 when a
goal is missed.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
from playwright.async_api import async_playwright

from tests.browser.conftest import QUIET, find_chromium
from tests.soak.browsers import visit
from tests.soak.client import Session
from tests.soak.people import SIZES, Diary, Person, file_of
from tests.soak.server import CORES, Server, started

P95, GROWTH = 1.5, 1.10
"""Goals: seconds of an interaction, 95 % of them; memory after the second round over that after the first."""
PATIENCE = 420.0
"""Seconds that what closed tabs left may take to go."""


async def person(
    server: Server, seed: list[int], seconds: float, files: dict[str, bytes], diary: Diary
) -> None:
    """One websocket session from opening to closing."""
    rng, began = np.random.default_rng(seed), time.perf_counter()
    await asyncio.sleep(rng.uniform(0, 5))
    began = time.perf_counter()
    session = await Session.opened(server.address)
    diary.wrote("opening", time.perf_counter() - began)
    await Person(session, rng, diary, files).live(seconds)
    await session.close()


async def watch(server: Server, peak: list[float]) -> None:
    """The most memory that was seen."""
    while True:
        peak.append(server.megabytes())
        await asyncio.sleep(2)


async def one_round(server: Server, asked: argparse.Namespace, files: dict[str, bytes]) -> Diary:
    """All people at once, then everybody gone and forgotten."""
    diary, seconds, peak = Diary(), 60 * asked.minutes, list[float]()
    watching = asyncio.create_task(watch(server, peak))
    used, began = server.seconds(), time.monotonic()
    async with async_playwright() as playwright:
        path = find_chromium(playwright)  # type: ignore[arg-type]
        browser = await playwright.chromium.launch(executable_path=path, args=QUIET)
        people = [
            person(server, [asked.seed, i], seconds, files, diary)
            for i in range(asked.sessions - asked.browsers)
        ]
        people += [
            visit(browser, server.address, [asked.seed, 10_000 + i], seconds, diary)
            for i in range(asked.browsers)
        ]
        for found in await asyncio.gather(*people, return_exceptions=True):
            if isinstance(found, BaseException):
                diary.errors.append(f"a session broke off: {type(found).__name__} {found}")
        await browser.close()
    share = (server.seconds() - used) / (time.monotonic() - began)
    print(f"server: {share:.2f} cores busy, {max(peak):.0f} MB at most; load {os.getloadavg()[0]:.1f}")
    await gone(server)
    watching.cancel()
    return diary


async def gone(server: Server) -> None:
    """Wait until nothing is held, and a little for memory to come back."""
    end = time.monotonic() + PATIENCE
    while any(server.held() or (1,)) and time.monotonic() < end:
        await asyncio.sleep(2)
    await asyncio.sleep(35)


def report(name: str, diary: Diary, server: Server) -> list[str]:
    """A table of the interactions; the goals that were missed."""
    acts = sorted({act for act, _ in diary.acts})
    print(
        f"\n| {name:<26} | times |  p50 s |  p95 s | worst s |"
        f"\n|{'-' * 28}|------:|-------:|-------:|--------:|"
    )
    for act in (*acts, ""):
        times = [seconds for other, seconds in diary.acts if other == act or not act]
        if times:
            p50, p95 = np.percentile(times, (50, 95))
            print(f"| {act or 'all':<26} | {len(times):5} | {p50:6.2f} | {p95:6.2f} | {max(times):7.2f} |")
    print("held (tabs, closed, workspaces, jobs, bytes of uploads):", server.held())
    for error, times_seen in Counter(diary.errors).most_common(10):
        print(f"ERROR {times_seen} ×: {error[:300]}")
    every = [seconds for _, seconds in diary.acts]
    late = float(np.percentile(every, 95)) if every else float("inf")
    missed = [f"{name}: {len(diary.errors)} errors"] if diary.errors else []
    if late > P95:
        missed.append(f"{name}: p95 {late:.2f} s, more than {P95}")
    if any(server.held() or (1,)):
        missed.append(f"{name}: something is still held")
    return missed


async def soak(asked: argparse.Namespace) -> list[str]:
    """The rounds, their figures, the goals that were missed."""
    files = {f"{n}x{m}.csv": file_of(n, m, asked.seed) for n, m in SIZES}
    missed, after = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(asked.keep or name)
        folder.mkdir(exist_ok=True)
        with started(folder, CALIBLENS_WORKSPACE_MINUTES="1") as server:
            cores = sorted(os.sched_getaffinity(0))
            if len(cores) > CORES:  # the people elsewhere than the server
                os.sched_setaffinity(0, cores[CORES:])
            print(f"{asked.sessions} sessions, {asked.minutes:g} min a round; load {os.getloadavg()[0]:.1f}; "
                  f"server starts with {server.megabytes():.0f} MB", flush=True)  # fmt: skip
            for number in range(1, asked.rounds + 1):
                diary = await one_round(server, asked, files)
                missed += report(f"round {number}", diary, server)
                after.append(server.megabytes())
                print(f"memory after round {number}: {after[-1]:.0f} MB", flush=True)
            missed += [f"the log: {line[:300]}" for line in server.complaints()[:10]]
    if len(after) > 1 and after[-1] > GROWTH * after[0]:
        missed.append(
            f"memory grew by {100 * (after[-1] / after[0] - 1):.0f} % from the first round to the last"
        )
    return missed


def main() -> int:
    """Parse, soak, say what was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="of a round")
    parser.add_argument("--sessions", type=int, default=20, help="at once, the browsers among them")
    parser.add_argument("--browsers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=20190501)
    parser.add_argument("--keep", default="", help="a folder for the server's log")
    missed = asyncio.run(soak(parser.parse_args()))
    for goal in missed:
        print(f"MISSED {goal}")
    print("all goals met" if not missed else f"{len(missed)} goals missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
