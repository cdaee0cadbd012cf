"""Each planted fault is found, and nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import acp_generated as acp
from acp_tools.probe.context import Settings
from acp_tools.probe.results import Status
from acp_tools.probe.runner import Outcome, examine
from tests.support.sampling import exhaustive

from . import plant_frames, plant_stored, plant_turns, plant_wire
from .catalogue import Fault
from .instant import run_instantly
from .memory import InMemory
from .plant_clients import CATALOGUE as CLIENTS
from .plants import CATALOGUE, QUIET, Plant, before
from .plants import result as change_result
from .sound import Rpc, Sound
from .test_clients import probed as probed_client

EXTENSION = Path(__file__).resolve().parents[3] / "examples" / "extensions" / "sandboxagent.json"
QUICK = Settings(count=2, bound=1e9, depth=0)
STORED = Settings(count=2, bound=1e9, depth=1e9, walks=0)
"""For faults of what is stored, which sequences of actions find."""
ALWAYS = {"prompt/second", "sequences"}
"""What is worth knowing of the sound agent."""


def probed(plant: Plant = lambda agent: None, how: Settings = QUICK) -> Outcome:
    return run_instantly(examine(InMemory(plant), how))


def failures(outcome: Outcome) -> set[str]:
    return {result.requirement.id for result in outcome.sheet.of(Status.FAIL)}


def test_nothing_is_found_in_the_sound_agent() -> None:
    outcome = probed(how=STORED)
    assert failures(outcome) == set()
    assert set(outcome.sheet.notices) == ALWAYS
    assert outcome.sheet.of(Status.UNREACHABLE) == []


def test_an_answer_of_another_version_is_not_judged_by_the_schema_of_this_one() -> None:
    def speaks_another(params: dict[str, Any], answer: Any) -> Any:
        if params["protocolVersion"] == 1:
            return answer
        return {"protocolVersion": 2, "info": {"name": "sound", "version": "1"}, "capabilities": {"session": {}}}

    assert failures(probed(lambda agent: change_result(agent, "initialize", speaks_another))) == set()


@pytest.mark.parametrize("refuses", [False, True], ids=["answers the older form", "refuses the older form"])
def test_an_agent_of_the_next_version_alone_is_not_accused_and_everything_is_skipped(refuses: bool) -> None:
    def plant(agent: Sound) -> None:
        def only_new(params: dict[str, Any]) -> None:
            if refuses and "info" not in params:
                raise Rpc(-32602)

        before(agent, "initialize", only_new)
        new = {"protocolVersion": 2, "info": {"name": "sound", "version": "1"}, "capabilities": {}}
        change_result(agent, "initialize", lambda params, answer: new)

    outcome = probed(plant)
    assert failures(outcome) == set()
    assert outcome.facts.unprobed == "the agent speaks version 2, the schema describes version 1: name another --schema"
    assert outcome.sheet.notices == {"handshake/version": outcome.facts.unprobed}
    assert outcome.sheet.results["session/new"].reason == outcome.facts.unprobed


def test_the_property_that_http_adds_to_the_handshake_is_declared_by_the_transport() -> None:
    def answers(name: str) -> set[str]:
        return failures(
            probed(lambda agent: change_result(agent, "initialize", lambda _, answer: {**answer, name: "x"}))
        )

    assert answers("connectionId") == set()
    assert answers("anotherId") == {"schema/undeclared"}


def test_what_an_extension_sends_is_judged_by_its_document() -> None:
    params = {"sessionId": 7}
    frame = {"jsonrpc": "2.0", "method": "_sandboxagent/session/ended", "params": params}

    def ends_wrongly(agent: Sound) -> None:
        before(agent, QUIET, lambda _: agent.send(frame))

    assert failures(probed(ends_wrongly)) == set()
    extended = Settings(count=2, bound=1e9, depth=0, extend=(EXTENSION,))
    assert failures(run_instantly(examine(InMemory(ends_wrongly), extended))) == {"schema/params"}


@pytest.mark.parametrize("fault", exhaustive(CATALOGUE, stay=CATALOGUE[::10]), ids=[fault.name for fault in CATALOGUE])
def test_a_planted_fault_is_found_and_nothing_else(fault: Fault[Sound]) -> None:
    outcome = probed(fault.plant, STORED if any(id_.startswith("load/") for id_ in fault.fails) else QUICK)
    told = {f"-{id_}" if "accepts a second" in text else id_ for id_, text in outcome.sheet.notices.items()}
    assert (failures(outcome), told - ALWAYS) == (fault.fails, fault.tells)
    for result in outcome.sheet.of(Status.FAIL):
        assert result.findings, "a finding says what happened"
        assert all(finding.frames for finding in result.findings), "and shows the frames"


def test_the_catalogue_is_of_many_kinds_and_no_name_is_there_twice() -> None:
    assert len(CATALOGUE) >= 60
    assert len({fault.name for fault in CATALOGUE}) == len(CATALOGUE)
    assert len({id_ for fault in CATALOGUE for id_ in fault.fails}) >= 60
    modules = (plant_frames, plant_stored, plant_turns, plant_wire)
    assert {fault.plant.__module__ for fault in CATALOGUE} == {module.__name__ for module in modules}


def test_the_page_lists_every_planted_fault() -> None:
    page = Path(__file__).with_name("PLANTED.md").read_text(encoding="utf-8")
    for fault in (*CATALOGUE, *CLIENTS):
        rows = [line for line in page.splitlines() if line.startswith(f"| {fault.name} |")]
        ids = (*fault.fails, *fault.tells)
        assert any(all(f"`{id_}`" in row for id_ in ids) for row in rows), fault.name
    assert f"plant {len(CATALOGUE)} faults" in page
    assert f"And {len(CLIENTS)} in a client" in page


def test_what_the_schema_says_a_probe_covers_is_judged_by_one() -> None:
    judged = {r.requirement.id for r in probed().sheet.of(Status.PASS)}
    judged |= {r.requirement.id for r in probed_client().sheet.of(Status.PASS)}
    judged |= {id_ for fault in CATALOGUE for id_ in fault.fails}
    # Another test may have imported a package that adds a vendor's requirements to these.
    known = {id_: row for id_, row in acp.methods.requirements().items() if not id_.startswith("_")}
    said = {id_ for id_, row in known.items() if row.covered.probes}
    assert said - judged == set()
    of_rfds = {id_ for id_ in judged if id_ in known}
    assert of_rfds - said == set()
    planted = {id_ for fault in (*CATALOGUE, *CLIENTS) for id_ in fault.fails}
    assert said - planted == set(), "a probe that nothing fails proves nothing"
