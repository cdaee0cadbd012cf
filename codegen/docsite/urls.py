"""Addresses of pages: file names and anchors made from names of the schema, the same in every run, safe for any name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

SECTIONS = ("methods", "types", "capabilities", "rfds", "versions", "rules")
"""The sections of the reference, in the order in which they are shown."""

MethodKey = tuple[str, str, str]
_TAKEN = frozenset({"index", "con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))})
_LONGEST = 80
_STRING = re.compile(r'"((?!(?:true|false|null)")[A-Za-z_][\w-]*)"', re.ASCII)
"""A constant that reads the same without its quotes."""


def placed(section: str, names: Iterable[str]) -> dict[str, str]:
    """The pages of some names in a section. A name that no file can have, or another has taken, gets a digest of itself."""
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
    """The pages of methods: side and path; a notification beside a request of the same name says so."""
    keys = tuple(keys)
    names = {
        key: f"{key[0]}-{key[1]}" + ("-notification" if key[2] != "request" and (*key[:2], "request") in keys else "")
        for key in keys
    }
    at = placed("methods", names.values())
    return {key: at[name] for key, name in names.items()}


def slug_of(name: str) -> str:
    """A name as part of an address: ASCII letters, digits, dots, dashes and underlines."""
    return re.sub(r"[^A-Za-z0-9_.]+", "-", name).strip("-.")[:_LONGEST]


def anchor_of(kind: str, name: str) -> str:
    """The anchor of a part of a page. Two names of one kind have two anchors: a digest tells apart what reads alike."""
    plain = _STRING.sub(r"\1", name).replace(": ", "-")
    slug = plain if re.fullmatch(r"-?[0-9]{1,20}", plain) else slug_of(plain)
    if slug != plain:
        slug = f"{slug}-{_digest(name)[:6]}".strip("-")
    return f"{kind}-{slug}"


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
