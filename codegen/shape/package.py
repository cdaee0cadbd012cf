"""All that the modules of a package are written from: a schema, its shapes, and the tables that follow from both."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ..contracts import Encoding, Node
from ..model.nodes.types import Schema
from .error_codes import ErrorCode, error_codes
from .method_table import Row, gate_encodings, rows
from .nodes import node_tables
from .shapes import Shapes


class Package(Struct, frozen=True):
    """The content of a package; `gates` says how each side advertises its gates."""

    schema: Schema
    shapes: Shapes
    rows: tuple[Row, ...]
    gates: Mapping[str, Mapping[str, Encoding]]
    nodes: Mapping[str, Node]
    error_codes: tuple[ErrorCode, ...]


def package(schema: Schema, shapes: Shapes) -> Package:
    """The content of the package of a schema; raises ShapeError."""
    table = rows(schema, shapes)
    return Package(schema, shapes, table, gate_encodings(schema, table), node_tables(shapes), error_codes(schema))
