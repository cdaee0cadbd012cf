"""Lints of the example messages beside a schema: every part has one, and each conforms to its definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ...document.read import join, pointer_parts
from ...document.validators import validator
from ...findings.rule import Hit
from ...model.nodes.types import Method
from ..parts.missing_examples import ends, missing
from ..parts.schemas import Example, Loaded
from .rows import Rows

if TYPE_CHECKING:
    from ...validate.values.errors import Fault, Judge


def _missing(loaded: Loaded) -> Iterator[Hit]:
    if loaded.examples is None:
        return
    if not _judge(loaded).valid:  # what a message that does not fit would show, nobody knows
        there = {example.definition for example in loaded.examples}
        for end in ends(loaded):
            if end.definition not in there:
                text = f"no example message contains {end.definition} of {end.method.path}"
                yield Hit(text, loaded.schema.definitions[end.definition].pointer)
        return
    for found in missing(loaded):
        yield Hit(str(found), found.parts[0].pointer, instead=found.instead)


def _invalid(loaded: Loaded) -> Iterator[Hit]:
    strays: dict[str, list[str]] = {}
    for path in loaded.unknown_examples:
        strays.setdefault(path.rpartition("/")[0], []).append(path)
    for directory, paths in strays.items():  # a method that is gone leaves a directory behind
        gone = _gone(loaded, directory)
        if gone is not None:
            which = f"{paths[0]} shows" if len(paths) == 1 else f"{len(paths)} files in {directory} show"
            them = "it" if len(paths) == 1 else "them"
            now = [m.path for m in loaded.schema.methods if m.params == gone.params]
            instead = f"move {them} to {directory.removesuffix(gone.path)}{now[0]}" if now else f"delete {them}"
            yield Hit(f"{which} {gone.path}, which was removed", "/$defs", instead=instead)
            continue
        which = f"{paths[0]} belongs" if len(paths) == 1 else f"{len(paths)} files in {directory} belong"
        what = f"{'is' if len(paths) == 1 else 'are'} not JSON"
        yield Hit(f"{which} to no method of the schema, or {what}", "/$defs")
    judge = _judge(loaded)
    refused: dict[str, list[str]] = {}
    for example in loaded.examples or ():
        problem = judge.problem(example)
        if problem is not None:
            pointer, words = problem
            refused.setdefault(pointer, []).append(f"{example.path} is not a valid {example.definition}: {words}")
    for pointer, (first, *rest) in refused.items():  # one edit may break many messages
        more = f"; {len(rest)} more example{'' if len(rest) == 1 else 's'} {_FAIL[len(rest) == 1]} here" if rest else ""
        yield Hit(first + more, pointer)


def _gone(loaded: Loaded, directory: str) -> Method | None:
    """The method of an example directory if only the baseline has it."""
    if loaded.base is None:
        return None
    now = {(method.side, method.path) for method in loaded.schema.methods}
    for method in loaded.base.methods:
        if (method.side, method.path) not in now and directory.endswith(f"messages/{method.side}/{method.path}"):
            return method
    return None


class ExampleJudge:
    """Validates all examples together. If that fails, validates each, and explains the errors of invalid ones."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded
        by_name: dict[str, list[object]] = {}
        for example in loaded.examples or ():
            by_name.setdefault(example.definition, []).append(example.value)
        definitions = loaded.raw.document.value["$defs"]
        properties = {name: {"items": {"$ref": f"#/$defs/{name}"}} for name in by_name}
        self._whole = validator({"$defs": definitions, "properties": properties}) if by_name else None
        self.valid = self._whole is None or bool(self._whole.is_valid(by_name))
        self.judge: Judge | None = None

    def problem(self, example: Example) -> tuple[str, str] | None:
        """The error of an example and the pointer of the violated schema."""
        if self.valid or self._whole is None or self._whole.is_valid({example.definition: [example.value]}):
            return None
        if self.judge is None:
            from ...validate.values.errors import Judge  # noqa: PLC0415  # only where a message is refused
            from ...validate.values.lenient_schema import NodeMarks  # noqa: PLC0415

            definitions = self.loaded.raw.document.value["$defs"]
            self.judge = Judge(definitions, definitions, NodeMarks(self.loaded.schema, definitions))
        faults = self.judge.faults(example.definition, example.value)
        if not faults:
            return None
        return self._place(example, faults[0].pointer), _in_words(faults)

    def _place(self, example: Example, pointer: str) -> str:
        """The schema of a violated keyword; the definition if the keyword is only for validation."""
        known = {node.pointer for node in self.loaded.raw.nodes}
        steps = pointer_parts(pointer)
        within = (join("", *steps[:end]) for end in range(len(steps), 0, -1))
        own = self.loaded.schema.definitions[example.definition].pointer
        return next((place for place in within if place in known), own)


_judge = lru_cache(maxsize=1)(ExampleJudge)
"""The cached result for one schema, because both rules need to know whether all examples are valid."""


def _in_words(faults: Sequence[Fault]) -> str:
    from ...validate.values.notes import of_fault  # noqa: PLC0415

    first = of_fault("", faults[0], ()).text
    return f"{first} (and {len(faults) - 1} more)" if len(faults) > 1 else first


_FAIL = {True: "fails", False: "fail"}


_rules = Rows(
    """
# examples

example-missing (warning)
    A message, a property, a variant, a value or a null that no example message shows.
    Why: Round-trip tests and readers rely on examples, and `make test` requires the same ones. `acp-codegen examples
    --missing` prints the missing examples; `--write` writes them. Without a directory of examples the rule reports
    nothing.
    Instead: add a message under examples/messages/<side>/<method>/ that shows it

example-invalid (error)
    An example message that is not valid against the schema.
    Instead: correct the message, or the schema
"""
)

ROWS = (
    _rules.lint("example-missing", Loaded, _missing),
    _rules.lint("example-invalid", Loaded, _invalid),
)
