"""Whose sessions are whose: the ways to log in, and the identity that each establishes.

os-user   the user of the operating system, as whom the agent runs; in force until something else is
guest     nobody in particular: kept apart from the user's own sessions, shared by all guests
key       with `--keys`: whoever knows the key, given as `_meta.key`; the store holds no more than a fingerprint of it
"""

from __future__ import annotations

import getpass
import hashlib
import hmac
import os
from typing import Any, Final

from .. import acp
from .errors import Refused

__all__ = ["establish", "methods", "os_user"]

SHORTEST_KEY: Final = 16

_OS_USER: Final = acp.AuthMethodAgent(
    id="os-user", name="System user", description="The user of this computer. No need to log in: it is the default."
)
_GUEST: Final = acp.AuthMethodAgent(
    id="guest", name="Guest", description="Sessions apart from those of the user of this computer."
)
_KEY: Final = acp.AuthMethodAgent(
    id="key", name="Key", description=f"Whoever knows a key, given as `_meta.key`: {SHORTEST_KEY} characters or more."
)


def methods(keys: bool) -> list[acp.AuthMethod]:
    """The ways to log in that are offered."""
    return [_OS_USER, _GUEST, *([_KEY] if keys else [])]


def os_user() -> str:
    """The identity of the user that the agent runs as."""
    return f"os:{os.getuid()}" if hasattr(os, "getuid") else f"os:{getpass.getuser()}"


def establish(params: acp.AuthenticateRequest, keys: bool, secret: bytes) -> str:
    """The identity that a login establishes; Refused where it was not offered, or its key is none."""
    if params.method_id not in (method.id for method in methods(keys)):
        raise Refused("no such login was offered")
    if params.method_id == _OS_USER.id:
        return os_user()
    if params.method_id == _GUEST.id:
        return "guest"
    key: Any = (params.meta or {}).get("key")
    if not isinstance(key, str) or len(key) < SHORTEST_KEY:
        raise Refused(f"_meta.key is not a string of {SHORTEST_KEY} characters or more")
    return "key:" + hmac.new(secret, key.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
