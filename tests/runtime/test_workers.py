"""Jobs and their workers: as if each were a task, but most need none."""

from __future__ import annotations

import asyncio
import gc
import weakref
from contextvars import ContextVar

from test_connection import until

from generated._runtime.workers import Job, Workers

VARIABLE: ContextVar[int] = ContextVar("VARIABLE", default=0)


def crew() -> Workers:
    return Workers(lambda: None)


async def test_jobs_that_never_wait_share_a_worker() -> None:
    workers = crew()
    ran_in: list[asyncio.Task[None] | None] = []

    async def work() -> None:
        ran_in.append(asyncio.current_task())

    for _ in range(10):
        workers.start(work())
    await workers.wait(5)
    assert len(ran_in) == 10
    assert len(set(ran_in)) == 1


async def test_a_job_that_waits_holds_up_nobody_and_keeps_its_task() -> None:
    workers = crew()
    go_on = asyncio.Event()
    tasks: list[asyncio.Task[None] | None] = []
    ran: list[str] = []

    async def waits() -> None:
        tasks.append(asyncio.current_task())
        await go_on.wait()
        tasks.append(asyncio.current_task())

    async def runs() -> None:
        ran.append("runs")

    workers.start(waits())
    workers.start(runs())
    await asyncio.sleep(0.01)
    assert ran == ["runs"]
    assert len(workers) == 1
    go_on.set()
    await workers.wait(5)
    assert tasks[0] is tasks[1]
    assert len(workers) == 0


async def test_each_job_has_a_context_of_its_own() -> None:
    workers = crew()
    seen: list[int] = []

    async def work(value: int) -> None:
        seen.append(VARIABLE.get())
        VARIABLE.set(value)
        await asyncio.sleep(0)
        seen.append(VARIABLE.get())

    for value in (1, 2):
        workers.start(work(value))
    await workers.wait(5)
    assert seen == [0, 0, 1, 2]
    assert VARIABLE.get() == 0


async def test_a_timeout_ends_the_job_it_was_set_in_and_no_other() -> None:
    workers = crew()
    ended: list[str] = []

    async def work(name: str, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await asyncio.sleep(0.05)
            ended.append(name)
        except TimeoutError:
            ended.append(f"{name} timed out")

    workers.start(work("short", 0.001))
    workers.start(work("long", 60))
    await workers.wait(5)
    assert ended == ["short timed out", "long"]


async def test_a_job_cancelled_before_it_began_is_cancelled_where_it_waits() -> None:
    workers = crew()
    steps: list[str] = []

    async def work() -> None:
        steps.append("began")
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            steps.append("cancelled")

    workers.start(work()).cancel()
    await workers.wait(5)
    assert steps == ["began", "cancelled"]


async def test_a_job_that_cancels_its_own_task_takes_no_other_with_it() -> None:
    workers = crew()
    ran: list[str] = []

    async def cancels() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()

    async def runs() -> None:
        await asyncio.sleep(0)
        ran.append("runs")

    workers.start(cancels())
    workers.start(runs())
    await workers.wait(5)
    assert ran == ["runs"]


async def test_jobs_that_have_not_begun_can_be_dismissed() -> None:
    workers = crew()
    ran: list[str] = []

    async def work() -> None:
        ran.append("ran")

    job = workers.start(work())
    assert isinstance(job, Job)
    workers.dismiss()
    await workers.wait(5)
    assert ran == []
    assert len(workers) == 0


async def test_what_cancelled_jobs_held_is_gone_without_the_garbage_collector() -> None:
    """Else an agent with thousands of open turns takes seconds to end, most of them in the collector."""

    class Held:
        pass

    workers = crew()
    held: list[weakref.ref[Held]] = []

    async def work() -> None:
        mine = Held()
        held.append(weakref.ref(mine))
        await asyncio.Event().wait()

    gc.disable()
    try:
        for _ in range(1_200):
            workers.start(work())
        await until(lambda: len(held) == 1_200)
        assert await workers.end(set(), 5) == 0
        await asyncio.sleep(0)
        assert [ref for ref in held if ref() is not None] == []
    finally:
        gc.enable()
    assert len(workers) == 0


async def test_jobs_that_resist_are_counted_and_those_spared_go_on() -> None:
    workers = crew()
    go_on = asyncio.Event()
    spared: set[asyncio.Task[None]] = set()

    async def resists() -> None:
        while not go_on.is_set():
            try:
                await go_on.wait()
            except asyncio.CancelledError:
                continue

    async def closes() -> None:
        spared.add(workers.occupied())
        await go_on.wait()

    workers.start(resists())
    workers.start(closes())
    await asyncio.sleep(0.01)
    assert await workers.end(spared, 0.01) == 1
    assert len(workers) == 2
    go_on.set()
    await workers.wait(5)
    assert len(workers) == 0
