"""Two releases of the protocol, vendored under two names, work in one process at the same time."""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from codegen.document.read import parse
from codegen.pipeline import load_shapes

from .documents import published
from .packages import import_package, render_unformatted

pytestmark = pytest.mark.slow
OLD, NEW = "v1.21.0/schema.json", "current-v2/schema.json"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[ModuleType, ModuleType]:
    """Both packages. The annotations of each version say how its connections are opened."""
    return made(OLD, tmp_path_factory.mktemp("old"), "acp_v1_21"), made(NEW, tmp_path_factory.mktemp("new"), "acp_v2")


def made(release: str, folder: Path, name: str) -> ModuleType:
    document = parse(json.dumps(published(release)).encode(), name)
    _, schema, shapes, _ = load_shapes(document, stable=False, bare=False, note=lambda _: None)
    for path, text in render_unformatted(schema, shapes).items():
        (folder / name / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / name / path).write_text(text, encoding="utf-8")
    return import_package(folder, name)


def test_they_speak_different_versions_and_share_no_type(packages: tuple[ModuleType, ModuleType]) -> None:
    one, two = packages
    assert (one.PROTOCOL_VERSION, two.PROTOCOL_VERSION) == (1, 2)
    assert one.InitializeRequest is not two.InitializeRequest


def test_agents_and_clients_of_both_talk_at_once(packages: tuple[ModuleType, ModuleType]) -> None:
    async def main() -> None:
        kits = [import_module(f"{package.__name__}.testing") for package in packages]
        agents: list[Any] = []
        async with (
            kits[0].connected(packages[0].Agent()) as (_, one),
            kits[1].connected(packages[1].Agent()) as (_, two),
        ):
            agents += [one, two]
            assert [agent.protocol_version for agent in agents] == [1, 2]
            for package, agent in zip(packages, agents, strict=True):
                assert isinstance(agent, package.ClientSideConnection)
                assert type(agent.capabilities).__module__ == f"{package.__name__}.models"

    asyncio.run(main())


def test_each_decodes_by_its_own_tables(packages: tuple[ModuleType, ModuleType]) -> None:
    for package in packages:
        text = package.encode(package.TextContent(text="x"))
        assert type(package.decode(package.ContentBlock, text)) is package.TextContent
