"""ARCHITECTURE.md against the folders: each has one row, every named file exists, and the maps are copied."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import architecture_page
from scripts.architecture_page import OTHERS, ROOT, docstring, entries, packages

PAGE = architecture_page.PAGE.read_text(encoding="utf-8")
TREES = ("codegen", "acp_remote", "acp_tools")
PICTURE = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)[0]
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]}
WALKS = [name for name in SECTIONS if name.startswith("Walkthrough")]
ROWS = [
    (folder.rstrip("/"), purpose, imports)
    for folder, purpose, imports in re.findall(
        rf"^\| `((?:{'|'.join(TREES)})/[\w/]*)` \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE
    )
]
QUESTION = re.compile(r"(What|Who|Whom|Whose|Which|How|Whether|Where|When|Why|The law)\b")
PACKAGES = packages(TREES)


def modules(folder: str) -> set[str]:
    """The modules and subfolders of a package."""
    paths = (ROOT / folder).iterdir()
    found = {path.stem for path in (ROOT / folder).glob("*.py")} - {"__init__"}
    return found | {path.name for path in paths if path.is_dir() and any(path.glob("*.py"))}


def exists(path: str) -> bool:
    """Whether a path without a suffix is a folder or a module."""
    return (ROOT / path).exists() or (ROOT / f"{path}.py").is_file()


def names(text: str) -> list[str]:
    """The names in backticks that are modules or folders, and neither options nor classes nor programs."""
    return re.findall(r"`([a-z_]\w*(?:/\w+)*)/?`", text)


def test_every_folder_has_one_row() -> None:
    folders = [folder for folder, _, _ in ROWS]
    assert sorted(set(folders)) == sorted(folders)
    assert set(PACKAGES) - set(folders) == set()
    assert [folder for folder in folders if not exists(folder)] == []


@pytest.mark.parametrize(("folder", "purpose"), [row[:2] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_row_names_where_to_start(folder: str, purpose: str) -> None:
    starts = re.findall(r"(?<=[Ss]tart at) `(\w+)`(?:, then `(\w+)`| or `(\w+)`)?", purpose)
    assert starts or folder == "acp_tools"
    assert [name for names_ in starts for name in names_ if name and not exists(f"{folder}/{name}")] == []


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
    roots = (
        "codegen|acp_remote|acp_tools|templates|tests|docs|examples|generated|benchmarks|scripts|editors|wheels|actions"
    )
    paths = re.findall(rf"`((?:{roots})/[\w./-]*)`", PAGE)
    assert [path for path in paths if not exists(path.rstrip("/"))] == []
    links = re.findall(r"\]\(([^)#]+)", PAGE)
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_a_fact_is_in_a_file_with_the_given_names() -> None:
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", SECTIONS["Where a fact is decided"], re.MULTILINE)[2:]
    assert len(rows) >= 30
    places = [place for _, where in rows for place in re.findall(r"`([\w./-]+)`(?:: ((?:`\w+`(?:, )?)+))?", where)]
    files = [(path, set(re.findall(r"\w+", named))) for path, named in places if "/" in path or "." in path]
    assert [path for path, _ in files if not (ROOT / path).exists()] == []
    words = {path: set(re.findall(r"\w+", (ROOT / path).read_text(encoding="utf-8"))) for path, named in files if named}
    assert [(path, named) for path, named in files if named and not named <= words[path]] == []


def test_the_section_about_every_module_is_up_to_date() -> None:
    assert architecture_page.page(PAGE) == PAGE, "run `make generate`, or `python -m scripts.architecture_page`"


@pytest.mark.parametrize("folder", OTHERS)
def test_a_folder_without_a_map_has_its_files_in_the_table(folder: str) -> None:
    named = OTHERS[folder]
    files = [
        path.relative_to(ROOT / folder).as_posix()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != "__init__.py"
    ]
    below = {other for other in OTHERS if other.startswith(folder) and other != folder}
    own = [file for file in files if not any(f"{folder}{file}".startswith(other) for other in below)]
    assert [file for file in own if file not in named and f"{file.partition('/')[0]}/" not in named] == []
    assert [name for name in named if not (ROOT / folder / name).exists()] == []


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


@pytest.mark.parametrize("folder", packages())
def test_a_package_maps_its_folder(folder: str) -> None:
    """The map may also list data files."""
    named = [name.rstrip("/") for name, _ in entries(docstring(ROOT / folder / "__init__.py"))]
    assert sorted(name for name in named if "." not in name) == sorted(modules(folder))
    assert [name for name in named if "." in name and not (ROOT / folder / name).is_file()] == []


@pytest.mark.parametrize("folder", sorted({*PACKAGES}))
def test_a_docstring_begins_with_a_noun_or_an_imperative(folder: str) -> None:
    asking = [
        path.name
        for path in sorted((ROOT / folder).glob("*.py"))
        if QUESTION.match(docstring(path)) or not docstring(path)
    ]
    assert asking == []
