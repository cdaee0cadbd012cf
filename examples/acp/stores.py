# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Stored sessions: the base class of agents that store their sessions, and stores in memory, SQLite and PostgreSQL.

To test a store of your own, use `StoreContract`.
"""

from __future__ import annotations

from generated._runtime.stores.agent import StoredSessions
from generated._runtime.stores.base import (
    Busy as Busy,
    Entry as Entry,
    Fenced as Fenced,
    Position as Position,
    Store as Store,
    StoredSession as StoredSession,
    StoreError as StoreError,
    StoreFailed as StoreFailed,
    TurnKey as TurnKey,
    UnknownSession as UnknownSession,
)
from generated._runtime.stores.contract import StoreContract as StoreContract
from generated._runtime.stores.open_session import OpenSession as OpenSession
from generated._runtime.stores.host import using as using
from generated._runtime.stores.plan import ListPlan, PromptPlan, SessionPlan, SettlePlan

from generated._runtime.stores.postgres import PostgresStore as PostgresStore
from generated._runtime.stores.sqlite import MemoryStore as MemoryStore, SQLiteStore as SQLiteStore
from .agent import Agent
from .methods import PROTOCOL
from generated.models import (
    CancelNotification, CloseSessionRequest, DeleteSessionRequest, ForkSessionRequest, ForkSessionResponse,
    ListSessionsRequest, ListSessionsResponse, LoadSessionRequest, LoadSessionResponse, NewSessionRequest,
    NewSessionResponse, ResumeSessionRequest, ResumeSessionResponse, SessionInfo, SessionInfoUpdate, SessionUpdate,
    ToolCall, ToolCallProgress, UserMessageChunk,
)  # fmt: skip


class SessionAgent(StoredSessions, Agent):
    """Base of agents with sessions in a store: `SessionAgent(SQLiteStore("sessions.db"))`, one object per client.

    Subclasses implement `prompt`. Updates that the handler sends are stored and sent to the other clients of the session. To
    extend a handler of this class, override it and call `super()`.
    """

    _plan = SessionPlan(
        protocol=PROTOCOL,
        peer="client",
        session="session_id",
        notification="session/update",
        update="update",
        union=SessionUpdate,
        prompts={
            "prompt": PromptPlan(
                path="session/prompt", content="prompt", chunk=UserMessageChunk, item="content", reason="stop_reason"
            ),
        },
        list=ListPlan(
            item=SessionInfo,
            items="sessions",
            cursor="cursor",
            next="next_cursor",
            place=("cwd", "cwd"),
            equal=(),
            fields=("cwd", "additional_directories"),
            title="title",
            changed="updated_at",
        ),
        settles=(
            SettlePlan(
                kinds=(ToolCall, ToolCallProgress),
                patch=ToolCallProgress,
                key="tool_call_id",
                stage="status",
                ended=("completed", "failed"),
                failed="failed",
            ),
        ),
        info=SessionInfoUpdate,
    )

    async def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        result: NewSessionResponse = await self._new(params, NewSessionResponse)
        return result

    async def load_session(self, params: LoadSessionRequest) -> LoadSessionResponse:
        result: LoadSessionResponse = await self._load(params, LoadSessionResponse)
        return result

    async def resume_session(self, params: ResumeSessionRequest) -> ResumeSessionResponse:
        result: ResumeSessionResponse = await self._resume(params, ResumeSessionResponse)
        return result

    async def list_sessions(self, params: ListSessionsRequest) -> ListSessionsResponse:
        result: ListSessionsResponse = await self._list(params, ListSessionsResponse)
        return result

    async def fork_session(self, params: ForkSessionRequest) -> ForkSessionResponse:
        result: ForkSessionResponse = await self._fork(params, ForkSessionResponse)
        return result

    async def close_session(self, params: CloseSessionRequest) -> None:
        await self._close(params)

    async def delete_session(self, params: DeleteSessionRequest) -> None:
        await self._delete(params)

    def cancel(self, params: CancelNotification) -> None:
        self._cancelled(params)
