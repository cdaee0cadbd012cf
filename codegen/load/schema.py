"""Load a document into a `Schema`: its definitions, its methods, and the keywords of its root.

The JSON-RPC envelopes that published files contain (`x-docs-ignore`, the root union) are skipped: they follow from the
methods.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from .. import diagnostics
from ..document.count_limits import check_budget
from ..document.json_types import is_json_object
from ..document.read import Document, join, pointer_parts
from ..document.walk import schemas
from ..errors import SchemaError, quoted
from ..model.analysis.updates import problems as problems_of_updates
from ..model.nodes.cycles import Cycles
from ..model.nodes.types import Anything, Definition, Nullable, Object, Reference, Schema, Type, Union
from .methods import MethodReader
from .root import RootReader, requirements
from .tolerance import is_envelope, is_published, results
from .types import TypeReader
from .updates import KEYWORD


def load(
    document: Document, *, tolerant: bool | None = None, known: Mapping[str, Definition] | None = None
) -> tuple[Schema, list[tuple[str, str]]]:
    """The schema of a document, and warnings as (pointer, text). Raises SchemaError.

    `tolerant`: for a file that nobody edits, such as a baseline or a release. A part that cannot be typed exactly
    becomes the nearest wider type, with a warning, and `Schema.approximated` names its definition. None: only for
    published files. `known`: loaded definitions that are the same here, including all definitions that they refer to.
    """
    check_budget(document)
    tolerant = is_published(document) if tolerant is None else tolerant
    return _Loader(document, tolerant=tolerant, known={} if tolerant or known is None else known).load()


class _Loader:
    def __init__(self, document: Document, *, tolerant: bool, known: Mapping[str, Definition]) -> None:
        self.document = document
        self.known = known
        self.tolerant = tolerant
        root = document.value
        if not is_json_object(root):
            raise document.error(
                "", f"expected a JSON object with `$defs`, got {quoted(root)}", diagnostics.NO_DEFINITIONS
            )
        definitions = root.get("$defs")
        if not is_json_object(definitions):
            instead = "rename `definitions` to `$defs`" if "$defs" not in root and "definitions" in root else ""
            raise document.error(
                "", "expected `$defs`, an object of definitions", diagnostics.NO_DEFINITIONS, instead=instead
            )
        self.nodes: dict[str, Any] = definitions
        self.loaded: dict[str, Type] = {name: definition.type for name, definition in known.items()}
        self.loading: list[str] = []
        self.failed: dict[str, SchemaError] = {}
        self.circular = Cycles(self._parts)
        self.reader = TypeReader(document, frozenset(definitions), self._definition_type, tolerant=tolerant)
        self.root = RootReader(self.reader, root)
        self.methods = MethodReader(self.reader, definitions, results(root, definitions) if tolerant else {})

    def load(self) -> tuple[Schema, list[tuple[str, str]]]:
        attempt, root = self.reader.attempt, self.root
        attempt(root.check)
        attempt(self._check_references)
        names = [name for name, node in self.nodes.items() if not is_envelope(node)]
        definitions = {
            # Where it cannot be read, any value stands for it.
            name: self.known.get(name)
            or attempt(partial(self._definition, name))
            or Definition(name=name, type=Anything(), pointer=join("", "$defs", name))
            for name in names
        }
        title = attempt(partial(self.reader.text, self.document.value, "", "title"))
        methods = self.methods.all(names)
        rfds = attempt(root.rfds)
        schema = Schema(
            title=title or "",
            definitions={**definitions, **self.methods.made},
            methods=methods,
            rfds=rfds,
            requirements=requirements(self.reader, self.document.value, rfds),
            ordering=attempt(root.ordering),
            **root.nodes(),
        )
        if self.tolerant:
            return self._tolerated(schema)
        if not self.reader.problems:
            self.root.check_targets(schema)
            self._check_updates(schema)
        if self.reader.problems:
            first, *others = sorted(self.reader.problems, key=lambda error: (error.line, error.column))
            first.others = tuple(others)
            raise first
        return schema, self.reader.warnings

    def _tolerated(self, schema: Schema) -> tuple[Schema, list[tuple[str, str]]]:
        """The schema without dangling references, and all errors as warnings."""
        problems = [(error.pointer or "", error.problem) for error in self.reader.problems]
        approximated: dict[str, str] = {}
        for pointer, problem in problems:
            place, name, *_ = (*pointer_parts(pointer), "", "")
            if place == "$defs":
                approximated.setdefault(name, problem)
        schema = replace(schema, tolerant=True, approximated=approximated)
        known = len(self.reader.problems)
        self.root.check_targets(schema)
        for error in self.reader.problems[known:]:
            problems.append((error.pointer or "", error.problem))
            at = error.pointer if error.whole is None else error.whole  # an extension may say it
            schema = replace(schema, **{pointer_parts(at or "")[0].removeprefix("x-"): None})
        if lacking := [(join(problem.pointer, KEYWORD), problem.text) for problem in problems_of_updates(schema)]:
            problems += lacking
            schema = replace(schema, updates=None)
        return schema, list(dict.fromkeys([*self.reader.warnings, *problems]))

    def _check_updates(self, schema: Schema) -> None:
        for problem in problems_of_updates(schema):
            error = self.document.error(join(problem.pointer, KEYWORD), problem.text, diagnostics.UPDATE, key=True)
            self.reader.report(error)

    def _check_references(self) -> None:
        """Check references in the envelopes, which are not loaded."""
        envelopes = {name: node for name, node in self.nodes.items() if is_envelope(node)}
        for pointer, node in schemas({**self.document.value, "$defs": envelopes}, kind="root"):
            if "$ref" in node:
                self.reader.reference(node, pointer)

    # --- definitions ------------------------------------------------------------------------------------------------

    def _definition_type(self, name: str) -> Type:
        if name not in self.loaded:
            pointer = join("", "$defs", name)
            if name in self.failed:
                raise self.failed[name]
            if name in self.loading:
                problem = "the definition only refers to itself"
                raise self.document.error(pointer, problem, diagnostics.CIRCULAR, key=True)
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
            raise self.document.error(pointer, problem, diagnostics.CIRCULAR, key=True)
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
        """The definitions that a value of a definition must conform to as a whole."""
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
