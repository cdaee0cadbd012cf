"""In which network a peer runs: loopback alone where the kernel allows it, and what it tried is information."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acp_tools.probe import runner as running
from acp_tools.probe.context import Settings
from acp_tools.probe.isolation import namespace, network
from acp_tools.probe.isolation.home import Home
from acp_tools.probe.isolation.network import Network
from acp_tools.probe.peer import Command
from acp_tools.probe.report import FORMATS, Report
from acp_tools.probe.results import Status
from acp_tools.probe.runner import Outcome, examine

RUDE = Path(__file__).with_name("rude.py")
QUICK = Settings(count=0, patience=10.0, start=20.0, quiet=0.02, bound=60.0)


def no_namespaces() -> str:
    return namespace.obstacle() if sys.platform.startswith("linux") else "there are none on this system"


needs_namespaces = pytest.mark.skipif(bool(no_namespaces()), reason=f"no network namespaces: {no_namespaces()}")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """The handshake alone."""
    monkeypatch.setattr(running, "STEPS", ())


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A port of this machine where somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setitem(os.environ, "REACH_PORT", str(server.getsockname()[1]))
        yield server.getsockname()[1]


def probed(kept: Network, way: str = "reaches out") -> Outcome:
    with Home(["REACH_PORT"]) as home:
        return asyncio.run(examine(Command([sys.executable, str(RUDE), way], home, kept), QUICK))


def told(outcome: Outcome) -> list[str]:
    frames: list[Any] = [json.loads(frame.data) for frame in outcome.log.frames]
    return next(frame["params"]["told"] for frame in frames if frame.get("method") == "_reached")


@needs_namespaces
def test_a_peer_reaches_neither_this_machine_nor_another(port: int) -> None:
    kept = Network()
    outcome = probed(kept)
    assert told(outcome) == ["ConnectionRefusedError", "OSError", "HTTP/1.1 403 Forbidden"]
    assert kept.text == "only loopback, in a separate namespace"


@needs_namespaces
def test_what_it_tried_is_information_and_breaks_nothing(port: int) -> None:
    outcome = probed(Network())
    assert outcome.sheet.notices["network/reached"] == (
        "the agent tried to reach other machines: models.example:443 through the proxy, 1 packet to other machines, without a proxy"
    )
    broken = [result.requirement.id for result in outcome.sheet.of(Status.FAIL)]
    assert [id_ for id_ in broken if "network" in id_] == []


@needs_namespaces
def test_one_that_tries_nothing_is_not_reported(port: int) -> None:
    assert "network/reached" not in probed(Network(), "behaves").sheet.notices


def test_a_shared_network_is_that_of_this_machine(port: int) -> None:
    kept = Network(shared=True)
    assert told(probed(kept))[0] == "got through"
    assert kept.text == "the network of this machine (--share-network)"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is no such program elsewhere")
def test_where_the_kernel_refuses_the_report_says_why(
    port: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    refusing = tmp_path / "apart.py"
    text = Path(namespace.__file__).read_text(encoding="utf-8")
    refusing.write_text(
        text.replace("(flags: int) -> None:\n", "(flags: int) -> None:\n    raise OSError(1, 'not today')\n", 1)
    )
    monkeypatch.setattr(network, "_PROGRAM", str(refusing))
    kept = Network()
    outcome = probed(kept)
    assert told(outcome)[0] == "got through", "it runs as it did without namespaces"
    assert "not today" in kept.text
    report = Report("rude", (), outcome.sheet, {}, "", network=kept.text)
    assert "network: the network of this machine, with closed proxies" in FORMATS["text"](report)
    assert json.loads(FORMATS["json"](report))["network"] == kept.text


def test_of_hosts_that_a_peer_invents_so_many_are_kept_and_few_are_named() -> None:
    kept = Network()
    for number in range(5_000):
        kept.asked(f"{number:05}.example" + "x" * 1_000)
    assert len(kept.hosts) == 1_000
    assert len(kept.tried) < 6_000
    assert kept.tried.endswith("980 more hosts through the proxy")


def test_a_command_that_cannot_be_run_is_told_by_its_name() -> None:
    with Home() as home, pytest.raises(FileNotFoundError) as caught:
        asyncio.run(examine(Command(["./no-such-agent"], home), QUICK))
    assert caught.value.filename == "./no-such-agent"


def test_a_peer_is_not_deaf_to_a_broken_pipe() -> None:
    async def disposition() -> str:
        with Home() as home:
            process, watch = await Network().start(("sed", "-n", "/^SigIgn/p", "/proc/self/status"), home)
            out, _ = await process.communicate()
            await watch.close()
        return out.decode()

    if not Path("/proc/self/status").exists():
        pytest.skip("no /proc")
    ignored = int(asyncio.run(disposition()).split()[1], 16)
    assert not ignored & (1 << (signal.SIGPIPE - 1))


def test_nothing_stays_open_after_a_run(port: int) -> None:
    def descriptors() -> set[str]:
        found = set()
        for entry in Path("/proc/self/fd").iterdir() if Path("/proc/self/fd").exists() else ():
            with contextlib.suppress(OSError):
                found.add(f"{entry.name} {os.readlink(entry)}")
        return found

    probed(Network())
    before = descriptors()
    probed(Network())
    assert {name for name in descriptors() - before if "/net/" in name} == set()
    assert len(descriptors()) <= len(before)


def test_a_host_that_is_known_is_counted_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "_KEPT", 2)
    peer = Network()
    for host in ("a.example", "b.example", "c.example", "a.example", "b.example" + "x" * 1000, "b.example"):
        peer.asked(host)
    assert peer.hosts == {"a.example": 2, "b.example": 2}
