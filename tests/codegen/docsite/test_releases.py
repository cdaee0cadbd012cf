"""What pages say of releases: since when, what changed, and which release has what."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.docsite.walls import project, schema, sources, words


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
    return sources(project(home), releases=(("v1", home / "v1.json"), ("v2", home / "v2.json")), name="next")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("versions/index", "wall/paint (agent, request) | stable | stable | stable |"),
        ("versions/index", "wall/painted (client, notification) | – | – | stable |"),  # noqa: RUF001
        ("versions/next", "Compared with v2 :"),
        ("methods/agent-wall-paint", "default 2 · null, bad value: rejected · since v2"),
        ("types/PaintRequest", "· changed in next"),
        ("types/Paint", "· since next"),
        ("types/News", "object since next"),
        ("methods/client-wall-painted", "since next"),
        ("methods/agent-wall-paint", "Since : v1 or earlier"),
    ],
)
def test_a_page_says_since_when(path: str, said: str, files: dict[str, str]) -> None:
    assert said in words(files[f"{path}.md"])


def test_a_property_leads_to_what_changed_about_it(files: dict[str, str]) -> None:
    (anchor,) = re.findall(r'changed in <a href="../versions/next.html#([\w.-]+)">', files["types/PaintRequest.md"])
    entry = files["versions/next.md"].partition(f'id="{anchor}"')[2].partition("</p>")[0]
    assert "tools" in entry


def test_without_releases_nothing_is_said_of_when(tmp_path: Path) -> None:
    made = sources(project(tmp_path))
    assert not [path for path in made if path.startswith("versions/")]
    assert "since" not in made["types/News.md"]


def test_the_schema_of_the_last_release_is_that_release(tmp_path: Path) -> None:
    path = project(tmp_path)
    (tmp_path / "v1.json").write_text(json.dumps(released()), encoding="utf-8")
    (tmp_path / "v2.json").write_bytes(path.read_bytes())
    made = sources(path, releases=(("v1", tmp_path / "v1.json"), ("v2", tmp_path / "v2.json")))
    assert "| Method | v1 | v2 |\n" in made["versions/index.md"]


def test_two_releases_of_one_name_are_an_error(tmp_path: Path) -> None:
    from codegen.errors import InputError

    path = project(tmp_path)
    with pytest.raises(InputError, match="is given twice"):
        sources(path, releases=(("v1", path), ("v1", path)))
