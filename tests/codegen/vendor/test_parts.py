"""`vendor --with` and `--without`: the parts of a package, remembered, checked, and asked for by name where one is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.emit.parts import ALL, in_order, part_of

from .test_vendor import DEST, EXTENSION, SCHEMA, contents, project, vendored

if TYPE_CHECKING:
    from tests.conftest import RunCli

__all__ = ["project", "vendored"]  # fixtures

MADE = (
    *("client", "blocking", "mcp", "extensions", "networking", "bridge", "pydantic", "pydantic_models"),
    *("reconnecting", "tracing", "testing", "versions"),
)
"""The parts for which the schema of these tests makes modules."""
RUNTIME = {
    "client": "_runtime/session/client_session.py",
    "blocking": "_runtime/blocking.py",
    "mcp": "_runtime/session/tunnel.py",
    "extensions": "_runtime/connection/extensions.py",
    "networking": "_runtime/entrypoints/serve.py",
    "bridge": "_runtime/bridge/plan.py",
    "pydantic": "_runtime/codec/pydantic.py",
    "pydantic_models": "pydantic_models.py",
    "reconnecting": "_runtime/reconnect/supervisor.py",
    "tracing": "_runtime/connection/telemetry.py",
    "versions": "_runtime/entrypoints/versions.py",
    "testing": "_runtime/testing.py",
}


def parts_there() -> set[str]:
    return {part for part, path in RUNTIME.items() if (DEST / path).exists()}


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DEST / "manifest.json").read_text())
    return found


def recorded() -> list[str]:
    found: list[str] = manifest()["parts"]
    return found


def edit_manifest(**changes: object) -> None:
    changed = {**manifest(), **changes}
    text = json.dumps({key: value for key, value in changed.items() if value is not None})
    (DEST / "manifest.json").write_text(text)


def raised(code: str) -> str:
    """The last line of what a program says that ends with an error."""
    ran = subprocess.run([sys.executable, "-c", code], cwd=DEST.parent, capture_output=True, text=True, check=False)
    assert ran.returncode == 1, ran.stdout
    return ran.stderr.splitlines()[-1]


# --- which parts a package has -------------------------------------------------------------------------------------------


def test_a_package_has_no_part_unless_it_is_asked_for(vendored: Path) -> None:
    assert (parts_there(), recorded()) == (set(), [])


def test_parts_are_added_kept_and_removed(vendored: Path, run_cli: RunCli) -> None:
    expected: list[tuple[list[str], set[str]]] = [
        (["--with", "testing"], {"client", "testing"}),
        ([], {"client", "testing"}),
        (["--models", "pydantic"], {"client", "testing", "pydantic_models"}),
        (["--with", "blocking,mcp,extensions,reconnecting,networking,bridge,pydantic,tracing,versions"], {*MADE}),
        (["--models", "msgspec"], {*MADE} - {"pydantic_models"}),
        (
            [
                "--without",
                "testing,tracing,pydantic,versions,bridge",
                "--without",
                "blocking,mcp,extensions,networking",
            ],
            {"client", "reconnecting"},
        ),
        (["--with", "testing", "--without", "reconnecting"], {"client", "testing"}),
        (["--without", "testing"], set()),
        (["--with", "testing,client"], {"client", "testing"}),
        (["--without", "testing"], {"client"}),
        (["--without", "all"], set()),
    ]
    for options, parts in expected:
        ran = run_cli("vendor", DEST, *options)
        assert (ran.code, parts_there(), recorded()) == (0, parts, [*in_order(parts)]), ran.err
        assert run_cli("vendor", DEST, "--check").code == 0
    assert [path for path in contents(vendored) if part_of(path.removeprefix(f"{DEST}/")) and "_runtime" in path] == []


def test_all_stands_for_every_part(vendored: Path, run_cli: RunCli) -> None:
    ran = run_cli("vendor", DEST, "--with", "all")
    assert (parts_there(), recorded()) == ({*MADE}, [*ALL])
    assert ran.err == f"{DEST}: the part stores is empty for this schema\n"


def test_a_run_that_names_no_part_says_which_it_keeps(vendored: Path, run_cli: RunCli) -> None:
    run_cli("vendor", DEST, "--with", "testing,blocking")
    ran = run_cli("vendor", DEST)
    assert (
        ran.err == f"{DEST}: keeps its parts, client, blocking, testing (--with adds parts, --without removes them)\n"
    )


def test_new_parts_make_a_package_stale(vendored: Path, run_cli: RunCli) -> None:
    ran = run_cli("vendor", DEST, "--check", "--with", "testing")
    assert ran.code == 1
    assert f"{DEST}/_runtime/testing.py: missing" in ran.out
    assert f"{DEST}: the parts of the package have changed" in ran.out
    assert f"{DEST}: somebody" not in ran.out


def test_check_lists_deleted_files_of_a_part_and_vendor_restores_them(vendored: Path, run_cli: RunCli) -> None:
    run_cli("vendor", DEST, "--with", "blocking")
    (DEST / RUNTIME["blocking"]).unlink()
    ran = run_cli("vendor", DEST, "--check")
    assert (ran.code, ran.out.splitlines()[0]) == (1, f"{DEST}/{RUNTIME['blocking']}: missing")
    run_cli("vendor", DEST)
    assert parts_there() == {"client", "blocking"}


# --- a part that is missing ----------------------------------------------------------------------------------------------


def test_what_is_left_imports_as_a_whole(vendored: Path) -> None:
    modules = sorted(path.relative_to(DEST.parent) for path in DEST.rglob("*.py"))
    here = [path for path in modules if not part_of("/".join(path.parts[1:]))]
    names = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in here]
    code = "".join(f"import {name}\n" for name in names)
    code += f"import {DEST.name} as acp\nfor name in [*acp.__all__, *dir(acp)]: getattr(acp, name)\n"
    subprocess.run([sys.executable, "-c", code], cwd=DEST.parent, check=True)


@pytest.mark.parametrize(
    ("use", "part"),
    [
        ("import acp; acp.ReconnectingAgent", "reconnecting"),
        ("import acp; acp.testing", "testing"),
        ("import acp; acp.RecordingClient", "testing"),
        ("from acp.testing import connected", "testing"),
        ("from acp import blocking", "blocking"),
        ("import acp.pytest_plugin", "testing"),
        ("import acp; acp.serve", "networking"),
        ("from acp import connect", "client,networking"),
        ("from acp import Client", "client"),
        ("from acp.client import Client", "client"),
        ("import acp.state", "client"),
        ("from acp import Transcript", "tracing"),
    ],
)
def test_who_uses_a_missing_part_is_told_the_command_that_adds_it(vendored: Path, use: str, part: str) -> None:
    told = raised(use)
    assert f"package was written without the part {part}; `acp-codegen vendor DEST --with {part}` adds it" in told
    assert told.startswith("ImportError")


def test_a_name_that_nobody_knows_is_an_attribute_error_as_always(vendored: Path) -> None:
    assert raised("import acp; acp.Nothing") == "AttributeError: module 'acp' has no attribute 'Nothing'"


# --- invalid input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--with", "tests"], '"tests" is not a part; did you mean testing? (parts: client, '),
        (["--with", ""], '"" is not a part (parts: client, '),
        (["--without", "store"], '"store" is not a part; did you mean stores?'),
        (["--with", "testing,testing"], "testing is named twice"),
        (["--with", "testing", "--with", "blocking,testing"], "testing is named twice"),
        (["--with", "all", "--without", "testing"], "--with and --without both name testing"),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused(
    vendored: Path, run_cli: RunCli, options: list[str], problem: str
) -> None:
    before = contents(vendored)
    ran = run_cli("vendor", DEST, *options)
    assert (ran.code, problem in ran.err) == (2, True), ran.err
    assert contents(vendored) == before


def test_a_part_of_a_newer_tool_is_not_dropped_without_being_told(vendored: Path, run_cli: RunCli) -> None:
    edit_manifest(parts=["telepathy", "testing"])
    ran = run_cli("vendor", DEST)
    assert ran.code == 2
    assert 'has the part "telepathy", which is unknown to this version of the tool; update the tool, or ' in ran.err
    assert run_cli("vendor", DEST, "--without", "telepathy").code == 0
    assert recorded() == ["client", "testing"]


# --- upgrades ------------------------------------------------------------------------------------------------------------


USER = """\
from app.acp import testing
from app import acp

pytest_plugins = ["app.acp.pytest_plugin"]
AGENT = acp.ReconnectingAgent
"""


@pytest.fixture
def earlier(vendored: Path, run_cli: RunCli) -> Path:
    """The project with a package from before parts could be chosen, which had all of them."""
    run_cli("vendor", DEST, "--with", "all")
    edit_manifest(parts=None, generator="0")
    (vendored / "src/app/user.py").write_text(USER)
    return vendored


def test_a_package_of_an_earlier_tool_keeps_all_and_plan_says_what_the_project_uses(
    earlier: Path, run_cli: RunCli
) -> None:
    note = f"""\
{DEST}: effects on the project:
  parts can now be chosen (--with, --without); the package keeps its parts: client, blocking, mcp, extensions, networking, bridge, pydantic, pydantic_models, reconnecting, tracing, testing, versions
  the part reconnecting is used
      src/app/user.py:5
  the part testing is used
      src/app/user.py:1
      src/app/user.py:4
  not used here: client, blocking, extensions, networking, bridge, pydantic_models, tracing; `--without client,blocking,extensions,networking,bridge,pydantic_models,tracing` removes them
"""
    assert run_cli("vendor", DEST, "--plan").out.endswith(note)
    assert run_cli("vendor", DEST).out.endswith(note)
    assert (parts_there(), recorded()) == ({*MADE}, [*MADE])
    assert "parts can now be chosen" not in run_cli("vendor", DEST).out


def test_a_package_of_an_earlier_tool_without_the_modules_for_tests_keeps_the_others(
    earlier: Path, run_cli: RunCli
) -> None:
    run_cli("vendor", DEST, "--without", "testing")
    left = {path: sha for path, sha in manifest()["files"].items() if part_of(path) != "testing"}
    edit_manifest(parts=None, generator="0", options=["--no-testing"], files=left)
    ran = run_cli("vendor", DEST, "--plan")
    assert f"{DEST}: the options" not in ran.out
    assert run_cli("vendor", DEST).code == 0
    assert (recorded(), parts_there()) == ([part for part in MADE if part != "testing"], {*MADE} - {"testing"})


def test_what_became_a_part_stays_in_a_package_that_had_it(earlier: Path, run_cli: RunCli) -> None:
    edit_manifest(parts=["testing"], generator="0")
    ran = run_cli("vendor", DEST)
    assert (ran.code, recorded()) == (0, [*MADE])


def test_an_agent_and_a_client_of_an_earlier_tool_keep_both_sides(vendored: Path, run_cli: RunCli) -> None:
    """Also with an installed runtime, where only the modules of the package itself tell; a part that was missing stays missing."""
    for runtime in ("copied", "installed"):
        run_cli("vendor", DEST, "--with", "client", "--runtime", runtime)
        written_for_a_missing_part = {"testing.py": "0"}
        edit_manifest(parts=[], generator="0", files={**manifest()["files"], **written_for_a_missing_part})
        ran = run_cli("vendor", DEST)
        assert (ran.code, recorded(), (DEST / "client.py").exists()) == (0, ["client"], True)


def test_a_part_that_others_need_does_not_go_alone(vendored: Path, run_cli: RunCli) -> None:
    run_cli("vendor", DEST, "--with", "testing,blocking,tracing")
    before = contents(vendored)
    ran = run_cli("vendor", DEST, "--without", "client")
    problem = "--without: error: lacks the part client, which blocking and testing need; remove all of them: "
    assert (ran.code, ran.err) == (2, f"{problem}--without client,blocking,testing\n")
    assert contents(vendored) == before
    assert run_cli("vendor", DEST, "--without", "client,blocking,testing").code == 0
    assert recorded() == ["tracing"]


def test_plan_names_the_lines_that_use_a_part_that_goes(earlier: Path, run_cli: RunCli) -> None:
    ran = run_cli("vendor", DEST, "--plan", "--without", "testing,blocking")
    assert ran.out.endswith(f"""\
{DEST}: effects on the project:
  the part testing will be removed; `--with testing` keeps it
      src/app/user.py:1
      src/app/user.py:4
  parts that will be removed, not used here: blocking
""")


# --- a package over another one ------------------------------------------------------------------------------------------


@pytest.fixture
def bases(project: Path, run_cli: RunCli) -> Path:
    """A project with a package that has one part, and an extension."""
    both = {"PongNotification": {"type": "object", "x-method": "pong", "x-side": "client"}}
    Path("protocol.json").write_text(json.dumps({**SCHEMA, "$defs": {**SCHEMA["$defs"], **both}}))
    Path("acme.json").write_text(json.dumps(EXTENSION).replace("PongNot", "AcmePongNot"))
    assert run_cli("vendor", "lower", "--schema", "protocol.json", "--with", "blocking").code == 0
    return project


def upper(run_cli: RunCli, *more: str, on: str = "lower") -> tuple[int, str]:
    ran = run_cli("vendor", "upper", "--schema", "protocol.json", "--extend", "acme.json", "--on", on, *more)
    return ran.code, ran.err


def test_a_package_over_another_one_has_the_parts_of_that_one(bases: Path, run_cli: RunCli) -> None:
    def imported(module: str) -> str:
        code = f"import upper; import upper.{module} as m; print(m.__all__)"
        ran = subprocess.run([sys.executable, "-c", code], cwd=bases, capture_output=True, text=True, check=False)
        return ran.stdout or ran.stderr.splitlines()[-1]

    assert upper(run_cli) == (0, "")
    assert "ClientSideConnection" in imported("blocking")
    assert imported("testing") == (
        "ImportError: upper has no 'testing': lower was written without the part testing, and so was this package; "
        "`acp-codegen vendor DEST --with testing` adds it there, `acp-codegen vendor DEST` then here"
    )
    code = "import upper; [getattr(upper, name) for name in [*upper.__all__, *dir(upper)]]; upper.testing"
    ran = subprocess.run([sys.executable, "-c", code], cwd=bases, capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1] == imported("testing")
    assert run_cli("vendor", "lower", "--with", "testing").code == 0
    check = run_cli("vendor", "upper", "--check")
    assert (check.code, "upper: the parts of the package have changed" in check.out) == (1, True)
    assert run_cli("vendor", "upper").code == 0
    assert "connected" in imported("testing")


def test_a_package_over_one_without_a_client_has_none_either(bases: Path, run_cli: RunCli) -> None:
    assert run_cli("vendor", "lower", "--without", "all", "--with", "extensions").code == 2
    assert run_cli("vendor", "lower", "--without", "client,blocking", "--with", "extensions").code == 0
    assert upper(run_cli) == (0, "")
    code = "import upper; [getattr(upper, name) for name in [*upper.__all__, *dir(upper)]]; upper.Client"
    ran = subprocess.run([sys.executable, "-c", code], cwd=bases, capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1].startswith(
        "ImportError: upper has no 'Client': lower was written without the part client"
    )
    assert (bases / "upper" / "agent.py").exists()
    assert not (bases / "upper" / "client.py").exists()


def test_its_parts_are_not_chosen_apart_from_that_one(bases: Path, run_cli: RunCli) -> None:
    problem = "upper: error: has the parts of lower (client, blocking); choose {} there, then run this again\n"
    assert upper(run_cli, "--with", "testing,blocking") == (2, problem.format("testing"))
    assert upper(run_cli, "--without", "blocking") == (2, problem.format("blocking"))
    assert upper(run_cli, "--with", "blocking")[0] == 0


def test_parts_of_a_package_that_is_not_found_are_named(bases: Path, run_cli: RunCli) -> None:
    assert upper(run_cli, on="elsewhere.acp") == (
        0,
        "upper: cannot find elsewhere.acp from here; list its parts with --with\n",
    )
    assert upper(run_cli, "--with", "testing", on="elsewhere.acp") == (0, "")
    assert "from elsewhere.acp" in (bases / "upper" / "testing.py").read_text()
