"""The answer of a package's decoder to a message: the runtime's own reader, driven by the node tables of a schema.

In a package the reader finds tables and classes beside itself. Here it gets temporary tables, and for each class one that
stores its arguments. Nothing is generated.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import ValidationError

from ...contracts import LENIENT, STRICT, Reading, runtime_package
from ...findings.finding import Example, Outcome
from ...model.naming.leaves import ShapeError
from ...model.naming.settle import settle
from ...model.nodes.types import Schema
from ...shape.nodes import node_tables
from ...shape.shaping import shape_settled
from .witnesses import DEFINITION

_SHARED = ("schema.definitions", "codec.values")
"""The modules that a reader uses which know no table."""
_FOLDERS = ("schema", "codec")
"""The folders of the runtime that hold what a reader uses."""

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
    made: dict[str, ModuleType] = {}
    for name in ("", "._runtime", *(f"._runtime.{folder}" for folder in _FOLDERS)):
        made[name] = ModuleType(f"{package}{name}")
        inside = name.removeprefix("._runtime").removeprefix(".")
        made[name].__path__ = [str(Path(home, inside)) for home in runtime_package.__path__]
    for name, holds in (("_nodes", {"NODES": tables}), ("models", classes)):
        made[f".{name}"] = ModuleType(f"{package}.{name}")
        vars(made[f".{name}"]).update(holds)
    for name in _SHARED:
        made[f"._runtime.{name}"] = import_module(f"{runtime_package.__name__}.{name}")
    modules = {f"{package}{name}": module for name, module in made.items()}
    sys.modules.update(modules)
    return import_module(f"{package}._runtime.codec.readers")
