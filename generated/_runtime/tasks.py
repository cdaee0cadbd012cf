# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Tasks: how they start, how handlers run in workers and threads, and how they are awaited.

A task starts in a later iteration of the event loop, whatever task factory the program has set. An eager task would
run inside the call that creates it, for example a handler while a frame is being parsed. Tasks that a handler starts
use the program's factory.

Most handlers end without waiting, so ``Workers`` run coroutines without a task for each. A worker is a task that runs
jobs one after the other. A job that waits keeps its worker to the end, so its current task never changes; another
worker runs the next jobs. Each job has its own context, like a task.

A blocking handler runs in a thread of its own for each call (``off_loop``), in the order of the event loop. Neither a
cancelled call nor the end of the program waits for such a thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from functools import partial
from inspect import isawaitable, iscoroutinefunction
from types import CoroutineType
from typing import Any, TypeVar, cast

from msgspec import Struct

T = TypeVar("T")

_NOTHING = cast("Generator[Any, Any, None]", iter(()))
_held: set[asyncio.Task[Any]] = set()
"""Keeps references to background tasks."""
_WAVE = 500
"""Number of jobs that are cancelled at a time."""
_TURNS = 3
"""Iterations of the event loop until a cancelled task has normally ended."""
_NO_JOBS: deque[Job] = deque()
"""The queue of an idle connection, shared to save 800 bytes each."""


class _AtOnce:
    """An awaitable that does not wait. It is several times faster than a coroutine that returns immediately."""

    def __await__(self) -> Generator[Any, Any, None]:
        return _NOTHING


AT_ONCE: Awaitable[None] = _AtOnce()


def start(coroutine: Coroutine[Any, Any, T], context: contextvars.Context | None = None) -> asyncio.Task[T]:
    """Create a task of the running loop. It starts later, in a copy of the current context unless one is given."""
    return asyncio.Task(coroutine, loop=asyncio.get_running_loop(), context=context)


class Deadline:
    """A faster alternative to `asyncio.timeout` for code that rarely waits. Raises TimeoutError if the block runs
    longer than the given number of seconds.
    """

    __slots__ = ("_cancelling", "_over", "_task", "_timer")

    def __init__(self, seconds: float) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._cancelling = task.cancelling()
        self._over = False
        self._timer = asyncio.get_running_loop().call_later(seconds, self._end)

    def _end(self) -> None:
        self._over = True
        self._task.cancel()

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._timer.cancel()
        # Who else cancelled the task meanwhile goes first.
        if self._over and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error


class Waiters:
    """Tasks that wait for the next change. Each checks its own condition when it wakes."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Future[None], None] = {}

    def wake(self) -> None:
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)

    async def wait(self) -> None:
        waiter = asyncio.get_running_loop().create_future()
        self._waiting[waiter] = None
        try:
            await waiter
        finally:
            del self._waiting[waiter]


class Once:
    """An event that happens once. Unlike `asyncio.Event`, it uses almost no memory while unset."""

    __slots__ = ("_happened", "_waiters")

    def __init__(self) -> None:
        self._happened = False
        self._waiters = Waiters()

    def is_set(self) -> bool:
        return self._happened

    def set(self) -> None:
        self._happened = True
        self._waiters.wake()

    async def wait(self) -> None:
        if not self._happened:
            await self._waiters.wait()


def background(coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Start a task that runs to its end even if nobody awaits it."""
    task = start(coroutine)
    _held.add(task)
    task.add_done_callback(_held.discard)
    return task


async def outcome_of(value: Any) -> Any:
    """The result of a handler, plain or ``async def``."""
    return await value if waits(value) else value


def waits(value: Any) -> bool:
    """Return whether a handler's return value must be awaited."""
    # A record is what most plain handlers return; `isawaitable` takes its time to find that out.
    if type(value) is CoroutineType:
        return True
    return value is not None and not isinstance(value, Struct) and isawaitable(value)


class Job:
    """A coroutine that was started."""

    __slots__ = ("_context", "_coroutine", "_given_up", "_task", "_workers")

    def __init__(self, workers: Workers, coroutine: Coroutine[Any, Any, None]) -> None:
        self._workers = workers
        self._coroutine = coroutine
        self._context = contextvars.copy_context()
        self._task: asyncio.Task[None] | None = None
        self._given_up = False

    def cancel(self) -> None:
        """Cancel the job where it waits. A job that has not started first runs to its first wait."""
        self._given_up = True
        if self._task is not None:
            self._task.cancel()

    def drop(self) -> None:
        """Drop a job that has not started."""
        self._coroutine.close()

    def __await__(self) -> Generator[Any, Any, None]:
        """Run the coroutine step by step in its own context. Called by its worker."""
        run, coroutine = self._context.run, self._coroutine
        try:
            awaited = run(coroutine.send, None)
        except StopIteration:
            return
        self._task = self._workers.occupied()
        if self._given_up:
            asyncio.get_running_loop().call_soon(self._task.cancel)
        try:
            while True:
                try:
                    yield awaited
                except BaseException as error:  # the coroutine is to handle it
                    awaited = run(coroutine.throw, error)
                else:
                    awaited = run(coroutine.send, None)
        except StopIteration:
            return
        finally:
            # A cancelled task keeps its exception, and that the frames: no frame may lead back to it (see `_work`).
            self._task = None


class Workers:
    """The jobs of a connection and the tasks that run them.

    The leader (``run``) fetches more jobs with ``bring`` when none is left, so the task that reads a message also
    handles it. If a job has to wait, another worker becomes the leader. ``bring`` returns whether there may be more.
    """

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()
        """Workers with a waiting job, and helpers."""
        self.ended: Callable[[], None] | None = None
        """Called when a job is done; None if nobody waits for that."""
        self.unfinished = 0
        """The number of unfinished jobs."""
        self._bring: Callable[[], Coroutine[Any, Any, bool]] | None = None
        self._context = contextvars.copy_context()
        self._over: asyncio.Future[None] | None = None
        self._jobs = _NO_JOBS
        self._leader: asyncio.Task[None] | None = None
        self._free: asyncio.Task[None] | None = None
        """The worker that runs new jobs: the leader, or a helper while the leader is busy."""

    async def run(self, bring: Callable[[], Coroutine[Any, Any, bool]]) -> None:
        """Fetch jobs and run them until there are no more. Errors of ``bring`` propagate."""
        self._bring = bring
        self._over = asyncio.get_running_loop().create_future()
        self._context = contextvars.copy_context()
        self._lead()
        try:
            await self._over
        finally:
            leader, self._leader = self._leader, None
            if leader is not None:
                leader.cancel()
                await asyncio.wait([leader])

    def start(self, coroutine: Coroutine[Any, Any, None]) -> Job:
        """Run a coroutine in this iteration of the event loop or the next. It may raise only CancelledError."""
        job = Job(self, coroutine)
        if self._jobs:
            self._jobs.append(job)
        else:
            self._jobs = deque((job,))
        self.unfinished += 1
        if self._free is None:
            self._help()
        return job

    def delegate(self) -> None:
        """Let another worker run the queued jobs while the leader is busy."""
        if self._jobs:
            self._help()

    def occupied(self) -> asyncio.Task[None]:
        """Mark the current task as occupied by its job, so that it takes no others."""
        task = asyncio.current_task()
        assert task is not None
        if self._leader is task:
            self.tasks.add(task)
            self._lead()
        elif self._free is task:
            self._free = None
            if self._jobs:
                self._help()
        return task

    def runs_current(self) -> bool:
        """Return whether the current task is one of these workers and runs a job."""
        task = asyncio.current_task()
        return task is not None and (task is self._leader or task in self.tasks)

    async def wait(self, timeout: float) -> None:
        """Wait until every job is done, up to a number of seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                while self.tasks:
                    await asyncio.wait(self.tasks)

    async def end(self, spared: set[asyncio.Task[None]], patience: float) -> int:
        """Drop the jobs that have not started and cancel the others, except `spared`. Returns the number still running."""
        self.dismiss()
        deadline = asyncio.get_running_loop().time() + patience
        others = self.tasks - spared
        while others:
            # In waves, each of which is gone before the next: what thousands leave at a time would keep the garbage
            # collector busy for longer than all else takes.
            for _ in range(min(_WAVE, len(others))):
                others.pop().cancel()
            for _ in range(_TURNS):
                await asyncio.sleep(0)
        left = self.tasks - spared
        if left:
            left = (await asyncio.wait(left, timeout=max(0, deadline - asyncio.get_running_loop().time())))[1]
        return len(left)

    def dismiss(self) -> None:
        """Drop the jobs that have not started."""
        self.unfinished -= len(self._jobs)
        while self._jobs:
            self._jobs.popleft().drop()

    def _lead(self) -> None:
        self._leader = self._free = start(self._work(), self._context)

    def _help(self) -> None:
        self._free = start(self._work())
        self.tasks.add(self._free)
        self._free.add_done_callback(self.tasks.discard)

    async def _work(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        try:
            while self._free is task and not task.cancelling():
                if self._jobs:
                    job = self._jobs.popleft()
                    try:
                        await job
                    finally:
                        self.unfinished -= 1
                        if self.ended is not None:
                            self.ended()
                elif self._leader is not task or self._bring is None:
                    break
                else:
                    self._jobs = _NO_JOBS
                    failure: Exception | None = None
                    try:
                        more = await self._bring()
                    except Exception as error:
                        more, failure = False, error
                    self._free = task  # whoever has helped meanwhile
                    if not more:
                        self._led(failure)
                        break
        finally:
            self.tasks.discard(task)
            if self._leader is task:  # cancelled by its job, which never waited
                self._lead()
            elif self._free is task:
                self._free = None
                if self._jobs:
                    self._help()
            # A circle of all that its handler held would be left to the garbage collector: seconds, where there are many.
            del task

    def _led(self, failure: Exception | None) -> None:
        """Record that the leader has ended, because there are no more jobs or ``bring`` failed."""
        self._leader = None
        if self._over is not None and not self._over.done():
            self._over.set_result(None) if failure is None else self._over.set_exception(failure)


def off_loop(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a handler to run in a thread, unless it is ``async def``."""
    if iscoroutinefunction(handler):
        return handler

    async def called(*arguments: Any) -> Any:
        outcome = await _in_thread(handler, arguments)
        return await outcome if isawaitable(outcome) else outcome

    return called


def _in_thread(call: Callable[..., Any], arguments: tuple[Any, ...]) -> asyncio.Future[Any]:
    result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    work = (settle, result, partial(call, *arguments))
    threading.Thread(target=contextvars.copy_context().run, args=work, name="handler", daemon=True).start()
    return result


def settle(future: asyncio.Future[Any], call: Callable[[], Any]) -> None:
    """Make a blocking call in this thread and set its outcome on a future of an event loop, unless that is done."""
    outcome: Any = None
    failure: BaseException | None = None
    try:
        outcome = call()
    except BaseException as error:  # it is raised where the future is awaited
        failure = RuntimeError(repr(error)) if isinstance(error, StopIteration) else error

    def end() -> None:
        if future.done():
            return
        if failure is None:
            future.set_result(outcome)
        else:
            future.set_exception(failure)

    with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
        future.get_loop().call_soon_threadsafe(end)
