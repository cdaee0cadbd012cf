# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Options of a connection, and the check of options where they are given.

Without the check, a misspelt option would be ignored, and a value that makes no sense would fail much later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypedDict, TypeVar, cast

from ..transport.channel import FrameHook
from ..transport.limits import Limits

OptionsT = TypeVar("OptionsT")


class Options(TypedDict, total=False):
    """What can be set on a connection."""

    check_capabilities: bool
    """Refuse to send what the peer did not advertise. Default: True."""
    check_messages: bool
    """Refuse to send what is not of its method's type. Default: True, unless the environment has CODEGEN_CHECK_MESSAGES=0."""
    keep_undeclared: bool
    """Keep the members of records that the schema does not declare, and write them back: for what passes messages on or
    records them. ``undeclared(record)`` gives them. Reading takes several times as long. Default: False."""
    lenient_enums: bool
    """Let values through that a closed enumeration does not have, instead of refusing the message. Default: False."""
    any_name: bool
    """Hand methods that no table types to ``ext_method`` and ``ext_notification`` whatever their names are, for what passes on the
    methods of others; names that start with ``$/`` aside. Default: False, only those that start with ``_``."""
    on_frame: FrameHook | None
    """Sees every frame in both directions."""
    limits: Limits
    """How long frames and queues may become, and how much memory the peer may make this connection hold. Default: ``Limits()``."""
    call_timeout: float | Mapping[str, float] | None
    """Seconds after which a call that has no answer is given up: it raises TimeoutError, and the peer is reported. A mapping
    gives them by the method on the wire; what it lacks may take as long as it needs. Default: None, that goes for all."""
    silence_timeout: float | None
    """Seconds for which nothing may be heard of a session while a call in it has no answer: then the call raises TimeoutError, and
    the peer is reported. Any message of the session counts, and while the peer itself waits for an answer, time stands still.
    Default: None, a peer may be silent for as long as it likes."""
    report_after: float | None
    """Seconds after which a call that has no answer is named in the log, once, as information. Default: 60."""
    tracing: Any
    """A span of OpenTelemetry for each request on this side, and the trace context in `_meta`: a TracerProvider, or
    True for the program's own. Needs `opentelemetry-api`. Default: False, which costs nothing and imports nothing."""
    linger: float
    """Seconds that handlers have to finish after the peer has left. Those that must be cancelled have half as much to
    clean up, and what is left to write half as much to leave. Default: 0.4, so that a program ends within a second."""


def chosen(given: Mapping[str, Any], kind: type[OptionsT]) -> OptionsT:
    """Those of the options given that are of one kind."""
    return cast("OptionsT", {name: value for name, value in given.items() if name in kind.__annotations__})


def check_options(given: Mapping[str, Any], known: Collection[str]) -> None:
    """TypeError for an option that is not among those known, ValueError for a value that makes no sense."""
    for name, value in given.items():
        if name not in known:
            raise TypeError(f"{name} is not an option of a connection{_instead(name, known)}")
        if name in _CHECKS:
            makes_sense, expected = _CHECKS[name]
            several = cast("Mapping[str, Any]", value).values() if isinstance(value, Mapping) else (value,)
            for each in several:
                if not makes_sense(each):
                    raise ValueError(f"{name} is {each!r}, expected {expected}")


def _instead(name: str, known: Collection[str]) -> str:
    for limit in (short := name.removesuffix("_limit"), f"{short}s"):
        if limit in Limits.__struct_fields__:
            return f": pass limits=Limits({limit}=...)"
    from difflib import get_close_matches  # noqa: PLC0415  # for a fault alone

    near = get_close_matches(name, known, 1)
    return f"; did you mean {near[0]}?" if near else f". Options: {', '.join(sorted(known))}"


def _are_limits(value: Any) -> bool:
    return isinstance(value, Limits)


def _is_time(value: Any) -> bool:
    return type(value) in (int, float) and value >= 0


def _is_patience(value: Any) -> bool:
    return value is None or (_is_time(value) and value > 0)


_PATIENCE = (_is_patience, "seconds, a number above 0")
_CHECKS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "limits": (_are_limits, "an object of the class Limits"),
    "call_timeout": _PATIENCE,
    "silence_timeout": _PATIENCE,
    "report_after": _PATIENCE,
    "linger": (_is_time, "seconds, a number from 0 on"),
    "grace": (_is_time, "seconds, a number from 0 on"),
}
