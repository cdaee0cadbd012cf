"""What the README shows runs as it is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
AGENT, CLIENT = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"(?:^ {4}|`)make (\w+)", README, re.MULTILINE)
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/README.md",
    "docs/agent.md",
    "docs/api.md",
    "docs/relay.md",
    "docs/cookbook.md",
    "docs/from-the-sdk.md",
    "docs/quickstart.md",
    "docs/review.md",
    "docs/probe.md",
    "docs/remote.md",
    "docs/runtime.md",
    "docs/schema.md",
    "docs/session-objects.md",
    "docs/trace.md",
    "docs/validate.md",
)


def python(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_agent_has_fifteen_lines_at_most() -> None:
    assert len([line for line in AGENT.splitlines() if line.strip()]) <= 15


def test_the_agent_is_the_one_in_examples() -> None:
    program = (ROOT / "examples" / "echo_agent.py").read_text(encoding="utf-8")
    assert program.partition('"""\n\n')[2] == AGENT.replace("import acp\n", "import generated as acp\n")


@pytest.mark.slow
def test_the_agent_answers_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    ran = python("examples/client.py")
    assert (ran.stdout, ran.stderr) == ("Hello, agent!\nstop reason: end_turn\n", "")


@pytest.mark.slow
def test_the_programs_run_as_pasted_in_an_empty_directory(tmp_path: Path) -> None:
    vendored = [sys.executable, "-m", "codegen", "vendor", str(tmp_path / "acp"), "--with", "client"]
    subprocess.run(vendored, cwd=ROOT, capture_output=True, check=True)
    (tmp_path / "agent.py").write_text(AGENT, encoding="utf-8")
    (tmp_path / "client.py").write_text(CLIENT, encoding="utf-8")
    command = [sys.executable, "client.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("Hello, agent!\n", "")


def test_the_readme_is_short_and_says_first_what_this_is() -> None:
    lines = README.splitlines()
    assert len(lines) <= 150
    assert [line for line in lines if line.startswith("## ")] == [
        f"## {title}"
        for title in (
            *("Install", "An agent in a dozen lines", "Where to begin", "Why not the official SDK?"),
            *("See it", "Speed", "Stability"),
        )
    ]


@pytest.mark.parametrize("target", sorted(set(COMMANDS)))
def test_a_make_target_that_is_named_exists(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_a_path_that_a_page_names_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\((?!http)([^)]+)\)", text)]
    paths = re.findall(r"`((?:codegen|docs|examples|generated|templates|tests)/[\w./-]*\w)`", text)
    added = set(re.findall(r"^`(examples/messages/\S+)`$", text, re.MULTILINE))  # the worked example's new files
    missing = [
        p for p in {*links, *paths} - added if not ((ROOT / page).parent / p).exists() and not (ROOT / p).exists()
    ]
    assert missing == []


def test_a_flag_that_the_readme_names_is_one_of_the_command_line() -> None:
    usage = "".join(python("-m", "codegen", command, "--help").stdout for command in ("generate", "vendor"))
    assert [flag for flag in sorted(set(re.findall(r"--[a-z]+", README))) if flag not in usage] == []


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`(?:acp-codegen )(\w+)|`(\w+) [A-Z]+[A-Z ]*`", README))))
def test_a_command_that_is_named_exists(command: tuple[str, str]) -> None:
    assert python("-m", "codegen", "".join(command), "--help").returncode == 0


def test_the_manual_lists_every_page() -> None:
    index = ROOT / "docs" / "README.md"
    listed = {link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", index.read_text(encoding="utf-8"))}
    pages = {page.name for page in index.parent.glob("*.md")} - {"README.md", "home.md"}  # the site's first page
    assert pages - listed == set()
    assert [link for link in listed if not (index.parent / link).exists()] == []


def test_each_person_has_a_command_and_a_page() -> None:
    rows = re.findall(r"^\| (.+) \| `(acp-codegen .+)` \| \[.+\]\((.+)\) \|$", README, re.MULTILINE)
    assert len(rows) == 5
    for _, command, _ in rows:
        assert python("-m", "codegen", command.split()[1], "--help").returncode == 0
