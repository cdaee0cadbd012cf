"""One schema node as JSON: its keywords, checked for its kind of type. Anything else is an error at its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from .. import diagnostics
from ..document.json_types import is_json_array, is_json_object
from ..document.keywords import ANNOTATIONS, BY_TYPE, EXTENSIONS, GENERAL, TYPED, Place, advice, misspelt_extension
from ..document.read import Document, join
from ..errors import Fault, SchemaError, quoted
from ..model.nodes.types import Reference

Node = Mapping[str, Any]
Result = TypeVar("Result")

# Types of other languages, by what they are called here.
_TYPES = {
    "int": "integer",
    "int32": "integer",
    "int64": "integer",
    "uint": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "decimal": "number",
    "str": "string",
    "text": "string",
    "date": "string",
    "uuid": "string",
    "enum": "string",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
    "map": "object",
    "record": "object",
    "none": "null",
    "nil": "null",
}


class NodeReader:
    """Reads the keywords of single nodes. Errors are raised, or reported if the rest can still be read."""

    def __init__(self, document: Document, names: frozenset[str], *, tolerant: bool = False) -> None:
        self.document = document
        self.names = names
        self.tolerant = tolerant
        self.constants_read = 0
        self.warnings: list[tuple[str, str]] = []
        self.problems: list[SchemaError] = []
        self._reported: set[tuple[str | None, str]] = set()

    def error(
        self, pointer: str, problem: str, fault: Fault, keyword: str | None = None, instead: str = ""
    ) -> SchemaError:
        """The error for a fault at a pointer, or at a keyword below it."""
        at = pointer if keyword is None else join(pointer, keyword)
        return self.document.error(at, problem, fault, key=True, instead=instead)

    def report(self, error: SchemaError) -> None:
        """Record an error and continue."""
        if (error.pointer, error.problem) not in self._reported:
            self._reported.add((error.pointer, error.problem))
            self.problems.append(error)

    def attempt(self, read: Callable[[], Result]) -> Result | None:
        """The result of `read`; None if it raises SchemaError, which is reported."""
        try:
            return read()
        except SchemaError as error:
            self.report(error)
            return None

    def check_keywords(self, node: Node, pointer: str, place: Place) -> None:
        """Report keywords that are not allowed in a node, and texts that are not strings."""
        for keyword in node:
            if keyword in EXTENSIONS:
                if place not in EXTENSIONS[keyword]:
                    where = " or ".join(sorted(EXTENSIONS[keyword]))
                    problem = f"`{keyword}` has no effect here; it belongs to a {where}"
                    self.report(self.error(pointer, problem, diagnostics.MISPLACED, keyword))
            elif keyword.startswith("x-") and not self.tolerant and (meant := misspelt_extension(keyword)):
                hint = f"did you mean `{meant}`?"
                self.report(self.error(pointer, f"`{keyword}` is not a keyword", diagnostics.MISSPELT, keyword, hint))
            elif keyword.startswith("x-"):
                self.warnings.append((join(pointer, keyword), f"unknown keyword `{quoted(keyword)[1:-1]}` is ignored"))
            elif keyword not in ANNOTATIONS and keyword not in GENERAL and keyword not in TYPED:
                hint = advice(keyword, node[keyword], GENERAL | TYPED | ANNOTATIONS)
                problem = f"the keyword {quoted(keyword)} is not supported"
                self.report(self.error(pointer, problem, diagnostics.KEYWORD, keyword, hint))
            elif keyword == "default" and place != "property":
                self.report(
                    self.error(pointer, "`default` is only supported on a property", diagnostics.MISPLACED, keyword)
                )
        for keyword in ("title", "description"):
            if not isinstance(node.get(keyword, ""), str):
                problem = f"`{keyword}` must be a string, not {quoted(node[keyword])}"
                self.report(self.error(pointer, problem, diagnostics.NOT_DRAFT, keyword))

    def list_of(self, node: Node, pointer: str, keyword: str) -> list[Any]:
        """A keyword that is a list; empty if absent."""
        value = node.get(keyword)
        if value is None and keyword not in node:
            return []
        if not is_json_array(value) or not value:
            problem = f"`{keyword}` must be a list with at least one entry, not {quoted(value)}"
            raise self.error(pointer, problem, diagnostics.NOT_DRAFT, keyword)
        return value

    def reference(self, node: Node, pointer: str) -> Reference:
        """The definition that a `$ref` names."""
        target = node["$ref"]
        if not isinstance(target, str) or not target.startswith("#/"):
            problem = f"`$ref` {quoted(target)} points outside the file; only #/$defs/NAME is supported"
            raise self.error(pointer, problem, diagnostics.REFERENCE, "$ref", near_definition(target, self.names))
        name = target.removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")
        if not target.startswith("#/$defs/") or name not in self.names:
            raise self.error(
                pointer,
                f"`$ref` {quoted(target)} does not exist",
                diagnostics.REFERENCE,
                "$ref",
                near_definition(target, self.names),
            )
        return Reference(name)

    def flag(self, node: Node, pointer: str, keyword: str) -> bool:
        """A keyword that is true or false."""
        value = node.get(keyword, False)
        if self.tolerant and is_json_object(value):
            return True  # releases have written `{}`, for a keyword that has no settings
        if not isinstance(value, bool):
            problem = f"`{keyword}` must be true or false, not {quoted(value)}"
            raise self.error(pointer, problem, _value_fault(keyword), keyword)
        return value

    def text(self, node: Node, pointer: str, keyword: str) -> str | None:
        """A keyword that is a string."""
        value = node.get(keyword)
        if keyword in node and not isinstance(value, str):
            problem = f"`{keyword}` must be a string, not {quoted(value)}"
            raise self.error(pointer, problem, _value_fault(keyword), keyword)
        return value

    def type_names(self, node: Node, pointer: str) -> list[str]:
        """The names in `type`; empty if absent."""
        value = node.get("type", [])
        names = [value] if isinstance(value, str) else value
        known = is_json_array(names) and all(isinstance(name, str) and name in BY_TYPE for name in names)
        if not known or ("type" in node and not names):
            problem = f"`type` must be one of {', '.join(BY_TYPE)}, or a list of them, not {quoted(value)}"
            raise self.error(pointer, problem, diagnostics.NOT_DRAFT, "type", _type_advice(value))
        if len(set(names)) != len(names):
            raise self.error(pointer, "`type` names a type twice", diagnostics.NOT_DRAFT, "type")
        return list(names)


def _value_fault(keyword: str) -> Fault:
    return diagnostics.EXTENSION_VALUE if keyword.startswith("x-") else diagnostics.NOT_DRAFT


def near_definition(target: object, names: Iterable[str]) -> str:
    """The suggestion for a dangling `$ref`; empty if no definition is similar."""
    from difflib import get_close_matches  # noqa: PLC0415  # only on the way to an error

    near = get_close_matches(target.rpartition("/")[2], sorted(names), 1) if isinstance(target, str) else []
    return f'did you mean "#/$defs/{near[0]}"?' if near else ""


def _type_advice(value: object) -> str:
    """The advice for an invalid `type`."""
    if is_json_array(value):
        strange = [name for name in value if not isinstance(name, str) or name not in BY_TYPE]
        return _type_advice(strange[0]) if strange else "remove `type` to allow any value"
    name = value.lower() if isinstance(value, str) else ""
    if name in _TYPES or name in BY_TYPE:
        return f'write "type": "{_TYPES.get(name, name)}"'
    if name in ("any", "unknown", "mixed", "object?"):
        return "remove `type`: {} or true allows any value"
    if isinstance(value, dict):
        return "move the content of `type` to its place, beside `description`"
    if isinstance(value, str) and value[:1].isupper():
        return "name a definition by `$ref`"
    from difflib import get_close_matches  # noqa: PLC0415  # only on the way to an error

    near = get_close_matches(name, list(BY_TYPE), 1)
    return f'write "type": "{near[0]}"' if near else ""
