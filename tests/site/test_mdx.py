"""MDX pages compile as the compiler of MDX has it, whatever a schema holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site.npm import installed, node
from tests.site.test_hostile import GUIDE, MESSAGES, hostile
from tests.site.walls import project, site

COMPILES = """
import { readFileSync } from "node:fs";
import { compile } from "@mdx-js/mdx";
const files = JSON.parse(readFileSync(process.argv[2], "utf8"));
const faults = {};
for (const [path, text] of Object.entries(files)) {
  const body = text.replace(/^---\\n[^]*?\\n---\\n/, "");
  try {
    let seen = [];
    const look = () => (tree) => { walk(tree, seen); };
    await compile(body, { remarkPlugins: [look] });
    if (seen.length) faults[path] = seen;
  } catch (error) { faults[path] = String(error).slice(0, 300); }
}
function walk(node, seen) {
  if (/Expression|mdxjsEsm/.test(node.type) || (/mdxJsx/.test(node.type) && !["a", "br", "details", "summary"].includes(node.name))) seen.push(node.type + ":" + (node.name || node.value));
  for (const child of node.children || []) walk(child, seen);
}
console.log(JSON.stringify(faults));
"""


@pytest.mark.environment
@pytest.mark.parametrize("given", ["ours", "hostile"])
def test_every_page_compiles_to_nothing_but_text_and_our_elements(given: str, tmp_path: Path) -> None:
    home = installed("@mdx-js/mdx")
    root = Path(__file__).resolve().parents[2]
    path = root / "schema.json" if given == "ours" else project(tmp_path, hostile(), MESSAGES, guide=GUIDE)
    files = site(path, format="mdx") if given == "hostile" else _ours(root)
    pages = {name: text for name, text in files.items() if name.endswith(".mdx")}
    assert len(pages) > 100
    assert json.loads(node(home, COMPILES, json.dumps(pages))) == {}
    faults = list(dangling(files))
    assert faults == []


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


def _ours(root: Path) -> dict[str, str]:
    from tests.site.test_whole import made

    return made(schema=root / "schema.json", format="mdx")
