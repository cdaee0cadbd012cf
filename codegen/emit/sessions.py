"""Classes for one session on either side: a method for each update, entry, handle and call that names the session."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, ClassVar

from .. import diagnostics
from ..contracts import AgentSessionBase, ClientSessionBase
from ..document.read import join
from ..model.naming.leaves import ShapeError
from ..model.naming.wire_names import attribute_name, snake
from ..model.nodes.types import Reference, Schema, String
from ..shape.method_table import Row, leaves, parameters
from ..shape.public import PEERS
from ..shape.shapes import Attribute, Record, Shapes
from .handles import entries_of
from .kinds import Identifier, identifiers
from .models import stage_note, stage_of
from .permissions import permissions_context
from .session_choices import choices_of
from .session_openings import AGENT, CLIENT, key_type, row_key, update_row
from .signatures import blocks_hint, content_helper, forms_of, helpers, ordered, overloads, parameter, sentence, text_of
from .text import docstring, literal
from .type_hints import hint


def sessions_context(
    table: tuple[Row, ...],
    schema: Schema,
    shapes: Shapes,
    stubs: Callable[[str], dict[str, Any]],
    own: Collection[Row] | None = None,
) -> dict[str, Any]:
    """The context of the template of `sessions.py`, for a schema that defines sessions.

    `stubs`: the context of a side's module, whose calls, entries and handles the session has. `own`: the rows of an
    extension package, whose classes have methods only for these.
    """
    names = {row.python_name for row in (table if own is None else own)}
    agent = AgentSide(table, schema, shapes, stubs(PEERS[0])).context(names)
    client = ClientSide(table, schema, shapes, stubs(PEERS[1]))
    return {
        "agent": agent,
        "client": client.context(names) if client.exists else None,
        "texts": [*helpers(shapes)],
        "models": identifiers({*shapes.records, *shapes.choices, *shapes.aliases}),
        "base_models": [],
    }


def short_name(python_name: str, schema: Schema) -> str:
    """The name of a call as a method of a session, without the word for the session itself."""
    noun = snake(schema.ordering or "").removesuffix("_id")
    words = [word for word in python_name.split("_") if word != noun]
    short = "_".join(words)
    return short if short.isidentifier() and words != [] else python_name


class _Side:
    """The session on one side."""

    name: ClassVar[str]
    base: ClassVar[type]
    fixed: ClassVar[tuple[str, ...]]
    """The methods and attributes that the template adds to every session class."""

    def __init__(self, table: tuple[Row, ...], schema: Schema, shapes: Shapes, stubs: dict[str, Any]) -> None:
        self.table, self.schema, self.shapes, self.stubs = table, schema, shapes, stubs
        assert schema.ordering is not None
        self.key = attribute_name(schema.ordering)
        self.by_name = {call["name"]: call for call in stubs["calls"]}
        self.note = update_row(PEERS[1], table, schema, shapes)
        """The notification that carries updates."""
        self.places: dict[str, str] = {}
        """The place in the schema from which each method is derived."""

    def common(self) -> dict[str, Any]:
        """The context that the classes of both sides share."""
        return {
            "class": Identifier(self.name),
            "connection": self.stubs["connection"],
            "peer": self.stubs["callee"],
            "key": Identifier(self.key),
            "key_type": key_type(self.key, self.table, self.shapes),
            "note": self._note(),
        }

    def _note(self) -> dict[str, Any] | None:
        if self.note is None or self.schema.updates is None:
            return None
        attribute = self._attribute_of_updates(self.note)
        return {
            "params": Identifier(self.note.method.params),
            "row": row_key(self.note),
            "part": Identifier(attribute.name),
            "union": hint(attribute.type),
        }

    def _attribute_of_updates(self, note: Row) -> Attribute:
        assert self.schema.updates is not None
        wire = self.schema.updates.property
        return next(a for a in self.shapes.records[note.method.params].attributes if a.wire == wire)

    def calls(self) -> Iterator[tuple[Row, dict[str, Any]]]:
        """The calls to the other side whose params name the session, as methods without the id."""
        for row in self.table:
            if row.side == self.stubs["callee"] and row != self.note:
                record = parameters(row, self.shapes)
                forms = [leaf for leaf in leaves(row, self.shapes) if self._named(leaf.record)]
                if forms or (record is not None and self._named(record)):
                    self.places[short_name(row.python_name, self.schema)] = row.method.pointer
                    yield row, self._call(row, record, forms_of(forms, self.shapes, without=self.key))

    def _named(self, record: Record) -> bool:
        """Return whether a record names the session."""
        return any(a.name == self.key and a.field.required for a in record.attributes)

    def _call(self, row: Row, record: Record | None, forms: list[dict[str, Any]]) -> dict[str, Any]:
        call, ways = self.by_name[row.python_name], overloads(forms)
        text = f"{sentence(row.description)} Raises the errors of `{self.stubs['connection']}.{row.python_name}`."
        return {
            **call,
            **(self.given(record, self.key) if record is not None else _led(ways[0])),
            "whole": None,
            "forms": forms,
            "overloads": ways,
            "name": Identifier(short_name(row.python_name, self.schema)),
            "call": call["name"],
            "docstring": docstring(text + stage_note(row.method.rfd, self.schema), 8),
        }

    def given(self, record: Record, key: str | None = None, drawn: str | None = None) -> dict[str, Any]:
        """The parameters for the attributes of a record, without the key. `drawn`: attributes with a generated
        default.
        """
        content = next((a for a in record.attributes if text_of(a.type, self.shapes)), None)
        found: list[dict[str, Any]] = []
        for attribute in ordered(record):
            if attribute.name == key:
                continue
            is_drawn = attribute.name == drawn and isinstance(self.schema.resolve(attribute.type), String)
            given = {**parameter(attribute, self.shapes, optional=is_drawn), "drawn": is_drawn, "blocks": None}
            if attribute is content:
                given |= {"type": blocks_hint(attribute.type), "blocks": content_helper(attribute.type, self.shapes)}
            found.append(given)
        found.sort(key=lambda it: bool(it["optional"]))
        spread = next((it for it in found if it["blocks"] and not it["array"]), None)
        return {**_led(found), "spread": spread}

    def refuse_clashes(self, methods: Iterable[Mapping[str, Any]]) -> None:
        """Raise ShapeError for a method name that is used twice or already taken by the class."""
        names = [method["name"] for method in methods]
        for name in names:
            if name in (*dir(self.base), *self.fixed, self.stubs["callee"]) or names.count(name) > 1:
                problem = f"`{self.name}.{name}` is taken: write `x-call` on the variant of the update"
                raise ShapeError(self.places.get(name, ""), problem, diagnostics.COLLISION)


class AgentSide(_Side):
    """The session on the agent's side."""

    name = AGENT
    base = AgentSessionBase
    fixed = ("id", "send")

    def context(self, own: Collection[str]) -> dict[str, Any]:
        """The context of the template for the class."""
        updates = [*self._updates()]
        calls = [call for _, call in self.calls()]
        handles = [
            {**it, "parameters": [p for p in it["parameters"] if p["name"] != self.key]} for it in self.stubs["handles"]
        ]
        entries: list[dict[str, Any]] = [update["entry"] for update in updates if update["entry"]]
        asks = self._asks()
        self.refuse_clashes([*updates, *calls, *handles, *([asks] if asks else [])])
        return {
            **self.common(),
            "updates": updates,
            "asks": asks,
            "calls": [it for it in calls if it["call"] in own],
            "handles": [it for it in handles if it["create"] in own],
            "classes": identifiers(str(each["class"]) for each in [*entries, *handles]),
        }

    def _asks(self) -> dict[str, Any] | None:
        """The permission request as a method, with an entry or its subject as argument."""
        found, said = permissions_context(self.schema, self.shapes), self.schema.permission
        row = next(
            (r for r in self.table if said and (r.side, r.method.path) == (self.stubs["callee"], said.method)), None
        )
        if found is None or said is None or row is None:
            return None
        subject = next(a for a in self.shapes.records[row.method.params].attributes if a.wire == said.subject)
        entries = entries_of(self.stubs["callee"], self.table, self.schema, self.shapes)
        option = self.shapes.records[found["option"]]
        labels = [a.name for a in option.attributes if a.field.required and a.wire not in (said.id, said.kind)]
        kinds = (said.allow.once, said.allow.always, said.reject.once, said.reject.always)
        offered = [(literal(kind), literal(kind.replace("_", " ").capitalize())) for kind in kinds]
        return {
            "name": Identifier("ask"),
            "call": Identifier(row.python_name),
            "subject": Identifier(subject.name),
            "subject_type": hint(subject.type),
            "entries": identifiers(str(entry["class"]) for entry in entries),
            "option": found["option"],
            "options": Identifier(attribute_name(said.options)),
            "answer": found["answer"],
            "id": Identifier(attribute_name(said.id)),
            "kind": Identifier(attribute_name(said.kind)),
            "allow": literal((said.allow.once, said.allow.always)),
            "label": Identifier(labels[0]) if len(labels) == 1 else None,
            "offered": offered,
        }

    def _updates(self) -> Iterator[dict[str, Any]]:
        union = None if self.note is None else self._attribute_of_updates(self.note).type
        choice = self.shapes.choices.get(union.name) if isinstance(union, Reference) else None
        if choice is None:
            return
        entries = {e["record"]: e for e in entries_of(self.stubs["callee"], self.table, self.schema, self.shapes)}
        leaves = [leaf for leaf in choice.leaves if leaf.record.tag is not None]
        tags = [leaf.record.tag for leaf in leaves]
        for leaf, record in ((leaf, leaf.record) for leaf in leaves):
            assert record.tag is not None
            shared = tags.count(record.tag) > 1  # a variant that has variants itself
            name = leaf.call or snake(record.name.removeprefix(choice.name) if shared else record.tag[1])
            self.places[name] = record.pointer
            entry = entries.get(Identifier(record.name))
            yield {
                "name": Identifier(name),
                "record": Identifier(record.name),
                "entry": entry,
                "docstring": docstring((sentence(record.description) or name) + stage_of(record.name, self.schema), 8),
                **self.given(record, drawn=entry["key"] if entry else None),
            }


class ClientSide(_Side):
    """The session on the client's side."""

    name = CLIENT
    base = ClientSessionBase
    fixed = ("id", "state", "updates")

    @property
    def exists(self) -> bool:
        """Return whether the class is written: its state needs updates."""
        return self.note is not None

    def context(self, own: Collection[str]) -> dict[str, Any]:
        """The context of the template for the class."""
        sessions, updates = self.schema.sessions, self.schema.updates
        assert sessions is not None
        assert updates is not None
        again = {*sessions.load, *sessions.resume}
        found: dict[str, list[dict[str, Any]]] = {"calls": [], "forks": [], "turns": []}
        for row, call in self.calls():
            path = row.method.path
            if path not in again:
                begins = path in sessions.exclusive or path in sessions.turns
                kind = "forks" if path in sessions.open else "turns" if begins else "calls"
                found[kind].append({**call, "key": row_key(row), "ends": self._ends(path, sessions.turns)})
        found["choices"] = [
            *choices_of(found["calls"], self.stubs["callee"], self.key, self.table, self.schema, self.shapes)
        ]
        older = {choice["older"]["name"] for choice in found["choices"] if choice["older"]}
        found["calls"] = [call for call in found["calls"] if call["name"] not in older]
        self.refuse_clashes(it for several in found.values() for it in several)
        closing = [path for path in sessions.close if path not in sessions.delete][:1]  # others may do more than close
        rows = {row.method.path: row for row in self.table if row.side == self.stubs["callee"]}
        return {
            **self.common(),
            **{kind: [it for it in several if it["call"] in own] for kind, several in found.items()},
            "state": Identifier(updates.state),
            "closing": [row_key(rows[path]) for path in closing if path in rows],
        }

    def _ends(self, path: str, turns: Mapping[str, Mapping[str, str]]) -> dict[str, Any] | None:
        """The updates that end a turn after its response, and those that show progress. None if the response ends the
        turn.
        """
        if path not in turns:
            return None
        assert self.note is not None
        union, wanted = self._attribute_of_updates(self.note).type, turns[path]
        choice = self.shapes.choices[union.name] if isinstance(union, Reference) else None
        ends, works = list[Identifier](), list[Identifier]()
        for leaf in choice.leaves if choice else ():
            known = [value in leaf.marks.constants.get(name, ()) for name, value in wanted.items()]
            if known[:1] == [True] and not leaf.marks.open:
                (ends if all(known) else works).append(Identifier(leaf.record.name))
        if not ends:
            constants = ", ".join(f"{name} {value!r}" for name, value in wanted.items())
            place = join("", "x-sessions", "turns", path)
            raise ShapeError(place, f"no update has {constants}, which should end the turn", diagnostics.ROOT_TARGET)
        return {"ends": ends, "works": works}


def _led(given: list[dict[str, Any]]) -> dict[str, Any]:
    """Parameters in two groups: the only required one, which may be positional, and the others."""
    required = [it for it in given if not it["optional"]]
    lead = required if len(required) == 1 else []
    return {"lead": lead, "rest": [it for it in given if it not in lead], "parameters": given}
