# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""What a vendor keeps under a key of `_meta`, typed: read by itself when it is asked for, so that no vendor's value spoils another's."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, TypeVar, cast

from msgspec import UNSET, ValidationError

from .codec import from_dict
from .tables import table

__all__ = ["meta"]

T = TypeVar("T")


def meta(holder: Any, type: type[T], key: str | None = None) -> T | None:
    """The value of `type` that a record, or the dict in its `meta`, has under the vendor's key. None where there is none.

    `key` is needed only where the schema knows several for the type, or none. A value that does not fit raises
    msgspec.ValidationError, unless the schema says that a bad value counts as absent.
    """
    held: Any = cast("Any", holder) if isinstance(holder, Mapping) else getattr(holder, "meta", UNSET)
    if held is UNSET or held is None:
        return None
    table()  # with what other packages add
    keys: Mapping[str, bool] = import_module(".._nodes", __package__).META.get(type.__name__, {})
    if key is None:
        if len(keys) != 1:
            known = ", ".join(sorted(keys)) or "none"
            raise TypeError(f"name the key of {type.__name__} in `_meta`; the schema knows {known}")
        (key,) = keys
    value = cast("Mapping[str, Any]", held).get(key)
    if value is None or isinstance(value, type):
        return value
    try:
        return from_dict(type, value)
    except ValidationError as error:
        if keys.get(key, False):
            return None
        raise ValidationError(f"{error} (under {key!r} in `_meta`)") from None
