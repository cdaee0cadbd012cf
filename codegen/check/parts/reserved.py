"""Reserved names: `x-reserved` lists removed names that must not be reused, each with the last release that had it.

A name is the path of a method, or `Definition.name` of a property, a value or the tag of a variant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ...document.json_types import is_json_array, is_json_object
from ...document.read import join
from ...document.walk import schemas

KEYWORD = "x-reserved"


def reserved(value: Any) -> dict[str, str]:
    """The reserved names of a document with their releases; empty if the keyword is invalid."""
    said = value.get(KEYWORD)
    return {k: v for k, v in said.items() if isinstance(v, str)} if is_json_object(said) else {}


def names(value: Any) -> Iterator[tuple[str, str]]:
    """The names in messages of a document, with the pointers of their parts."""
    definitions = value["$defs"]
    for definition, whole in definitions.items():
        if is_json_object(whole) and isinstance(whole.get("x-method"), str):
            yield whole["x-method"], join("", "$defs", definition)
        for pointer, node in schemas({definition: whole}, "/$defs", "schemas"):
            properties, values = node.get("properties"), node.get("enum")
            for name in properties if is_json_object(properties) else ():
                yield f"{definition}.{name}", join(pointer, "properties", name)
            for index, each in enumerate(values if is_json_array(values) else ()):
                yield f"{definition}.{each}", join(pointer, "enum", str(index))
            if "const" in node:
                yield f"{definition}.{node['const']}", pointer


def freed(old: Any, new: Any, gone: Collection[str]) -> list[str]:
    """The names freed by removing the parts at `gone`, and used by nothing else. A removed definition frees its
    method.
    """
    kept = {name for name, _ in names(new)} | reserved(new).keys()
    found = [name for name, pointer in names(old) if any(f"{pointer}/".startswith(f"{part}/") for part in gone)]
    owners = new["$defs"].keys()
    return [
        n for n in dict.fromkeys(found) if n not in kept and ("/" in n or "." not in n or n.partition(".")[0] in owners)
    ]
