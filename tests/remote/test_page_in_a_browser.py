"""A page with a bare WebSocket, in Debian's Chromium: no library, no SDK."""

from __future__ import annotations

import contextlib
import http.server
import shutil
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from remote_agents import Agent
from remote_hosts import served

pytestmark = pytest.mark.environment

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
).split()
PAGE = """<!doctype html><pre id="said"></pre><script>
const said = (text) => (document.getElementById("said").textContent += text + "\\n");
const socket = new WebSocket("ADDRESS");
const ask = (id, method, params) => socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
socket.onopen = () => ask(0, "initialize", { protocolVersion: 1, clientCapabilities: {} });
socket.onerror = () => said("refused");
socket.onmessage = ({ data }) => {
  const { id, result, params } = JSON.parse(data);
  if (id === 0) ask(1, "session/new", { cwd: "/", mcpServers: [] });
  else if (id === 1) ask(2, "session/prompt", { sessionId: result.sessionId, prompt: [{ type: "text", text: "say 2" }] });
  else if (id === 2) said(result.stopReason);
  else said(params.update.content.text);
};
</script>"""


@contextlib.contextmanager
def paged(text: str) -> Iterator[tuple[http.server.ThreadingHTTPServer, list[str]]]:
    """A server of one page, whose text may be changed."""
    texts = [text]

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(texts[0].encode())

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server, texts
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def shown(url: str, end: str) -> str:
    """What the page shows in a browser, as soon as it ends so."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("needs Debian's package `chromium` (apt-get install chromium), which is not installed")
    api = pytest.importorskip("playwright.async_api", reason="needs playwright, which is in the extra `dev`")
    async with api.async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=FLAGS, timeout=120_000)
        page = await browser.new_page()
        await page.goto(url, timeout=120_000)
        with contextlib.suppress(api.TimeoutError):
            await page.wait_for_function(
                f"document.getElementById('said').textContent.endsWith({end!r})", timeout=120_000
            )
        said: str = await page.text_content("#said")
        await browser.close()
    return said


@pytest.mark.parametrize(
    ("listed", "expected"), [(True, "0\n1\nend_turn\n"), (False, "refused\n")], ids=["listed", "not"]
)
async def test_a_page_talks_to_an_agent_where_its_origin_is_listed(listed: bool, expected: str) -> None:
    with paged("") as (server, texts):
        origin = f"http://127.0.0.1:{server.server_address[1]}"
        async with served(Agent, origins=[origin] if listed else []) as url:
            texts[0] = PAGE.replace("ADDRESS", url.replace("http", "ws"))
            assert await shown(origin, expected) == expected
