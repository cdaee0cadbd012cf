"""Where a project uses its vendored package: in every layout, and in no other project's copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.upgrade.api_diff import Effect
from codegen.upgrade.usages import usages

GONE = Effect("Colour was removed", "name", "Colour")
SHADE = Effect("Colour.shade was removed", "attribute", "shade", "Colour")
HANDLER = Effect("Agent.paint was removed", "handler", "paint", "Agent")
CALL = Effect("ClientSideConnection.paint was removed", "call", "paint")


def written(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def places(root: Path, dest: str, effect: Effect) -> list[str]:
    return [f"{usage.path}:{usage.line}" for usage in usages(root / dest, root, [effect])[effect]]


PACKAGE = {"acp/__init__.py": "", "acp/models.py": "class Colour: ..."}
LAYOUTS = {
    "src": ("src/app/acp", "src/app/main.py", "from app import acp\nacp.Colour()\n"),
    "flat": ("acp", "main.py", "import acp\nacp.Colour()\n"),
    "namespace": ("src/org/team/acp", "src/org/team/main.py", "import org.team.acp as acp\nacp.Colour()\n"),
    "relative": ("app/acp", "app/sub/main.py", "from .. import acp\nacp.Colour()\n"),
    "dotted": ("app/acp", "main.py", "import app.acp\napp.acp.Colour()\n"),
    "named": ("app/acp", "tests/test_main.py", "from app.acp import Colour as C\nC()\n"),
    "from-a-module-of-it": ("app/acp", "main.py", "from app.acp.models import Colour\nColour()\n"),
    "the-module-itself": ("app/acp", "main.py", "from app.acp import models\nmodels.Colour()\n"),
}


@pytest.mark.parametrize(("dest", "user", "text"), LAYOUTS.values(), ids=LAYOUTS.keys())
def test_a_use_is_found_in_every_layout(tmp_path: Path, dest: str, user: str, text: str) -> None:
    package = {name.replace("acp/", f"{dest}/", 1): content for name, content in PACKAGE.items()}
    written(tmp_path, {"pyproject.toml": "", **package, user: text})
    assert places(tmp_path, dest, GONE)[-1] == f"{user}:2"


def test_a_monorepo_with_three_copies_tells_them_apart(tmp_path: Path) -> None:
    files: dict[str, str] = {}
    for name in ("one", "two", "three"):
        files |= {
            f"{name}/pyproject.toml": "",
            f"{name}/src/app/acp/__init__.py": "",
            f"{name}/src/app/main.py": "from app import acp\nx = acp.Colour\n",
            f"{name}/acp_user.py": "import app.acp as p\np.Colour()\n",
        }
    written(tmp_path, files)
    for name in ("one", "two", "three"):
        assert places(tmp_path, f"{name}/src/app/acp", GONE) == [f"{name}/acp_user.py:2", f"{name}/src/app/main.py:2"]


def test_another_project_of_the_repository_that_has_no_copy_uses_the_shared_one(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            "lib/pyproject.toml": "",
            "lib/src/shared/acp/__init__.py": "",
            "tool/pyproject.toml": "",
            "tool/main.py": "from shared import acp\nacp.Colour()\n",
        },
    )
    assert places(tmp_path, "lib/src/shared/acp", GONE) == ["tool/main.py:2"]


def test_what_is_called_alike_elsewhere_is_not_told(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            "app/acp/__init__.py": "",
            "app/main.py": "from other import acp\nfrom paint import Colour\nacp.Colour()\nColour()\n",
            "app/none.py": "class Colour: ...  # acp\n",
        },
    )
    assert places(tmp_path, "app/acp", GONE) == []


def test_environments_hidden_folders_and_the_package_itself_are_left_out(tmp_path: Path) -> None:
    use = "from app import acp\nacp.Colour()\n"
    written(
        tmp_path,
        {
            "app/acp/__init__.py": use,
            "env/pyvenv.cfg": "",
            "env/lib/x.py": use,
            ".hidden/x.py": use,
            "node_modules/x.py": use,
            "build/x.py": use,
            "broken.py": use + "def",
        },
    )
    assert places(tmp_path, "app/acp", GONE) == []


PROGRAM = """\
from app import acp
from app.acp import Agent

class Mine(acp.Agent):
    def paint(self, params): ...

class Other(Agent):
    async def paint(self, params):
        return await self.paint(1)

class Below(Other):
    def paint(self, params): ...

class Stranger:
    def paint(self): ...

async def use(connection, colour):
    await connection.paint(
        colour=acp.Colour(shade=1),
    )
    return colour.shade
"""


@pytest.mark.parametrize(
    ("effect", "lines"), [(HANDLER, [5, 8, 12]), (CALL, [18]), (SHADE, [19, 21])], ids=["handler", "call", "attribute"]
)
def test_handlers_calls_and_attributes_are_found(tmp_path: Path, effect: Effect, lines: list[int]) -> None:
    written(tmp_path, {"app/acp/__init__.py": "", "app/main.py": PROGRAM})
    assert places(tmp_path, "app/acp", effect) == [f"app/main.py:{line}" for line in lines]
