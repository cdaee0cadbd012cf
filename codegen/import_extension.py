"""`import-extension`: convert a vendor's published schema of its own methods to an extension document.

Vendors publish their additions in the style of the protocol: definitions with a side and a method, and envelopes. The
conversion keeps the definitions. It adds the parts that an extension document requires, and reports each change:

    a definition equal to one of the base           left out; references use the base's definition
    a name that the base uses for something else    gets the vendor's prefix
    a method that the base already has              left out
    a method that does not start with `_`           assigned to an RFD that the document adds, named after the vendor
    a result that several requests share            each request gets its own result, which refers to it
    a name that is not a type name (`X_unstable`)   converted to one
    a method without a gate                         marked as not gated
    anything that this tool does not support        left out
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from . import diagnostics
from .document.json_types import KINDS, is_json_array, is_json_object
from .document.keywords import ANNOTATIONS, DEFAULT_ON_ERROR, DEFAULT_ON_NULL, EXTENSIONS, GENERAL, SKIP_INVALID, TYPED
from .document.read import Document, read
from .document.walk import mapped, schemas
from .errors import InputError, quoted
from .model.naming.wire_names import NameError_, pascal
from .pipeline import Say, default_schema

_REF = "#/$defs/"
_FLAGS = (DEFAULT_ON_ERROR, DEFAULT_ON_NULL, SKIP_INVALID)
_READ = ANNOTATIONS | GENERAL | TYPED | EXTENSIONS.keys()
_LATER = "unstable"
"""A suffix of names that vendors use for parts that may change."""


def import_extension(
    path: Path, *, vendor: str | None = None, title: str | None = None, schema: Path | None = None, note: Say
) -> Any:
    """The extension document for a vendor's schema. Raises InputError or SchemaError."""
    theirs = read(path)
    base: Any = read(schema or default_schema()).value
    key = vendor or _vendor(_definitions(theirs))
    if key is None:
        raise InputError(str(path), "does not name the vendor of the methods; pass the vendor's key with --vendor")
    import_ = _Import(_definitions(theirs), base.get("$defs", {}), key, note)
    definitions = import_.definitions()
    root: Any = theirs.value
    head = {"title": title or str(root.get("title") or f"Methods of {key}"), "version": str(root.get("version", "1"))}
    actions: list[dict[str, Any]] = []
    if import_.needs_rfd:
        actions.append({"target": "$", "update": {"x-rfds": {key: {"title": head["title"], "stage": "draft"}}}})
    actions.append({"target": "$['$defs']", "update": definitions})
    return {"overlay": "1.0.0", "info": head, "actions": actions}


def text_of(document: Any) -> str:
    """An extension document as text."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _definitions(document: Document) -> dict[str, Any]:
    root: Any = document.value
    found = root.get("$defs", root.get("definitions")) if is_json_object(root) else None
    if not is_json_object(found):
        raise document.error("", "expected `$defs`, an object of definitions", diagnostics.NO_DEFINITIONS)
    return {
        name: json.loads(json.dumps(node).replace('"#/definitions/', f'"{_REF}'))
        for name, node in found.items()
        if is_json_object(node) and node.get("x-docs-ignore") is not True
    }


def _vendor(definitions: Mapping[str, Any]) -> str | None:
    """The vendor's key: the first segment of the methods that start with an underscore, otherwise of all methods."""
    methods = [node["x-method"] for node in definitions.values() if isinstance(node.get("x-method"), str)]
    marked = [method[1:] for method in methods if method.startswith("_")]
    firsts = {method.partition("/")[0] for method in marked or methods}
    return firsts.pop() if len(firsts) == 1 else None


class _Import:
    def __init__(self, theirs: dict[str, Any], base: Mapping[str, Any], vendor: str, note: Say) -> None:
        self.theirs, self.base, self.vendor, self.note = theirs, base, vendor, note
        self.needs_rfd = False
        self.methods = {(node.get("x-side"), node.get("x-method")) for node in base.values() if is_json_object(node)}

    def definitions(self) -> dict[str, Any]:
        """The definitions and methods that the extension adds."""
        kept = {name: node for name, node in self.theirs.items() if not self._is_there(name, node)}
        names = self._names(kept)
        made: dict[str, Any] = {}
        for name, node in kept.items():
            made[names[name]] = self._definition(name, _renamed(node, names))
        return made | dict(self._own_results(made))

    def _is_there(self, name: str, node: Any) -> bool:
        """Return whether the base already has a definition or its method."""
        method = node.get("x-method")
        if method is not None and (node.get("x-side"), method) in self.methods:
            self.note(f"{name}: left out, because the schema already has the method {quoted(method)}")
            return True
        return name in self.base and _bare(self.base[name]) == _bare(node)

    def _names(self, kept: Mapping[str, Any]) -> dict[str, str]:
        """The name of each definition."""
        names: dict[str, str] = {}
        for name, node in kept.items():
            wanted = _type_name(name, is_method="x-method" in node)
            if wanted in self.base or wanted in names.values():
                wanted = f"{pascal(self.vendor)}{wanted}"
            if wanted in self.base or wanted in names.values():
                raise InputError(
                    name, f"cannot be called {wanted}, the name of another definition; rename it in the vendor's schema"
                )
            names[name] = wanted
            if wanted != name:
                self.note(f"{name}: called {wanted}")
        return names

    def _definition(self, name: str, node: dict[str, Any]) -> dict[str, Any]:
        for _, schema in list(schemas(node)):
            self._clean(name, schema)
        method = node.get("x-method")
        if method is None:
            node.pop("x-side", None)
        elif not method.startswith("_"):
            self.needs_rfd = True
            node["x-rfd"] = self.vendor
        is_result = name.removesuffix(f"_{_LATER}").endswith("Response")
        if method is not None and not name.startswith("$") and "x-capability" not in node and not is_result:
            node["x-capability"] = False
        return node

    def _clean(self, name: str, schema: dict[str, Any]) -> None:
        for keyword in [keyword for keyword in schema if keyword not in _READ]:
            del schema[keyword]
            self.note(f"{name}: {quoted(keyword)} left out, because the generator does not support it")
        for keyword in _FLAGS:
            if is_json_object(schema.get(keyword)):
                schema[keyword] = True
        if "default" in schema and not _admits(schema, schema["default"]):
            self.note(
                f"{name}: the default {quoted(schema['default'])} left out, because it does not conform to its type"
            )
            del schema["default"]

    def _own_results(self, made: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Results for requests without one: a reference to a shared result, or any value."""
        shared = next((n for n, node in made.items() if n.endswith("Response") and "x-method" not in node), None)
        for name, node in made.items():
            result = name.removesuffix("Request") + "Response"
            if "x-method" not in node or not name.endswith("Request") or result in made:
                continue
            method = {key: node[key] for key in ("x-side", "x-method", "x-rfd") if key in node}
            yield result, ({"$ref": f"{_REF}{shared}", **method} if shared else {"type": "object", **method})
            self.note(f"{result}: created, {f'as {shared}' if shared else 'with unknown contents'}")


def _type_name(name: str, *, is_method: bool) -> str:
    """A definition's name as a type name. The suffix for unstable parts moves to the front, so that the role stays at
    the end.
    """
    try:
        if not name.lower().endswith(f"_{_LATER}"):
            return name if name.isalnum() and name[:1].isupper() else pascal(name)
        stem = pascal(name[: -len(_LATER) - 1])
        return f"{_LATER.capitalize()}{stem}" if is_method else f"{stem}{_LATER.capitalize()}"
    except NameError_ as error:
        raise InputError(name, f"{error}; rename the definition in the vendor's schema") from None


def _renamed(node: Any, names: Mapping[str, str]) -> Any:
    """A copy of a schema whose references use the extension's names."""

    def renamed(value: Any) -> Any:
        target = value.get("$ref") if is_json_object(value) else None
        if not isinstance(target, str) or not target.startswith(_REF):
            return value
        name = target.removeprefix(_REF)
        return {**value, "$ref": f"{_REF}{names.get(name, name)}"}

    return mapped(node, renamed)


def _bare(node: Any) -> str:
    """A schema without descriptions, for comparison."""
    words = ("description", "title", "examples", "deprecated", "x-rfd", "x-capability")

    def plain(value: Any) -> Any:
        return {key: part for key, part in value.items() if key not in words} if is_json_object(value) else value

    return json.dumps(mapped(node, plain), sort_keys=True)


_KINDS: Mapping[str, Callable[[Any], bool]] = {
    **KINDS,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
}


def _admits(schema: Mapping[str, Any], value: Any) -> bool:
    """Return whether `type` allows a default. Other keywords are ignored."""
    types = schema.get("type")
    kinds = [types] if isinstance(types, str) else types if is_json_array(types) else []
    return not kinds or any(_KINDS[kind](value) for kind in kinds if isinstance(kind, str) and kind in _KINDS)
