"""Addresses of pages: reproducible file names and anchors for any names of the schema."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

SECTIONS = ("methods", "types", "capabilities", "rfds", "versions", "rules")
"""The sections of the reference, in display order."""

MethodKey = tuple[str, str, str]
_TAKEN = frozenset({"index", "con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))})
_LONGEST = 80
_STRING = re.compile(r'"((?!(?:true|false|null)")[A-Za-z_][\w-]*)"', re.ASCII)
"""A constant that is unambiguous without quotes."""


def placed(section: str, names: Iterable[str]) -> dict[str, str]:
    """The page of each name in a section. An unusable or taken file name gets a digest."""
    found: dict[str, str] = {}
    taken = set(_TAKEN)
    for name in sorted(names):
        slug = slug_of(name)
        if not slug or slug.casefold() in taken:
            slug = f"{slug}-{_digest(name)[:8]}".strip("-")
        taken.add(slug.casefold())
        found[name] = f"{section}/{slug}"
    return found


def methods_placed(keys: Iterable[MethodKey]) -> dict[MethodKey, str]:
    """The pages of methods, by side and path. A notification with the name of a request gets a suffix."""
    keys = tuple(keys)
    names = {
        key: f"{key[0]}-{key[1]}" + ("-notification" if key[2] != "request" and (*key[:2], "request") in keys else "")
        for key in keys
    }
    at = placed("methods", names.values())
    return {key: at[name] for key, name in names.items()}


def slug_of(name: str) -> str:
    """A name for an address: ASCII letters, digits, dots, dashes and underscores."""
    return re.sub(r"[^A-Za-z0-9_.]+", "-", name).strip("-.")[:_LONGEST]


def anchor_of(kind: str, name: str) -> str:
    """The anchor of a part of a page. A digest distinguishes similar names."""
    plain = _STRING.sub(r"\1", name).replace(": ", "-")
    slug = plain if re.fullmatch(r"-?[0-9]{1,20}", plain) else slug_of(plain)
    if slug != plain:
        slug = f"{slug}-{_digest(name)[:6]}".strip("-")
    return f"{kind}-{slug}"


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
