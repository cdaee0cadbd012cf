"""Messages to send: examples, messages generated from a seed, and messages with a single error."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import acp_generated as acp

from .codegen_api import (
    Handshake,
    InputError,
    Protocol,
    Smallest,
    WireForms,
    default_schema,
    locate,
    resource,
    says_yes,
)
from .json_types import is_json_object

_WRONG: tuple[Any, ...] = (5, [], {"probe": True}, "probe")


@lru_cache(maxsize=4)
def protocol(path: Path | None = None, extend: tuple[Path, ...] = (), *, tolerant: bool = False) -> Protocol:
    """A schema with extensions, by default the protocol's own, loaded once per process. Raises CodegenError if it
    cannot be loaded.
    """
    return Protocol.read(path or default_schema(), extend, tolerant=tolerant)


def opening(rules: Protocol) -> Handshake:
    """The handshake that opens connections of a schema. Raises InputError if it does not say so."""
    found = rules.schema.handshake
    if found is None:
        raise InputError("--schema", "has no `x-handshake`: the probe needs it to open connections")
    return found


@lru_cache(maxsize=256)
def _examples(side: str, path: str, kind: str) -> tuple[tuple[str, str], ...]:
    folder = resource("examples/messages") / side / path
    found = sorted(folder.glob(f"*.{kind}.json"), key=lambda file: (file.stem != f"minimal.{kind}", file.name))
    return tuple((file.name.removesuffix(f".{kind}.json"), file.read_text(encoding="utf-8")) for file in found)


def examples(side: str, path: str, kind: str) -> list[tuple[str, Any]]:
    """The examples for a method, with their names, the shortest first."""
    return [(name, json.loads(text)) for name, text in _examples(side, path, kind)]


def valid_messages(rules: Protocol, side: str, path: str, definition: str) -> list[Any]:
    """The examples of requests that are valid in a schema, or else a minimal value; empty if there is none."""
    found = [value for _, value in examples(side, path, "request") if rules.valid(definition, value)]
    if found:
        return found
    smallest = Smallest(WireForms(rules.schema)).value(rules.schema.definitions[definition].type)
    return [] if smallest is None else [copy.deepcopy(smallest.value)]


@lru_cache(maxsize=256)
def _generated(name: str, seed: int, count: int) -> tuple[str, ...]:
    if not count or not hasattr(acp, name):
        return ()
    from hypothesis import HealthCheck, Phase, given, settings  # noqa: PLC0415  # takes its time
    from hypothesis import seed as seeded  # noqa: PLC0415

    # In a checkout the package has another name, under which its modules are loaded already.
    messages = import_module(f"{acp.__name__}.testing").messages
    found: list[str] = []

    @seeded(seed)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
    @given(messages(getattr(acp, name)))
    def collect(value: Any) -> None:
        found.append(json.dumps(acp.to_dict(value)))

    collect()
    return tuple(found[:count])


def generated(name: str, seed: int, count: int) -> list[Any]:
    """Generated values of a type. The same seed gives the same values."""
    return [json.loads(text) for text in _generated(name, seed, count)]


def fitted(params: Any, cwd: str, session: str | None) -> Any:
    """Change params so that they are harmless: they refer to the probe's directory and session, and start no servers."""
    if not is_json_object(params):
        return params
    safe: Mapping[str, Any] = {"cwd": cwd, "mcpServers": [], "additionalDirectories": []}
    found = {name: safe.get(name, value) for name, value in params.items()}
    if session is not None and "sessionId" in found:
        found["sessionId"] = session
    return found


def says(capabilities: Mapping[str, Any], gate: tuple[str, str, Any]) -> bool:
    """Return whether capabilities advertise a resolved gate."""
    return says_yes(capabilities, gate[1], gate[2])


def needs(rules: Protocol, definition: str, value: Any, side: str) -> list[str]:
    """The capabilities of the receiver that a value requires."""
    gates = [use.gate for use in rules.walker.uses(definition, value) if use.kind == "gated"]
    return [gate for gate in gates if locate(gate, side)[0] == side and rules.gate(side, gate) is not None]


def permitted(rules: Protocol, definition: str, value: Any, side: str, capabilities: Mapping[str, Any]) -> bool:
    """Return whether the receiver advertises everything that a value requires."""
    gates = (rules.gate(side, gate) for gate in needs(rules, definition, value, side))
    return all(gate is None or says(capabilities, gate) for gate in gates)


def wrong(rules: Protocol, tolerant: Protocol, definition: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Invalid params with labels: a required property is missing or has another type. Tolerant readers also reject
    them.
    """
    if not is_json_object(value):
        return
    for name in value:
        without = {key: kept for key, kept in value.items() if key != name}
        if not rules.valid(definition, without) and not tolerant.valid(definition, without):
            yield f"without {name}", without
            for other in _WRONG:
                changed = {**copy.deepcopy(value), name: other}
                if not rules.valid(definition, changed) and not tolerant.valid(definition, changed):
                    yield f"with {name} = {json.dumps(other)}", changed
                    break
