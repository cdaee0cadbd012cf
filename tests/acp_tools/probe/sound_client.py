"""A client of plain JSON that offers files and terminals and breaks nothing, in this process; started as the probe asks."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from generated._runtime.testing import MemoryStream, memory

from .memory import MemoryLink

CAPABILITIES = {"fs": {"readTextFile": True, "writeTextFile": True}, "terminal": True}
ANSWERS: dict[str, Any] = {
    "session/request_permission": {"outcome": {"outcome": "selected", "optionId": "probe-yes"}},
    "fs/read_text_file": {},
    "fs/write_text_file": {},
    "terminal/create": {"terminalId": "t1"},
    "terminal/output": {"output": "", "truncated": False},
    "terminal/wait_for_exit": {"exitCode": 0},
    "terminal/kill": {},
    "terminal/release": {},
}


class Left(Exception):
    """The client ends."""


class SoundClient:
    """One start of it. Faults replace what it does."""

    cwd = "/work"

    def __init__(self, stream: MemoryStream) -> None:
        self.stream = stream
        self.answers = dict(ANSWERS)
        self.files: dict[str, str] = {"/work/probe.txt": "text", Clients.outside: "outside"}
        self.released = False
        self.waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.count = 0
        self.sending: Callable[[dict[str, Any]], list[Any]] = lambda frame: [frame]
        self.reading: Callable[[bytes], bool] = lambda line: True
        """Whether a line is read; raises Left."""
        self.offers: dict[str, Any] = {}
        self.echoes = self.cancels = False
        self.dismissal: dict[str, Any] = {"outcome": {"outcome": "cancelled"}}
        self.hurry = self.reads_all = self.cuts_end = False
        self.limit: int | None = None

    def send(self, frame: dict[str, Any]) -> None:
        for one in self.sending(frame):
            self.stream.write((one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n")

    async def call(self, method: str, params: Any) -> dict[str, Any]:
        self.count += 1
        future = self.waiting[self.count] = asyncio.get_running_loop().create_future()
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        return await future

    async def serve(self) -> None:
        """Do all that a client does, then leave."""
        reading = asyncio.ensure_future(self.read())
        doing = asyncio.ensure_future(self.act())
        try:
            await asyncio.wait((reading, doing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reading, doing):
                task.cancel()
            await asyncio.gather(reading, doing, return_exceptions=True)
            self.stream.close()

    async def act(self) -> None:
        hello = {
            "protocolVersion": 1,
            "clientCapabilities": CAPABILITIES,
            "clientInfo": {"name": "sound", "version": "1"},
        }
        opening = asyncio.ensure_future(self.call("initialize", hello))
        await asyncio.sleep(0)
        if not self.hurry:
            result = (await opening)["result"]
            if result["protocolVersion"] != 1:
                return
            self.offers = result["agentCapabilities"]
        session = (await self.call("session/new", {"cwd": self.cwd, "mcpServers": []}))["result"]["sessionId"]
        if "list" in self.offers.get("sessionCapabilities", {}):
            await self.list()
        for name in ("fork", "resume"):
            if name in self.offers.get("sessionCapabilities", {}):
                await self.call(f"session/{name}", {"sessionId": session, "cwd": self.cwd, "mcpServers": []})
        await self.call("session/prompt", {"sessionId": session, "prompt": self.prompt()})
        self.cancels = True
        await self.call("session/prompt", {"sessionId": session, "prompt": [{"type": "text", "text": "again"}]})
        for name in ("close", "delete"):
            if name in self.offers.get("sessionCapabilities", {}):
                await self.call(f"session/{name}", {"sessionId": session})
        opening.cancel()

    def prompt(self) -> list[dict[str, Any]]:
        return [{"type": "text", "text": "hi"}]

    async def list(self) -> None:
        page = await self.call("session/list", {"cwd": self.cwd})
        while cursor := page["result"].get("nextCursor"):
            page = await self.call("session/list", {"cwd": self.cwd, "cursor": cursor})

    async def read(self) -> None:
        text = b""
        while piece := await self.stream.read(1 << 20):
            *lines, text = (text + piece).split(b"\n")
            for line in lines:
                if line.strip() and self.reading(line):
                    with contextlib.suppress(ValueError, RecursionError):
                        self.message(json.loads(line.decode()))

    def outcome(self, method: str, params: Any) -> dict[str, Any]:
        """The result or the error of a request."""
        if method not in self.answers:
            return {"error": {"code": -32601, "message": "Method not found"}}
        if method == "session/request_permission" and self.cancels:
            self.send({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": params["sessionId"]}})
            return {"result": self.dismissal}
        if method == "fs/write_text_file":
            self.files[params["path"]] = params["content"]
        if method == "fs/read_text_file":
            if params["path"] not in self.files or (params["path"] == Clients.outside and not self.reads_all):
                return {"error": {"code": -32002, "message": "no such file"}}
            return {"result": {"content": self.read_lines(params)}}
        if method == "terminal/create":
            self.released, self.echoes = False, "echo" in str(params.get("args"))
            self.limit = params.get("outputByteLimit")
        if method == "terminal/output" and self.released:
            return {"error": {"code": -32002, "message": "no such terminal"}}
        if method == "terminal/release":
            self.released = True
        answer = self.answers[method]
        if method == "terminal/wait_for_exit" and self.echoes:
            answer = {"exitCode": 3}
        if method == "terminal/output" and self.echoes:
            answer = {"output": "probe\n", "truncated": False}
        if method == "terminal/output" and self.limit:
            answer = {"output": "begin-" if self.cuts_end else "é-end", "truncated": True}
        return {"result": answer}

    def read_lines(self, params: Any) -> str:
        """The lines of a file that are asked for."""
        lines = self.files[params["path"]].splitlines(keepends=True)
        first = (params.get("line") or 1) - 1
        return "".join(lines[first : first + (params.get("limit") or len(lines))])

    def message(self, message: Any) -> None:
        if not isinstance(message, dict):
            return
        method, id_ = message.get("method"), message.get("id")
        if isinstance(method, str) and "id" in message and not isinstance(id_, dict):
            self.send({"jsonrpc": "2.0", "id": id_, **self.outcome(method, message.get("params"))})
        elif "method" not in message and isinstance(id_, int) and (future := self.waiting.pop(id_, None)) is not None:
            future.set_result(message)


class Clients:
    """Starts sound clients with a fault in them."""

    cwd, outside = "/work", "/probe-outside.txt"

    def __init__(self, plant: Callable[[SoundClient], None] = lambda client: None) -> None:
        self._plant = plant

    @asynccontextmanager
    async def start(self) -> AsyncGenerator[MemoryLink]:
        here, there = memory()
        client = SoundClient(there)
        self._plant(client)
        serving = asyncio.ensure_future(client.serve())
        try:
            yield MemoryLink(here, serving)
        finally:
            here.close()
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
