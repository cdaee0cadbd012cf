"""The language server stands apart: no other command imports it, and without its folder all others work."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.optional_packages import ROOT, checks_and_has_no, loaded, python, without


def test_check_imports_nothing_of_it() -> None:
    assert loaded(["check", "--no-compare"], "pygls", "lsprotocol", "codegen.lsp") == []


@pytest.mark.slow
def test_without_its_folder_the_other_commands_are_there(tmp_path: Path) -> None:
    without("lsp", tmp_path)
    checks_and_has_no("lsp", tmp_path)


def test_without_pygls_the_command_says_what_is_missing() -> None:
    program = "import sys; sys.modules['pygls'] = None; from codegen.cli.main import main; sys.exit(main(['lsp']))"
    ran = python(ROOT, "-c", program)
    assert ran.returncode == 2
    assert 'needs the module "pygls' in ran.stderr
    assert "Traceback" not in ran.stderr
