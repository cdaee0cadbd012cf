"""What vendors keep under `_meta`: typed key by key, beside each other, and good for gating methods."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from codegen.check.lint.generate_errors import refuse
from codegen.document.extend import check_names
from codegen.document.overlay import parse_extension
from codegen.document.read import parse
from codegen.pipeline import extended, load_shapes
from tests.wire.packages import import_package, render_unformatted

ROOT = Path(__file__).resolve().parents[3]
DEFS = "$['$defs']"
META = f"{DEFS}.AgentCapabilities.properties._meta"


def extension(title: str, *actions: dict[str, Any]) -> bytes:
    return json.dumps({"overlay": "1.0.0", "info": {"title": title, "version": "1"}, "actions": list(actions)}).encode()


WORKSPACE = {"type": "object", "properties": {"workspace": {"type": "boolean"}}}
ZED = extension(
    "Zed",
    {"target": META, "update": {"properties": {"zed.dev": WORKSPACE}}},
    {
        "target": DEFS,
        "update": {
            "OpenWorkspaceNotification": {
                "type": "object",
                "x-side": "agent",
                "x-method": "_zed.dev/workspace/open",
                "x-capability": '_meta."zed.dev".workspace',
                "properties": {"path": {"type": "string"}},
                "required": ["path"],
            }
        },
    },
)
KIRO = extension(
    "Kiro",
    {
        "target": META,
        "update": {
            "properties": {
                "kiro": {"$ref": "#/$defs/KiroMeta"},
                "kiro.lenient": {"$ref": "#/$defs/KiroLenient", "x-deserialize-default-on-error": True},
            }
        },
    },
    {
        "target": DEFS,
        "update": {
            "KiroMeta": {"type": "object", "properties": {"level": {"type": "integer"}}, "required": ["level"]},
            "KiroLenient": {"type": "object", "properties": {"level": {"type": "integer"}}},
        },
    },
)
TITLES = {"zed.json": ZED, "kiro.json": KIRO}


@pytest.fixture(scope="module")
def acp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The whole protocol with both vendors' extensions."""
    base = parse((ROOT / "schema.json").read_bytes(), "schema.json")
    document = extended(base, [parse_extension(text, name) for name, text in TITLES.items()])
    check_names(document)
    _, schema, shapes, _ = load_shapes(document, stable=False, bare=True, refuse=refuse, note=lambda _: None)
    folder = tmp_path_factory.mktemp("meta")
    for name, text in render_unformatted(schema, shapes).items():
        path = folder / "with_vendors" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return import_package(folder, "with_vendors")


def capabilities(acp: ModuleType, **vendors: Any) -> Any:
    return acp.from_dict(acp.AgentCapabilities, {"_meta": {"traceparent": "00-1", **vendors}})


def test_meta_stays_a_dict(acp: ModuleType) -> None:
    assert capabilities(acp, kiro={"level": 3}).meta == {"traceparent": "00-1", "kiro": {"level": 3}}


def test_a_vendors_key_is_read_as_its_type(acp: ModuleType) -> None:
    assert acp.codec.meta(capabilities(acp, kiro={"level": 3}), acp.KiroMeta) == acp.KiroMeta(level=3)
    assert acp.codec.meta({"kiro": {"level": 3}}, acp.KiroMeta).level == 3


@pytest.mark.parametrize("vendors", [{}, {"kiro": None}])
def test_what_is_absent_or_null_is_none(acp: ModuleType, vendors: dict[str, Any]) -> None:
    assert acp.codec.meta(capabilities(acp, **vendors), acp.KiroMeta) is None
    assert acp.codec.meta(acp.AgentCapabilities(), acp.KiroMeta) is None


def test_a_malformed_value_spoils_no_other(acp: ModuleType) -> None:
    found = capabilities(acp, kiro={"level": "high"}, **{"zed.dev": {"workspace": True}})
    assert found.meta["traceparent"] == "00-1"
    assert acp.codec.meta(found, acp.AgentCapabilitiesZedDev).workspace is True
    with pytest.raises(msgspec.ValidationError, match=r"\$\.level.*\(under 'kiro' in `_meta`\)"):
        acp.codec.meta(found, acp.KiroMeta)


def test_a_bad_value_counts_as_absent_where_the_schema_says_so(acp: ModuleType) -> None:
    assert acp.codec.meta({"kiro.lenient": 5}, acp.KiroLenient) is None


def test_a_type_that_is_no_key_s_needs_one(acp: ModuleType) -> None:
    with pytest.raises(TypeError, match=r"name the key of SessionInfo in `_meta`; the schema knows none"):
        acp.codec.meta({}, acp.SessionInfo)
    assert acp.codec.meta({"here": {"sessionId": "s", "cwd": "/"}}, acp.SessionInfo, "here").session_id == "s"


def test_what_is_sent_may_be_an_instance(acp: ModuleType) -> None:
    sent = acp.AgentCapabilities(meta={"kiro": acp.KiroMeta(level=3)})
    assert json.loads(acp.encode(sent)) == {"_meta": {"kiro": {"level": 3}}}
    assert acp.codec.meta(sent, acp.KiroMeta).level == 3


def test_the_key_of_a_host_gates_a_method(acp: ModuleType) -> None:
    row = acp.methods.METHODS["agent", "_zed.dev/workspace/open", "notification"]
    assert (row.python_name, row.capability) == ("open_workspace", '_meta."zed.dev".workspace')

    class Mine(acp.Agent):  # type: ignore[name-defined,misc]
        def open_workspace(self, params: Any) -> None: ...

    assert derived(acp, Mine) == {"_meta": {"zed.dev": {"workspace": True}}}
    assert derived(acp, acp.Agent) == {}


def derived(acp: ModuleType, implementer: Any) -> Any:
    """What an implementer advertises under `_meta`."""
    from importlib import import_module

    runtime = import_module(f"{acp.__name__}._runtime.schema.capabilities")
    overrides = lambda row: getattr(implementer, row.python_name, None) is not getattr(acp.Agent, row.python_name, None)  # noqa: E731
    found = runtime.derive(acp.methods.PROTOCOL, "agent", overrides)
    return {key: value for key, value in found.items() if key == "_meta"}
