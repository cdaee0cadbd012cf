"""The sites of whole protocols: ours with its releases, a published one, and the next version's."""

from __future__ import annotations

import contextlib
import html
import json
import posixpath
import re
from functools import cache
from pathlib import Path

import pytest

from codegen.docsite.command import Options, planned

ROOT = Path(__file__).resolve().parents[3]
UPSTREAM = ROOT.parent / "shared" / "upstream"

pytestmark = pytest.mark.environment


def made(**options: object) -> dict[str, str]:
    out = Path("/nonexistent/site")
    found = planned(Options(**options), out, note=lambda _: None, progress=lambda _: None)  # type: ignore[arg-type]
    return {change.path: change.text or "" for change in found}


def published(name: str) -> Path:
    if not (UPSTREAM / name).is_file():
        pytest.skip(f"no published schema {name} in {UPSTREAM}")
    return UPSTREAM / name


@cache
def own() -> dict[str, str]:
    releases: tuple[tuple[str, Path], ...] = ()
    with contextlib.suppress(pytest.skip.Exception):
        releases = (("v1.21.0", published("v1.21.0/schema.json")), ("current", published("current/schema.json")))
    return made(schema=ROOT / "schema.json", releases=releases)


SITES = {
    "ours": own,
    "a release": cache(lambda: made(schema=published("v1.21.0/schema.json"))),
    "v2": cache(lambda: made(schema=published("current-v2/schema.unstable.json"))),
}


@pytest.fixture(scope="module", params=list(SITES))
def files(request: pytest.FixtureRequest) -> dict[str, str]:
    return SITES[request.param]()


def test_every_link_leads_somewhere_and_every_page_is_reached(files: dict[str, str]) -> None:
    found = {path: text for path, text in files.items() if path.endswith(".html")}
    ids = {path: list(map(html.unescape, re.findall(r'\bid="([^"]*)"', text))) for path, text in found.items()}
    faults: list[str] = []
    linked = {"index.html"}
    for path, text in found.items():
        faults += [f"{path}: {each} twice" for each in set(ids[path]) if ids[path].count(each) > 1]
        faults += [f"{path}: no heading"] if len(re.findall("<h1[ >]", text)) != 1 else []
        for link in set(re.findall(r'\b(?:href|src)="([^"]*)"', text)):
            if link.startswith(("https://", "http://")):
                continue
            target, _, anchor = html.unescape(link).partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            linked.add(target)
            if target not in files:
                faults.append(f"{path}: {link} leads nowhere")
            elif anchor and anchor not in ids[target]:
                faults.append(f"{path}: {link} has no such part")
    assert faults == []
    assert set(found) <= linked, "no link leads to these"


def test_no_page_asks_another_host_for_anything(files: dict[str, str]) -> None:
    wanted = re.compile(
        r"""<(?:script|img|iframe|link rel="(?!canonical))[^>]*(?:src|href)=["']?(?:https?:)?//[^>]*>|url\((?:https?:)?//"""
    )
    pages = {path: text for path, text in files.items() if path.endswith((".html", ".css"))}
    assert wanted.search('<script src="https://unpkg.com/x">')
    assert {path: found[0] for path, text in pages.items() if (found := wanted.search(text))} == {}


def test_every_part_of_the_schema_has_its_page() -> None:
    files = own()
    document = json.loads((ROOT / "schema.json").read_bytes())
    assert {f"types/{name}.html" for name in document["$defs"]} <= set(files)
    methods = {(d["x-side"], d["x-method"]) for d in document["$defs"].values() if "x-method" in d}
    slugs = {re.sub(r"[^\w.]+", "-", f"{side}-{path}").strip("-") for side, path in methods}
    assert {f"methods/{slug}.html" for slug in slugs} <= set(files)
    assert {f"rfds/{name}.html" for name in document["x-rfds"]} <= set(files)
    assert {
        f"guides/{path.stem}.html" for path in (ROOT / "docs").glob("*.md") if path.stem not in {"README", "home"}
    } <= set(files)
    requirements = [f"{source}/{name}" for source, all_ in document["x-requirements"].items() for name in all_]
    shown = "".join(text for path, text in files.items() if path.startswith("rfds/"))
    assert [each for each in requirements if f"<code>{each}</code>" not in shown and not each.startswith("_")] == []
