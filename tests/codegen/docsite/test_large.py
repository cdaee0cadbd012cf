"""What is large or deep stays in bounds: pages do not grow with the schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.codegen.docsite.walls import Element, project, read, schema, site

COUNT = 420


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    document = schema()
    tone = {"$ref": "#/$defs/Tone"}
    for number in range(COUNT):
        following = {"$ref": f"#/$defs/T{number // 2:03}"}
        properties = {"next": following, "a": tone, "b": tone}
        document["$defs"][f"T{number:03}"] = {"type": "object", "properties": properties}
    document["$defs"]["News"]["properties"]["first"] = {"$ref": "#/$defs/T000"}
    return site(project(tmp_path_factory.mktemp("walls"), document))


def page(files: dict[str, str], path: str) -> Element:
    return read(files[f"{path}.html"])


def test_the_list_beside_a_page_shows_its_neighbours(files: dict[str, str]) -> None:
    links = page(files, "types/T200").one("nav", class_="pages").all("a")
    assert 100 < len(links) <= 200
    current = next(a for a in links if a.attributes.get("aria-current") == "page")
    assert current.text == "T200"
    assert {"T199", "T201"} <= {a.text for a in links}


def test_the_list_of_all_types_goes_on_and_leaves_none_out(files: dict[str, str]) -> None:
    pages = [page(files, path) for path in ("types/index", "types/index~2")]
    named = [a.text for each in pages for a in each.one("ul", class_="listing").all("a")]
    assert len(named) == len(set(named))
    assert {f"T{number:03}" for number in range(COUNT)} <= set(named)


def test_long_lists_of_uses_end(files: dict[str, str]) -> None:
    uses = page(files, "types/Tone").section("used-by")
    assert f"and {2 * COUNT + 2 - 500} more" in uses
    assert uses.count("T0") < 400


@pytest.mark.parametrize("depth", [60, 900])
def test_a_deep_example_is_shown_or_said_to_be_too_deep(depth: int, tmp_path: Path) -> None:
    value: Any = "leaf"
    for _ in range(depth):
        value = [value, "x" * 80]
    messages = {"agent/wall/paint/full.request.json": {"wall": "north", "paint": value}}
    shown = read(site(project(tmp_path, messages=messages))["methods/agent-wall-paint.html"]).section("on-the-wire")
    assert ("leaf" in shown) == (depth == 60)
    assert ("nested too deeply" in shown) == (depth == 900)
