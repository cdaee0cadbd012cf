"""OpenTelemetry: spans on both sides of a real pipe, the trace context in `_meta`, and nothing of it where it is off."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from opentelemetry import baggage, context, trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

import generated as acp
from tests.conftest import ROOT

GOOD = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
HELLO = [acp.TextContent(text="hello")]


class Spans:
    """A tracer provider, and what it has exported."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self.provider = TracerProvider(shutdown_on_exit=False)
        self.provider.add_span_processor(SimpleSpanProcessor(self._exporter))

    def of(self, kind: SpanKind) -> list[ReadableSpan]:
        return [span for span in self._exporter.get_finished_spans() if span.kind is kind]

    def one(self, name: str, kind: SpanKind) -> ReadableSpan:
        (found,) = [span for span in self.of(kind) if span.name == name]
        return found


class Agent(acp.Agent):
    """Answers as its prompt asks."""

    def __init__(self, spans: Spans) -> None:
        self.spans = spans
        self.metas: list[Any] = []
        self.begun = asyncio.Event()
        self.luggage: object = None

    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id="s1")

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        self.metas.append(params.meta)
        self.luggage = baggage.get_baggage("user")
        block = params.prompt[0]
        assert isinstance(block, acp.TextContent)
        with self.spans.provider.get_tracer("agent").start_as_current_span("think"):
            match block.text:
                case "wait":
                    self.begun.set()
                    await asyncio.sleep(60)
                case "refuse":
                    raise acp.RequestError.invalid_params({"reason": "no"})
                case "break":
                    raise ZeroDivisionError("by nothing")
                case _:
                    update = acp.AgentMessageChunk(content=HELLO[0])
                    await self.client.session_update(session_id="s1", update=update)
        return acp.PromptResponse(stop_reason="end_turn")


class Client(acp.Client):
    """Notes in which trace an update is handled."""

    def __init__(self) -> None:
        self.traces: list[int] = []

    async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        return acp.RequestPermissionResponse(outcome=acp.RequestPermissionOutcomeCancelled())

    async def session_update(self, params: acp.SessionNotification) -> None:
        self.traces.append(trace.get_current_span().get_span_context().trace_id)


@contextlib.asynccontextmanager
async def pair(
    spans: Spans, *, client: bool = True, agent: bool = True
) -> AsyncGenerator[tuple[acp.ClientSideConnection, Agent, Client]]:
    ours, theirs = socket.socketpair()
    serving, asking = Agent(spans), Client()
    on: dict[bool, Any] = {True: {"tracing": spans.provider}, False: {}}
    async with (
        acp.AgentSideConnection(serving, *await asyncio.open_connection(sock=theirs), **on[agent]),
        acp.ClientSideConnection(asking, *await asyncio.open_connection(sock=ours), **on[client]) as connection,
    ):
        await connection.initialize()
        yield connection, serving, asking


def parent(span: ReadableSpan) -> int | None:
    return None if span.parent is None else span.parent.span_id


def own(span: ReadableSpan) -> int:
    assert span.context is not None
    return span.context.span_id


async def test_a_request_is_a_span_on_both_sides_and_the_one_that_serves_is_the_child() -> None:
    spans = Spans()
    async with pair(spans) as (connection, _, client):
        with spans.provider.get_tracer("editor").start_as_current_span("turn") as turn:
            await connection.prompt(session_id="s1", prompt=HELLO)
    asked, served = spans.one("session/prompt", SpanKind.CLIENT), spans.one("session/prompt", SpanKind.SERVER)
    think = spans.one("think", SpanKind.INTERNAL)
    assert parent(asked) == turn.get_span_context().span_id
    assert parent(served) == own(asked)
    assert parent(think) == own(served), "what a handler does is part of its request"
    assert dict(served.attributes or {}) == {
        "rpc.system": "jsonrpc",
        "rpc.method": "session/prompt",
        "jsonrpc.sessionId": "s1",
    }
    assert served.status.status_code is StatusCode.UNSET
    assert client.traces == [turn.get_span_context().trace_id], "a notification is handled in the context it came with"


async def test_the_context_crosses_a_pipe_to_another_process() -> None:
    program = (
        "import asyncio, json, sys, generated as acp\n"
        "from opentelemetry import trace\n"
        "from opentelemetry.sdk.trace import TracerProvider\n"
        "class Agent(acp.Agent):\n"
        "    async def new_session(self, params):\n"
        "        here = trace.get_current_span()\n"
        "        return acp.NewSessionResponse(session_id=f'{here.get_span_context().trace_id:x}/{here.parent.span_id:x}')\n"
        "asyncio.run(acp.run_agent(Agent(), tracing=TracerProvider(shutdown_on_exit=False)))\n"
    )
    spans = Spans()
    async with acp.spawn_agent(
        Client(), sys.executable, "-c", program, env={"PYTHONPATH": str(ROOT)}, tracing=spans.provider
    ) as connection:
        await connection.initialize()
        answer = await connection.new_session(cwd="/", mcp_servers=[])
    asked = spans.one("session/new", SpanKind.CLIENT)
    assert asked.context is not None
    assert answer.session_id == f"{asked.context.trace_id:x}/{own(asked):x}"


@pytest.mark.parametrize(
    ("said", "code", "attributes"),
    [
        ("refuse", "Invalid params", {"rpc.jsonrpc.error_code": -32602}),
        ("break", "ZeroDivisionError: by nothing", {}),
    ],
)
async def test_errors_are_recorded(said: str, code: str, attributes: dict[str, object]) -> None:
    spans = Spans()
    async with pair(spans) as (connection, _, _):
        with pytest.raises(acp.RequestError):
            await connection.prompt(session_id="s1", prompt=[acp.TextContent(text=said)])
    served, asked = spans.one("session/prompt", SpanKind.SERVER), spans.one("session/prompt", SpanKind.CLIENT)
    assert (served.status.status_code, served.status.description) == (StatusCode.ERROR, code)
    assert attributes.items() <= dict(served.attributes or {}).items()
    assert bool([event.name for event in served.events]) == (said == "break"), "what nobody expected has its traceback"
    assert asked.status.status_code is StatusCode.ERROR
    assert "rpc.jsonrpc.error_code" in (asked.attributes or {})


async def test_a_call_that_is_given_up_is_recorded_as_cancelled_on_both_sides() -> None:
    spans = Spans()
    async with pair(spans) as (connection, agent, _):
        asking = asyncio.create_task(connection.prompt(session_id="s1", prompt=[acp.TextContent(text="wait")]))
        await agent.begun.wait()
        asking.cancel()
        await asyncio.wait([asking])
        await connection.new_session(cwd="/", mcp_servers=[])  # which is answered later
    for kind in (SpanKind.CLIENT, SpanKind.SERVER):
        span = spans.one("session/prompt", kind)
        assert (span.attributes or {})["rpc.cancelled"] is True
        assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, "cancelled")


async def test_a_turn_that_is_interrupted_is_recorded_as_cancelled_and_is_no_error_of_the_call() -> None:
    spans = Spans()
    async with pair(spans) as (connection, agent, _):
        asking = asyncio.create_task(connection.prompt(session_id="s1", prompt=[acp.TextContent(text="wait")]))
        await agent.begun.wait()
        await connection.cancel(session_id="s1")
        assert (await asking).stop_reason == "cancelled"
    asked = spans.one("session/prompt", SpanKind.CLIENT)
    assert (asked.attributes or {})["rpc.cancelled"] is True
    assert asked.status.status_code is StatusCode.UNSET
    assert (spans.one("session/prompt", SpanKind.SERVER).attributes or {})["rpc.cancelled"] is True


async def test_what_a_program_has_put_into_meta_stays() -> None:
    spans = Spans()
    async with pair(spans) as (connection, agent, _):
        await connection.prompt(session_id="s1", prompt=HELLO, meta={"mine": [1], "tracestate": "a=b"})
        await connection.prompt(session_id="s1", prompt=HELLO)
        await connection.prompt(session_id="s1", prompt=HELLO, meta={"traceparent": GOOD})
    assert agent.metas[2] == {"traceparent": GOOD}
    assert agent.metas[0]["mine"] == [1]
    assert agent.metas[0]["tracestate"] == "a=b"
    assert agent.metas[0]["traceparent"].startswith("00-")
    assert list(agent.metas[1]) == ["traceparent"]


async def test_baggage_goes_along() -> None:
    spans = Spans()
    async with pair(spans) as (connection, agent, _):
        token = context.attach(baggage.set_baggage("user", "ann"))
        try:
            await connection.prompt(session_id="s1", prompt=HELLO)
        finally:
            context.detach(token)
    assert agent.luggage == "ann"


@pytest.mark.parametrize(
    "meta",
    [
        {"traceparent": "x"},
        {"traceparent": 1},
        {"traceparent": None},
        {"traceparent": {"a": [GOOD]}},
        {"traceparent": "00-" + "0" * 32 + "-b7ad6b7169203331-01"},
        {"traceparent": "ff" + GOOD[2:]},
        {"traceparent": GOOD.upper()},
        {"traceparent": GOOD + "\n"},
        {"traceparent": GOOD + "-" + "a" * 100_000},
        {"traceparent": "\N{ARABIC-INDIC DIGIT ZERO}" * 2 + GOOD[2:]},
        {"tracestate": "a=b"},
        {"baggage": "=,=;" * 1_000},
        {"baggage": 7},
    ],
)
async def test_a_hostile_context_is_ignored_and_the_request_answered(meta: Any) -> None:
    spans = Spans()
    async with pair(spans, client=False) as (connection, agent, _):
        assert (await connection.prompt(session_id="s1", prompt=HELLO, meta=meta)).stop_reason == "end_turn"
    assert parent(spans.one("session/prompt", SpanKind.SERVER)) is None
    assert agent.metas == [meta], "nor is it touched"


@pytest.mark.parametrize(
    "bad", [{"tracestate": "\x00"}, {"tracestate": 7}, {"baggage": [1]}, {"tracestate": "x" * 9_000}]
)
async def test_a_bad_companion_does_not_spoil_a_good_parent_unless_it_is_no_text(bad: Any) -> None:
    spans = Spans()
    async with pair(spans, client=False) as (connection, _, _):
        await connection.prompt(session_id="s1", prompt=HELLO, meta={"traceparent": GOOD, **bad})
    served = spans.one("session/prompt", SpanKind.SERVER)
    assert parent(served) == int("b7ad6b7169203331", 16)


async def test_a_request_without_a_context_begins_a_trace_wherever_the_connection_was_opened() -> None:
    spans = Spans()
    with spans.provider.get_tracer("server").start_as_current_span("start"):
        async with pair(spans, client=False) as (connection, _, _):
            await connection.prompt(session_id="s1", prompt=HELLO)
    assert parent(spans.one("session/prompt", SpanKind.SERVER)) is None


async def test_one_side_alone_may_trace() -> None:
    for client, agent in ((True, False), (False, True)):
        spans = Spans()
        async with pair(spans, client=client, agent=agent) as (connection, _, _):
            await connection.prompt(session_id="s1", prompt=HELLO)
        assert len(spans.of(SpanKind.CLIENT)) == (2 if client else 0)
        assert len(spans.of(SpanKind.SERVER)) == (2 if agent else 0)


async def test_where_it_is_off_no_message_carries_it_though_a_span_is_under_way() -> None:
    spans = Spans()
    async with pair(spans, client=False, agent=False) as (connection, agent, client):
        with spans.provider.get_tracer("editor").start_as_current_span("turn"):
            await connection.prompt(session_id="s1", prompt=HELLO)
    assert agent.metas == [acp.UNSET]
    assert client.traces == [0]
    assert [span.name for span in spans.of(SpanKind.SERVER) + spans.of(SpanKind.CLIENT)] == []


def test_where_it_is_off_nothing_of_it_is_imported() -> None:
    program = (
        "import asyncio, socket, sys, generated as acp\n"
        "async def main():\n"
        "    ours, theirs = socket.socketpair()\n"
        "    connection = acp.AgentSideConnection(acp.Agent(), *await asyncio.open_connection(sock=ours))\n"
        "    async with connection: pass\n"
        "asyncio.run(main())\n"
        "print([name for name in sys.modules if 'opentelemetry' in name or name.endswith('.tracing')])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


async def test_without_opentelemetry_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", None)
    ours, theirs = socket.socketpair()
    theirs.close()
    reader, writer = await asyncio.open_connection(sock=ours)
    with pytest.raises(ImportError, match="pip install opentelemetry-api"):
        acp.AgentSideConnection(acp.Agent(), reader, writer, tracing=True)
    writer.close()


def test_the_keys_are_those_of_the_schema() -> None:
    declared = json.loads((ROOT / "schema.json").read_bytes())["x-trace"]["keys"]
    assert acp.methods.PROTOCOL.trace is not None
    assert list(acp.methods.PROTOCOL.trace.keys) == declared
