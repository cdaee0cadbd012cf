"""Detection of secrets in a text: by the rules of a maintained detector, and by context.

The rules are those of betterleaks, the successor of gitleaks, as data: scripts/secret_rules.py writes them. RE2 runs
them in linear time. Secrets without a distinctive form, such as passwords, are detected by their context.

Patterns are compiled on first use. Compiling all takes 0.1 s, and most conversations need none.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import msgspec

MASK: Final = "(masked)"
WORDS: Final = r"token|key|secret|passw|passphrase|credential|authorization|cookie|pwd"
"""Parts of names whose values are secrets."""
_LONGEST = 1 << 16
"""Length above which a line with a secret's context is dropped entirely."""


_MORE: Final = (
    ("sk-", r"\bsk-[\w-]{16,}"),
    ("GOCSPX-", r"\bGOCSPX-[\w-]{28}"),
    ("ya29.", r"\bya29\.[\w-]{20,}"),
    ("whsec_", r"\bwhsec_[\w+/=]{24,}"),
    (":AA", r"\b\d{8,10}:AA[\w-]{33}\b"),
    ("NRAK-", r"\bNRAK-[A-Z0-9]{27}\b"),
    ("cio", r"\bcio[a-zA-Z0-9]{32}\b"),
    ("fo1_", r"\bfo1_[\w-]{43}\b"),
    ("api/webhooks/", r"/api/webhooks/\d{17,20}/([\w-]{60,70})"),
)
"""Additional rules: a keyword and a pattern."""


class _Rule(msgspec.Struct):
    id: str
    keywords: list[str]
    pattern: str
    group: int
    """The group with the secret; 0 for the first matching group or the whole match."""
    entropy: float
    """Minimum entropy of a secret, in bits per character."""


@cache
def _rules() -> list[tuple[_Rule, list[bytes]]]:
    """The rules with their keywords."""
    rules = msgspec.json.decode(Path(__file__).with_name("secret_rules.json").read_bytes(), type=list[_Rule])
    rules += (_Rule(word, [word.lower()], pattern, 0, 3.0) for word, pattern in _MORE)
    return [(rule, [word.encode() for word in rule.keywords]) for rule in rules]


@cache
def _keywords() -> Any:
    """The pattern of all keywords."""
    words = sorted({word for rule, _ in _rules() for word in rule.keywords})
    return _compiled("|".join([*map(re.escape, words), *_HINTS]), case_sensitive=False)


@cache
def _compiled(pattern: str, *, case_sensitive: bool = True) -> Any:
    re2: Any = import_module("re2")  # it has no types
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = case_sensitive
    return re2.compile(pattern.encode(), options)


def may_have_secrets(data: bytes) -> bool:
    """Return whether bytes contain a keyword of secrets."""
    return _keywords().search(data) is not None


def without_secrets(text: str) -> str:
    """A text with each secret masked."""
    data = text.encode(errors="surrogatepass")
    if not may_have_secrets(data):
        return text
    return _in_context(_of_known_form(data).decode(errors="surrogatepass"))


def _of_known_form(data: bytes) -> bytes:
    pieces: list[bytes] = []
    end = 0
    for start, stop in sorted(_found(data)):
        if stop > end:
            pieces += data[end : max(start, end)], MASK.encode() if start >= end else b""
            end = stop
    return b"".join((*pieces, data[end:]))


def _found(data: bytes) -> Iterator[tuple[int, int]]:
    """The positions of secrets with a known form."""
    lower = data.lower()
    for rule, keywords in _rules():
        if any(word in lower for word in keywords):
            for match in _compiled(rule.pattern).finditer(data):
                groups = range(1, len(match.groups()) + 1)
                group = rule.group or next((n for n in groups if match.group(n)), 0)
                if _entropy(match.group(group)) >= rule.entropy:
                    yield match.span(group)


def _entropy(text: bytes) -> float:
    """Shannon's entropy in bits per character."""
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values())


# --- contexts --------------------------------------------------------------------------------------------------------

_KEY = r"(?:api|access|private|secret|account|auth|signing|encryption|master|client|shared|service|session)[_-]?key"
_STRONG = rf"passw|passphrase|pwd|secret|token|credential|authorization|{_KEY}"
"""Parts of names whose values are secrets, in any text. `key` alone is too common in programs."""
_ENDED = r"(?:passw(?:or)?d|passphrase|pwd|secret|token|credentials?|cookie|" + _KEY + ")"
_SPACE = r"[ \t]{0,9}"
_PLACEHOLDER = r"(?!(?-i:[A-Z_]+)\b(?![\w+/=.-])|[$<{%*(]|\.\.|\(masked)"
"""Placeholders that documents use instead of a secret."""
_NO_VALUE = (
    r"(?!(?i:str|string|bytes|int|integer|number|bool|boolean|none|null|nil|true|false|undefined|any|object|required|optional"
    rf"|yes|no|todo)\b|[\w.]*[\[({{<$|>%*]|\(masked|[a-z_]+\.[a-z_.]+\s|(?i:[a-z_.]*(?:{WORDS})[a-z_.]*)\s)"
)
"""Text after a secret's name that is not a secret: a type, an expression, the name again."""
_ANY_CASE = re.IGNORECASE
_HINTS = (*WORDS.split("|"), "bearer ", "basic ", "://", "sshpass", "curl", "auth[s\\\\\"']", r"[\w*]:(?:\d{4,5}|\*):")
_WHOLE: Final = (
    # keys between two lines; the end may be missing
    (
        r"(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----).{16,}?(?=-----END|\Z)",
        re.DOTALL,
        rf"\g<1>{MASK}",
    ),
    (
        r"(PuTTY-User-Key-File-\d[^\n]{0,200}\n(?:[^\n]{0,200}\n){0,60}?Private-Lines: \d{1,6}\s).+?(?=Private-MAC|\Z)",
        re.DOTALL,
        rf"\g<1>{MASK}\n",
    ),
    # .netrc
    (
        r"(\b(?:machine\s{1,99}\S{1,200}|default)\s{1,99}(?:(?:login|account|port)\s{1,99}\S{1,200}\s{1,99}){0,3}password\s{1,99})\S+",
        0,
        rf"\g<1>{MASK}",
    ),
)
"""Patterns of multi-line secrets."""
_IN_LINE: Final = (
    (r"(\b(?i:bearer|basic|token)\s{1,9})(?=\S{0,200}\d|\S{0,100}[a-z]\S{0,100}[A-Z])[\w.~+/=-]{6,}", 0),
    # a header's line, also in a command's quotes or in an object
    (
        (
            rf"((?i:\bauthorization|\b(?:set-)?cookie|(?<![\w-])(?!sec-websocket|idempotency)[\w-]{{1,40}}-(?:key|token|secret))"
            rf"(?:[\"']\s*:\s*[\"']|\s*:\s*+)(?:(?i:bearer|basic|token)\b\s*+)?+){_PLACEHOLDER}[^\r\n\"'`{{]+"
        ),
        0,
    ),
    # a member of JSON, or of a program's text
    (
        rf"((?<![\w-])[\w-]{{0,40}}(?:passw|pwd|passphrase)[\w-]{{0,40}}[\"']?\s{{0,9}}[:=]\s{{0,9}}([\"'])){_PLACEHOLDER}[^\"'\r\n]{{4,}}(?=\2)",
        _ANY_CASE,
    ),
    (
        rf"((?<![\w-])[\w-]{{0,40}}(?:{_STRONG})[\w-]{{0,40}}[\"']?\s{{0,9}}[:=]\s{{0,9}}([\"']))(?![a-z_.-]+\2)[^\"'\r\n{{]{{6,}}(?=\2)",
        _ANY_CASE,
    ),
    (
        r"((?<![\w-])[\w-]{0,40}(?:key|cookie)[\w-]{0,40}[\"']?\s{0,9}[:=]\s{0,9}([\"']))(?=[^\"']{0,100}\d)[\w+/=.-]{16,}(?=\2)",
        _ANY_CASE,
    ),
    (r"([\"']auth[\"']\s{0,9}:\s{0,9}[\"'])[\w+/]{12,}={0,2}(?=[\"'])", 0),
    # an address: what it asks for, who asks
    (rf"([?&;#](?:sig|[\w.-]{{0,40}}(?:{WORDS})[\w.-]{{0,40}})=){_PLACEHOLDER}[^&;#\s\"'`]+", _ANY_CASE),
    (r"(://[^\s/@:\"'<>]{0,100}:)[^\s/@\"'<>{]{1,1000}(?=@)", _ANY_CASE),
    # variables and options of a command
    (rf"(^[\w.-]{{0,40}}(?:{WORDS})[\w.-]{{0,40}}=)(?!=){_NO_VALUE}\S+", _ANY_CASE),
    (rf"(\b[A-Z0-9_]{{0,40}}(?:{WORDS.upper()})[A-Z0-9_]{{0,40}}=)(?!=){_PLACEHOLDER}[^\s;&|`]+", 0),
    (
        rf"((?<![\w-])--[\w-]{{0,40}}(?:{WORDS})[\w-]{{0,40}}(?<!-env)(?<!-file)(?<!-path)(?<!-name)(?:=|\s{{1,9}}))(?!-){_PLACEHOLDER}[^\s;&|`]+",
        0,
    ),
    (r"(\bcurl\b[^\r\n]{0,1000}?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,100}:)[^\s\"']+", 0),
    (r"(\bsshpass\s+-p\s*[\"']?)[^\s\"']+", 0),
    # .npmrc
    (r"(:_(?:authToken|auth|password)\s{0,9}=\s{0,9})\S+", _ANY_CASE),
    # a line of a file of settings: YAML, INI, properties, .env
    (
        (
            rf"(^{_SPACE}(?:- |export |set )?[\"']?[\w.-]{{0,40}}{_ENDED}[\"']?{_SPACE}[:=]{_SPACE}){_NO_VALUE}[^\s,;(){{}}\[\]\"']{{4,}}"
            r"(?=[ \t]*(?:#.*)?$)"
        ),
        _ANY_CASE,
    ),
    # .pgpass
    (r"(^[\w.*-]{1,200}:(?:\d{4,5}|\*):[\w*-]{1,100}:[\w.*-]{1,100}:)[^\s:]{4,}$", 0),
)
"""Patterns of single-line secrets."""
_IN_A_LINE: Final = rf"(?i:{WORDS}|bearer |basic |://[^/\s]{{1,200}}@|[?&]sig=|:_auth|sshpass|curl|[\"']auth|^[^\s:]{{1,200}}:[\d*]{{1,5}}:)"


def _in_context(text: str) -> str:
    for pattern, flags, instead in _WHOLE:
        text = re.sub(pattern, instead, text, flags=flags)
    # Line by line: while a pattern searches, no byte of the conversation goes on.
    return "".join(_safe_line(line) for line in text.splitlines(keepends=True))


def _safe_line(line: str) -> str:
    if re.search(_IN_A_LINE, line) is None:
        return line
    if len(line) > _LONGEST:
        return MASK
    for pattern, flags in _IN_LINE:
        line = re.sub(pattern, rf"\g<1>{MASK}", line, flags=flags)
    return line
