"""Messages that were hard to understand, word for word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import RunCli

CAUSE = "$.update.text: expected a string, found 1"
Node = dict[str, Any]


def schema(*, data: Node | None = None, variants: tuple[Node, ...] = (), **more: Any) -> str:
    """A schema with one notification, which carries a picture and an update."""
    text = {"description": "Words.", "type": "string"}
    kind = {"type": "object", "description": "A chunk.", "properties": {"kind": {"const": "chunk"}, "text": text}}
    return json.dumps(
        {
            "title": "Demo",
            **more,
            "$defs": {
                "Picture": {
                    "description": "A picture.",
                    "type": "object",
                    "properties": {"data": {"description": "Bytes.", "type": "string", **(data or {})}},
                },
                "Update": {"description": "What is new.", "anyOf": [{**kind, "required": ["kind", "text"]}, *variants]},
                "ShowNotification": {
                    "description": "Shows something.",
                    "type": "object",
                    "x-side": "client",
                    "x-method": "wall/show",
                    "x-capability": False,
                    "properties": {
                        "picture": {"description": "What to show.", "$ref": "#/$defs/Picture"},
                        "update": {"description": "What is new.", "$ref": "#/$defs/Update"},
                    },
                },
            },
        },
        indent=1,
    )


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def messages(run_cli: RunCli, *command: str) -> list[str]:
    """The messages of findings, each after its rule."""
    found = [json.loads(line) for line in run_cli(*command, "--format", "json").out.splitlines()[1:]]
    return [f"{f['id']}: {f['message']}" for f in found]


def compared(here: Path, run_cli: RunCli, old: str, new: str) -> list[str]:
    (here / "old.json").write_text(old)
    (here / "new.json").write_text(new)
    return messages(run_cli, "diff", "old.json", "new.json")


def test_another_format_says_for_each_keyword_what_it_is_and_was(here: Path, run_cli: RunCli) -> None:
    before, after = schema(data={"format": "byte"}), schema(data={"contentEncoding": "base64"})
    (found,) = compared(here, run_cli, before, after)
    assert found.endswith(": Picture.data: contentEncoding is now base64 (was not set), format is not set (was byte)")


def test_a_variant_without_a_tag_is_described_by_its_properties(here: Path, run_cli: RunCli) -> None:
    text = {"description": "Words.", "type": "string"}
    plain = {
        "type": "object",
        "description": "Words.",
        "properties": {"words": text, "_meta": {}},
        "required": ["words"],
    }
    found = compared(here, run_cli, schema(variants=(plain,)), schema())
    assert "union-variant-removed: Update lost the variant without a tag (words)" in found


def test_an_example_that_does_not_fit_gets_the_place_and_the_cause(here: Path, run_cli: RunCli) -> None:
    (here / "schema.json").write_text(schema())
    file = here / "examples" / "messages" / "client" / "wall" / "show" / "long.notification.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"picture": {"data": "x" * 500}, "update": {"kind": "chunk", "text": 1}}))
    found = [text for text in messages(run_cli, "check", "--no-compare") if text.startswith("example-invalid")]
    assert found == [f"example-invalid: {file.relative_to(here)} is not a valid ShowNotification: {CAUSE}"]


def test_an_rfd_that_is_not_listed_is_said_so(here: Path, run_cli: RunCli) -> None:
    (here / "schema.json").write_text(schema(data={"x-rfd": "colour"}, **{"x-rfds": {}}))
    assert 'rfd-unknown: RFD "colour" is not listed in x-rfds' in messages(run_cli, "check", "--no-compare")
