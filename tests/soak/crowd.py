"""Everybody wants a survey at once: who waits how long, what is said meanwhile, whether the pages answer.

    python -m tests.soak.crowd --sessions 20

Each brings a file of 10,000 cases and 10 classes, waits on Overview for its survey, and reads on meanwhile.
"""

import argparse
import asyncio
import os
import re
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

from tests.soak.client import Session
from tests.soak.people import Diary, Person, file_of
from tests.soak.server import CORES, Server, started

LONGEST = 1_800.0
"""Seconds after which somebody stops waiting."""
MEANWHILE = ("Reliability", "Learn", "Overview")
PLACE = re.compile(r"waiting for a free place, (?:(\d+) before|the next)")


def place(session: Session) -> int | None:
    """How many come first, as the page says; None for who is not in line."""
    said = PLACE.search(session.said())
    return None if said is None else int(said[1] or 0)


async def waits(server: Server, seed: list[int], data: bytes, diary: Diary) -> tuple[list[int], float]:
    """One person; the places in line that were said, and the seconds until the survey was there."""
    rng = np.random.default_rng(seed)
    session = await Session.opened(server.address)
    who = Person(session, rng, diary, {f"{seed[-1]}.csv": data})
    await who.to("Data")
    diary.wrote("a file", await who.brings(f"{seed[-1]}.csv"))
    begun, places = time.monotonic(), list[int]()
    diary.wrote("to Overview", await who.to("Overview"))
    while session.works and time.monotonic() < begun + LONGEST:
        await asyncio.sleep(rng.uniform(5, 10))
        if (now := place(session)) is not None:
            places.append(now)
        if rng.random() < 0.3:
            for page in MEANWHILE:
                diary.wrote(f"to {page}", await who.to(page))
                await asyncio.sleep(1)
    diary.errors += session.errors
    await session.close()
    return places, time.monotonic() - begun


async def crowd(sessions: int, seed: int) -> int:
    """All at once; prints what they met, returns how many errors there were."""
    diary = Diary()
    with tempfile.TemporaryDirectory() as folder, started(Path(folder)) as server:
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) > CORES:
            os.sched_setaffinity(0, cores[CORES:])
        files = [file_of(10_000, 10, seed + i) for i in range(sessions)]
        print(f"{sessions} surveys of 10,000 × 10 at once; load {os.getloadavg()[0]:.1f}", flush=True)
        met = await asyncio.gather(*(waits(server, [seed, i], data, diary) for i, data in enumerate(files)))
        lasted = sorted(seconds for _, seconds in met)
        first, middle, last = lasted[0], lasted[len(lasted) // 2], lasted[-1]
        print(f"surveys there after {first:.0f} s (first), {middle:.0f} s (half), {last:.0f} s (last)")
        for places, seconds in sorted(met, key=lambda pair: pair[1]):
            print(f"  {seconds:5.0f} s; before it, as the page said: {places}")
        for act in sorted({act for act, _ in diary.acts}):
            times = [seconds for other, seconds in diary.acts if other == act]
            p50, p95 = np.percentile(times, (50, 95))
            print(
                f"  {act:<16} {len(times):4} times: p50 {p50:.2f} s, p95 {p95:.2f} s, worst {max(times):.2f}"
            )
        every = [seconds for _, seconds in diary.acts]
        print(f"  all: p95 {np.percentile(every, 95):.2f} s")
        diary.errors += server.complaints()
        backwards = [p for p, _ in met if any(later > sooner for sooner, later in pairwise(p))]
    for error in [*diary.errors[:10], *(f"somebody was put back in line: {p}" for p in backwards)]:
        print(f"ERROR {error[:300]}")
    return len(diary.errors) + len(backwards)


def main() -> int:
    """Parse, wait, say how it was."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.crowd", description=__doc__)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=20190501)
    asked = parser.parse_args()
    return 1 if asyncio.run(crowd(asked.sessions, asked.seed)) else 0


if __name__ == "__main__":
    sys.exit(main())
