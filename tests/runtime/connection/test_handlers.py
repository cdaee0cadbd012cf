"""A handler that could not be called, or that nothing would call, is refused when the connection is made."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Any, ClassVar

import pytest

from generated import Agent, AgentSideConnection, Client, ClientSideConnection, PromptRequest, PromptResponse


def refusal(peer: Any) -> str:
    """What a connection for this implementer is refused with."""
    connection = AgentSideConnection if isinstance(peer, Agent) else ClientSideConnection
    with pytest.raises(TypeError) as caught:
        connection(peer, None, None)  # type: ignore[arg-type]
    return str(caught.value)


def accepted(peer: Any) -> bool:
    """Whether a connection is made; it is never entered, so that it needs no streams."""
    connection = AgentSideConnection if isinstance(peer, Agent) else ClientSideConnection
    return bool(connection(peer, None, None))  # type: ignore[arg-type]


# Signatures


def test_a_handler_with_parameters_of_its_own_is_refused_with_the_right_form() -> None:
    class Echo(Agent):
        async def prompt(self, session_id: str, prompt: Any) -> Any: ...

    text = refusal(Echo())
    assert "Echo.prompt(self, session_id, prompt)" in text
    assert "async def prompt(self, params: PromptRequest) -> PromptResponse" in text


@pytest.mark.parametrize(
    "handler",
    [
        pytest.param(lambda self: None, id="takes-nothing"),
        pytest.param(lambda self, params, *, session: None, id="needs-a-keyword"),
        pytest.param(lambda self, *, params: None, id="takes-it-by-name-only"),
        pytest.param("answer", id="not-callable"),
    ],
)
def test_what_cannot_be_called_with_params_alone_is_refused(handler: Any) -> None:
    assert "async def prompt(self, params: PromptRequest)" in refusal(type("Echo", (Agent,), {"prompt": handler})())


def test_a_handler_that_yields_is_refused() -> None:
    class Echo(Agent):
        async def prompt(self, params: PromptRequest) -> AsyncIterator[str]:  # type: ignore[override]
            yield "text"

    assert "Echo.prompt is a generator" in refusal(Echo())


@pytest.mark.parametrize(
    "handler",
    [
        lambda self, request: None,
        lambda self, params, verbose=False: None,
        lambda self, *arguments: None,
        lambda *arguments, **more: None,
        staticmethod(lambda params: None),
        classmethod(lambda cls, params: None),
        staticmethod(partial(lambda base, params: None, 1)),  # Python 3.14 binds a bare one as it does a function
        print,
    ],
)
def test_whatever_can_be_called_with_params_alone_is_a_handler(handler: Any) -> None:
    assert accepted(type("Echo", (Agent,), {"prompt": handler})())


def test_the_hooks_for_extensions_have_a_form_too() -> None:
    class Echo(Agent):
        async def ext_method(self, params: Any) -> Any: ...

    assert "async def ext_method(self, method: str, params: Any) -> Any" in refusal(Echo())


def test_all_that_is_wrong_is_told_at_once() -> None:
    class Echo(Agent):
        def prompt(self) -> Any: ...
        def cancel(self) -> Any: ...

    assert "Echo.prompt" in refusal(Echo())
    assert "Echo.cancel" in refusal(Echo())


# Names


@pytest.mark.parametrize(
    ("base", "name", "meant"),
    [
        (Client, "request_permissions", "request_permission"),
        (Client, "request_permision", "request_permission"),
        (Client, "reqeust_permission", "request_permission"),
        (Client, "readTextFile", "read_text_file"),
        (Client, "readtextfile", "read_text_file"),
        (Client, "sessionUpdate", "session_update"),
        (Agent, "newSession", "new_session"),
        (Agent, "list_session", "list_sessions"),
        (Agent, "extMethod", "ext_method"),
        (Agent, "set_config_option", "set_session_config_option"),
        (Agent, "set_mode", "set_session_mode"),
        (Agent, "session_new", "new_session"),
    ],
)
def test_a_name_that_is_nearly_a_handlers_is_refused_with_the_right_one(base: type, name: str, meant: str) -> None:
    text = refusal(type("Mine", (base,), {name: lambda self, params: None})())
    assert f"Mine.{name} would never be called" in text
    assert f"def {meant}(self, " in text


@pytest.mark.parametrize("name", ["close_sessions", "load_sessions", "prompts", "cancelled"])
def test_a_helper_that_no_handler_could_be_is_left_alone(name: str) -> None:
    assert accepted(type("Mine", (Agent,), {name: lambda self: None})())


@pytest.mark.parametrize("name", ["get_session_mode", "prompt_text", "rename_session", "new_sessions_since", "canal"])
def test_a_helper_whose_name_is_further_away_is_left_alone(name: str) -> None:
    assert accepted(type("Mine", (Agent,), {name: lambda self, it: None})())


def test_a_helper_beside_the_handler_that_it_resembles_is_left_alone() -> None:
    class Mine(Agent):
        def load_session(self, params: Any) -> None: ...
        def load_sessions(self, path: str) -> None: ...

    assert accepted(Mine())


def test_data_and_private_names_are_left_alone() -> None:
    class Mine(Agent):
        prompts: ClassVar[list[str]] = []

        @property
        def load_sessions(self) -> Any:
            raise AssertionError("a property is not asked for its value")

        def _list_session(self, it: str) -> None: ...

    assert accepted(Mine())


def test_the_names_of_helpers_can_be_stated() -> None:
    class Mine(Agent):
        helpers = frozenset({"load_sessions", "readTextFile"})

        def load_sessions(self, path: str) -> None: ...
        def readTextFile(self, path: str) -> None: ...  # noqa: N802

    assert accepted(Mine())
    assert "helpers" in refusal(type("Other", (Mine,), {"helpers": frozenset[str]()})())


def test_a_handler_of_the_other_side_is_no_near_name() -> None:
    class Mine(Agent):
        def read_text_file(self, path: str) -> str: ...  # type: ignore[empty-body]

    assert accepted(Mine())


async def answer(self: Any, params: PromptRequest) -> PromptResponse:
    return PromptResponse(stop_reason="end_turn")


def test_a_function_put_in_from_outside_is_judged_the_same() -> None:
    assert accepted(type("Mine", (Agent,), {"prompt": answer})())
    assert "Mine.promt would never be called" in refusal(type("Mine", (Agent,), {"promt": answer})())
