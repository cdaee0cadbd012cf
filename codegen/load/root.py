"""The keywords of the root, which describe the protocol as a whole, and the check that they refer to existing parts.

Among them are the statements of RFDs and vendors (`x-requirements`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any

import msgspec
from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict

from .. import diagnostics
from ..contracts import Cancel, Handshake, Interrupt, Remote, Sessions, Trace, Tunnel
from ..document.json_types import is_json_object
from ..document.keywords import RFD_TEXTS, ROOT, ROOT_EXTENSIONS, STAGES, advice
from ..document.read import join
from ..errors import quoted
from ..model.analysis.helpers import missing_for_handles, missing_for_permission
from ..model.analysis.root_checks import (
    Misnamed,
    missing_for_cancel,
    missing_for_handshake,
    missing_for_interrupt,
    missing_for_lists,
    missing_for_ordering,
    missing_for_remote,
    missing_for_sessions,
    missing_for_trace,
    missing_for_tunnel,
    missing_for_updates,
)
from ..model.nodes.root import Binds, Coverage, Handle, Level, Listing, Permission, Requirement, Rfd, Updates
from ..model.nodes.types import Schema
from .nodes import NodeReader

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FORMS: Mapping[str, str] = {
    "x-rfds": 'write {"name": {"title": "...", "stage": "draft"}, ...}',
    "x-handshake": 'write {"method": "...", "versionNumber": 1, "version": "...", "capabilities": {"side": "..."}, '
    '"info": {"side": "..."}}',
    "x-cancel": 'write {"method": "...", "property": "...", "errorCode": -1}',
    "x-ordering": 'write {"property": "..."}',
    "x-interrupt": 'write {"method": "...", "requests": {"method": {"property": "value"}}}',
    "x-permission": 'write {"method": "...", "options": "property", "id": "property", "kind": "property", '
    '"allow": {"once": "...", "always": "..."}, "reject": {...}, "subject": "property", "category": "property", "answer": "property"}',
    "x-handles": 'write {"name": {"create": "method", "release": "method", "kill": "method", "wait": "method", "output": "method"}}',
    "x-reserved": 'write {"method/path": "release", "Definition.name": "release"}',
    "x-trace": 'write {"keys": ["key", ...]}',
    "x-tunnel": 'write {"method": "...", "servers": "property", "server": "property", "request": "property", '
    '"direct": "Definition", "http": "Definition"}',
    "x-remote": 'write {"path": "/...", "connection": "Header-Name", "session": "Header-Name"}',
    "x-updates": 'write {"method": "...", "property": "...", "state": "ClassName"}',
    "x-lists": 'write {"method": {"items": "...", "cursor": "...", "next": "...", "equal": {"param": "property"}, "title": "property", '
    '"changed": "property"}}',
    "x-sessions": 'write {"open": ["method", ...], "close": ["method", ...], "exclusive": ["method", ...], '
    '"load": ["method", ...], "resume": ["method", ...]}',
}
TARGETS: Mapping[str, Callable[[Schema, Any], str | Misnamed | None]] = {
    "x-handshake": missing_for_handshake,
    "x-cancel": missing_for_cancel,
    "x-ordering": missing_for_ordering,
    "x-sessions": missing_for_sessions,
    "x-lists": missing_for_lists,
    "x-interrupt": missing_for_interrupt,
    "x-remote": missing_for_remote,
    "x-trace": missing_for_trace,
    "x-tunnel": missing_for_tunnel,
    "x-updates": missing_for_updates,
    "x-permission": missing_for_permission,
    "x-handles": missing_for_handles,
}
"""Checks of the parts that each keyword refers to. Each returns the missing parts."""
KINDS: Mapping[str, Any] = {
    "x-handshake": Handshake,
    "x-cancel": Cancel,
    "x-sessions": Sessions,
    "x-lists": dict[str, Listing],
    "x-interrupt": Interrupt,
    "x-remote": Remote,
    "x-trace": Trace,
    "x-tunnel": Tunnel,
    "x-updates": Updates,
    "x-permission": Permission,
    "x-handles": dict[str, Handle],
}
"""Keywords whose value is one node, or nodes by name, with the node type."""
_SHARED = frozenset((Cancel, Handshake, Interrupt, Remote, Sessions, Trace, Tunnel))
"""Node classes that the runtime also uses, which do not define their JSON form."""


class RootReader:
    """Reads the keywords of one root."""

    def __init__(self, reader: NodeReader, root: dict[str, Any]) -> None:
        self._reader, self._root = reader, root

    def check(self) -> None:
        """Report unknown keywords. Raises SchemaError for another dialect."""
        for keyword in self._root:
            if keyword.startswith("x-"):
                if keyword not in ROOT_EXTENSIONS:
                    self._reader.warnings.append((join("", keyword), f"unknown keyword {quoted(keyword)} is ignored"))
            elif keyword not in ROOT:
                problem = f"the keyword {quoted(keyword)} is not supported at the root"
                hint = advice(keyword, None, ROOT | ROOT_EXTENSIONS)
                self._reader.problems.append(self._reader.error("", problem, diagnostics.KEYWORD, keyword, hint))
        self._reader.text(self._root, "", "description")
        dialect = self._root.get("$schema", DIALECT)
        if dialect != DIALECT:
            problem = f"the dialect {quoted(dialect)} is not supported; use {DIALECT}"
            way = f'write "$schema": "{DIALECT}"'
            raise self._reader.document.error("/$schema", problem, diagnostics.NOT_DRAFT, instead=way)

    def check_targets(self, schema: Schema) -> None:
        """Report references of the keywords to missing parts of the schema."""
        for keyword, missing_for in TARGETS.items():
            stated = getattr(schema, keyword.removeprefix("x-"))
            missing = stated and missing_for(schema, stated)
            if isinstance(missing, Misnamed):
                pointer, problem = join("", keyword, *missing.at), f"`{keyword}`: {missing.problem}"
                fault = self._reader.error(pointer, problem, diagnostics.ROOT_TARGET, None, missing.instead)
                self._reader.problems.append(fault)
            elif missing:
                problem = f"`{keyword}` is invalid: {missing}"
                self._reader.problems.append(self._reader.error("", problem, diagnostics.ROOT_TARGET, keyword))

    def rfds(self) -> dict[str, Rfd] | None:
        """The table of RFDs."""
        table: dict[str, Any] | None = self._convert("x-rfds", dict[str, Any])
        if table is None:
            return None
        found = {name: self._reader.attempt(partial(self._rfd, name, entry)) for name, entry in table.items()}
        return {name: rfd for name, rfd in found.items() if rfd is not None}

    def _rfd(self, name: str, entry: Any) -> Rfd:
        said = entry if is_json_object(entry) else {}
        known = {"title", "stage"} <= said.keys() <= {"title", "stage", *RFD_TEXTS}
        if not known or not all(isinstance(text, str) for text in said.values()) or said["stage"] not in STAGES:
            stages, more = ", ".join(STAGES), ", ".join(RFD_TEXTS)
            problem = f"an RFD needs a title and a stage ({stages}), and may have {more}; found {quoted(entry)}"
            raise self._reader.error(join("", "x-rfds"), problem, diagnostics.RFD_ENTRY, name)
        return msgspec.convert({"name": name, **said}, Rfd)

    def nodes(self) -> dict[str, Any]:
        """The values of the keywords in ``KINDS``, by their attribute of `Schema`; None for absent keywords."""
        attempt = self._reader.attempt
        attempt(partial(self._convert, "x-reserved", dict[str, str]))  # for check alone
        return {
            keyword.removeprefix("x-"): attempt(partial(self._node, keyword, kind)) for keyword, kind in KINDS.items()
        }

    def ordering(self) -> str | None:
        """The property that messages are ordered by."""
        value: dict[str, str] | None = self._convert("x-ordering", dict[str, str])
        if value is None:
            return None
        if set(value) != {"property"}:
            problem, way = "`x-ordering` must have exactly one entry, `property`", FORMS["x-ordering"]
            raise self._reader.error("", problem, diagnostics.ROOT_VALUE, "x-ordering", way)
        return value["property"]

    def _node(self, keyword: str, kind: Any) -> Any:
        if kind not in _SHARED:
            return self._convert(keyword, kind)
        value = self._convert(keyword, _written(kind))
        return None if value is None else kind(**msgspec.structs.asdict(value))

    def _convert(self, keyword: str, type_: Any) -> Any:
        """A keyword's value as a given type; None if absent."""
        if keyword not in self._root:
            return None
        try:
            return msgspec.convert(self._root[keyword], type_)
        except msgspec.ValidationError as error:
            pointer = join("", keyword, *_steps(str(error)))
            problem = f"`{keyword}`: {error}"
            raise self._reader.document.error(
                pointer, problem, diagnostics.ROOT_VALUE, key=True, instead=FORMS[keyword]
            ) from None


@cache
def _written(kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The JSON form of a node class: camelCase, without unknown fields."""
    fields = [
        (field.name, field.type) if field.required else (field.name, field.type, field.default)
        for field in msgspec.structs.fields(kind)
    ]
    return msgspec.defstruct(kind.__name__, fields, rename="camel", forbid_unknown_fields=True, kw_only=True)


def _steps(message: str) -> list[str]:
    """The path to the invalid part in msgspec's message, as far as it consists of names."""
    path = message.rpartition(" - at `$")[2].removesuffix("`")
    return re.findall(r"\.(\w+)", path) if message.endswith("`") and " - at `$" in message else []


KEYWORD = "x-requirements"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class _Written(Struct, forbid_unknown_fields=True):
    level: Level
    binds: Binds
    on: tuple[str, ...]
    text: str
    covered: Coverage = Coverage()


def requirements(
    reader: NodeReader, root: Mapping[str, Any], rfds: Mapping[str, Rfd] | None
) -> tuple[Requirement, ...]:
    """All requirements of a root in the order of the document. Invalid ones are reported and omitted."""
    table = root.get(KEYWORD, {})
    if not is_json_object(table):
        problem = f"`{KEYWORD}` must be an object of RFDs, not {quoted(table)}"
        reader.report(reader.error("", problem, diagnostics.REQUIREMENT, KEYWORD))
        return ()
    return tuple(_all(reader, table, rfds))


def _all(reader: NodeReader, table: Mapping[str, Any], rfds: Mapping[str, Rfd] | None) -> Iterator[Requirement]:
    for source, group in table.items():
        pointer = join("", KEYWORD, source)
        if not source.startswith("_") and source not in (rfds or {}):
            problem = f"{quoted(source)} is neither an RFD in x-rfds nor a vendor's key, which starts with `_`"
            reader.report(reader.error(pointer, problem, diagnostics.REQUIREMENT))
        elif not is_json_object(group):
            problem = f"an RFD's requirements must be an object, found {quoted(group)}"
            reader.report(reader.error(pointer, problem, diagnostics.REQUIREMENT))
        else:
            for name, value in group.items():
                found = reader.attempt(partial(_one, reader, source, name, value))
                if found is not None:
                    yield found


def _one(reader: NodeReader, source: str, name: str, value: Any) -> Requirement:
    pointer = join("", KEYWORD, source, name)
    if not _NAME.fullmatch(name):
        problem = f"the id of a requirement must be lower-case words joined by `-`, not {quoted(name)}"
        raise reader.error(pointer, problem, diagnostics.REQUIREMENT)
    try:
        said = convert(value, _Written)
    except ValidationError as error:
        raise reader.error(pointer, f"a requirement: {error}", diagnostics.REQUIREMENT) from None
    if not said.text.strip():
        raise reader.error(pointer, "a requirement: `text` is empty", diagnostics.REQUIREMENT)
    return Requirement(id=f"{source}/{name}", source=source, pointer=pointer, **asdict(said))
