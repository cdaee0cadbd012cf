# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Base classes of the types in `models.py`, and their hook for pydantic.

pydantic asks a type for its schemas when a pydantic model or a FastAPI handler first uses it. Only then does
the hook import the module `pydantic` of this folder, so other programs pay nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec

from ..schema import definitions


def _schemas() -> Any:
    try:
        return import_module(".pydantic", __package__)
    except ModuleNotFoundError as error:
        if error.name != f"{__package__}.pydantic":
            raise
        command = "`acp-codegen vendor DEST --with pydantic` adds it"
        raise ImportError(f"this package was written without the part pydantic; {command}") from None


def _core_schema(type: Any, *_: Any) -> Any:
    return _schemas().core_schema(type)


def _json_schema(type: Any, _: Any, handler: Any) -> Any:
    return _schemas().json_schema(type, handler)


class Struct(msgspec.Struct, gc=False, repr_omit_defaults=True):
    """Base of the classes of objects. Messages are trees, so the garbage collector need not track them."""

    __get_pydantic_core_schema__ = classmethod(_core_schema)
    __get_pydantic_json_schema__ = classmethod(_json_schema)


class Extensible(definitions.Extensible):
    """Base of the classes of objects that keep undeclared properties."""

    __get_pydantic_core_schema__ = classmethod(_core_schema)
    __get_pydantic_json_schema__ = classmethod(_json_schema)


class Marker(type):
    """Metaclass of unions and other types that msgspec cannot decode alone. Type checkers see plain unions.

    msgspec reads a `typing.NewType` as its `__supertype__`, so it decodes a union of classes that it can
    discriminate. It passes all other types to the codec's hook, which resolves them by the node table. msgspec then
    checks ``isinstance``, which always succeeds.
    """

    __get_pydantic_core_schema__ = _core_schema
    __get_pydantic_json_schema__ = _json_schema

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, getattr(cls, "__supertype__", object))
