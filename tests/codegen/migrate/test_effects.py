"""What another version of a package means for programs, told from its modules."""

from __future__ import annotations

import pytest

from codegen.migration.changes import effects
from codegen.migration.interface import interface

MODELS = """
class Colour(Struct):
    name: str
    shade: int | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = _field(name="_meta", default=UNSET)

class Paint(Struct):
    colour: Colour
"""
SIDE = """
class Agent(Peer):
    def paint(self, params: Paint) -> Colour | Awaitable[Colour]: ...

class ClientSideConnection(Connection):
    async def paint(self, *, colour: Colour, coats: int | UnsetType = UNSET) -> Colour: ...
"""
METHODS = (
    "T = [Method(side='agent', method='paint', kind='request', params=Paint, capability=None, python_name='paint')]"
)
INIT = "__all__ = ['Agent', 'Colour', 'Paint']"
BEFORE = {"__init__.py": INIT, "models.py": MODELS, "agent.py": SIDE, "methods.py": METHODS}

CHANGES = {
    "nothing": ("models.py", MODELS, MODELS + "\nclass New(Struct):\n    pass\n", []),
    "name-gone": ("__init__.py", "'Paint'", "", ["Paint is gone"]),
    "renamed": (
        "models.py",
        MODELS,
        MODELS.replace("Colour", "Tint") + "\nColour: TypeAlias = Tint\n",
        ["Colour is called Tint now; the alias Colour stays until the next release"],
    ),
    "attribute-gone": ("models.py", "    shade: int | UnsetType = UNSET\n", "", ["Colour.shade is gone"]),
    "attribute-required": (
        "models.py",
        "shade: int | UnsetType = UNSET",
        "shade: int",
        ["Colour.shade has to be given now"],
    ),
    "attribute-added-required": (
        "models.py",
        "    name: str\n",
        "    name: str\n    hue: float\n",
        ["Colour.hue has to be given now"],
    ),
    "attribute-type": ("models.py", "name: str", "name: int", ["Colour.name is int now, it was str"]),
    "gated": (
        "methods.py",
        "capability=None",
        "capability='canPaint'",
        ["paint of the agent is gated by canPaint now"],
    ),
    "handler-signature": (
        "agent.py",
        "params: Paint",
        "params: Colour",
        [
            "Agent.paint is (params: Colour) -> Colour | Awaitable[Colour] now, it was (params: Paint) -> Colour | Awaitable[Colour]"
        ],
    ),
    "handler-gone": ("agent.py", "def paint(self, params", "def _paint(self, params", ["Agent.paint is gone"]),
    "call-gone": ("agent.py", "async def paint", "async def _paint", ["ClientSideConnection.paint is gone"]),
    "parameter-gone": (
        "agent.py",
        ", coats: int | UnsetType = UNSET",
        "",
        ["ClientSideConnection.paint: the parameter coats is gone"],
    ),
    "parameter-required": (
        "agent.py",
        "coats: int | UnsetType = UNSET",
        "coats: int",
        ["ClientSideConnection.paint: the parameter coats (int) has to be given now"],
    ),
}


@pytest.mark.parametrize(("path", "old", "new", "expected"), CHANGES.values(), ids=CHANGES.keys())
def test_an_effect_is_told(path: str, old: str, new: str, expected: list[str]) -> None:
    assert old in BEFORE[path]
    after = BEFORE | {path: BEFORE[path].replace(old, new)}
    assert [effect.text for effect in effects(interface(BEFORE), interface(after))] == expected


def test_a_method_that_is_called_otherwise_is_told_for_handlers_and_calls() -> None:
    after = BEFORE | {
        "methods.py": METHODS.replace("python_name='paint'", "python_name='brush'"),
        "agent.py": SIDE.replace("def paint", "def brush"),
    }
    found = effects(interface(BEFORE), interface(after))
    assert {(effect.text, effect.use, effect.name) for effect in found} == {
        ("paint of the agent is called brush now, it was paint", "handler", "paint"),
        ("paint of the agent is called brush now, it was paint", "call", "paint"),
    }


def test_a_module_that_does_not_parse_offers_nothing() -> None:
    assert interface({"models.py": "class"}) == interface({})
