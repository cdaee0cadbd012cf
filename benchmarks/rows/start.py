"""How long it takes until there is something to talk to. Everything is a process of its own, from its start to its first line."""

from __future__ import annotations

import json

from ..model import Opener, Row, Target
from .opening import PROGRAMS, first_line

_INITIALIZE = {"protocolVersion": 1, "clientCapabilities": {}}
_HELLO = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": _INITIALIZE}).encode() + b"\n"
_OURS = "from generated import Agent, SessionNotification"
_SDK = "from acp import Agent; from acp.schema import SessionNotification"
_MSGSPEC = "Python importing msgspec"


def _running(environment: str, statement: str) -> Opener:
    return first_line(environment, "-c", f"{statement}; print(flush=True)")


def _agent(peer: str) -> Opener:
    environment, program = PROGRAMS[peer]
    return first_line(environment, f"{{peers}}/{program}_agent.py", said=_HELLO)


_TARGETS = (Target("sdk", "faster", 8), Target("sdk-pre", "faster", 8), Target(_MSGSPEC, "of", 2))

ROWS = (
    Row(
        "start/import",
        "start Python and import a base class and a model",
        "s",
        {
            "ours": _running("ours", _OURS),
            "sdk": _running("sdk", _SDK),
            "sdk-pre": _running("sdk-pre", _SDK),
            _MSGSPEC: _running("ours", "import msgspec"),
        },
        _TARGETS,
    ),
    Row(
        "start/initialize",
        "start an agent, until `initialize` is answered",
        "s",
        {peer: _agent(peer) for peer in ("ours", "sdk", "sdk-pre", "raw loop")}
        | {_MSGSPEC: _running("ours", "import msgspec")},
        (*_TARGETS, Target("raw loop", "of")),
    ),
)
