"""What pages say of releases: since when, what changed, and which release has what."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.docsite.walls import Element, project, read, schema, site


def released(**changes: Any) -> dict[str, Any]:
    """The small protocol as it was before: without painted walls and coats, with another tone."""
    document = schema()
    definitions = document["$defs"]
    for name in ("PaintedNotification", "News"):
        del definitions[name]
    properties = definitions["PaintRequest"]["properties"]
    del properties["coats"]
    del definitions["Paint"]["oneOf"][1], definitions["Lime"]
    properties["tools"] = {"type": "array", "items": {"type": "string"}}
    return {**document, **changes}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    home = tmp_path_factory.mktemp("walls")
    (home / "v1.json").write_text(json.dumps(released()), encoding="utf-8")
    middle = released()
    middle["$defs"]["PaintRequest"]["properties"]["coats"] = {"type": "integer", "minimum": 1, "default": 2}
    (home / "v2.json").write_text(json.dumps(middle), encoding="utf-8")
    return site(project(home), releases=(("v1", home / "v1.json"), ("v2", home / "v2.json")), name="next")


def page(files: dict[str, str], path: str) -> Element:
    return read(files[f"{path}.html"])


def test_the_matrix_shows_which_release_has_which_method(files: dict[str, str]) -> None:
    tables = page(files, "versions/index").all("table")
    rows = [
        [[cell.text for cell in row.all() if cell.tag in ("th", "td")] for row in table.all("tr")] for table in tables
    ]
    assert rows == [
        [["Method", "v1", "v2", "next"], ["open", "stable", "stable", "stable"], ["wall/paint", *["stable"] * 3]],
        [["Method", "v1", "v2", "next"], ["wall/painted", "–", "–", "stable"]],  # noqa: RUF001
    ]
    assert [table.one("caption").text for table in tables] == [
        "Implemented by the agent, by release",
        "Implemented by the client, by release",
    ]


def test_a_release_shows_the_reviewers_report(files: dict[str, str]) -> None:
    shown = page(files, "versions/next")
    assert "Compared with v2: 3 changes break nobody." in shown.one("p", class_="lead").text
    entry = next(each for each in shown.all("article") if "wall/painted" in each.text)
    assert entry.one("a", class_="rule").attributes["href"] == "../rules/notification-added.html"
    assert len({each.attributes["id"] for each in shown.all("article")}) == len(shown.all("article"))


def badges(files: dict[str, str], path: str, anchor: str) -> dict[str, str]:
    shown = page(files, path).one(id=anchor)
    return {badge.text: badge.one("a").attributes["href"] for badge in shown.all("span", class_="release")}


def test_a_property_says_which_release_brought_it(files: dict[str, str]) -> None:
    assert badges(files, "methods/agent-wall-paint", "field-coats") == {"since v2": "../versions/v2.html"}
    assert badges(files, "methods/agent-wall-paint", "field-wall") == {}


def test_a_property_leads_to_what_changed_about_it(files: dict[str, str]) -> None:
    found = badges(files, "types/PaintRequest", "field-tools")
    assert list(found) == ["changed in next"]
    path, _, anchor = found["changed in next"].partition("#")
    assert path == "../versions/next.html"
    assert "tools" in page(files, "versions/next").one(id=anchor).text


def test_variants_types_and_methods_say_it_too(files: dict[str, str]) -> None:
    assert badges(files, "types/Paint", "variant-kind-lime") == {"since next": "../versions/next.html"}
    assert "since next" in page(files, "types/News").one("header", class_="page").text
    assert "since next" in page(files, "methods/client-wall-painted").one("header", class_="page").text
    assert "since" not in page(files, "methods/agent-wall-paint").one("header", class_="page").text
    assert "Since v1 or earlier" in page(files, "methods/agent-wall-paint").one("dl", class_="facts").text


def test_without_releases_nothing_is_said_of_when(tmp_path: Path) -> None:
    made = site(project(tmp_path))
    assert not [path for path in made if path.startswith("versions/")]
    assert "since" not in made["types/News.html"]


def test_the_schema_of_the_last_release_is_that_release(tmp_path: Path) -> None:
    path = project(tmp_path)
    (tmp_path / "v1.json").write_text(json.dumps(released()), encoding="utf-8")
    (tmp_path / "v2.json").write_bytes(path.read_bytes())
    made = site(path, releases=(("v1", tmp_path / "v1.json"), ("v2", tmp_path / "v2.json")))
    heads = [cell.text for cell in read(made["versions/index.html"]).all("table")[0].all("th")[:3]]
    assert heads == ["Method", "v1", "v2"]


def test_two_releases_of_one_name_are_an_error(tmp_path: Path) -> None:
    from codegen.errors import InputError

    path = project(tmp_path)
    with pytest.raises(InputError, match="is given twice"):
        site(path, releases=(("v1", path), ("v1", path)))
