"""Breakpoints: frames are held, changed and released; frames of this side are edited and sent again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from textual.widgets import Input, TextArea

from acp_generated import transports
from acp_tools.browse.breakpoints import Breakpoints
from acp_tools.browse.errors import Trouble
from acp_tools.browse.model.frames import Tape

from .conftest import Journal
from .test_screens import entered, show

__all__ = ["show"]


class Inner(transports.Transport):
    """A transport that keeps what is written, and delivers what a test gives it."""

    def __init__(self) -> None:
        self.written: list[Any] = []
        self.given: asyncio.Queue[list[bytes]] = asyncio.Queue()

    async def receive(self) -> Sequence[bytes]:
        return await self.given.get()

    def write(self, frame: bytes) -> None:
        self.written.append(json.loads(frame))

    def full(self) -> bool:
        return False

    async def drain(self) -> None:
        pass

    def close(self) -> None:
        pass

    async def wait_closed(self) -> None:
        pass


@pytest.fixture
def inner() -> Inner:
    return Inner()


@pytest.fixture
def held(inner: Inner) -> Breakpoints:
    """Breakpoints around the inner transport."""
    return Breakpoints(Tape(), lambda: None).open(inner)


def frame(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def test_frames_behind_a_held_one_keep_their_order(held: Breakpoints, inner: Inner) -> None:
    assert held.toggle("  a  ")
    for count, method in enumerate("bab"):
        held.write(frame(id=count, method=method))
    assert [sent["id"] for sent in inner.written] == [0]
    ((stopped, behind),) = held.held
    assert (stopped.method, behind) == ("a", 1)
    held.release()
    assert [sent["id"] for sent in inner.written] == [0, 1, 2]
    assert held.held == []


def test_a_held_frame_is_changed(held: Breakpoints, inner: Inner) -> None:
    held.toggle("a")
    held.write(frame(id=1, method="a", params={"x": 1}))
    held.release(frame(id=1, method="a", params={"x": 2}))
    assert inner.written[0]["params"] == {"x": 2}


def test_a_breakpoint_that_is_removed_releases_its_frames(held: Breakpoints, inner: Inner) -> None:
    held.toggle("a")
    held.write(frame(id=1, method="a"))
    assert not held.toggle("a")
    assert len(inner.written) == 1
    held.toggle("a")
    held.write(frame(id=2, method="a"))
    held.clear()
    assert len(inner.written) == 2


def test_nothing_is_released_where_nothing_is_held(held: Breakpoints) -> None:
    with pytest.raises(Trouble, match="no frame is held"):
        held.release()


@pytest.mark.parametrize(
    ("subject", "update", "stops"),
    [("u", "one", True), ("u one", "one", True), ("u one", "two", False), ("answer u", "one", False)],
)
async def test_a_method_stands_for_all_its_updates(
    held: Breakpoints, inner: Inner, subject: str, update: str, stops: bool
) -> None:
    held.toggle(subject)
    inner.given.put_nowait([frame(method="u", params={"update": {"sessionUpdate": update}})])
    reading = asyncio.create_task(held.receive())  # type: ignore[arg-type]
    await asyncio.sleep(0.02)
    assert reading.done() != stops
    assert bool(held.held) == stops
    if stops:
        held.release()
    assert len(await reading) == 1


async def test_a_response_is_held_by_the_method_of_its_request(held: Breakpoints, inner: Inner) -> None:
    held.toggle("answer a")
    held.write(frame(id=1, method="a"))
    inner.given.put_nowait([frame(id=1, result={"x": 1}), frame(method="b")])
    reading = asyncio.create_task(held.receive())  # type: ignore[arg-type]
    await asyncio.sleep(0.02)
    assert held.held[0][1] == 1
    held.release(frame(id=1, result={"x": 2}))
    received = [json.loads(each) for each in await reading]
    assert received[0]["result"] == {"x": 2}
    assert [each.get("method") for each in received] == [None, "b"]


async def test_the_response_to_a_frame_of_the_user_stays_out_of_the_connection(held: Breakpoints, inner: Inner) -> None:
    tape = held._tape
    held.send(frame(id=held.next_id(), method="a"))
    inner.given.put_nowait([frame(id="again-1", result={}), frame(method="b")])
    assert [json.loads(each)["method"] for each in await held.receive()] == ["b"]
    assert [each.label for each in tape.frames] == ["a", "a ✓"]


async def test_a_new_connection_begins_without_what_the_old_one_held(held: Breakpoints) -> None:
    held.toggle("a")
    held.write(frame(id=1, method="a"))
    after = Inner()
    held.open(after)
    assert held.held == []
    held.write(frame(id=1, method="b"))
    assert [sent["method"] for sent in after.written] == ["b"]


# On the screen


async def test_a_prompt_is_held_changed_and_released(show: Any, journal: Journal) -> None:
    async with show() as shown:
        await entered(shown)
        await shown.play(["f9", "b"], "Frames to hold")
        shown.app.screen.query_one(Input).value = "session/prompt"
        await shown.play(["enter"], "breakpoints: session/prompt", ["escape"])
        await shown.send("before")
        await shown.play("■ held: → session/prompt; F9: release", ["f9", "c"], "Change, then release")
        editor = shown.app.screen.query_one(TextArea)
        whole, editor.text = editor.text, "{"
        await shown.play(["ctrl+s"], "not sent: Expecting property name")
        editor.text = whole.replace("before", "after")
        await shown.play(["ctrl+s"], ["escape"], "You said: after")


async def test_a_request_is_edited_and_sent_again(show: Any) -> None:
    async with show() as shown:
        await entered(shown, "hello")
        await shown.play("You said: hello", ["f9", "x", "slash", *"prompt", "enter"], "2 of ", ["end", "S"])
        await shown.notified("only requests and notifications of this side can be resent")
        await shown.play(["home", "S"], '"id": "again-1"')
        editor = shown.app.screen.query_one(TextArea)
        editor.text = editor.text.replace("hello", "once more")
        await shown.press("ctrl+s")
        await shown.until("session/prompt ✓  #again-1")
        assert shown.browser.judge.found == 0
        await shown.play(["escape", "escape"], "You said: once more")
