"""The second screen: one session, its conversation, the prompt, and, if there is space, the frames beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

import acp_generated as acp

from .. import styling
from ..actions import IN_SESSION, Action, not_offered
from ..completion import Completion, blocks_of, completions
from ..controller import Browser
from ..model.session import Choice, Session, Setting
from ..sanitize import one_line
from .base import Talk, keys_around_prompt
from .conversation import Conversation, find_in
from .dialogs import Choose
from .frame_screen import WireScreen
from .frames import WirePane
from .prompt import Prompt, Suggestions

_BESIDE = 150
"""Width in columns from which frames fit beside the conversation."""
_TALL = 30
"""Number of lines from which a plan uses several."""
_STEPS = 6
"""Maximum number of visible plan steps."""


class SessionScreen(Talk):
    """One session."""

    ACTIONS = IN_SESSION
    BINDINGS = [  # noqa: RUF012 (as Textual has it)
        *keys_around_prompt(IN_SESSION),
        Binding("pageup", "page(-1)", show=False, priority=True),
        Binding("pagedown", "page(1)", show=False, priority=True),
        Binding("ctrl+home", "edge(0)", show=False, priority=True),
        Binding("ctrl+end", "edge(-1)", show=False, priority=True),
    ]
    MORE_KEYS = (
        "",
        "PgUp PgDn, ^Home ^End: scroll. / and @: commands and files; Tab takes one.",
        "After Tab: j k Home End: move; Enter: fold, z: fold all; y: copy; o: show all of it; w: its frames;",
        "/: find, n N: next, previous; Tab: back to the prompt.",
        "In an empty prompt, ? shows these keys; F1 does so everywhere.",
    )

    def __init__(self, browser: Browser, session: Session, news: str = "") -> None:
        super().__init__(browser)
        self.session = session
        self._news = news
        """The first message."""

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        with Horizontal(classes="columns"):
            yield Conversation()
            browser = self.browser
            yield WirePane(browser.tape, browser.judge, browser.breakpoints, self.session.session_id)
        yield Static(id="plan")
        yield from self.input_line()

    def begin(self) -> None:
        self.query_one(WirePane).display = False
        self._prompt.text = self.session.draft
        self._prompt.focus()
        self.browser.say(self._news or not_offered(self.browser.objection, self.ACTIONS))

    @property
    def _prompt(self) -> Prompt:
        return self.query_one(Prompt)

    def complete(self, before: str) -> Sequence[Completion]:
        return completions(before, self.session.commands, self.session.cwd)

    def session_in(self, conversation: Conversation) -> tuple[Browser, Session]:
        return self.browser, self.session

    # What it shows

    def show(self) -> None:
        session = self.session = self.browser.sessions.get(self.session.session_id, self.session)
        self.query_one("#head", Static).update(head_of(session, self.browser.judge.found))
        names = one_line(" ".join(f"/{command.name}" for command in session.commands), 300)
        self._prompt.placeholder = f"Your prompt; commands of this agent: {names}" if names else "Your prompt"
        plan = self.query_one("#plan", Static)
        show_plan(plan, session, self.size.height)
        self.query_one(Conversation).show(session)
        if (pane := self.query_one(WirePane)).display:
            pane.look()
        super().show()

    def action_page(self, pages: int) -> None:
        view = self.query_one(Conversation)
        view.release_anchor()
        view.scroll_relative(y=pages * max(view.size.height - 1, 1), animate=False)

    def action_edge(self, edge: int) -> None:
        self.query_one(Conversation).action_edge(edge)

    # What can be done

    def why_not_here(self, action: Action) -> str | None:
        session = self.session
        here = self.browser.is_here(session.session_id)
        if action.calls and action.name != "reload" and not here:
            return "the session is no longer open; F5: load it again" if self.browser.can("load_session") else "closed"
        return {
            "send": "a turn is running; ^C: cancel it" if session.running else None,
            "cancel": None if session.running else "no turn is running",
            "mode": None if session.mode else "this session has no modes",
            "options": None if session.options else "this session has no options",
            "reload": "a turn is running" if session.running else None,
            "delete": "it will be deleted" if session.session_id in self.browser.deletes else None,
        }.get(action.name)

    def do_send(self) -> None:
        text = self._prompt.text.strip()
        if not text:
            return
        self._prompt.clear()

        async def work() -> None:
            await self.browser.prompt(self.session, blocks_of(text, self.session.cwd))

        # Not `attempt`: a turn takes as long as it takes, and the head says that it runs.
        self.start(self.guarded(work))

    def do_cancel(self) -> None:
        if selected := self.get_selected_text():
            self.copy(selected, "the selection")  # what ^C means elsewhere
            self.clear_selection()
        else:
            self.attempt("session/cancel", lambda: self.browser.cancel(self.session))

    def do_read(self) -> None:
        """Move between the prompt and the conversation."""
        conversation = self.query_one(Conversation)
        if self._prompt.has_focus:
            conversation.focus()
            conversation.action_cursor(-1)
        else:
            self._prompt.focus()

    def do_find(self) -> None:
        find_in(self.host, self.query_one(Conversation), self.browser.say)

    def do_export(self) -> None:
        self.export(self.session)

    def do_wire(self) -> None:
        if self.size.width >= _BESIDE:
            pane = self.query_one(WirePane)
            pane.display = not pane.display
            (pane.rows if pane.display else self._prompt).focus()
            self.look()
        else:
            self.host.push_screen(WireScreen(self.browser, self.session.session_id))

    def do_mode(self) -> None:
        if self.session.mode is not None:
            self._choose(self.session.mode)

    def do_options(self) -> None:
        options = self.session.options

        def chosen(at: str | None) -> None:
            if at is not None:
                self._choose(options[int(at)])

        choices = [Choice(setting.name, f"{setting.name}: {setting.shown}") for setting in options]
        self.host.push_screen(Choose("Options of this session", choices, 0), chosen)

    def _choose(self, setting: Setting) -> None:
        def chosen(at: str | None) -> None:
            if at is not None:
                value = setting.choices[int(at)].value
                self.attempt(f"setting {one_line(setting.name, 40)}", lambda: self._set(setting, value))

        at = next((at for at, choice in enumerate(setting.choices) if choice.value == setting.value), 0)
        self.host.push_screen(Choose(one_line(setting.name, 80), setting.choices, at), chosen)

    async def _set(self, setting: Setting, value: str | bool) -> None:
        await self.browser.set(self.session, setting, value)
        self.browser.say(f"set: {setting.name}")

    def do_fork(self) -> None:
        async def work() -> None:
            fork = await self.browser.fork(self.session.session_id, self.session.cwd)
            if self.is_current:
                self.host.pop_screen()
                news = "this is the fork; the original is unchanged"
                self.host.push_screen(SessionScreen(self.browser, fork, news))
                await self.browser.glance()  # for its title

        self.attempt("session/fork", work)

    def do_reload(self) -> None:
        async def work() -> None:
            info = self.browser.listing.find(self.session.session_id)
            known = info or acp.SessionInfo(session_id=self.session.session_id, cwd=self.session.cwd)
            self.session = await self.browser.enter(known, again=True)

        self.attempt("session/load", work)

    def do_close(self) -> None:
        async def work() -> None:
            await self.browser.close(self.session.session_id)
            self.browser.say("closed; it stays in the list")
            self._leave()

        self.attempt("session/close", work)

    def do_delete(self) -> None:
        self.browser.delete(self.session.session_id)
        self._leave()

    def do_back(self) -> None:
        suggestions = self.query_one(Suggestions)
        if suggestions.found:
            suggestions.show(())
        else:
            self._leave()

    def _leave(self) -> None:
        self.session.draft = self._prompt.text
        if self.is_current:
            if not self.browser.status_is_bad:
                self.browser.say("")  # what is said of this screen misleads on another, its keys above all
            self.host.pop_screen()
            if self.browser.can("list_sessions"):
                self.start(self.guarded(self.browser.glance))


def head_of(session: Session, found: int) -> Content:
    """The line above a conversation. Information that changes comes first, because narrow terminals cut off the end."""
    parts: list[Any] = [(f" {one_line(session.title, 40) or one_line(session.session_id, 30)} ", "bold reverse")]
    if session.running:
        parts.append(("  cancelling …" if session.cancelling else "  working …", "bold $text-warning"))
    if found:
        parts.append((f"  ⚠ {found:,} on the wire", "$text-warning"))
    if session.mode is not None:
        parts.append((f"  {one_line(session.mode.shown, 30)}", "$text-secondary"))
    parts.append((f"  {styling.home_short(session.cwd)}", "$text-accent"))
    if session.usage:
        parts.append((f"  {one_line(session.usage, 60)}", "$foreground 60%"))
    return Content.assemble(*parts)


def show_plan(plan: Static, session: Session, height: int) -> None:
    """Show the plan of a session. Small screens only show its current step."""
    low = height < _TALL
    plan.display = bool(session.plan)
    plan.set_class(low, "-short")
    plan.update(plan_line(session) if low else plan_of(session))


def plan_line(session: Session) -> Content:
    """The plan of a session on one line."""
    steps = session.plan
    done = sum(status == "completed" for status, _ in steps)
    current = next(((status, text) for status, text in steps if status != "completed"), ("completed", "done"))
    return Content.assemble(
        (f"Plan {done}/{len(steps)}", "bold $text-secondary"),
        f"  {styling.STATES.get(current[0], ' ')} {one_line(current[1], 300)}",
    )


def plan_of(session: Session) -> Content:
    """The plan of a session: the steps around the current one."""
    steps = session.plan
    done = sum(status == "completed" for status, _ in steps)
    at = next((at for at, (status, _) in enumerate(steps) if status != "completed"), max(len(steps) - 1, 0))
    first = max(min(at - 1, len(steps) - _STEPS), 0)
    lines = [Content.styled(f"Plan {done}/{len(steps)}", "bold $text-secondary")]
    for status, text in steps[first : first + _STEPS]:
        style = "$foreground 60%" if status == "completed" else ""
        lines.append(Content.assemble(f"  {styling.STATES.get(status, ' ')} ", (one_line(text, 300), style)))
    if len(steps) > first + _STEPS:
        lines.append(Content.styled(f"  … {len(steps) - first - _STEPS} more", "$foreground 60%"))
    return Content("\n").join(lines)
