"""Reading and writing one message. The costs are of the params or the result alone; what a frame adds is in `pipe`."""

from __future__ import annotations

from ..model import Opener, Row, Target
from ..peers.messages import CLEAN
from .opening import calibrated

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
    direct = {
        "sdk, pydantic alone": calibrated("sdk", f"{do}_directly", message=message),
        "msgspec": calibrated("msgspec", f"bare_{do}", message=message),
    }
    return {peer: calibrated(peer, do, message=message) for peer in ("ours", "sdk", "sdk-pre", "orjson")} | direct


def _targets(of_msgspec: float) -> tuple[Target, ...]:
    """What is left to reach lies between msgspec's bare codec and ours; beside the others no goal is set that msgspec misses."""
    return (
        Target("msgspec", "of", of_msgspec),
        Target("sdk", "faster"),
        Target("sdk-pre", "faster"),
        Target("orjson", "of"),
        Target("sdk, pydantic alone", "faster"),
    )


def _lenient(message: str) -> dict[str, Opener]:
    peers = {peer: calibrated(peer, "decode", message=CLEAN[message]) for peer in ("sdk", "sdk-pre")}
    return {"ours": calibrated("ours", "decode", message=message)} | peers


ROWS = (
    *(
        Row(f"decode/{name}", f"decode a {what}", "s", _contenders("decode", name), _targets(1.15), rounds=21)
        for name, what in _MESSAGES.items()
    ),
    *(
        Row(f"encode/{name}", f"encode a {what}", "s", _contenders("encode", name), _targets(1.3), rounds=21)
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
