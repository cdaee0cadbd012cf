"""Text that a stranger may have written is put everywhere it can be, and every output of every command is looked at."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from tests.support.hostile_text import COMMAND, EVIL, NAME, faults, only_ours, without_fences
from tests.support.sampling import exhaustive

if TYPE_CHECKING:
    from tests.conftest import Ran, RunCli

MESSAGES_IN = ("text", "json", "github", "sarif")
FORMATS = (*MESSAGES_IN, "markdown", "html", "junit")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def harmless(ran: Ran, format_: str = "text") -> Ran:
    """Nothing that was printed does more than be read."""
    assert "internal error" not in ran.err
    assert faults(ran.err) == []
    shown = without_fences(ran.out) if format_ == "markdown" else ran.out
    assert faults(shown, command=COMMAND if format_ == "github" else None) == []
    match format_:
        case "github":
            assert all(line.startswith("::") for line in ran.out.splitlines())
        case "json":
            assert all(isinstance(json.loads(line), dict) for line in ran.out.splitlines())
        case "sarif" if ran.code != 2:
            assert json.loads(ran.out)["version"] == "2.1.0"
        case "markdown":
            only_ours(ran.out)
        case "html" if ran.code != 2:
            page = Page()
            page.feed(ran.out)
            assert page.tags <= Page.OURS
        case "junit" if ran.code != 2:
            assert ET.fromstring(ran.out).tag == "testsuites"
        case _:
            pass
    return ran


class Page(HTMLParser):
    """The elements of a page."""

    OURS = frozenset(
        "html head meta title style body header main section article h1 h2 h3 h4 p b code figure figcaption table tr th td pre span "
        "details summary ul li".split()
    )

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)


# --- schemas -------------------------------------------------------------------------------------------------------------


def schema(**places: Any) -> dict[str, Any]:
    """A small schema with a text at one of its places."""
    at = places.get
    thing = {
        "description": at("description", "A thing."),
        "type": "object",
        "title": at("title", "Thing"),
        "properties": {
            at("property", "a"): {"type": at("type", "string"), "description": at("property_description", "A.")},
            "b": {"enum": ["x", at("value", "y")], "type": "string", "default": at("default", "x")},
            "c": {"type": "string", "pattern": at("pattern", "^c"), "format": at("format", "uri")},
            "d": {"$ref": at("ref", "#/$defs/Choice"), "x-rfd": at("rfd", "hum")},
            "e": {
                "type": "integer",
                at("keyword", "minimum"): 1,
                "x-deserialize-default-on-error": at("leniency", True),
            },
        },
        "required": [at("required", "a")],
    }
    choice = {
        "oneOf": [
            {
                "type": "object",
                "title": "One",
                "properties": {"kind": {"const": at("tag", "one")}},
                "required": ["kind"],
            },
            {"type": "object", "title": "Two", "properties": {"kind": {"const": "two"}}, "required": ["kind"]},
        ]
    }
    ask = {"type": "object", "x-method": at("method", "ask"), "x-side": at("side", "agent")}
    return {
        "title": at("root_title", "Tiny"),
        "$comment": at("comment", ""),
        "x-rfds": {at("rfd_name", "hum"): {"title": at("rfd_title", "Hum"), "stage": at("stage", "draft")}},
        at("root_key", "x-ordering"): {"property": at("ordering", "thing")},
        "$defs": {
            at("definition", "Thing"): thing,
            "Choice": choice,
            "AskRequest": {
                **ask,
                "x-capability": at("capability", False),
                "properties": {"thing": {"$ref": f"#/$defs/{at('definition', 'Thing')}"}},
            },
            "AskResponse": {**ask, "description": at("answer", "An answer.")},
        },
    }


PLACES = (
    *(
        "description",
        "title",
        "property",
        "type",
        "property_description",
        "value",
        "default",
        "pattern",
        "format",
        "ref",
    ),
    *(
        "rfd",
        "keyword",
        "leniency",
        "required",
        "tag",
        "method",
        "side",
        "root_title",
        "comment",
        "rfd_name",
        "rfd_title",
    ),
    *("stage", "root_key", "ordering", "definition", "capability", "answer"),
)


@pytest.mark.parametrize("place", exhaustive(PLACES, stay=PLACES[::5]))
def test_text_of_a_schema(home: Path, run_cli: RunCli, place: str) -> None:
    (home / "schema.json").write_text(json.dumps(schema(**{place: EVIL})))
    (home / "before.json").write_text(json.dumps(schema()))
    for format_ in FORMATS:
        harmless(run_cli("check", "--against", "before.json", "--unstable", "--format", format_), format_)
    harmless(run_cli("diff", "schema.json", "before.json", "--unstable", "--format", "github"), "github")
    for format_ in ("markdown", "html", "json"):
        harmless(run_cli("changelog", "before.json", "schema.json", "--unstable", "--format", format_), format_)
    for format_ in ("text", "json"):
        harmless(run_cli("compatible", "before.json", "schema.json", "--unstable", "--format", format_), format_)
    for flag in ("--table", "--markdown", "--changes"):
        harmless(run_cli("bridge", "before.json", "schema.json", flag))
    harmless(run_cli("bridge", "before.json", "schema.json", "--json"), "json")
    harmless(run_cli("generate", "--bare", "--out", "out"))
    harmless(run_cli("openrpc"))
    published = harmless(run_cli("schema", "--annotated"))
    if published.code == 0:
        assert json.loads(published.out)["title"] == schema(**{place: EVIL})["title"]
    harmless(run_cli("rfd"))
    harmless(run_cli("rfd", "hum"))
    harmless(run_cli("rfd", EVIL))


@pytest.mark.parametrize(
    "text", [EVIL, f'{{"a{EVIL}": 1}}', json.dumps({EVIL: 1, "x": EVIL})[:-1], '{"$defs": {"\\ud83d": 1}}']
)
def test_a_file_that_is_not_a_schema(home: Path, run_cli: RunCli, text: str) -> None:
    (home / "schema.json").write_text(text)
    for format_ in FORMATS:
        harmless(run_cli("check", "--format", format_), format_)
    for command in (
        ["generate", "--out", "out"],
        ["schema"],
        ["rfd"],
        ["vendor", "out"],
        ["diff", "schema.json", "schema.json"],
    ):
        harmless(run_cli(*command))


# --- extensions, settings, names -----------------------------------------------------------------------------------------


def extension(**places: str) -> dict[str, Any]:
    at = places.get
    return {
        "overlay": at("overlay", "1.0.0"),
        "info": {"title": at("title", "Acme"), "version": at("version", "1")},
        "actions": [
            {"target": at("target", "$['$defs']"), at("action", "update"): {at("name", "Extra"): {"type": "object"}}}
        ],
    }


@pytest.mark.parametrize("place", ["overlay", "title", "version", "target", "action", "name"])
def test_text_of_an_extension(home: Path, run_cli: RunCli, place: str) -> None:
    (home / "schema.json").write_text(json.dumps(schema()))
    (home / "x.json").write_text(json.dumps(extension(**{place: EVIL})))
    for format_ in FORMATS:
        harmless(run_cli("check", "--extend", "x.json", "--format", format_), format_)
    for command in (["generate", "--out", "out"], ["schema"], ["vendor", "acp"]):
        harmless(run_cli(*command, "--schema", "schema.json", "--extend", "x.json"))
    harmless(run_cli("vendor", "acp", "--check"))


@pytest.mark.parametrize(
    "text",
    [
        f"[tool.acp-codegen.check]\n{json.dumps(EVIL)} = 1\n",
        EVIL,
        *(
            f"[[tool.acp-codegen.check.suppress]]\n{entry}\n"
            for entry in (
                f'rule = {json.dumps(EVIL)}\npointer = ""\nreason = "x"',
                f'rule = "def-unused"\npointer = {json.dumps(EVIL)}\nreason = "x"',
                f'rule = "def-unused"\npointer = ""\nreason = "x"\n{json.dumps(EVIL)} = 1',
            )
        ),
    ],
    ids=["setting", "not TOML", "rule", "pointer", "key"],
)
def test_text_of_the_settings(home: Path, run_cli: RunCli, text: str) -> None:
    (home / "schema.json").write_text(json.dumps(schema()))
    (home / "pyproject.toml").write_text(text)
    for format_ in FORMATS:
        harmless(run_cli("check", "--format", format_), format_)


@pytest.mark.parametrize(
    "entry",
    [
        {"rule": EVIL},
        {"pointer": EVIL},
        {"what": EVIL},
        {"since": EVIL},
        {"until": EVIL},
        {EVIL: "x"},
        {"why": EVIL},
    ],
    ids=lambda entry: next(iter(entry)) if EVIL not in entry else "key",
)
@pytest.mark.parametrize("until", exhaustive(["v9", "2000-01-01"], stay=["2000-01-01"]))
def test_text_of_the_ledger(home: Path, run_cli: RunCli, entry: dict[str, str], until: str) -> None:
    before, after = schema(), schema(value="z")
    known = {"rule": "enum-value-removed", "pointer": "/$defs/**", "what": "lost", "why": "x", "since": "v1"}
    lines = (f"{json.dumps(key)} = {json.dumps(value)}" for key, value in {**known, "until": until, **entry}.items())
    (home / "accepted-breaks.toml").write_text("[[break]]\n" + "\n".join(lines) + "\n")
    (home / "schema.json").write_text(json.dumps(after))
    (home / "before.json").write_text(json.dumps(before))
    for format_ in FORMATS:
        harmless(run_cli("check", "--against", "before.json", "--format", format_), format_)
        harmless(run_cli("diff", "before.json", "schema.json", "--next-version", "--format", format_), format_)


def test_names_of_files(home: Path, run_cli: RunCli) -> None:
    (home / NAME).mkdir()
    file, extra = home / NAME / f"{NAME}.json", home / NAME / f"{NAME}-x.json"
    file.write_text(json.dumps(schema(ref="#/$defs/Gone")))
    extra.write_text(json.dumps(extension(target="$.gone")))
    examples = file.parent / "examples" / "messages" / "agent" / "ask"
    examples.mkdir(parents=True)
    (examples / f"{NAME}.request.json").write_text("{")
    (home / "tiny.json").write_text(json.dumps(schema()))
    for format_ in FORMATS:
        harmless(run_cli("check", "--schema", file, "--format", format_), format_)
        harmless(run_cli("diff", "tiny.json", file, "--format", format_), format_)
        harmless(run_cli("check", "--schema", "tiny.json", "--extend", extra, "--format", format_), format_)
    for format_ in MESSAGES_IN:
        harmless(run_cli("validate", home / NAME, "--schema", "tiny.json", "--format", format_), format_)
    for command in (
        ["generate", "--out", NAME],
        ["schema"],
        ["rfd"],
        ["generate", "--out", file, "--bare"],
        ["vendor", NAME],
    ):
        harmless(run_cli(*command, "--schema", file))
    harmless(run_cli("generate", "--schema", "tiny.json", "--out", home / NAME / "out"))
    harmless(run_cli("docs", "--schema", "tiny.json", "--out", home / NAME / "site"))
    harmless(run_cli("docs", "--schema", "tiny.json", "--out", "site", "--release", f"{NAME}={file}"))
    harmless(run_cli("generate", "--schema", home / NAME / "gone", "--out", home / NAME / "out", "--check"))


def test_a_name_of_a_file_that_is_not_utf_8(home: Path, run_cli: RunCli) -> None:
    file = home / "\udcff.json"
    file.write_text(json.dumps(schema(ref="#/$defs/Gone")))
    for format_ in FORMATS:
        shown = harmless(run_cli("check", "--schema", file, "--format", format_), format_)
        assert shown.code == 1
        assert {"json": "\\udcff", "sarif": "%FF"}.get(format_, "\\xff") in shown.out


def test_arguments(home: Path, run_cli: RunCli) -> None:
    (home / "schema.json").write_text(json.dumps(schema()))
    for command in (
        [EVIL],
        ["check", EVIL],
        ["check", "--format", EVIL],
        ["check", "--against", EVIL],
        ["explain", EVIL],
    ):
        assert harmless(run_cli(*command)).code == 2
    for command in (
        ["check", "--config", EVIL],
        ["validate", EVIL],
        ["diff", EVIL, EVIL],
        ["vendor", EVIL],
        ["--out", EVIL],
    ):
        assert harmless(run_cli(*command)).code in (0, 2)


def test_revisions(home: Path, run_cli: RunCli) -> None:
    (home / "schema.json").write_text(json.dumps(schema()))
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *command], cwd=home, check=True)
    for revision in (
        EVIL,
        f"HEAD:{EVIL}",
        f"HEAD~{EVIL}",
        f"origin/{EVIL}",
        "x##[group]y",
        f"x##[group]y:{EVIL}",
        f"-{EVIL}",
    ):
        harmless(run_cli("check", f"--against={revision}"))
        harmless(run_cli("changelog", "--", revision, f"HEAD..{revision}"))


# --- manifests -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flag", [[], ["--check"], ["--diff"]], ids=str)
def test_names_in_a_manifest_and_texts_in_the_directory(home: Path, run_cli: RunCli, flag: list[str]) -> None:
    import hashlib

    (home / "schema.json").write_text(json.dumps(schema()))
    run_cli("generate", "--out", "out")
    manifest = json.loads((home / "out" / "manifest.json").read_text())
    for name in ("##[group]x", "::error::x", "```", NAME):
        (home / "out" / name).write_text(EVIL)
        manifest["files"][name] = hashlib.sha256(EVIL.encode()).hexdigest()
        (home / "out" / "manifest.json").write_text(json.dumps({**manifest, "options": [EVIL]}, indent=1))
        (home / "out" / "models.py").write_text(EVIL)
        harmless(run_cli("generate", "--out", "out", *flag))
        del manifest["files"][name]


# --- messages ------------------------------------------------------------------------------------------------------------

MESSAGES: dict[str, Callable[[], Iterator[str]]] = {
    "t.ndjson": lambda: (
        json.dumps(line)
        for line in (
            {"jsonrpc": "2.0", "id": EVIL, "method": EVIL, "params": {EVIL: EVIL}},
            {"jsonrpc": "2.0", "id": 1, "method": "ask", "params": {"thing": {EVIL: 1, "b": EVIL, "a": 1}}},
            {"jsonrpc": EVIL, "id": 1, "result": {EVIL: EVIL}},
            {"t": EVIL, "dir": EVIL, "msg": {EVIL: EVIL}},
            {"t": 1, "dir": "client-to-agent", "raw": EVIL},
            {"jsonrpc": "2.0", "id": 2, "error": {"code": EVIL, "message": EVIL, EVIL: EVIL}},
        )
    ),
    "raw.ndjson": lambda: iter([EVIL, '{"a": "\x1b"}', '{"\\ud83d": 1}', '{"jsonrpc": "2.0", "method": "\\ud83d"}']),
    "m.json": lambda: iter([json.dumps({"jsonrpc": "2.0", "id": 1, "method": EVIL, EVIL: 1})]),
    "d.md": lambda: iter(
        ["# x", "```json", json.dumps({"jsonrpc": "2.0", "id": 1, "method": EVIL, EVIL: 1}), "```", EVIL]
    ),
}


@pytest.mark.parametrize("name", ["t.ndjson", "raw.ndjson"])
def test_recorded_messages(home: Path, run_cli: RunCli, name: str) -> None:
    (home / "old.json").write_text(json.dumps(schema()))
    (home / "new.json").write_text(json.dumps(schema(type="integer")))
    extra = json.dumps({"jsonrpc": "2.0", "id": 5, "method": "ask", "params": {"thing": {"a": EVIL}}})
    (home / name).write_text("\n".join([*MESSAGES[name](), extra]) + "\n")
    for format_ in FORMATS:
        ran = harmless(run_cli("diff", "old.json", "new.json", "--replay", name, "--format", format_), format_)
        assert (ran.code, "1 of " in ran.out or format_ in ("json", "sarif")) == (1, True)
        of_fleet = ["check", "--schema", "new.json", "--against", "old.json", "--fleet", name]
        assert harmless(run_cli(*of_fleet, "--format", format_), format_).code == 1


@pytest.mark.parametrize("name", MESSAGES)
def test_messages(home: Path, run_cli: RunCli, name: str) -> None:
    (home / "schema.json").write_text(json.dumps(schema()))
    (home / name).write_text("\n".join(MESSAGES[name]()) + "\n")
    for format_ in MESSAGES_IN:
        harmless(run_cli("validate", name, "--format", format_), format_)
    harmless(run_cli("validate", name, "--lenient"))


# --- the one exit --------------------------------------------------------------------------------------------------------


def test_only_the_console_writes_to_the_standard_streams(root: Path) -> None:
    streams = re.compile(r"\bprint\(|\bsys\.(stdout|stderr)\b")
    found = {
        path.relative_to(root / "codegen").as_posix()
        for path in (root / "codegen").rglob("*.py")
        if "runtime" not in path.parts and streams.search(path.read_text())
    }
    # `format_worker.py` is a program of its own that talks to `format.py`; `catalogue.py` writes docs/rules.md, our own words.
    assert found == {"cli/console.py", "formatting/format_worker.py", "catalogue.py"}
