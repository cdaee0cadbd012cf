"""Handlers: the base of every implementer, and the check of its handlers before a connection opens.

``Peer`` answers as a peer that implements nothing. It knows no asyncio and no protocol: the emitted bases add one method
for each row of the method table.

The check finds handlers that could never be called as they are:

    a handler                       must take what it is called with, and nothing that it would not be given
    the name of one with other      is refused, whatever it takes: ``someHandler`` for ``some_handler``
    capitals or underscores
    a name one slip from one        is refused if it could be that handler: the same first letter, the handler's
    (a letter too many, too few,    parameters, and the handler itself not written. Six letters or more: short
    another, two swapped)           words resemble each other by chance
    the path of a method            is refused under the same conditions: ``area_do_it`` or ``do_it`` for ``area/do_it``

``CurrentSession`` is an attribute of the emitted base of agents. The router sets ``current_session`` around the handlers of methods
whose params name a session, so that the attribute is that session inside them, and inside the tasks and threads that they start.

Names that start with ``_``, data, properties, and what the implementer lists in ``helpers`` are its own.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextvars import ContextVar
from typing import Any, ClassVar, NoReturn

from msgspec import Struct

from ..errors import RequestError
from ..schema.definitions import Method, Protocol

__all__ = ["CurrentSession", "InSession", "Peer", "about", "current_session", "is_overridden", "refuse_misfits"]

_SHORTEST = 6
"""Letters of a name from which on one slip is no other word."""
Form = Callable[..., Any]
"""The function of an emitted base that a handler overrides."""


class InSession(Struct):
    """The peer whose handler runs, the id of its session, and the object once somebody asked for it."""

    peer: Any
    id: Any
    session: Any = None


current_session: ContextVar[InSession | None] = ContextVar("current_session", default=None)


class Peer:
    """Base of the emitted bases.

    A handler takes the params object of its method. It may be ``async def`` or plain ``def``, a plain one runs on the
    event loop and must not block, and may return None where the result requires nothing. To answer with an error it
    raises ``RequestError``; whatever else it raises is logged and answered as an internal error.

    The notifications of a session are handled one after the other, and a response of that session comes through only
    when the handlers of those before it are done. The handler of a notification may await its peer, then, but must not
    wait for another task that does.
    """

    program: Mapping[str, Any] | None = None
    """``name`` and ``version`` of the program, sent in the handshake.

    None: the name of the class, and its package's ``__version__``.
    """

    threads: ClassVar[bool] = False
    """Whether plain handlers run in threads, so that they may block. Their order stays."""

    remembers: ClassVar[int | None] = None
    """Seconds for which it remembers the idempotency keys of requests; None if it does not."""

    connection_class: ClassVar[Any] = None
    """The class of its connections; the emitted bases set it."""

    helpers: ClassVar[Collection[str]] = ()
    """Methods of one's own whose names are nearly a handler's: a connection is made all the same."""

    def ext_method(self, method: str, params: Any) -> Any | Awaitable[Any]:
        """Answer a request for an unknown method that starts with ``_``. ``params`` is plain JSON.

        With the option ``any_name``, answer any unknown method. Returns plain JSON. The default raises "method not found".
        """
        self._unimplemented(method)

    def ext_notification(self, method: str, params: Any) -> Awaitable[None] | None:
        """Take note of a notification whose method starts with ``_`` and is in no table. Ignored unless overridden.

        With the connection's option ``any_name``, of any method that is in no table.
        """

    def _unimplemented(self, method: str) -> NoReturn:
        raise RequestError.method_not_found(method)


class CurrentSession:
    """The attribute of a peer that is the session of the handler that runs. RuntimeError outside of handlers of a session.

    `connection`: the attribute of the peer with its connection, whose method `session` makes the object. An attribute of the
    same name that a subclass sets hides this one.
    """

    def __init__(self, connection: str) -> None:
        self._connection = connection
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, peer: Any, kind: type) -> Any:
        if peer is None:
            return self
        held = current_session.get()
        if held is None or held.peer is not peer:
            name, connection = self._name, self._connection
            raise RuntimeError(
                f"self.{name} is the session of the handler that runs, and none runs whose params name a session: "
                f"use self.{connection}.{name}(id) instead"
            )
        if held.session is None:
            held.session = getattr(peer, self._connection).session(held.id)
        return held.session


def is_overridden(peer: Peer, method: Method) -> bool:
    """Whether the implementer wrote a handler of its own, rather than inherit the emitted base's."""
    own = getattr(type(peer), method.python_name, None)
    inherited = [vars(base).get(method.python_name) for base in type(peer).__mro__ if Peer in base.__bases__]
    return own is not None and own not in inherited


def about(peer: Peer) -> dict[str, Any]:
    """Name and version that the peer goes by."""
    if peer.program is not None:
        return dict(peer.program)
    package = sys.modules.get(type(peer).__module__.partition(".")[0])
    version = getattr(package, "__version__", None)
    return {"name": type(peer).__name__, "version": version if isinstance(version, str) else "0"}


def refuse_misfits(protocol: Protocol, side: str, peer: Peer) -> None:
    """TypeError that names every handler of a side that cannot be called, and every name that is nearly a handler's."""
    rows = [row.python_name for row in protocol.methods.values() if row.side == side]
    others = [row.python_name for row in protocol.methods.values() if row.side != side]
    if rows and not _has_any(peer, rows) and _has_any(peer, others):
        article = "an" if side[:1] in "aeiou" else "a"
        problem = f"has no handler of {article} {side}: derive it from the emitted base of that side"
        raise TypeError(f"{type(peer).__name__} {problem}")
    hooks = [name for name, value in vars(Peer).items() if not name.startswith("_") and inspect.isfunction(value)]
    forms = {name: _form(type(peer), name) for name in (*rows, *hooks)}
    every = {row.python_name for row in protocol.methods.values()}
    paths = {spelt: row.python_name for row in protocol.methods.values() if row.side == side for spelt in _of_path(row)}
    problems = [*_uncallable(peer, forms), *_stray(peer, forms, every, paths)]
    if problems:
        raise TypeError("\n".join(problems))


def _has_any(peer: Peer, names: list[str]) -> bool:
    return any(hasattr(type(peer), name) for name in names)


def _any_handler(self: Any, params: Any) -> Any: ...


def _form(kind: type[Peer], name: str) -> Form:
    for base in kind.__mro__:
        if (base is Peer or Peer in base.__bases__) and name in vars(base):
            form: Form = vars(base)[name]
            return form
    return _any_handler


def _uncallable(peer: Peer, forms: dict[str, Form]) -> Iterator[str]:
    kind = type(peer)
    for name, form in forms.items():
        handler = getattr(peer, name, form)
        if handler is form or getattr(handler, "__func__", None) is form:
            continue
        if problem := _problem(handler, form):
            yield f"{kind.__name__}.{name}{problem}. Write: {_shown(name, form)}"


def _problem(handler: Any, form: Form) -> str:
    """What is wrong with a handler, as it follows its name; nothing if it can be called."""
    if not callable(handler):
        return f" is {type(handler).__name__}, and hides the handler"
    if inspect.isasyncgenfunction(handler) or inspect.isgeneratorfunction(handler):
        return " yields, and a handler returns its result"
    if _takes(handler, form):
        return ""
    wanted = ", ".join(_parameters(form))
    return f"{_own_signature(handler)} cannot be called: a handler is called with only ({wanted})"


def _takes(handler: Any, form: Form) -> bool:
    """Whether a handler can be called with the arguments of the one that it overrides."""
    try:
        signature = inspect.signature(handler)
    except (TypeError, ValueError):  # written in C, some do not tell
        return True
    try:
        signature.bind(*_parameters(form))
    except TypeError:
        return False
    return True


def _parameters(form: Form) -> list[str]:
    return list(inspect.signature(form).parameters)[1:]


def _own_signature(handler: Any) -> str:
    """The parameters of a handler by their names, with the `self` that is in its definition."""
    parameters = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in _plain(handler)]
    if inspect.ismethod(handler):
        parameters.insert(0, inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY))
    return str(inspect.Signature(parameters)).replace(", /", "")


def _plain(handler: Any) -> list[inspect.Parameter]:
    return list(inspect.signature(handler).parameters.values())


def _shown(name: str, form: Form) -> str:
    """The definition that is right."""
    signature = inspect.signature(form)
    parameters = [
        each.name if each.annotation is each.empty or not index else f"{each.name}: {each.annotation}"
        for index, each in enumerate(signature.parameters.values())
    ]
    plain = [text for text in str(signature.return_annotation).split(" | ") if not text.startswith("Awaitable[")]
    result = "Any" if form is _any_handler else " | ".join(plain)
    return f"async def {name}({', '.join(parameters)}) -> {result}"


def _of_path(row: Method) -> Iterator[str]:
    """The other names that a handler could have by its method's path: all of it, or its last part if that has several words."""
    parts = row.method.strip("_$/").split("/")
    last = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", parts[-1]).lower()
    yield "_".join(parts)
    if "_" in last:
        yield last


def _stray(peer: Peer, forms: dict[str, Form], every: set[str], paths: Mapping[str, str]) -> Iterator[str]:
    """What looks like a handler and would never be called. `paths`: by the spelling of a method's path, its handler."""
    kind = type(peer)
    spelt = {_spelling(name): name for name in forms}
    for name in dir(kind):
        if name in every or name in forms or name.startswith("_") or name in kind.helpers:
            continue
        value = inspect.getattr_static(kind, name)
        if not (callable(value) or isinstance(value, (staticmethod, classmethod))) or isinstance(value, type):
            continue
        near = (it for it in forms if paths.get(name) == it or _one_slip(name, it))
        meant = spelt.get(_spelling(name)) or next((it for it in near if _could_be(peer, name, it, forms[it])), None)
        if meant is not None:
            yield (
                f"{kind.__name__}.{name} is never called, {meant} is. Write: {_shown(meant, forms[meant])}. If it is a "
                f'helper of your own: helpers = {{"{name}"}} in the class, or a name that starts with an underscore'
            )


def _spelling(name: str) -> str:
    return name.replace("_", "").lower()


def _could_be(peer: Peer, name: str, meant: str, form: Form) -> bool:
    written = inspect.getattr_static(type(peer), meant, form) is not form
    return not written and _takes(getattr(peer, name), form)


def _one_slip(name: str, meant: str) -> bool:
    """Whether one letter is too many, too few or another, or two neighbours are swapped; not the first one."""
    if min(len(name), len(meant)) < _SHORTEST - 1 or len(meant) < _SHORTEST or name[0] != meant[0]:
        return False
    start = 0
    while name[start : start + 1] == meant[start : start + 1] != "":
        start += 1
    end = 0
    while end < min(len(name), len(meant)) - start and name[-1 - end] == meant[-1 - end]:
        end += 1
    left, right = name[start : len(name) - end], meant[start : len(meant) - end]
    return (len(left) <= 1 and len(right) <= 1) or (len(left) == 2 and left[::-1] == right)
