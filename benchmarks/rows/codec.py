"""Reading and writing one message. The costs are of the params or the result alone; what a frame adds is in `pipe`."""

from __future__ import annotations

from ..model import Opener, Row, Target
from ..peers.messages import CLEAN
from .opening import calibrated

__all__ = ["ROWS"]

_MESSAGES = {
    "chunk": "streamed chunk",
    "tool_call": "tool call with a diff",
    "sessions": "list of 50 sessions",
    "prompt": "prompt of 1 MB",
}
_FAULTS = {
    "skip_items": "list of 50 sessions, 5 of them broken",
    "default_on_error": "tool call with two bad properties",
    "unknown_variant": "update of an unknown kind",
}


def _contenders(do: str, message: str) -> dict[str, Opener]:
    direct = {"sdk, pydantic alone": calibrated("sdk", f"{do}_directly", message=message)}
    return {peer: calibrated(peer, do, message=message) for peer in ("ours", "sdk", "sdk-pre", "orjson")} | direct


def _targets(faster: float, of_floor: float) -> tuple[Target, ...]:
    return (
        Target("sdk", "faster", faster),
        Target("sdk-pre", "faster", faster),
        Target("orjson", "of", of_floor),
        Target("sdk, pydantic alone", "faster"),
    )


def _lenient(message: str) -> dict[str, Opener]:
    peers = {peer: calibrated(peer, "decode", message=CLEAN[message]) for peer in ("sdk", "sdk-pre")}
    return {"ours": calibrated("ours", "decode", message=message)} | peers


ROWS = (
    *(
        Row(f"decode/{name}", f"decode a {what}", "s", _contenders("decode", name), _targets(8, 1), rounds=21)
        for name, what in _MESSAGES.items()
    ),
    *(
        Row(f"encode/{name}", f"encode a {what}", "s", _contenders("encode", name), _targets(15, 2), rounds=21)
        for name, what in _MESSAGES.items()
    ),
    *(
        Row(
            f"lenient/{name}",
            f"decode leniently: {what}",
            "s",
            _lenient(name),
            (Target("sdk", "faster", 1), Target("sdk-pre", "faster", 1)),
            note="The official SDK reads the faultless message.",
        )
        for name, what in _FAULTS.items()
    ),
)
