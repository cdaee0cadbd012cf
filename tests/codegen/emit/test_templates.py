"""What templates are given: names, types, literals and documentation, each of its declared kind, and no code."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from jinja2 import ChoiceLoader, DictLoader, Environment

from codegen.document.read import Document, parse, read
from codegen.emit import dmcg, extension_package, kinds, models, package
from codegen.pipeline import load_shapes
from tests.support.sampling import exhaustive
from tests.upstream import RELEASES, release_name
from tests.wire.packages import render_unformatted

ROOT = Path(__file__).resolve().parents[3]
AWKWARD = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": 'A "title" \\ """ {{ 1 }} \u202e',
    "$defs": {
        "PingRequest": {
            "type": "object",
            "x-method": 'pi"ng\\',
            "x-side": "agent",
            "description": 'Ends with """ and a \\',
            "properties": {
                "list": {"type": "array", "items": {"type": "string"}},
                "wi-re": {"const": 'a"\\\u2028', "description": '"""'},
                "words": {"type": "string", "pattern": "^\u00e9\"'$"},
            },
            "required": ["wi-re"],
        },
        "PingResponse": {"type": "object", "x-method": 'pi"ng\\', "x-side": "agent", "properties": {}},
    },
}


FILES = {"ours": ROOT / "schema.json"} | {release_name(path): path for path in RELEASES}


def document(name: str) -> Document:
    return read(FILES[name]) if name in FILES else parse(json.dumps(AWKWARD).encode(), name)


class Given:
    """The contexts that templates were given while a package was rendered, by the name of the template."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.contexts: list[tuple[str, Any]] = []
        environment, written = package.templates(), dmcg.written

        def recording_written(shapes: Any, data: Mapping[str, Any], kind: dmcg.Kind = dmcg.MSGSPEC) -> Any:
            template = "msgspec" if kind is dmcg.MSGSPEC else "pydantic_v2/BaseModel"
            self.contexts.append((f"models/{template}", data))
            return written(shapes, data, kind)

        class Recording(Environment):
            def get_template(recorder, name: Any, *_: Any, **__: Any) -> Any:  # noqa: N805
                template = environment.get_template(name)

                class Filled:
                    @staticmethod
                    def render(**context: Any) -> str:
                        self.contexts.append((name, context))
                        return template.render(**context)

                return Filled

        monkeypatch.setattr(package, "templates", Recording)
        monkeypatch.setattr(extension_package, "templates", Recording)
        monkeypatch.setattr(models, "written", recording_written)
        _, schema, shapes, _ = load_shapes(document(name), stable=False, bare=False, note=lambda _: None)
        render_unformatted(schema, shapes)


@pytest.fixture(scope="module", params=exhaustive([*FILES, "awkward"], stay=["ours", "awkward"]))
def given(request: pytest.FixtureRequest) -> Given:
    with pytest.MonkeyPatch.context() as monkeypatch:
        return Given(monkeypatch, request.param)


def texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every text in a context with its path. Keys of mappings are texts where the macros write them, which `kinds` tells."""
    match value:
        case str():
            yield path, value
        case Mapping():
            for key, child in value.items():
                if type(key) is not str:
                    yield f"{path}.{key}", key
                yield from texts(child, f"{path}.{key}")
        case None | bool() | int():
            pass
        case _:
            for index, child in enumerate(value):
                yield from texts(child, f"{path}[{index}]")


def problem(text: str, *, python: bool = True) -> str | None:
    """What is wrong with a text for its kind."""
    try:
        match text:
            case kinds.Identifier():
                good = not text or all(part.isidentifier() for part in text.removeprefix(".").split("."))
            case kinds.Expression():
                good = all(of_types(node) for node in ast.walk(ast.parse(text, mode="eval")))
            case kinds.Literal():
                ast.literal_eval(text)
                good = text.isascii()
            case kinds.Docstring():
                tree = ast.parse(text.replace("\n    ", "\n")).body
                good = len(tree) == 1 and isinstance(ast.literal_eval(text), str)
            case kinds.Prose():
                good = text.isprintable() and not (python and '"""' in text)
            case _:
                return "no declared kind"
    except (SyntaxError, ValueError) as error:
        return str(error)
    return None if good else f"not a {type(text).__name__}"


def of_types(node: ast.AST) -> bool:
    """Whether a node may be in a type expression; the one call is that of a type's limits."""
    return isinstance(node, _OF_TYPES) or (isinstance(node, ast.Call) and ast.unparse(node.func) in ("Meta", "Field"))


_OF_TYPES = (
    ast.Expression,
    ast.Name,
    ast.Load,
    ast.Subscript,
    ast.Tuple,
    ast.BinOp,
    ast.BitOr,
    ast.Constant,
    ast.UnaryOp,
    ast.USub,
    ast.Attribute,
    ast.List,
    ast.keyword,
)


def test_every_text_in_a_context_is_what_its_kind_says(given: Given) -> None:
    # A class that is rendered arrives at the template of the module as a whole.
    found = {
        (f"{template}: {path}", problem(text, python=".md." not in template))
        for template, context in given.contexts
        for path, text in texts(context, "")
        if not (template.endswith("models.py.jinja2") and path.startswith(".classes["))
    }
    assert sorted((path, wrong) for path, wrong in found if wrong is not None)[:10] == []
    assert len(found) > 50


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (kinds.Identifier("a b"), "not a Identifier"),
        (kinds.Expression("f(x)"), "not a Expression"),
        (kinds.Expression("x: int"), "invalid syntax (<unknown>, line 1)"),
        (kinds.Literal("METHODS"), "malformed node or string"),
        (kinds.Docstring('"""a""" + x'), "malformed"),
        (kinds.Prose('"""'), "not a Prose"),
        ("self, *, a: int", "no declared kind"),
    ],
)
def test_a_text_that_is_not_what_its_kind_says_is_noticed(text: str, wrong: str) -> None:
    assert (problem(text) or "").startswith(wrong)


def test_one_module_imports_the_generator_of_the_classes() -> None:
    modules = [*(ROOT / "codegen").rglob("*.py"), *(ROOT / "acp_tools").rglob("*.py")]
    found = [str(path.relative_to(ROOT)) for path in modules if "datamodel_code_generator" in imported(path)]
    assert found == ["codegen/emit/dmcg.py"]


def imported(path: Path) -> set[str]:
    """The top-level packages that a module imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found


CODE = (
    "def ",
    "class {",
    "import ",
    "lambda",
    "return ",
    "self.",
    "await ",
    "METHODS[",
    "(**",
    " = UNSET",
    "frozenset(",
)
"""What a string with Python in it would have one of."""


@pytest.mark.parametrize("folder", ["emit", "shape"])
def test_no_string_of_the_emitting_packages_has_code(folder: str) -> None:
    found = [
        f"{path.name}:{node.lineno}: {node.value}"
        for path in sorted((ROOT / "codegen" / folder).glob("*.py"))
        for node in strings(ast.parse(path.read_text(encoding="utf-8")))
        if any(code in node.value for code in CODE)
    ]
    assert found == []


def strings(module: ast.Module) -> Iterator[Any]:
    """The strings of a module that are not its docstrings."""
    docstrings = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node


def test_a_signature_changes_with_one_macro(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every signature is from the macro `parameter`: calls, streams, entries and handles."""
    environment = package.templates()
    loader = environment.loader
    assert loader is not None
    source, _, _ = loader.get_source(environment, "types.jinja2")
    changed = source.replace("{{ it.name }}: {{ hint(", "{{ it.name }}: Changed | {{ hint(")
    assert changed != source
    environment.loader = ChoiceLoader([DictLoader({"types.jinja2": changed}), loader])
    monkeypatch.setattr(package, "templates", lambda: environment)
    _, schema, shapes, _ = load_shapes(document("ours"), stable=False, bare=False, note=lambda _: None)
    files, hints = render_unformatted(schema, shapes), list[str]()
    for name in ("agent.py", "client.py"):
        for node in ast.walk(ast.parse(files[name])):
            if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef):
                hints += [ast.unparse(each.annotation) for each in node.args.kwonlyargs if each.annotation]
    others = [hint for hint in hints if not hint.startswith("Changed | ")]
    assert len(hints) > 100
    # What is not of the schema is written where it is: options of the entries of a state, of opening a session again, of `run_agent`.
    assert {hint.partition("[")[0] for hint in others} == {"Callable", "Sequence", "bool"}
