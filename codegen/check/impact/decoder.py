"""What the decoder of a package says to a message: the runtime's own reader, driven by the node tables of a schema.

The reader finds tables and classes beside itself, as in a package. Here it gets tables that were made for the occasion, and for each class
one that keeps what it is given. Nothing is generated.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from msgspec import ValidationError

from .. import runtime
from ..emit.nodes import node_tables
from ..emit.shaping import shape_settled
from ..findings.finding import Example, Outcome
from ..model.leaves import ShapeError
from ..model.naming import settle
from ..model.types import Schema
from ..runtime.scalars import LENIENT, STRICT, Reading
from .witnesses import DEFINITION

_SHARED = ("_base", "choices", "nodes", "once", "scalars", "undeclared")
"""The modules that a reader uses which know no table."""

_numbers = itertools.count()


class Decoder:
    """The decoder of the package that a schema makes; one that makes none says nothing."""

    def __init__(self, schema: Schema) -> None:
        self._ends: dict[tuple[str, str], str] = {}
        self._definitions: dict[str, str] = {}
        self._reading: Any = None
        self._classes: Mapping[str, type] = {}
        try:
            settled = settle(schema)
            tables = node_tables(shape_settled(settled))
        except ShapeError:
            return
        names = zip(schema.definitions, settled.schema.definitions, strict=True)
        self._definitions = dict(names)
        for method in settled.schema.methods:
            self._ends[method.path, method.kind] = method.params
            if method.result is not None:
                self._ends[method.path, "response"] = method.result
        self._classes = {name: type(name, (dict,), {}) for name in tables}
        self._reading = _reader(tables, self._classes)

    def answered(self, example: Example) -> tuple[Outcome, str]:
        """What becomes of a message, and in the decoder's words what is wrong with it."""
        path, _, role = example.carrier.removesuffix(")").rpartition(" (")
        name = self._definitions.get(path) if role == DEFINITION else self._ends.get((path, role))
        if name is None or name not in self._classes:
            return "refuses", ""
        problem = self._problem(name, example.message, LENIENT)
        if problem:
            return "refuses", problem
        return "tolerates", self._problem(name, example.message, STRICT)

    def _problem(self, name: str, value: Any, how: Reading) -> str:
        try:
            self._reading.read_again(self._classes[name], value, how, ValidationError(""))
        except ValidationError as error:
            return str(error)
        return ""


def _reader(tables: Mapping[str, Any], classes: Mapping[str, type]) -> ModuleType:
    """A reader of its own for some tables, as a package has one."""
    package = f"{__name__}_{next(_numbers)}"
    made = {"": ModuleType(package), "._runtime": ModuleType(f"{package}._runtime")}
    for module in made.values():
        module.__path__ = list(runtime.__path__)
    for name, holds in (("_nodes", {"NODES": tables}), ("models", classes)):
        made[f".{name}"] = ModuleType(f"{package}.{name}")
        vars(made[f".{name}"]).update(holds)
    for name in _SHARED:
        made[f"._runtime.{name}"] = import_module(f"{runtime.__name__}.{name}")
    modules = {f"{package}{name}": module for name, module in made.items()}
    sys.modules.update(modules)
    return import_module(f"{package}._runtime.reading")
