"""The HTTP backend on httpx: TLS, proxies, HTTP/2."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Mapping

import httpx

from .address import Address, reason
from .backend import NO_STREAM, PLAIN, SILENT, HttpBackend, Response, StreamingResponse, check_encoding

_REQUESTS = 500
"""Maximum number of requests on one network connection. hypercorn closes an HTTP/2 connection after 1,000, including
pending ones.
"""


def opener(address: Address) -> Callable[[], HttpBackend]:
    """A function that creates a backend for an address."""
    # Made once: what the system trusts takes longer to read than all else.
    tls: ssl.SSLContext | bool = address.scheme == "https" and (address.options["tls"] or ssl.create_default_context())
    open_timeout = address.options["open_timeout"]

    def make() -> httpx.AsyncClient:
        try:
            return httpx.AsyncClient(
                http1=not address.options["http2"],
                http2=True,
                cookies=address.jar,
                headers={**PLAIN, **address.headers},
                verify=tls,
                timeout=httpx.Timeout(open_timeout, read=None, pool=None),
                follow_redirects=False,
            )
        except ImportError as error:
            raise ImportError("to connect over HTTP/2, install httpx[http2]: pip install acp-remote") from error

    return lambda: _HttpxBackend(make, address.url, open_timeout, address.frame_limit)


class _HttpxBackend(HttpBackend):
    def __init__(self, make: Callable[[], httpx.AsyncClient], url: str, open_timeout: float, limit: int) -> None:
        self._make = make
        self._clients = [make()]
        self._requests = 0
        self._url = url
        self._open_timeout = open_timeout
        self._limit = limit

    async def request(self, method: str, headers: Mapping[str, str], content: bytes = b"") -> Response:
        with _in_our_words(self._open_timeout):
            async with self._client().stream(method, self._url, content=content, headers=headers) as response:
                return await _HttpxResponse(response, 0.0).whole(self._limit)

    @contextlib.asynccontextmanager
    async def stream(self, headers: Mapping[str, str], silence: float) -> AsyncGenerator[StreamingResponse, None]:
        timeout = httpx.Timeout(self._open_timeout, read=silence, pool=None)
        with _in_our_words(self._open_timeout, silence):
            async with contextlib.AsyncExitStack() as stack:
                try:
                    async with asyncio.timeout(silence):
                        opening = self._clients[-1].stream("GET", self._url, headers=headers, timeout=timeout)
                        response = await stack.enter_async_context(opening)
                except TimeoutError:
                    raise TimeoutError(NO_STREAM.format(silence)) from None
                yield _HttpxResponse(response, silence)

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()

    def _client(self) -> httpx.AsyncClient:
        """The httpx client for the next request. It is replaced before the server would close its network
        connection.
        """
        self._requests += 1
        if self._requests > _REQUESTS:
            self._clients.append(self._make())
            self._requests = 1
        return self._clients[-1]


class _HttpxResponse(StreamingResponse):
    def __init__(self, response: httpx.Response, silence: float) -> None:
        self._silence = silence
        self.status = response.status_code
        self.headers = response.headers
        check_encoding(self.headers)
        self._chunks: AsyncIterator[bytes] = response.aiter_raw()

    async def more(self) -> bytes:
        with _in_our_words(silence=self._silence):
            return await anext(self._chunks, b"")


@contextlib.contextmanager
def _in_our_words(patience: float = 0.0, silence: float = 0.0) -> Generator[None, None, None]:
    """Convert httpx's errors to those of the interface. `patience`: seconds to connect and send; `silence`: to
    receive.
    """
    try:
        yield
    except httpx.ReadTimeout as error:
        if not silence:  # httpcore ends all streams of a network connection with the error of one
            raise ConnectionError("another stream of the same network connection was silent for too long") from error
        raise TimeoutError(SILENT.format(silence)) from error
    except httpx.WriteTimeout as error:
        raise TimeoutError(f"the server read no part of the request for {patience:g} s") from error
    except httpx.TimeoutException as error:
        raise TimeoutError(f"no TCP or TLS connection within {patience:g} s") from error
    except httpx.ConnectError as error:
        raise ConnectionRefusedError(reason(error)) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise ConnectionError(reason(error)) from error
    except UnicodeEncodeError as error:
        raise ConnectionError(f"a header cannot be sent: {error}") from None
