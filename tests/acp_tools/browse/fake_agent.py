"""An agent for the tests, in every bad mood: `python fake_agent.py '{"sessions": 30, "page": 10, "lacks": ["fork_session"]}'`.

What it was asked goes to the file that `journal` names, one JSON line each, so that a test can see what was sent.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from types import MappingProxyType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import acp_generated as acp

HOSTILE = (
    "\x1b[2J\x1b[31mred\x1b]0;title\x07 \x9b31m [bold red]markup[/] \x00\x07\x08 \u202eRTL\u202c \u200b\u200d zero "
    "\u0645\u0631\u062d\u0628\u0627 \U0001f468\u200d\U0001f469\u200d\U0001f467 e" + "\u0301" * 50
)

MARKDOWN = """## What I found

The loop in `total` stops **one too early**:

```python
for at in range(len(prices) - 1):
    result += prices[at]
```

| case | before | now |
| --- | --- | --- |
| empty | 0 | 0 |
| `[1, 2]` | 1 | 3 |

1. Replaced the loop by `sum`
2. See [the docs](https://docs.python.org/3/library/functions.html#sum)

<b>HTML</b> stays text.
"""

GATES = {
    "load_session": ("loadSession",),
    **{
        f"{name}_session{'s' if name == 'list' else ''}": ("sessionCapabilities", name)
        for name in ("list", "resume", "fork", "close", "delete")
    },
    "set_session_title": ("sessionCapabilities", "title"),
    "terminate_session": ("_meta", "sandboxagent", "terminate"),
}


class FakeAgent(acp.Agent):
    program = MappingProxyType({"name": "fake", "title": "Fake agent", "version": "1.0"})

    def __init__(self, mood: dict[str, Any], own_process: bool = False) -> None:
        self.mood = mood
        self.own_process = own_process
        self.cancelled = asyncio.Event()
        self.logged_in = not mood.get("auth")
        cwd = mood.get("cwd", "/srv/project")
        titles = mood.get("titles", [mood["title"]] * mood["sessions"] if "title" in mood else None)
        count = len(titles) if titles is not None else mood.get("sessions", 3)
        self.sessions = [
            acp.SessionInfo(
                session_id=f"sess_{n}",
                cwd=f"{cwd}{n % 2 if mood.get('two_directories') else ''}",
                title=titles[n] if titles is not None else f"Session number {n}",
                updated_at="2026-01-02T03:04:05Z",
            )
            for n in range(count)
        ]

    def note(self, method: str, **what: Any) -> None:
        if journal := self.mood.get("journal"):
            with open(journal, "a", encoding="utf-8") as file:
                file.write(json.dumps({"method": method, **what}) + "\n")

    def die(self, last_words: str) -> None:
        assert self.own_process, "the test would die with it: start(process=True)"
        print(last_words, file=sys.stderr, flush=True)
        os._exit(3)

    async def moody(self, method: str, **what: Any) -> None:
        """What happens before any method is answered."""
        self.note(method, **what)
        if method == self.mood.get("die"):
            self.die("last words on stderr \x1b[31mred")
        if method == self.mood.get("hang"):
            await asyncio.Event().wait()
        if method == self.mood.get("refuse"):
            raise acp.RequestError(-32603, "Internal error", {"details": "the disk is on fire"})
        if not self.logged_in and method not in ("initialize", "authenticate"):
            raise acp.RequestError.auth_required()

    async def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
        await self.moody("initialize", client=acp.to_dict(params))
        lacking: dict[str, Any] = {"_meta": {"sandboxagent": {"terminate": True}}}
        for call in self.mood.get("lacks", ()):
            *path, last = GATES[call]
            place = lacking
            for name in path:
                place = place.setdefault(name, {})
            place[last] = False if call in ("load_session", "terminate_session") else None
        methods: list[Any] = (
            [{"id": "key", "name": "API key", "description": "the usual"}] if "auth" in self.mood else []
        )
        return acp.from_dict(
            acp.InitializeResponse, {"protocolVersion": 1, "agentCapabilities": lacking, "authMethods": methods}
        )

    async def authenticate(self, params: acp.AuthenticateRequest) -> None:
        await self.moody("authenticate", id=params.method_id)
        self.logged_in = True

    async def list_sessions(self, params: acp.ListSessionsRequest) -> acp.ListSessionsResponse:
        await self.moody("list_sessions", cwd=params.cwd or None, cursor=params.cursor or None)
        found = [info for info in self.sessions if not params.cwd or info.cwd == params.cwd]
        if self.mood.get("circle"):
            return acp.ListSessionsResponse(sessions=found, next_cursor="again")
        start = int((params.cursor or "at-0").removeprefix("at-"))
        size = self.mood.get("page", 100)
        more = start + size < len(found)
        return acp.ListSessionsResponse(
            sessions=found[start : start + size], next_cursor=f"at-{start + size}" if more else None
        )

    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        await self.moody("new_session", cwd=params.cwd)
        session_id = f"new_{len(self.sessions)}"
        self.sessions.insert(0, acp.SessionInfo(session_id=session_id, cwd=params.cwd))
        return acp.NewSessionResponse(session_id=session_id, modes=MODES, config_options=options("fast", True))

    async def load_session(self, params: acp.LoadSessionRequest) -> acp.LoadSessionResponse:
        await self.moody("load_session", id=params.session_id)
        texts = self.mood.get("history", ["an old question", "an old answer"])
        for at, text in enumerate(texts):
            kind = acp.UserMessageChunk if at % 2 == 0 else acp.AgentMessageChunk
            await self.tell(params.session_id, kind(content=acp.TextContent(text=text)))
        return acp.LoadSessionResponse(modes=MODES, config_options=options("fast", True))

    async def resume_session(self, params: acp.ResumeSessionRequest) -> acp.ResumeSessionResponse:
        await self.moody("resume_session", id=params.session_id)
        return acp.ResumeSessionResponse()

    async def fork_session(self, params: acp.ForkSessionRequest) -> acp.ForkSessionResponse:
        await self.moody("fork_session", id=params.session_id)
        self.sessions.insert(0, acp.SessionInfo(session_id="fork_1", cwd=params.cwd, title="The fork"))
        return acp.ForkSessionResponse(session_id="fork_1")

    async def close_session(self, params: acp.CloseSessionRequest) -> None:
        await self.moody("close_session", id=params.session_id)

    async def delete_session(self, params: acp.DeleteSessionRequest) -> None:
        await self.moody("delete_session", id=params.session_id)
        self.sessions = [info for info in self.sessions if info.session_id != params.session_id]

    async def set_session_title(self, params: acp.SetSessionTitleRequest) -> acp.SetSessionTitleResponse:
        await self.moody("set_session_title", title=params.title)
        return acp.SetSessionTitleResponse(title=params.title)

    async def ext_method(self, method: str, params: Any) -> Any:
        if method != "_sandboxagent/session/terminate":
            raise acp.RequestError.method_not_found(method)
        await self.moody("terminate_session", id=params["sessionId"])
        return {"terminated": True, "reason": "terminated", "terminatedBy": "daemon"}

    async def set_session_mode(self, params: acp.SetSessionModeRequest) -> None:
        await self.moody("set_session_mode", mode=params.mode_id)

    async def set_session_config_option(
        self, params: acp.SetSessionConfigOptionRequest
    ) -> acp.SetSessionConfigOptionResponse:
        await self.moody("set_session_config_option", value=params.value)
        if isinstance(params.value, bool):
            return acp.SetSessionConfigOptionResponse(config_options=options("fast", params.value))
        return acp.SetSessionConfigOptionResponse(config_options=options(params.value, True))

    def cancel(self, params: acp.CancelNotification) -> None:
        self.note("cancel", id=params.session_id)
        self.cancelled.set()

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        block = params.prompt[0]
        assert isinstance(block, acp.TextContent)
        await self.moody("prompt", text=block.text)
        order, _, rest = block.text.partition(" ")
        if (handler := getattr(self, f"on_{order}", None)) is not None:
            return await handler(params.session_id, rest)
        return await self.on_plain(params.session_id, block.text)

    async def tell(self, session_id: str, update: Any) -> None:
        await self.client.session_update(session_id=session_id, update=update)

    async def say(self, session_id: str, text: str) -> None:
        await self.tell(session_id, acp.AgentMessageChunk(content=acp.TextContent(text=text)))

    async def on_plain(self, session_id: str, text: str) -> acp.PromptResponse:
        for word in f"You said: {text}".split(" "):
            await self.say(session_id, word + " ")
        return acp.PromptResponse(stop_reason="end_turn")

    async def on_work(self, session_id: str, text: str) -> acp.PromptResponse:
        """A turn with everything in it."""
        await self.tell(
            session_id, acp.Plan(entries=[acp.PlanEntry(content="Look", priority="high", status="in_progress")])
        )
        await self.tell(session_id, acp.AgentThoughtChunk(content=acp.TextContent(text="Hmm, let me think.")))
        await self.tell(
            session_id,
            acp.ToolCall(
                tool_call_id="call_1",
                title="Edit the greeting",
                kind="edit",
                status="pending",
                content=[acp.Diff(path="/srv/project/hello.py", old_text="print('hi')\n", new_text="print('hello')\n")],
            ),
        )
        answer = await self.client.request_permission(
            session_id=session_id,
            tool_call=acp.ToolCallUpdate(tool_call_id="call_1"),
            options=[
                acp.PermissionOption(option_id="yes", name="Yes, edit it", kind="allow_once"),
                acp.PermissionOption(option_id="no", name="No, leave it", kind="reject_once"),
            ],
        )
        self.note("answer", outcome=acp.to_dict(answer.outcome))
        await self.tell(session_id, acp.ToolCallProgress(tool_call_id="call_1", status="completed"))
        await self.tell(
            session_id, acp.Plan(entries=[acp.PlanEntry(content="Look", priority="high", status="completed")])
        )
        await self.say(session_id, "All done.")
        return acp.PromptResponse(stop_reason="end_turn")

    async def on_markdown(self, session_id: str, text: str) -> acp.PromptResponse:
        """A turn with everything that is drawn in a way of its own."""
        commands = [
            acp.AvailableCommand(name="review", description="Review the changes"),
            acp.AvailableCommand(name="compact", description="Summarise the conversation"),
        ]
        await self.tell(session_id, acp.AvailableCommandsUpdate(available_commands=commands))
        steps = [("Read the parser", "completed"), ("Mend the loop", "in_progress"), ("Run the tests", "pending")]
        entries = [acp.PlanEntry(content=content, priority="high", status=status) for content, status in steps]
        await self.tell(session_id, acp.Plan(entries=entries))
        await self.tell(session_id, acp.UsageUpdate(used=53_000, size=200_000))
        await self.tell(session_id, acp.AgentThoughtChunk(content=acp.TextContent(text="The loop ends one too early.")))
        old = "def total(prices):\n    result = 0\n    for at in range(len(prices) - 1):\n        result += prices[at]\n    return result\n"
        new = "def total(prices):\n    return sum(prices)\n"
        diff = acp.Diff(path="/srv/project/prices.py", old_text=old, new_text=new)
        edit = acp.ToolCall(
            tool_call_id="call_e", title="Edit prices.py", kind="edit", status="completed", content=[diff]
        )
        await self.tell(session_id, edit)
        output = acp.Content(content=acp.TextContent(text="".join(f"test_{n} PASSED\n" for n in range(40))))
        run = acp.ToolCall(
            tool_call_id="call_r",
            title="Run the tests",
            kind="execute",
            status="completed",
            raw_input={"command": "pytest -q tests/", "timeout": 60},
            content=[output],
        )
        await self.tell(session_id, run)
        for line in MARKDOWN.splitlines(keepends=True):
            await self.say(session_id, line)
        return acp.PromptResponse(stop_reason="end_turn")

    async def on_danger(self, session_id: str, text: str) -> acp.PromptResponse:
        """A question whose title hides what is asked for."""
        call = acp.ToolCallUpdate(
            tool_call_id="call_d",
            title="bash",
            kind="execute",
            raw_input={"command": "rm -rf ~/work && echo done", "description": "tidy up"},
        )
        kinds = ("allow_once", "allow_always", "reject_once", "reject_always")
        names = ("Yes", "Yes, and do not ask again", "No", "Never")
        options = [
            acp.PermissionOption(option_id=kind, name=name, kind=kind) for kind, name in zip(kinds, names, strict=True)
        ]
        answer = await self.client.request_permission(session_id=session_id, tool_call=call, options=options)
        self.note("answer", outcome=acp.to_dict(answer.outcome))
        return acp.PromptResponse(stop_reason="end_turn")

    async def on_wrong(self, session_id: str, text: str) -> acp.PromptResponse:
        """An update that does not fit the protocol, which a client must bear."""
        await self.client.ext_notify(
            "session/update",
            {"sessionId": session_id, "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text"}}},
            any_name=True,
        )
        await self.say(session_id, "that was wrong")
        return acp.PromptResponse(stop_reason="end_turn")

    async def on_fail(self, session_id: str, text: str) -> acp.PromptResponse:
        raise acp.RequestError(-32603, "Internal error", {"details": "out of credits"})

    async def on_wait(self, session_id: str, text: str) -> acp.PromptResponse:
        await self.say(session_id, "waiting for you to cancel")
        await self.cancelled.wait()
        return acp.PromptResponse(stop_reason="cancelled")

    async def on_read(self, session_id: str, path: str) -> acp.PromptResponse:
        return await self.on_call(session_id, self.client.read_text_file(session_id=session_id, path=path))

    async def on_write(self, session_id: str, path: str) -> acp.PromptResponse:
        return await self.on_call(
            session_id, self.client.write_text_file(session_id=session_id, path=path, content="written by the agent\n")
        )

    async def on_call(self, session_id: str, call: Any) -> acp.PromptResponse:
        try:
            self.note("result", value=acp.to_dict(await call))
        except acp.RequestError as error:
            self.note("result", error=error.code, message=error.message, data=error.data)
        return acp.PromptResponse(stop_reason="end_turn")

    async def on_run(self, session_id: str, command: str) -> acp.PromptResponse:
        try:
            terminal = await self.client.create_terminal(session_id=session_id, command=command)
        except acp.RequestError as error:
            self.note("result", error=error.code, message=error.message, data=error.data)
            return acp.PromptResponse(stop_reason="end_turn")
        await self.tell(
            session_id,
            acp.ToolCall(
                tool_call_id="call_2",
                title="Run it",
                kind="execute",
                status="in_progress",
                content=[acp.Terminal(terminal_id=terminal.terminal_id)],
            ),
        )
        status = await self.client.wait_for_terminal_exit(session_id=session_id, terminal_id=terminal.terminal_id)
        output = await self.client.terminal_output(session_id=session_id, terminal_id=terminal.terminal_id)
        self.note("result", code=status.exit_code, output=output.output)
        await self.client.release_terminal(session_id=session_id, terminal_id=terminal.terminal_id)
        return acp.PromptResponse(stop_reason="end_turn")

    async def on_hostile(self, session_id: str, text: str) -> acp.PromptResponse:
        await self.say(session_id, HOSTILE + "\n" + "x" * 1_000_000 + "\n")
        await self.tell(
            session_id,
            acp.ToolCall(
                tool_call_id=HOSTILE,
                title=HOSTILE,
                kind="edit",
                content=[
                    acp.Diff(path=HOSTILE, old_text=HOSTILE, new_text=HOSTILE * 3),
                    acp.Content(content=acp.TextContent(text=HOSTILE)),
                ],
            ),
        )
        await self.tell(session_id, acp.SessionInfoUpdate(title=HOSTILE))
        await self.say(session_id, "survived")
        return acp.PromptResponse(stop_reason="end_turn")

    async def on_ended(self, session_id: str, text: str) -> acp.PromptResponse:
        ended = {"reason": "terminated", "terminatedBy": "daemon", "exitCode": 143}
        await self.client.ext_notify("_sandboxagent/session/ended", {"sessionId": session_id, **ended})
        return acp.PromptResponse(stop_reason="end_turn")

    async def on_flood(self, session_id: str, text: str) -> acp.PromptResponse:
        for number in range(5_000):
            await self.say(session_id, f"{number}\n")
        await self.say(session_id, "end of the flood")
        return acp.PromptResponse(stop_reason="end_turn")

    async def on_die(self, session_id: str, text: str) -> acp.PromptResponse:
        self.die("last words on stderr")


MODES = acp.SessionModeState(
    current_mode_id="ask",
    available_modes=[acp.SessionMode(id="ask", name="Ask"), acp.SessionMode(id="code", name="Code")],
)


def options(model: str, loud: bool) -> list[acp.SessionConfigOption]:
    """The options of a session."""
    return [
        acp.SessionConfigOptionSelect(
            id="model",
            name="Model",
            current_value=model,
            options=[
                acp.SessionConfigSelectOption(value="fast", name="Fast model"),
                acp.SessionConfigSelectOption(value="deep", name="Deep model"),
            ],
        ),
        acp.SessionConfigOptionBoolean(id="loud", name="Loud", current_value=loud),
    ]


def main() -> None:
    mood = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
    if mood.get("junk"):
        sys.__stdout__.write('Debugger listening on \x1b[31mws://\nnot json at all\n{"half": \n')
        sys.__stdout__.flush()
    if mood.get("chatty"):
        sys.stderr.write("chatter \x1b[31m\x1b[2J on stderr\n" * 200)
        sys.stderr.flush()
    if mood.get("exit") is not None:
        sys.stderr.write("cannot read my configuration\n")
        sys.exit(mood["exit"])
    asyncio.run(acp.run_agent(FakeAgent(mood, own_process=True)))


if __name__ == "__main__":
    main()
