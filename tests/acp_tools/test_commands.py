"""Commands that other packages bring to the command line: entry points, found where a run may need them and never otherwise."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from codegen.cli.main import main
from scripts.versions import protocol_version
from tests.support.optional_packages import python

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def brings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package in this Python that brings the command `greet`, and one whose module was removed."""
    info = tmp_path / "greeter-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: greeter\nVersion: 1.0\n")
    points = "greet = greeter_of_tests:greet\nlost = greeter_that_left:greet\ncheck = greeter_of_tests:greet\n"
    (info / "entry_points.txt").write_text(f"[acp_codegen.commands]\n{points}")
    (tmp_path / "greeter_of_tests.py").write_text(
        "import click\n@click.command(help='say hello')\ndef greet():\n    print('hello')\n    return 0\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield tmp_path
    sys.modules.pop("greeter_of_tests", None)


def test_a_command_of_another_package_runs(brings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["greet"]) == 0
    assert capsys.readouterr().out == "hello\n"


def test_the_help_lists_it(brings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    assert "say hello" in capsys.readouterr().out


def test_a_command_of_ours_loads_none_and_none_takes_its_name(brings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--help"])
    assert "greeter_of_tests" not in sys.modules
    assert "schema" in capsys.readouterr().out


def test_a_folder_that_was_deleted_is_named_only_to_whoever_asks_for_it(
    brings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--help"])
    assert "greeter_that_left" not in capsys.readouterr().err
    assert main(["lost"]) == 2
    assert 'the command "lost" needs the module "greeter_that_left"' in capsys.readouterr().err


def test_a_misspelt_command_is_told_those_that_there_are(brings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["greeet"]) == 2
    assert "Did you mean 'greet'?" in capsys.readouterr().err


def test_a_checkout_calls_the_package_as_the_wheel_does() -> None:
    import acp_generated
    import generated

    assert acp_generated is generated


def test_no_folder_imports_another_and_none_reaches_into_the_package() -> None:
    for path in (ROOT / "acp_tools").rglob("*.py"):
        own = path.relative_to(ROOT / "acp_tools").parts[0]
        text = path.read_text(encoding="utf-8")
        for other in {p.name for p in (ROOT / "acp_tools").iterdir() if p.is_dir() and p.name != "__pycache__"} - {own}:
            assert f"acp_tools.{other}" not in text, path
            assert f"from ..{other}" not in text, path
        assert "acp_generated._" not in text, path
        assert "from generated" not in text, path


def test_nothing_outside_imports_the_tools() -> None:
    for folder in ("codegen", "generated", "examples", "templates"):
        for path in (ROOT / folder).rglob("*.py"):
            assert "acp_tools" not in path.read_text(encoding="utf-8"), path


def test_a_checkout_has_each_module_of_the_generator_once_under_both_names() -> None:
    import acp_codegen.errors
    import acp_codegen.validate.live

    import codegen.errors
    import codegen.validate.live

    assert acp_codegen.errors is codegen.errors
    assert acp_codegen.validate.live is codegen.validate.live
    assert codegen.errors.__spec__.name == "codegen.errors"
    with pytest.raises(ModuleNotFoundError, match=r"acp_codegen\.nothing"):
        importlib.import_module("acp_codegen.nothing")


def test_the_programs_reach_the_generator_by_one_module() -> None:
    from acp_tools import codegen_api

    assert codegen_api.live.Live.__module__ == "codegen.validate.live"
    assert all(getattr(codegen_api, name).__name__.endswith(name) for name in codegen_api.MODULES)
    reaching = re.compile(r"^\s*(?:from|import) (?:acp_)?codegen\b", re.MULTILINE)
    found = {path.name for path in (ROOT / "acp_tools").rglob("*.py") if reaching.search(path.read_text())}
    assert found == {"codegen_api.py"}


def test_the_extras_ask_for_the_package_of_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    pins = {row.partition("==")[2] for rows in extras.values() for row in rows if row.startswith("acp-generated")}
    assert pins == {f"{protocol_version()}.{project['version']}"}


@pytest.mark.parametrize(
    ("arguments", "module", "extra"),
    [
        (["probe", "--", sys.executable, "examples/echo_agent.py"], "hypothesis", "probe"),
        (["probe", "--", "x"], "acp_generated", "probe"),
        (["expose", "--at", "http://127.0.0.1:0", "--", "x"], "acp_generated", "relay"),
        (["expose", "--at", "http://127.0.0.1:0", "--", "x"], "acp_remote", "relay"),
        (["expose", "--at", "http://127.0.0.1:0", "--", "x"], "hypercorn", "relay"),
        (["connect", "ws://127.0.0.1:9"], "acp_generated", "relay"),
        (["connect", "ws://127.0.0.1:9"], "acp_remote", "relay"),
        (["connect", "ws://127.0.0.1:9"], "websockets", "relay"),
        (["browse", "--json", "--", "x"], "acp_generated", "browse"),
        (["trace", "--attach", "pyproject.toml"], "jsonschema", "trace"),
        (["lsp"], "lsprotocol", "lsp"),
        (["lsp"], "pygls", "lsp"),
    ],
)
def test_a_command_without_its_extra_names_it_in_a_line(arguments: list[str], module: str, extra: str) -> None:
    program = (
        f"import sys; sys.modules[{module!r}] = None; from codegen.cli.main import main; sys.exit(main({arguments}))"
    )
    ran = python(ROOT, "-c", program)
    assert ran.returncode in (1, 2)
    assert f"acp-codegen[{extra}]" in ran.stderr
    assert module in ran.stderr
    assert "Traceback" not in ran.stderr
    assert "No such command" not in ran.stderr


def test_trace_without_its_extra_passes_on_and_says_what_it_does_not_record(tmp_path: Path) -> None:
    agent = "import sys; sys.stdout.write(sys.stdin.read())"
    arguments = ["trace", "--record", str(tmp_path / "t.ndjson"), "--", sys.executable, "-c", agent]
    program = f"import sys; sys.modules['acp_generated'] = None; from codegen.cli.main import main; sys.exit(main({arguments}))"
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, cwd=ROOT, input="{}\n", capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "{}\n")
    assert "acp-codegen[trace]" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
    assert not (tmp_path / "t.ndjson").exists()
