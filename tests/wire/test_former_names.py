"""A method that became standard keeps the name that it had as an extension (`x-was`): both ends of each age understand each other."""

from __future__ import annotations

import asyncio
import io
import json
import socket
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from codegen.document.read import parse
from codegen.findings.finding import Finding
from codegen.load.schema import load
from codegen.upgrade.api_diff import effects
from codegen.upgrade.interface import interface
from codegen.validate.results.summary import Summary
from codegen.validate.sources.transcripts import read_transcript
from codegen.validate.values.schema import Protocol

from .packages import make_package

ROOT = Path(__file__).parents[2]
SLEEP, SLEPT = "session/sleep", "session/slept"
TOLD = {"old": "zz_slept", "new": "slept"}
CALLS = {"old": "zz_sleep", "new": "sleep"}


def _methods(prefix: str, name: str, gates: tuple[str, str], was: bool) -> dict[str, Any]:
    """A request to the agent and a notification to the client, as definitions. `gates`: what opens each."""

    def node(path: str, side: str, **more: Any) -> dict[str, Any]:
        former = {"x-was": f"_zz/{path}"} if was and "x-capability" in more else {}
        return {"type": "object", "x-side": side, "x-method": prefix + path, **more, **former}

    session = {"properties": {"sessionId": {"$ref": "#/$defs/SessionId"}}, "required": ["sessionId"]}
    return {
        f"{name}Request": node(SLEEP, "agent", **{"x-capability": gates[0]}, **session),
        f"{name}Response": node(SLEEP, "agent", properties={"seconds": {"type": "integer"}}),
        f"{name.replace('Sleep', 'Slept')}Notification": node(SLEPT, "client", **{"x-capability": gates[1]}, **session),
    }


def document(*, old: bool) -> dict[str, Any]:
    """The protocol with a vendor's extension, or with the standard methods that it became."""
    found: dict[str, Any] = json.loads((ROOT / "schema.json").read_text(encoding="utf-8"))
    definitions = found["$defs"]
    flag: dict[str, Any] = {"type": "object", "properties": {}}
    for side, name in (("Agent", "sleep"), ("Client", "slept")):
        capabilities = definitions[f"{side}Capabilities"]["properties"]
        if old:
            own: dict[str, Any] = {
                "type": "object",
                "properties": {"zz": {"type": "object", "properties": {name: flag}}},
            }
            capabilities["_meta"] = {"type": ["object", "null"], "additionalProperties": True, **own}
        else:
            capabilities[name] = flag
    gates = ("_meta.zz.sleep", "_meta.zz.slept") if old else ("sleep", "slept")
    definitions.update(_methods("_zz/" if old else "", "ZzSleep" if old else "Sleep", gates, was=not old))
    return found


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ModuleType]:
    folder = tmp_path_factory.mktemp("former")
    return {age: make_package(document(old=age == "old"), folder, f"acp_{age}_name") for age in ("old", "new")}


def ends(packages: dict[str, ModuleType], age: str, heard: list[str]) -> tuple[Any, Any]:
    """An agent and a client of one age that implement the methods."""
    acp: Any = packages[age]

    async def sleep(self: Any, params: Any) -> Any:
        heard.append(f"agent {params.session_id}")
        await getattr(self.client, TOLD[age])(session_id=params.session_id)
        return getattr(acp, "ZzSleepResponse" if age == "old" else "SleepResponse")(seconds=8)

    async def new_session(_: Any, params: Any) -> Any:  # any session will do
        return acp.NewSessionResponse(session_id="sess_1")

    async def slept(_: Any, params: Any) -> None:
        heard.append(f"client {params.session_id}")

    return type("Sleeper", (acp.Agent,), {CALLS[age]: sleep, "new_session": new_session})(), type(
        "Watcher", (acp.Client,), {TOLD[age]: slept}
    )()


@pytest.fixture(scope="module", params=product(("old", "new"), repeat=2), ids="-".join)
def talk(
    request: pytest.FixtureRequest, packages: dict[str, ModuleType]
) -> tuple[bool, list[str], list[tuple[str, bytes]]]:
    """What handlers heard and what was sent, between an agent of one age and a client of another. First: whether either is old."""
    heard: list[str] = []
    sent: list[tuple[str, bytes]] = []
    theirs, ours = request.param
    agent, _ = ends(packages, theirs, heard)
    _, client = ends(packages, ours, heard)
    one, two = socket.socketpair()

    def note(direction: str, frame: bytes) -> None:
        sent.append((direction, frame))

    async def main() -> None:
        streams = [await asyncio.open_connection(sock=each) for each in (one, two)]
        asked: Any = packages[ours].ClientSideConnection(client, *streams[0], on_frame=note)
        async with packages[theirs].AgentSideConnection(agent, *streams[1]), asked as connection:
            await connection.initialize()
            await connection.new_session(cwd="/", mcp_servers=[])
            answer = await getattr(connection, CALLS[ours])(session_id="sess_1")
            assert answer.seconds == 8

    asyncio.run(main())
    return "old" in (theirs, ours), heard, sent


def test_requests_and_notifications_arrive_whatever_the_age_of_the_peer(
    talk: tuple[bool, list[str], list[tuple[str, bytes]]],
) -> None:
    assert talk[1] == ["agent sess_1", "client sess_1"]


def test_a_call_uses_the_name_that_the_peer_advertises(talk: tuple[bool, list[str], list[tuple[str, bytes]]]) -> None:
    former, _, sent = talk
    named = [json.loads(frame).get("method") for _, frame in sent]
    prefix = "_zz/" if former else ""
    assert [name for name in named if name not in ("initialize", "session/new", None)] == [
        prefix + SLEEP,
        prefix + SLEPT,
    ]


def test_the_validator_knows_both_names_and_both_gates(talk: tuple[bool, list[str], list[tuple[str, bytes]]]) -> None:
    found: list[Finding] = []
    schema = parse(json.dumps(document(old=False)).encode(), "s.json")
    lines = [json.dumps({"t": 1, "dir": way, "msg": json.loads(frame)}) for way, frame in talk[2]]
    text, summary = io.BytesIO("\n".join(lines).encode()), Summary()
    read_transcript(text, "t", Protocol(schema, load(schema)[0]), summary, found.append)
    # An old peer advertises in `_meta` what the new schema does not declare there.
    assert [finding.message for finding in found] == []


def test_a_plan_says_that_the_name_changed_and_both_are_served() -> None:
    rows = [
        'Method(side="agent", method="_zz/session/sleep", kind="request", python_name="zz_sleep")',
        'Method(side="agent", method="session/sleep", kind="request", python_name="sleep", former="_zz/session/sleep")',
    ]
    before, after = (interface({"methods.py": row}) for row in rows)
    (text,) = {effect.text for effect in effects(before, after)}
    assert text.startswith("_zz/session/sleep of the agent is now session/sleep; both names are served")
    assert text.endswith("zz_sleep was renamed to sleep")
    assert effects(after, after) == []
