"""The shared state of all cases: connections, the peer's capabilities, and timeouts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import reduce
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from . import payloads
from .client_handlers import Host
from .codegen_api import Method, says_yes
from .conversation import Gone, Talk
from .frame_log import Log
from .json_types import one_object
from .messages import Answer
from .peer import Launcher, Link
from .results import Sheet
from .validation import Judge

LOGIN_NEEDED = -32000
UNKNOWN_SESSION = "probe-no-such-session"


class Settings(Struct, frozen=True):
    """The options of a run. Times are in seconds."""

    seed: int = 0
    count: int = 5
    """The number of generated messages per method."""
    prompts: tuple[str, ...] = ("Hello",)
    start: float = 30.0
    """The time limit of the first response."""
    patience: float = 5.0
    """The time limit of any other response."""
    quiet: float = 0.2
    """Seconds without a message after which no more are expected."""
    bound: float = 120.0
    """The time limit of a run."""
    login: str | None = None
    """The login method that the user allows; None for no login."""
    depth: float = 60.0
    """Seconds for sequences of actions, see `lifecycle`."""
    walks: int = 8
    """Number of random sequences after the fixed ones."""
    failures: Path | None = None
    """The directory for the shortest run of each failure."""
    schema: Path | None = None
    """The schema that validates the peer's messages; None for the protocol's own."""
    extend: tuple[Path, ...] = ()


class Facts(Struct):
    """Facts about the peer that earlier cases found out."""

    opened: bool = False
    unprobed: str = ""
    """The reason why the agent cannot be probed although nothing is wrong; empty if it can."""
    capabilities: dict[str, Any] = field(default_factory=dict[str, Any])
    logins: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    info: dict[str, Any] = field(default_factory=dict[str, Any])
    session: dict[str, Any] = field(default_factory=dict[str, Any])
    """The result of the first `session/new`."""
    locked: str = ""
    """The reason why no session can be opened without a login; empty if one can."""
    silent: str = ""
    """The reason why no turn can run without a login."""
    asks: tuple[str, ...] = ()
    """The requests that the agent sent to its client during turns."""


class Probe:
    """One run: its results, and the resources of the cases."""

    def __init__(self, launcher: Launcher, sheet: Sheet, log: Log, settings: Settings) -> None:
        self.launcher, self.sheet, self.log, self.settings = launcher, sheet, log, settings
        self.rules = payloads.protocol(settings.schema, settings.extend)
        self.opening = payloads.opening(self.rules)
        self.facts = Facts()
        self.missed = 0
        """The number of requests without a response. From the fourth on, the timeout is a tenth."""
        self.link: Link | None = None
        self.talk: Talk | None = None

    # --- connections --------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def connected(self, host: Host | None = None) -> AsyncGenerator[Talk]:
        """Open a connection without a handshake."""
        async with self.launcher.start() as link:
            judge = Judge(self.rules, self.sheet, "agent")
            answering = (host or Host()).answer
            talk = Talk(link, self.log, judge, self.sheet, side="agent", answering=answering, patience=self.patience)
            self.link, self.talk = link, talk
            try:
                yield talk
            finally:
                await talk.close()

    @asynccontextmanager
    async def opened(self, host: Host | None = None, *, bare: bool = False, without: str = "") -> AsyncGenerator[Talk]:
        """Open a connection and perform the handshake. `bare`: advertise nothing. `without`: the path of a capability
        to leave out. Raises Gone if the handshake fails.
        """
        hello = self.hello(bare=bare)
        *parents, name = f"{self.opening.capabilities['client']}.{without}".split(".")
        reduce(lambda inner, key: one_object(inner.get(key)), parents, hello).pop(name, None)
        async with self.connected(host) as talk:
            answer = await talk.call("initialize", hello, patience=self.settings.start)
            if not answer.ok:
                raise Gone
            if self.settings.login is not None and not bare:
                await self.authenticate(talk)
            yield talk

    async def authenticate(self, talk: Talk) -> Answer:
        """Log in with the method that the user chose."""
        method = "authenticate" if "authenticate" in self.requests() else "auth/login"
        return await self.call(talk, method, {"methodId": self.settings.login}, patience=self.settings.start)

    def hello(self, *, bare: bool = False, version: int | None = None) -> dict[str, Any]:
        """Params of the opening request. `version`: the protocol version; None for the one of the schema."""
        opening, full = self.opening, dict(payloads.examples("agent", "initialize", "request"))["full"]
        given = {} if bare else one_object(full.get(opening.capabilities["client"]))
        return {
            opening.version: opening.version_number if version is None else version,
            opening.capabilities["client"]: {name: value for name, value in given.items() if name != "_meta"},
            **{
                opening.info[side]: {"name": "acp-codegen-probe", "version": "1"}
                for side in opening.info
                if side == "client"
            },
        }

    def patience(self) -> float:
        """The timeout of a response. It becomes shorter after many requests without a response."""
        return self.settings.patience if self.missed < 4 else self.settings.patience / 10

    # --- steps that many cases take -------------------------------------------------------------------------------------

    async def call(self, talk: Talk, method: str, params: Any, *, patience: float | None = None) -> Answer:
        """Send a request that must be answered."""
        answer = await talk.call(method, params, patience=patience)
        self.must_answer(talk, answer)
        return answer

    def must_answer(self, talk: Talk, answer: Answer) -> bool:
        """Return whether a request was answered. If not, record a failure."""
        if answer.frame is None:
            self.missed += 1
            if answer.accepted is None:
                self.sheet.failed("wire/answer-every", "the agent did not answer this request", [answer.request])
            else:
                text = "the agent accepted the prompt, and sent no update that ends its turn"
                self.sheet.failed("cancel/turn", text, answer.frames)
            talk.forget(answer)
        return answer.frame is not None

    def succeeds(self, id_: str, what: str, answer: Answer) -> bool:
        """Record whether a request succeeded. `what` names the request."""
        return self.sheet.judged(id_, good=answer.ok, text=f"{what} {answer.told}", frames=answer.frames)

    def fails(self, id_: str, what: str, answer: Answer, code: int | None = None) -> bool:
        """Record whether a request failed, with an error code if one is given. `what` names the request."""
        good = not answer.ok if code is None else answer.code == code
        text = f"{what} {answer.told}, expected {'an error' if code is None else f'error {code}'}"
        return self.sheet.judged(id_, good=good, text=text, frames=answer.frames)

    async def turn(self, talk: Talk, params: dict[str, Any]) -> Answer:
        """Run a turn. It is cancelled after a while, and then must end."""
        answer = await talk.wait(await talk.begin("session/prompt", params), self.turn_patience())
        if answer.frame is None and not talk.gone.is_set():
            cancel = await talk.notify("session/cancel", {"sessionId": params["sessionId"]})
            await talk.wait(answer)
            if answer.frame is None and not talk.gone.is_set():
                self.missed += 1
                self.sheet.failed(
                    "cancel/turn", "the turn did not end, even after it was cancelled", [answer.request, cancel]
                )
                talk.forget(answer)
            answer.late = True
        if answer.frame is None and talk.gone.is_set():
            raise Gone
        return answer

    def turn_patience(self) -> float:
        """Seconds after which a turn is cancelled."""
        return self.patience() * 4

    async def new_session(self, talk: Talk, **more: Any) -> str | None:
        """Create a session and return its id; None if that fails."""
        answer = await self.call(
            talk, "session/new", {"cwd": self.launcher.cwd, "mcpServers": [], **more}, patience=self.settings.start
        )
        session = answer.result.get("sessionId")
        return session if isinstance(session, str) else None

    def prompt(self, session: str, text: str | None = None) -> dict[str, Any]:
        """Params of a prompt."""
        return {"sessionId": session, "prompt": [{"type": "text", "text": text or self.settings.prompts[0]}]}

    async def quiet(self, talk: Talk) -> None:
        """Wait until no message has arrived for a while."""
        for _ in range(50):
            place = talk.place
            await asyncio.sleep(self.settings.quiet)
            if talk.place == place:
                return

    def offers(self, gate: str | None) -> bool:
        """Return whether the agent advertises a gate."""
        if gate is None:
            return True
        owner, path, encoding = self.rules.gate("agent", gate) or ("agent", gate, "object")
        return owner == "agent" and says_yes(self.facts.capabilities, path, encoding)

    def offers_method(self, path: str) -> bool:
        """Return whether the agent supports a method, according to its capabilities."""
        row = self.requests().get(path)
        return row is not None and self.offers(row.capability)

    def requests(self) -> dict[str, Method]:
        """The requests that the schema has for agents, by path, without the opening request."""
        rows = (row for row in self.rules.schema.methods if row.side == "agent" and row.kind == "request")
        return {row.path: row for row in rows if row.path != self.opening.method}


Run = Callable[[Probe], Awaitable[None]]


class Step(Struct, frozen=True):
    """A step of a run. `covers`: prefixes of its requirement ids. `needs`: a session, a turn, or a method."""

    name: str
    run: Run
    covers: tuple[str, ...] = ()
    needs: str = ""
