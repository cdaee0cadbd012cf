"""What can be wrong with a request, and how the client is reported.

    UnknownSession    -32002   no such session for this identity, or deleted (data: sessionId)
    NotOpen           -32002   it exists, but has to be loaded or resumed first (data: sessionId, reason)
    Refused           -32602   params that fit the schema and cannot be honoured (data: reason)
    BadCursor         -32602   a cursor that was not given out for this list (data: reason)
    Busy              -32600   a prompt while another one of the session is under way (data: sessionId, reason)
    OpenElsewhere     -32600   another agent that shares the store has it open, and does not end it (data: sessionId, reason)
    Died              -32603   the session's process is gone (data: sessionId, reason)
    StoreFailed       -32603   the store cannot be read or written: full, damaged, not to be reached (data: reason)
    Fenced            -32603   another agent took this one for dead, and its turn over (data: sessionId, reason)
    Unreadable        -32603   what is stored of the session cannot be read (data: sessionId, reason)

Another identity's session is answered exactly like one that never was.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Generator
from typing import Any

from .. import acp
from .cursors import BadCursor
from .engine import StoreFailed
from .rows import Unreadable
from .store import Busy, Fenced, UnknownSession

__all__ = ["Died", "NotOpen", "OpenElsewhere", "Refused", "answered"]

logger = logging.getLogger(__name__)


class NotOpen(Exception):
    """The session exists and is not open here."""


class Refused(Exception):
    """Params that cannot be honoured; the message is the reason."""


class OpenElsewhere(Exception):
    """Another agent has the session open, and did not end it when it was asked to."""


class Died(Exception):
    """The process of a session is gone; the message says how it went."""


@contextlib.contextmanager
def answered(session_id: str | None = None) -> Generator[None, None, None]:
    """Turns what goes wrong inside into the answer that the client gets."""
    about: dict[str, Any] = {} if session_id is None else {"sessionId": session_id}
    try:
        yield
    except UnknownSession:
        raise acp.RequestError.resource_not_found(data=about) from None
    except NotOpen:
        raise acp.RequestError.resource_not_found(
            data={**about, "reason": "not open: load or resume it first"}
        ) from None
    except (Refused, BadCursor) as error:
        raise acp.RequestError.invalid_params({"reason": str(error)}) from None
    except Busy:
        raise acp.RequestError.invalid_request({**about, "reason": "a prompt is under way in this session"}) from None
    except OpenElsewhere:
        raise acp.RequestError.invalid_request(
            {**about, "reason": "open in another agent, which does not end it: close it there"}
        ) from None
    except Fenced:
        raise acp.RequestError.internal_error(
            {**about, "reason": "another agent has taken this session over: load it, and ask again"}
        ) from None
    except (Unreadable, StoreFailed) as error:
        reason = str(error)
        logger.warning("%s", reason)
        raise acp.RequestError.internal_error({**about, "reason": reason}) from None
    except Died as error:
        raise acp.RequestError.internal_error({**about, "reason": str(error)}) from None
