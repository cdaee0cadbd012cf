"""A document to a `Schema`: definitions, methods, and what the root says of the protocol as a whole.

The JSON-RPC envelopes that published files carry (`x-docs-ignore`, the root union) are skipped: they follow from the methods.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from keyword import iskeyword
from typing import Any

import msgspec
from msgspec.structs import replace

from .. import faults
from ..document.budget import check_budget
from ..document.jsonvalue import is_json_object
from ..document.keywords import ROOT, ROOT_EXTENSIONS, STAGES, advice
from ..document.read import Document, join, pointer_parts
from ..document.walk import schemas
from ..errors import SchemaError, quoted
from ..model.agreements import (
    missing_for_cancel,
    missing_for_handshake,
    missing_for_interrupt,
    missing_for_ordering,
    missing_for_sessions,
    missing_for_updates,
)
from ..model.cycles import Cycles
from ..model.types import (
    ROLES,
    Anything,
    Cancel,
    Definition,
    Handshake,
    Interrupt,
    Method,
    Nullable,
    Object,
    Reference,
    Rfd,
    Role,
    Schema,
    Sessions,
    Type,
    Union,
    Updates,
)
from ..model.updates import problems as problems_of_updates
from .tolerance import is_envelope, is_published, results
from .types import TypeReader
from .updates import KEYWORD

_FORMS = {
    "x-rfds": 'write {"name": {"title": "...", "stage": "draft"}, ...}',
    "x-handshake": 'write {"method": "...", "versionNumber": 1, "version": "...", "capabilities": {"side": "..."}, '
    '"info": {"side": "..."}}',
    "x-cancel": 'write {"method": "...", "property": "...", "errorCode": -1}',
    "x-ordering": 'write {"property": "..."}',
    "x-interrupt": 'write {"method": "...", "requests": {"method": {"property": "value"}}}',
    "x-updates": 'write {"method": "...", "property": "...", "state": "ClassName"}',
    "x-sessions": 'write {"open": ["method", ...], "close": ["method", ...], "exclusive": ["method", ...]}',
}
DIALECT = "https://json-schema.org/draft/2020-12/schema"
_OVERLAPPING = {"both": ("agent", "client"), "agent": ("both",), "client": ("both",)}
_SIDE = re.compile(r"[a-z][a-z0-9]{0,39}")


def load(document: Document, *, tolerant: bool | None = None) -> tuple[Schema, list[tuple[str, str]]]:
    """The schema of a document, and warnings as (pointer, text). Raises SchemaError.

    `tolerant`: for a file that is only read, as a baseline or a release. What cannot be typed exactly becomes the nearest wider
    type, with a warning, and `Schema.approximated` names its definition. None: for files of the published form alone.
    """
    check_budget(document)
    return _Loader(document, tolerant=is_published(document) if tolerant is None else tolerant).load()


class _Loader:
    def __init__(self, document: Document, *, tolerant: bool) -> None:
        self.document = document
        self.tolerant = tolerant
        root = document.value
        if not is_json_object(root):
            raise document.error("", f"expected a JSON object with `$defs`, got {quoted(root)}", faults.NO_DEFINITIONS)
        self.root: dict[str, Any] = root
        definitions = root.get("$defs")
        if not is_json_object(definitions):
            instead = "rename `definitions` to `$defs`" if "$defs" not in root and "definitions" in root else ""
            raise document.error(
                "", "expected `$defs`, an object of definitions", faults.NO_DEFINITIONS, instead=instead
            )
        self.nodes: dict[str, Any] = definitions
        self.loaded: dict[str, Type] = {}
        self.loading: list[str] = []
        self.failed: dict[str, SchemaError] = {}
        self.circular = Cycles(self._parts)
        self.unsure: list[object] = []
        self.made: dict[str, Definition] = {}
        self.listed = results(root, definitions) if tolerant else {}
        self.reader = TypeReader(document, frozenset(definitions), self._definition_type, tolerant=tolerant)

    def load(self) -> tuple[Schema, list[tuple[str, str]]]:
        attempt = self.reader.attempt
        attempt(self._check_root)
        attempt(self._check_references)
        names = [name for name, node in self.nodes.items() if not is_envelope(node)]
        definitions = {name: attempt(partial(self._definition, name)) or self._any(name) for name in names}
        title = attempt(self._title)
        methods = self._methods(names)
        schema = Schema(
            title=title or "",
            definitions={**definitions, **self.made},
            methods=methods,
            rfds=attempt(self._rfds),
            handshake=attempt(self._handshake),
            cancel=attempt(self._cancel),
            ordering=attempt(self._ordering),
            sessions=attempt(self._sessions),
            interrupt=attempt(self._interrupt),
            updates=attempt(self._updates),
        )
        if self.tolerant:
            return self._tolerated(schema)
        if not self.reader.problems:
            self._check_agreements(schema)
            self._check_updates(schema)
        if self.reader.problems:
            first, *others = sorted(self.reader.problems, key=lambda error: (error.line, error.column))
            first.others = tuple(others)
            raise first
        return schema, self.reader.warnings

    def _tolerated(self, schema: Schema) -> tuple[Schema, list[tuple[str, str]]]:
        """The schema without what points at nothing, and everything that is wrong as warnings."""
        problems = [(error.pointer or "", error.problem) for error in self.reader.problems]
        approximated: dict[str, str] = {}
        for pointer, problem in problems:
            place, name, *_ = (*pointer_parts(pointer), "", "")
            if place == "$defs":
                approximated.setdefault(name, problem)
        schema = replace(schema, tolerant=True, approximated=approximated)
        known = len(self.reader.problems)
        self._check_agreements(schema)
        for error in self.reader.problems[known:]:
            problems.append((error.pointer or "", error.problem))
            schema = replace(schema, **{pointer_parts(error.pointer or "")[0].removeprefix("x-"): None})
        if lacking := [(join(problem.pointer, KEYWORD), problem.text) for problem in problems_of_updates(schema)]:
            problems += lacking
            schema = replace(schema, updates=None)
        return schema, list(dict.fromkeys([*self.reader.warnings, *problems]))

    def _any(self, name: str) -> Definition:
        """What stands for a definition that cannot be read."""
        return Definition(name=name, type=Anything(), pointer=join("", "$defs", name))

    def _title(self) -> str | None:
        return self.reader.text(self.root, "", "title")

    def _check_agreements(self, schema: Schema) -> None:
        found = {
            "x-handshake": schema.handshake and missing_for_handshake(schema, schema.handshake),
            "x-cancel": schema.cancel and missing_for_cancel(schema, schema.cancel),
            "x-ordering": schema.ordering and missing_for_ordering(schema, schema.ordering),
            "x-sessions": schema.sessions and missing_for_sessions(schema, schema.sessions),
            "x-interrupt": schema.interrupt and missing_for_interrupt(schema, schema.interrupt),
            "x-updates": schema.updates and missing_for_updates(schema, schema.updates),
        }
        for keyword, missing in found.items():
            if missing:
                problem = f"`{keyword}` points at nothing: {missing}"
                self.reader.problems.append(
                    self.document.error(join("", keyword), problem, faults.ROOT_TARGET, key=True)
                )

    def _check_updates(self, schema: Schema) -> None:
        for problem in problems_of_updates(schema):
            error = self.document.error(join(problem.pointer, KEYWORD), problem.text, faults.UPDATE, key=True)
            self.reader.report(error)

    def _check_root(self) -> None:
        for keyword in self.root:
            if keyword.startswith("x-"):
                if keyword not in ROOT_EXTENSIONS:
                    self.reader.warnings.append((join("", keyword), f"{quoted(keyword)} is not known and is ignored"))
            elif keyword not in ROOT:
                problem = f"the keyword {quoted(keyword)} is not supported at the root"
                hint = advice(keyword, None, ROOT | ROOT_EXTENSIONS)
                self.reader.problems.append(
                    self.document.error(join("", keyword), problem, faults.KEYWORD, key=True, instead=hint)
                )
        self.reader.text(self.root, "", "description")
        dialect = self.root.get("$schema", DIALECT)
        if dialect != DIALECT:
            problem = f"the dialect {quoted(dialect)} is not supported; use {DIALECT}"
            raise self.document.error("/$schema", problem, faults.NOT_DRAFT, instead=f'write "$schema": "{DIALECT}"')

    def _check_references(self) -> None:
        """References in the envelopes, which are not loaded, must lead somewhere all the same."""
        envelopes = {name: node for name, node in self.nodes.items() if is_envelope(node)}
        for pointer, node in schemas({**self.root, "$defs": envelopes}, kind="root"):
            if "$ref" in node:
                self.reader.reference(node, pointer)

    # --- definitions ------------------------------------------------------------------------------------------------

    def _definition_type(self, name: str) -> Type:
        if name not in self.loaded:
            pointer = join("", "$defs", name)
            if name in self.failed:
                raise self.failed[name]
            if name in self.loading:
                problem = "the definition is defined by nothing but itself"
                raise self.document.error(pointer, problem, faults.CIRCULAR, key=True)
            self.loading.append(name)
            try:
                self.loaded[name] = self.reader.type(self.nodes[name], pointer, "definition")
            except SchemaError as error:
                self.failed[name] = error
                raise
            finally:
                self.loading.pop()
        return self.loaded[name]

    def _definition(self, name: str) -> Definition:
        pointer = join("", "$defs", name)
        type_ = self._definition_type(name)
        if name in self.circular:
            problem = "the definition contains itself as a variant or a base"
            raise self.document.error(pointer, problem, faults.CIRCULAR, key=True)
        node: Any = self.nodes[name] if is_json_object(self.nodes[name]) else {}
        self.reader.flag(node, pointer, "x-docs-ignore")
        return Definition(
            name=name,
            type=type_,
            pointer=pointer,
            description=self.reader.text(node, pointer, "description"),
            rfd=self.reader.text(node, pointer, "x-rfd"),
            deprecated=self.reader.flag(node, pointer, "deprecated"),
        )

    def _parts(self, name: str) -> Iterator[str]:
        """The definitions that a value of a definition has to fit as a whole, not in a property, item or value of its own."""
        stack: list[Type] = [self._definition_type(name)]
        while stack:
            match stack.pop():
                case Reference(other):
                    yield other
                case Nullable(inner):
                    stack.append(inner)
                case Union(variants):
                    stack += [variant.type for variant in variants]
                case Object(bases=bases, unions=unions):
                    stack += [*bases, *unions]
                case _:
                    pass

    # --- methods ----------------------------------------------------------------------------------------------------

    def _methods(self, names: list[str]) -> tuple[Method, ...]:
        found: dict[tuple[str, str, Role], str] = {}
        for name in names:
            node = self.nodes[name]
            if is_json_object(node) and {"x-method", "x-side", "x-capability"} & set(node):
                known = len(self.reader.problems)
                self.reader.attempt(partial(self._role, name, found))
                if len(self.reader.problems) > known and not self.tolerant:
                    self.unsure += [node.get("x-method"), _stem(name)]
        methods = [self.reader.attempt(partial(self._method, *key, name, found)) for key, name in found.items()]
        return tuple(method for method in methods if method is not None)

    def _role(self, name: str, found: dict[tuple[str, str, Role], str]) -> None:
        """Adds what a definition is to a method."""
        node, pointer = self.nodes[name], join("", "$defs", name)
        path, side = self.reader.text(node, pointer, "x-method"), self.reader.text(node, pointer, "x-side")
        if path is None or side is None:
            missing = "x-method" if path is None else "x-side"
            problem = f"`{missing}` is missing beside the other method keywords"
            raise self.document.error(pointer, problem, faults.NO_SIDE, key=True)
        self._check_method_name(path, side, pointer)
        role: Role | None = next((role for role in ROLES if name.endswith(role)), None)
        if role is None:
            problem = f"the params or result of a method must end in {', '.join(ROLES)}"
            raise self.document.error(pointer, problem, faults.SUFFIX, key=True)
        for other in (side, *_OVERLAPPING.get(side, ())):
            if (other, path, role) in found:
                known = found[other, path, role]
                problem = f"{known} is already the {role.lower()} of {quoted(path)} on side {other}"
                raise self.document.error(pointer, problem, faults.METHOD_TWICE, key=True)
        found[side, path, role] = name

    def _check_method_name(self, path: str, side: str, pointer: str) -> None:
        if not path or not path.isascii() or not path.isprintable() or " " in path:
            raise self.reader.error(
                pointer, "a method name must be printable ASCII without spaces", faults.METHOD_NAME, "x-method"
            )
        # A side names a module and, capitalised, a class.
        if not _SIDE.fullmatch(side) or iskeyword(side):
            raise self.reader.error(pointer, "a side must be one short lower-case word", faults.SIDE, "x-side")

    def _method(
        self, side: str, path: str, role: Role, name: str, found: Mapping[tuple[str, str, Role], str]
    ) -> Method | None:
        """The method that params begin; None for a result, which belongs to that of its params."""
        pointer = join("", "$defs", name)
        result = found.get((side, path, "Response"))
        if path in self.unsure or _stem(name) in self.unsure:
            return None  # what seems to be missing is there, with a fault of its own
        if role == "Response":
            if (side, path, "Request") in found:
                return None
            problem = f"the method {quoted(path)} has a result but no params (no ...Request)"
            raise self.document.error(pointer, problem, faults.NO_RESPONSE, key=True)
        if role == "Request" and result is None and self.tolerant:
            result = self._listed_result(name, pointer)
        if role == "Request" and result is None:
            problem = f"the method {quoted(path)} has params but no result (no ...Response)"
            raise self.document.error(pointer, problem, faults.NO_RESPONSE, key=True)
        gate = self.nodes[name].get("x-capability")
        if gate is not None and gate is not False and not (isinstance(gate, str) and gate):
            problem = "`x-capability` must be a path or false"
            raise self.reader.error(pointer, problem, faults.EXTENSION_VALUE, "x-capability")
        return Method(
            side=side,
            path=path,
            kind="request" if role == "Request" else "notification",
            params=name,
            result=result if role == "Request" else None,
            pointer=pointer,
            capability=gate or None,
            gated=None if gate is None else gate is not False,
            rfd=self.nodes[name].get("x-rfd"),
        )

    def _listed_result(self, params: str, pointer: str) -> str:
        """The definition of a result that only the envelopes list: one that several methods share, or null; else anything."""
        name = f"{_stem(params)}Response"
        node, at = self.listed.get(name, (None, pointer))
        type_: Type = Anything()
        if node is None:
            self.reader.report(
                self.document.error(
                    pointer, f"{params} has no {name}, so its result may be anything", faults.NO_RESPONSE
                )
            )
        else:
            type_ = self.reader.type(node, at)
        if isinstance(type_, Reference):
            return type_.name
        while name in self.nodes or name in self.made:
            name += "_"
        self.made[name] = Definition(
            name=name,
            type=type_,
            pointer=at,
            description=self.reader.text(node, at, "description") if is_json_object(node) else None,
        )
        return name

    # --- the root's own keywords --------------------------------------------------------------------------------------

    def _convert(self, keyword: str, type_: Any) -> Any:
        """A root keyword's value in a given shape; None where the root does not have it."""
        if keyword not in self.root:
            return None
        try:
            return msgspec.convert(self.root[keyword], type_)
        except msgspec.ValidationError as error:
            pointer = join("", keyword, *_steps(str(error)))
            raise self.document.error(
                pointer, f"`{keyword}`: {error}", faults.ROOT_VALUE, key=True, instead=_FORMS[keyword]
            ) from None

    def _rfds(self) -> dict[str, Rfd] | None:
        table: dict[str, Any] | None = self._convert("x-rfds", dict[str, Any])
        if table is None:
            return None
        found = {name: self.reader.attempt(partial(self._rfd, name, entry)) for name, entry in table.items()}
        return {name: rfd for name, rfd in found.items() if rfd is not None}

    def _rfd(self, name: str, entry: Any) -> Rfd:
        title, stage = (entry.get("title"), entry.get("stage")) if is_json_object(entry) else (None, None)
        if not isinstance(title, str) or stage not in STAGES or len(entry) != 2:
            problem = f"an RFD has a title and a stage, one of {', '.join(STAGES)}; not {quoted(entry)}"
            raise self.document.error(join("", "x-rfds", name), problem, faults.RFD_ENTRY, key=True)
        return Rfd(name=name, title=title, stage=stage)

    def _handshake(self) -> Handshake | None:
        shape = msgspec.defstruct(
            "handshake",
            [
                ("method", str),
                ("versionNumber", int),
                ("version", str),
                ("capabilities", dict[str, str]),
                ("info", dict[str, str]),
            ],
            forbid_unknown_fields=True,
        )
        value: Any = self._convert("x-handshake", shape)
        if value is None:
            return None
        return Handshake(
            method=value.method,
            version_number=value.versionNumber,
            version=value.version,
            capabilities=value.capabilities,
            info=value.info,
        )

    def _cancel(self) -> Cancel | None:
        shape = msgspec.defstruct(
            "cancel", [("method", str), ("property", str), ("errorCode", int)], forbid_unknown_fields=True
        )
        value: Any = self._convert("x-cancel", shape)
        if value is None:
            return None
        return Cancel(method=value.method, property=value.property, error_code=value.errorCode)

    def _ordering(self) -> str | None:
        value: dict[str, str] | None = self._convert("x-ordering", dict[str, str])
        if value is None:
            return None
        if set(value) != {"property"}:
            problem = "`x-ordering` has one entry, `property`"
            raise self.document.error("/x-ordering", problem, faults.ROOT_VALUE, key=True, instead=_FORMS["x-ordering"])
        return value["property"]

    def _sessions(self) -> Sessions | None:
        methods = tuple[str, ...]
        shape = msgspec.defstruct(
            "sessions", [("open", methods), ("close", methods), ("exclusive", methods, ())], forbid_unknown_fields=True
        )
        value: Any = self._convert("x-sessions", shape)
        return None if value is None else Sessions(open=value.open, close=value.close, exclusive=value.exclusive)

    def _interrupt(self) -> Interrupt | None:
        shape = msgspec.defstruct(
            "interrupt", [("method", str), ("requests", dict[str, dict[str, Any]])], forbid_unknown_fields=True
        )
        value: Any = self._convert("x-interrupt", shape)
        return None if value is None else Interrupt(method=value.method, requests=value.requests)

    def _updates(self) -> Updates | None:
        value: Updates | None = self._convert("x-updates", Updates)
        return value


def _stem(name: str) -> str:
    """What params and result of one method have in common."""
    return next((name.removesuffix(role) for role in ROLES if name.endswith(role)), name)


def _steps(message: str) -> list[str]:
    """The way to the wrong part in what msgspec says, as far as it is made of names."""
    path = message.rpartition(" - at `$")[2].removesuffix("`")
    return re.findall(r"\.(\w+)", path) if message.endswith("`") and " - at `$" in message else []
