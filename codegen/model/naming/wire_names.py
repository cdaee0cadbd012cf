"""Turn names on the wire into Python names, by rule alone: order, indices and the rest of the schema never matter."""

from __future__ import annotations

import keyword
import re
from functools import lru_cache
from typing import Final

from ... import diagnostics
from ...errors import Fault

# A fixed list, because `dir(builtins)` differs between Python versions and the output must not.
BUILTINS: Final = frozenset(
    """
    abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex
    copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals
    hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min next
    object oct open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str
    sum super tuple type vars zip
    """.split()
)

# Names that the emitted modules already use.
RESERVED_TYPES: Final = frozenset(
    """
    AGENT_METHODS AbstractAsyncContextManager Agent AgentSession AgentSideConnection Annotated Any Application AsyncIterator
    Awaitable CLIENT_METHODS Callable Caller Cancel CapabilityError Client ClientSession ClientSideConnection CurrentSession ConnectOptions Connection ConnectionClosed
    Extensible False Field FrameHook FrameTooLong Handshake HostOptions Interrupt InvalidMessage
    InvalidResponse Limits Literal METHODS MISSING Mapping MappingProxyType Marker Meta Method NODES None Opening Options PROTOCOL
    PROTOCOL_VERSION Peer Protocol QueueOverflow RequestError Self Sequence ServeOptions SpawnOptions StateChange Stream
    Streamed StrictBool StrictFloat StrictInt StrictStr Struct Subscription TYPE_CHECKING Transcript True Turn TypeAlias UNSET Union UnknownVariant Unpack UnsetType VersionError
    """.split()
)

# Names that the base classes and the connections already use.
RESERVED_METHODS: Final = frozenset(
    """
    agent busy caller capabilities client close closed connection ext_method ext_notification ext_notify ext_request
    handshake helpers objection offers open_sessions peer program protocol protocol_version serve session
    wait_closed
    """.split()
)

# The parameter of every method, and a function whose name datamodel-code-generator avoids.
_TAKEN: Final = frozenset({"self", "field"})

# Types that annotations mention: an attribute of the same name would hide the type from the attributes below it.
_ANNOTATIONS: Final = frozenset({"bool", "float", "int", "str"})

_TYPE_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9]*")
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[0-9]+")


class NameError_(Exception):  # noqa: N801  # the builtin has the plain name
    """A name that is impossible in Python; the text says why."""

    def __init__(self, problem: str, fault: Fault = diagnostics.NAME) -> None:
        super().__init__(problem)
        self.fault = fault


def words(text: str) -> list[str]:
    """Split a name in any style into words: `fooBar`, `foo_bar`, `FooBar`, `foo-bar`, `foo/bar`."""
    if not text.isascii():
        raise NameError_("contains characters outside ASCII, which cannot become a Python name")
    found = _WORD.findall(text)
    if not found:
        raise NameError_("has no letters or digits, so it cannot become a Python name")
    return list(found)


@lru_cache(maxsize=4096)
def snake(text: str) -> str:
    """A name in snake_case, with a trailing underscore if it is a word that Python reserves."""
    name = "_".join(word.lower() for word in words(text))
    if name[0].isdigit():
        raise NameError_("starts with a digit, so it cannot become a Python name")
    return f"{name}_" if keyword.iskeyword(name) or name in BUILTINS | _TAKEN else name


def attribute_name(text: str) -> str:
    """An attribute's name in snake_case. Names of builtin functions are allowed, because a class body may use them."""
    name = snake(text)
    plain = name.removesuffix("_")
    return plain if plain in BUILTINS - _ANNOTATIONS else name


@lru_cache(maxsize=4096)
def pascal(text: str) -> str:
    """A name in PascalCase, for use in the name of a type."""
    return "".join(word[0].upper() + word[1:] for word in words(text))


def check_type_name(name: str) -> None:
    """Raise NameError_ unless a definition's name can be used unchanged for a Python type."""
    if not _TYPE_NAME.fullmatch(name):
        raise NameError_(
            "is not a valid type name: expected letters and digits, beginning with a capital", diagnostics.TYPE_NAME
        )
    if name in RESERVED_TYPES:
        raise NameError_("is already used by the generated package", diagnostics.COLLISION)
