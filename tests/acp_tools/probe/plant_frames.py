"""Faults in methods that are called with examples, and in what becomes of odd frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .plants import dies_when, fault
from .sound import Rpc, Sound

# --- every method --------------------------------------------------------------------------------------------------


@fault("a method that is advertised and missing", "served/providers/list")
def _(agent: Sound) -> None:
    del agent.handlers["providers/list"]


@fault("wrong params are an internal error", "params/providers/set")
def _(agent: Sound) -> None:
    _bad_params(agent, "providers/set", -32603)


@fault("wrong params are taken", "params/providers/disable")
def _(agent: Sound) -> None:
    _bad_params(agent, "providers/disable", None)


def _bad_params(agent: Sound, wanted: str, code: int | None) -> None:
    whole = agent.handled

    async def handled(method: str, params: Any) -> Any:
        try:
            return await whole(method, params)
        except Rpc as error:
            if method != wanted or error.error["code"] != -32602:
                raise
            if code is not None:
                raise Rpc(code) from None
            return {}

    agent.handled = handled  # type: ignore[method-assign]


@fault("an example ends it", "answered/providers/set", "end/stays")
def _(agent: Sound) -> None:
    dies_when(agent, lambda line: b"providers/set" in line)


# --- bad frames, and good ones in unusual forms --------------------------------------------------------------------


def _ends(name: str, sign: Callable[[bytes], bool]) -> None:
    fault(f"it does not outlive: {name}", f"survives/{name}")(lambda agent: dies_when(agent, sign))


_ends("not-json", lambda line: line == b"this is not JSON")
_ends("not-utf-8", lambda line: b"\xff\xfe" in line)
_ends("scalar", lambda line: line == b"42")
_ends("empty-array", lambda line: line == b"[]")
_ends("deep", lambda line: b"[" * 100 in line)
_ends("digits", lambda line: b"9" * 100 in line)
_ends("half-surrogate", lambda line: b"\\ud83d" in line and b"_probe/x" in line)
_ends("method-number", lambda line: b'"method":1}' in line)
_ends("error-bare", lambda line: b'"error":"x"' in line)
_ends("method-long", lambda line: len(line) > 10_000 and b'"_xxx' in line)


@fault("it does not answer any more after a batch", "survives/batch")
def _(agent: Sound) -> None:
    def reading(line: bytes) -> None:
        if line.startswith(b"[{"):
            agent.sending.append(lambda frame: None)

    agent.reading = reading


@fault("a frame that is not JSON has another code", "code/not-json", "code/control")
def _(agent: Sound) -> None:
    agent.sending.append(
        lambda frame: (
            {**frame, "error": {"code": -32603, "message": "x"}}
            if frame.get("error", {}).get("message", "").startswith("Expecting value: line 1 column 1")
            else frame
        )
    )


@fault("a frame that is not JSON gets a result", "code/not-json")
def _(agent: Sound) -> None:
    whole = agent.line

    def line(text: bytes) -> None:
        if text == b"this is not JSON":
            agent.send({"jsonrpc": "2.0", "id": None, "result": {}})
        else:
            whole(text)

    agent.line = line  # type: ignore[method-assign]


@fault("a frame that is a number has the code of one that is not JSON", "code/scalar")
def _(agent: Sound) -> None:
    last = [b""]

    def reading(line: bytes) -> None:
        last[0] = line

    agent.reading = reading
    agent.sending.append(
        lambda frame: (
            {**frame, "error": {"code": -32700, "message": "x"}} if last[0] == b"42" and "error" in frame else frame
        )
    )


def _deaf(name: str, sign: Callable[[bytes], bool]) -> None:
    def plant(agent: Sound) -> None:
        whole = agent.line
        agent.line = lambda line: None if sign(line) else whole(line)  # type: ignore[method-assign]

    fault(f"it does not read: {name}", f"reads/{name}")(plant)


_deaf("id-zero", lambda line: b'"id": 0,' in line)
_deaf("id-negative", lambda line: b'"id": -3' in line)
_deaf("id-large", lambda line: b"9007199254740991" in line)
_deaf("crlf", lambda line: line.endswith(b"\r") and b"crlf" in line)
_deaf("escapes", lambda line: b"m\\u0065thod" in line)
_deaf("long", lambda line: len(line) > 900_000)
_deaf("no-params", lambda line: b'"no-params"' in line)
