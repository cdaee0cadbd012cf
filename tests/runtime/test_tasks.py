"""Jobs and their workers: as if each were a task, but most need none."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from typing import Any

import pytest

from generated._runtime.tasks import Job, Workers, off_loop
from tests.support.waiting import advance, settled, until

VARIABLE: ContextVar[int] = ContextVar("VARIABLE", default=0)


def crew() -> Workers:
    return Workers()


async def test_jobs_that_never_wait_share_a_worker() -> None:
    workers = crew()
    ran_in: list[asyncio.Task[None] | None] = []

    async def work() -> None:
        ran_in.append(asyncio.current_task())

    for _ in range(10):
        workers.start(work())
    await workers.wait(60)
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
    await settled()
    assert ran == ["runs"]
    assert workers.unfinished == 1
    go_on.set()
    await workers.wait(60)
    assert tasks[0] is tasks[1]
    assert workers.unfinished == 0


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
    await workers.wait(60)
    assert seen == [0, 0, 1, 2]
    assert VARIABLE.get() == 0


async def test_a_timeout_ends_the_job_it_was_set_in_and_no_other() -> None:
    workers = crew()
    ended: list[str] = []
    go_on = asyncio.Event()

    async def work(name: str, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await go_on.wait()
            ended.append(name)
        except TimeoutError:
            ended.append(f"{name} timed out")

    workers.start(work("short", 30))
    workers.start(work("long", 600))
    await settled()
    advance(31)
    await until(lambda: ended)
    go_on.set()
    await workers.wait(60)
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
    await workers.wait(60)
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
    await workers.wait(60)
    assert ran == ["runs"]


async def test_jobs_that_have_not_begun_can_be_dismissed() -> None:
    workers = crew()
    ran: list[str] = []

    async def work() -> None:
        ran.append("ran")

    job = workers.start(work())
    assert isinstance(job, Job)
    workers.dismiss()
    await workers.wait(60)
    assert ran == []
    assert workers.unfinished == 0


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
    assert workers.unfinished == 0


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
    await settled()
    assert await workers.end(spared, 0.01) == 1
    assert workers.unfinished == 2
    go_on.set()
    await workers.wait(60)
    assert workers.unfinished == 0


# One that leads


class Desk:
    """Brings jobs as they are put there; `tasks` are those that brought them."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.tasks: list[asyncio.Task[Any] | None] = []
        self.letters: asyncio.Queue[Callable[[], Coroutine[Any, Any, None]] | None] = asyncio.Queue()

    async def bring(self) -> bool:
        self.tasks.append(asyncio.current_task())
        letter = await self.letters.get()
        if letter is not None:
            self.workers.start(letter())
        return letter is not None


async def test_a_job_that_never_waits_runs_in_the_task_that_brought_it() -> None:
    workers = crew()
    desk = Desk(workers)
    ran_in: list[asyncio.Task[Any] | None] = []

    async def work() -> None:
        ran_in.append(asyncio.current_task())

    for letter in (work, work, None):
        desk.letters.put_nowait(letter)
    await workers.run(desk.bring)
    assert len(ran_in) == 2
    assert {*ran_in} == {*desk.tasks}
    assert workers.unfinished == 0


async def test_a_job_that_waits_keeps_its_task_and_another_one_leads() -> None:
    workers = crew()
    desk = Desk(workers)
    go_on = asyncio.Event()
    ran_in: list[asyncio.Task[Any] | None] = []

    async def waits() -> None:
        ran_in.append(asyncio.current_task())
        await go_on.wait()
        ran_in.append(asyncio.current_task())

    async def runs() -> None:
        go_on.set()

    for letter in (waits, runs, None):
        desk.letters.put_nowait(letter)
    await workers.run(desk.bring)
    await workers.wait(60)
    first, second = ran_in
    assert first is second is desk.tasks[0]
    assert desk.tasks[1] is not first
    assert workers.unfinished == 0


async def test_a_job_that_cancels_its_task_ends_nobody_elses() -> None:
    workers = crew()
    desk = Desk(workers)
    ran: list[int] = []

    async def cancels() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()

    async def runs() -> None:
        ran.append(1)

    for letter in (cancels, runs, None):
        desk.letters.put_nowait(letter)
    await asyncio.wait_for(workers.run(desk.bring), 60)
    assert ran == [1]


async def test_what_bring_raises_is_raised_and_what_it_brought_before_is_run() -> None:
    workers = crew()
    ran: list[int] = []

    async def runs() -> None:
        ran.append(1)

    async def bring() -> bool:
        workers.start(runs())
        raise OSError("the stream broke")

    with pytest.raises(OSError, match="the stream broke"):
        await workers.run(bring)
    await workers.wait(60)
    assert ran == [1]


async def test_while_the_leader_waits_for_room_another_one_runs_what_it_brought() -> None:
    workers = crew()
    room = asyncio.Event()
    ran_in: list[asyncio.Task[Any] | None] = []
    brought = 0

    async def runs() -> None:
        ran_in.append(asyncio.current_task())
        room.set()

    async def bring() -> bool:
        nonlocal brought
        brought += 1
        if brought == 1:
            workers.start(runs())
            workers.delegate()
            await room.wait()
            workers.start(runs())
        return brought == 1

    await asyncio.wait_for(workers.run(bring), 60)
    await workers.wait(60)
    assert len({*ran_in}) == 2


async def test_who_is_cancelled_leaves_no_leader_behind() -> None:
    workers = crew()
    desk = Desk(workers)
    running = asyncio.create_task(workers.run(desk.bring))
    await settled()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    (leader,) = desk.tasks
    assert leader is not None
    assert leader.done()


async def test_a_handler_in_a_thread_may_return_something_to_await() -> None:
    async def answer(number: int) -> int:
        return number + 1

    assert [await off_loop(handler)(6) for handler in (answer, lambda _: answer(6), lambda _: 7)] == [7, 7, 7]
