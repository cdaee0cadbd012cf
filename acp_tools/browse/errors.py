"""Errors as sentences for the user.

A Trouble is a failed action; its text gives the reason. A LoginNeeded is a failure that a login would solve.
"""

from __future__ import annotations

import msgspec

import acp_generated as acp

from .sanitize import one_line


class Trouble(Exception):
    """A failed action. The text is safe to show."""


class LoginNeeded(Trouble):
    """The agent requires a login."""


def trouble_with(what: str, error: Exception) -> Trouble:
    """Convert an error of a connection or the system to a Trouble. `what` names the method or program."""
    match error:
        case Trouble():
            return error
        case acp.RequestError(code=acp.RequestError.AUTH_REQUIRED):
            standard = error.message.lower().startswith("authentication required")
            own_words = error.message[len("authentication required") :] if standard else f": {error.message}"
            return LoginNeeded(one_line(f"the agent wants you to log in before {what}{own_words}"))
        case acp.RequestError():
            return Trouble(one_line(f"{what}: {_answer(error)}"))
        case acp.CapabilityError():
            return Trouble(f"the agent did not advertise {error.capability}")
        case TimeoutError():
            return Trouble(f"{what}: no response in time")
        case acp.ConnectionClosed():
            return Trouble(one_line(str(error)))
        case msgspec.ValidationError() | msgspec.DecodeError():
            reason = str(error).removeprefix(f"the result of {what}: ")
            return Trouble(one_line(f"{what}: the response is invalid: {reason}"))
        case OSError():
            return Trouble(one_line(f"{what}: {error.strerror or error}"))
        case _:
            return Trouble(one_line(f"{what}: {type(error).__name__}: {error}"))


def _answer(error: acp.RequestError) -> str:
    """The agent's error message, with the reason that many agents add in the data."""
    match error.data:
        case str(reason) | {"reason": str(reason)} | {"details": str(reason)} | {"message": str(reason)}:
            return f"{error.message}: {reason} ({error.code})"
        case _:
            return str(error)
