"""HTTP by httpx: over TLS, by proxies, over HTTP/2."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Mapping

import httpx

from .address import Address, reason
from .backend import PLAIN, HttpBackend, Response, StreamingResponse, check_encoding

__all__ = ["opener"]


def opener(address: Address) -> Callable[[], HttpBackend]:
    """The factory of backends for an address."""
    # Made once: what the system trusts takes longer to read than all else.
    tls: ssl.SSLContext | bool = address.scheme == "https" and (
        address.options.get("tls") or ssl.create_default_context()
    )
    open_timeout = address.options.get("open_timeout", 20.0)

    def make() -> HttpBackend:
        try:
            client = httpx.AsyncClient(
                http1=not address.options.get("http2", False),
                http2=True,
                cookies=address.jar,
                headers={**PLAIN, **address.headers},
                verify=tls,
                timeout=httpx.Timeout(open_timeout, read=None, pool=None),
                follow_redirects=False,
            )
        except ImportError as error:
            raise ImportError("to connect over HTTP/2, install httpx[http2]: pip install acp-remote") from error
        return _HttpxBackend(client, address.url, open_timeout, address.frame_limit)

    return make


class _HttpxBackend(HttpBackend):
    def __init__(self, client: httpx.AsyncClient, url: str, open_timeout: float, limit: int) -> None:
        self._client = client
        self._url = url
        self._open_timeout = open_timeout
        self._limit = limit

    async def request(self, method: str, headers: Mapping[str, str], content: bytes = b"") -> Response:
        with _in_our_words():
            async with self._client.stream(method, self._url, content=content, headers=headers) as response:
                return await _HttpxResponse(response).whole(self._limit)

    @contextlib.asynccontextmanager
    async def stream(self, headers: Mapping[str, str], silence: float) -> AsyncGenerator[StreamingResponse, None]:
        timeout = httpx.Timeout(self._open_timeout, read=silence, pool=None)
        with _in_our_words():
            async with self._client.stream("GET", self._url, headers=headers, timeout=timeout) as response:
                yield _HttpxResponse(response)

    async def close(self) -> None:
        await self._client.aclose()


class _HttpxResponse(StreamingResponse):
    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self.headers = response.headers
        check_encoding(self.headers)
        self._chunks: AsyncIterator[bytes] = response.aiter_raw()

    async def more(self) -> bytes:
        with _in_our_words():
            return await anext(self._chunks, b"")


@contextlib.contextmanager
def _in_our_words() -> Generator[None, None, None]:
    try:
        yield
    except httpx.ReadTimeout as error:
        raise TimeoutError("it was silent for long") from error
    except httpx.TimeoutException as error:
        raise TimeoutError("nobody answers") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise ConnectionError(reason(error)) from error
    except UnicodeEncodeError as error:
        raise ConnectionError(f"a header cannot be sent: {error}") from None
