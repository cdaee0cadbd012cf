"""Options of a connection, and the check of options where they are given.

Without this check, a misspelt option would be ignored, and an invalid value would cause an error much later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, TypedDict, TypeVar, cast

from ..schema.definitions import Protocol
from ..transport.channel import FrameHook
from ..transport.limits import Limits

OptionsT = TypeVar("OptionsT")


class Options(TypedDict, total=False):
    """Options of a connection."""

    check_capabilities: bool
    """Raise CapabilityError instead of sending a message that requires an unadvertised capability. Default: True."""
    check_messages: bool
    """Raise InvalidMessage instead of sending a message of the wrong type. Default: True, unless
    CODEGEN_CHECK_MESSAGES=0 is set.
    """
    keep_undeclared: bool
    """Keep undeclared fields of records and write them back, for programs that pass messages on or record them.
    ``undeclared(record)`` returns them. Decoding takes several times as long. Default: False."""
    lenient_enums: bool
    """Accept values that a closed enumeration does not list, instead of rejecting the message. Default: False."""
    any_name: bool
    """Pass every unknown method to ``ext_method`` and ``ext_notification``, except names that start with ``$/``.
    Default: False, which passes only names that start with ``_``."""
    on_frame: FrameHook | None
    """A function that is called with every frame in both directions."""
    limits: Limits
    """Limits of frames, queues and the memory that the peer can make this connection use. Default: ``Limits()``."""
    call_timeout: float | Mapping[str, float] | None
    """Seconds after which a call without a response raises TimeoutError and is cancelled. A mapping gives times by
    method on the wire; other methods have no limit. Default: None, no limit.
    """
    silence_timeout: float | None
    """Seconds without a message of a session after which a pending call in it raises TimeoutError and is cancelled. The
    time stops while the peer itself waits for a response. Default: None, no limit.
    """
    keepalive: float | None
    """Seconds of silence after which the request ``$/ping`` is sent to the peer. If nothing arrives for the same time
    again, the connection is lost. Every working peer responds, at least with an error. Default: None, never; 20 for
    ``connect`` to tcp and unix addresses. WebSocket and HTTP have keepalives of their own.
    """
    report_after: float | None
    """Seconds after which a call without a response is logged once, at level info. Default: 60."""
    tracing: Any
    """A TracerProvider, or True for the program's own: create an OpenTelemetry span for each request, and send the
    trace context in `_meta`. Needs `opentelemetry-api`. Default: False, which imports nothing.
    """
    extensions: Sequence[ModuleType]
    """Extension packages that `acp-codegen vendor --on` wrote for the package of this connection. Their methods are
    handled and can be called through ``package.view(connection)``. Conflicting packages raise ValueError. Default:
    none.
    """
    linger: float
    """Seconds that handlers have to finish after the peer has disconnected. They are then cancelled and have half that
    time to clean up; unsent data has half that time to leave. Default: 0.4.
    """


def chosen(given: Mapping[str, Any], kind: type[OptionsT]) -> OptionsT:
    """Select the given options that belong to one kind."""
    return cast("OptionsT", {name: value for name, value in given.items() if name in kind.__annotations__})


def protocol_with(protocol: Protocol, options: Mapping[str, Any]) -> Protocol:
    """The protocol with the additions of the option ``extensions``."""
    if not (extensions := options.get("extensions")):
        return protocol
    joined: Protocol = part("connection.extensions", "extensions").composed(protocol, extensions)
    return joined


def part(module: str, name: str) -> Any:
    """A module of the runtime that belongs to a part. Raises ImportError if the package does not contain the part."""
    try:
        return import_module(f"..{module}", __package__)
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.endswith(f".{module}"):
            raise
        command = f"`acp-codegen vendor DEST --with {name}` adds it"
        raise ImportError(f"this package was written without the part {name}; {command}") from None


def check_options(given: Mapping[str, Any], known: Collection[str]) -> None:
    """Raise TypeError for an unknown option, and ValueError for an invalid value."""
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
    "keepalive": _PATIENCE,
    "report_after": _PATIENCE,
    "linger": (_is_time, "seconds, a number from 0 on"),
    "grace": (_is_time, "seconds, a number from 0 on"),
}
