"""`chaos`: each fault of a bad network, byte by byte, and the command."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from acp_tools.relay import chaos
from acp_tools.relay.chaos import Faults, proxied
from codegen.cli.main import main
from tests.support.waiting import until

DATA = bytes(range(256)) * 400


class Echo:
    """A server that sends back what it gets and notes it, connection by connection."""

    def __init__(self) -> None:
        self.got: list[bytearray] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got = bytearray()
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                if not got:
                    self.got.append(got)
                got += data
                writer.write(data)
                await writer.drain()
        writer.close()


@contextlib.asynccontextmanager
async def echoing(faults: Faults, path: Path | None = None, **options: Any) -> AsyncGenerator[tuple[Echo, Any]]:
    """A server behind the faults."""
    echo = Echo()
    if path is None:
        server = await asyncio.start_server(echo.serve, "127.0.0.1", 0)
        target = f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    else:
        target = f"unix:{path}"
        server = await asyncio.start_unix_server(echo.serve, path)
    async with asyncio.timeout(60), server, proxied(target, faults, **options) as proxy:
        yield echo, proxy
    await asyncio.sleep(0)


async def reach(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    scheme, _, place = url.partition(":")
    if scheme == "unix":
        return await asyncio.open_unix_connection(place)
    host, _, port = place.removeprefix("//").partition(":")
    return await asyncio.open_connection(host, int(port))


async def said(url: str, data: bytes) -> bytes:
    """What comes back for some bytes, until the end."""
    reader, writer = await reach(url)
    try:
        writer.write(data)
        writer.write_eof()
        return await reader.read()
    finally:
        writer.close()


SLOW = [
    Faults(),
    Faults(latency=0.05),
    Faults(jitter=0.02),
    Faults(bandwidth=len(DATA) * 10),
    Faults(reorder=0.05),
    Faults(half_open=0, cut=0, reset=0, duplicate=True, share=0),
]


@pytest.mark.parametrize("unix", [False, True])
@pytest.mark.parametrize("faults", SLOW, ids=str)
async def test_what_is_late_is_complete_and_in_order(faults: Faults, unix: bool, tmp_path: Path) -> None:
    async with echoing(faults, tmp_path / "s" if unix else None) as (echo, proxy):
        begun = asyncio.get_running_loop().time()
        assert await said(proxy.url, DATA) == DATA == bytes(echo.got[0])
        took = asyncio.get_running_loop().time() - begun
        assert took >= 2 * faults.latency + (len(DATA) / faults.bandwidth)
    assert not unix or not Path(proxy.url.partition(":")[2]).exists()


@pytest.mark.parametrize("side", ["client", "server"])
@pytest.mark.parametrize("kind", ["cut", "reset", "half_open"])
async def test_after_so_many_bytes_of_a_side_nothing_passes(kind: str, side: Any) -> None:
    told: list[str] = []
    faults = Faults(**{kind: 5000}, side=side, times=1)
    async with echoing(faults, log=told.append) as (echo, proxy):
        reader, writer = await reach(proxy.url)
        writer.write(DATA)
        if kind == "half_open":
            await until(
                lambda: proxy.struck and echo.got and len(echo.got[0]) == (5000 if side == "client" else len(DATA))
            )
            assert await reader.readexactly(5000) == DATA[:5000]
            writer.write_eof()  # the server ends its side, and nobody hears of it
            more = asyncio.ensure_future(reader.read(1))
            assert not (await asyncio.wait([more], timeout=0.05))[0]
            more.cancel()
            await asyncio.wait([more])
        elif kind == "reset":
            with pytest.raises(ConnectionResetError):
                await reader.read()
        elif side == "server":
            assert await reader.read() == DATA[:5000]
        else:
            assert DATA.startswith(await reader.read())
            await until(lambda: echo.got and len(echo.got[0]) == 5000)
        writer.transport.abort()
        assert not echo.got or DATA.startswith(echo.got[0])
        assert await said(proxy.url, DATA) == DATA, "the fault happens as often as it was asked for"
    assert told == [f"connection 1: {kind.replace('_', '-')} after 5,000 bytes of the {side}"]


async def test_a_duplicated_connection_comes_twice_and_is_answered_once() -> None:
    async with echoing(Faults(duplicate=True, times=1)) as (echo, proxy):
        assert await said(proxy.url, b"one") == b"one"
        await until(lambda: [bytes(each) for each in echo.got] == [b"one", b"one"])
        assert await said(proxy.url, b"two") == b"two"
        assert [bytes(each) for each in echo.got] == [b"one", b"one", b"two"]


async def test_later_connections_overtake_and_a_seed_repeats_it() -> None:
    runs = []
    for seed in (1, 1, 2):
        told: list[str] = []
        async with echoing(Faults(reorder=0.2, seed=seed), log=told.append) as (echo, proxy):
            await asyncio.gather(*(said(proxy.url, bytes([number])) for number in range(6)))
            assert sorted(map(bytes, echo.got)) == [bytes([number]) for number in range(6)]
        runs.append(told)
    assert runs[0] == runs[1] != runs[2]
    held = [float(line.split()[-2]) for line in runs[0]]
    assert held != sorted(held)


async def test_a_share_of_the_connections_suffers_and_a_server_that_is_gone_is_a_reset() -> None:
    async with echoing(Faults(cut=0, share=0.5)) as (_, proxy):
        heard = [await said(proxy.url, b"x") for _ in range(20)]
        assert 3 < heard.count(b"x") == 20 - proxy.struck < 17
        proxy.target = "tcp://127.0.0.1:1"
        with pytest.raises(OSError, match="reset"):
            await said(proxy.url, b"x")


START = (sys.executable, "-c", "import sys; from acp_codegen.cli.main import main; sys.exit(main())")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_the_command_prints_its_address_logs_faults_and_ends_with_0(number: int) -> None:
    async with echoing(Faults()) as (_, behind):
        command = [*START, "chaos", behind.url, "--cut", "2", "--side", "server"]
        process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout is not None
        url = (await process.stdout.readline()).decode().strip()
        assert await said(url, b"hello") == b"he"
        process.send_signal(number)
        _, errors = await process.communicate()
    assert (process.returncode, errors.decode()) == (0, "connection 1: cut after 2 bytes of the server\n")


CAT = (sys.executable, "-c", "import shutil, sys; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)")


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
@pytest.mark.parametrize(
    ("faults", "got", "told"),
    [
        ((), DATA, ""),
        (("--cut", "3", "--side", "server"), DATA[:3], "connection 1: cut after 3 bytes of the server\n"),
        (("--half-open", "3", "--side", "server"), DATA[:3], "connection 1: half-open after 3 bytes of the server\n"),
        (("--half-open", "0", "--times", "1"), b"", "connection 1: half-open after 0 bytes of the client\n"),
        (("--reset", "3", "--side", "client"), b"", "connection 1: reset after 3 bytes of the client\n"),
    ],
)
def test_a_program_on_standard_streams_behind_faults(faults: tuple[str, ...], got: bytes, told: str) -> None:
    ran = subprocess.run([*START, "chaos", *faults, "--", *CAT], input=DATA, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr.decode()) == (0, told)
    assert ran.stdout == got or (not got and DATA.startswith(ran.stdout))


@pytest.mark.parametrize("data", [b"", DATA])
def test_standard_streams_may_be_files(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "in").write_bytes(data)
    with (tmp_path / "in" if data else Path(os.devnull)).open("rb") as source, (tmp_path / "out").open("wb") as sink:
        subprocess.run([*START, "chaos", "--", *CAT], stdin=source, stdout=sink, check=True)
    assert (tmp_path / "out").read_bytes() == data


def test_a_client_that_reads_late_gets_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    (nothing, end), (reads, writes) = os.pipe(), os.pipe()
    os.close(end)
    monkeypatch.setattr(chaos, "_piped", (nothing, writes).__getitem__)
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    waited_for, wait = threading.Event(), asyncio.StreamWriter.wait_closed

    async def wait_closed(writer: asyncio.StreamWriter) -> None:
        waited_for.set()
        await wait(writer)

    monkeypatch.setattr(asyncio.StreamWriter, "wait_closed", wait_closed)
    with ThreadPoolExecutor() as pool, open(reads, "rb") as stream:
        got = pool.submit(lambda: waited_for.wait() and stream.read())
        program = f"import sys; sys.stdout.write('x' * {len(DATA)})"  # more than a pipe takes
        asyncio.run(chaos.wrap([sys.executable, "-c", program], Faults()))
        waited_for.set()
        assert len(got.result()) == len(DATA)


def test_a_program_that_is_none_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chaos", "--", "no-such-program"]) == 2
    assert "No such file or directory: 'no-such-program'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "url", ["127.0.0.1:1", "C:", "ftp://a:1", "tcp://a", "unix:", "http://", "http://a:x", "ws://[a"]
)
def test_an_address_that_is_none_is_a_line(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chaos", url]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{url}: error: is not an address")
