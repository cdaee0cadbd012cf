"""The options of addresses: the documented defaults are those of the tables."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Mapping
from typing import Any

import pytest

from codegen.runtime.transport import options

TABLES = [(options.EndpointOptions, options.ENDPOINT_DEFAULTS), (options.DialOptions, options.DIAL_DEFAULTS)]
UNITS = {"256 MiB": 256 << 20, "none": ()}
COMPUTED = {"path", "profile", "http2", "sockets", "tls", "limits"}
"""Options whose default depends on something else, or is an object."""


def documented(kind: type) -> dict[str, str]:
    """Each option with the default that its description states; an option without one is missing."""
    (body,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(body, ast.ClassDef)
    texts: dict[str, str] = {}
    for declared, text in zip(body.body[1:], body.body[2:], strict=False):
        if isinstance(declared, ast.AnnAssign) and isinstance(text, ast.Expr):
            assert isinstance(declared.target, ast.Name)
            assert isinstance(text.value, ast.Constant)
            if found := re.search(r"Default:\s+`*([^`.;]+(?:\.\d+)?)", str(text.value.value)):
                texts[declared.target.id] = found[1].split(",", 1)[0] if "None" in found[1] else found[1]
    return texts


def value(text: str) -> Any:
    if text in UNITS:
        return UNITS[text]
    if text == "None" or text.startswith("/"):
        return None if text == "None" else text
    return float(re.sub(r",(?=\d)", "", text).partition(",")[0])


@pytest.mark.parametrize(("kind", "table"), TABLES)
def test_every_option_has_a_row(kind: type, table: Mapping[str, Any]) -> None:
    assert set(table) == set(kind.__annotations__)


@pytest.mark.parametrize(("kind", "table"), TABLES)
def test_each_documented_default_is_that_of_the_table(kind: type, table: Mapping[str, Any]) -> None:
    stated = {name: value(text) for name, text in documented(kind).items() if name not in COMPUTED}
    assert len(stated) >= 5
    assert stated == {name: table[name] for name in stated}
