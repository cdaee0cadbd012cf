"""The routing table of the endpoint, row by row, in raw requests: which status, which stream."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from remote_agents import Agent, LoadingAgent
from remote_hosts import browsing, served
from remote_raw import CONNECTION, EVENTS, INITIALIZE, SESSION, opened, post, request, streaming

from acp_remote.responses import RequestBody

NEW = {"cwd": "/", "mcpServers": []}


def prompt(id: int, text: str, session: str = "s1") -> dict[str, Any]:
    return request(id, "session/prompt", sessionId=session, prompt=[{"type": "text", "text": text}])


async def test_the_opening_request_is_answered_at_once_and_names_the_connection_twice() -> None:
    async with served(Agent) as url, browsing(url) as client:
        answer = await post(client, INITIALIZE)
        assert (answer.status_code, answer.headers["content-type"], answer.http_version) == (
            200,
            "application/json",
            "HTTP/2",
        )
        body = answer.json()
        assert (body["id"], body["result"]["protocolVersion"]) == (0, 1)
        assert body["result"]["connectionId"] == answer.headers[CONNECTION]
        assert len(answer.headers[CONNECTION]) >= 32


async def test_all_other_messages_are_taken_and_answered_on_a_stream() -> None:
    async with served(Agent) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            assert main.response.headers["content-type"] == "text/event-stream"
            taken = await post(client, request(1, "session/new", **NEW), connection)
            assert (taken.status_code, taken.content) == (202, b"")
            assert (await main.next()) == {"jsonrpc": "2.0", "id": 1, "result": {"sessionId": "s1"}}
            async with streaming(client, connection, "s1") as stream:
                assert (await post(client, prompt(2, "say 2"), connection, session="s1")).status_code == 202
                got = [await stream.next() for _ in range(3)]
                assert [m.get("method", m.get("id")) for m in got] == ["session/update", "session/update", 2]


async def test_what_waits_for_a_stream_is_kept_until_it_is_opened() -> None:
    async with served(Agent) as url, browsing(url) as client:
        connection = await opened(client)
        await post(client, request(1, "session/new", **NEW), connection)
        async with streaming(client, connection) as main:
            assert (await main.next())["result"] == {"sessionId": "s1"}
        await post(client, prompt(2, "say 1"), connection, session="s1")
        async with streaming(client, connection, "s1") as stream:
            assert [(await stream.next()).get("id") for _ in range(2)] == [None, 2]


async def test_sessions_have_streams_of_their_own() -> None:
    async with served(Agent) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            for number in (1, 2):
                await post(client, request(number, "session/new", **NEW), connection)
                await main.next()
        async with streaming(client, connection, "s2") as second, streaming(client, connection, "s1") as first:
            await post(client, prompt(3, "nothing", "s1"), connection, session="s1")
            await post(client, prompt(4, "nothing", "s2"), connection, session="s2")
            assert ((await first.next())["id"], (await second.next())["id"]) == (3, 4)


async def test_a_request_of_the_agent_leaves_on_the_sessions_stream_and_is_answered_by_a_post() -> None:
    async with served(Agent, check_capabilities=False) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            await post(client, request(1, "session/new", **NEW), connection)
            await main.next()
        async with streaming(client, connection, "s1") as stream:
            await post(client, prompt(2, "ask"), connection, session="s1")
            asked = await stream.next()
            assert asked["method"] == "fs/read_text_file"
            answer = {"jsonrpc": "2.0", "id": asked["id"], "result": {"content": "text"}}
            assert (await post(client, answer, connection, session="s1")).status_code == 202
            assert (await stream.next())["params"]["update"]["content"]["text"] == "text"


async def test_deleting_ends_the_connection_and_its_streams() -> None:
    async with served(Agent) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            gone = await client.delete("/acp", headers={CONNECTION: connection})
            assert (gone.status_code, gone.content) == (202, b"")
            assert await main.next() is None
        assert (await post(client, request(1, "session/new", **NEW), connection)).status_code == 404
        assert (await client.delete("/acp", headers={CONNECTION: connection})).status_code == 404


async def test_the_stream_of_a_session_that_was_closed_goes_with_its_reader() -> None:
    async with served(Agent) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            await post(client, request(1, "session/new", **NEW), connection)
            await main.next()
            async with streaming(client, connection, "s1") as stream:
                for number in (2, 3):  # its client may have more to ask, and has no other stream for the answer
                    await post(client, request(number, "session/close", sessionId="s1"), connection, session="s1")
                    assert (await stream.next())["id"] == number
        gone = {**EVENTS, CONNECTION: connection, SESSION: "s1"}
        async with asyncio.timeout(60):
            while (await client.get("/acp", headers=gone)).status_code != 404:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def test_the_answer_that_closes_a_session_is_kept_until_it_is_read() -> None:
    async with served(Agent) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            await post(client, request(1, "session/new", **NEW), connection)
            await main.next()
            await post(client, request(2, "session/close", sessionId="s1"), connection, session="s1")
            async with streaming(client, connection, "s1") as stream:
                assert (await stream.next())["id"] == 2


LONG = "x" * 2000
POSTS: dict[str, tuple[int, Any, dict[str, str]]] = {
    "no connection": (400, request(1, "session/new", **NEW), {}),
    "an unknown connection": (404, request(1, "session/new", **NEW), {CONNECTION: "made-up"}),
    "an empty connection": (400, request(1, "session/new", **NEW), {CONNECTION: ""}),
    "an endless connection": (400, request(1, "session/new", **NEW), {CONNECTION: LONG}),
    "another content type": (415, INITIALIZE, {"content-type": "text/plain"}),
    "a form": (415, INITIALIZE, {"content-type": "application/x-www-form-urlencoded"}),
    "a batch": (501, [INITIALIZE], {}),
    "a batch behind blanks": (501, b" \n [" + json.dumps(INITIALIZE).encode() + b"]", {}),
    "no JSON": (400, b"{", {}),
    "no UTF-8": (400, b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', {}),
    "nothing": (400, b"", {}),
    "a number": (400, b"5", {}),
    "JSON nested without end": (400, b'{"a":' * 100_000, {}),
    "the opening notification": (400, {"jsonrpc": "2.0", "method": "initialize", "params": {}}, {}),
    "an answer to nothing": (400, {"jsonrpc": "2.0", "id": 1, "result": {}}, {}),
}


@pytest.mark.parametrize("case", POSTS)
async def test_a_post_that_is_turned_away(case: str) -> None:
    status, message, headers = POSTS[case]
    async with served(Agent) as url, browsing(url) as client:
        content = message if isinstance(message, bytes) else json.dumps(message).encode()
        answer = await client.post("/acp", content=content, headers={"content-type": "application/json", **headers})
        assert answer.status_code == status
        assert answer.json()["error"]


async def test_a_charset_and_capitals_in_the_content_type_are_fine() -> None:
    async with served(Agent) as url, browsing(url) as client:
        headers = {"content-type": "Application/JSON; charset=utf-8"}
        assert (await client.post("/acp", content=json.dumps(INITIALIZE), headers=headers)).status_code == 200


ON_CONNECTION: dict[str, tuple[int, Any, str | None]] = {
    "a batch": (501, [request(1, "session/new", **NEW)], None),
    "no JSON": (400, b"{", None),
    "a request of a session that is not named": (400, prompt(1, "nothing"), None),
    "another session than the message's": (400, prompt(1, "nothing"), "s2"),
    "a second opening request": (400, INITIALIZE, None),
    "a request whose id is a list": (400, {"jsonrpc": "2.0", "id": [1], "method": "session/new", "params": NEW}, None),
    "a request that opens a session": (202, request(1, "session/new", **NEW), None),
    "one that closes a session": (202, request(1, "session/close", sessionId="s1"), None),
    "an extension of no session": (202, request(1, "_mine", sessionId="s1"), None),
    "an answer to nothing": (202, {"jsonrpc": "2.0", "id": 77, "result": {}}, None),
    "a notification of no session": (
        202,
        {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 5}},
        None,
    ),
}


@pytest.mark.parametrize("case", ON_CONNECTION)
async def test_a_post_on_a_connection(case: str) -> None:
    status, message, session = ON_CONNECTION[case]
    async with served(Agent) as url, browsing(url) as client:
        connection = await opened(client)
        named = {} if session is None else {"session": session}
        assert (await post(client, message, connection, **named)).status_code == status
        # Whatever came, the connection goes on.
        assert (await post(client, request(9, "session/new", **NEW), connection)).status_code == 202


GETS: dict[str, tuple[int, dict[str, str]]] = {
    "no Accept": (406, {"accept": ""}),
    "another Accept": (406, {"accept": "application/json"}),
    "anything accepted": (406, {"accept": "*/*"}),
    "no connection": (400, EVENTS),
    "an unknown connection": (404, {**EVENTS, CONNECTION: "made-up"}),
}


@pytest.mark.parametrize("case", GETS)
async def test_a_get_that_is_turned_away(case: str) -> None:
    status, headers = GETS[case]
    async with served(Agent) as url, browsing(url) as client:
        assert (await client.get("/acp", headers=headers)).status_code == status


async def test_an_unknown_session_has_no_stream_where_the_agent_opens_none_by_name() -> None:
    async with served(Agent) as url, browsing(url) as client:
        connection = await opened(client)
        answer = await client.get("/acp", headers={**EVENTS, CONNECTION: connection, SESSION: "made-up"})
        assert answer.status_code == 404


async def test_where_the_agent_loads_sessions_the_stream_may_be_opened_before() -> None:
    async with served(LoadingAgent) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main, streaming(client, connection, "old") as stream:
            assert stream.response.status_code == 200
            await post(client, request(1, "session/load", sessionId="old", **NEW), connection, session="old")
            said = [(await stream.next())["params"]["update"]["content"]["text"] for _ in range(3)]
            assert said == ["replayed 0", "replayed 1", "replayed 2"]
            assert (await main.next())["id"] == 1


async def test_without_it_what_is_replayed_leaves_on_the_connections_stream_before_the_answer() -> None:
    async with served(LoadingAgent) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            await post(client, request(1, "session/load", sessionId="old", **NEW), connection)
            assert [(await main.next()).get("id") for _ in range(4)] == [None, None, None, 1]
            async with streaming(client, connection, "old") as stream:
                await post(client, prompt(2, "nothing", "old"), connection, session="old")
                assert (await stream.next())["id"] == 2


async def test_nor_does_a_session_that_is_loaded_again_need_a_stream() -> None:
    async with served(LoadingAgent) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            for number in (1, 2):
                await post(client, request(number, "session/load", sessionId="old", **NEW), connection)
                assert [(await main.next()).get("id") for _ in range(4)] == [None, None, None, number]


async def test_a_session_that_could_not_be_loaded_has_no_stream() -> None:
    async with served(LoadingAgent) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            async with streaming(client, connection, "none") as stream:
                assert stream.response.status_code == 200
                await post(client, request(1, "session/load", sessionId="none", **NEW), connection, session="none")
                assert (await main.next())["error"]["code"] == -32002
            await post(client, prompt(2, "nothing", "none"), connection, session="none")
            assert (await main.next())["id"] == 2, (
                "what belongs to a session without a stream leaves on the connection's"
            )


@pytest.mark.parametrize(("headers", "status"), [({}, 400), ({CONNECTION: "made-up"}, 404)])
async def test_a_delete_that_is_turned_away(headers: dict[str, str], status: int) -> None:
    async with served(Agent) as url, browsing(url) as client:
        assert (await client.delete("/acp", headers=headers)).status_code == status


async def test_other_methods_and_paths_are_not_served() -> None:
    async with served(Agent) as url, browsing(url) as client:
        answer = await client.put("/acp", content=b"{}")
        assert (answer.status_code, answer.headers["allow"]) == (405, "DELETE, GET, OPTIONS, POST")
        assert (await client.get("/other")).status_code == 404
        assert (await post(client, INITIALIZE)).status_code == 200


async def test_the_reader_that_comes_last_takes_over() -> None:
    async with served(Agent) as url, browsing(url) as client, browsing(url) as other:
        connection = await opened(client)
        async with streaming(client, connection) as dead, streaming(other, connection) as alive:
            await post(client, request(1, "session/new", **NEW), connection)
            assert (await alive.next())["id"] == 1
            assert await dead.next() is None


async def test_messages_of_several_lines_leave_as_one_event() -> None:
    async with served(Agent) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            spread = json.dumps(request(1, "session/new", **NEW), indent=2).encode()
            assert (await post(client, spread, connection)).status_code == 202
            assert (await main.next())["id"] == 1


async def test_a_silent_stream_is_pinged() -> None:
    async with served(Agent, ping=0.05) as url, browsing(url) as client:
        connection = await opened(client)
        async with client.stream("GET", "/acp", headers={**EVENTS, CONNECTION: connection}) as response:
            got = b""
            async with asyncio.timeout(60):
                async for chunk in response.aiter_bytes():
                    got += chunk
                    if got.count(b":\n\n") >= 3:
                        break
    assert got.count(b":\n\n") >= 3


@pytest.mark.parametrize(("pieces", "read"), [(2, 2), (3, 3), (9, 3)])
async def test_the_rest_of_a_refused_body_is_read_up_to_the_limit(pieces: int, read: int) -> None:
    left = iter(range(pieces - 1, -1, -1))

    async def receive() -> dict[str, Any]:
        return {"body": b"x" * 10, "more_body": next(left) > 0}

    body = RequestBody(receive)
    await body.discard(25, seconds=60)
    assert next(left, -1) == pieces - read - 1
    assert body.done == (read == pieces)
