"""Where a server listens: sockets that notice peers which are gone, and what is wrong with a place before a server starts there.

The law: nothing of another program is taken or removed, be it a port, a socket or a file.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import stat

__all__ = ["check_tls", "clear_socket", "listening_socket"]


def listening_socket(host: str, port: int) -> socket.socket:
    """A TCP socket that takes connections."""
    family, kind, number, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listening = socket.socket(family, kind, number)
    # On Windows, SO_REUSEADDR lets another program take over a port that is in use.
    try:
        listening.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR), 1)
        listening.bind(place)
        _keep_alive(listening)
        listening.listen(1024)
    except OSError:
        listening.close()
        raise
    listening.setblocking(False)
    return listening


def _keep_alive(listening: socket.socket) -> None:
    """Have the system find out about peers that are gone without a word: what is accepted inherits this."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    # The last is for what was sent and is never taken, in milliseconds: keep-alive is silent meanwhile.
    for name, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3), ("TCP_USER_TIMEOUT", 60_000)):
        if hasattr(socket, name):
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def check_tls(certificate: str, key: str) -> None:
    """Say in a line what is wrong with the files, before a server starts that refuses everyone."""
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise ValueError(f"the certificate {certificate} with the key {key} cannot be used: {error}") from None


async def clear_socket(path: str) -> None:
    """Remove the socket that a server left which has ended; OSError where one still listens."""
    if not os.path.exists(path):  # noqa: ASYNC240
        return
    if not stat.S_ISSOCK(os.stat(path).st_mode):  # to connect to a file is refused, too
        raise OSError(f"{path} is there and is not a socket")
    try:
        _, writer = await asyncio.open_unix_connection(path)
    except ConnectionRefusedError:
        os.unlink(path)
        return
    except OSError as error:
        raise OSError(f"{path} is there and cannot be used: {error}") from None
    writer.close()
    raise OSError(f"{path} is in use: another program serves there")
