"""Limits: what is at one passes, what is beyond it is refused in a line that names the limit and the place."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen import limits
from codegen.document import count_limits, merge
from codegen.document import jsonpath as target
from codegen.document.read import parse, read_bytes
from codegen.errors import CodegenError, InputError, SchemaError
from codegen.limits import LIMITS, Limit
from codegen.load.schema import load
from codegen.pipeline import load_shapes, read_extended
from codegen.time_limit import within_time
from codegen.write.directory import opened
from tests.codegen.validate.support import of_file, of_transcript
from tests.support.sampling import exhaustive

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]
END = {"type": "object", "properties": {"x": {"type": "string"}}}


def schema(definitions: dict[str, Any]) -> bytes:
    return json.dumps({"$defs": definitions}).encode()


def chain(link: Callable[[str], Any]) -> Callable[[int], bytes]:
    """A schema with a chain of some length."""

    def of(length: int) -> bytes:
        links = {f"A{index}": link(f"#/$defs/A{index + 1}") for index in range(length - 1)}
        return schema({**links, f"A{length - 1}": END})

    return of


def pattern(text: str) -> bytes:
    return schema({"A": {"type": "string", "pattern": text}})


DOCUMENTS: dict[str, tuple[Limit, str, Callable[[int], bytes]]] = {
    "definitions": (limits.DEFINITIONS, "/$defs/A20000", lambda n: schema({f"A{i}": {} for i in range(n)})),
    "chain-of-bases": (limits.CHAIN, "/$defs/A0", chain(lambda ref: {"type": "object", "allOf": [{"$ref": ref}]})),
    "chain-of-references": (limits.CHAIN, "/$defs/A0", chain(lambda ref: {"$ref": ref})),
    "chain-of-variants": (limits.CHAIN, "/$defs/A0", chain(lambda ref: {"anyOf": [{"$ref": ref}, {"type": "null"}]})),
    "values-listed": (limits.VALUES, "/$defs/A/enum/5000", lambda n: schema({"A": {"enum": [*range(n)]}})),
    "values-described": (
        *(limits.VALUES, "/$defs/A/oneOf/5000"),
        lambda n: schema({"A": {"oneOf": [{"const": i} for i in range(n)]}}),
    ),
    "values-of-several-lists": (
        *(limits.VALUES, "/$defs/A/oneOf/1/enum/2500"),
        lambda n: schema({"A": {"oneOf": [{"enum": [*range(2500)]}, {"enum": [*range(2500, n)]}]}}),
    ),
    "pattern-length": (limits.PATTERN, "/$defs/A/pattern", lambda n: pattern("a" * n)),
    "pattern-depth": (limits.GROUPS, "/$defs/A/pattern", lambda n: pattern("(" * n + "a" + ")" * n)),
}


@pytest.mark.parametrize(("limit", "pointer", "made"), DOCUMENTS.values(), ids=DOCUMENTS.keys())
def test_a_schema_is_refused_beyond_a_limit_and_not_at_it(
    limit: Limit, pointer: str, made: Callable[[int], bytes]
) -> None:
    load(parse(made(limit.most), "f.json"))
    with pytest.raises(SchemaError) as caught:
        load(parse(made(limit.most + 1), "f.json"))
    assert (caught.value.problem, caught.value.pointer) == (limit.problem, pointer)
    assert f"(limit `{limit.name}`, see docs/limits.md)" in str(caught.value)


def objects(count: int, tag: str) -> list[Any]:
    return [{"type": "object", "properties": {tag: {"const": f"v{i}"}}, "required": [tag]} for i in range(count)]


def test_a_union_has_so_many_variants_and_those_of_several_unions_multiply() -> None:
    def shaped(node: Any) -> None:
        load_shapes(parse(schema({"A": node}), "f.json"), stable=False, bare=True, note=lambda _: None)

    shaped({"oneOf": objects(limits.VARIANTS.most, "t")})
    shaped({"type": "object", "allOf": [{"oneOf": objects(20, "a")}, {"oneOf": objects(25, "b")}]})
    for node in (
        {"oneOf": objects(limits.VARIANTS.most + 1, "t")},
        {"type": "object", "allOf": [{"oneOf": objects(2, f"t{i}")} for i in range(12)]},
    ):
        with pytest.raises(SchemaError) as caught:
            shaped(node)
        assert caught.value.problem == limits.VARIANTS.problem


@pytest.mark.parametrize("length", [300, 3000])
def test_a_long_chain_is_one_line_for_every_command(run_cli: RunCli, tmp_path: Path, length: int) -> None:
    path = tmp_path / "schema.json"
    path.write_bytes(DOCUMENTS["chain-of-bases"][2](length))
    for command in (["generate", "--out", tmp_path / "out"], ["schema"]):
        ran = run_cli(*command, "--schema", path)
        assert (ran.code, ran.err.count("\n"), "limit `chain`" in ran.err) == (2, 1, True)
    ran = run_cli("check", "--schema", path)
    assert (ran.code, ran.out.count("limit-exceeded")) == (1, 1)


def test_the_last_definition_that_makes_a_chain_too_long_is_named() -> None:
    with pytest.raises(SchemaError) as caught:
        count_limits.check_budget(parse(DOCUMENTS["chain-of-bases"][2](limits.CHAIN.most + 1), "f.json"))
    assert (caught.value.pointer, caught.value.problem) == ("/$defs/A0", limits.CHAIN.problem)


def test_a_circle_is_no_chain() -> None:
    value = {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}, "C": {"allOf": [{"$ref": "#/$defs/C"}]}}
    with pytest.raises(SchemaError) as caught:
        load(parse(schema(value), "f.json"))
    assert caught.value.fault.id != "limit-exceeded"


def test_a_property_begins_a_new_chain() -> None:
    nodes = {f"A{i}": {"type": "object", "properties": {"a": {"$ref": f"#/$defs/A{i + 1}"}}} for i in range(300)}
    load(parse(schema({**nodes, "A300": END}), "f.json"))


# --- extension documents ---------------------------------------------------------------------------------------------------


def extended(tmp_path: Path, *actions: dict[str, Any], base: Any = None) -> Any:
    path, overlay = tmp_path / "schema.json", tmp_path / "extension.json"
    path.write_text(json.dumps(base or {"$defs": {"A": END, "B": END}}), encoding="utf-8")
    value = {"overlay": "1.0.0", "info": {"title": "t", "version": "1"}, "actions": actions}
    overlay.write_text(json.dumps(value), encoding="utf-8")
    return read_extended(path, [overlay]).value


def refused(tmp_path: Path, *actions: dict[str, Any], base: Any = None) -> tuple[str, str | None]:
    with pytest.raises(SchemaError) as caught:
        extended(tmp_path, *actions, base=base)
    assert caught.value.file.endswith("extension.json")
    return caught.value.problem, caught.value.pointer


def action(target: str, update: Any = None) -> dict[str, Any]:
    return {"target": target, "update": update if update is not None else {"description": "x"}}


def test_a_target_has_a_length(tmp_path: Path) -> None:
    name = "a" * (limits.TARGET.most - len("$['$defs']['']"))
    base = {"$defs": {name: END, f"{name}a": END}}
    extended(tmp_path, action(f"$['$defs']['{name}']"), base=base)
    found = refused(tmp_path, action(f"$['$defs']['{name}a']"), base=base)
    assert found == (limits.TARGET.problem, "/actions/0/target")


@pytest.mark.parametrize("segment", ["[*]", ".a", "..a", "..[*]", "[?@]", "['a.b[c']"])
def test_a_target_has_so_many_segments(tmp_path: Path, segment: str) -> None:
    at = action("$" + segment * limits.SEGMENTS.most)
    assert "limit" not in refused(tmp_path, at)[0] or segment.startswith("..")
    found = refused(tmp_path, action("$" + segment * (limits.SEGMENTS.most + 1)))
    assert found == (limits.SEGMENTS.problem, "/actions/0/target")


@pytest.mark.parametrize(
    "target", ["$" + ".a" * 100_000, "$" + "['a']" * 100_000, "$" + "[0]" * 100_000, "$[?" + "(" * 100_000]
)
def test_a_target_without_end_is_one_line(tmp_path: Path, target: str) -> None:
    assert refused(tmp_path, action(target))[0] == limits.TARGET.problem


def test_a_target_looks_at_so_many_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = target.Steps()
    monkeypatch.setattr(merge, "Steps", lambda: looked)
    extended(tmp_path, action("$..properties"))
    monkeypatch.setattr(target, "STEPS", limits.STEPS._replace(usual=looked.taken))
    looked.taken = 0
    extended(tmp_path, action("$..properties"))
    looked.taken = 1
    assert refused(tmp_path, action("$..properties")) == (target.STEPS.problem, "/actions/0/target")


@pytest.mark.parametrize("where", exhaustive(["$..[?$..x]", "$..[?@..[?$..x]]"], stay=["$..[?@..[?$..x]]"]))
def test_a_target_that_multiplies_ends(tmp_path: Path, where: str) -> None:
    base = json.loads((ROOT / "schema.json").read_bytes())
    assert refused(tmp_path, action(where), base=base) == (limits.STEPS.problem, "/actions/0/target")


def test_a_target_selects_so_many_places(tmp_path: Path) -> None:
    base = {"$defs": {f"A{index}": {} for index in range(limits.PLACES.most)}}
    extended(tmp_path, action("$['$defs'].*"), base=base)
    base["$defs"]["B"] = {}
    assert refused(tmp_path, action("$['$defs'].*"), base=base) == (limits.PLACES.problem, "/actions/0/target")


def test_actions_add_so_many_values(tmp_path: Path) -> None:
    half = {"examples": [0] * (limits.COPIES.most // 4 - 2)}
    extended(tmp_path, action("$['$defs'].*", half), action("$['$defs'].*", half))
    more = {"examples": [0] * (limits.COPIES.most // 4 - 1)}
    found = refused(tmp_path, action("$['$defs'].*", half), action("$['$defs'].*", more))
    assert found == (limits.COPIES.problem, "/actions/1/update")


def test_an_extension_has_so_many_actions(tmp_path: Path) -> None:
    one = action("$['$defs'].A")
    extended(tmp_path, *[one] * limits.ACTIONS.most)
    found = refused(tmp_path, *[one] * (limits.ACTIONS.most + 1))
    assert found == (limits.ACTIONS.problem, f"/actions/{limits.ACTIONS.most}")


@pytest.mark.parametrize("function", ["match", "search"])
def test_a_target_cannot_ask_for_a_pattern(tmp_path: Path, function: str) -> None:
    problem, _ = refused(tmp_path, action(f"$..[?{function}(@.description, '^(a+)+$')]"))
    assert "is not a JSONPath" in problem


# --- each limit, on both sides ----------------------------------------------------------------------------------------------

Attempt = Callable[[Path, int], object]
"""Does something that takes so much of what a limit counts; raises what refuses it."""


def of_schema(made: Callable[[int], bytes]) -> Attempt:
    return lambda _, count: load(parse(made(count), "f.json"))


def of_shapes(made: Callable[[int], Any]) -> Attempt:
    def attempt(_: Path, count: int) -> None:
        load_shapes(parse(schema(made(count)), "f.json"), stable=False, bare=True, note=lambda _: None)

    return attempt


def of_extension(made: Callable[[int], tuple[dict[str, Any], list[dict[str, Any]]]]) -> Attempt:
    """An attempt with definitions, and the actions of an extension to them."""

    def attempt(tmp_path: Path, count: int) -> None:
        definitions, actions = made(count)
        extended(tmp_path, *actions, base={"$defs": definitions})

    return attempt


def of_segments(tmp_path: Path, count: int) -> None:
    target = "$" + "[*]" * count
    try:
        extended(tmp_path, action(target))
    except SchemaError as error:
        if "matches nothing" not in error.problem:  # it is read, but nothing is as deep as that
            raise


def of_file_size(tmp_path: Path, count: int) -> None:
    """Whoever reads a file: for a schema, in a destination, of messages."""
    file = tmp_path / "f.json"
    file.write_bytes(b"1" * count)
    for reads in (read_bytes, of_destination, of_file):
        try:
            reads(file)
        except InputError as error:
            refusal = error
        else:
            assert count == limits.FILE.most
    if count > limits.FILE.most:
        raise refusal


def of_destination(file: Path) -> None:
    with opened(file.parent) as directory:
        directory.read(file.name)


def of_line_size(_: Path, count: int) -> None:
    found = of_transcript(json.dumps("x" * (count - 2)) + "\n" + json.dumps("x" * (count - 2)))
    problems = [finding.message for finding in found if "limit" in finding.message]
    if problems:
        assert len(problems) == 2
        raise CodegenError(problems[0])


def of_seconds(_: Path, count: int) -> None:
    with within_time():
        while count > limits.SECONDS.most:
            """Work without an end."""


def of_elapsed(_: Path, count: int) -> None:
    reads, writes = os.pipe()
    try:
        with within_time():
            if count > limits.ELAPSED.most:
                os.read(reads, 1)  # nobody ever writes
    finally:
        os.close(reads)
        os.close(writes)


def call(number: int) -> tuple[str, Any]:
    """A notification."""
    node = {"type": "object", "x-method": f"tell{number}", "x-side": "agent", "x-capability": False}
    return f"Tell{number}Notification", node


def taken_over(count: int) -> dict[str, Any]:
    """Definitions that take over one property, each once more."""
    base = {"type": "object", "properties": {"x": {"type": "string"}}}
    return {"Base": base, **{f"A{i}": {"type": "object", "allOf": [{"$ref": "#/$defs/Base"}]} for i in range(count)}}


ATTEMPTS: dict[str, tuple[Any, Attempt]] = {
    "seconds": (0.05, of_seconds),
    "elapsed": (0.05, of_elapsed),
    "file-size": (5, of_file_size),
    "line-size": (200, of_line_size),
    "schema-size": (100, of_schema(lambda n: schema({}) + b" " * (n - len(schema({}))))),
    "depth": (100, of_schema(lambda n: b'{"$defs": {}, "examples": ' + b"[" * (n - 1) + b"]" * (n - 1) + b"}")),
    "definitions": (5, of_schema(lambda n: schema({f"A{i}": {} for i in range(n)}))),
    "chain": (100, of_schema(chain(lambda ref: {"$ref": ref}))),
    "variants": (5, of_shapes(lambda n: {"A": {"oneOf": objects(n, "t")}})),
    "properties": (5, of_shapes(lambda n: {"A": {**END, "properties": {f"p{i}": {} for i in range(n)}}})),
    "taken-over": (5, of_shapes(taken_over)),
    "methods": (3, of_schema(lambda n: schema(dict(call(i) for i in range(n))))),
    "values": (5, of_schema(lambda n: schema({"A": {"enum": [*range(n)]}}))),
    "all-values": (6, of_schema(lambda n: schema({"A": {"enum": [*range(3)]}, "B": {"enum": [*range(n - 3)]}}))),
    "pattern-length": (5, of_schema(lambda n: pattern("a" * n))),
    "pattern-depth": (50, of_schema(lambda n: pattern("(" * n + "a" + ")" * n))),
    "target-length": (40, of_extension(lambda n: ({"A" * (n - 14): END}, [action(f"$['$defs']['{'A' * (n - 14)}']")]))),
    "target-segments": (120, of_segments),
    "target-steps": (
        5,
        of_extension(lambda n: ({"A": {"enum": [*range(n - 2)]}}, [action("$['$defs'].A['enum', 'enum']", 9)])),
    ),
    "target-places": (3, of_extension(lambda n: ({f"A{i}": {} for i in range(n)}, [action("$['$defs'].*")]))),
    "overlay-copies": (6, of_extension(lambda n: ({"A": {}}, [action("$['$defs'].A", {"examples": [0] * (n - 2)})]))),
    "overlay-actions": (3, of_extension(lambda n: ({"A": {}}, [action("$['$defs'].A")] * n))),
}
"""For each limit a number that is easily reached, and what takes that much: what is at it passes, one more is refused."""


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.name)
def test_a_limit_has_two_sides(limit: Limit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    most, attempt = ATTEMPTS[limit.name]
    if not limit.fixed:
        monkeypatch.setattr(limits, "_set", {limit.name: most})
    assert limit.most == most
    attempt(tmp_path, most)
    with pytest.raises(CodegenError) as caught:
        attempt(tmp_path, most + 1)
    assert f"{limit.problem}" in str(caught.value)


# --- the table -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", LIMITS, ids=[limit.name for limit in LIMITS])
def test_the_docs_show_the_limit(limit: Limit) -> None:
    row = f"| `{limit.name}` | {limit.shown} {limit.counted} | {limit.instead} |"
    assert row in (ROOT / "docs" / "limits.md").read_text(encoding="utf-8").splitlines()


def test_names_of_limits_are_unique() -> None:
    assert len({limit.name for limit in LIMITS}) == len(LIMITS)
    assert count_limits.CHAIN in LIMITS
