"""The request that opens a connection may come from either side: the schema says which side implements it."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from codegen.document.read import parse
from codegen.load.schema import load
from codegen.validate.results.summary import Summary
from codegen.validate.sources.transcripts import read_transcript
from codegen.validate.values.schema import Protocol

from .support import ids

NUMBER = {"type": "integer"}


def schema(answering: str) -> dict[str, Any]:
    """A protocol that `answering` is asked to open: each side has one call, which it advertises."""
    asking = "client" if answering == "agent" else "agent"

    def half(side: str) -> dict[str, Any]:
        can = {"type": "object", "properties": {"draw": {"type": "object", "properties": {}}}}
        return {
            "type": "object",
            "properties": {"version": NUMBER, f"{side}Can": can},
            "x-method": "hello",
            "x-side": answering,
        }

    def call(name: str, side: str) -> dict[str, Any]:
        node = {"type": "object", "properties": {}, "x-method": f"{side}/draw", "x-side": side}
        return {f"{name}Request": {**node, "x-capability": "draw"}, f"{name}Response": node}

    return {
        "x-handshake": {
            "method": "hello",
            "versionNumber": 1,
            "version": "version",
            "capabilities": {"agent": "agentCan", "client": "clientCan"},
            "info": {},
        },
        "$defs": {
            "HelloRequest": half(asking),
            "HelloResponse": half(answering),
            **call("AgentDraw", "agent"),
            **call("ClientDraw", "client"),
        },
    }


def found(answering: str, *, asked: Any, answer: Any, calls: str) -> list[str]:
    """The rules that a call of a side trips, in a connection that `answering` was asked to open."""
    asking = "client" if answering == "agent" else "agent"
    caller = "client" if calls == "agent" else "agent"
    frames = [
        (f"{asking}-to-{answering}", {"id": 0, "method": "hello", "params": asked}),
        (f"{answering}-to-{asking}", {"id": 0, "result": answer}),
        (f"{caller}-to-{calls}", {"id": 1, "method": f"{calls}/draw"}),
        (f"{calls}-to-{caller}", {"id": 1, "result": {}}),
    ]
    lines = [json.dumps({"t": 1, "dir": way, "msg": {"jsonrpc": "2.0", **frame}}) for way, frame in frames]
    document = parse(json.dumps(schema(answering)).encode(), "s.json")
    findings: list[Any] = []
    read_transcript(
        io.BytesIO("\n".join(lines).encode()),
        "t",
        Protocol(document, load(document)[0]),
        Summary(),
        findings.append,
    )
    return ids(findings)


@pytest.mark.parametrize("answering", ["agent", "client"])
@pytest.mark.parametrize("calls", ["agent", "client"])
def test_what_a_side_advertises_counts_wherever_it_stands(answering: str, calls: str) -> None:
    asking = "client" if answering == "agent" else "agent"
    able = {f"{calls}Can": {"draw": {}}}
    halves = {asking: {"version": 1}, answering: {"version": 1}}
    closed = found(answering, asked=halves[asking], answer=halves[answering], calls=calls)
    halves[calls] = {"version": 1, **able}
    opened = found(answering, asked=halves[asking], answer=halves[answering], calls=calls)
    assert (closed, opened) == (["not-advertised"], [])


@pytest.mark.parametrize("answering", ["agent", "client"])
def test_the_version_of_the_answer_is_that_which_was_asked_for(answering: str) -> None:
    assert found(answering, asked={"version": 2}, answer={"version": 1}, calls=answering)[0] == "version-mismatch"
