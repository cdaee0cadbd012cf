"""Behind nginx, as docs/remote.md configures it: TLS and HTTP/2 for clients, HTTP/1.1 for the agent."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import ours
import pytest
import scenario
from remote_hosts import served

import generated as acp

pytestmark = pytest.mark.environment

CONFIGURATION = """
daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
  server {{
    listen 127.0.0.1:{port} ssl http2;
    ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;
    client_max_body_size 32m;
    location / {{
      proxy_pass {upstream};
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_buffering {buffering};
      proxy_read_timeout 1h;
    }}
  }}
}}
"""


@pytest.mark.parametrize("buffering", ["off", "on"])
async def test_the_conversation_behind_nginx(profile: dict[str, Any], buffering: str, tmp_path: Path) -> None:
    # With buffering on, what counts is that every event stream says `X-Accel-Buffering: no`, which nginx heeds. No ping pushes events out.
    async with (
        served(ours.ScenarioAgent, check_capabilities=False, ping=60.0) as upstream,
        proxied(upstream, tmp_path, buffering) as (url, tls),
    ):
        client = ours.ScenarioClient()
        options = {"profile": profile["profile"], "tls": tls}
        async with asyncio.timeout(60), acp.connect(url, client, **options) as agent:
            assert await ours.drive(agent, client) == scenario.REPORT


@contextlib.asynccontextmanager
async def proxied(upstream: str, folder: Path, buffering: str) -> AsyncIterator[tuple[str, ssl.SSLContext]]:
    """The address of nginx in front of a server, and whom to trust."""
    program = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if program is None:
        pytest.skip("needs Debian's package `nginx-light` (apt-get install nginx-light), which is not installed")
    made = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    subprocess.run([*made.split(), *files], check=True, capture_output=True)  # noqa: ASYNC221  # nothing else is to be done
    with socket.socket() as held:  # as long as this one is there, nobody but who asks for the port gets it
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        text = CONFIGURATION.format(
            folder=folder, port=port, upstream=upstream.removesuffix("/acp"), buffering=buffering
        )
        (folder / "nginx.conf").write_text(text)
        process = await asyncio.create_subprocess_exec(
            program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log"), stderr=subprocess.DEVNULL
        )
        try:
            async with asyncio.timeout(60):
                while not listens(port):  # noqa: ASYNC110  # it does not tell
                    await asyncio.sleep(0.02)
            yield f"https://localhost:{port}/acp", ssl.create_default_context(cafile=str(folder / "certificate.pem"))
        finally:
            process.terminate()
            await process.wait()


def listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5):
        return True
    return False
