"""All data for the modules of a package: a schema, its shapes, and the derived tables."""

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
    """The data of a package. `gates` contains the form of each gate by side."""

    schema: Schema
    shapes: Shapes
    rows: tuple[Row, ...]
    gates: Mapping[str, Mapping[str, Encoding]]
    nodes: Mapping[str, Node]
    error_codes: tuple[ErrorCode, ...]


def package(schema: Schema, shapes: Shapes) -> Package:
    """The data of a schema's package. Raises ShapeError."""
    table = rows(schema, shapes)
    return Package(schema, shapes, table, gate_encodings(schema, table), node_tables(shapes), error_codes(schema))
