"""Whether `check`, `validate` and `generate` take time in proportion to what is in a file that somebody else wrote."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ..model import Opener, Setting
from .generation import codegen
from .growth import growth, per
from .opening import Ready, timed

_TEXT = {"type": "string", "description": "A text."}
_CALL = {"type": "object", "description": "A call.", "x-method": "thing/do", "x-side": "agent", "x-capability": False}


def _schema(first: Any, **more: Any) -> dict[str, Any]:
    request = {**_CALL, "properties": {"it": {"$ref": "#/$defs/First", "description": "It."}}}
    return {"$defs": {"DoRequest": request, "DoResponse": _CALL, "First": {"description": "It.", **first}, **more}}


def _chain(count: int) -> dict[str, Any]:
    links = {f"Type{i}": {"$ref": f"#/$defs/Type{i + 1}", "description": "A link."} for i in range(count)}
    return _schema({"$ref": "#/$defs/Type0"}, **links, **{f"Type{count}": _TEXT})


def _objects(count: int) -> dict[str, Any]:
    """Objects of which each holds the next one, and a union of two in every fourth place."""
    kinds = [{"type": "object", "properties": {"kind": {"const": kind}}, "required": ["kind"]} for kind in ("a", "b")]
    union = {"oneOf": [{**kind, "description": "A kind."} for kind in kinds], "description": "One of two."}
    things = {f"Type{i}": _thing(f"Type{i + 1}") if i % 4 else union for i in range(count)}
    return _schema({"$ref": "#/$defs/Type0"}, **things, **{f"Type{count}": _TEXT})


def _thing(following: str) -> dict[str, Any]:
    properties = {"name": _TEXT, "next": {"$ref": f"#/$defs/{following}", "description": "What follows."}}
    return {"type": "object", "properties": properties, "description": "A thing."}


def _message(**params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": {"sessionId": "s", "prompt": [], **params}}


_KINDS: dict[str, tuple[str, str, Callable[[int], Any]]] = {
    "check_values": (
        "check",
        "check, for each value of an enumeration",
        lambda n: _schema({"enum": [f"v{i}" for i in range(n)]}),
    ),
    "check_chain": ("check", "check, for each link of a chain of references", _chain),
    "check_faults": (
        "check",
        "check, for each fault on one line",
        lambda n: _schema({"type": "object", "properties": {f"bad_{i}": {"type": "string"} for i in range(n)}}),
    ),
    "generate_definitions": ("generate", "generate, for each definition", _objects),
    "validate_keys": (
        "validate",
        "validate, for each undeclared key of a message",
        lambda n: _message(**{f"k{i}": i for i in range(n)}),
    ),
    "validate_items": (
        "validate",
        "validate, for each bad item of a message",
        lambda n: _message(prompt=[{"type": "text", "text": i} for i in range(n)]),
    ),
}


def _judged(command: str, made: Callable[[int], Any], count: int) -> Opener:
    def prepare(setting: Setting) -> Ready:
        file, out = setting.scratch / f"{command}{count}.json", setting.scratch / f"{command}{count}"

        arguments: dict[str, tuple[str | Path, ...]] = {
            "check": ("--no-compare", "--schema", file),
            "generate": ("--bare", "--schema", file, "--out", out),
            "validate": (file,),
        }

        def ready() -> tuple[list[str], Path]:
            shutil.rmtree(out, ignore_errors=True)
            file.write_text(json.dumps(made(count)), encoding="utf-8")
            return codegen(command, *arguments[command]), setting.root

        return ready

    return per(count, timed(prepare, codes=(0, 1)))


ROWS = tuple(
    growth(
        name,
        what,
        {"500": 500, "1,000": 1_000, "2,000": 2_000},
        partial(_judged, command, made),
        rounds=3,
        note="The start of the program is part of the cost.",
    )
    for name, (command, what, made) in _KINDS.items()
)
