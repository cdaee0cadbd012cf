"""The site in a browser, from disk: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.codegen.docsite.npm import installed
from tests.codegen.docsite.test_whole import ROOT, published

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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
    "methods/client-session-update~examples",
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
        page.on("requestfailed", lambda request: self.said.append(f"failed: {request.url}"))
        page.on("request", lambda request: None if request.url.startswith("file:") else self.said.append(request.url))
        return page

    def __exit__(self, kind: object, *_: object) -> None:
        self.context.close()
        if kind is None:
            assert self.said == []


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
    page.get_by_role("main").get_by_role("link", name="Methods (").click()
    page.get_by_role("link", name="session/prompt", exact=True).first.click()
    expect(page).to_have_title("session/prompt · Agent Client Protocol")
    page.locator("#field-prompt").get_by_role("link", name="ContentBlock").click()
    expect(page.locator("h1")).to_have_text("ContentBlock")
    current = page.locator(".pages [aria-current=page]")
    expect(current).to_have_text("ContentBlock")
    expect(current).to_be_visible()


def test_a_deep_link_shows_its_part_even_where_it_is_folded_away(browser: Browser, site: Path) -> None:
    with opened(browser) as page:
        page.goto(address(site, "types/SessionUpdate") + "#variant-sessionUpdate-tool_call")
        part = page.locator("#variant-sessionUpdate-tool_call")
        expect(part).to_be_visible()
        page.wait_for_function(
            "(part) => { const { y } = part.getBoundingClientRect(); return 0 <= y && y < 400; }",
            arg=part.element_handle(),
        )


@pytest.mark.parametrize("width", [360, 1280])
def test_the_head_of_the_page_does_not_cover_what_a_deep_link_leads_to(
    width: int, browser: Browser, site: Path
) -> None:
    with opened(browser, width) as page:
        page.goto(address(site, "types/SessionCapabilities") + "#field-fork")
        head, name = (page.locator(at).bounding_box() for at in ("header.top", "#field-fork th"))
        assert head is not None
        assert name is not None
        assert name["y"] >= head["y"] + head["height"]


def test_without_scripts_everything_can_be_read(browser: Browser, site: Path) -> None:
    with opened(browser, java_script_enabled=False) as page:
        page.goto(address(site, "methods/agent-session-prompt"))
        assert page.get_by_role("heading", name="Params").is_visible()
        assert page.locator(".pages a", has_text="session/new").is_visible()
        assert not page.locator("#search").is_visible()
        assert not page.locator("#theme").is_visible()


def test_print_leaves_out_what_only_screens_need_and_opens_what_is_folded(browser: Browser, site: Path) -> None:
    with opened(browser) as page:
        page.goto(address(site, "methods/agent-session-prompt"))
        page.emulate_media(media="print")
        assert not page.locator("header.top").is_visible()
        assert not page.locator(".pages").is_visible()
        assert page.locator("details.folded pre").first.is_visible()


@pytest.mark.parametrize("width", [360, 1280])
def test_a_table_of_fields_is_a_table_to_a_screen_reader_at_any_width(width: int, browser: Browser, site: Path) -> None:
    with opened(browser, width) as page:
        page.goto(address(site, "methods/agent-session-new"))
        session = page.context.new_cdp_session(page)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        named = [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes if not n["ignored"]]
    assert ("table", "Properties of NewSessionResponse") in named
    assert {("columnheader", "Null"), ("rowheader", "sessionId"), ("rowheader", "modes")} <= {*named}
    assert len([1 for role, name in named if (role, name) == ("cell", "refused")]) > 4  # without a label before it


def test_on_a_narrow_screen_each_value_stands_beside_its_label(browser: Browser, site: Path) -> None:
    with opened(browser, 360) as page:
        page.goto(address(site, "methods/agent-session-new"))
        row = page.locator("#field-cwd")
        assert row.locator("td.null").evaluate("it => getComputedStyle(it, '::before').content").startswith('"null: "')
        boxes = [each.bounding_box() for each in row.locator("th, td").all()]
        assert all(box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 360 for box in boxes)


# --- search -------------------------------------------------------------------------------------------------------------


def test_search_by_keyboard_alone(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("session/prom")
    first = page.get_by_role("option").first
    first.wait_for()
    expect(first).to_have_attribute("aria-selected", "true")
    expect(first).to_have_text(re.compile(r"^\s*session/prompt\s*method\s*$"))
    page.keyboard.press("ArrowDown")
    expect(first).to_have_attribute("aria-selected", "false")
    box = page.get_by_role("combobox")
    expect(box).to_have_attribute("aria-activedescendant", "found-1")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**/methods/agent-session-prompt.html")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("SessionUpdate", "types/SessionUpdate.html"),
        ("prompt sessionId", "types/PromptRequest.html#field-sessionId"),
        ("UserMessageChunk", "types/SessionUpdate.html#variant-sessionUpdate-user_message_chunk"),
        ("enum-value-removed", "rules/enum-value-removed.html"),
        ("sessionCapabilities.list", "capabilities/agent-sessionCapabilities.list.html"),
        ("session-fork", "rfds/session-fork.html"),
        ("session/new result", "methods/agent-session-new.html#result"),
        ("resume", "methods/agent-session-resume.html"),
        ("resume requirements", "methods/agent-session-resume.html#requirements"),
        ("fork completing", "rfds/session-fork.html#completing"),
        ("session/fork completed changes", "rfds/session-fork.html#completing"),
        ("v1.21.0 methods", "versions/index.html"),
    ],
)
def test_search_finds_what_is_meant_first(words: str, expected: str, page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type(words)
    first = page.get_by_role("option").first
    expect(first).to_have_attribute("data-to", expected)


def test_search_says_how_many_and_that_there_are_none(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("zzzz nothing")
    page.get_by_role("status").get_by_text("Nothing found").wait_for(state="attached")
    assert page.get_by_role("combobox").get_attribute("aria-expanded") == "false"
    page.keyboard.press("Escape")
    assert page.get_by_role("combobox").input_value() == ""


def test_search_works_from_a_page_below(browser: Browser, site: Path) -> None:
    with opened(browser) as page:
        page.goto(address(site, "rules/index"))
        page.keyboard.press("/")
        page.keyboard.type("fs/read_text_file")
        page.get_by_role("option").first.wait_for()
        page.keyboard.press("Enter")
        page.wait_for_url("**/methods/client-fs-read_text_file.html")


# --- colours, widths, assistance ------------------------------------------------------------------------------------------


def ground(page: Page) -> str:
    found: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return found


def test_colours_follow_the_system_until_one_chooses_and_the_choice_stays(browser: Browser, site: Path) -> None:
    with opened(browser, color_scheme="dark") as page:
        page.goto(address(site, "index"))
        dark = ground(page)
        page.get_by_role("button", name="Switch to light colours").click()
        light = ground(page)
        assert (dark, light) == ("rgb(16, 20, 27)", "rgb(255, 255, 255)")
        page.goto(address(site, "types/SessionUpdate"))
        assert ground(page) == light
    with opened(browser, color_scheme="light") as page:
        page.goto(address(site, "index"))
        assert ground(page) == light


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


def test_axe_finds_nothing_in_an_open_search(page: Page) -> None:
    axe = (installed("axe-core") / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page.keyboard.press("/")
    page.keyboard.type("session")
    page.get_by_role("option").first.wait_for()
    page.evaluate(axe)
    assert page.evaluate("axe.run({preload: false})")["violations"] == []
