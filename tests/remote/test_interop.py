"""The official SDKs over the network: the conversation of the interop tests, in both directions, over both profiles.

Where a peer departs from the RFD, the test says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import ours
import pytest
import scenario
from remote_hosts import served

import generated as acp
from tests.support import official_sdks

HERE = Path(__file__).parent

pytestmark = pytest.mark.environment

INTEROP = HERE.parent / "runtime" / "interop"
SCHEMES = {"streams": "http", "socket": "ws"}


@pytest.fixture(scope="session")
def python_sdk() -> tuple[str, ...]:
    """The command that runs a script with the official Python SDK that speaks over the network."""
    return str(official_sdks.remote_python()), str(INTEROP / "python_sdk.py")


@pytest.fixture(scope="session")
def typescript_sdk() -> tuple[str, ...]:
    """The command that runs a script with the official TypeScript SDK."""
    home = official_sdks.typescript()
    return "env", f"INTEROP_NODE_DIR={home}", "node", str(INTEROP / "typescript_sdk.mjs")


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
async def test_our_client_with_the_python_sdks_server(python_sdk: tuple[str, ...], scheme: str) -> None:
    # Its server does not pass `use_unstable_protocol` on, and refuses what its agent advertises; it has no handler for deleting.
    async with serving(python_sdk) as url:
        report = await drive(url, forks=False, deletes=False, http2=True, profile=profile_of(scheme))
    assert report == {**scenario.REPORT, "forked": False, "deleted": False}


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
async def test_our_client_with_the_typescript_sdks_server(typescript_sdk: tuple[str, ...], scheme: str) -> None:
    async with serving(typescript_sdk) as url:
        report = await drive(url, profile=profile_of(scheme))
    every_kind = scenario.without_nulls(scenario.updates("common", "newest"))
    assert report == {**scenario.REPORT, "updates": every_kind}


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
async def test_the_python_sdks_client_with_our_server(python_sdk: tuple[str, ...], scheme: str) -> None:
    async with served(ours.ScenarioAgent, check_capabilities=False) as url:
        assert await driven(python_sdk, url.replace("http", scheme)) == scenario.REPORT


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
async def test_the_typescript_sdks_client_with_our_server(typescript_sdk: tuple[str, ...], scheme: str) -> None:
    async with served(ours.ScenarioAgent, check_capabilities=False) as url:
        report = await driven(typescript_sdk, url.replace("http", scheme))
    assert report == {**scenario.REPORT, "given up": -32800}


def profile_of(scheme: str) -> Any:
    return "websocket" if scheme == "ws" else "http"


@contextlib.asynccontextmanager
async def serving(command: tuple[str, ...]) -> AsyncIterator[str]:
    """The address of a peer's agent."""
    process = await asyncio.create_subprocess_exec(*command, "serve", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    try:
        async with asyncio.timeout(60):
            line = (await process.stdout.readline()).decode().strip()
        assert line, (await process.communicate())[1].decode()
        yield line
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def drive(url: str, *, forks: bool = True, deletes: bool = True, **options: Any) -> dict[str, Any]:
    client = ours.ScenarioClient()
    async with asyncio.timeout(60), acp.connect(url, client, **options) as connection:
        report: dict[str, Any] = await ours.drive(connection, client, forks=forks, deletes=deletes)
    return report


async def driven(command: tuple[str, ...], url: str) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        *command, "client", url, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        async with asyncio.timeout(60):
            output, log = await process.communicate()
    except TimeoutError:
        process.kill()
        output, log = await process.communicate()
    assert process.returncode == 0, log.decode()
    report: dict[str, Any] = json.loads(output)
    report["updates"] = scenario.without_nulls(report["updates"])
    return report
