# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The spelling under which a store finds the sessions of a directory.

A client may have a file system of its own, so nothing is looked up: `/srv/`, `/srv/.` and `/srv/a/..` are `/srv`.
"""

from __future__ import annotations

import os

__all__ = ["place_of"]


def place_of(path: str) -> str:
    """The one spelling of a directory; what is not an absolute path stays as it is."""
    if not os.path.isabs(path):
        return path
    place = os.path.normcase(os.path.normpath(path))
    # normpath keeps two slashes in front, whose meaning POSIX leaves open.
    return place[1:] if os.name == "posix" and place.startswith("//") else place
