"""Identification of callers by signed JSON Web Tokens (PyJWT), whose keys an issuer publishes and replaces."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from .security import Rejected

try:
    import jwt as pyjwt
except ModuleNotFoundError:
    raise ImportError("acp.jwt needs PyJWT: pip install 'acp-remote[jwt]'") from None

logger = logging.getLogger(__name__)

_LEEWAY = 30.0
"""Seconds by which the clocks of issuer and server may differ."""
_FETCHING = 10.0
"""Seconds that a request for keys may take, and seconds between requests for a key that is not among them."""


class _Keys:
    """The keys of an issuer. A token with an unknown key id makes it read them again, at most once in ten seconds."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client = pyjwt.PyJWKClient(url, timeout=_FETCHING)
        self._last = -_FETCHING
        self._lock = asyncio.Lock()

    async def of(self, token: str) -> Any:
        """The key of a token. Raises PyJWTError if there is none, and Rejected if the keys cannot be read."""
        id = pyjwt.get_unverified_header(token).get("kid")
        async with self._lock:
            keys = await self._read()
            found = [key for key in keys if id in (None, key.key_id)]
            if not found and time.monotonic() - self._last >= _FETCHING:
                self._last = time.monotonic()
                found = [key for key in await self._read(refresh=True) if key.key_id == id]
        if not found:
            raise pyjwt.PyJWKClientError("the issuer has no key with the id of the token")
        return found[0].key

    async def _read(self, *, refresh: bool = False) -> list[pyjwt.PyJWK]:
        try:
            return await asyncio.to_thread(self._client.get_signing_keys, refresh)
        except (pyjwt.PyJWTError, ValueError, OSError) as error:
            logger.error("the keys at %s cannot be read: %s", self._url, error)  # noqa: TRY400  # it says all
            raise Rejected(503, "the keys of the issuer cannot be read", (b"retry-after", b"10")) from None


def jwt(
    issuer: str, audience: str, keys: str, claim: str, algorithms: Collection[str]
) -> Callable[[Any], Awaitable[str | None]]:
    """A function that identifies callers by their tokens. The package's function `jwt` describes the parameters."""
    known = _Keys(keys)

    async def identify(caller: Any) -> str | None:
        scheme, _, token = caller.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            key = await known.of(token.strip())
            claims = pyjwt.decode(
                token.strip(),
                key,
                algorithms=list(algorithms),
                audience=audience,
                issuer=issuer,
                leeway=_LEEWAY,
                options={"require": ["exp", "iss", "aud", claim]},
            )
        except pyjwt.PyJWTError as error:
            logger.info("a token was rejected: %s", error)
            return None
        identity = claims[claim]
        return identity if isinstance(identity, str) and identity else None

    return identify
