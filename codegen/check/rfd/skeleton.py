"""`rfd new` writes the skeleton of an RFD: its text and entry, a method with its types, a capability and requirements.

The new method follows its neighbours in the schema: it gets `_meta`, the session id of a call, and a capability beside
theirs.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from ...contracts import split
from ...document.keywords import DEFAULT_ON_ERROR
from ...document.read import Document
from ...document.text_edit import addition
from ...errors import CodegenError, printable, quoted
from ...model.naming.wire_names import pascal, words
from ...model.nodes.capabilities import advertised, fields, steps
from ...model.nodes.types import Method, Schema
from ..parts.texts import FOLDER

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_VENDOR = re.compile(r"_[a-z][a-z0-9]*(/[a-z][a-z0-9_]*)+")
_PATH = re.compile(r"[a-z_$][a-z0-9_$]*(/[a-z0-9_]+)*")


class Plan(Struct, frozen=True, kw_only=True):
    """The parts that an RFD will add."""

    name: str
    title: str
    method: str
    side: str
    notification: bool = False


def planned(name: str, *, title: str = "", method: str = "", side: str = "agent", notification: bool = False) -> Plan:
    """A plan with defaults derived from the name. Raises CodegenError."""
    if not _NAME.fullmatch(name):
        raise CodegenError(
            f"error: {printable(name)} is not a valid RFD name; expected kebab-case, such as session-rename"
        )
    first, *rest = name.split("-")
    path = method or "/".join([first, "_".join(rest)] if rest else [first])
    if not _PATH.fullmatch(path):
        raise CodegenError(f"error: {printable(path)} is not a valid method path; expected a path like session/rename")
    return Plan(
        name=name,
        title=title or name.replace("-", " ").capitalize(),
        method=path,
        side=side,
        notification=notification,
    )


def skeleton(document: Document, schema: Schema, plan: Plan) -> tuple[bytes, str]:
    """The text of a schema with the RFD, and the RFD's own text in Markdown. Raises CodegenError for a taken name."""
    near = [m for m in schema.methods if m.side == plan.side and m.path.split("/")[0] == plan.method.split("/")[0]]
    parents, holder = _capabilities(schema, plan, near)
    gate = [*parents, _leaf(plan, parents)]
    definitions = _definitions(document, schema, plan, near, ".".join(gate))
    _refuse_taken(document, schema, plan, definitions)
    text = document.text
    entry = {"title": plan.title, "stage": "draft", "document": f"{FOLDER}/{plan.name}.md"}
    table = "x-rfds" in document.value
    text = addition(text, *(("/x-rfds", plan.name, entry) if table else ("", "x-rfds", {plan.name: entry}))).into(text)
    required = _required(plan, ".".join(gate)) if holder and "x-requirements" in document.value else {}
    if required:
        text = addition(text, "/x-requirements", plan.name, required).into(text)
    if holder:
        about = f"Present (`{{}}` is enough) when `{plan.method}` may be sent. Null or absent: it is not supported."
        capability = {**_optional(about, _capability_type(plan)), "x-rfd": plan.name}
        text = addition(text, holder, gate[-1], capability).into(text)
    for name, definition in definitions.items():
        text = addition(text, "/$defs", name, definition).into(text)
    demands = "".join(
        f"- {said['text'][:-1].replace('must not', 'MUST NOT').replace('must', 'MUST')} (`{plan.name}/{id_}`).\n"
        for id_, said in required.items()
    )
    return text, _PROSE.format(title=plan.title, method=plan.method, side=plan.side, demands=demands)


_PROSE = """# {title}

## Elevator pitch

TODO: the proposal, in a sentence or two.

## Status quo

TODO: how things work today, and the problem. Copy the essence to `motivation` in `x-rfds`.

## What we propose to do about it

The {side} implements `{method}`. TODO: what it does.

{demands}
Each demand names its requirement in `x-requirements`, which lists its tests.

## Shiny future

TODO: what users can do once this exists.

## Implementation details and plan

TODO: params, result, errors and their order.

## Frequently asked questions

TODO: the alternatives, and why they were not chosen.

## Revision history

- Draft
"""
"""The headings of RFD texts, as upstream uses them."""


def _required(plan: Plan, gate: str) -> dict[str, dict[str, Any]]:
    """The requirements of every gated method."""
    other = "client" if plan.side == "agent" else "agent"
    covered = {"rules": ["not-advertised"]}
    offers = f"The {plan.side} must advertise `{gate}` if it implements `{plan.method}`."
    asks = f"The {other} must not send `{plan.method}` unless the {plan.side} advertised it."
    return {
        name: {"level": "must", "binds": binds, "on": [plan.method], "text": text, "covered": covered}
        for name, binds, text in (("advertised", plan.side, offers), ("gate-checked", other, asks))
    }


def extension(document: Document, schema: Schema, method: str, side: str, *, notification: bool) -> dict[str, Any]:
    """An extension document: a vendor's method, its params and result, and the capability that gates it."""
    if not _VENDOR.fullmatch(method):
        raise CodegenError(
            f"error: {printable(method)} is not a valid method of a vendor; expected a path like _acme/review/start"
        )
    vendor = method[1:].partition("/")[0]
    plan = Plan(name="", title=f"Methods of {vendor}", method=method, side=side, notification=notification)
    root = advertised(schema, side)
    holder = next((f.pointer for f in fields(schema, root) if f.name == "_meta"), "") if root is not None else ""
    leaf, of_vendor = _leaf(plan, [vendor]), f"{pascal(vendor)}Capabilities"
    definitions = _definitions(document, schema, plan, (), f"_meta.{vendor}.{leaf}")
    known = document.value["$defs"]
    for name in definitions.keys() & known.keys():
        place, *_ = document.place(f"/$defs/{name}")
        raise CodegenError(f"{printable(place)}: error: the method {method} already exists; name another one")
    for definition in definitions.values():
        del definition["x-rfd"]
    actions: list[dict[str, Any]] = []
    if holder:
        path = "$" + "".join(f"[{json.dumps(step)}]" for step in holder.split("/")[1:])
        offered = {"properties": {vendor: _optional(f"Extensions of {vendor}.", of_vendor)}}
        actions.append({"target": path, "update": offered})
        gate = _optional(f"Present (`{{}}` is enough) when `{method}` can be sent.", _capability_type(plan))
        if of_vendor in known:
            actions.append({"target": f"$['$defs'].{of_vendor}", "update": {"properties": {leaf: gate}}})
        else:
            offers = {leaf: gate, **_room(document, schema)}
            about = f"What {vendor} offers."
            definitions[of_vendor] = {"description": about, "type": "object", "properties": offers}
    actions.append({"target": "$['$defs']", "update": definitions})
    return {"overlay": "1.0.0", "info": {"title": plan.title, "version": "1"}, "actions": actions}


def _optional(description: str, name: str) -> dict[str, Any]:
    either = [{"$ref": f"#/$defs/{name}"}, {"type": "null"}]
    return {"description": description, "anyOf": either, DEFAULT_ON_ERROR: True}


def _refuse_taken(document: Document, schema: Schema, plan: Plan, definitions: dict[str, Any]) -> None:
    if plan.name in (schema.rfds or {}):
        raise _taken(document, f"the RFD {quoted(plan.name)}", "name another one")
    if any(m.path == plan.method and m.side == plan.side for m in schema.methods):
        raise _taken(document, f"the method {plan.method}", "choose another one with --method")
    for name in definitions:
        if name in document.value["$defs"]:
            raise _taken(document, f"the definition {name}", "choose another method with --method")


def _taken(document: Document, what: str, way_out: str) -> CodegenError:
    return CodegenError(f"{printable(document.name)}: error: {printable(what)} already exists; {way_out}")


# --- the capability --------------------------------------------------------------------------------------------------------


def _capabilities(schema: Schema, plan: Plan, near: Sequence[Method]) -> tuple[list[str], str]:
    """The place of a method's capability, beside the capabilities of similar methods: its path and its pointer."""
    root = advertised(schema, plan.side)
    if root is None:
        return [], ""
    usual = Counter(".".join(split(m.capability)[:-1]) for m in near if m.capability and ":" not in m.capability)
    for path, _ in usual.most_common():
        parents = path.split(".") if path else []
        way = steps(schema, root, parents) if parents else []
        found = list(fields(schema, way[-1].type if way else root)) if way is not None else []
        if found:
            return parents, found[0].pointer.rpartition("/")[0]
    found = list(fields(schema, root))
    return [], found[0].pointer.rpartition("/")[0] if found else ""


def _leaf(plan: Plan, parents: Sequence[str]) -> str:
    """The property of the capability: the method's name, prefixed with its group if similar methods are elsewhere."""
    named = plan.method.split("/")[1:] if parents and "/" in plan.method else plan.method.split("/")
    name = pascal("_".join(named))
    return name[:1].lower() + name[1:]


def _capability_type(plan: Plan) -> str:
    return pascal(plan.method.replace("/", "_")) + "Capabilities"


# --- the definitions -------------------------------------------------------------------------------------------------------


def _definitions(
    document: Document, schema: Schema, plan: Plan, near: Sequence[Method], gate: str
) -> dict[str, dict[str, Any]]:
    stem = _stem(plan)
    of_method = {"type": "object", "x-side": plan.side, "x-method": plan.method}
    room = _room(document, schema)
    about = _about(document, schema, near)
    asks = "Tells" if plan.notification else "Asks"
    params: dict[str, Any] = {
        "description": f"TODO: {asks} the {plan.side} ...",
        **of_method,
        **({"x-capability": gate} if advertised(schema, plan.side) is not None else {"x-capability": False}),
        "x-rfd": plan.name,
        "properties": {**about, **room},
    }
    if about:
        params["required"] = list(about)
    found = {f"{stem}{'Notification' if plan.notification else 'Request'}": params}
    if not plan.notification:
        found[f"{stem}Response"] = {
            "description": f"TODO: describe the response of the {plan.side}.",
            **of_method,
            "x-rfd": plan.name,
            "properties": room,
        }
    if advertised(schema, plan.side) is not None:
        found[_capability_type(plan)] = {
            "description": f"With `{{}}` the {plan.side} promises that `{plan.method}` can be sent.",
            "type": "object",
            "x-rfd": plan.name,
            "properties": room,
        }
    return found


def _stem(plan: Plan) -> str:
    """Names of definitions: a two-word request begins with its verb, a notification with its group."""
    *groups, last = plan.method.split("/")
    verb, *object_ = last.split("_")
    order = [*groups, verb, *object_] if plan.notification and object_ else [verb, *groups, *object_]
    return pascal("_".join(filter(None, order)))


def _room(document: Document, schema: Schema) -> dict[str, Any]:
    """The properties for implementations, copied from the first method that has them."""
    for method in schema.methods:
        properties = document.value["$defs"][method.params].get("properties", {})
        found = {name: node for name, node in properties.items() if name.startswith("_")}
        if found:
            return found
    return {}


def _about(document: Document, schema: Schema, near: Sequence[Method]) -> dict[str, Any]:
    """The property that orders messages, copied from the first neighbour that has it."""
    name = schema.ordering
    if name is None or not near:
        return {}
    for method in near:
        node = document.value["$defs"][method.params].get("properties", {}).get(name)
        if node is not None:
            noun = " ".join(words(name)[:-1]) or name
            return {name: {**node, "description": f"The {noun} of this message."}}
    return {}
