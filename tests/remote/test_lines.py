"""Servers on sockets, where a frame is a line: what may be at their address, who may come in, and that nothing is promised in vain."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from remote_agents import Agent
from remote_hosts import served

import generated as acp

HELLO = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n'


async def answered(url: str, sent: bytes) -> bytes:
    """What a server on TCP answers before it closes, or is left alone."""
    host, _, port = url.removeprefix("tcp://").rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(sent)
    writer.write_eof()
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


@pytest.mark.parametrize("what", ["a file", "a folder", "a link to a file"])
async def test_what_is_no_socket_stays_where_it_is(what: str, tmp_path: Path) -> None:
    path, file = tmp_path / "agent.sock", tmp_path / "thesis.txt"
    file.write_text("three years")
    if what == "a file":
        path.write_text("three years")
    elif what == "a folder":
        path.mkdir()
    else:
        path.symlink_to(file)
    with pytest.raises(OSError, match=f"{path} exists and is not a socket"):
        async with served(Agent, f"unix:{path}"):
            pass
    assert file.read_text() == "three years"
    assert path.is_dir() if what == "a folder" else path.read_text() == "three years"


async def test_a_socket_that_a_server_left_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "agent.sock"
    left = await asyncio.start_unix_server(lambda reader, writer: None, path)
    left.close()
    await left.wait_closed()
    assert path.is_socket()
    async with served(Agent, f"unix:{path}") as url, acp.connect(url) as agent:
        assert (await agent.initialize()).protocol_version == 1


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:0", "unix:PATH"])
async def test_a_server_that_cannot_ask_who_a_caller_is_does_not_start(address: str, tmp_path: Path) -> None:
    address = address.replace("PATH", str(tmp_path / "agent.sock"))
    with pytest.raises(ValueError, match=r"`identify`.* applies to http, https, ws and wss"):
        async with served(Agent, address, identify=acp.bearer({"s3cret": "alice"})):
            pass
    async with served(Agent, address, identify=None):
        pass


@pytest.mark.parametrize(
    ("address", "given", "told"),
    [
        ("tcp://127.0.0.1:0", {"origins": {"https://a.example"}}, "`origins`.* applies to http, https, ws and wss"),
        ("tcp://127.0.0.1:0", {"connections_each": 3}, "`connections_each`.* applies to http, https, ws and wss"),
        ("tcp://127.0.0.1:0", {"mode": 0o600}, "`mode`.* applies to unix"),
        ("ws://127.0.0.1:0", {"mode": 0o600}, "`mode`.* applies to unix"),
        (None, {"hosts": {"a.example"}}, "`hosts` has no effect at standard input and output: it applies to"),
        (None, {"connections": 3}, "`connections`.* applies to http, https, ws, wss, tcp and unix"),
    ],
)
async def test_an_option_that_has_no_effect_is_refused(address: str | None, given: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        await acp.serve(Agent, address, **given)


async def test_sockets_have_limits_of_their_own(tmp_path: Path) -> None:
    place, options = tmp_path / "agent.sock", {"mode": 0o660, "connections": 1, "drain_timeout": 1.0}
    async with served(Agent, f"unix:{place}", **options) as url, acp.connect(url) as agent:
        await agent.initialize()
        assert place.stat().st_mode & 0o777 == 0o660


@pytest.mark.parametrize("option", ["certificate", "private_key"])
@pytest.mark.parametrize("scheme", ["http", "ws", "tcp"])
async def test_a_server_that_does_not_speak_tls_takes_no_certificate(scheme: str, option: str) -> None:
    given: Any = {option: "server.pem"}
    with pytest.raises(ValueError, match=rf"`{option}`.* applies to https and wss"):
        async with served(Agent, f"{scheme}://127.0.0.1:0", **given):
            pass


@pytest.mark.parametrize(
    "opening",
    [
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\nContent-Length: 77\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\n",
        b"\n\r\n \nGET / HTTP/1.1\r\n\r\n",
        b"P",
    ],
    ids=["HTTP", "TLS", "lines before it", "a byte"],
)
async def test_no_web_page_reaches_an_agent_on_tcp(opening: bytes) -> None:
    async with served(Agent, "tcp://127.0.0.1:0") as url:
        assert await answered(url, opening + HELLO) == b""
        assert b'"protocolVersion":1' in await answered(url, b" \r\n\n" + HELLO), "lines without anything are none"


async def test_a_frame_that_is_broken_is_still_answered() -> None:
    async with served(Agent, "tcp://127.0.0.1:0") as url:
        assert b"-32700" in await answered(url, b'{"jsonrpc":\n')
        assert b"-32700" in await answered(url, HELLO + b"POST / HTTP/1.1\n")
