"""Each MUST and SHOULD of schema.json has a proof: a planted fault that a probe case or a named test finds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.load.schema import load
from codegen.model.nodes.root import Requirement
from codegen.pipeline import read_extended
from tests.acp_tools.probe import plant_frames, plant_stored, plant_turns, plant_wire
from tests.acp_tools.probe.plant_clients import CATALOGUE as CLIENTS
from tests.acp_tools.probe.plants import CATALOGUE as AGENTS
from tests.support.sampling import exhaustive

from .faults import FAULTS, UNPROVEN, Fault

ROOT = Path(__file__).parents[2]
SCHEMA, _ = load(read_extended(ROOT / "schema.json", []))
BINDING: dict[str, Requirement] = {each.id: each for each in SCHEMA.requirements if each.level != "may"}
PROBED = {id_ for fault in (*AGENTS, *CLIENTS) for id_ in fault.fails}
"""What fails by a fault in a planted peer; tests/acp_tools/probe plants each of them."""
TESTED = {id_ for fault in FAULTS.values() for id_ in fault.breaks}
MODULES = (plant_frames, plant_stored, plant_turns, plant_wire)
"""They fill the catalogue of agents."""


def test_each_statement_has_a_proof() -> None:
    lacking = sorted(BINDING.keys() - PROBED - TESTED - UNPROVEN.keys())
    assert lacking == [], "plant a fault: in tests/acp_tools/probe/plant_*.py, or in tests/requirements/faults.py"


def test_only_recommendations_lack_a_proof() -> None:
    assert {BINDING[id_].level for id_ in UNPROVEN} == {"should"}
    assert UNPROVEN.keys() & (PROBED | TESTED) == set()


def test_the_schema_names_what_proves_a_statement() -> None:
    silent = [id_ for id_ in PROBED & BINDING.keys() if not BINDING[id_].covered.probes]
    assert silent == []
    known = {id_: fault for fault in FAULTS.values() for id_ in fault.breaks}
    assert known.keys() - BINDING.keys() == set(), "faults for statements that the schema does not have"
    unnamed = [
        (id_, fault.test)
        for fault in FAULTS.values()
        for id_ in fault.breaks
        if fault.test not in BINDING[id_].covered.tests
    ]
    assert unnamed == []


@pytest.mark.parametrize("name", FAULTS)
def test_the_text_of_a_fault_is_in_its_module_once(name: str) -> None:
    fault = FAULTS[name]
    assert (ROOT / fault.file).read_text(encoding="utf-8").count(fault.old) == 1


@pytest.mark.parametrize("name", exhaustive(FAULTS, stay=[*FAULTS][:: max(1, len(FAULTS) // 4)]))
def test_the_named_test_fails_by_the_fault(name: str) -> None:
    fault: Fault = FAULTS[name]
    flags = ("-q", "-x", "--tb=no", "-p", "no:xdist", "-p", "no:cacheprovider", "-p", "tests.requirements.planting")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *flags, fault.test],
        cwd=ROOT,
        env={**os.environ, "PLANTED": name},
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert re.search(r"\b1 failed\b", ran.stdout), "an error elsewhere, or a test that was skipped, is no proof"
