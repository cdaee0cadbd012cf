"""When two paths name one directory, as far as their spelling tells.

A client may have a file system of its own, so nothing is looked up: `/srv/`, `/srv/.` and `/srv/a/..` are `/srv`. A
session still works in its directory as the client wrote it: where `a` is a link, the system may see another one.
"""

from __future__ import annotations

import os

__all__ = ["place_of"]


def place_of(path: str) -> str:
    """The one spelling that stands for all of a directory."""
    place = os.path.normcase(os.path.normpath(path))
    # POSIX leaves it open what two slashes in front mean, and normpath keeps them; here they mean what one does.
    return place[1:] if os.name == "posix" and place.startswith("//") else place
