"""What a page calls a variant: the constants by which it says which it is."""

from __future__ import annotations

import json
from typing import Any

from codegen.docsite.labels import tags_of
from codegen.document.read import parse
from codegen.load.schema import load
from codegen.model.algebra.normal_form import WireForms
from codegen.model.nodes.types import Union


def test_a_variant_has_the_constants_of_its_definition_or_else_its_own_alone() -> None:
    def tagged(name: str, constant: str) -> dict[str, Any]:
        return {"type": "object", "properties": {name: {"const": constant}}, "required": [name]}

    oil = {"$ref": "#/$defs/Oil"}
    paint = {"oneOf": [oil, {"allOf": [oil], **tagged("state", "wet")}]}
    document = {"$defs": {"Oil": tagged("kind", "oil"), "Paint": paint}}
    schema, _ = load(parse(json.dumps(document).encode(), "f.json"))
    union = schema.definitions["Paint"].type
    assert isinstance(union, Union)
    assert [tags_of(WireForms(schema), v.type) for v in union.variants] == [{"kind": "oil"}, {"state": "wet"}]
