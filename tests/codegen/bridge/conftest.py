"""The bridge between the published schemas of both versions, with the overlay of examples/bridge."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pytest

from codegen.bridge.bridge import Bridge, Problem
from codegen.bridge.command import read_bridge
from codegen.check.inputs import paired, tolerated
from codegen.contracts import plan as p
from codegen.document.read import read
from codegen.model.algebra.normal_form import WireForms
from tests.upstream import HERE as UPSTREAM
from tests.wire.instances import Instances

ROOT = Path(__file__).resolve().parents[3]
OVERLAY = ROOT / "examples/bridge/v1-v2.json"
SCHEMAS = (UPSTREAM / "current/schema.json", UPSTREAM / "current-v2/schema.json")


class Way(NamedTuple):
    """The conversion of one message in one direction, and the reverse."""

    name: str
    other: str
    forward: bool
    node: p.Node
    back: p.Node


class Published:
    """Both versions: their forms, values of their definitions, and the bridge."""

    def __init__(self) -> None:
        self.bridge: Bridge = read_bridge(*SCHEMAS, OVERLAY)
        sides = paired(*(tolerated(read(path)) for path in SCHEMAS))[:2]
        self.schemas = [side.schema for side in sides]
        self.forms = [WireForms(schema) for schema in self.schemas]
        self.instances = [Instances(json.loads(path.read_bytes())) for path in SCHEMAS]
        plan = self.bridge.plan
        self.directions = (plan.forward, plan.back)

    @cached_property
    def ways(self) -> list[Way]:
        """Each message in each direction."""
        found: list[Way] = []
        for here, there in ((0, 1), (1, 0)):
            methods = [{p.key_of(m.side, m.kind, m.path): m for m in schema.methods} for schema in self.schemas]
            for key, routes in self.directions[here].routes.items():
                for route in routes:
                    method = methods[here][key]
                    other_key = p.key_of(method.side, method.kind, route.method)
                    other = methods[there][other_key]
                    back = next(r for r in self.directions[there].routes[other_key] if r.method == method.path)
                    found.append(Way(method.params, other.params, here == 0, route.params, back.params))
                    if method.result and other.result and route.result and back.result:
                        found.append(Way(method.result, other.result, here == 0, back.result, route.result))
        return found

    def problems(self, way: Way) -> list[Problem]:
        """The rows of the table for a message in a direction."""
        return self._problems[(way.name, way.other) if way.forward else (way.other, way.name), way.forward]

    @cached_property
    def _problems(self) -> dict[tuple[tuple[str, str], bool], list[Problem]]:
        found: dict[tuple[tuple[str, str], bool], list[Problem]] = {}
        methods = [{m.path: m for m in schema.methods} for schema in self.schemas]
        for message in self.bridge.messages:
            if message.old and message.new:
                pair = methods[0][message.old], methods[1][message.new]
                ends = tuple((m.result if message.role == "response" else m.params) or "" for m in pair)
                found[ends, True], found[ends, False] = list(message.forward or ()), list(message.back or ())
        return found


@pytest.fixture(scope="session")
def published() -> Published:
    return Published()
