"""What people read of a package without opening it: `help`, an editor's hover, pdoc, Sphinx."""

from __future__ import annotations

import inspect
import pydoc
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest

import generated as acp
from codegen.emit.text import first_sentence
from tests.project.test_ranges import installed

ROOT = Path(__file__).parents[2]
UNION = "One change of a session; `sessionUpdate` names its kind."
VARIANT = '- `AgentMessageChunk` ("agent_message_chunk"): Next piece of the agent\'s reply.'
REST = "- `UnknownVariant`: any other `sessionUpdate`, kept unchanged."


def helped(thing: Any) -> str:
    tools: Any = pydoc  # typeshed lacks its plain renderer
    return str(tools.render_doc(thing, renderer=tools.plaintext))


# --- help --------------------------------------------------------------------------------------------------------------


def test_help_of_a_union_shows_what_it_may_be() -> None:
    text = helped(acp.SessionUpdate)
    assert all(line in text for line in (UNION, VARIANT, REST))


def test_help_of_a_union_that_only_the_codec_tells_apart_shows_what_it_may_be() -> None:
    text = helped(acp.SetSessionConfigOptionRequest)
    assert "Asks the agent to change one configuration option of a session." in text
    assert '- `SetSessionConfigOptionRequestBoolean` ("boolean"): ' in text
    assert "- `SetSessionConfigOptionRequestValueId`: " in text


def test_instances_of_a_union_are_those_of_its_classes() -> None:
    assert isinstance(acp.TextContent(text="a"), acp.ContentBlock)
    assert not isinstance(acp.Plan(entries=[]), acp.ContentBlock)
    assert acp.TextContent in get_args(vars(acp.ContentBlock)["__supertype__"])


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("One. Two.", "One."),
        ("One\ntwo. Three.\n\nFour.", "One two."),
        ("One", "One"),
        ("One `a.b` two.", "One `a.b` two."),
        (None, ""),
    ],
)
def test_the_first_sentence_of_a_text(text: str | None, first: str) -> None:
    assert first_sentence(text) == first


def test_dir_of_the_package_has_all_that_it_exports_whether_it_is_loaded_or_not() -> None:
    listed = dir(acp)
    assert {"Agent", "Client", "run_agent", "spawn_agent", "decode", "RequestError"} <= {*listed}
    assert {"codec", "connection", "errors", "methods", "models", "transports"} <= {*listed}
    assert {"METHODS", "requirements"} <= {*dir(acp.methods)}
    assert {*acp.__all__} <= {*listed}


# --- stubs -------------------------------------------------------------------------------------------------------------


def test_a_call_documents_its_arguments_its_caller_s_duties_and_its_errors() -> None:
    text = acp.ClientSideConnection.list_sessions.__doc__ or ""
    assert "- `cwd`: Absolute path; only sessions with this working directory are listed." in text
    assert "Required of the client:" in text
    assert "- MUST: Cursors are opaque: the client neither parses nor changes them." in text
    assert "Required of the agent:" not in text
    errors = re.sub(r"\s+", " ", text.partition("Raises ")[2])
    assert all(name in errors for name in ("CapabilityError", "RequestError", "InvalidResponse", "ConnectionClosed"))


def test_a_handler_documents_what_is_required_of_its_side() -> None:
    text = acp.Agent.delete_session.__doc__ or ""
    duties = re.sub(r"\s+", " ", text.partition("Required of the agent:")[2])
    assert "- MUST: A deleted session no longer appears in `session/list`." in duties
    assert "- SHOULD: Deleting is idempotent:" in duties
    assert duties.index("- MUST:") < duties.index("- SHOULD:") < duties.index("- MAY:")
    assert "ask the user to confirm" not in duties, "that binds clients"


def test_what_a_draft_brings_to_sessions_says_so() -> None:
    assert acp.ClientSession.archive.__doc__.endswith("Unstable: RFD session-archive (draft).\n        ")  # type: ignore[union-attr]
    assert "Unstable: RFD subagents (draft)." in inspect.getdoc(acp.AgentSession.subagent_update).replace("\n", " ")  # type: ignore[union-attr]
    assert "Unstable" not in (acp.ClientSession.close.__doc__ or "") + (acp.AgentSession.say.__doc__ or "")
    states = (ROOT / "generated" / "state.py").read_text(encoding="utf-8")
    assert re.search(r'plans: dict\[.*\n    """[^"]*Unstable: RFD plan-updates \(draft\)\.', states)
    assert not re.search(r'tool_calls: dict\[.*\n    """[^"]*Unstable', states)


def test_a_notification_is_not_answered_and_raises_no_error_of_an_answer() -> None:
    text = acp.ClientSideConnection.cancel.__doc__ or ""
    assert "ConnectionClosed" in text
    assert "RequestError" not in text


@pytest.mark.parametrize("base", [acp.Agent, acp.Client, acp.AgentSideConnection, acp.ClientSideConnection])
def test_lists_in_docstrings_are_indented_as_markdown_and_restructured_text_want_it(base: type) -> None:
    for name, function in inspect.getmembers(base, inspect.isfunction):
        for before, line in pairwise((inspect.getdoc(function) or "").splitlines()):
            if line.startswith("- "):
                assert not before or before.startswith(("- ", "  ")), f"{name}: a list begins after an empty line"
            if before.startswith(("- ", "  ")) and line:
                assert line.startswith(("- ", "  ")), f"{name}: {line!r} belongs to an item"


# --- tools -------------------------------------------------------------------------------------------------------------

HOVERS = """
import jedi, sys
script = jedi.Script("import acp_demo\\nacp_demo.SessionUpdate\\nasync def f(c: acp_demo.ClientSideConnection):\\n    c.list_sessions\\n")
def shown(line, column):
    found = script.help(line, column) or script.infer(line, column)
    return "\\n".join(each.docstring() for each in found)
print(shown(2, 12))
print("----")
print(shown(4, 8))
"""


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The programs of an environment with the tools, and a folder with the package under another name."""
    folder = tmp_path_factory.mktemp("hover")
    programs = installed(Path(sys.executable), folder / "env", "msgspec", "pdoc", "sphinx", "jedi")
    shutil.copytree(ROOT / "generated", folder / "acp_demo", ignore=shutil.ignore_patterns("__pycache__"))
    return programs, folder


def said(folder: Path, *command: str | Path) -> str:
    """What a command prints, errors among it; it must succeed."""
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


@pytest.mark.environment
def test_pdoc_renders_the_package_without_a_warning(tools: tuple[Path, Path]) -> None:
    programs, folder = tools
    modules = ("acp_demo", "acp_demo.models", "!acp_demo._runtime", "!acp_demo.agent", "!acp_demo.testing")
    assert said(folder, programs / "python", "-m", "pdoc", "-o", "pdoc", *modules) == ""
    page = (folder / "pdoc" / "acp_demo" / "models.html").read_text(encoding="utf-8")
    _, _, union = page.partition('id="SessionUpdate"')
    assert "Next piece of the agent" in union.partition("</section>")[0]


@pytest.mark.environment
def test_sphinx_renders_the_package_without_a_warning(tools: tuple[Path, Path]) -> None:
    programs, folder = tools
    source = folder / "sphinx"
    source.mkdir()
    (source / "conf.py").write_text("import sys\nsys.path.insert(0, '..')\nextensions = ['sphinx.ext.autodoc']\n")
    members = "".join(f".. automodule:: acp_demo.{name}\n   :members:\n\n" for name in ("models", "agent", "client"))
    (source / "index.rst").write_text(f"Demo\n====\n\n{members}")
    assert said(source, programs / "python", "-m", "sphinx", "-q", "-W", "-b", "text", ".", "out") == ""
    text = (source / "out" / "index.txt").read_text(encoding="utf-8")
    assert '*AgentMessageChunk* ("agent_message_chunk"): Next piece of' in text
    assert "MUST: Cursors are opaque" in text


@pytest.mark.environment
def test_an_editor_shows_the_variants_of_a_union_and_the_duties_of_a_call(tools: tuple[Path, Path]) -> None:
    programs, folder = tools
    union, _, call = said(folder, programs / "python", "-c", HOVERS).partition("----")
    assert "MUST: Cursors are opaque" in call
    assert UNION in union
    assert VARIANT in union
