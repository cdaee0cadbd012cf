"""What another version of a package means for programs, told from its modules."""

from __future__ import annotations

import tomllib
from importlib import import_module

import pytest

import generated
from codegen.upgrade.api_diff import effects
from codegen.upgrade.interface import interface
from tests.conftest import ROOT

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
    "name-gone": ("__init__.py", "'Paint'", "", ["Paint was removed"]),
    "renamed": (
        "models.py",
        MODELS,
        MODELS.replace("Colour", "Tint") + "\nColour: TypeAlias = Tint\n",
        ["Colour was renamed to Tint; the alias Colour stays until the next release"],
    ),
    "attribute-gone": ("models.py", "    shade: int | UnsetType = UNSET\n", "", ["Colour.shade was removed"]),
    "attribute-required": (
        "models.py",
        "shade: int | UnsetType = UNSET",
        "shade: int",
        ["Colour.shade is now required"],
    ),
    "attribute-added-required": (
        "models.py",
        "    name: str\n",
        "    name: str\n    hue: float\n",
        ["Colour.hue is now required"],
    ),
    "attribute-type": ("models.py", "name: str", "name: int", ["Colour.name is now int (was str)"]),
    "gated": (
        "methods.py",
        "capability=None",
        "capability='canPaint'",
        ["paint of the agent is now gated by canPaint"],
    ),
    "handler-signature": (
        "agent.py",
        "params: Paint",
        "params: Colour",
        [
            "Agent.paint is now (params: Colour) -> Colour | Awaitable[Colour] (was (params: Paint) -> Colour | Awaitable[Colour])"
        ],
    ),
    "handler-gone": ("agent.py", "def paint(self, params", "def _paint(self, params", ["Agent.paint was removed"]),
    "call-gone": ("agent.py", "async def paint", "async def _paint", ["ClientSideConnection.paint was removed"]),
    "parameter-gone": (
        "agent.py",
        ", coats: int | UnsetType = UNSET",
        "",
        ["ClientSideConnection.paint: the parameter coats was removed"],
    ),
    "parameter-required": (
        "agent.py",
        "coats: int | UnsetType = UNSET",
        "coats: int",
        ["ClientSideConnection.paint: the parameter coats (int) is now required"],
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
        ("paint of the agent was renamed to brush (was paint)", "handler", "paint"),
        ("paint of the agent was renamed to brush (was paint)", "call", "paint"),
    }


def exporting(*names: str) -> dict[str, str]:
    return BEFORE | {"__init__.py": f"__all__ = {list(names)!r}"}


def offering(**modules: str) -> dict[str, str]:
    return exporting() | {f"{name}.py": text for name, text in modules.items()}


def test_a_name_of_the_runtime_that_is_elsewhere_now_is_told_with_its_place() -> None:
    before = interface(exporting("CallLost", "Endpoint", "Method", "Options", "Peer", "Wire", "pump"))
    after = offering(
        connection="from ._runtime import Options, Peer as Peer",
        errors="__all__ = ['CallLost']",
        methods="class Method: ...",
        transports="from ._runtime import Transport as Transport\nfrom ._runtime import relay",
    )
    assert [(effect.text, effect.name) for effect in effects(before, interface(after))] == [
        ("CallLost is errors.CallLost now", "CallLost"),
        ("Endpoint is acp_remote.Endpoint now", "Endpoint"),
        ("Method is methods.Method now", "Method"),
        ("Options was removed", "Options"),
        ("Peer is connection.Peer now", "Peer"),
        ("Wire is transports.Transport now", "Wire"),
        ("pump was removed", "pump"),
    ]


def test_a_module_of_the_runtime_is_no_place_of_a_name() -> None:
    after = exporting() | {"_runtime/errors.py": "class CallLost: ...", "_errors.py": "class CallLost: ..."}
    assert [effect.text for effect in effects(interface(exporting("CallLost")), interface(after))] == [
        "CallLost was removed"
    ]


def test_a_name_of_the_schema_is_not_taken_for_one_of_the_runtime() -> None:
    before = interface(exporting("Wire") | {"models.py": f"{MODELS}\nclass Wire(Struct):\n    gauge: int\n"})
    after = interface(offering(transports="class Transport: ..."))
    assert [effect.text for effect in effects(before, after)] == ["Wire was removed"]


def test_the_table_of_renamed_names_has_names_of_the_package() -> None:
    table = tomllib.loads((ROOT / "codegen" / "upgrade" / "renamed.toml").read_text(encoding="utf-8"))
    for place in table["names"].values():
        module, _, name = place.rpartition(".")
        assert hasattr(import_module(f"generated.{module}") if module else generated, name), place
    for place in table["elsewhere"].values():
        module, _, name = place.rpartition(".")
        assert hasattr(import_module(module), name), place
    assert not {*table["names"], *table["elsewhere"]} & set(generated.__all__)


def test_every_name_of_the_table_is_found_in_the_package_as_it_is() -> None:
    """`vendor --plan` reads the text of the modules, as type checkers do."""
    table = tomllib.loads((ROOT / "codegen" / "upgrade" / "renamed.toml").read_text(encoding="utf-8"))["names"]
    package = interface({path.name: path.read_text(encoding="utf-8") for path in (ROOT / "generated").glob("*.py")})
    assert [place for place in table.values() if place not in package.names | package.places] == []


def test_a_module_that_does_not_parse_offers_nothing() -> None:
    assert interface({"models.py": "class"}) == interface({})
