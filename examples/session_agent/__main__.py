"""`python -m examples.session_agent`: see `--help`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
import time
from functools import partial

from .. import acp
from ..acp.stores import MemoryStore, PostgresStore, SQLiteStore, Store, StoreError, StoreFailed, using
from .agent import ReferenceAgent

HOUR = 3600.0
DAY = 86_400_000_000
"""Microseconds."""


def page_size(text: str) -> int:
    """How many sessions a page may have."""
    if not 1 <= int(text) <= 1_000:
        raise argparse.ArgumentTypeError(f"{text} is not between 1 and 1000")
    return int(text)


OPTIONS = (
    ("--store", "PLACE", str, None, "keep sessions in a file, or at postgresql://...; default: in memory"),
    ("--listen", "ADDRESS", str, None, "serve many clients, at unix:/PATH, tcp://HOST:PORT or http://HOST:PORT"),
    ("--page-size", "N", page_size, 50, "sessions on a page (default: 50)"),
    ("--keep-days", "N", float, None, "delete sessions that nobody touched for N days"),
    ("--retain-days", "N", float, 30.0, "keep deleted sessions for N days (default: 30)"),
    ("--pace", "SECONDS", float, 0.02, "between two pieces of an answer (default: 0.02)"),
)


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m examples.session_agent", description="A reference agent.")
    for name, metavar, kind, default, text in OPTIONS:
        parser.add_argument(name, metavar=metavar, type=kind, default=default, help=text)
    return parser


def store_at(place: str | None) -> Store:
    """The store in a file, at `postgresql://...`, or in memory."""
    if place is None:
        return MemoryStore()
    return PostgresStore(place) if place.startswith("postgresql://") else SQLiteStore(place)


async def clean_up(store: Store, keep_days: float | None, retain_days: float, now: int) -> tuple[int, int]:
    """Delete what nobody touched, remove what was deleted long ago; how many sessions of each."""
    deleted = removed = 0
    while keep_days is not None and (count := await store.expire(now - int(keep_days * DAY), now)):
        deleted += count
    while count := await store.purge(now - int(retain_days * DAY)):
        removed += count
    return deleted, removed


async def keep_clean(store: Store, given: argparse.Namespace) -> None:
    """Clean up every hour; if the store fails, the next round tries again."""
    while True:
        with contextlib.suppress(StoreFailed):
            counts = await clean_up(store, given.keep_days, given.retain_days, time.time_ns() // 1000)
            if any(counts):
                print("{} untouched sessions deleted, {} deleted ones removed".format(*counts), file=sys.stderr)
        await asyncio.sleep(HOUR)


async def run(given: argparse.Namespace) -> None:
    """Serve until the client leaves; at an address until a signal comes."""
    async with using(store_at(given.store)) as store, contextlib.AsyncExitStack() as ending:
        ending.callback(asyncio.create_task(keep_clean(store, given)).cancel)
        agent = partial(ReferenceAgent, store, given.page_size, given.pace)
        if given.listen is None:
            await acp.run_agent(agent())
        else:
            await acp.serve(agent, given.listen, on_ready=listening)


def listening(address: str) -> None:
    """Tell whoever started this where clients connect."""
    print(f"listening on {address}", file=sys.stderr, flush=True)


def hold_streams(needed: bool) -> None:
    """Fill the places of standard streams that are closed, or a store would be opened there. OSError if one is needed."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
            if needed and name != "stderr":
                raise OSError(f"{name} is closed: an ACP client talks to the agent there") from None


def main() -> int:
    """Exit code 0 when the client left, 2 if the arguments, the streams or the store cannot be used."""
    given = arguments().parse_args()
    try:
        hold_streams(needed=given.listen is None)
        asyncio.run(run(given))
    except (StoreError, StoreFailed, OSError, ValueError) as error:
        print(f"session_agent: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
