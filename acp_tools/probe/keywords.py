"""Root keywords of the protocol's schema, such as those about permissions and handles."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from .codegen_api import resource
from .json_types import one_object


@cache
def keyword(name: str) -> dict[str, Any]:
    """The value of a root keyword, such as `x-permission`."""
    return one_object(json.loads(resource("schema.json").read_bytes()).get(name))


def handles() -> dict[str, str]:
    """Maps each method that creates a resource to the method that releases it."""
    return {row["create"]: row["release"] for row in keyword("x-handles").values()}
