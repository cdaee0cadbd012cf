"""`annotate`: derive the annotation document for files without our keywords from a schema that has them.

Every action lists its prerequisites (`x-requires`): the steps of a gate, the properties of the handshake, the requests
of a table. If a file lacks them, the action is skipped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .contracts import locate, split
from .document.annotations import Annotated, annotated, is_bare, summary
from .document.json_types import is_json_array, is_json_object
from .document.overlay import FITS, REQUIRES, SIDE
from .document.read import Document, join, pointer_parts, read
from .document.walk import schemas
from .errors import InputError
from .load.schema import load
from .model.analysis.updates import ACTING, Rule, readings, rules
from .model.nodes.capabilities import steps
from .model.nodes.root import Listing
from .model.nodes.types import Reference, Schema

GATE = "x-capability"
NAME = "x-name"
CALL = "x-call"
IDEMPOTENT = "x-idempotent"
WAS = "x-was"
RFD = "x-rfd"
UPDATE = "x-update"
PEERS = ("agent", "client")
Json = dict[str, Any]


def annotate_file(path: Path, *, overlay: bool, note: Callable[[str], None]) -> str:
    """The text of a completed schema file. `overlay`: only the additions, as an extension document. If the file has our
    keywords, the overlay consists of these. Raises InputError or SchemaError.
    """
    document = annotated(read(path))
    if isinstance(document, Annotated):
        note(f"{path}: filled in from {document.annotations.document.name}: {summary(document)}")
        if not overlay:
            return json.dumps(document.value, indent=2, ensure_ascii=False) + "\n"
        whole: Json = document.annotations.document.value
        kept = {action.pointer for action in document.applied}
        actions = [a for index, a in enumerate(whole["actions"]) if f"/actions/{index}" in kept]
        return text_of({**whole, "actions": actions})
    if is_bare(document):
        raise InputError(str(path), "has no `x-` keywords, and no annotation document matches it (see docs/schema.md)")
    if overlay:
        return text_of(derive(document, load(document)[0]))
    note(f"{path}: the file already has the keywords, so nothing was added")
    return document.text.decode()


def derive(document: Document, schema: Schema, *, rfds: bool = False) -> Json:
    """The annotation document of a schema that has our keywords. `rfds`: include the RFDs, which are specific to one
    file.
    """
    return _Deriver(document, schema).overlay(rfds=rfds)


def text_of(overlay: Json) -> str:
    """An overlay as text, one action per line."""
    *head, _ = overlay
    lines = [f" {json.dumps(key)}: {json.dumps(overlay[key], ensure_ascii=False)}," for key in head]
    actions = ",\n".join(f"  {json.dumps(action, ensure_ascii=False)}" for action in overlay["actions"])
    return "\n".join(["{", *lines, ' "actions": [', actions, " ]", "}"]) + "\n"


class _Deriver:
    def __init__(self, document: Document, schema: Schema) -> None:
        self.schema, self.root = schema, document.value
        self.methods: dict[str, list[str]] = {}
        for method in schema.methods:
            self.methods.setdefault(method.path, []).append(method.pointer)

    def overlay(self, *, rfds: bool) -> Json:
        actions = [*self._handshake(), *self._root_keywords(), *self._gates()]
        if rfds:
            actions += self._rfds()
        handshake = self.schema.handshake
        fits = self._carriers() if handshake is not None else []
        version = str(handshake.version_number) if handshake is not None else "0"
        return {
            "overlay": "1.0.0",
            "info": {"title": f"{self.schema.title or 'A schema'}: annotations", "version": version},
            **({FITS: fits} if fits else {}),
            "actions": actions or [{"target": "$", "update": {}}],
        }

    # --- the root ------------------------------------------------------------------------------------------------------

    def _ends(self, side: str) -> list[str]:
        """The definitions in which a side sends its name and version."""
        handshake = self.schema.handshake
        opening = [m for m in self.schema.methods if handshake is not None and m.path == handshake.method]
        return [end for m in opening for end in [m.result if m.side == side else m.params] if end]

    def _carriers(self) -> list[str]:
        handshake = self.schema.handshake
        assert handshake is not None
        named = [(end, name) for side, name in handshake.capabilities.items() for end in self._ends(side)]
        return [pointer for end, name in named for pointer in self._property(end, name)]

    def _property(self, definition: str, name: str) -> list[str]:
        found = steps(self.schema, Reference(definition), (name,)) or ()
        return [field.pointer for field in found]

    def _handshake(self) -> Iterator[Json]:
        """The handshake without program names, which were added later and have their own actions."""
        handshake = self.schema.handshake
        if handshake is None:
            return
        ends = [end for side in PEERS for end in self._ends(side)]
        versions = [pointer for end in ends for pointer in self._property(end, handshake.version)]
        value: Json = {**self.root["x-handshake"], "info": {}}
        yield _action("$", {"x-handshake": value}, [*self._carriers(), *versions])
        for side, name in handshake.info.items():
            pointers = [pointer for end in self._ends(side) for pointer in self._property(end, name)]
            yield _action("$['x-handshake']['info']", {side: name}, pointers)

    def _root_keywords(self) -> Iterator[Json]:
        cancel, ordering = self.schema.cancel, self.schema.ordering
        if cancel is not None:
            methods = [m for m in self.schema.methods if m.path == cancel.method]
            pointers = [p for m in methods for p in self._property(m.params, cancel.property)]
            yield _action("$", {"x-cancel": self.root["x-cancel"]}, pointers)
        if ordering is None:
            return
        # Notifications are what is kept in order.
        methods = sorted(self.schema.methods, key=lambda m: (m.rfd is not None, m.kind == "request", m.params))
        first = [pointer for m in methods for pointer in self._property(m.params, ordering)][:1]
        yield _action("$", {"x-ordering": self.root["x-ordering"]}, first)
        table = self.root.get("x-sessions")
        if is_json_object(table):
            filled: dict[str, Any] = {key: [] if is_json_array(value) else value for key, value in table.items()}
            yield _action("$", {"x-sessions": {**filled, **({"turns": {}} if "turns" in table else {})}}, first)
            notes = self.methods.get(self.schema.updates.method if self.schema.updates else "", ())[:1]
            for path, ending in self.schema.sessions.turns.items() if self.schema.sessions else ():
                relied = [*first, *self.methods.get(path, ())[:1], *notes]
                yield _action("$['x-sessions'].turns", {path: dict(ending)}, relied)
            for key, paths in table.items():
                for path in paths if is_json_array(paths) else ():
                    yield _action(f"$['x-sessions'].{key}", path, [*first, *self.methods.get(path, ())[:1]])
        for path, listing in (self.schema.lists or {}).items():
            needed = self._of_list(path, listing)
            yield _action("$", {"x-lists": {path: self.root["x-lists"][path]}}, [*first, *needed])
        yield from self._interrupt(first)
        if self.schema.trace is not None:
            yield _action("$", {"x-trace": self.root["x-trace"]}, first)
        if self.schema.remote is not None:
            yield _action("$", {"x-remote": self.root["x-remote"]}, [*first, *self._carriers()])
        if (tunnel := self.schema.tunnel) is not None:
            named = [join("", "$defs", tunnel.direct), join("", "$defs", tunnel.http)]
            params = [m.params for m in self.schema.methods if m.path == tunnel.method]
            named += [join("", "$defs", name, "properties", tunnel.server) for name in params]
            yield _action("$", {"x-tunnel": self.root["x-tunnel"]}, [*first, *named])
        yield from self._helpers(first)
        yield from self._updates()

    def _of_list(self, path: str, listing: Listing) -> Iterator[str]:
        """The parts that a list depends on: the properties with the cursors."""
        for method in self.schema.methods:
            if method.path == path and method.result is not None:
                yield from self._property(method.params, listing.cursor)
                yield from self._property(method.result, listing.next)
                yield from (pointer for name in listing.equal for pointer in self._property(method.params, name))

    def _interrupt(self, first: list[str]) -> Iterator[Json]:
        interrupt = self.schema.interrupt
        if interrupt is not None:
            paths = (interrupt.method, *interrupt.requests, *interrupt.asked)
            needed = [pointer for path in paths for pointer in self.methods.get(path, ())[:1]]
            yield _action("$", {"x-interrupt": self.root["x-interrupt"]}, [*first, *needed])

    def _helpers(self, first: list[str]) -> Iterator[Json]:
        """The root keywords for helpers, each with the methods that it names."""
        permission, handles = self.schema.permission, self.schema.handles
        if permission is not None:
            needed = self.methods.get(permission.method, ())[:1]
            yield _action("$", {"x-permission": self.root["x-permission"]}, [*first, *needed])
        for name, handle in (handles or {}).items():
            paths = (handle.create, handle.release, handle.kill, handle.wait, handle.output)
            needed = [pointer for path in paths for pointer in self.methods.get(path, ())[:1]]
            yield _action("$", {"x-handles": {name: self.root["x-handles"][name]}}, [*first, *needed])

    def _updates(self) -> Iterator[Json]:
        """The effects of messages on session state, each with the properties and definitions that it names."""
        updates = self.schema.updates
        if updates is None:
            return
        method = self.methods.get(updates.method, [])[:1]
        yield _action("$", {"x-updates": self.root["x-updates"]}, method)
        table = rules(self.schema)
        needed = {rule.variant.pointer: self._needed(rule, table) for rule in table.values()}
        acting = (each for each in readings(self.schema) if each.update.does in ACTING)
        needed |= {each.field.pointer: self._needed(table[each.update.of], table) for each in acting}
        for pointer, node in self._nodes():
            if UPDATE in node:
                yield _action(self._target(pointer), {UPDATE: node[UPDATE]}, needed.get(pointer, []))

    def _needed(self, rule: Rule, table: Mapping[str, Rule]) -> list[str]:
        names = [rule.update.item, *(rule.update.key[:1] if rule.update.does != "append" else ())]
        found = [rule.fields[name].pointer for name in names if name]
        if rule.update.of:
            found.append(table[rule.update.of].fields[rule.update.to.partition(".")[0]].pointer)
        return [pointer for pointer in found if pointer.startswith("/$defs/") and "/oneOf/" not in pointer]

    # --- parts ---------------------------------------------------------------------------------------------------------

    def _gates(self) -> Iterator[Json]:
        sides = {m.pointer: PEERS if m.side == "both" else (m.side,) for m in self.schema.methods}
        for pointer, node in self._nodes():
            gate = node.get(GATE)
            if node.get(IDEMPOTENT) is True:
                yield _action(self._target(pointer), {IDEMPOTENT: True}, [])
            if WAS in node:
                yield _action(self._target(pointer), {WAS: node[WAS]}, [])
            for name in (NAME, CALL):
                if isinstance(node.get(name), str):
                    yield _action(self._target(pointer), {name: node[name]}, [])
            if gate is False:
                yield _action(self._target(pointer), {GATE: False}, [])
            elif isinstance(gate, str):
                receivers = sides.get(pointer, PEERS)
                requires = self._steps(gate, receivers)
                if requires:
                    side = {SIDE: receivers[0]} if len(receivers) == 1 else {}
                    yield {**_action(self._target(pointer), {GATE: gate}, requires), **side}

    def _steps(self, gate: str, receivers: tuple[str, ...]) -> list[str]:
        """The parts that a gate depends on; empty for an invalid gate."""
        handshake = self.schema.handshake
        for receiver in receivers:
            one, path = locate(gate, receiver)
            carried = handshake.capabilities.get(one) if handshake is not None else None
            for end in self._ends(one) if carried is not None else ():
                found = steps(self.schema, Reference(end), (carried or "", *split(path)))
                if found is not None:
                    return [field.pointer for field in found[1:]]
        return []

    def _rfds(self) -> Iterator[Json]:
        if "x-rfds" in self.root:
            yield _action("$", {"x-rfds": self.root["x-rfds"]}, [])
        for pointer, node in self._nodes():
            if isinstance(node.get(RFD), str):
                yield _action(self._target(pointer), {RFD: node[RFD]}, [])

    def _nodes(self) -> Iterator[tuple[str, Json]]:
        yield from schemas(self.root["$defs"], "/$defs", "schemas")

    def _target(self, pointer: str) -> str:
        """The JSONPath of a part. Variants and values are selected by their discriminator, because their order may
        change.
        """
        target = "$"
        node: Any = self.root
        for part in pointer_parts(pointer):
            within: Any = node
            node = within[int(part) if is_json_array(within) else part]
            if is_json_array(within):
                target += _label(node) or f"[{part}]"
            else:
                target += "['anyOf', 'oneOf']" if is_json_array(node) and part in UNIONS else f"[{_text(part)}]"
        return target


UNIONS = ("anyOf", "oneOf")


def _action(target: str, update: Any, requires: list[str]) -> Json:
    return {"target": target, **({REQUIRES: list(dict.fromkeys(requires))} if requires else {}), "update": update}


def _label(variant: Any) -> str:
    """The filter that selects a variant or value; empty if none is unique."""
    if not is_json_object(variant):
        return ""
    if "const" in variant:
        return f"[?@.const == {_text(variant['const'])}]"
    properties = variant.get("properties")
    constants = [
        f"@.properties[{_text(name)}].const == {_text(node['const'])}"
        for name, node in (properties.items() if is_json_object(properties) else ())
        if is_json_object(node) and "const" in node
    ]
    if constants:
        return f"[?{' && '.join(constants)}]"
    reference = variant.get("$ref")
    if isinstance(reference, str):
        return f"[?@['$ref'] == {_text(reference)} || @.allOf[0]['$ref'] == {_text(reference)}]"
    return f"[?@.title == {_text(variant['title'])}]" if isinstance(variant.get("title"), str) else ""


def _text(value: Any) -> str:
    """A constant in JSONPath syntax."""
    if not isinstance(value, str):
        return json.dumps(value)
    return "'" + json.dumps(value)[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"
