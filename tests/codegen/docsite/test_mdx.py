"""MDX pages compile as the compiler of MDX has it, whatever a schema holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.codegen.docsite.npm import installed, node
from tests.codegen.docsite.test_hostile import GUIDE, MESSAGES, hostile
from tests.codegen.docsite.walls import project, site

COMPILES = """
import { readFileSync } from "node:fs";
import { compile } from "@mdx-js/mdx";
import gfm from "remark-gfm";
const files = JSON.parse(readFileSync(process.argv[2], "utf8"));
const faults = {};
for (const [path, text] of Object.entries(files)) {
  const body = text.replace(/^---\\n[^]*?\\n---\\n/, "");
  try {
    let seen = [];
    const look = () => (tree) => { walk(tree, seen); };
    await compile(body, { remarkPlugins: [gfm, look] });
    if (seen.length) faults[path] = seen;
  } catch (error) { faults[path] = String(error).slice(0, 300); }
}
function walk(node, seen) {
  if (/Expression|mdxjsEsm/.test(node.type) || (/mdxJsx/.test(node.type) && !["a", "br", "details", "summary"].includes(node.name))) seen.push(node.type + ":" + (node.name || node.value));
  if (/^(link|image|definition)$/.test(node.type) && !/^([/]reference[/]|#)/.test(node.url) && !(process.argv[3] === "open" && node.url.startsWith("https://"))) seen.push(node.type + " " + node.url);
  if (/footnote|html|^yaml$/.test(node.type)) seen.push(node.type);
  if (node.type === "table" && new Set(node.children.map((row) => row.children.length)).size > 1) seen.push("a row of another length");
  for (const child of node.children || []) walk(child, seen);
}
console.log(JSON.stringify(faults));
"""


@pytest.mark.environment
@pytest.mark.parametrize("given", ["ours", "a release", "v2", "hostile"])
def test_every_page_compiles_to_nothing_but_text_and_our_elements(given: str, tmp_path: Path) -> None:
    home = installed("@mdx-js/mdx", "remark-gfm")
    files = _files(given, tmp_path)
    pages = {name: text for name, text in files.items() if name.endswith(".mdx")}
    assert len(pages) > 100
    assert json.loads(node(home, COMPILES, json.dumps(pages), "closed" if given == "hostile" else "open")) == {}
    assert list(dangling(files)) == []


def dangling(files: dict[str, str]) -> Iterator[str]:
    """Links between pages that lead nowhere, and pages that the navigation lacks."""
    targets = {f"/reference/{path.removesuffix('.mdx')}" for path in files if path.endswith(".mdx")}
    others = {f"/reference/{path}" for path in files}
    for path, text in files.items():
        for link in re.findall(r"\]\((/[^)#]*)[^)]*\)", text):
            if link not in targets | others:
                yield f"{path}: {link}"
    listed = {f"/{page}" for group in json.loads(files["navigation.json"]) for page in group["pages"]}
    yield from (f"navigation: {page}" for page in listed ^ targets)


def _files(given: str, home: Path) -> dict[str, str]:
    from tests.codegen.docsite.test_whole import ROOT, made, published

    match given:
        case "ours":
            releases = tuple((name, published(f"{name}/schema.json")) for name in ("v1.21.0", "current"))
            return made(schema=ROOT / "schema.json", releases=releases, format="mdx")
        case "a release":
            return made(schema=published("v1.21.0/schema.json"), format="mdx")
        case "v2":
            return made(schema=published("current-v2/schema.unstable.json"), format="mdx")
        case _:
            return site(project(home, hostile(), MESSAGES, guide=GUIDE), format="mdx")
