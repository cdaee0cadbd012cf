"""The keywords of ours as a JSON Schema: made of the one table, right about what is there, and of use to an editor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from codegen.document.keywords import EXTENSIONS, ROOT_EXTENSIONS
from codegen.document.vocabulary import MEANINGS, keyword_schema
from codegen.resources import annotation_files
from tests.wire.instances import put

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = json.loads((ROOT / "schema.json").read_bytes())
EXTENSIONS_HERE = sorted((ROOT / "examples" / "extensions").glob("*.json"))
VALIDATOR = Draft202012Validator(keyword_schema())


def wrong(document: Any) -> list[list[Any]]:
    return [list(error.absolute_path) for error in VALIDATOR.iter_errors(document)]


def test_it_has_every_keyword_of_the_table_and_no_other() -> None:
    assert MEANINGS.keys() == EXTENSIONS.keys() | ROOT_EXTENSIONS
    assert all(meaning.words.endswith(".") for meaning in MEANINGS.values())


def test_it_is_a_json_schema() -> None:
    Draft202012Validator.check_schema(keyword_schema())


@pytest.mark.parametrize("path", [ROOT / "schema.json", *EXTENSIONS_HERE, *annotation_files()], ids=lambda p: p.name)
def test_what_is_there_is_right(path: Path) -> None:
    assert wrong(json.loads(path.read_bytes())) == []


def test_the_command_prints_it(run_cli: RunCli) -> None:
    ran = run_cli("keywords")
    assert (ran.code, json.loads(ran.out)) == (0, keyword_schema())


THING = {"type": "object", "properties": {"kind": {"oneOf": [{"const": "a"}]}, "many": {"type": "array", "items": {}}}}
SMALL = {"title": "T", "x-rfds": {"r": {"title": "R", "stage": "draft"}}, "$defs": {"Thing": THING}}
IN = ("$defs", "Thing")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("x-rfds", "r", "stage"), "done"),
        (("x-rfds", "r", "titel"), "R"),
        (("x-ordering",), "p"),
        (("x-handshake",), {}),
        ((*IN, "x-capability"), True),
        ((*IN, "x-rfds"), {}),
        ((*IN, "x-name"), "thing"),
        ((*IN, "properties", "kind", "x-method"), "thing/do"),
        ((*IN, "properties", "kind", "x-deserialize-default-on-error"), "yes"),
        ((*IN, "properties", "kind", "oneOf", 0, "x-side"), "agent"),
        ((*IN, "properties", "many", "items", "x-rfd"), "r"),
        ((*IN, "x-deprecated"), {"untill": "1.0"}),
    ],
)
def test_a_keyword_that_is_misplaced_or_has_another_value_is_wrong(path: tuple[Any, ...], value: Any) -> None:
    assert wrong(SMALL) == []
    assert wrong(put(SMALL, path, value)) != []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((*IN, "x-capability"), "things.do"),
        ((*IN, "x-capability"), False),
        ((*IN, "properties", "kind", "oneOf", 0, "x-name"), "first"),
        ((*IN, "properties", "kind", "oneOf", 0, "x-rfd"), "r"),
        ((*IN, "properties", "many", "x-deserialize-skip-invalid-items"), True),
        ((*IN, "properties", "x-rfd"), {"type": "string"}),
        ((*IN, "x-deprecated"), {"since": "1.0", "until": "2.0", "instead": "Other"}),
    ],
)
def test_a_keyword_in_its_place_is_right(path: tuple[Any, ...], value: Any) -> None:
    assert wrong(put(SMALL, path, value)) == []


def test_in_an_extension_values_are_judged_wherever_they_stand() -> None:
    action = {"target": "$['$defs'].Thing", "update": {"x-rfd": "r"}}
    extension: dict[str, Any] = {"overlay": "1.0.0", "info": {"title": "t", "version": "1"}, "actions": [action]}
    assert wrong(extension) == []
    assert wrong(put(extension, ("actions", 0, "update", "x-rfd"), 1)) == [["actions", 0, "update", "x-rfd"]]
