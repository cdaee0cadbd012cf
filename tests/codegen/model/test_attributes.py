"""What an attribute is called in Python: as the wire has it, unless Python or an annotation beside it needs the word."""

from __future__ import annotations

import pytest

import generated as acp
from codegen.model.naming.wire_names import attribute_name


@pytest.mark.parametrize("name", ["id", "list", "type", "format", "input", "dict", "hash"])
def test_an_attribute_may_have_the_name_of_a_builtin(name: str) -> None:
    assert attribute_name(name) == name


@pytest.mark.parametrize("name", ["from", "class", "async", "self", "str", "int", "bool", "float"])
def test_a_word_that_is_needed_otherwise_gets_an_underscore(name: str) -> None:
    assert attribute_name(name) == f"{name}_"


@pytest.mark.parametrize(
    ("wire", "name"), [("_meta", "meta"), ("sessionId", "session_id"), ("mcpServers", "mcp_servers")]
)
def test_the_words_of_a_name_are_set_apart(wire: str, name: str) -> None:
    assert attribute_name(wire) == name


def test_the_package_has_these_names() -> None:
    login = acp.AuthMethodAgent(id="a", name="Log in")
    assert login.id == "a"
    assert acp.SessionCapabilities(list=acp.SessionListCapabilities()).list == acp.SessionListCapabilities()
