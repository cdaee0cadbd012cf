"""The playground: our wheel in Pyodide, in Debian's Chromium, with nothing from other hosts."""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scripts.playground import __main__ as playground
from tests.codegen.docsite.npm import installed

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")


@pytest.fixture(scope="module")
def page() -> Iterator[tuple[Page, list[str], str]]:
    """The page once Python is loaded, the addresses that it asked for, and its own address."""
    program = shutil.which("chromium")
    if program is None or shutil.which("npm") is None:
        pytest.skip("needs Debian's package `chromium`, and npm")
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright, which is in the extra `dev`")
    with tempfile.TemporaryDirectory() as folder:
        playground.main(Path(folder))
        handler = functools.partial(_Quiet, directory=folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, api.sync_playwright() as playwright:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS, timeout=180_000)
            shown, asked = browser.new_page(), list[str]()
            shown.on("request", lambda request: asked.append(request.url))
            home = f"http://127.0.0.1:{server.server_port}/"
            shown.goto(home)
            api.expect(shown.locator("#status")).not_to_have_text("Loading Python …", timeout=300_000)
            assert shown.text_content("#status") == "Ready."
            yield shown, asked, home
            browser.close()
            server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # as http.server has it
        pass


@pytest.mark.environment
def test_a_transcript_is_validated_stepped_through_and_drawn(page: tuple[Page, list[str], str]) -> None:
    shown = page[0]
    shown.click("#check")
    shown.wait_for_selector("#diagram svg g", timeout=120_000)
    assert shown.locator("#diagram svg g").count() == 7
    assert shown.text_content("#where") == "Frame 6 of 7, 1 finding"
    assert "error[params-invalid]" in (shown.text_content("#frame") or "")
    assert shown.locator("#diagram svg g.bad").count() == 1
    shown.click("#next")
    assert shown.text_content("#where") == "Frame 7 of 7, 1 finding"
    assert '"stopReason": "end_turn"' in (shown.text_content("#frame") or "")
    shown.click("#back")
    shown.click("#back")
    assert "Frame 5" in (shown.text_content("#where") or "")
    assert "result of session/prompt" in (shown.text_content("#diagram") or "")


@pytest.mark.environment
def test_an_edit_of_the_schema_is_compared_with_witnesses(page: tuple[Page, list[str], str]) -> None:
    shown = page[0]
    schema = json.loads((ROOT / "schema.json").read_text(encoding="utf-8"))
    answer = schema["$defs"]["NewSessionResponse"]
    answer["properties"]["id"] = answer["properties"].pop("sessionId")
    answer["required"] = ["id"]
    shown.fill("#schema", json.dumps(schema))
    shown.click("#diff")
    shown.get_by_text("error[property-renamed]").wait_for(timeout=240_000)
    report = shown.text_content("#report") or ""
    assert 'for example: {"id": ""} in session/new (response)' in report


@pytest.mark.environment
def test_nothing_leaves_the_browser(page: tuple[Page, list[str], str]) -> None:
    shown, asked, home = page
    assert asked
    assert [address for address in asked if not address.startswith((home, "data:", "blob:"))] == []
    blocked = shown.evaluate("fetch('https://example.org/').then(() => 'reached', () => 'blocked')")
    assert blocked == "blocked"


@pytest.mark.environment
def test_the_playground_is_accessible(page: tuple[Page, list[str], str]) -> None:
    axe = installed("axe-core") / "node_modules" / "axe-core" / "axe.min.js"
    shown = page[0]
    shown.evaluate(axe.read_text(encoding="utf-8"))  # not as a script, which the page's policy blocks
    result = shown.evaluate("axe.run().then((found) => found.violations.map((each) => [each.id, each.nodes[0].html]))")
    assert result == []


@pytest.mark.environment
def test_the_page_finds_what_the_command_finds(page: tuple[Page, list[str], str], monkeypatch: Any) -> None:
    shown = page[0]
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "playground"))
    monkeypatch.delitem(sys.modules, "play", raising=False)
    import play  # type: ignore[import-not-found]

    for transcript in sorted((ROOT / "docs" / "interop").glob("*.jsonl")):
        if transcript.name.endswith(".findings.jsonl"):
            continue
        text = transcript.read_text(encoding="utf-8")
        shown.fill("#transcript", text)
        expected = json.loads(play.frames(text))
        count = sum(len(each["findings"]) for each in expected)
        assert expected
        shown.click("#check")
        where = f"of {len(expected)}, {count} finding"
        shown.locator("#where", has_text=where).wait_for(timeout=240_000)
