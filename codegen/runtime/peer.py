"""What every implementer inherits, whichever side it takes: the answers of a peer that implements nothing.

No asyncio and no protocol in here: the emitted bases add one method for each row of the method table.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Collection, Mapping
from typing import Any, ClassVar, NoReturn

from ._base import Method
from .errors import RequestError

__all__ = ["Peer", "about", "is_overridden"]


class Peer:
    """Base of the emitted bases.

    A handler takes the params object of its method. It may be ``async def`` or plain ``def``, a plain one runs on the
    event loop and must not block, and may return None where the result requires nothing. To answer with an error it
    raises ``RequestError``; whatever else it raises is logged and answered as an internal error.

    The notifications of a session are handled one after the other, and a response of that session comes through only
    when the handlers of those before it are done. The handler of a notification may await its peer, then, but must not
    wait for another task that does.
    """

    program: Mapping[str, Any] | None = None
    """``name`` and ``version`` of the program, told when the connection opens.

    None: the name of the class, and its package's ``__version__``.
    """

    threads: ClassVar[bool] = False
    """Whether plain handlers run in threads, so that they may block. Their order stays."""

    helpers: ClassVar[Collection[str]] = ()
    """Methods of one's own whose names are nearly a handler's: a connection is made all the same."""

    def ext_method(self, method: str, params: Any) -> Any | Awaitable[Any]:
        """Answer a request whose method starts with ``_`` and is in no table. ``params`` is plain JSON.

        With the connection's option ``any_name``, any method that is in no table. Called with the method as it stands on the wire. Returns plain JSON. Unless overridden: method not found.
        """
        self._unimplemented(method)

    def ext_notification(self, method: str, params: Any) -> Awaitable[None] | None:
        """Take note of a notification whose method starts with ``_`` and is in no table. Ignored unless overridden.

        With the connection's option ``any_name``, of any method that is in no table.
        """

    def _unimplemented(self, method: str) -> NoReturn:
        raise RequestError.method_not_found(method)


def is_overridden(peer: Peer, method: Method) -> bool:
    """Whether the implementer wrote a handler of its own, rather than inherit the emitted base's."""
    own = getattr(type(peer), method.python_name, None)
    inherited = [vars(base).get(method.python_name) for base in type(peer).__mro__ if Peer in base.__bases__]
    return own is not None and own not in inherited


def about(peer: Peer) -> dict[str, Any]:
    """Name and version that the peer goes by."""
    if peer.program is not None:
        return dict(peer.program)
    package = sys.modules.get(type(peer).__module__.partition(".")[0])
    version = getattr(package, "__version__", None)
    return {"name": type(peer).__name__, "version": version if isinstance(version, str) else "0"}
