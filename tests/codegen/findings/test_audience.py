"""Whom a break affects, and what that asks of the version of the protocol."""

from __future__ import annotations

import pytest

from codegen.check.impact.severity import BROKEN, Circumstances, judge
from codegen.findings.audience import Needs, affected, release
from codegen.findings.finding import DIRECTIONS, Category, Finding, Level, Place
from codegen.findings.review import _MOST, _sentence
from codegen.findings.rule import Effect

OLD_CLIENTS = "new agents reading from released clients"
OLD_AGENTS = "released agents reading from new clients"


def finding(*breaks: str, level: Level = Level.error, **more: object) -> Finding:
    place = Place("schema.json", 1, 1)
    known = {"id": "x", "category": Category.WIRE, "pointer": "", "place": place, "message": "", "instead": ""}
    return Finding(level=level, breaks=breaks, **{**known, **more})  # type: ignore[arg-type]


def test_who_breaks_is_the_released_one_of_the_two() -> None:
    assert affected(finding(OLD_CLIENTS)) == ("client",)
    assert affected(finding(OLD_AGENTS)) == ("agent",)
    assert affected(finding(OLD_AGENTS, OLD_CLIENTS)) == ("client", "agent")
    assert affected(finding()) == ()


@pytest.mark.parametrize("effect", BROKEN, ids=lambda effect: effect.name)
def test_whatever_breaks_affects_somebody(effect: Effect) -> None:
    for direction in DIRECTIONS:
        found = judge(effect, direction, Circumstances())
        assert affected(finding(*found.breaks))


VERDICTS = {
    "a break of agents": (
        [finding(OLD_AGENTS)],
        "needs another protocol version for agents; next minor for clients",
    ),
    "a break of clients": (
        [finding(OLD_CLIENTS), finding(OLD_AGENTS, level=Level.warning)],
        "needs another protocol version for clients; next minor for agents",
    ),
    "a break of both": (
        [finding(OLD_CLIENTS, OLD_AGENTS)],
        "needs another protocol version, for clients and for agents",
    ),
    "an error that names nobody": ([finding()], "needs another protocol version, for clients and for agents"),
    "warnings": ([finding(OLD_AGENTS, level=Level.warning)], "next minor"),
    "a draft that will break": (
        [finding(OLD_AGENTS, level=Level.info, completed=Level.error)],
        "next minor; once the RFDs are completed: needs another protocol version for agents; next minor for clients",
    ),
    "an accepted break": (
        [finding(OLD_AGENTS, level=Level.info, accepted="why"), finding(level=Level.info)],
        "next minor (1 accepted break not listed)",
    ),
}


@pytest.mark.parametrize(("findings", "expected"), VERDICTS.values(), ids=VERDICTS)
def test_the_version_that_findings_ask_for(findings: list[Finding], expected: str) -> None:
    assert str(release(findings)) == expected


def test_where_nothing_changed_on_the_wire_nothing_is_said_of_the_version() -> None:
    assert release([finding(category=Category.LINT), finding(category=Category.SOURCE)]) is None


def test_what_was_not_compared_is_not_promised() -> None:
    assert str(release([finding(level=Level.info)], whole=False)) == "next minor, as far as compared"


def test_where_the_version_is_another_one_already_that_is_said() -> None:
    found = release([finding(OLD_AGENTS, OLD_CLIENTS)], numbers=(1, 2))
    assert str(found) == (
        "needs another protocol version, for clients and for agents; the version number already changed from 1 to 2 "
        "(--next-version lists what peers must migrate)"
    )
    assert str(release([finding(OLD_AGENTS, OLD_CLIENTS)], numbers=(1, 1))).endswith("for clients and for agents")
    assert str(release([finding(level=Level.info)], numbers=(1, 2))) == "next minor"


def test_each_peer_has_a_verdict_of_its_own() -> None:
    found = release([finding(OLD_AGENTS)])
    assert found is not None
    assert found.now == {"client": Needs.MINOR, "agent": Needs.VERSION}


@pytest.mark.parametrize(("count", "end"), [(_MOST, "."), (_MOST + 3, "; and 3 more.")])
def test_a_note_counts_the_findings_that_it_leaves_out(count: int, end: str) -> None:
    findings = [finding(message=f"m{n}") for n in range(count)]
    messages = "; ".join(f"m{n}" for n in range(_MOST))
    assert _sentence("Breaks", findings) == [f"Breaks: {messages}{end}"]
