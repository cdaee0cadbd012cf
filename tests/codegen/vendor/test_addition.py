"""`vendor --on PACKAGE`: extensions that only add become a small package over another one, which stays as it is."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.once import unformatted

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]
META = "$['$defs'].AgentCapabilities.properties._meta"


def vendor(name: str, **more: Any) -> dict[str, Any]:
    """A vendor's extension: a gated request with a record in it, and a key of `_meta`."""
    title = name.capitalize()
    method = {"type": "object", "x-side": "agent", "x-method": f"_{name}/look"}
    update = {
        f"{title}Meta": {"type": "object", "properties": {"look": {"type": "boolean"}}},
        f"{title}Thing": {"type": "object", "properties": {"at": {"type": "integer"}}, "required": ["at"]},
        f"{title}LookRequest": {
            **method,
            "x-capability": f"_meta.{name}.look",
            "properties": {"block": {"$ref": "#/$defs/ContentBlock"}},
            "required": ["block"],
        },
        f"{title}LookResponse": {
            **method,
            "properties": {"things": {"type": "array", "items": {"$ref": f"#/$defs/{title}Thing"}}},
            "required": ["things"],
        },
        **more,
    }
    return {
        "overlay": "1.0.0",
        "info": {"title": title, "version": "1"},
        "actions": [
            {"target": META, "update": {"properties": {name: {"$ref": f"#/$defs/{title}Meta"}}}},
            {"target": "$['$defs']", "update": update},
        ],
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with two packages over `generated`, one for each of two vendors, that can be imported."""
    from codegen.cli.main import main

    folder = tmp_path_factory.mktemp("addition")
    with chdir(folder):
        for name in ("oak", "elm"):
            (folder / f"{name}.json").write_text(json.dumps(vendor(name)))
            schema = str(ROOT / "schema.json")
            arguments = ["vendor", f"with_{name}", "--schema", schema, "--extend", f"{name}.json", "--on", "generated"]
            assert main(arguments) == 0
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def oak(folder: Path) -> Any:
    return import_module("with_oak")


@pytest.fixture(scope="module")
def elm(folder: Path) -> Any:
    return import_module("with_elm")


def test_it_holds_its_own_alone(folder: Path) -> None:
    names = {path.name for path in (folder / "with_oak").iterdir()}
    assert names == {
        ".gitattributes", "METHODS.md", "__init__.py", "_nodes.py", "agent.py", "blocking.py", "client.py", "manifest.json", "meta.json",
        "methods.py", "models.py", "names.lock.json", "py.typed", "pytest_plugin.py", "reconnecting.py", "sessions.py", "state.py", "stores.py", "testing.py",
        "views.py",
    }  # fmt: skip
    assert "class SessionInfo" not in (folder / "with_oak" / "models.py").read_text()
    assert len((folder / "with_oak" / "models.py").read_text().splitlines()) < 80


def test_what_is_the_base_s_is_the_very_same(oak: Any) -> None:
    import generated

    assert oak.SessionInfo is generated.SessionInfo
    assert issubclass(oak.Agent, generated.Agent)
    assert set(generated.__all__) <= set(oak.__all__)
    assert "OakLookRequest" not in generated.__all__


def test_its_types_are_read_as_any_other(oak: Any) -> None:
    request = oak.decode(oak.OakLookRequest, b'{"block": {"type": "text", "text": "a"}}')
    assert request.block == oak.TextContent(text="a")
    with pytest.raises(Exception, match=r"\$\.things\[0\]\.at"):
        oak.decode(oak.OakLookResponse, b'{"things": [{"at": "x"}]}')
    assert oak.codec.meta({"oak": {"look": True}}, oak.OakMeta).look is True


def test_an_agent_and_a_client_speak_what_two_packages_add(oak: Any, elm: Any) -> None:
    class Agent(oak.Agent):  # type: ignore[name-defined,misc]
        def oak_look(self, params: Any) -> Any:
            return oak.OakLookResponse(things=[oak.OakThing(at=len(params.block.text))])

    async def said() -> None:
        pair = import_module("generated._runtime.testing").pair
        async with pair(oak.AgentSideConnection, Agent(), oak.ClientSideConnection, oak.Client(), {}, {}) as (
            _,
            client,
        ):
            await client.initialize()
            assert oak.codec.meta(client.capabilities, oak.OakMeta).look is True
            assert (await client.oak_look(block=oak.TextContent(text="abc"))).things[0].at == 3

    asyncio.run(said())
    assert elm.decode(elm.ElmLookResponse, b'{"things": [{"at": 1}]}').things == [elm.ElmThing(at=1)]


# --- several of them on one connection --------------------------------------------------------------------------------------

BOTH = """
import asyncio, sys
sys.path[:0] = {paths!r}
import generated as acp, with_elm as elm, with_oak as oak

class Agent(oak.AgentMixin, elm.AgentMixin, acp.Agent):
    def oak_look(self, params):
        return oak.OakLookResponse(things=[oak.OakThing(at=1)])

    def elm_look(self, params):
        return elm.ElmLookResponse(things=[elm.ElmThing(at=len(params.block.text))])

asyncio.run(acp.{run})
"""


@pytest.mark.parametrize("run", ["run_agent(Agent(), extensions=[oak, elm])", "serve(Agent, extensions=[oak, elm])"])
def test_a_process_that_serves_two_packages_is_called_by_both(
    oak: Any, elm: Any, folder: Path, tmp_path: Path, run: str
) -> None:
    import generated as acp

    path = tmp_path / "agent.py"
    path.write_text(BOTH.format(paths=[str(ROOT), str(folder)], run=run))

    async def main() -> None:
        options: Any = {"extensions": [oak, elm]}
        async with acp.spawn_agent(acp.Client(), sys.executable, str(path), **options) as agent:
            await agent.initialize()
            block = acp.TextContent(text="abc")
            assert (await oak.view(agent).oak_look(block=block)).things == [oak.OakThing(at=1)]
            assert (await elm.view(agent).elm_look(block=block)).things == [elm.ElmThing(at=3)]

    asyncio.run(main())


def test_a_server_and_a_client_at_an_address_have_both_packages(oak: Any, elm: Any, tmp_path: Path) -> None:
    import generated as acp
    from generated.transports import Transport

    class Agent(elm.AgentMixin, oak.AgentMixin, acp.Agent):  # type: ignore[name-defined,misc]
        def elm_look(self, params: Any) -> Any:
            return elm.ElmLookResponse(things=[])

    assert Transport is not None
    address, options = f"unix:{tmp_path}/a", {"extensions": [oak, elm]}

    async def main() -> None:
        serving = asyncio.ensure_future(acp.serve(Agent, address, **options))  # type: ignore[arg-type]
        while not (tmp_path / "a").exists():
            await asyncio.sleep(0)
            assert not serving.done(), serving.exception()
        async with acp.connect(address, acp.Client(), **options) as agent:  # type: ignore[arg-type]
            await agent.initialize()
            assert agent.capabilities.meta == {"elm": {"look": True}}
            assert (await elm.view(agent).elm_look(block=acp.TextContent(text="a"))).things == []
            assert not oak.view(agent).offers("oak_look")
        serving.cancel()
        await asyncio.wait([serving])

    asyncio.run(main())


def test_a_program_without_an_event_loop_calls_both(oak: Any, elm: Any, folder: Path, tmp_path: Path) -> None:
    import generated as acp

    path = tmp_path / "agent.py"
    path.write_text(BOTH.format(paths=[str(ROOT), str(folder)], run="run_agent(Agent(), extensions=[oak, elm])"))
    blocking = {name: import_module(f"{name}.blocking") for name in ("generated", "with_oak", "with_elm")}
    options: Any = {"extensions": [oak, elm]}
    with blocking["generated"].spawn_agent(acp.Client(), sys.executable, str(path), **options) as agent:
        agent.initialize()
        block = acp.TextContent(text="abc")
        assert blocking["with_oak"].view(agent).oak_look(block=block).things == [oak.OakThing(at=1)]
        assert blocking["with_elm"].view(agent).elm_look(block=block).things == [elm.ElmThing(at=3)]


AGENT = """
import asyncio, os, sys
sys.path[:0] = {paths!r}
import {package} as acp

class Agent(acp.Agent):
    def oak_look(self, params):
        if params.block.text == "die":
            os._exit(1)
        return acp.OakLookResponse(things=[acp.OakThing(at=len(params.block.text))])

asyncio.run(acp.run_agent(Agent()))
"""


@pytest.fixture
def command(folder: Path, tmp_path: Path) -> tuple[str, str]:
    """An agent that has what the package adds, as a command."""
    path = tmp_path / "agent.py"
    path.write_text(AGENT.format(paths=[str(ROOT), str(folder)], package="with_oak"))
    return sys.executable, str(path)


def test_a_client_that_reconnects_has_the_added_calls(oak: Any, command: tuple[str, str]) -> None:
    import generated

    async def said() -> None:
        back = asyncio.Event()

        def seen(_: object) -> None:
            back.set()

        async with oak.ReconnectingAgent(lambda: oak.spawn_agent(oak.Client(), *command), on_reconnect=seen) as agent:
            await agent.initialize()
            with pytest.raises(oak.errors.CallLost):
                await agent.oak_look(block=oak.TextContent(text="die"))
            await back.wait()
            assert (await agent.oak_look(block=oak.TextContent(text="abc"))).things[0].at == 3

    assert issubclass(oak.ReconnectingAgent, generated.ReconnectingAgent)
    asyncio.run(said())


def test_a_client_without_an_event_loop_has_the_added_calls(oak: Any, command: tuple[str, str]) -> None:
    blocking = import_module("with_oak.blocking")
    client = blocking.Client()
    with blocking.spawn_agent(client, *command) as agent:
        agent.initialize()
        assert agent.oak_look(block=oak.TextContent(text="abc")).things[0].at == 3
        assert client.agent.oak_look(block=oak.TextContent(text="a")).things[0].at == 1
        assert agent.list_sessions.__doc__


def test_the_kit_for_tests_connects_agents_and_clients_that_have_what_is_added(oak: Any) -> None:
    testing = import_module("with_oak.testing")

    class Agent(oak.Agent):  # type: ignore[name-defined,misc]
        def oak_look(self, params: Any) -> Any:
            return oak.OakLookResponse(things=[])

    async def said() -> None:
        async with testing.connected(Agent()) as (_, client):
            assert (await client.oak_look(block=oak.TextContent(text="a"))).things == []

    asyncio.run(said())
    assert import_module("with_oak.pytest_plugin").connect is not None
    assert issubclass(testing.RecordingClient, oak.Client)


def test_what_an_added_message_says_of_a_session_is_part_of_its_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli
) -> None:
    import generated

    method = {"type": "object", "x-side": "agent", "x-method": "_yew/turn"}
    session = {"sessionId": {"$ref": "#/$defs/SessionId"}}
    leaf = {"type": "integer", "x-update": {"part": "leaf"}}
    mode = {"$ref": "#/$defs/SessionModeId", "x-update": {"part": "mode"}}
    added = {
        "YewTurnRequest": {**method, "properties": session, "required": ["sessionId"]},
        "YewTurnResponse": {**method, "properties": {"leaf": leaf, "mode": mode}},
    }
    monkeypatch.chdir(tmp_path)
    Path("yew.json").write_text(json.dumps(vendor("yew", **added)))
    ran = run_cli("vendor", "with_yew", "--schema", ROOT / "schema.json", "--extend", "yew.json", "--on", "generated")
    assert ran.code == 0, ran.err
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yew: Any = import_module("with_yew")
    state = yew.SessionState()
    assert issubclass(yew.SessionState, generated.SessionState)
    state.apply(generated.AgentMessageChunk(content=generated.TextContent(text="a")))
    state.apply(yew.YewTurnResponse(leaf=3, mode="dark"))
    assert (state.leaf, state.mode, [m.text for m in state.messages]) == (3, "dark", ["a"])
    again = yew.SessionState()
    for update in state.replay():
        again.apply(update)
    assert (again.mode, again.messages) == (state.mode, state.messages)  # no update says what `leaf` is
    assert yew.ReconnectingAgent._keeps[0] is yew.SessionState


def test_sessions_of_both_sides_have_the_added_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli
) -> None:
    import generated

    def method(side: str, name: str, **more: Any) -> dict[str, Any]:
        properties = {"sessionId": {"$ref": "#/$defs/SessionId"}, **more}
        head = {"type": "object", "x-side": side, "x-method": f"_fir/{name}"}
        return {**head, "properties": properties, "required": [*properties]}

    def answer(side: str, name: str) -> dict[str, Any]:
        return {"type": "object", "x-side": side, "x-method": f"_fir/{name}"}

    kinds = [
        {
            "type": "object",
            "properties": {"kind": {"const": kind}, size: {"type": "integer"}},
            "required": ["kind", size],
        }
        for kind, size in (("round", "radius"), ("square", "side"))
    ]
    added = {
        "FirAskRequest": method("client", "ask", text={"type": "string"}),
        "FirAskResponse": answer("client", "ask"),
        "FirCutRequest": {**method("agent", "cut"), "oneOf": kinds},
        "FirCutResponse": answer("agent", "cut"),
    }
    monkeypatch.chdir(tmp_path)
    Path("fir.json").write_text(json.dumps(vendor("fir", **added)))
    ran = run_cli("vendor", "with_fir", "--schema", ROOT / "schema.json", "--extend", "fir.json", "--on", "generated")
    assert ran.code == 0, ran.err
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    fir: Any = import_module("with_fir")
    said: list[Any] = []

    class Agent(fir.Agent):  # type: ignore[name-defined,misc]
        def new_session(self, params: Any) -> Any:
            return generated.NewSessionResponse(session_id="s")

        async def fir_cut(self, params: Any) -> None:
            said.append((type(params).__name__, params.session_id))
            await self.session.fir_ask("how?")

        async def prompt(self, params: Any) -> Any:
            return generated.PromptResponse(stop_reason="end_turn")

    class Client(fir.Client):  # type: ignore[name-defined,misc]
        def fir_ask(self, params: Any) -> None:
            said.append((params.text, params.session_id))

    async def main() -> None:
        kit = import_module("with_fir.testing")
        async with kit.connected(Agent(), Client()) as (_, agent), agent.session(cwd="/w") as session:
            await session.fir_cut(kind="square", side=3)
            await session.prompt("x")

    asyncio.run(main())
    assert said == [("FirCutRequestSquare", "s"), ("how?", "s")]


def test_the_directory_alone_repeats_it(folder: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert json.loads((folder / "with_oak" / "manifest.json").read_text())["options"] == ["--on=generated"]
    ran = run_cli("vendor", "with_oak", "--schema", ROOT / "schema.json", "--check")
    assert (ran.code, ran.out) == (0, "with_oak is up to date\n")


def test_an_extension_that_changes_the_protocol_needs_a_package_of_its_own(
    tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    extension = vendor("ash")
    extension["actions"].append({"target": "$['$defs'].SessionInfo.properties", "update": {"ash": {"type": "string"}}})
    Path("ash.json").write_text(json.dumps(extension))
    ran = run_cli("vendor", "ash", "--schema", ROOT / "schema.json", "--extend", "ash.json", "--on", "generated")
    assert ran.code == 2
    assert 'the extensions change "SessionInfo" of generated' in ran.err
    assert not Path("ash").exists()


@pytest.mark.parametrize("name", ["", "a-b", "a..b", "class", "a b"])
def test_what_cannot_be_imported_is_no_base(
    tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("oak.json").write_text(json.dumps(vendor("oak")))
    ran = run_cli("vendor", "oak", "--schema", ROOT / "schema.json", "--extend", "oak.json", "--on", name or "1")
    assert (ran.code, "is not a valid import name of a package" in ran.err) == (2, True)


def test_two_packages_that_mean_different_things_by_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    registry = import_module("generated._runtime.schema.registry")
    for name, type_, meaning in (("one", int, 1), ("two", str, 2)):
        monkeypatch.setitem(sys.modules, f"{name}._nodes", SimpleNamespace(NODES={"Thing": meaning}, META={}))
        monkeypatch.setitem(sys.modules, f"{name}.models", SimpleNamespace(Thing=type_))
    tables = registry.Tables("two")
    assert (tables.nodes, tables.names) == ({"Thing": 2}, {str: "Thing"})
    tables.packages.append("one")
    with pytest.raises(ImportError, match="one and another package have different types with the name Thing"):
        _ = tables.nodes


# --- the base ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def over_one_base(tmp_path_factory: pytest.TempPathFactory, run_cli: RunCli) -> Path:
    """A folder with the package `base`, and `more`, which adds to it. Both are of one schema."""
    home = tmp_path_factory.mktemp("over")
    (home / "one.json").write_text((ROOT / "schema.json").read_text())
    (home / "oak.json").write_text(json.dumps(vendor("oak")))
    (home / "base").mkdir()
    shutil.copy(ROOT / "generated" / "manifest.json", home / "base")
    with chdir(home):
        assert run_cli("vendor", "more", "--schema", "one.json", "--extend", "oak.json", "--on", "base").code == 0
    return home


@pytest.fixture
def over_base(over_one_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, in which the test runs."""
    monkeypatch.chdir(shutil.copytree(over_one_base, tmp_path / "over"))
    return tmp_path / "over"


@pytest.mark.parametrize("command", [[], ["--check"], ["--plan"]])
def test_a_base_of_another_schema_is_refused_with_both_names(
    over_base: Path, run_cli: RunCli, command: list[str]
) -> None:
    path = over_base / "base" / "manifest.json"
    manifest = {**json.loads(path.read_text()), "schema": "0123456789abcdef"}
    path.write_text(json.dumps({**manifest, "vendored": {"schema": {"path": "../two.json"}, "extensions": []}}))
    ran = run_cli("vendor", "more", *command)
    assert ran.code == 2
    assert ran.err.startswith(
        "more: error: would extend base, which was generated from ../two.json (01234567); this package "
    )
    assert "uses one.json (" in ran.err


def test_a_base_without_drafts_needs_an_addition_without_them(over_base: Path, run_cli: RunCli) -> None:
    path = over_base / "base" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "options": ["--stable"]}))
    ran = run_cli("vendor", "more", "--check")
    assert (ran.code, "was generated with --stable; also pass --stable here" in ran.err) == (2, True)


def test_a_base_with_an_unreadable_manifest_is_refused(over_base: Path, run_cli: RunCli) -> None:
    (over_base / "base" / "manifest.json").write_text("{")
    ran = run_cli("vendor", "more", "--check")
    assert (ran.code, "base/manifest.json: error: is not a readable manifest; vendor base again" in ran.err) == (
        2,
        True,
    )


def test_a_base_that_is_not_there_is_no_error(over_base: Path, run_cli: RunCli) -> None:
    (over_base / "base" / "manifest.json").unlink()
    assert run_cli("vendor", "more", "--plan").code == 0


def import_both(folder: Path) -> str:
    """What an import of the addition says, with a base that has no more than it needs."""
    registry = (ROOT / "codegen/runtime/schema/registry.py").read_text()
    (folder / "base/_runtime/schema").mkdir(parents=True)
    (folder / "base/_runtime/schema/registry.py").write_text(registry)
    (folder / "base/_runtime/schema/definitions.py").write_text("Node = object")
    (folder / "base/__init__.py").write_text("__all__ = []")
    ran = subprocess.run([sys.executable, "-c", "import more"], cwd=folder, capture_output=True, text=True, check=False)
    return (ran.stderr.splitlines() or [""])[-1]


@pytest.mark.parametrize(
    ("base", "problem"),
    [
        ({}, ""),
        (
            {"schema": "0123456789abcdef"},
            "ImportError: more extends base, but they were generated from different schemas",
        ),
        (
            {"options": ["--stable"]},
            "ImportError: more uses drafts that base lacks",
        ),
    ],
)
def test_the_base_is_verified_at_import(over_base: Path, base: dict[str, Any], problem: str) -> None:
    path = over_base / "base" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **base}))
    found = import_both(over_base)
    assert found.startswith(problem) if problem else not found


def test_a_package_without_its_base_says_so_at_import(over_base: Path) -> None:
    shutil.rmtree(over_base / "base")
    ran = subprocess.run(
        [sys.executable, "-c", "import more"], cwd=over_base, capture_output=True, text=True, check=False
    )
    assert ran.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'base'"


@pytest.mark.parametrize("text", [None, "{", "[]"])
def test_a_program_may_be_shipped_without_the_manifest_of_its_base(over_base: Path, text: str | None) -> None:
    path = over_base / "base" / "manifest.json"
    path.unlink() if text is None else path.write_text(text)
    assert import_both(over_base) == ""


def test_a_schema_without_updates_makes_every_module_that_the_page_names(
    tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = json.loads((ROOT / "schema.json").read_text(), object_hook=without_updates)
    monkeypatch.chdir(tmp_path)
    Path("plain.json").write_text(json.dumps(schema))
    Path("oak.json").write_text(json.dumps(vendor("oak")))
    with unformatted():
        assert run_cli("vendor", "base", "--schema", "plain.json", "--with", "all").code == 0
        assert run_cli("vendor", "more", "--schema", "plain.json", "--extend", "oak.json", "--on", "base").code == 0
    page = (ROOT / "docs/vendoring.md").read_text()
    names = set(re.findall(r"`weather\.(?:acp|extended)\.(\w+)`", page))
    assert names >= {"blocking", "testing"}
    code = "".join(f"import base.{name}, more.{name}\n" for name in sorted(names))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def without_updates(node: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in node.items() if key not in ("x-update", "x-updates")}
