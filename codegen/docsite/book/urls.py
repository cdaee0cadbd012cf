"""URLs of pages: file names made from names of the schema, the same in every run, safe for any name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

METHODS, TYPES, CAPABILITIES, RFDS, RULES, VERSIONS, GUIDES = (
    "methods", "types", "capabilities", "rfds", "rules", "versions", "guides",
)  # fmt: skip
SECTIONS: Mapping[str, str] = {
    GUIDES: "Guides",
    METHODS: "Methods",
    TYPES: "Types",
    CAPABILITIES: "Capabilities",
    RFDS: "RFDs",
    VERSIONS: "Versions",
    RULES: "Rules",
}
"""The sections of the site, in the order in which they are shown."""

INDEX = "index"
_TAKEN = frozenset({INDEX, "con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))})
_LONGEST = 80
_STRING = re.compile(r'"((?!(?:true|false|null)")[A-Za-z_][\w-]*)"', re.ASCII)
"""A constant that reads the same without its quotes."""

MethodKey = tuple[str, str, str]


class Addresses(Struct, frozen=True, kw_only=True):
    """The page of everything that has one."""

    methods: Mapping[MethodKey, str]
    types: Mapping[str, str]
    capabilities: Mapping[tuple[str, str], str]
    rfds: Mapping[str, str]
    rules: Mapping[str, str]
    versions: Mapping[str, str]
    guides: Mapping[str, str]

    def of_path(self, path: str) -> str:
        """The page of the first method with a path; empty if there is none."""
        return next((at for (_, each, _), at in self.methods.items() if each == path), "")


def placed(section: str, names: Iterable[str]) -> dict[str, str]:
    """The pages of some names in a section. A name that no file can have, or another has taken, gets a digest of itself."""
    found: dict[str, str] = {}
    taken = set(_TAKEN)
    for name in sorted(names):
        slug = slug_of(name)
        if not slug or slug.casefold() in taken:
            slug = f"{slug}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}".strip("-")
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
    at = placed(METHODS, names.values())
    return {key: at[name] for key, name in names.items()}


def slug_of(name: str) -> str:
    """A name as part of an address: ASCII letters, digits, dots, dashes and underlines."""
    return re.sub(r"[^A-Za-z0-9_.]+", "-", name).strip("-.")[:_LONGEST]


def anchor_of(kind: str, name: str) -> str:
    """The anchor of a part of a page. Two names of one kind have two anchors: a digest tells apart what reads alike."""
    plain = _STRING.sub(r"\1", name).replace(": ", "-")
    slug = plain if re.fullmatch(r"-?[0-9]{1,20}", plain) else slug_of(plain)
    if slug != plain:
        slug = f"{slug}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}".strip("-")
    return f"{kind}-{slug}"
