"""Text from a schema never becomes code: it comes through unchanged as text, or it is refused in one line."""

from __future__ import annotations

import ast
import inspect
import itertools
import json
import keyword
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codegen.document.read import parse
from codegen.emit.package import TOOLS_OFF
from codegen.emit.text import comment, docstring, literal, markdown
from codegen.errors import SchemaError
from codegen.pipeline import load_shapes
from codegen.shape.public import PASSED_ON

if TYPE_CHECKING:
    from tests.conftest import Package

CANARY = Path("/tmp/pwned")
TEXT = {"type": "string"}

HOSTILE = {
    "code": '"""+__import__(\'os\').system(\'touch /tmp/pwned\')+"""',
    "code in single quotes": "'''+__import__('os').system('touch /tmp/pwned')+'''",
    "code on a new line": "x\n__import__('os').system('touch /tmp/pwned')",
    "code after an escape": '\\"""\n__import__(\'os\').system(\'touch /tmp/pwned\')\n"""',
    "ends in a quote": 'say "hi"',
    "ends in quotes": 'say ""',
    "ends in many quotes": 'say """""""',
    "ends in a backslash": "C:\\",
    "ends in backslash and quote": 'a\\"',
    "ends in two backslashes and a quote": 'a\\\\"',
    "starts with quotes": '"""a',
    "quotes alone": '"' * 7,
    "escapes": "\\n \\x41 \\u0041 \\N{BULLET} \\",
    "an expression of Jinja": "{{ 7 * 7 }} {{ ''.__class__.__mro__ }}",
    "statements of Jinja": "{% endraw %}{% for %}{% include 'x' %}{# gone #}{%- raw -%}",
    "braces": "{0} {x!r} %s %(x)s ${y}",
    "control characters": "a\x01b\x1b[31mc\x7fd\x9fe",
    "NUL": "a\x00b",
    "bidirectional": "a\u202eb\u2066c\u2069\u200fd",
    "invisible": "a\u200bb\ufeffc\xadd",
    "separators": "a\u2028b\u2029c\x85d\x0ce",
    "astral": "😀 \U000e0041 \U0010ffff \uffff",
    "comment ends": "--> # noqa type: ignore",
    "an encoding": "# -*- coding: utf-7 -*-",
    "markup": "<script>alert(1)</script> [x](javascript:y) | a | b |\n\n# H",
    "import": "__import__",
    "what is escaped already": "\\{alert(1)} \\\\{alert(2)} \\<b onclick=x>y \\\\<i>",
    "entities": "&#60;script&#62;alert(1)&#60;/script&#62; &lt;b&gt; &NewLine;&#x202e;",
    "a template literal": "`${alert(1)}` ${'`'} `` ` ``",
    "front matter": "---\ntitle: x\n---\nexport const x = 1",
    "a link by reference": '[x]: javascript:alert(1) "t"\n[x][x] ![x][x] [x]',
    "bare addresses": "www.evil.example http://evil.example/x a@evil.example <https://evil.example>",
    "the end of a cell": "a \\| b \\\\| c |\n| --- |",
    "ends of elements": "</summary></details></td></table></code></main> <!-- <!--> --!> <![CDATA[x]]>",
    "directives": ":::note{onclick=x}\n:role[x]{.y} {{< shortcode >}} <%= x %> [[x]]",
    "other fences": "~~~js\nalert(1)\n````\n{x}",
    "reST": ".. raw:: html\n\n   <b>x</b>\n\n:func:`x` |sub| `a <javascript:x>`_",
    "emphasis": "*a* _b_ **c** __d__ ~~e~~ ~f~ [^1]\n[^1]: note $$x$$",
    "headings by underlines": "x\n===\ny\n---\n1. a\n+ b\n    code",
    "long": "x" * 3000,
}


@pytest.fixture(autouse=True)
def nothing_was_executed() -> Iterator[None]:
    CANARY.unlink(missing_ok=True)
    yield
    executed = CANARY.exists()
    CANARY.unlink(missing_ok=True)
    assert not executed


def words(text: str | None) -> list[str]:
    """What stays when a text is wrapped."""
    return (text or "").split()


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def imported_whole(made: ModuleType) -> ModuleType:
    for name in made.__all__:
        getattr(made, name)
    return made


def attempt(package: Package, schema: Any) -> ModuleType | None:
    """The package of a schema with every module imported; None where the schema was refused as it should be."""
    try:
        made = package(schema)
    except AssertionError as refused:
        said = str(refused)
        assert re.match(r".*/schema\.json:1:\d+: error: ", said)
        assert (said.count("\n"), said.rstrip("\n").isprintable()) == (1, True)
        return None
    return imported_whole(made)


def numbered_whole(
    package: Package, definitions: Callable[[str, int], dict[str, Any]], texts: Iterable[str]
) -> ModuleType:
    """One package with the definitions of every text for which a package can be made by itself; each other one is refused.

    `made.TAKEN` has the texts that came through, by their number.
    """
    found, taken = dict[str, Any](), dict[int, str]()
    for number, text in enumerate(texts):
        schema = {"$defs": definitions(text, number)}
        try:
            load_shapes(
                parse(json.dumps(schema).encode(), "f.json"), stable=False, bare=True, refuse=ignore, note=ignore
            )
        except SchemaError:
            assert attempt(package, schema) is None, text
        else:
            found |= schema["$defs"]
            taken[number] = text
    made = imported_whole(package({"$defs": found}))
    made.TAKEN = taken
    return made


def ignore(*_: object) -> None:
    """What is noted does not refuse."""


def round_trip(made: ModuleType, type_: Any, value: Any) -> Any:
    return json.loads(made.encode(made.decode(type_, json.dumps(value).encode(), strict=True)))


# --- what comes through unchanged, whatever it holds -----------------------------------------------------------------


def nodes_of(number: int, text: str) -> dict[str, Any]:
    """A text in every place that takes any text."""
    method = {"x-method": f"say/{number}", "x-side": "agent"}
    return {
        f"Record{number}": {**record(a={**TEXT, "description": text}), "description": text},
        f"Alias{number}": {"enum": ["x"], "description": text},
        f"Value{number}": {"anyOf": [{"const": "y", "description": text}, TEXT], "description": text},
        f"Say{number}Notification": {**record(), "description": text, **method},
        f"Constant{number}": {**record(a={"enum": [text, "b"]}), "required": ["a"]},
        f"Words{number}": {"enum": [text, "b"]},
        f"Default{number}": record(a={**TEXT, "default": text, "x-deserialize-default-on-error": True}),
        f"Pattern{number}": record(a={**TEXT, "pattern": f"^{re.escape(text)}$"}),
    }


@pytest.fixture(scope="module")
def made(package: Package) -> ModuleType:
    """A package with all the hostile texts in it."""
    nodes = [nodes_of(number, text) for number, text in enumerate(HOSTILE.values())]
    return imported_whole(package({"$defs": {name: node for found in nodes for name, node in found.items()}}))


@cache
def strings_in(made: ModuleType) -> list[str]:
    """The strings in the module of a package that has its types, on a line each."""
    source = ast.parse((Path(made.__path__[0]) / "models.py").read_text(encoding="utf-8"))
    found = [node.value for node in ast.walk(source) if isinstance(node, ast.Constant)]
    return [" ".join(words(value)) for value in found if isinstance(value, str)]


def test_a_description_is_the_docstring_or_a_string(made: ModuleType) -> None:
    for number, text in enumerate(HOSTILE.values()):
        assert words(getattr(made, f"Record{number}").__doc__) == words(text)
        for stub in (getattr(made.Agent, f"say{number}"), getattr(made.ClientSideConnection, f"say{number}")):
            assert words(stub.__doc__)[: len(words(text))] == words(text)
        # The record, its property, the two aliases; the words of a value are in the docstring of its enumeration.
        wanted = " ".join(words(text))
        assert sum(string.startswith(wanted) for string in strings_in(made)) >= 4, text


def test_a_constant_an_enumeration_and_a_default_come_through_unchanged(made: ModuleType) -> None:
    for number, text in enumerate(HOSTILE.values()):
        constant, enumeration = getattr(made, f"Constant{number}"), getattr(made, f"Words{number}")
        assert round_trip(made, constant, {"a": text}) == {"a": text}
        assert json.loads(made.encode(constant(a=text))) == {"a": text}
        assert made.decode(enumeration, json.dumps(text).encode(), strict=True) == text
        with pytest.raises(msgspec.ValidationError):
            made.decode(enumeration, json.dumps(f"{text}!").encode(), strict=True)
        assert made.decode(getattr(made, f"Default{number}"), b'{"a": 1}').a == text


def test_a_pattern_comes_through_unchanged(made: ModuleType) -> None:
    for number, text in enumerate(HOSTILE.values()):
        type_ = getattr(made, f"Pattern{number}")
        assert round_trip(made, type_, {"a": text}) == {"a": text}
        with pytest.raises(msgspec.ValidationError):
            made.decode(type_, json.dumps({"a": f"{text}!"}).encode(), strict=True)


def test_the_title_of_the_whole_is_harmless_in_every_header(package: Package) -> None:
    for text in HOSTILE.values():
        home = Path(package({"title": text, "description": text, "$defs": {"A": record(a=TEXT)}}).__path__[0])
        for file in home.glob("*.py"):
            source = file.read_text(encoding="utf-8")
            comments = list(itertools.takewhile(lambda line: line.startswith("# "), source.splitlines()))
            head = 1 if file.stem in PASSED_ON else 2
            assert "\n".join(comments[head:]) == TOOLS_OFF, (text, file.name)
            assert isinstance(ast.parse(source).body[0], ast.Expr), (text, file.name)
        page = (home / "METHODS.md").read_text(encoding="utf-8")
        assert page.startswith("<!-- "), text
        assert page.index("-->") == page.splitlines()[0].index("-->"), text
        assert "<script" not in page, text


# --- names: they come through, or they are refused -------------------------------------------------------------------


@pytest.mark.parametrize("required", [False, True], ids=["declared", "required-only"])
def test_a_property_name_comes_through_or_is_refused(required: bool, package: Package) -> None:
    def definitions(text: str, number: int) -> dict[str, Any]:
        return {f"A{number}": {**record(), "required": [text]} if required else record(**{text: TEXT})}

    made = numbered_whole(package, definitions, HOSTILE.values())
    for number, text in made.TAKEN.items():
        assert round_trip(made, getattr(made, f"A{number}"), {text: "v"}) == {text: "v"}


def test_a_tag_comes_through_or_is_refused(package: Package) -> None:
    def definitions(text: str, number: int) -> dict[str, Any]:
        nodes = [{**record(t={"const": tag}), "required": ["t"]} for tag in (text, "b")]
        return {f"A{number}": {"oneOf": nodes}}

    made = numbered_whole(package, definitions, HOSTILE.values())
    for number, text in made.TAKEN.items():
        assert round_trip(made, getattr(made, f"A{number}"), {"t": text}) == {"t": text}


def test_a_method_name_comes_through_or_is_refused(package: Package) -> None:
    def definitions(text: str, number: int) -> dict[str, Any]:
        return {f"Say{number}Notification": {**record(), "x-method": text, "x-side": "agent"}}

    made = numbered_whole(package, definitions, HOSTILE.values())
    assert {key[1] for key in made.methods.METHODS} == set(made.TAKEN.values())
    assert "<script" not in (Path(made.__path__[0]) / "METHODS.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("place", ["definition", "side", "variant"])
def test_a_name_that_becomes_one_in_python_is_refused_unless_it_can(place: str, package: Package) -> None:
    def definitions(text: str, number: int) -> dict[str, Any]:
        nodes: dict[str, dict[str, Any]] = {
            "definition": {text: record()},
            "side": {f"Say{number}Notification": {**record(), "x-method": f"say{number}", "x-side": text}},
            "variant": {
                f"A{number}": {"anyOf": [{**TEXT, "title": text, "minLength": 1}, {"type": "array", "title": "n"}]}
            },
        }
        return nodes[place]

    made = numbered_whole(package, definitions, [*HOSTILE.values(), "fine", "Fine"])
    assert {"fine", "Fine"} & {*made.TAKEN.values()}
    assert all(name.isidentifier() for name in made.__all__)


# --- names that Python, msgspec or the emitted code use themselves ---------------------------------------------------

NAMES = [
    *"list type id from_ class_ self extra cls kwargs name fields tag other UNSET Struct str dict int float object".split(),
    *"msgspec Any Literal Meta Annotated typing properties required enum default const pattern schema json copy".split(),
    *"model_config model_fields annotations root datetime kw_only rename frozen print match __import__ __class__".split(),
    *"__init__ __dict__ __slots__ __struct_fields__ __post_init__ __doc__ __eq__ mro _meta meta $schema a.b a-b".split(),
    *"A URL camelCase HTTPServer x1 snake_case PascalCase __proto__ constructor".split(),
    *keyword.kwlist,
]


def test_a_property_may_have_any_name(package: Package) -> None:
    """One definition for every name, which has a property of that name beside others."""
    beside = {"otherList": {"type": "array", "items": TEXT}, "odd_Name": {"type": "integer"}}
    nodes = {f"It{n}": record(**{name: TEXT}, **beside) for n, name in enumerate(NAMES)}
    made = imported_whole(package({"$defs": nodes}))
    values = {f"It{n}": {name: "v", "otherList": ["w"], "odd_Name": 1} for n, name in enumerate(NAMES)}
    assert {type_: round_trip(made, getattr(made, type_), value) for type_, value in values.items()} == values


def test_a_property_may_be_called_like_the_function_that_renames_fields(package: Package) -> None:
    made = imported_whole(package({"$defs": {"A": record(field=TEXT, **{"odd_Name": TEXT, "class": TEXT})}}))
    value = {"field": "a", "odd_Name": "b", "class": "c"}
    assert round_trip(made, made.A, value) == value


def test_all_python_keywords_may_stand_in_one_object(package: Package) -> None:
    value = dict.fromkeys(keyword.kwlist, "v")
    made = imported_whole(package({"$defs": {"A": record(**dict.fromkeys(value, TEXT))}}))
    assert round_trip(made, made.A, value) == value


PARAMETERS = [
    "list",
    "self",
    "params",
    "type",
    "class",
    "connection",
    "response",
    "METHODS",
    "UNSET",
    "SayNotification",
]


def test_a_parameter_of_a_call_may_have_any_name(package: Package) -> None:
    """Each by itself: a name that others need would be changed for all."""
    for name in PARAMETERS:
        node = {**record(**{name: TEXT}), "x-method": "say", "x-side": "agent"}
        made = imported_whole(package({"$defs": {"SayNotification": node}}))
        parameters = inspect.signature(made.ClientSideConnection.say).parameters.values()
        assert [parameter.kind.name for parameter in parameters] == ["POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY"], name


def test_an_attribute_may_have_the_name_of_a_builtin_that_its_neighbours_need(package: Package) -> None:
    texts = {"type": "array", "items": TEXT}
    made = imported_whole(package({"$defs": {"A": record(list=TEXT, dict=texts, type=texts, id=texts, str=TEXT)}}))
    value = {"list": "a", "dict": ["b"], "type": ["c"], "id": ["d"], "str": "e"}
    read = made.from_dict(made.A, value, strict=True)
    assert (read.list, read.dict, read.type, read.id, read.str_) == ("a", ["b"], ["c"], ["d"], "e")
    assert made.to_dict(read) == value


FREE = ["Field", "Type", "List", "Model", "BaseModel", "Enum", "Path", "Exception", "Foo_Bar", "Foo_bar", "A1"]


@pytest.mark.parametrize("name", FREE)
def test_a_definition_may_have_any_name_that_is_free(name: str, package: Package) -> None:
    made = attempt(package, {"$defs": {name: record(a=TEXT), "User": record(x={"$ref": f"#/$defs/{name}"})}})
    assert made is None or getattr(made, name).__struct_fields__ == ("a",)


@pytest.mark.parametrize("side", ["codec", "connection", "jsonrpc", "models", "methods"])
def test_a_side_that_is_called_like_a_module_of_the_package_is_refused(side: str, package: Package) -> None:
    schema = {"$defs": {"SayNotification": {**record(), "x-method": "say", "x-side": side}}}
    assert attempt(package, schema) is None


@pytest.mark.parametrize("side", ["proxy", "x1"])
def test_any_other_side_gets_a_base_and_calls(side: str, package: Package) -> None:
    made = attempt(package, {"$defs": {"SayNotification": {**record(), "x-method": "say", "x-side": side}}})
    assert made is not None
    assert {side.capitalize(), f"{side.capitalize()}Connection"} <= set(made.__all__)


@pytest.mark.parametrize("name", ["Proxy", "ProxyConnection"])
def test_a_definition_that_is_called_like_a_side_is_refused(name: str, package: Package) -> None:
    side = {"SayNotification": {**record(), "x-method": "say", "x-side": "proxy"}}
    assert attempt(package, {"$defs": {name: record(), **side}}) is None


# --- the functions that every text goes through ----------------------------------------------------------------------

any_text = st.text(st.one_of(st.sampled_from("\"'\\\n {}%#\x00\u202e😀a"), st.characters(exclude_categories=["Cs"])))
bounded = settings(
    derandomize=True, max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@bounded
@given(any_text)
def test_a_docstring_evaluates_to_its_words(text: str) -> None:
    for indent in (0, 4, 8):
        source = docstring(text, indent)
        assert words(eval(source, {"__builtins__": {}})) == words(text)
        assert "\x00" not in source


@bounded
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text,
        lambda inner: st.lists(inner) | st.dictionaries(any_text, inner),
        max_leaves=8,
    )
)
def test_a_literal_evaluates_to_its_value_and_is_ascii(value: Any) -> None:
    source = literal(value)
    assert eval(source, {"__builtins__": {}}) == value
    assert source.isascii()
    assert "\n" not in source


@bounded
@given(any_text)
def test_a_comment_and_a_table_cell_stay_on_their_line(text: str) -> None:
    for shown in (comment(text), markdown(text)):
        assert len(f"a{shown}b".splitlines()) == 1
        assert not set(shown) & set("\x00\x1b\u202e\u2066")


def test_which_characters_are_hidden_does_not_depend_on_the_version_of_python() -> None:
    """U+1FAE8 came with Unicode 15: printable for Python 3.12, not for 3.11."""
    assert docstring("\U0001fae8 \u202e") == '"""\U0001fae8 \\u202e"""'
