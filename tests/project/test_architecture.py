"""ARCHITECTURE.md against the folders: each has one row, and every module that the page names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
TREES = ("codegen", "acp_remote", "acp_tools")
REMOVABLE = ("acp_remote",)
"""Trees that a checkout may lack."""
PICTURE = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)[0]
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]}
WALKS = [name for name in SECTIONS if name.startswith("Walkthrough")]
ROWS = [
    (folder.rstrip("/"), contains, imports)
    for folder, contains, imports in re.findall(
        rf"^\| `((?:{'|'.join(TREES)})/[\w/]*)` \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE
    )
]
ENTRY = re.compile(r"^ {0,4}((?:\w+/? {2,})+)\S", re.MULTILINE)
"""A line of a map: a module, or a folder with or without a slash, and a phrase. Small neighbours may share a line."""
QUESTION = re.compile(r"(What|Who|Whom|Whose|Which|How|Whether|Where|When|Why|The law)\b")


def packages() -> list[str]:
    """Every folder with Python modules in the trees, as a path from the root."""
    found = {path.parent for tree in TREES for path in (ROOT / tree).rglob("*.py")}
    return sorted(folder.relative_to(ROOT).as_posix() for folder in found)


PACKAGES = packages()


def modules(folder: str) -> set[str]:
    """The modules and subfolders of a package."""
    paths = (ROOT / folder).iterdir()
    found = {path.stem for path in (ROOT / folder).glob("*.py")} - {"__init__"}
    return found | {path.name for path in paths if path.is_dir() and f"{folder}/{path.name}" in PACKAGES}


def docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""


def exists(path: str) -> bool:
    """Whether a path without a suffix is a folder or a module, or is planned to be one."""
    return (
        (ROOT / path).exists()
        or (ROOT / f"{path}.py").is_file()
        or any(path.partition("/")[0] == tree and not (ROOT / tree).exists() for tree in REMOVABLE)
    )


def names(text: str) -> list[str]:
    """The names in backticks that are modules or folders, and neither options nor classes nor programs."""
    return re.findall(r"`([a-z_]\w*(?:/\w+)*)/?`", text)


def test_every_folder_has_one_row() -> None:
    folders = [folder for folder, _, _ in ROWS]
    assert sorted(set(folders)) == sorted(folders)
    assert set(PACKAGES) - set(folders) == set()
    assert [folder for folder in folders if not exists(folder)] == []


@pytest.mark.parametrize(("folder", "contains"), [row[:2] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_row_names_modules_of_its_folder(folder: str, contains: str) -> None:
    named = names(contains)
    assert named, "the row names no module"
    beside = {name for name in named if (ROOT / name).is_dir()}
    assert [name for name in named if name not in beside and not exists(f"{folder}/{name}")] == []


@pytest.mark.parametrize(("folder", "imports"), [row[::2] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_row_names_folders_that_may_be_imported(folder: str, imports: str) -> None:
    """A name is one of a neighbour, or of a neighbour of a parent."""
    parents = [folder, *(parent.as_posix() for parent in Path(folder).parents)]
    packages_we_emit = {"acp_generated", "acp_codegen"}
    missing = [
        name
        for name in names(imports)
        if name not in packages_we_emit and not any(exists(f"{parent}/{name}") for parent in parents)
    ]
    assert missing == []


@pytest.mark.parametrize("walk", WALKS)
def test_a_walkthrough_names_modules_that_exist(walk: str) -> None:
    text = SECTIONS[walk]
    start = "codegen/runtime/" if "Paths begin at `codegen/runtime/`" in text else ""
    steps = re.split(r"^\d+\. ", text, flags=re.MULTILINE)[1:]
    paths = [name for step in steps for name in names(step) if "/" in name]
    assert len(paths) > len(steps) > 5
    assert [path for path in paths if not exists(start + path) and not exists(path)] == []


def test_the_page_names_no_other_path_that_is_missing() -> None:
    roots = "codegen|acp_remote|acp_tools|templates|tests|docs|examples|generated|benchmarks"
    paths = re.findall(rf"`((?:{roots})/[\w./-]*)`", PAGE)
    assert [path for path in paths if not exists(path.rstrip("/"))] == []
    links = re.findall(r"\]\(([^)#]+)", PAGE)
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_picture_shows_the_folders() -> None:
    shown = set(re.findall(r"([\w/]+)/(?!\w)", PICTURE))
    known = {folder for folder, _, _ in ROWS} | {"templates", "generated"}
    assert [name for name in sorted(shown) if not any(f"/{folder}".endswith(f"/{name}") for folder in known)] == []
    top = [
        folder
        for folder in PACKAGES
        if folder.count("/") < 2 or (folder.startswith("codegen/runtime/") and folder.count("/") == 2)
    ]
    assert [
        folder for folder in top if folder.rpartition("/")[2] not in {name.rpartition("/")[2] for name in shown}
    ] == []


def test_the_picture_fits_a_screen() -> None:
    lines = PICTURE.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 110


@pytest.mark.parametrize("folder", sorted({*PACKAGES}))
def test_a_package_maps_its_folder(folder: str) -> None:
    text = docstring(ROOT / folder / "__init__.py")
    named = [name.rstrip("/") for line in ENTRY.findall(text) for name in line.split()]
    assert sorted(set(named)) == sorted(named)
    assert set(named) == modules(folder)


@pytest.mark.parametrize("folder", sorted({*PACKAGES}))
def test_a_docstring_begins_with_a_noun_or_an_imperative(folder: str) -> None:
    asking = [
        path.name
        for path in sorted((ROOT / folder).glob("*.py"))
        if QUESTION.match(docstring(path)) or not docstring(path)
    ]
    assert asking == []
