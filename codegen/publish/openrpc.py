"""The method table as an OpenRPC document, for the tools of other ecosystems.

OpenRPC describes one server by methods with unique names. Here both peers serve: `x-side` names the implementing
side, and a path with a second row (another side, or a notification beside a request) lists it under `x-also`. A list
of params cannot express dependencies between them, so `x-params` refers to the whole type.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..contracts import MESSAGES
from ..document.json_types import is_json_array, is_json_object
from ..document.read import Document, pointer_parts
from ..document.walk import rewrite
from ..emit.package import plain_title
from ..model.algebra.normal_form import WireForms
from ..model.nodes.types import Field, Method, Reference, Schema
from ..shape.error_codes import error_codes
from .published_schema import publish

VERSION = "1.3.2"
_HERE, _THERE = "#/$defs/", "#/components/schemas/"

Examples = Mapping[str, Sequence[tuple[str, Any]]]
"""The named examples of params or results, by definition."""


def openrpc(document: Document, schema: Schema, examples: Examples, *, side: str = "") -> str:
    """The document as JSON text. `side`: only the methods of one side."""
    definitions = json.loads(publish(document, schema, annotated=False))["$defs"]
    kept = {name: rewrite(definitions[name], _led) for name in schema.definitions}
    writer = _Writer(schema, kept, examples)
    found: dict[str, dict[str, Any]] = {}
    # A request goes before a notification of its name, which tools would take for another method.
    for method in sorted(schema.methods, key=lambda method: method.kind != "request"):
        if side in ("", method.side) or method.side in ("both", "protocol"):
            found[method.path] = writer.joined(found.get(method.path), method)
    order = {method.path: index for index, method in reversed(list(enumerate(schema.methods)))}
    handshake = schema.handshake
    about = document.value.get("description")
    whole = {
        "openrpc": VERSION,
        "info": {
            "title": plain_title(schema),
            **({"description": about} if isinstance(about, str) else {}),
            "version": str(handshake.version_number) if handshake is not None else "0",
        },
        "methods": [found[path] for path in sorted(found, key=lambda path: order[path])],
        "components": {"schemas": kept, "errors": writer.errors},
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _led(_: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    """A schema with references to OpenRPC's place for definitions."""
    to = node.get("$ref")
    return {**node, "$ref": to.replace(_HERE, _THERE, 1)} if isinstance(to, str) and to.startswith(_HERE) else node


class _Writer:
    def __init__(self, schema: Schema, definitions: Mapping[str, Any], examples: Examples) -> None:
        self.schema, self.definitions, self.examples = schema, definitions, examples
        self.forms = WireForms(schema)
        messages = {**MESSAGES, **{each.code: each.message for each in error_codes(schema)}}
        self.errors = {f"error{code}": {"code": code, "message": text} for code, text in messages.items()}

    def joined(self, before: dict[str, Any] | None, method: Method) -> dict[str, Any]:
        """A method, or an earlier one extended by another row of its path."""
        if before is None:
            return self._method(method)
        ends = {"x-params": self._reference(method.params)}
        ends |= {"x-result": self._reference(method.result)} if method.result is not None else {}
        return {**before, "x-also": [*before.get("x-also", []), {**self._marks(method), **ends}]}

    def _marks(self, method: Method) -> dict[str, Any]:
        rfd = (self.schema.rfds or {}).get(method.rfd or "")
        return {
            "x-side": method.side,
            "x-kind": method.kind,
            **({"x-capability": method.capability} if method.capability is not None else {}),
            **({"x-rfd": rfd.name, "x-stage": rfd.stage} if rfd is not None else {}),
        }

    def _method(self, method: Method) -> dict[str, Any]:
        definition = self.schema.definitions[method.params]
        text = definition.description or ""
        found: dict[str, Any] = {
            "name": method.path,
            "summary": text.partition(". ")[0].rstrip("."),
            "description": text,
            "paramStructure": "by-name",
            "params": [self._descriptor(field, required=required) for field, required in self._params(method.params)],
            **self._marks(method),
            "x-params": self._reference(method.params),
        }
        if definition.deprecated:
            found["deprecated"] = True
        if method.result is not None:
            described = self.schema.definitions[method.result].description
            found["result"] = {
                "name": method.result,
                **({"description": described} if described else {}),
                "schema": self._reference(method.result),
            }
            found["errors"] = [{"$ref": f"#/components/errors/{name}"} for name in self.errors]
        if pairs := list(self._pairs(method)):
            found["examples"] = pairs
        return found

    def _reference(self, name: str) -> dict[str, str]:
        return {"$ref": f"{_THERE}{name}"}

    def _params(self, name: str) -> Iterator[tuple[Field, bool]]:
        """The properties of params with whether they are required. Those of union variants are included, none of them
        required.
        """
        if not self.forms.is_object(Reference(name)):
            return
        form = self.forms.form(Reference(name))
        seen = set(form.fields)
        yield from sorted(((f, f.required) for f in form.fields.values()), key=lambda found: not found[1])
        for union in form.unions:
            for member in self.forms.members(union):
                for field in member.form.fields.values():
                    if field.name not in seen:
                        seen.add(field.name)
                        yield field, False

    def _descriptor(self, field: Field, *, required: bool) -> dict[str, Any]:
        return {
            "name": field.name,
            **({"description": field.description} if field.description else {}),
            "required": required,
            "schema": self._schema_at(field.pointer),
            **({"deprecated": True} if field.deprecated else {}),
        }

    def _schema_at(self, pointer: str) -> Any:
        """The schema of a property, or `true` if only `required` names it."""
        at: Any = {"$defs": self.definitions}
        for step in pointer_parts(pointer):
            if is_json_object(at) and step in at:
                at = at[step]
            elif is_json_array(at) and step.isdecimal() and int(step) < len(at):
                at = at[int(step)]
            else:
                return True
        return at if is_json_object(at) else True

    def _pairs(self, method: Method) -> Iterator[dict[str, Any]]:
        """The examples of params, each paired with the result of the same name, or the first result."""
        results = list(self.examples.get(method.result or "", ()))
        for name, value in self.examples.get(method.params, ()):
            if not is_json_object(value):
                continue
            answer = next((each for each in results if each[0] == name), results[0] if results else None)
            pair: dict[str, Any] = {
                "name": name,
                "params": [{"name": key, "value": child} for key, child in value.items()],
            }
            if answer is not None:
                pair["result"] = {"name": answer[0], "value": answer[1]}
            if method.result is None or answer is not None:
                yield pair
