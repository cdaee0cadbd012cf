"""The site in a browser, from disk: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.codegen.docsite.npm import installed
from tests.codegen.docsite.test_whole import ROOT, published

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

    from tests.conftest import RunCli

pytestmark = pytest.mark.environment

# Without these Chromium looks for a GPU, a sandbox that root may not have, and Google.
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --force-color-profile=srgb"
).split()
KINDS = (
    "index",
    "methods/agent-session-prompt",
    "methods/client-session-update",
    "methods/index",
    "types/SessionUpdate",
    "types/SessionCapabilities",
    "types/index",
    "types/ErrorCode",
    "capabilities/agent-sessionCapabilities.list",
    "capabilities/index",
    "rfds/session-list",
    "rfds/session-fork",
    "versions/index",
    "versions/current",
    "rules/enum-value-removed",
    "rules/index",
    "guides/quickstart",
    "guides/cookbook",
    "guides/vendoring",
    "guides/remote",
    "guides/runtime",
    "guides/rules",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("needs Debian's package `chromium` (apt-get install chromium), which is not installed")
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright, which is in the extra `dev`")
    api.expect.set_options(timeout=60_000)
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=FLAGS, timeout=180_000)
        yield started
        started.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, run_cli: RunCli) -> Path:
    out = tmp_path_factory.mktemp("home") / "site"
    releases = [f"--release={n}={published(f'{n}/schema.json')}" for n in ("v1.21.0", "current")]
    assert run_cli("docs", "--schema", ROOT / "schema.json", "--out", out, *releases).code == 0
    return out


@pytest.fixture
def page(browser: Browser, site: Path) -> Iterator[Page]:
    with opened(browser) as found:
        found.goto(address(site, "index"))
        yield found


class opened:  # noqa: N801  # used like a function
    """A page of its own, which must say nothing on its console and ask for nothing but files."""

    def __init__(self, browser: Browser, width: int = 1280, **options: Any) -> None:
        self.context = browser.new_context(viewport={"width": width, "height": 800}, **options)
        self.said: list[str] = []

    def __enter__(self) -> Page:
        self.context.set_default_timeout(120_000)
        page = self.context.new_page()
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("requestfailed", self._failed)
        page.on(
            "request",
            lambda request: None if request.url.startswith(("file:", "about:")) else self.said.append(request.url),
        )
        return page

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the next page was asked for before this one had everything
            self.said.append(f"failed: {request.url}: {request.failure}")

    def __exit__(self, kind: object, *_: object) -> None:
        self.context.close()
        if kind is None:
            known = "Autofocus processing was blocked"  # the search, where the address has an anchor
            assert [each for each in self.said if not each.startswith(known)] == []


def expect(what: Any) -> Any:
    """What must be so, soon: a click may lead to another page."""
    from playwright.sync_api import expect as expected  # where it is not installed, these tests are skipped

    return expected(what)


def address(site: Path, at: str) -> str:
    return (site / f"{at}.html").as_uri()


def every(site: Path, at: tuple[str, ...] = KINDS) -> list[str]:
    """The pages of every kind, which must be there."""
    assert [name for name in at if not (site / f"{name}.html").is_file()] == []
    return list(at)


# --- reading ------------------------------------------------------------------------------------------------------------


def test_one_gets_from_the_first_page_to_a_method_and_on_to_its_types(page: Page) -> None:
    page.get_by_role("main").get_by_role("link", name="Methods").click()
    page.get_by_role("article").get_by_role("link", name="session/prompt", exact=True).first.click()
    expect(page).to_have_title("session/prompt - Agent Client Protocol")
    page.locator("#field-prompt").get_by_role("link", name="ContentBlock").click()
    expect(page.locator("h1")).to_contain_text("ContentBlock")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_head_of_the_page_does_not_cover_what_a_deep_link_leads_to(
    width: int, browser: Browser, site: Path
) -> None:
    with opened(browser, width) as page:
        page.goto(address(site, "types/SessionCapabilities") + "#field-fork")
        head, name = (page.locator(at).bounding_box() for at in ("header.md-header", "#field-fork th"))
        assert head is not None
        assert name is not None
        assert name["y"] >= head["y"] + head["height"]


def test_print_leaves_out_what_only_screens_need_and_opens_what_is_folded(browser: Browser, site: Path) -> None:
    with opened(browser) as page:
        page.goto(address(site, "methods/agent-session-prompt"))
        page.emulate_media(media="print")
        assert not page.locator("header.md-header").is_visible()
        assert not page.locator(".md-sidebar--primary").is_visible()
        assert page.locator("details pre").first.is_visible()


@pytest.mark.parametrize("width", [360, 1280])
def test_a_table_of_fields_is_a_table_to_a_screen_reader_at_any_width(width: int, browser: Browser, site: Path) -> None:
    with opened(browser, width) as page:
        page.goto(address(site, "methods/agent-session-new"))
        session = page.context.new_cdp_session(page)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        named = [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes if not n["ignored"]]
    assert ("table", "Properties of NewSessionResponse") in named
    assert {("columnheader", "Meaning"), ("rowheader", "sessionId"), ("rowheader", "modes")} <= {*named}


def test_on_a_narrow_screen_each_cell_stands_below_its_label(browser: Browser, site: Path) -> None:
    with opened(browser, 360) as page:
        page.goto(address(site, "methods/agent-session-new"))
        row = page.locator("#field-cwd")
        label = row.locator("td").last.evaluate("it => getComputedStyle(it, '::before').content")
        assert "Meaning" in label
        boxes = [each.bounding_box() for each in row.locator("th, td").all()]
        assert all(box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 360 for box in boxes)


# --- search -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "to"),
    [
        ("session/prompt", "methods/agent-session-prompt.html"),
        ("SessionUpdat", "types/SessionUpdate.html"),
        ("enum-value-removed", "rules/enum-value-removed.html"),
        ("sessionCapabilities.list", "capabilities/agent-sessionCapabilities.list.html"),
        ("cancel a prompt", "guides/cookbook.html"),
        ("answer permision requests", "guides/cookbook.html"),
    ],
)
def test_search_finds_what_is_meant_from_disk_and_by_keyboard_alone(words: str, to: str, page: Page) -> None:
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox")
    box.fill(words)
    expect(page.get_by_role("option").first).to_be_visible()
    expect(page.locator(f"a[href*='{to}?h=']").first).to_be_visible()


# --- colours, widths, assistance ------------------------------------------------------------------------------------------


def test_colours_follow_the_system(browser: Browser, site: Path) -> None:
    grounds: list[str] = []
    for scheme in ("dark", "light"):
        with opened(browser, color_scheme=scheme) as page:
            page.goto(address(site, "index"))
            grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len({*grounds}) == 2


@pytest.mark.parametrize("width", [360, 1024, 1280])
def test_no_page_is_wider_than_its_window(width: int, browser: Browser, site: Path) -> None:
    sample = sorted(
        {p.relative_to(site).with_suffix("").as_posix() for p in sorted(site.rglob("*.html"))[::12]} | {*KINDS}
    )
    with opened(browser, width) as page:
        for at in sample:
            page.goto(address(site, at))
            assert page.evaluate("document.documentElement.scrollWidth") <= width, at


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_axe_finds_nothing(width: int, scheme: str, browser: Browser, site: Path) -> None:
    axe = (installed("axe-core") / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    found: list[str] = []
    with opened(browser, width, color_scheme=scheme) as page:
        for at in every(site):
            page.goto(address(site, at))
            page.evaluate(axe)
            result = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
            found += [
                f"{at}: {each['id']}: {each['nodes'][0]['target']} ({len(each['nodes'])})"
                for each in result["violations"]
            ]
    assert found == []
