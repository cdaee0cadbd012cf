"""Handlers: the base class of every implementer, and the check of its handlers before a connection opens.

``Peer`` implements no method. The emitted base classes add a handler for each row of the method table. The module
depends neither on asyncio nor on a protocol.

The check rejects handlers that could never be called:

    a handler                      it must accept the arguments of its method, and require no others
    other capitals, underscores    rejected in any case: ``someHandler`` instead of ``some_handler``
    a misspelt name: one letter    rejected if it could be that handler: it has its first letter and its parameters, and
    missing, extra or changed,     the handler itself is not overridden. Names need six letters or more, because short
    or two letters swapped         words resemble each other by chance
    a name made from the path      rejected under the same conditions: ``area_do_it`` or ``do_it`` for ``area/do_it``
    of a method

``CurrentSession`` is the attribute `session` of the emitted agent class. The router sets ``current_session`` around
handlers whose params name a session. Inside them, and in tasks and threads that they start, the attribute is that
session.

The check ignores names that start with ``_``, data, properties, and the names in ``helpers``.
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

_SHORTEST = 6
"""Minimum length of names that are compared with one letter changed. Shorter words resemble each other by chance."""
Form = Callable[..., Any]
"""The function of an emitted base that a handler overrides."""


class InSession(Struct):
    """The peer of the running handler, the id of its session, and the session object (created on demand)."""

    peer: Any
    id: Any
    session: Any = None


current_session: ContextVar[InSession | None] = ContextVar("current_session", default=None)


class Peer:
    """Base of the emitted bases.

    A handler takes the params object of its method. It may be ``async def`` or plain ``def``. A plain handler runs on
    the event loop and must not block. It may return None if the result requires no property. To answer with an error
    it raises ``RequestError``; other exceptions are logged and answered as internal errors.

    The notifications of a session are handled one after the other. A response of that session is delivered after the
    handlers of all earlier notifications. A notification handler may therefore await its peer, but must not wait for
    another task that does.
    """

    program: Mapping[str, Any] | None = None
    """The program's ``name`` and ``version``, sent in the handshake.

    None: the name of the class, and its package's ``__version__``.
    """

    threads: ClassVar[bool] = False
    """Run plain handlers in threads, so that they may block. Their order is kept."""

    remembers: ClassVar[int | None] = None
    """Seconds for which idempotency keys of requests are remembered; None if they are not."""

    connection_class: ClassVar[Any] = None
    """The class of its connections, which the emitted base classes set."""

    helpers: ClassVar[Collection[str]] = ()
    """Names of your own methods that resemble a handler's name. They are not reported as misspelt handlers."""

    def ext_method(self, method: str, params: Any) -> Any | Awaitable[Any]:
        """Answer a request for an unknown method that starts with ``_``. ``params`` is plain JSON.

        With the option ``any_name``, answer any unknown method. Returns plain JSON. The default raises "method not
        found".
        """
        self._unimplemented(method)

    def ext_notification(self, method: str, params: Any) -> Awaitable[None] | None:
        """Handle a notification of an unknown method that starts with ``_``. The default ignores it.

        With the option ``any_name``, handle any unknown method.
        """

    def _unimplemented(self, method: str) -> NoReturn:
        raise RequestError.method_not_found(method)


class CurrentSession:
    """An attribute of a peer: the session of the running handler. Raises RuntimeError outside handlers of a session.

    `connection`: the peer's attribute with its connection, whose method `session` creates the object. An attribute of
    the same name in a subclass hides this one.
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
                f"self.{name} is available only in a handler whose params name a session: use "
                f"self.{connection}.{name}(id) instead"
            )
        if held.session is None:
            held.session = getattr(peer, self._connection).session(held.id)
        return held.session


def is_overridden(peer: Peer, method: Method) -> bool:
    """Return whether the implementer overrides the handler of the emitted base."""
    own = getattr(type(peer), method.python_name, None)
    inherited = [vars(base).get(method.python_name) for base in type(peer).__mro__ if Peer in base.__bases__]
    return own is not None and own not in inherited


def about(peer: Peer) -> dict[str, Any]:
    """The name and version of the program, for the handshake."""
    if peer.program is not None:
        return dict(peer.program)
    package = sys.modules.get(type(peer).__module__.partition(".")[0])
    version = getattr(package, "__version__", None)
    return {"name": type(peer).__name__, "version": version if isinstance(version, str) else "0"}


def refuse_misfits(protocol: Protocol, side: str, peer: Peer) -> None:
    """Raise TypeError that lists every handler that cannot be called, and every method whose name nearly matches a
    handler's.
    """
    rows = [row.python_name for row in protocol.methods.values() if row.side == side]
    others = [row.python_name for row in protocol.methods.values() if row.side != side]
    if rows and not _has_any(peer, rows) and _has_any(peer, others):
        article = "an" if side[:1] in "aeiou" else "a"
        problem = f"has no handler of {article} {side}: derive it from the generated base class of that side"
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
    """Describe the problem with a handler; empty if it can be called."""
    if not callable(handler):
        return f" is {type(handler).__name__}, which hides the handler of that name"
    if inspect.isasyncgenfunction(handler) or inspect.isgeneratorfunction(handler):
        return " is a generator, but a handler must return its result"
    if _takes(handler, form):
        return ""
    wanted = ", ".join(_parameters(form))
    return f"{_own_signature(handler)} cannot be called: a handler is called with only ({wanted})"


def _takes(handler: Any, form: Form) -> bool:
    """Return whether a handler accepts the arguments of the handler that it overrides."""
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
    """The parameters of a handler as written in its definition, including `self`."""
    parameters = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in _plain(handler)]
    if inspect.ismethod(handler):
        parameters.insert(0, inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY))
    return str(inspect.Signature(parameters)).replace(", /", "")


def _plain(handler: Any) -> list[inspect.Parameter]:
    return list(inspect.signature(handler).parameters.values())


def _shown(name: str, form: Form) -> str:
    """The correct definition of a handler."""
    signature = inspect.signature(form)
    parameters = [
        each.name if each.annotation is each.empty or not index else f"{each.name}: {each.annotation}"
        for index, each in enumerate(signature.parameters.values())
    ]
    plain = [text for text in str(signature.return_annotation).split(" | ") if not text.startswith("Awaitable[")]
    result = "Any" if form is _any_handler else " | ".join(plain)
    return f"async def {name}({', '.join(parameters)}) -> {result}"


def _of_path(row: Method) -> Iterator[str]:
    """Alternative handler names derived from a method's path: the whole path, or its last part if that has several
    words.
    """
    parts = row.method.strip("_$/").split("/")
    last = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", parts[-1]).lower()
    yield "_".join(parts)
    if "_" in last:
        yield last


def _stray(peer: Peer, forms: dict[str, Form], every: set[str], paths: Mapping[str, str]) -> Iterator[str]:
    """Report methods that look like handlers but would never be called. `paths` maps spellings of method paths to
    handlers.
    """
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
                f"{kind.__name__}.{name} would never be called; the handler is named {meant}. Write: "
                f"{_shown(meant, forms[meant])}. If it is a "
                f'helper of your own: helpers = {{"{name}"}} in the class, or a name that starts with an underscore'
            )


def _spelling(name: str) -> str:
    return name.replace("_", "").lower()


def _could_be(peer: Peer, name: str, meant: str, form: Form) -> bool:
    written = inspect.getattr_static(type(peer), meant, form) is not form
    return not written and _takes(getattr(peer, name), form)


def _one_slip(name: str, meant: str) -> bool:
    """Return whether two names differ by one missing, extra or changed letter or two swapped ones, except the first."""
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
