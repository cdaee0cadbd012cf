"""Faults for the statements that no probe judges: a change of one text in one module, and the test that must fail because of it.

Faults for the statements that a probe judges are in tests/acp_tools/probe (`plant_*.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

LISTS = "tests/examples/agent/test_list.py"
CLOSE = "tests/examples/agent/test_close.py"
FORK = "tests/examples/agent/test_fork.py"
ROUTING = "tests/remote/test_routing.py"
STATEMENTS = "tests/remote/test_statements.py"
SECURITY = "tests/remote/test_security.py"
AGENT = "generated/_runtime/stores/agent.py"
STORE = "generated/_runtime/stores/sql.py"
SERVER = "acp_remote/server.py"
CLIENT = "acp_remote/client.py"


class Fault(NamedTuple):
    """A planted fault: the statements that it breaks, the test that shows it, and the change."""

    breaks: tuple[str, ...]
    test: str
    file: str
    old: str
    new: str


def _http(*names: str) -> tuple[str, ...]:
    return tuple(f"streamable-http-websocket-transport/{name}" for name in names)


_SENT = f"{STATEMENTS}::test_a_client_says_in_each_request_what_the_transport_needs"

FAULTS: Final[Mapping[str, Fault]] = {
    # Sessions
    "a page that is not the last has no cursor": Fault(
        ("session-list/more-has-cursor",),
        f"{LISTS}::test_the_response_has_a_cursor_when_there_are_more_results",
        AGENT,
        "        if last is not None:\n            listed",
        "        if False:\n            listed",
    ),
    "everybody's sessions are listed": Fault(
        ("session-list/isolation",),
        f"{LISTS}::test_sessions_are_only_listed_for_the_authenticated_client",
        STORE,
        'where = "identity = ? AND deleted_at',
        'where = "? IS NOT NULL AND deleted_at',
    ),
    "a page has everything": Fault(
        ("session-list/page-size",),
        f"{LISTS}::test_the_agent_bounds_the_size_of_a_page",
        AGENT,
        "place, after, self.page_size - len(found))",
        "place, after, 1 << 20)",
    ),
    "a closed session stays in memory": Fault(
        ("session-close/frees-resources",),
        f"{CLOSE}::test_a_hundred_sessions_opened_and_closed_leave_nothing_behind",
        "generated/_runtime/stores/registry.py",
        "        session = self.sessions.pop(key, None)\n        turn = self.turns.get(key)\n        if turn is not None:",
        "        session = self.sessions.get(key)\n        turn = self.turns.get(key)\n        if turn is not None:",
    ),
    "a fork forgets what was said": Fault(
        ("session-fork/context",),
        f"{FORK}::test_a_fork_has_the_history_of_the_original_up_to_now",
        STORE,
        'number, payloads FROM entries WHERE session_key = ?",',
        'number, payloads FROM entries WHERE session_key = ? AND turn < 0",',
    ),
    "a resumed session begins anew": Fault(
        ("session-resume/context",),
        f"{CLOSE}::test_a_resumed_session_goes_on_with_its_context",
        STORE,
        "            found = self._session(identity, session_key, self._db.held)\n            if found.outcome is None:\n                self._settle(",
        '            self._db.execute("UPDATE sessions SET turn = 0 WHERE session_key = ?", (session_key,))\n'
        "            found = self._session(identity, session_key, self._db.held)\n            if found.outcome is None:\n                self._settle(",
    ),
    "null does not clear a title": Fault(
        ("session-info-update/null-clears",),
        "tests/runtime/session/test_state.py::test_what_is_absent_stays_and_null_is_null",
        "generated/_runtime/session/state.py",
        "                setattr(self, part, value)\n                changes.append(",
        "                setattr(self, part, getattr(self, part) if value is None else value)\n                changes.append(",
    ),
    "what is left out is cleared": Fault(
        ("session-info-update/left-out-keeps",),
        "tests/runtime/session/test_state.py::test_what_is_absent_stays_and_null_is_null",
        "generated/_runtime/session/state.py",
        "            if value is UNSET:\n                continue\n            part, kind",
        "            if value is UNSET:\n                value = None\n            part, kind",
    ),
    "a relative path in a list is sent": Fault(
        ("additional-directories/absolute",),
        "tests/runtime/connection/test_session_calls.py::test_a_relative_path_in_a_list_fails_the_call_before_anything_is_sent",
        "generated/_runtime/connection/session_requests.py",
        "                if isinstance(path, str) and not _is_absolute(path):",
        "                if path is value and isinstance(path, str) and not _is_absolute(path):",
    ),
    "a part that the agent did not advertise is sent": Fault(
        ("additional-directories/gate-checked",),
        "tests/runtime/scenarios/test_gates.py::test_further_directories_that_were_not_advertised_fail_the_call_before_anything_is_sent",
        "generated/_runtime/connection/negotiation.py",
        "        return check_all if whole or any(variants.values()) else parts",
        "        return check_all if whole or any(variants.values()) else None",
    ),
    # The remote transports
    "every frame arrives twice": Fault(
        _http("same-lifecycle"),
        "tests/remote/test_matrix.py::test_the_conversation_of_the_interop_tests_over_each_way",
        CLIENT,
        "        self._inbox.append(frame)\n",
        "        self._inbox += [frame, frame]\n",
    ),
    "a client without WebSocket": Fault(
        _http("client-both-profiles"),
        "tests/remote/test_matrix.py::test_the_conversation_of_the_interop_tests_over_each_way",
        CLIENT,
        '    if address.scheme in ("http", "https"):\n        opened:',
        '    if address.scheme not in ("http", "https"):\n        raise ConnectionError("HTTP alone")\n    if True:\n        opened:',
    ),
    "an endpoint without WebSocket": Fault(
        _http("one-endpoint"),
        "tests/remote/test_matrix.py::test_the_conversation_of_the_interop_tests_over_each_way",
        "acp_remote/asgi.py",
        "            await self._converse(caller, receive, send)\n",
        '            raise Rejected(404, "HTTP alone")\n',
    ),
    "a server without HTTP/2": Fault(
        _http("http-2"),
        f"{STATEMENTS}::test_streams_run_over_http_2_agreed_on_with_tls_or_known_before",
        "acp_remote/hosting.py",
        "    config.h2_max_concurrent_streams = 4096\n",
        '    config.alpn_protocols = ["http/1.1"]\n',
    ),
    "the opening request is only accepted": Fault(
        _http("initialize-answers-at-once"),
        f"{ROUTING}::test_the_opening_request_is_answered_at_once_and_names_the_connection_twice",
        SERVER,
        "await respond(self._send, 200, self._with_id(answer, opened.id)",
        "await respond(self._send, 202, self._with_id(answer, opened.id)",
    ),
    "the header does not name the connection": Fault(
        _http("connection-named-twice"),
        f"{ROUTING}::test_the_opening_request_is_answered_at_once_and_names_the_connection_twice",
        SERVER,
        "self._with_id(answer, opened.id), (named, opened.id.encode()), *self._shared())",
        "self._with_id(answer, opened.id), *self._shared())",
    ),
    "the result does not name the connection": Fault(
        _http("connection-named-twice"),
        f"{ROUTING}::test_the_opening_request_is_answered_at_once_and_names_the_connection_twice",
        SERVER,
        "self._with_id(answer, opened.id), (named",
        "answer, (named",
    ),
    "a POST is answered with 200": Fault(
        _http("posts-accepted"),
        f"{ROUTING}::test_all_other_messages_are_taken_and_answered_on_a_stream",
        SERVER,
        'await transport.post(frame, route)\n            await respond(self._send, 202, b"",',
        'await transport.post(frame, route)\n            await respond(self._send, 200, b"",',
    ),
    "a client does not name its connection": Fault(
        _http("connection-header"),
        _SENT,
        CLIENT,
        "headers = {self._remote.connection: id}",
        "headers: dict[str, str] = {}",
    ),
    "a client does not name the session of a POST": Fault(
        _http("session-header"),
        _SENT,
        CLIENT,
        "named = self._names(session)\n        what",
        "named: dict[str, str] = {}\n        what",
    ),
    "a message may name another session than its header": Fault(
        _http("session-in-message"),
        f"{ROUTING}::test_a_post_on_a_connection",
        SERVER,
        "if given is not None and route.session is not None and given != route.session and not route.answers:",
        "if False:",
    ),
    "a client posts plain text": Fault(
        _http("post-content-type"),
        _SENT,
        CLIENT,
        'headers = {"Content-Type": _JSON, **self.headers}',
        'headers = {"Content-Type": "text/plain", **self.headers}',
    ),
    "a server takes plain text": Fault(
        _http("post-content-type"),
        f"{ROUTING}::test_a_post_that_is_turned_away",
        SERVER,
        'if kind.partition(";")[0].strip().lower() != _JSON:',
        "if not kind:",
    ),
    "a client accepts anything on a stream": Fault(
        _http("get-accepts-stream"),
        _SENT,
        "acp_remote/event_streams.py",
        'headers = {"Accept": _EVENTS, ',
        'headers = {"Accept": "application/json", ',
    ),
    "a server streams to whoever accepts something else": Fault(
        _http("get-accepts-stream"),
        f"{ROUTING}::test_a_get_that_is_turned_away",
        SERVER,
        "if _EVENTS not in accepted:",
        "if not accepted:",
    ),
    "a connection has no stream": Fault(
        _http("connection-stream"),
        f"{ROUTING}::test_what_waits_for_a_stream_is_kept_until_it_is_opened",
        SERVER,
        "            await self._stream(opened, transport.connection)\n            return\n",
        '            raise Rejected(404, "there is no such stream")\n',
    ),
    "a session has no stream": Fault(
        _http("session-stream"),
        f"{ROUTING}::test_sessions_have_streams_of_their_own",
        SERVER,
        "            await self._stream(opened, box)\n",
        '            raise Rejected(404, "there is no such stream")\n',
    ),
    "a client opens one stream": Fault(
        _http("stream-for-each-session"),
        _SENT,
        "acp_remote/event_streams.py",
        "            self._streams[session] = self._open(session)\n",
        "            self._streams[session] = self._open(None)\n",
    ),
    "no connection is another error": Fault(
        _http("no-connection"),
        f"{ROUTING}::test_a_post_that_is_turned_away",
        SERVER,
        '                400, f"{self._remote.connection} is missing: the request',
        '                404, f"{self._remote.connection} is missing: the request',
    ),
    "an unknown connection is another error": Fault(
        _http("unknown-connection"),
        f"{ROUTING}::test_a_get_that_is_turned_away",
        "acp_remote/manager.py",
        "raise Rejected(404, _UNKNOWN)",
        "raise Rejected(400, _UNKNOWN)",
    ),
    "an unknown session is another error": Fault(
        _http("unknown-session"),
        f"{ROUTING}::test_an_unknown_session_has_no_stream_where_the_agent_opens_none_by_name",
        SERVER,
        'raise Rejected(404, "unknown session: this connection has not opened it")',
        'raise Rejected(400, "unknown session: this connection has not opened it")',
    ),
    "a POST need not name its session": Fault(
        _http("session-header-missing"),
        f"{ROUTING}::test_a_post_on_a_connection",
        SERVER,
        "if given is None and self._endpoint.routes.needs_session(route):",
        "if False:",
    ),
    "a batch is another error": Fault(
        _http("no-batches"),
        f"{ROUTING}::test_a_post_that_is_turned_away",
        SERVER,
        'raise Rejected(501, "batches',
        'raise Rejected(400, "batches',
    ),
    "a DELETE is only accepted": Fault(
        _http("delete-ends"),
        f"{ROUTING}::test_deleting_ends_the_connection_and_its_streams",
        SERVER,
        "        opened.transport.finish()\n",
        "",
    ),
    "a DELETE ends any connection": Fault(
        _http("delete-names-connection"),
        f"{ROUTING}::test_a_delete_that_is_turned_away",
        SERVER,
        '            raise Rejected(400, f"{self._remote.connection} is missing")\n'
        "        opened = self._endpoint.manager.find(id, self._caller)\n        opened.transport",
        '            raise Rejected(202, "")\n'
        "        opened = self._endpoint.manager.find(id, self._caller)\n        opened.transport",
    ),
    "cookies are not kept": Fault(
        _http("cookies-kept"),
        "tests/remote/test_client.py::test_cookies_are_kept_and_sent_back_also_on_the_next_connection",
        "acp_remote/backend.py",
        "    jar.extract_cookies(answer, _asked(url))\n",
        "    _asked(url)\n",
    ),
    "the upgrade does not name the connection": Fault(
        _http("websocket-connection"),
        f"{SECURITY}::test_the_connection_of_a_websocket_cannot_be_used_over_http",
        "acp_remote/asgi.py",
        '"headers": [(name, connection.id.encode())]',
        '"headers": [(name, b"")][:0]',
    ),
    "a client says something before the opening request": Fault(
        _http("websocket-initialize"),
        f"{STATEMENTS}::test_the_first_message_over_a_websocket_is_the_opening_request",
        "acp_remote/websocket.py",
        "(self._writer is None and self.send_now(frame))",
        '(self._writer is None and self.send_now(b\'{"jsonrpc":"2.0","method":"x/early"}\') and self.send_now(frame))',
    ),
    "a binary frame is a message": Fault(
        _http("websocket-text-frames"),
        "tests/remote/test_bad_input.py::test_binary_frames_are_ignored_and_a_frame_may_have_several_lines",
        "acp_remote/websocket.py",
        '            text = event.get("text")\n',
        '            text = event.get("text") or event.get("bytes", b"").decode(errors="replace")\n',
    ),
    "a WebSocket that is gone is remembered": Fault(
        _http("websocket-disconnect"),
        f"{SECURITY}::test_who_leaves_is_forgotten",
        "acp_remote/asgi.py",
        "            self.manager.leave(connection)\n",
        "",
    ),
    "a session dies with its connection": Fault(
        _http("sessions-survive"),
        f"{ROUTING}::test_where_the_agent_loads_sessions_the_stream_may_be_opened_before",
        SERVER,
        "            if not self._may_open(transport):\n",
        "            if True:\n",
    ),
    "an id is enough": Fault(
        _http("ids-are-no-secrets"),
        f"{SECURITY}::test_a_caller_without_a_known_token_is_turned_away",
        "acp_remote/security.py",
        "        if identity is None:\n",
        "        if False:\n",
    ),
    "a client does not repeat the version": Fault(
        _http("version-header"),
        "tests/remote/test_client.py::test_the_agreed_version_is_in_the_requests_behind_the_opening_one",
        CLIENT,
        "            headers[self._remote.version] = version\n",
        "            del version\n",
    ),
}

UNPROVEN: Final[Mapping[str, str]] = {
    "session-list/instead-of-tracking": "a recommendation to programs: what a client keeps is not on the wire",
    "session-resume/load-for-history": "a recommendation to programs: whether a client shows a history is not on the wire",
}
"""Recommendations without a proof, and why. A MUST cannot be here."""
