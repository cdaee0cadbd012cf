"""Locates the errors of an invalid value with `jsonschema` (draft 2020-12, no format checks), and words them.

For a union, the errors are those of the intended variant: the one with the value's tag, else the one that fits best.

Explaining an error takes milliseconds, and a file may have a million errors. Therefore, errors are cached by the shape
of the value: two values have the same shape if they differ only in strings and numbers that do not affect the errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import ValidationError  # type: ignore[import-untyped]
from jsonschema.validators import extend  # type: ignore[import-untyped]
from msgspec import Struct

from ...document.json_parser import Path
from ...document.json_types import is_json_array, is_json_object
from ...document.read import join, pointer_parts
from ...document.walk import everything, part_at
from ...errors import meant, printable, quoted
from ...model.nodes.patterns import matches
from .lenient_schema import UNIONS, NodeMarks, parts
from .suggestions import nearest

_KINDS = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}
_BOUNDS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} properties",
    "maxProperties": "at most {} properties",
    "pattern": "a match of {}",
}


def _pattern(_validator: Any, pattern: str, value: Any, _schema: Any) -> Iterator[ValidationError]:
    """The keyword `pattern` without backtracking."""
    if isinstance(value, str) and not matches(pattern, value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


_Validator: Any = extend(Draft202012Validator, {"pattern": _pattern})  # pyright: ignore[reportUnknownVariableType]


class Fault(Struct, frozen=True):
    """One error. `pointer` leads into the schema, `near` is the likely name or value."""

    path: Path
    pointer: str
    expected: str
    found: str
    near: str = ""


class Judge:
    """Validates values against the definitions of one schema. `original`: the definitions as written, for pointers."""

    def __init__(self, definitions: Mapping[str, Any], original: Mapping[str, Any], marks: NodeMarks) -> None:
        self._definitions, self._original, self._marks = definitions, original, marks
        self._validator = lru_cache(maxsize=None)(self._made)
        self._name = ""

    def _made(self, name: str) -> Any:
        return _Validator({"$ref": f"#/$defs/{name}", "$defs": self._definitions})

    def accepts(self, name: str, value: Any) -> bool:
        """Return whether a value is valid."""
        return bool(self._validator(name).is_valid(value))

    def faults(self, name: str, value: Any) -> list[Fault]:
        """Errors of a value of a definition, in the order of the value."""
        found: dict[tuple[Path, str], Fault] = {}
        self._name = name
        for error in self._validator(name).iter_errors(value):
            for fault in self._leaves(error):
                found.setdefault((fault.path, fault.expected), fault)
        return sorted(found.values(), key=lambda fault: [(isinstance(s, str), s) for s in fault.path])

    # --- from the judge's errors to faults --------------------------------------------------------------------------

    def _leaves(self, error: ValidationError) -> Iterator[Fault]:
        keyword: Any = error.validator
        if keyword in UNIONS:
            yield from self._of_union(error)
        elif keyword == "required":
            yield from self._missing(error)
        else:
            yield self._fault(error, *_words(error))

    def _fault(self, error: ValidationError, expected: str, near: str = "", path: Path = ()) -> Fault:
        value: Any = error.instance
        for step in path:
            value = value[step]
        return Fault((*error.absolute_path, *path), self._pointer(error), expected, _shown(value), near)

    def _missing(self, error: ValidationError) -> Iterator[Fault]:
        instance: Any = error.instance
        names: Any = error.validator_value
        # One error is raised for each missing name; its message alone names it.
        name = next((n for n in names if n not in instance and error.message.startswith(repr(n))), None)
        if name is not None:
            near = nearest(name, [key for key in instance if key not in _declared(error.schema, self._definitions)])
            found = f"an object with {_listed(instance)}" if instance else "an empty object"
            yield Fault(tuple(error.absolute_path), self._pointer(error), f"a property {quoted(name)}", found, near)

    def _of_union(self, error: ValidationError) -> Iterator[Fault]:
        variants: Any = error.validator_value
        value: Any = error.instance
        if not error.context:
            yield self._fault(error, "a value of exactly one variant")
            return
        values = [_values(variant) for variant in variants]
        if all(found is not None for found in values):
            known = [constant for found in values for constant in found or ()]
            yield self._fault(error, _one_of(known), _near_value(value, known))
            return
        branches: dict[int, list[ValidationError]] = {}
        for inner in error.context:
            branches.setdefault(int(inner.relative_schema_path[0]), []).append(inner)
        if is_json_object(value):
            tag = self._wrong_tag(variants, value)
            if tag is not None:
                name, known = tag
                if name in value:
                    yield self._fault(error, _one_of(known), _near_value(value[name], known), (name,))
                else:
                    near = nearest(name, list(value))
                    expected = f"a property {quoted(name)}, {_one_of(known)}"
                    found = f"an object with {_listed(value)}" if value else "an empty object"
                    yield Fault(tuple(error.absolute_path), self._pointer(error), expected, found, near)
                return
        if all(_is_plain(errors) for errors in branches.values()):
            yield self._fault(error, _either(kind for i in branches for kind in self._kinds(variants[i])))
            return
        best = min(branches, key=lambda index: self._distance(variants[index], value, branches[index]))
        for inner in branches[best]:
            yield from self._leaves(inner)

    def _wrong_tag(self, variants: list[Any], value: Mapping[str, Any]) -> tuple[str, list[Any]] | None:
        """The missing or unknown tag and its possible values; None if a variant was intended."""
        tagged = self._marks.all(variants)
        names = {name for tags in tagged for name in tags}
        for name in sorted(names, key=lambda n: -sum(n in tags for tags in tagged)):
            known = [constant for tags in tagged for constant in tags.get(name, ())]
            without = [i for i, tags in enumerate(tagged) if name not in tags and self._is_object(variants[i])]
            if name in value:
                if value[name] in known or (without and not _near_value(value[name], known)):
                    return None
                return name, known
            if not without and len(known) > 1:
                return name, known
        return None

    def _is_object(self, variant: Any) -> bool:
        """Return whether a variant is not null or a scalar, so that an object may be intended."""
        return any("properties" in part or part.get("type") == "object" for part in parts(variant, self._definitions))

    def _kinds(self, variant: Any) -> Iterator[str]:
        for part in parts(variant, self._definitions):
            kinds = part.get("type")
            yield from kinds if is_json_array(kinds) else [kinds] if isinstance(kinds, str) else ()

    def _distance(self, variant: Any, value: Any, errors: Sequence[ValidationError]) -> tuple[Any, ...]:
        """The distance of a value from a variant; the smallest distance is the likely intention."""
        tags = self._marks.of(variant).constants
        wrong = right = declared = 0
        if is_json_object(value):
            right = sum(value.get(name) in known for name, known in tags.items() if name in value)
            wrong = sum(name not in value or value[name] not in known for name, known in tags.items())
            declared = sum(key in _declared(variant, self._definitions) for key in value)
        other = any(not error.relative_path and error.validator == "type" for error in errors)
        excluded = any(error.validator == "not" for error in errors)
        depth = max(len(error.absolute_path) for error in errors)
        return (other, excluded, wrong, -right, -declared, -depth, len(errors))

    def _pointer(self, error: ValidationError) -> str:
        """The place of the violated rule in the schema as written. The validator's path omits references."""
        steps = list(error.absolute_schema_path)
        found = self._way({"$ref": f"#/$defs/{self._name}"}, steps, (), error.schema)
        pointer = ""
        node: Any = self._original
        for step in found or ():
            if _has(node, step):
                pointer, node = join(pointer or "/$defs", step), node[step]
            else:
                break  # what a lenient reader adds is nowhere
        return pointer

    def _way(self, node: Any, steps: Sequence[Any], way: Path, end: Any) -> Path | None:
        """The steps from the definitions to the keyword of an error."""
        if len(steps) == 1 and node is end:
            return (*way, steps[0])
        if not steps:
            return None
        step = steps[0]
        found: Path | None = None
        if _has(node, step):
            found = self._way(node[step], steps[1:], (*way, step), end)
        if found is None and is_json_object(node) and isinstance(node.get("$ref"), str):
            target = pointer_parts(node["$ref"])[-1]
            found = self._way(self._definitions[target], steps, (target,), end)
        return found


def _has(node: Any, step: Any) -> bool:
    if is_json_object(node):
        return step in node
    return is_json_array(node) and isinstance(step, int) and step < len(node)


def _is_plain(errors: Sequence[ValidationError]) -> bool:
    """Return whether a variant fails because the value has a different JSON type."""
    return any(not error.relative_path and error.validator == "type" for error in errors)


def _values(variant: Any) -> list[Any] | None:
    """The constants that a variant consists of; None if it contains anything else."""
    if not is_json_object(variant):
        return None
    if "const" in variant:
        return [variant["const"]]
    return list(variant["enum"]) if is_json_array(variant.get("enum")) else None


def _declared(schema: Any, definitions: Mapping[str, Any]) -> set[str]:
    """The properties that an object type names, including those of its unions."""
    found: set[str] = set()
    for part in parts(schema, definitions):
        if is_json_object(part.get("properties")):
            found.update(part["properties"])
        for keyword in UNIONS:
            for variant in part.get(keyword, ()):
                found |= _declared(variant, definitions)
    return found


def _words(error: ValidationError) -> tuple[str, str]:
    """The expected value, and for a near miss the likely intention."""
    keyword = str(error.validator)
    wanted: Any = error.validator_value
    value: Any = error.instance
    match keyword:
        case "type":
            return _either([wanted] if isinstance(wanted, str) else wanted), ""
        case "const":
            return quoted(wanted), _near_value(value, [wanted])
        case "enum":
            return _one_of(list(wanted)), _near_value(value, list(wanted))
        case "additionalProperties" | "unevaluatedProperties":
            return "no undeclared property", ""
        case "not":
            return "a value that `not` permits", ""
        case _ if keyword in _BOUNDS:
            return _BOUNDS[keyword].format(quoted(wanted)), ""
        case _:
            return f"a value that `{printable(keyword)}` permits", ""


def _either(kinds: Iterable[str]) -> str:
    return _or([_KINDS.get(kind, kind) for kind in dict.fromkeys(kinds)]) or "another value"


def _one_of(values: list[Any]) -> str:
    shown = [quoted(value) for value in dict.fromkeys(map(_hashable, values))]
    return _or(shown[:12] + ([f"one of {len(shown) - 12} more"] if len(shown) > 12 else []))


def _hashable(value: Any) -> Any:
    return value if isinstance(value, (str, int, float, bool, type(None))) else quoted(value)


def _or(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _near_value(value: Any, known: list[Any]) -> str:
    if not isinstance(value, str):
        return ""
    names = [name for name in known if isinstance(name, str)]
    return nearest(value, names) or meant(value, names)


def _listed(value: Mapping[str, Any]) -> str:
    names = [quoted(name) for name in value]
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _shown(value: Any) -> str:
    if is_json_object(value):
        return f"an object with {_listed(value)}" if value else "an empty object"
    if is_json_array(value):
        return f"an array of {len(value)}" if value else "an empty array"
    return quoted(value)


_LOOKING: Mapping[str, tuple[type, ...]] = {
    "pattern": (str,),
    "multipleOf": (int, float),
    "uniqueItems": (bool,),
    "contains": (dict, bool),
    "propertyNames": (dict, bool),
    "if": (dict, bool),
}
"""Keywords for which similar strings, numbers or items must be distinguished, with the types of their values."""
_MOST = 2000
_LARGEST = 500

Judgement = Callable[[str, Any], list[Fault]]


class Alike:
    """Caches the errors of values by their shape."""

    def __init__(self, definitions: Mapping[str, Any], judge: Judgement) -> None:
        self._judge = judge
        nodes = [node for node in everything(definitions) if is_json_object(node)]
        named = (node.get("enum") or [node.get("const")] for node in nodes)
        self._words = {value for values in named for value in values if isinstance(value, str)}
        self._bounds = sorted({v for n in nodes for k, v in n.items() if k.endswith("imum") and _is_number(v)})
        self._lengths = sorted({v for n in nodes for k, v in n.items() if k.endswith("Length") and _is_number(v)})
        self._able = not any(isinstance(node.get(k), kinds) for node in nodes for k, kinds in _LOOKING.items())
        self._paths: dict[Any, list[Path]] = {}
        self._faults: dict[Any, list[Fault]] = {}

    def faults(self, name: str, value: Any) -> list[Fault]:
        """Errors of a value of a definition."""
        look = (name, *self._look(value)) if self._able else ()
        if not 0 < len(look) <= _LARGEST:
            return self._judge(name, value)
        paths = self._paths.get(look)
        if paths is not None:
            known = self._faults.get((look, _at(value, paths)))
            if known is not None:
                return known
        found = self._judge(name, value)
        if len(self._faults) < _MOST:
            paths = self._paths.setdefault(look, [fault.path for fault in found])
            if paths == [fault.path for fault in found]:
                self._faults[look, _at(value, paths)] = found
        return found

    def _look(self, value: Any) -> Iterator[Any]:
        """The shape of a value: without strings and numbers, except those that the schema distinguishes."""
        if is_json_object(value):
            yield len(value)
            for key, child in value.items():
                yield key
                yield from self._look(child)
        elif is_json_array(value):
            yield ("array", len(value))
            for child in value:
                yield from self._look(child)
        elif isinstance(value, str):
            yield ("text", value if value in self._words else None, *(len(value) >= n for n in self._lengths))
        elif _is_number(value):
            sides = ((value > bound) - (value < bound) for bound in self._bounds)
            yield (type(value), float(value).is_integer() if abs(value) < 2**53 else value, *sides)
        else:
            yield (value,)


def _at(value: Any, paths: list[Path]) -> tuple[str, ...]:
    """The values that errors are about. For objects and arrays, the shape is sufficient."""
    parts = (part_at(value, path) for path in paths)
    return tuple("" if is_json_object(part) or is_json_array(part) else repr(part) for part in parts)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
