"""What is read of a package to find the effects of an update: its public modules, each text once."""

from __future__ import annotations

import ast

import pytest

from codegen.upgrade.interface import interface

FILES = {
    "__init__.py": '__all__ = ["Colour"]\n',
    "models.py": "class Colour:\n    shade: int\n",
    "_runtime/codec/codec.py": "def decode(): ...\n",
    "METHODS.md": "not Python (",
}


def test_the_names_of_the_runtime_are_not_public() -> None:
    found = interface(FILES)
    assert ({*found.names}, {*found.places}) == ({"Colour"}, {"models.Colour"})


def test_a_module_that_both_versions_have_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    real, parsed = ast.parse, list[str]()

    def parse(text: str) -> ast.Module:
        parsed.append(text)
        return real(text)

    texts = {name: f"{text}# of this test\n" for name, text in FILES.items()}
    with monkeypatch.context() as patch:  # pytest itself parses, too
        patch.setattr(ast, "parse", parse)
        interface(texts)
        interface({**texts, "__init__.py": ""})
    assert sorted(parsed) == sorted(["", texts["__init__.py"], texts["models.py"]])
