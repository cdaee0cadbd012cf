# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""JSON values: their types, and templates of them. Strings that begin with ``$`` are names of bindings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Return whether a JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: Any) -> TypeGuard[list[Any]]:
    """Return whether a JSON value is an array."""
    return isinstance(value, list)


def is_template(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Return whether a part of a template is an object."""
    return isinstance(value, Mapping)


def match(template: Any, value: Any, bound: dict[str, Any] | None = None) -> dict[str, Any] | None:
    """The bindings of a value that a template matches; None if it does not. Objects may have more properties."""
    bound = {} if bound is None else bound
    if isinstance(template, str) and template.startswith("$"):
        bound[template[1:]] = value
        return bound
    if is_template(template):
        inside = is_object(value) and all(
            name in value and match(each, value[name], bound) is not None for name, each in template.items()
        )
        return bound if inside else None
    return bound if type(template) is type(value) and template == value else None


def fill(template: Any, bound: Mapping[str, Any]) -> Any:
    """The value of a template. Properties without a binding are left out."""
    if isinstance(template, str) and template.startswith("$"):
        return bound[template[1:]]
    if is_template(template):
        return {
            name: fill(each, bound)
            for name, each in template.items()
            if not (isinstance(each, str) and each.startswith("$") and each[1:] not in bound)
        }
    return template


def merge(value: dict[str, Any], more: Mapping[str, Any], *, replace: bool) -> None:
    """Add the properties of an object to another, also inside. Existing ones are replaced if ``replace`` is set."""
    for name, each in more.items():
        if is_template(each) and is_object(value.get(name)):
            merge(value[name], each, replace=replace)
        elif replace or name not in value:
            value[name] = each


def without_null(value: dict[str, Any], like: Mapping[str, Any]) -> None:
    """Remove the nulls of the objects inside a value that are also in another."""
    for name, each in like.items():
        if is_template(each) and is_object(inside := value.get(name)):
            value[name] = {key: held for key, held in inside.items() if held is not None}
            without_null(value[name], each)
