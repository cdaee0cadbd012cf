# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The types of `models` as pydantic models, with the same names.

They read JSON like `acp.decode`: they tolerate the bad values that the schema allows, and keep unknown variants. An absent
property is `MISSING`, and null is None. `model_dump` and `model_dump_json` write the names on the wire.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias


from pydantic import (
    Field as Field,
    StrictBool as StrictBool,
    StrictFloat as StrictFloat,
    StrictInt as StrictInt,
    StrictStr as StrictStr,
)

from . import models as _models
from ._runtime.codec.pydantic_models import (
    MISSING as MISSING, Lenient as _Lenient, Maybe as _Maybe, Model as _Model, Pick as _Pick,
)  # fmt: skip
from ._runtime.schema.definitions import UnknownVariant


class InitializeRequest(_Model):
    """Opens the connection: sends the client's protocol version and capabilities, and asks for the agent's."""

    protocol_version: ProtocolVersion
    """Highest protocol version that the client supports."""

    client_capabilities: _Maybe[
        Annotated[
            ClientCapabilities,
            _Lenient(
                error={
                    "fs": {"readTextFile": False, "writeTextFile": False},
                    "terminal": False,
                    "auth": {"terminal": False},
                }
            ),
        ]
    ] = MISSING
    """Capabilities of the client. Anything that is not listed is unsupported. Default: `{"fs": {"readTextFile":
    false, "writeTextFile": false}, "terminal": false, "auth": {"terminal": false}}`.
    """

    client_info: _Maybe[Annotated[Implementation | None, _Lenient(error=MISSING)]] = MISSING
    """Name and version of the client program. Later protocol versions will demand it, so clients do well to send
    it now.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ClientCapabilities(_Model):
    """Capabilities of the client, advertised once in `initialize`."""

    fs: _Maybe[Annotated[FileSystemCapabilities, _Lenient(error={"readTextFile": False, "writeTextFile": False})]] = (
        MISSING
    )
    """File operations that the client performs for the agent. Default: `{"readTextFile": false, "writeTextFile":
    false}`.
    """

    terminal: _Maybe[Annotated[StrictBool, _Lenient(error=False)]] = MISSING
    """True when the client implements every method under `terminal/`. Default: false."""

    session: _Maybe[Annotated[ClientSessionCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Extensions to sessions that the client understands. Null or absent means none."""

    subagents: _Maybe[Annotated[SubagentCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """With `{}`, the client can deal with child sessions: their announcements, states, messages between sessions
    and restricted operations. Null is the same as leaving it out: unsupported. Unstable: RFD subagents (draft).
    """

    plan: _Maybe[Annotated[PlanCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """With `{}`, the client accepts both the `plan_update` and the `plan_removed` update. Null is the same as
    leaving it out: unsupported. Unstable: RFD plan-updates (draft).
    """

    auth: _Maybe[Annotated[AuthCapabilities, _Lenient(error={"terminal": False})]] = MISSING
    """Kinds of authentication methods that the client can handle. The agent may offer only these in its
    `initialize` response. Default: `{"terminal": false}`.
    """

    elicitation: _Maybe[Annotated[ElicitationCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Ways in which the agent may ask the user for input. Null or absent means none."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class FileSystemCapabilities(_Model):
    """File operations that the client can perform for the agent."""

    read_text_file: _Maybe[Annotated[StrictBool, _Lenient(error=False)]] = MISSING
    """True when the agent may call `fs/read_text_file`. Default: false."""

    write_text_file: _Maybe[Annotated[StrictBool, _Lenient(error=False)]] = MISSING
    """True when the agent may call `fs/write_text_file`. Default: false."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ClientSessionCapabilities(_Model):
    """Extensions to sessions that a client may understand."""

    compaction: _Maybe[Annotated[CompactionCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """With `{}`, the client follows everything the protocol says about compactions identified by id. Null is the
    same as leaving it out: unsupported.
    """

    config_options: _Maybe[Annotated[SessionConfigOptionsCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Extensions to configuration options that the client understands. Null or absent means none."""

    notices: _Maybe[Annotated[NoticeCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """With `{}`, the client can show `notice` updates to the user as they arrive. Null is the same as leaving it
    out: unsupported.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CompactionCapabilities(_Model):
    """Advertised as `{}`, promises that the client handles updates about compactions identified by id."""


class SessionConfigOptionsCapabilities(_Model):
    """Kinds of configuration option, beyond the basic ones, that a client can handle."""

    boolean: _Maybe[Annotated[BooleanConfigOptionCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """With `{}`, agents may list options of type `boolean` in `configOptions`, which the client may set by
    `session/set_config_option` with that type and a true or false `value`. Null is the same as leaving it out:
    unsupported.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class BooleanConfigOptionCapabilities(_Model):
    """Advertised as `{}`, promises that the client can show and set options that are on or off."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class NoticeCapabilities(_Model):
    """Advertised as `{}`, promises that the client shows notices to the user as they arrive."""


class SubagentCapabilities(_Model):
    """Advertised as `{}`, promises that the client handles child sessions, their states, messages between sessions
    and restricted operations. The agent may send none of these updates without it. Unstable: RFD subagents
    (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanCapabilities(_Model):
    """Advertised as `{}`, promises that the client accepts both the `plan_update` and the `plan_removed` update.
    Unstable: RFD plan-updates (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthCapabilities(_Model):
    """Kinds of authentication for which the client provides the necessary help."""

    terminal: _Maybe[Annotated[StrictBool, _Lenient(error=False)]] = MISSING
    """True when the agent may offer methods of type `terminal`. The client should say so only if it can run the
    agent, with its configured command line, in a terminal the user can type in. Default: false.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ElicitationCapabilities(_Model):
    """Modes of elicitation that a client can handle."""

    form: _Maybe[Annotated[ElicitationFormCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """With `{}`, the client can present forms. Null is the same as leaving it out: unsupported."""

    url: _Maybe[Annotated[ElicitationUrlCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """With `{}`, the client can send the user to a URL. Null is the same as leaving it out: unsupported."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ElicitationFormCapabilities(_Model):
    """Advertised as `{}`, promises that the client can present a form and return what the user entered."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ElicitationUrlCapabilities(_Model):
    """Advertised as `{}`, promises that the client can send the user to a URL to complete an elicitation there."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Implementation(_Model):
    """Identifies the program on one side of the connection, client or agent, by name and version."""

    name: StrictStr
    """Name for programs. Clients show it to users only if there is no `title`."""

    version: StrictStr
    """Version of the program, such as `1.0.0`, for display, debugging or statistics."""

    title: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Name to show to users; where it is missing, show `name`."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class InitializeResponse(_Model):
    """Contains the protocol version to be used and the capabilities of the agent."""

    protocol_version: ProtocolVersion
    """The version the client asked for if the agent speaks it, otherwise the newest one the agent speaks. A client
    that cannot work with it should close the connection.
    """

    agent_capabilities: _Maybe[
        Annotated[
            AgentCapabilities,
            _Lenient(
                error={
                    "loadSession": False,
                    "promptCapabilities": {"image": False, "audio": False, "embeddedContext": False},
                    "mcpCapabilities": {"http": False, "sse": False, "acp": False},
                    "sessionCapabilities": {},
                    "auth": {},
                }
            ),
        ]
    ] = MISSING
    """Capabilities of the agent beyond the basics. Default: `{"loadSession": false, "promptCapabilities":
    {"image": false, "audio": false, "embeddedContext": false}, "mcpCapabilities": {"http": false, "sse": false,
    "acp": false}, "sessionCapabilities": {}, "auth": {}}`.
    """

    auth_methods: _Maybe[Annotated[list[AuthMethod], _Lenient(skip=True, error=[])]] = MISSING
    """Ways to log in that the agent offers; empty when it names none."""

    agent_info: _Maybe[Annotated[Implementation | None, _Lenient(error=MISSING)]] = MISSING
    """Name and version of the agent program. A later protocol version will make it mandatory."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AgentCapabilities(_Model):
    """Capabilities of an agent, advertised in the response to `initialize`."""

    load_session: _Maybe[Annotated[StrictBool, _Lenient(error=False)]] = MISSING
    """True when `session/load` can be called. Default: false."""

    prompt_capabilities: _Maybe[
        Annotated[PromptCapabilities, _Lenient(error={"image": False, "audio": False, "embeddedContext": False})]
    ] = MISSING
    """Kinds of content the agent takes in a prompt. Default: `{"image": false, "audio": false, "embeddedContext":
    false}`.
    """

    mcp_capabilities: _Maybe[
        Annotated[McpCapabilities, _Lenient(error={"http": False, "sse": False, "acp": False})]
    ] = MISSING
    """Transports over which the agent can reach MCP servers. Default: `{"http": false, "sse": false, "acp":
    false}`.
    """

    session_capabilities: _Maybe[Annotated[SessionCapabilities, _Lenient(error={})]] = MISSING
    """Session methods and session options the agent offers beyond the required ones."""

    auth: _Maybe[Annotated[AgentAuthCapabilities, _Lenient(error={})]] = MISSING
    """Capabilities of the agent for logging in and out."""

    providers: _Maybe[Annotated[ProvidersCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Present (`{}` is enough) when the `providers/*` methods can be called; null or absent means they cannot.
    Unstable: RFD configurable-providers (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PromptCapabilities(_Model):
    """Kinds of content `session/prompt` may contain. Every agent has to take `text` and `resource_link`; each
    further kind may be sent if its flag here is true.
    """

    image: _Maybe[Annotated[StrictBool, _Lenient(error=False)]] = MISSING
    """True when a prompt may contain `image` blocks. Default: false."""

    audio: _Maybe[Annotated[StrictBool, _Lenient(error=False)]] = MISSING
    """True when a prompt may contain `audio` blocks. Default: false."""

    embedded_context: _Maybe[Annotated[StrictBool, _Lenient(error=False)]] = MISSING
    """True when a prompt may carry the referenced material itself in `resource` blocks. Default: false."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class McpCapabilities(_Model):
    """MCP server transports the agent can use."""

    http: _Maybe[Annotated[StrictBool, _Lenient(error=False)]] = MISSING
    """True when the agent can connect to MCP servers of type `http`. Default: false."""

    sse: _Maybe[Annotated[StrictBool, _Lenient(error=False)]] = MISSING
    """True when the agent can connect to MCP servers of type `sse`. Default: false."""

    acp: _Maybe[Annotated[StrictBool, _Lenient(error=False)]] = MISSING
    """True when the agent can use MCP servers of type `acp`, tunnelled through this connection. Default: false.
    Unstable: RFD mcp-over-acp (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionCapabilities(_Model):
    """Session features an agent adds to the ones each agent MUST have: `session/new`, `session/prompt`,
    `session/update` and `session/cancel`. For now `session/load` is announced apart from these, by
    `loadSession`.
    """

    list: _Maybe[Annotated[SessionListCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Present (`{}` is enough) when `session/list` can be called; null or absent means it cannot."""

    delete: _Maybe[Annotated[SessionDeleteCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Present (`{}` is enough) when `session/delete` can be called; null or absent means it cannot."""

    additional_directories: _Maybe[
        Annotated[SessionAdditionalDirectoriesCapabilities | None, _Lenient(error=MISSING)]
    ] = MISSING
    """Present (`{}` is enough) when requests that set up a session may carry `additionalDirectories`; null or
    absent means they may not. `session/list` can then report all extra roots of a session, in order.
    """

    system_prompt: _Maybe[Annotated[SessionSystemPromptCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Present (`{}` is enough) when requests that set up a session may carry a `systemPrompt` in `append` mode;
    null or absent means they may not. Unstable: RFD system-prompt (draft).
    """

    fork: _Maybe[Annotated[SessionForkCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Present (`{}` is enough) when `session/fork` can be called; null or absent means it cannot. Unstable: RFD
    session-fork (draft).
    """

    archive: _Maybe[Annotated[SessionArchiveCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Present (`{}` is enough) when `session/archive` and `session/unarchive` can be called and `session/list`
    knows about `archived`; null or absent means neither. An agent with this MUST announce `list` too. Unstable:
    RFD session-archive (draft).
    """

    status: _Maybe[Annotated[SessionStatusCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Present (`{}` is enough) when `session/status` can be called; null or absent means it cannot. Unstable: RFD
    session-status (draft).
    """

    title: _Maybe[Annotated[SessionTitleCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Present (`{}` is enough) when the client may call `session/set_title`; null or absent means it may not.
    Titles the agent reports on its own do not depend on this. Unstable: RFD session-title (draft).
    """

    resume: _Maybe[Annotated[SessionResumeCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Present (`{}` is enough) when `session/resume` can be called; null or absent means it cannot."""

    close: _Maybe[Annotated[SessionCloseCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Present (`{}` is enough) when `session/close` can be called; null or absent means it cannot."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionListCapabilities(_Model):
    """With `{}` the agent promises to answer `session/list`."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionDeleteCapabilities(_Model):
    """With `{}` the agent promises that `session/delete` removes a session from the ones `session/list` returns."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionAdditionalDirectoriesCapabilities(_Model):
    """With `{}` the agent promises to honour `additionalDirectories` where a session request has that property. If
    it also has `session/list`, it may report there all extra roots of a session in their order.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionSystemPromptCapabilities(_Model):
    """With `{}` the agent promises to accept a `systemPrompt` when a session is set up, at least in `append` mode.
    Unstable: RFD system-prompt (draft).
    """

    mode: _Maybe[Annotated[SessionSystemPromptModeCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Modes available besides `append`; null or absent means none."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionSystemPromptModeCapabilities(_Model):
    """Ways of applying the client's system prompt other than `append`, which needs no entry since it always comes
    with `sessionCapabilities.systemPrompt`. Unstable: RFD system-prompt (draft).
    """

    override: _Maybe[Annotated[SessionSystemPromptOverrideCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Present (`{}` is enough) when the client's system prompt may take the place of the agent's own default
    instructions; null or absent means it may not.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionSystemPromptOverrideCapabilities(_Model):
    """With `{}` the agent promises to drop its own default instructions in favour of the client's system prompt in
    `override` mode. Unstable: RFD system-prompt (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionForkCapabilities(_Model):
    """With `{}` the agent promises to answer `session/fork`. Unstable: RFD session-fork (draft)."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionArchiveCapabilities(_Model):
    """With `{}` the agent answers `session/archive` and `session/unarchive`, filters `session/list` by `archived`,
    and reports that flag in each `SessionInfo`. Unstable: RFD session-archive (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionStatusCapabilities(_Model):
    """With `{}` the agent promises to answer `session/status`. Unstable: RFD session-status (draft)."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionTitleCapabilities(_Model):
    """With `{}` the agent promises to answer `session/set_title`. It needs no such entry to report titles in
    `session/list` or `session_info_update`. Unstable: RFD session-title (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionResumeCapabilities(_Model):
    """With `{}` the agent promises to answer `session/resume`."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionCloseCapabilities(_Model):
    """With `{}` the agent promises to answer `session/close`."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AgentAuthCapabilities(_Model):
    """Capabilities of the agent for authentication."""

    status: _Maybe[Annotated[AuthStatusCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Present (`{}` is enough) when `auth/status` can be called; null or absent means it cannot. Unstable: RFD
    auth-status (draft).
    """

    logout: _Maybe[Annotated[LogoutCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Present (`{}` is enough) when `logout` can be called; null or absent means it cannot."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthStatusCapabilities(_Model):
    """With `{}` the agent promises to answer `auth/status`. Unstable: RFD auth-status (draft)."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class LogoutCapabilities(_Model):
    """With `{}` the agent promises to answer `logout`."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ProvidersCapabilities(_Model):
    """With `{}` the agent promises to answer the `providers/*` methods. Unstable: RFD configurable-providers
    (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthMethodTerminal(_Model):
    """Login in a terminal: the client starts the agent program separately and the user logs in there; exit status
    0 means success, anything else failure. It MUST NOT be offered unless the client enabled terminal login, and
    MUST NOT be given to `authenticate`.
    """

    type: Annotated[Literal["terminal"], Field(alias="type")] = "terminal"

    id: AuthMethodId
    """Id of this way to log in."""

    name: StrictStr
    """Name to show to the user."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Longer explanation to show to the user."""

    args: _Maybe[Annotated[list[StrictStr], _Lenient(null=[])]] = MISSING
    """Arguments added after those of the agent's usual command line."""

    env: _Maybe[Annotated[dict[str, StrictStr], _Lenient(null={})]] = MISSING
    """Environment variables to set when the client starts the agent program for the login. They override variables
    of the same name in the usual launch settings.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthMethodAgent(_Model):
    """Login that the agent performs when `authenticate` is called. This kind applies if none is stated."""

    id: AuthMethodId
    """Id of this way to log in."""

    name: StrictStr
    """Name to show to the user."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Longer explanation to show to the user."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    type: _Maybe[Any] = MISSING


class AuthenticateRequest(_Model):
    """Asks the agent to authenticate the user by the chosen method."""

    method_id: AuthMethodId
    """Method to authenticate by; must be one that the agent listed in its `initialize` response."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthenticateResponse(_Model):
    """Confirms that the login succeeded."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class LogoutRequest(_Model):
    """Asks the agent to end the current login."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class LogoutResponse(_Model):
    """Confirms that the agent has logged the user out; carries no data."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthStatusRequest(_Model):
    """Asks the agent for its authentication state and changes nothing. It MUST be answered even when no one is
    logged in: `auth_required` (`-32000`) is not an allowed reply. Unstable: RFD auth-status (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthStatusResponse(_Model):
    """Answer to `auth/status`: the overall sign-in state and the accounts the agent knows. Unstable: RFD
    auth-status (draft).
    """

    state: AuthState
    """Tells if a session can be started before any sign-in; clients should base decisions on nothing else in this
    answer. An unfamiliar value MUST be read as `unknown`.
    """

    accounts: _Maybe[Annotated[list[AuthAccount], _Lenient(skip=True, error=MISSING)]] = MISSING
    """Accounts set up in the agent, meant for showing to the user; an empty list is the same as leaving it out.
    With more than one provider or account, the agent SHOULD list them all and flag those in use with `active`.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthAccount(_Model):
    """One account or credential held by the agent, such as a user login or an API key. It is for display: clients
    MUST NOT treat its fields as lasting identifiers and SHOULD keep them out of logs, telemetry and other
    outside destinations. Unstable: RFD auth-status (draft).
    """

    label: StrictStr
    """Name of the account for people to read, understandable without the other fields, such as `OpenAI API key`."""

    active: _Maybe[Annotated[StrictBool | None, _Lenient(error=MISSING)]] = MISSING
    """True if the agent uses this account by default at present; more than one MAY be active, such as one for each
    provider. Null is the same as leaving it out: the agent does not say.
    """

    name: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """User name or full name of the account holder, for display. Null is the same as leaving it out: none is
    given.
    """

    email: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Account holder's email address. Null is the same as leaving it out: none is given."""

    organization: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Organization, team or workspace that the account works under, for display. Null is the same as leaving it
    out: none is given.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthStatusUpdateNotification(_Model):
    """Announces a changed authentication status, with the fields of the `auth/status` response. An agent that
    advertised `auth.status` MAY send it whenever `initialize` is done, and SHOULD send it only if the status is
    not the one it reported last on this connection. Unstable: RFD auth-status (draft).
    """

    state: AuthState
    """Tells whether sessions can be started without a sign-in; clients should base decisions on no other field. A
    value the client does not know MUST be handled like `unknown`.
    """

    accounts: _Maybe[Annotated[list[AuthAccount], _Lenient(skip=True, error=MISSING)]] = MISSING
    """Configured accounts, meant for display only; absent and empty both mean that none are reported. An agent
    with credentials for more than one SHOULD list them all and flag those in use with `active`.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class NewSessionRequest(_Model):
    """Asks the agent to start a new session."""

    cwd: StrictStr
    """Absolute path the session works in and resolves relative paths against."""

    mcp_servers: Annotated[list[McpServer], _Lenient(null=[])]
    """MCP servers the agent has to connect to while the session is live."""

    additional_directories: _Maybe[Annotated[list[StrictStr], _Lenient(null=[])]] = MISSING
    """Further workspace roots as absolute paths. They widen what the session may reach; relative paths still start
    at `cwd`. Absent or empty means none. Gate: `sessionCapabilities.additionalDirectories`.
    """

    system_prompt: _Maybe[SystemPrompt | None] = MISSING
    """Instructions at system level for the session being created. `null` is the same as leaving it out: the
    agent's defaults apply. MUST NOT be sent unless the agent advertises `sessionCapabilities.systemPrompt`.
    Gate: `sessionCapabilities.systemPrompt`. Unstable: RFD system-prompt (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class McpServerHttp(_Model):
    """An MCP server reached over HTTP."""

    type: Annotated[Literal["http"], Field(alias="type")] = "http"

    name: StrictStr
    """Display name of the server, meant for people."""

    url: StrictStr
    """Address at which the agent reaches the server."""

    headers: Annotated[list[HttpHeader], _Lenient(null=[])]
    """Headers the agent adds to each HTTP request it makes to the server."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class McpServerSse(_Model):
    """An MCP server reached over server-sent events (SSE)."""

    type: Annotated[Literal["sse"], Field(alias="type")] = "sse"

    name: StrictStr
    """Display name of the server, meant for people."""

    url: StrictStr
    """Address at which the agent reaches the server."""

    headers: Annotated[list[HttpHeader], _Lenient(null=[])]
    """Headers the agent adds to each HTTP request it makes to the server."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class McpServerAcp(_Model):
    """An MCP server offered by an ACP component; its traffic travels in `mcp/message` calls on the ACP connection.
    Unstable: RFD mcp-over-acp (draft).
    """

    type: Annotated[Literal["acp"], Field(alias="type")] = "acp"

    name: StrictStr
    """Display name of the server, meant for people."""

    server_id: McpServerAcpId
    """Opaque id chosen by the component that offers the server. It MUST be unique among the ACP-transport servers
    visible on one connection.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class McpServerStdio(_Model):
    """An MCP server the agent launches as a child process and talks to over stdin and stdout."""

    name: StrictStr
    """Display name of the server, meant for people."""

    command: StrictStr
    """Absolute path of the program to launch."""

    args: Annotated[list[StrictStr], _Lenient(null=[])]
    """Arguments for the program, in order."""

    env: Annotated[list[EnvVariable], _Lenient(null=[])]
    """Environment variables the server process is given."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    type: _Maybe[Any] = MISSING


class HttpHeader(_Model):
    """One header, as a name and value pair, for HTTP requests to an MCP server."""

    name: StrictStr
    """Header name."""

    value: StrictStr
    """Header value."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class EnvVariable(_Model):
    """Name and value of an environment variable set for a process being launched, such as an MCP server."""

    name: StrictStr
    """Name of the variable."""

    value: StrictStr
    """Value of the variable."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SystemPrompt(_Model):
    """Instructions at system level that the client supplies; MUST NOT be sent unless
    `sessionCapabilities.systemPrompt` is advertised. If the agent cannot honour the mode or a content block, it
    MUST fail the call, leaving the session uncreated, unloaded, unresumed or unforked. Unstable: RFD
    system-prompt (draft).
    """

    mode: SystemPromptMode
    """Whether `content` adds to the agent's instructions or takes their place. An unsupported mode MUST be
    answered with an error, never read as one of the known modes.
    """

    content: list[ContentBlock]
    """The instructions as content blocks. Only `text` blocks may be sent, and agents with the capability MUST take
    them; any unsupported block MUST cause an error. Clients MUST NOT leave the array empty; agents MAY refuse
    that with `-32602`.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TextContent(_Model):
    """Text for a language model, or from one."""

    type: Annotated[Literal["text"], Field(alias="type")] = "text"

    text: StrictStr
    """The text itself."""

    annotations: _Maybe[Annotated[Annotations | None, _Lenient(error=MISSING)]] = MISSING
    """Hints for the client on how to show the content or whom to send it to."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ImageContent(_Model):
    """Image for a language model, or from one."""

    type: Annotated[Literal["image"], Field(alias="type")] = "image"

    data: StrictStr
    """The image file in base64."""

    mime_type: StrictStr
    """MIME type of the base64 data, such as `image/png`."""

    annotations: _Maybe[Annotated[Annotations | None, _Lenient(error=MISSING)]] = MISSING
    """Hints for the client on how to show the content or whom to send it to."""

    uri: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Source of the image, as a URI."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AudioContent(_Model):
    """Audio for a language model, or from one."""

    type: Annotated[Literal["audio"], Field(alias="type")] = "audio"

    data: StrictStr
    """The audio file in base64."""

    mime_type: StrictStr
    """MIME type of the base64 data, such as `audio/wav`."""

    annotations: _Maybe[Annotated[Annotations | None, _Lenient(error=MISSING)]] = MISSING
    """Hints for the client on how to show the content or whom to send it to."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ResourceLink(_Model):
    """A readable resource named by URI, as part of a prompt or of a tool's result, without its contents."""

    type: Annotated[Literal["resource_link"], Field(alias="type")] = "resource_link"

    name: StrictStr
    """Name of the resource, for people to read."""

    uri: StrictStr
    """URI that leads to the resource."""

    annotations: _Maybe[Annotated[Annotations | None, _Lenient(error=MISSING)]] = MISSING
    """Hints for the client on how to show the content or whom to send it to."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Longer text about the resource, for people to read."""

    mime_type: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """MIME type of the linked resource."""

    size: _Maybe[Annotated[StrictInt | None, _Lenient(error=MISSING)]] = MISSING
    """Size of the linked resource in bytes, if known."""

    title: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Title of the resource for the user interface."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class EmbeddedResource(_Model):
    """A resource carried in full inside a prompt or the result of a tool."""

    type: Annotated[Literal["resource"], Field(alias="type")] = "resource"

    resource: EmbeddedResourceResource
    """Contents of the resource: `text` or `blob`."""

    annotations: _Maybe[Annotated[Annotations | None, _Lenient(error=MISSING)]] = MISSING
    """Hints for the client on how to show the content or whom to send it to."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Annotations(_Model):
    """Hints on how the client may use or show an item."""

    audience: _Maybe[Annotated[list[Role] | None, _Lenient(skip=True, error=MISSING)]] = MISSING
    """Roles the content is meant for."""

    last_modified: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Time of the last change to the underlying resource, as an ISO 8601 string."""

    priority: _Maybe[Annotated[StrictInt | StrictFloat | None, _Lenient(error=MISSING)]] = MISSING
    """Weight of the content relative to other content when the client selects what to show."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TextResourceContents(_Model):
    """A resource whose contents are text."""

    text: StrictStr
    """Contents of the resource."""

    uri: StrictStr
    """URI of the resource the text belongs to."""

    mime_type: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """MIME type of the text, such as `text/markdown`."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class BlobResourceContents(_Model):
    """A resource whose contents are bytes."""

    blob: StrictStr
    """Contents of the resource in base64."""

    uri: StrictStr
    """URI of the resource the bytes belong to."""

    mime_type: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """MIME type of the bytes before encoding."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class NewSessionResponse(_Model):
    """Answer to `session/new`: the id of the new session, and its first state."""

    session_id: SessionId
    """Id of the new session; every later call about this conversation carries it."""

    modes: _Maybe[Annotated[SessionModeState | None, _Lenient(error=MISSING)]] = MISSING
    """Modes of the session and which one it starts in; sent by agents that have modes."""

    config_options: _Maybe[Annotated[list[SessionConfigOption] | None, _Lenient(skip=True, error=MISSING)]] = MISSING
    """Settings the session offers, with their starting values; sent by agents that have such settings."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionModeState(_Model):
    """Modes of a session, and its current mode."""

    current_mode_id: SessionModeId
    """Id of the current mode."""

    available_modes: Annotated[list[SessionMode], _Lenient(skip=True, error=[])]
    """All modes the session can be switched to."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionMode(_Model):
    """One mode of working of the agent in a session."""

    id: SessionModeId
    """Id by which later messages name this mode."""

    name: StrictStr
    """Name of the mode as the user sees it."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Further explanation of the mode for the user to read."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionConfigOptionSelect(_Model):
    """Setting that takes exactly one value from a list."""

    type: Annotated[Literal["select"], Field(alias="type")] = "select"

    id: SessionConfigId
    """Id of the setting, used to change it."""

    name: StrictStr
    """Label of the setting as the user sees it."""

    current_value: SessionConfigValueId
    """Id of the current value."""

    options: SessionConfigSelectOptions
    """Values the user can choose from."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Further explanation of the setting, which the client may show to the user."""

    category: _Maybe[Annotated[SessionConfigOptionCategory | None, _Lenient(error=MISSING)]] = MISSING
    """Kind of the setting; only a hint for presentation."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionConfigOptionBoolean(_Model):
    """Setting that is either on or off."""

    type: Annotated[Literal["boolean"], Field(alias="type")] = "boolean"

    id: SessionConfigId
    """Id of the setting, used to change it."""

    name: StrictStr
    """Label of the setting as the user sees it."""

    current_value: StrictBool
    """True while the setting is on, false while it is off."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Further explanation of the setting, which the client may show to the user."""

    category: _Maybe[Annotated[SessionConfigOptionCategory | None, _Lenient(error=MISSING)]] = MISSING
    """Kind of the setting; only a hint for presentation."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionConfigSelect(_Model):
    """Fields of a setting of type `select`, which takes one value from a list."""

    current_value: SessionConfigValueId
    """Id of the current value."""

    options: SessionConfigSelectOptions
    """Values the user can choose from."""


class SessionConfigSelectOption(_Model):
    """One value that a setting can be given."""

    value: SessionConfigValueId
    """Id of the value, sent to choose it."""

    name: StrictStr
    """Label of the value as the user sees it."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Further explanation of the value for the user to read."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionConfigSelectGroup(_Model):
    """Values of a setting that are shown together under one heading."""

    group: SessionConfigGroupId
    """Id of the group."""

    name: StrictStr
    """Heading of the group as the user sees it."""

    options: Annotated[list[SessionConfigSelectOption], _Lenient(skip=True, error=[])]
    """Values that belong to the group."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionConfigBoolean(_Model):
    """Fields of a setting of type `boolean`, which is on or off."""

    current_value: StrictBool
    """True while the setting is on, false while it is off."""


class LoadSessionRequest(_Model):
    """Asks the agent to reopen a stored session and replay its conversation to the client."""

    mcp_servers: Annotated[list[McpServer], _Lenient(null=[])]
    """MCP servers the agent has to connect to while the session is live."""

    cwd: StrictStr
    """Absolute path the session works in and resolves relative paths against."""

    session_id: SessionId
    """Session the call is about."""

    additional_directories: _Maybe[Annotated[list[StrictStr], _Lenient(null=[])]] = MISSING
    """Further workspace roots as absolute paths; left out or empty means none. A non-empty array is the whole list
    and need not equal an earlier one, as long as `cwd` is the session's own. Gate:
    `sessionCapabilities.additionalDirectories`.
    """

    system_prompt: _Maybe[SystemPrompt | None] = MISSING
    """Instructions at system level for the loaded session. `null` is the same as leaving it out: the agent then
    uses a prompt it kept, or its defaults. MUST NOT be sent unless `sessionCapabilities.systemPrompt` is
    advertised; SHOULD equal the value given at creation. Gate: `sessionCapabilities.systemPrompt`. Unstable:
    RFD system-prompt (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class LoadSessionResponse(_Model):
    """Answer to `session/load`: the state in which the stored session continues."""

    modes: _Maybe[Annotated[SessionModeState | None, _Lenient(error=MISSING)]] = MISSING
    """Modes of the session and which one it starts in; sent by agents that have modes."""

    config_options: _Maybe[Annotated[list[SessionConfigOption] | None, _Lenient(skip=True, error=MISSING)]] = MISSING
    """Settings the session offers, with their starting values; sent by agents that have such settings."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ResumeSessionRequest(_Model):
    """Asks the agent to take up a session again without replaying earlier messages, which `session/load` would do.
    Suits agents that can continue a session but not replay it.
    """

    session_id: SessionId
    """Session the call is about."""

    cwd: StrictStr
    """Absolute path the session works in and resolves relative paths against."""

    additional_directories: _Maybe[Annotated[list[StrictStr], _Lenient(null=[])]] = MISSING
    """Further workspace roots as absolute paths; left out or empty means none. A non-empty array is the whole list
    and need not equal an earlier one, as long as `cwd` is the session's own. Gate:
    `sessionCapabilities.additionalDirectories`.
    """

    mcp_servers: _Maybe[Annotated[list[McpServer], _Lenient(null=[])]] = MISSING
    """MCP servers the agent has to connect to while the session is live."""

    system_prompt: _Maybe[SystemPrompt | None] = MISSING
    """Instructions at system level for the resumed session. `null` is the same as leaving it out: the agent then
    uses a prompt it kept, or its defaults. MUST NOT be sent unless `sessionCapabilities.systemPrompt` is
    advertised; SHOULD equal the value given at creation. Gate: `sessionCapabilities.systemPrompt`. Unstable:
    RFD system-prompt (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ResumeSessionResponse(_Model):
    """Answer to `session/resume`: the state in which the session continues."""

    modes: _Maybe[Annotated[SessionModeState | None, _Lenient(error=MISSING)]] = MISSING
    """Modes of the session and which one it starts in; sent by agents that have modes."""

    config_options: _Maybe[Annotated[list[SessionConfigOption] | None, _Lenient(skip=True, error=MISSING)]] = MISSING
    """Settings the session offers, with their starting values; sent by agents that have such settings."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ListSessionsRequest(_Model):
    """Asks the agent for its sessions, one page at a time. If the agent supports it, clients need no list of their
    own.
    """

    cwd: _Maybe[StrictStr | None] = MISSING
    """Absolute path; only sessions with this working directory are listed."""

    cursor: _Maybe[StrictStr | None] = MISSING
    """Opaque `nextCursor` of the preceding page; null or left out for the first page. Clients do not parse, change
    or keep it.
    """

    archived: _Maybe[SessionArchiveFilter | None] = MISSING
    """Archive states to list; `null` or absent means `exclude`. Sent only if `sessionCapabilities.archive` is
    advertised. Works together with `cwd`, before paging, and stays the same across pages. Gate:
    `sessionCapabilities.archive`. Unstable: RFD session-archive (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ListSessionsResponse(_Model):
    """Answer to `session/list`: one page of sessions, and a cursor if there are more."""

    sessions: Annotated[list[SessionInfo], _Lenient(skip=True, error=[])]
    """Sessions on this page."""

    next_cursor: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Opaque token to send as `cursor` when asking for the following page; left out on the last page."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionInfo(_Model):
    """One entry of a `session/list` answer, describing a session."""

    session_id: SessionId
    """Id of the session described."""

    cwd: StrictStr
    """Working directory of the session, an absolute path."""

    additional_directories: _Maybe[Annotated[list[StrictStr], _Lenient(skip=True, error=MISSING)]] = MISSING
    """Workspace roots of the session besides `cwd`, as absolute paths: the whole list, in order. An empty list is
    the same as leaving it out: none are reported.
    """

    title: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Title of the session as the user sees it."""

    updated_at: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Time at which the session was last active, in ISO 8601."""

    archived: _Maybe[Annotated[StrictBool | None, _Lenient(error=MISSING)]] = MISSING
    """True if the session is in the archive. Null is the same as leaving it out: not reported. An agent with the
    `sessionCapabilities.archive` capability MUST set it in every entry. Unstable: RFD session-archive (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ForkSessionRequest(_Model):
    """Asks the agent to create a session with the context of an existing one. The original and its history stay
    unchanged. Unstable: RFD session-fork (draft).
    """

    session_id: SessionId
    """Session to fork."""

    cwd: StrictStr
    """Absolute path the new session works in and resolves relative paths against."""

    additional_directories: _Maybe[Annotated[list[StrictStr], _Lenient(null=[])]] = MISSING
    """Further workspace roots as absolute paths; left out or empty means none. A non-empty array is the whole list
    for the new session. Gate: `sessionCapabilities.additionalDirectories`.
    """

    mcp_servers: _Maybe[Annotated[list[McpServer], _Lenient(null=[])]] = MISSING
    """MCP servers the agent has to connect to while the session is live."""

    system_prompt: _Maybe[SystemPrompt | None] = MISSING
    """Instructions at system level for the fork. `null` is the same as leaving it out: the agent then uses a
    prompt it kept, or its defaults. MUST NOT be sent unless `sessionCapabilities.systemPrompt` is advertised;
    SHOULD equal the source session's value. Gate: `sessionCapabilities.systemPrompt`. Unstable: RFD
    system-prompt (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ForkSessionResponse(_Model):
    """Answer to `session/fork`: the id of the copy, and its first state. Unstable: RFD session-fork (draft)."""

    session_id: SessionId
    """Id of the session that the fork produced."""

    modes: _Maybe[Annotated[SessionModeState | None, _Lenient(error=MISSING)]] = MISSING
    """Modes of the session and which one it starts in; sent by agents that have modes."""

    config_options: _Maybe[Annotated[list[SessionConfigOption] | None, _Lenient(skip=True, error=MISSING)]] = MISSING
    """Settings the session offers, with their starting values; sent by agents that have such settings."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CloseSessionRequest(_Model):
    """Asks the agent to close an open session. It MUST cancel running work, just like `session/cancel`, and then
    release the resources of the session.
    """

    session_id: SessionId
    """Session the call is about."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CloseSessionResponse(_Model):
    """Confirms that the session was closed; carries no data."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class DeleteSessionRequest(_Model):
    """Asks the agent to remove a session from the results of `session/list`. Deleting it again also succeeds. A
    deleted session may still run.
    """

    session_id: SessionId
    """Session the call is about."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class DeleteSessionResponse(_Model):
    """Confirms that the session was deleted; carries no data."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ArchiveSessionRequest(_Model):
    """Asks the agent to hide a session from default listings, keeping its id and history. Work in progress MUST be
    cancelled and resources freed first, just like `session/close`. Repeating it succeeds; an unknown session
    gives `-32002`. Unstable: RFD session-archive (draft).
    """

    session_id: SessionId
    """Session the call is about."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ArchiveSessionResponse(_Model):
    """Confirms that the session was moved to the archive; carries no data. Unstable: RFD session-archive (draft)."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class UnarchiveSessionRequest(_Model):
    """Asks the agent to list an archived session by default again, id and history unchanged, without opening it.
    SHOULD precede `session/load` or `session/resume` of an archived session. Succeeds if it was not archived;
    an unknown session gives `-32002`. Unstable: RFD session-archive (draft).
    """

    session_id: SessionId
    """Session the call is about."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class UnarchiveSessionResponse(_Model):
    """Confirms that the session was taken out of the archive; carries no data. Unstable: RFD session-archive
    (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionStatusRequest(_Model):
    """Asks the agent what state a session is in. It MUST have no side effects: the session is neither opened nor
    changed, nor is the caller attached to it. An unknown session gives `-32002`, with its `sessionId` in
    `data`. Unstable: RFD session-status (draft).
    """

    session_id: SessionId
    """Session the call is about."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionStatusResponse(_Model):
    """Answer to `session/status`. It can be outdated immediately: an `open` session may be closed or evicted
    before the client's next call. Unstable: RFD session-status (draft).
    """

    status: SessionStatus
    """States whether the agent has the session in memory. An unfamiliar value MUST be read as `saved`."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetSessionTitleRequest(_Model):
    """Asks the agent to rename a session, open or not, that `session/list` could return. The answer comes once the
    title is stored; afterwards a generated title SHOULD NOT displace it. An unknown session gives `-32002`.
    Unstable: RFD session-title (draft).
    """

    session_id: SessionId
    """Session the call is about."""

    title: StrictStr
    """New title; neither `null` nor leaving it out is valid. The agent MAY tidy it first, such as by trimming or
    shortening, and answers `-32602` if it is unacceptable, for instance empty after that.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetSessionTitleResponse(_Model):
    """Answer to `session/set_title`: the title now in force. Unstable: RFD session-title (draft)."""

    title: StrictStr
    """Title as stored, which may be a cleaned-up form of what was asked for. Clients SHOULD show this one and not
    their own.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetSessionModeRequest(_Model):
    """Asks the agent to put a session into another mode."""

    session_id: SessionId
    """Session the call is about."""

    mode_id: SessionModeId
    """Mode to switch to, one of those the agent listed for the session."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetSessionModeResponse(_Model):
    """Confirms that the session was switched to the mode asked for; carries no data."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetSessionConfigOptionRequestBoolean(_Model):
    """New setting for an on/off option, marked by `type` being `boolean`."""

    type: Annotated[Literal["boolean"], Field(alias="type")] = "boolean"

    session_id: SessionId
    """Session the call is about."""

    config_id: SessionConfigId
    """Option to change."""

    value: StrictBool
    """`true` switches the option on, `false` off."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetSessionConfigOptionRequestValueId(_Model):
    """New setting named by the id of one of the option's values. Applies when `type` is left out, and also for a
    `type` not known as long as `value` is a string.
    """

    session_id: SessionId
    """Session the call is about."""

    config_id: SessionConfigId
    """Option to change."""

    value: SessionConfigValueId
    """Id of the value to select."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    type: _Maybe[Any] = MISSING


class SetSessionConfigOptionResponse(_Model):
    """Answer to `session/set_config_option`: all settings after the change."""

    config_options: Annotated[list[SessionConfigOption], _Lenient(skip=True, error=[])]
    """Every setting of the session with its current value, not only the one that was changed."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PromptRequest(_Model):
    """Asks the agent to work on a message from the user, given with any context that belongs to it."""

    session_id: SessionId
    """Session the call is about."""

    prompt: list[ContentBlock]
    """The message as content blocks. Agents MUST take `text` and `resource_link`; the client MUST offer other
    kinds only as far as `promptCapabilities` allows. Context MAY be linked or embedded; embedded `resource` is
    better, since it saves a fetch and covers sources the agent cannot reach.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PromptResponse(_Model):
    """Answer to `session/prompt` at the end of the turn, with the stop reason and the usage."""

    stop_reason: StopReason
    """Reason for the end of the turn."""

    usage: _Maybe[Annotated[Usage | None, _Lenient(error=MISSING)]] = MISSING
    """Tokens used, if the agent counts them. Unstable: RFD prompt-usage (draft)."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Usage(_Model):
    """Token counts reported at the end of a prompt turn. Unstable: RFD prompt-usage (draft)."""

    total_tokens: Annotated[StrictInt, Field(ge=0)]
    """Sum of all tokens of the session."""

    input_tokens: Annotated[StrictInt, Field(ge=0)]
    """Tokens given to the model, summed over the turns so far."""

    output_tokens: Annotated[StrictInt, Field(ge=0)]
    """Tokens produced by the model, summed over the turns so far."""

    thought_tokens: _Maybe[Annotated[Annotated[StrictInt | None, Field(ge=0)], _Lenient(error=MISSING)]] = MISSING
    """Tokens the model spent on reasoning."""

    cached_read_tokens: _Maybe[Annotated[Annotated[StrictInt | None, Field(ge=0)], _Lenient(error=MISSING)]] = MISSING
    """Tokens read from the prompt cache."""

    cached_write_tokens: _Maybe[Annotated[Annotated[StrictInt | None, Field(ge=0)], _Lenient(error=MISSING)]] = MISSING
    """Tokens written to the prompt cache."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CancelNotification(_Model):
    """Asks the agent to stop all work in a session."""

    session_id: SessionId
    """Session whose work the agent stops."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionNotification(_Model):
    """Announces a change of a session, such as output or progress during a prompt turn."""

    session_id: SessionId
    """Session the update is about."""

    update: SessionUpdate
    """The change of the session."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class UserMessageChunk(_Model):
    """Next piece of a message from the user."""

    session_update: Annotated[Literal["user_message_chunk"], Field(alias="sessionUpdate")] = "user_message_chunk"

    content: ContentBlock
    """Content block that this piece consists of."""

    message_id: _Maybe[Annotated[MessageId | None, _Lenient(error=MISSING)]] = MISSING
    """Message the piece is part of: all its pieces have the same id, and a different id means that another message
    has begun.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AgentMessageChunk(_Model):
    """Next piece of the agent's reply."""

    session_update: Annotated[Literal["agent_message_chunk"], Field(alias="sessionUpdate")] = "agent_message_chunk"

    content: ContentBlock
    """Content block that this piece consists of."""

    message_id: _Maybe[Annotated[MessageId | None, _Lenient(error=MISSING)]] = MISSING
    """Message the piece is part of: all its pieces have the same id, and a different id means that another message
    has begun.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AgentThoughtChunk(_Model):
    """Next piece of the agent's reasoning."""

    session_update: Annotated[Literal["agent_thought_chunk"], Field(alias="sessionUpdate")] = "agent_thought_chunk"

    content: ContentBlock
    """Content block that this piece consists of."""

    message_id: _Maybe[Annotated[MessageId | None, _Lenient(error=MISSING)]] = MISSING
    """Message the piece is part of: all its pieces have the same id, and a different id means that another message
    has begun.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ToolCall(_Model):
    """Action that the model requested and the agent performs, such as reading a file, running code or fetching
    data.
    """

    session_update: Annotated[Literal["tool_call"], Field(alias="sessionUpdate")] = "tool_call"

    tool_call_id: ToolCallId
    """Id of the tool call, unique inside its session."""

    title: StrictStr
    """Description of the call for the user."""

    name: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Name of the tool as programs know it. Null is the same as leaving it out: no name is known."""

    kind: _Maybe[Annotated[ToolKind, _Lenient(error=MISSING)]] = MISSING
    """Kind of tool, by which a client can select an icon and a presentation."""

    status: _Maybe[Annotated[ToolCallStatus, _Lenient(error=MISSING)]] = MISSING
    """Status of the call."""

    content: _Maybe[Annotated[list[ToolCallContent], _Lenient(skip=True, error=MISSING)]] = MISSING
    """Output of the call, for display."""

    locations: _Maybe[Annotated[list[ToolCallLocation], _Lenient(skip=True, error=MISSING)]] = MISSING
    """Places in files that the call reads or changes, so that a client can follow the agent."""

    raw_input: _Maybe[Annotated[Any, _Lenient(error=MISSING)]] = MISSING
    """Arguments as the tool received them: any JSON value."""

    raw_output: _Maybe[Annotated[Any, _Lenient(error=MISSING)]] = MISSING
    """Result as the tool returned it: any JSON value."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ToolCallProgress(_Model):
    """A known tool call has progressed or delivered results."""

    session_update: Annotated[Literal["tool_call_update"], Field(alias="sessionUpdate")] = "tool_call_update"

    tool_call_id: ToolCallId
    """Tool call the changes apply to."""

    kind: _Maybe[Annotated[ToolKind | None, _Lenient(error=MISSING)]] = MISSING
    """New category of the tool."""

    status: _Maybe[Annotated[ToolCallStatus | None, _Lenient(error=MISSING)]] = MISSING
    """New stage of execution."""

    title: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """New title shown to the user."""

    name: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """New name of the tool for programs. Null is the same as leaving it out: the name stays as it was."""

    content: _Maybe[Annotated[list[ToolCallContent] | None, _Lenient(skip=True, error=MISSING)]] = MISSING
    """New list of content, taking the place of the whole previous list."""

    locations: _Maybe[Annotated[list[ToolCallLocation] | None, _Lenient(skip=True, error=MISSING)]] = MISSING
    """New list of file locations, taking the place of the whole previous list."""

    raw_input: _Maybe[Annotated[Any, _Lenient(error=MISSING)]] = MISSING
    """New input of the tool: any JSON value."""

    raw_output: _Maybe[Annotated[Any, _Lenient(error=MISSING)]] = MISSING
    """New output of the tool: any JSON value."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Plan(_Model):
    """The agent's plan for the current work, shown to the user as a list of entries; it may change while the work
    goes on.
    """

    session_update: Annotated[Literal["plan"], Field(alias="sessionUpdate")] = "plan"

    entries: Annotated[list[PlanEntry], _Lenient(skip=True, error=[])]
    """All entries of the plan with their present status. Every update must be complete, since the client discards
    the plan it had before.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanUpdate(_Model):
    """Announces new content for the plan whose `planId` it carries. Unstable: RFD plan-updates (draft)."""

    session_update: Annotated[Literal["plan_update"], Field(alias="sessionUpdate")] = "plan_update"

    plan: PlanUpdateContent
    """New content, together with the id of the plan it belongs to."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanRemoved(_Model):
    """Announces that the plan named by `planId` no longer exists. Unstable: RFD plan-updates (draft)."""

    session_update: Annotated[Literal["plan_removed"], Field(alias="sessionUpdate")] = "plan_removed"

    plan_id: PlanId
    """Plan that was removed."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AvailableCommandsUpdate(_Model):
    """Announces the session's commands, at first and whenever they change."""

    session_update: Annotated[Literal["available_commands_update"], Field(alias="sessionUpdate")] = (
        "available_commands_update"
    )

    available_commands: Annotated[list[AvailableCommand], _Lenient(skip=True, error=[])]
    """Every command that can be invoked from now on."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CurrentModeUpdate(_Model):
    """Announces that the session now runs in another mode."""

    session_update: Annotated[Literal["current_mode_update"], Field(alias="sessionUpdate")] = "current_mode_update"

    current_mode_id: SessionModeId
    """Mode the session is in from now on."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ConfigOptionUpdate(_Model):
    """Announces a change in the session's configuration options."""

    session_update: Annotated[Literal["config_option_update"], Field(alias="sessionUpdate")] = "config_option_update"

    config_options: Annotated[list[SessionConfigOption], _Lenient(skip=True, error=[])]
    """All configuration options, including unchanged ones, each with its current value."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionInfoUpdate(_Model):
    """Announces changed session metadata, such as the title. Fields that are left out keep their value."""

    session_update: Annotated[Literal["session_info_update"], Field(alias="sessionUpdate")] = "session_info_update"

    title: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Session title to show to the user; null clears it."""

    updated_at: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Time of the last activity, in ISO 8601; null clears it."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class UsageUpdate(_Model):
    """Announces the use of the context window and the cost of the session."""

    session_update: Annotated[Literal["usage_update"], Field(alias="sessionUpdate")] = "usage_update"

    used: Annotated[StrictInt, Field(ge=0)]
    """Number of tokens in the context."""

    size: Annotated[StrictInt, Field(ge=0)]
    """Capacity of the context window, in tokens."""

    cost: _Maybe[Annotated[Cost | None, _Lenient(error=MISSING)]] = MISSING
    """Cost of the session so far; absent or null if the agent does not report it."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Notice(_Model):
    """A message to the user about something happening right now. It is not part of the session history and the
    agent must not count on anyone seeing it. MUST NOT be sent unless the client advertised `session.notices`;
    an agent message can be used instead.
    """

    session_update: Annotated[Literal["notice"], Field(alias="sessionUpdate")] = "notice"

    severity: NoticeSeverity
    """Severity of the notice, as a hint for presentation."""

    title: Annotated[StrictStr, Field(min_length=1)]
    """Plain text, never empty, that makes sense even when shown without the description."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Further plain text, such as details or advice. Null or absent means none."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CompactionUpdate(_Model):
    """Creates or patches a context compaction; its first update fixes its place in the timeline. MUST NOT be sent
    unless the client advertised `session.compaction`. Of `summary`, `error` and `_meta`, those left out stay as
    they are and those set to null are cleared.
    """

    session_update: Annotated[Literal["compaction_update"], Field(alias="sessionUpdate")] = "compaction_update"

    compaction_id: CompactionId
    """Compaction to create or patch; the agent picks the id, unique in the session."""

    status: CompactionStatus
    """State the compaction is in now."""

    summary: _Maybe[Annotated[list[ContentBlock] | None, _Lenient(skip=True, error=MISSING)]] = MISSING
    """Summary for display, replacing all of the earlier one. Absent keeps it; null or an empty array clears it."""

    error: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Error message for the user. Absent keeps the earlier text; null clears it."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CompactionSummaryChunk(_Model):
    """Adds one content block to a compaction's summary, in order of arrival. An id not seen before creates a
    compaction that is in progress. MUST NOT be sent unless the client advertised `session.compaction`.
    """

    session_update: Annotated[Literal["compaction_summary_chunk"], Field(alias="sessionUpdate")] = (
        "compaction_summary_chunk"
    )

    compaction_id: CompactionId
    """Compaction whose summary grows."""

    content: ContentBlock
    """Block to put at the end of the summary."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SubagentUpdate(_Model):
    """Announces or patches a child session owned by the session it is sent on. For a new `sessionId` it MUST
    precede all live traffic of the child and every live message naming it. Absent fields keep their value, null
    clears them. The client receives the child's events without loading, resuming or subscribing. Unstable: RFD
    subagents (draft).
    """

    session_update: Annotated[Literal["subagent_update"], Field(alias="sessionUpdate")] = "subagent_update"

    session_id: SessionId
    """Opaque session id of the child in every message."""

    title: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Name the parent gives the child for display, not necessarily unique. Absent keeps it; null clears it, and
    the client then shows something of its own.
    """

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Purpose of the child in the parent's words, for display; not a record of its instructions. Absent keeps it;
    null clears it, and the client then shows something of its own.
    """

    capabilities: _Maybe[Annotated[SubagentSessionCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """Permitted actions of the client on this child; an object replaces the earlier one entirely. Absent keeps it;
    null withdraws every permission, and none is given until the first object. Reading is governed by the usual
    rules.
    """

    state: _Maybe[Annotated[StateUpdate | None, _Lenient(error=MISSING)]] = MISSING
    """Activity of the child; an object replaces the earlier one entirely. Absent keeps it; null leaves the
    activity unconfirmed, as before the first report, which is neither `idle` nor `unknown`.
    """

    cwd: _Maybe[StrictStr | None] = MISSING
    """Absolute path of the child's working directory, also where its terminals start by default and one of its
    roots. Absent keeps it; null clears it, and the one in force for the immediate parent applies.
    """

    additional_directories: _Maybe[list[StrictStr] | None] = MISSING
    """Absolute paths of further workspace roots; an array replaces the earlier list, which may be empty. Absent
    keeps it; null clears it, and the list in force for the immediate parent applies, whatever `cwd` says.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionMessage(_Model):
    """Creates or patches a message that one session sends to another. Unstable: RFD subagents (draft)."""

    session_update: Annotated[Literal["session_message"], Field(alias="sessionUpdate")] = "session_message"

    message_id: MessageId
    """Id of the message in the transcript of the session this update is sent on."""

    sender_session_id: _Maybe[Annotated[SessionId | None, _Lenient(error=MISSING)]] = MISSING
    """Session the message comes from. Absent keeps the earlier value; null clears it."""

    recipient_session_id: _Maybe[Annotated[SessionId | None, _Lenient(error=MISSING)]] = MISSING
    """Session the message goes to. Absent keeps the earlier value; null clears it."""

    sender_message_id: _Maybe[Annotated[MessageId | None, _Lenient(error=MISSING)]] = MISSING
    """For a received message, its id in the transcript of the sender; may become known only after streaming began.
    Absent keeps the earlier value; null clears it.
    """

    recipient_message_id: _Maybe[Annotated[MessageId | None, _Lenient(error=MISSING)]] = MISSING
    """For a sent message, its id in the transcript of the recipient; may become known only after streaming began.
    Absent keeps the earlier value; null clears it.
    """

    content: _Maybe[Annotated[list[ContentBlock] | None, _Lenient(skip=True, error=MISSING)]] = MISSING
    """The message's content blocks, replacing all earlier ones. Absent keeps them; null or an empty array clears
    them.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionMessageChunk(_Model):
    """Streams one more block of a message between sessions. `session_message` updates name the sender and the
    receiver, before, during or after the stream. Unstable: RFD subagents (draft).
    """

    session_update: Annotated[Literal["session_message_chunk"], Field(alias="sessionUpdate")] = "session_message_chunk"

    message_id: MessageId
    """Id of the message in the transcript of the session this update is sent on."""

    content: ContentBlock
    """Block to put at the end of the message."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ContentChunk(_Model):
    """Piece of a message that is sent in pieces."""

    content: ContentBlock
    """Content block that this piece consists of."""

    message_id: _Maybe[Annotated[MessageId | None, _Lenient(error=MISSING)]] = MISSING
    """Message the piece is part of: all its pieces have the same id, and a different id means that another message
    has begun.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Content(_Model):
    """Wraps an ordinary content block as output of a tool call."""

    type: Annotated[Literal["content"], Field(alias="type")] = "content"

    content: ContentBlock
    """The wrapped block."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Diff(_Model):
    """A change to one file, for the client to show as a diff."""

    type: Annotated[Literal["diff"], Field(alias="type")] = "diff"

    path: StrictStr
    """Absolute path of the changed file."""

    new_text: StrictStr
    """Text after the change."""

    old_text: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Text before the change. For a new file it is null or left out."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Terminal(_Model):
    """Shows a terminal opened by `terminal/create` within a tool call. It has to be embedded before
    `terminal/release` is called.
    """

    type: Annotated[Literal["terminal"], Field(alias="type")] = "terminal"

    terminal_id: TerminalId
    """Terminal to show."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ToolCallLocation(_Model):
    """A place in a file that a tool reads or changes; lets the client follow the agent's work as it happens."""

    path: StrictStr
    """Absolute path of the file in question."""

    line: _Maybe[Annotated[Annotated[StrictInt | None, Field(ge=0)], _Lenient(error=MISSING)]] = MISSING
    """Line in the file, counted from 1."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ToolCallUpdate(_Model):
    """Changes to a tool call reported earlier, such as progress or results. Only `toolCallId` is required;
    properties that have not changed can be left out.
    """

    tool_call_id: ToolCallId
    """Tool call the changes apply to."""

    kind: _Maybe[Annotated[ToolKind | None, _Lenient(error=MISSING)]] = MISSING
    """New category of the tool."""

    status: _Maybe[Annotated[ToolCallStatus | None, _Lenient(error=MISSING)]] = MISSING
    """New stage of execution."""

    title: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """New title shown to the user."""

    name: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """New name of the tool for programs. Null is the same as leaving it out: the name stays as it was."""

    content: _Maybe[Annotated[list[ToolCallContent] | None, _Lenient(skip=True, error=MISSING)]] = MISSING
    """New list of content, taking the place of the whole previous list."""

    locations: _Maybe[Annotated[list[ToolCallLocation] | None, _Lenient(skip=True, error=MISSING)]] = MISSING
    """New list of file locations, taking the place of the whole previous list."""

    raw_input: _Maybe[Annotated[Any, _Lenient(error=MISSING)]] = MISSING
    """New input of the tool: any JSON value."""

    raw_output: _Maybe[Annotated[Any, _Lenient(error=MISSING)]] = MISSING
    """New output of the tool: any JSON value."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanEntry(_Model):
    """One step of a plan for the user's request."""

    content: StrictStr
    """Purpose of the step, for the user."""

    priority: PlanEntryPriority
    """Priority of the step among the steps of its plan."""

    status: PlanEntryStatus
    """Status of the step."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanItems(_Model):
    """A plan in the form of a list of entries. Unstable: RFD plan-updates (draft)."""

    type: Annotated[Literal["items"], Field(alias="type")] = "items"

    plan_id: PlanId
    """Plan that this content belongs to."""

    entries: Annotated[list[PlanEntry], _Lenient(skip=True, error=[])]
    """All entries of this plan with their present status. Every update must be complete, since the client discards
    the entries it had for this plan.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanFile(_Model):
    """A plan in a file. Unstable: RFD plan-updates (draft)."""

    type: Annotated[Literal["file"], Field(alias="type")] = "file"

    plan_id: PlanId
    """Plan that this content belongs to."""

    uri: StrictStr
    """URI of the plan file."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanMarkdown(_Model):
    """A plan in the form of Markdown text. Unstable: RFD plan-updates (draft)."""

    type: Annotated[Literal["markdown"], Field(alias="type")] = "markdown"

    plan_id: PlanId
    """Plan that this content belongs to."""

    content: StrictStr
    """The plan's text, in Markdown."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AvailableCommand(_Model):
    """A command of the agent that the user can invoke in a prompt."""

    name: StrictStr
    """Name by which the command is invoked, such as `create_plan`."""

    description: StrictStr
    """Explains the effect of the command to the user."""

    input: _Maybe[Annotated[AvailableCommandInput | None, _Lenient(error=MISSING)]] = MISSING
    """Input of the command; absent or null if it takes none."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class UnstructuredCommandInput(_Model):
    """Input of a command that takes the rest of the typed text unchanged."""

    hint: StrictStr
    """Placeholder text to show while the user has typed no input."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Cost(_Model):
    """Cost of a session so far."""

    amount: StrictInt | StrictFloat
    """Cost summed up since the session began, in units of `currency`."""

    currency: StrictStr
    """Unit of `amount`: an ISO 4217 code such as `EUR` for money, otherwise a unit name such as `credits`."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SubagentSessionCapabilities(_Model):
    """Operations that the client may use on one subagent session. Each must be granted here for this child, even
    if the agent supports the method for ordinary sessions. Unstable: RFD subagents (draft).
    """

    cancel: _Maybe[Annotated[SessionCancelCapabilities | None, _Lenient(error=MISSING)]] = MISSING
    """With an object, even `{}`, the client may cancel what the child is working on; the session itself stays
    open. Null is the same as leaving it out: not allowed.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionCancelCapabilities(_Model):
    """Advertised as `{}`, promises that the work of a subagent session can be cancelled while the session lives
    on. Null or absent promises nothing. Unstable: RFD subagents (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class RunningStateUpdate(_Model):
    """State of a child that is working in the foreground. Unstable: RFD subagents (draft)."""

    state: Annotated[Literal["running"], Field(alias="state")] = "running"

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    stop_reason: _Maybe[Any] = MISSING


class IdleStateUpdateStopReason(_Model):
    """The child is free to take the next prompt. Unstable: RFD subagents (draft)."""

    state: Annotated[Literal["idle"], Field(alias="state")] = "idle"

    stop_reason: Literal["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"]
    """Why the child's foreground work came to a stop; the value also decides which further fields may appear. Null
    or a malformed value is the same as leaving it out: not reported.
    """

    usage: _Maybe[Annotated[Usage | None, _Lenient(error=MISSING)]] = MISSING
    """Tokens spent on the foreground work that just ended. Null is the same as leaving it out: not reported.
    Unstable: RFD prompt-usage (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class IdleStateUpdateError(_Model):
    """The child is free to take the next prompt. Unstable: RFD subagents (draft)."""

    state: Annotated[Literal["idle"], Field(alias="state")] = "idle"

    stop_reason: Literal["error"] = "error"
    """Why the child's foreground work came to a stop; the value also decides which further fields may appear. Null
    or a malformed value is the same as leaving it out: not reported.
    """

    usage: _Maybe[Annotated[Usage | None, _Lenient(error=MISSING)]] = MISSING
    """Tokens spent on the foreground work that just ended. Null is the same as leaving it out: not reported.
    Unstable: RFD prompt-usage (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    error: _Maybe[Annotated[Error | None, _Lenient(error=MISSING)]] = MISSING
    """JSON-RPC error object that describes the failure. Agents SHOULD send it; null is the same as leaving it out:
    no details are reported.
    """


class IdleStateUpdateNone(_Model):
    """The child is free to take the next prompt. Unstable: RFD subagents (draft)."""

    state: Annotated[Literal["idle"], Field(alias="state")] = "idle"

    usage: _Maybe[Annotated[Usage | None, _Lenient(error=MISSING)]] = MISSING
    """Tokens spent on the foreground work that just ended. Null is the same as leaving it out: not reported.
    Unstable: RFD prompt-usage (draft).
    """

    stop_reason: _Maybe[Annotated[None, _Lenient(error=MISSING)]] = MISSING
    """Why the child's foreground work came to a stop; the value also decides which further fields may appear. Null
    or a malformed value is the same as leaving it out: not reported.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class RequiresActionStateUpdate(_Model):
    """State of a child that cannot go on until the user does something. Unstable: RFD subagents (draft)."""

    state: Annotated[Literal["requires_action"], Field(alias="state")] = "requires_action"

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    stop_reason: _Maybe[Any] = MISSING


class UnknownStateUpdate(_Model):
    """State of a child whose activity can no longer be observed; mere silence is no ground for it. The client MUST
    NOT go on showing the earlier state as confirmed, except as the last one known. It ends no work or session,
    settles no pending request and withdraws no capability. Unstable: RFD subagents (draft).
    """

    state: Annotated[Literal["unknown"], Field(alias="state")] = "unknown"

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    stop_reason: _Maybe[Any] = MISSING


class ErrorStopReason(_Model):
    """Additional fields of the stop reason `error`: the failure of the child's foreground work. Unstable: RFD
    subagents (draft).
    """

    error: _Maybe[Annotated[Error | None, _Lenient(error=MISSING)]] = MISSING
    """JSON-RPC error object that describes the failure. Agents SHOULD send it; null is the same as leaving it out:
    no details are reported.
    """


class Error(_Model):
    """Error of a failed call, in the form JSON-RPC 2.0 defines."""

    code: ErrorCode
    """Integer that names the kind of error, as JSON-RPC requires."""

    message: StrictStr
    """The failure, in one brief sentence."""

    data: _Maybe[Annotated[Any, _Lenient(error=MISSING)]] = MISSING
    """Details of the error, of any JSON type, for example for debugging."""


class RequestPermissionRequest(_Model):
    """Asks the client to let the user decide whether a sensitive tool call may go ahead."""

    session_id: SessionId
    """Session the call is about."""

    tool_call: ToolCallUpdate
    """Tool call that awaits the decision."""

    options: list[PermissionOption]
    """Options that the user can select."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PermissionOption(_Model):
    """One option of a permission request."""

    option_id: PermissionOptionId
    """Opaque id of this option, unique among the options."""

    name: StrictStr
    """Label of the option, for people to read."""

    kind: PermissionOptionKind
    """Meaning of the option, as a hint for its presentation."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class RequestPermissionResponse(_Model):
    """Contains the outcome of the permission request."""

    outcome: RequestPermissionOutcome
    """The user's choice, or that the turn was cancelled first."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class RequestPermissionOutcomeCancelled(_Model):
    """The user had not yet chosen when the turn was cancelled. After sending `session/cancel`, a client MUST
    answer each open `session/request_permission` of that turn this way.
    """

    outcome: Annotated[Literal["cancelled"], Field(alias="outcome")] = "cancelled"


class SelectedPermissionOutcome(_Model):
    """The option that the user selected."""

    outcome: Annotated[Literal["selected"], Field(alias="outcome")] = "selected"

    option_id: PermissionOptionId
    """Id of the selected option, from the list in the request."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ReadTextFileRequest(_Model):
    """Asks the client for the text of a file, whole or in part; needs `fs.readTextFile`."""

    session_id: SessionId
    """Session the call is about."""

    path: StrictStr
    """Absolute path of the file."""

    line: _Maybe[Annotated[StrictInt | None, Field(ge=0)]] = MISSING
    """First line to return, counted from 1."""

    limit: _Maybe[Annotated[StrictInt | None, Field(ge=0)]] = MISSING
    """Upper bound on the number of lines returned."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ReadTextFileResponse(_Model):
    """Contains the text of the file."""

    content: StrictStr
    """Text of the file, or of the lines asked for."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class WriteTextFileRequest(_Model):
    """Asks the client to store text in a file; needs `fs.writeTextFile`."""

    session_id: SessionId
    """Session the call is about."""

    path: StrictStr
    """Absolute path of the file that receives the text."""

    content: StrictStr
    """Complete new text of the file."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class WriteTextFileResponse(_Model):
    """Confirms that the file was written; carries no data."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CreateTerminalRequest(_Model):
    """Asks the client to open a terminal and start a command in it."""

    session_id: SessionId
    """Session the call is about."""

    command: StrictStr
    """Program to run."""

    args: _Maybe[Annotated[list[StrictStr], _Lenient(null=[])]] = MISSING
    """Arguments passed to the program, in order."""

    env: _Maybe[Annotated[list[EnvVariable], _Lenient(null=[])]] = MISSING
    """Environment variables to set for the program."""

    cwd: _Maybe[StrictStr | None] = MISSING
    """Directory the program starts in, as an absolute path."""

    output_byte_limit: _Maybe[Annotated[StrictInt | None, Field(ge=0)]] = MISSING
    """Most output to keep, in bytes. Beyond it the client drops the oldest output, and it MUST cut between
    characters so that the rest is a valid string, even if that keeps a little less.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CreateTerminalResponse(_Model):
    """Contains the id of the new terminal."""

    terminal_id: TerminalId
    """Id by which later `terminal/*` calls refer to this terminal."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TerminalOutputRequest(_Model):
    """Asks the client for the output of a terminal so far, and whether its command has ended."""

    session_id: SessionId
    """Session the call is about."""

    terminal_id: TerminalId
    """Terminal whose output the client returns."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TerminalOutputResponse(_Model):
    """Contains the output of a terminal so far, and the exit status of a command that has ended."""

    output: StrictStr
    """Output that the client has kept so far."""

    truncated: StrictBool
    """`true` when part of the output was dropped to stay within the byte limit."""

    exit_status: _Maybe[Annotated[TerminalExitStatus | None, _Lenient(error=MISSING)]] = MISSING
    """Exit status of the command; `null` or absent while it runs."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TerminalExitStatus(_Model):
    """Exit status of a terminal's command."""

    exit_code: _Maybe[Annotated[Annotated[StrictInt | None, Field(ge=0)], _Lenient(error=MISSING)]] = MISSING
    """Exit code of the process; can be `null` when a signal ended it."""

    signal: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Name of the signal that ended the process; can be `null` when it exited by itself."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class WaitForTerminalExitRequest(_Model):
    """Asks the client to answer once the command in a terminal has ended."""

    session_id: SessionId
    """Session the call is about."""

    terminal_id: TerminalId
    """Terminal whose command the client waits for."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class WaitForTerminalExitResponse(_Model):
    """Reports how the command ended."""

    exit_code: _Maybe[Annotated[Annotated[StrictInt | None, Field(ge=0)], _Lenient(error=MISSING)]] = MISSING
    """Exit code of the process; can be `null` when a signal ended it."""

    signal: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Name of the signal that ended the process; can be `null` when it exited by itself."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class KillTerminalRequest(_Model):
    """Asks the client to stop the command in a terminal; the terminal itself stays valid until released."""

    session_id: SessionId
    """Session the call is about."""

    terminal_id: TerminalId
    """Terminal whose command the client stops."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class KillTerminalResponse(_Model):
    """Confirms that the command was killed; carries no data."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ReleaseTerminalRequest(_Model):
    """Asks the client to release a terminal and all its resources."""

    session_id: SessionId
    """Session the call is about."""

    terminal_id: TerminalId
    """Terminal to release."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ReleaseTerminalResponse(_Model):
    """Confirms that the terminal was released; carries no data."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CreateElicitationRequestFormSession(_Model):
    """The client builds a form from a schema and returns the user's input."""

    mode: Annotated[Literal["form"], Field(alias="mode")] = "form"

    message: StrictStr
    """Explains to the user which input is requested, and why."""

    requested_schema: ElicitationSchema
    """Fields of the form and the rules for their values, as a restricted JSON Schema."""

    session_id: SessionId
    """Session that the input belongs to."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    tool_call_id: _Maybe[Annotated[ToolCallId | None, _Lenient(error=MISSING)]] = MISSING
    """Tool call on whose behalf input is asked for. Null is the same as leaving it out: only the session counts."""


class CreateElicitationRequestFormRequest(_Model):
    """The client builds a form from a schema and returns the user's input."""

    mode: Annotated[Literal["form"], Field(alias="mode")] = "form"

    message: StrictStr
    """Explains to the user which input is requested, and why."""

    requested_schema: ElicitationSchema
    """Fields of the form and the rules for their values, as a restricted JSON Schema."""

    request_id: RequestId | None
    """Id of the request that the input belongs to."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CreateElicitationRequestUrlSession(_Model):
    """The client sends the user to a URL."""

    mode: Annotated[Literal["url"], Field(alias="mode")] = "url"

    message: StrictStr
    """Explains to the user which input is requested, and why."""

    elicitation_id: ElicitationId
    """Id of this elicitation; `elicitation/complete` names it later."""

    url: StrictStr
    """Address the client should take the user to."""

    session_id: SessionId
    """Session that the input belongs to."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    tool_call_id: _Maybe[Annotated[ToolCallId | None, _Lenient(error=MISSING)]] = MISSING
    """Tool call on whose behalf input is asked for. Null is the same as leaving it out: only the session counts."""


class CreateElicitationRequestUrlRequest(_Model):
    """The client sends the user to a URL."""

    mode: Annotated[Literal["url"], Field(alias="mode")] = "url"

    message: StrictStr
    """Explains to the user which input is requested, and why."""

    elicitation_id: ElicitationId
    """Id of this elicitation; `elicitation/complete` names it later."""

    url: StrictStr
    """Address the client should take the user to."""

    request_id: RequestId | None
    """Id of the request that the input belongs to."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ElicitationFormModeSession(_Model):
    """Used when the input belongs to a session, and perhaps to one of its tool calls."""

    requested_schema: ElicitationSchema
    """Fields of the form and the rules for their values, as a restricted JSON Schema."""

    session_id: SessionId
    """Session that the input belongs to."""

    tool_call_id: _Maybe[Annotated[ToolCallId | None, _Lenient(error=MISSING)]] = MISSING
    """Tool call on whose behalf input is asked for. Null is the same as leaving it out: only the session counts."""


class ElicitationFormModeRequest(_Model):
    """Used when the input belongs to a single JSON-RPC request made outside any session, for instance while
    logging in.
    """

    requested_schema: ElicitationSchema
    """Fields of the form and the rules for their values, as a restricted JSON Schema."""

    request_id: RequestId | None
    """Id of the request that the input belongs to."""


class ElicitationSchema(_Model):
    """Form to fill in, as a JSON Schema object whose properties are all of simple types."""

    type: _Maybe[Annotated[ElicitationSchemaType, _Lenient(error="object")]] = MISSING
    """Always `object`. Default: `"object"`."""

    title: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Title of the form. Null is the same as leaving it out: no title."""

    properties: _Maybe[dict[str, ElicitationPropertySchema]] = MISSING
    """Fields of the form by name; nested objects are not possible."""

    required: _Maybe[list[StrictStr] | None] = MISSING
    """Names of the fields that must be filled in. Null is the same as leaving it out: none is mandatory."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Purpose of the form. Null or absent means no description."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class StringPropertySchema(_Model):
    """Text field of a form. With `enum` or `oneOf` present it becomes a pick-one list instead of free text; the
    type remains `string`.
    """

    type: Annotated[Literal["string"], Field(alias="type")] = "string"

    title: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Label to show for the field; null is the same as leaving it out."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Explanatory text to show with the field; null is the same as leaving it out."""

    min_length: _Maybe[Annotated[StrictInt | None, Field(ge=0)]] = MISSING
    """Shortest text accepted, as a string length; null or absent sets no lower limit."""

    max_length: _Maybe[Annotated[StrictInt | None, Field(ge=0)]] = MISSING
    """Longest text accepted, as a string length; null or absent sets no upper limit."""

    pattern: _Maybe[StrictStr | None] = MISSING
    """Pattern that the entered text has to satisfy; null or absent allows any text."""

    format: _Maybe[StringFormat | None] = MISSING
    """Named syntax that the entered text has to follow; null or absent demands none."""

    default: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Text the field is prefilled with; null or absent leaves it empty."""

    enum: _Maybe[list[StrictStr] | None] = MISSING
    """Values to pick one from when the choices have no labels of their own; null is the same as leaving it out."""

    one_of: _Maybe[list[EnumOption] | None] = MISSING
    """Labelled choices to pick one from; null is the same as leaving it out."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class NumberPropertySchema(_Model):
    """Form field for a number that may have a fractional part."""

    type: Annotated[Literal["number"], Field(alias="type")] = "number"

    title: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Label to show for the field; null is the same as leaving it out."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Explanatory text to show with the field; null is the same as leaving it out."""

    minimum: _Maybe[StrictInt | StrictFloat | None] = MISSING
    """Smallest accepted number (inclusive); null or absent sets no lower limit."""

    maximum: _Maybe[StrictInt | StrictFloat | None] = MISSING
    """Largest accepted number (inclusive); null or absent sets no upper limit."""

    default: _Maybe[Annotated[StrictInt | StrictFloat | None, _Lenient(error=MISSING)]] = MISSING
    """Number the field is prefilled with; null or absent leaves it empty."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class IntegerPropertySchema(_Model):
    """Form field for a whole number."""

    type: Annotated[Literal["integer"], Field(alias="type")] = "integer"

    title: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Label to show for the field; null is the same as leaving it out."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Explanatory text to show with the field; null is the same as leaving it out."""

    minimum: _Maybe[StrictInt | None] = MISSING
    """Smallest accepted integer (inclusive); null or absent sets no lower limit."""

    maximum: _Maybe[StrictInt | None] = MISSING
    """Largest accepted integer (inclusive); null or absent sets no upper limit."""

    default: _Maybe[Annotated[StrictInt | None, _Lenient(error=MISSING)]] = MISSING
    """Whole number the field is prefilled with; null or absent leaves it empty."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class BooleanPropertySchema(_Model):
    """Form field for a yes-or-no answer."""

    type: Annotated[Literal["boolean"], Field(alias="type")] = "boolean"

    title: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Label to show for the field; null is the same as leaving it out."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Explanatory text to show with the field; null is the same as leaving it out."""

    default: _Maybe[Annotated[StrictBool | None, _Lenient(error=MISSING)]] = MISSING
    """State the field starts in; null or absent presets neither answer."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class MultiSelectPropertySchema(_Model):
    """Form field where the user may choose several values; the answer is an array."""

    type: Annotated[Literal["array"], Field(alias="type")] = "array"

    items: MultiSelectItems
    """The values on offer."""

    title: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Label to show for the field; null is the same as leaving it out."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Explanatory text to show with the field; null is the same as leaving it out."""

    min_items: _Maybe[Annotated[StrictInt | None, Field(ge=0)]] = MISSING
    """Fewest choices the user has to make; null or absent sets no lower limit."""

    max_items: _Maybe[Annotated[StrictInt | None, Field(ge=0)]] = MISSING
    """Most choices the user may make; null or absent sets no upper limit."""

    default: _Maybe[Annotated[list[StrictStr] | None, _Lenient(skip=True, error=MISSING)]] = MISSING
    """Values that start out selected; null or absent selects none."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class EnumOption(_Model):
    """One choice in a form field: the value that is sent back, plus the text shown for it."""

    const: StrictStr
    """Value returned when the user picks this choice."""

    title: StrictStr
    """Text shown to the user in place of the raw value."""

    description: _Maybe[Annotated[StrictStr | None, _Lenient(error=MISSING)]] = MISSING
    """Longer explanation of the choice for the user; null is the same as leaving it out."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class StringMultiSelectItems(_Model):
    """Unlabelled string choices of a field that takes several answers."""

    type: Annotated[Literal["string"], Field(alias="type")] = "string"

    enum: list[StrictStr]
    """Strings the user can choose from."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TitledMultiSelectItems(_Model):
    """Labelled choices of a field that takes several answers."""

    any_of: list[EnumOption]
    """The choices, each a value with its label."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    type: _Maybe[Any] = MISSING


class ElicitationSessionScope(_Model):
    """Binds an elicitation to a session. With `toolCallId` it belongs to that tool call, for example when an MCP
    server asks for input in the middle of it.
    """

    session_id: SessionId
    """Session that the input belongs to."""

    tool_call_id: _Maybe[Annotated[ToolCallId | None, _Lenient(error=MISSING)]] = MISSING
    """Tool call on whose behalf input is asked for. Null is the same as leaving it out: only the session counts."""


class ElicitationRequestScope(_Model):
    """Binds an elicitation to a JSON-RPC request outside any session, for example during authentication or
    configuration.
    """

    request_id: RequestId | None
    """Id of the request that the input belongs to."""


class ElicitationUrlModeSession(_Model):
    """Used when the input belongs to a session, and perhaps to one of its tool calls."""

    elicitation_id: ElicitationId
    """Id of this elicitation; `elicitation/complete` names it later."""

    url: StrictStr
    """Address the client should take the user to."""

    session_id: SessionId
    """Session that the input belongs to."""

    tool_call_id: _Maybe[Annotated[ToolCallId | None, _Lenient(error=MISSING)]] = MISSING
    """Tool call on whose behalf input is asked for. Null is the same as leaving it out: only the session counts."""


class ElicitationUrlModeRequest(_Model):
    """Used when the input belongs to a single JSON-RPC request made outside any session, for instance while
    logging in.
    """

    elicitation_id: ElicitationId
    """Id of this elicitation; `elicitation/complete` names it later."""

    url: StrictStr
    """Address the client should take the user to."""

    request_id: RequestId | None
    """Id of the request that the input belongs to."""


class CreateElicitationResponseAccept(_Model):
    """The user agreed and gave the answers in `content`."""

    action: Annotated[Literal["accept"], Field(alias="action")] = "accept"

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    content: _Maybe[dict[str, ElicitationContentValue] | None] = MISSING
    """Answers by field name, fitting the schema in the request; left out or `null` when there is nothing to hand
    over.
    """


class CreateElicitationResponseDecline(_Model):
    """The user refused to answer."""

    action: Annotated[Literal["decline"], Field(alias="action")] = "decline"

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CreateElicitationResponseCancel(_Model):
    """The elicitation ended without a decision by the user."""

    action: Annotated[Literal["cancel"], Field(alias="action")] = "cancel"

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ElicitationAcceptAction(_Model):
    """Agreement to an elicitation, with the answers given."""

    content: _Maybe[dict[str, ElicitationContentValue] | None] = MISSING
    """Answers by field name, fitting the schema in the request; left out or `null` when there is nothing to hand
    over.
    """


class CompleteElicitationNotification(_Model):
    """Announces that the user's interaction behind a URL elicitation has ended."""

    elicitation_id: ElicitationId
    """Elicitation that has ended."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ListProvidersRequest(_Model):
    """Asks the agent which LLM providers can be configured and how each is set up. Unstable: RFD
    configurable-providers (draft).
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ListProvidersResponse(_Model):
    """Carries the LLM providers that can be configured. Unstable: RFD configurable-providers (draft)."""

    providers: list[ProviderInfo]
    """The providers, each with its present routing, in a form fit to be shown to the user."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ProviderInfo(_Model):
    """An LLM provider that the client can configure. Unstable: RFD configurable-providers (draft)."""

    provider_id: ProviderId
    """Id of the provider, such as `main` or `openai`."""

    supported: Annotated[list[LlmProtocol], _Lenient(skip=True, error=[])]
    """API protocols that can be chosen for the provider."""

    required: StrictBool
    """True when the agent cannot do without the provider; the client must then not send `providers/disable` for
    it.
    """

    current: _Maybe[ProviderCurrentConfig | None] = MISSING
    """Routing in force, without secrets; null or absent means the provider is switched off."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ProviderCurrentConfig(_Model):
    """Current routing of requests to a provider, without secrets. Unstable: RFD configurable-providers (draft)."""

    api_type: LlmProtocol
    """API protocol in use for the provider."""

    base_url: StrictStr
    """Base URL that requests to the provider go to."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetProviderRequest(_Model):
    """Asks the agent to configure one LLM provider. This replaces its previous configuration. Unstable: RFD
    configurable-providers (draft).
    """

    provider_id: ProviderId
    """Provider whose configuration is replaced."""

    api_type: LlmProtocol
    """API dialect the agent has to speak to this provider."""

    base_url: StrictStr
    """Base URL the agent sends its model requests to."""

    headers: _Maybe[dict[str, StrictStr]] = MISSING
    """Complete set of HTTP headers by name, for instance for credentials or routing; earlier headers are not
    merged in.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetProviderResponse(_Model):
    """Confirms that the provider's configuration was replaced. Unstable: RFD configurable-providers (draft)."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class DisableProviderRequest(_Model):
    """Asks the agent to switch off one LLM provider. Unstable: RFD configurable-providers (draft)."""

    provider_id: ProviderId
    """Provider to switch off."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class DisableProviderResponse(_Model):
    """Confirms that the provider is switched off. Unstable: RFD configurable-providers (draft)."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class MessageMcpRequest(_Model):
    """Asks the side that provides an MCP server over the ACP connection to handle one MCP request. Unstable: RFD
    mcp-over-acp (draft).
    """

    server_id: McpServerAcpId
    """MCP server, declared with ACP transport, that the request is for."""

    request_id: McpRequestId
    """Id of the wrapped MCP request, chosen by the caller."""

    method: StrictStr
    """MCP method to call on the server."""

    params: _Maybe[dict[str, Any] | None] = MISSING
    """Parameters of the wrapped MCP call; null or absent passes none."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class MessageMcpResponseResult(_Model):
    """The MCP server answered with a result. Unstable: RFD mcp-over-acp (draft)."""

    result: Any
    """The server's result, passed on uninterpreted; the key must be there even when the value is `null`."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class MessageMcpResponseError(_Model):
    """The MCP server answered with an error. Unstable: RFD mcp-over-acp (draft)."""

    error: McpError
    """The server's error; must be an object, never `null`."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class McpError(_Model, extra="allow"):
    """An error reported by an MCP server, as opposed to an ACP failure in relaying the message. An absent `data`
    differs from `null`. Unstable: RFD mcp-over-acp (draft).
    """

    code: StrictInt
    """Error code from the MCP server; not to be read as one of ACP's codes."""

    message: StrictStr
    """Error text from the MCP server; never `null`."""

    data: _Maybe[Any] = MISSING
    """Further details of the error. `null` is kept and differs from absence."""

    if not TYPE_CHECKING:
        __pydantic_extra__: dict[str, Any]


class MessageMcpNotification(_Model):
    """Relays an MCP notification from the server's provider to its consumer during a request, such as the update
    of a subscription. Being a notification, it bears no outer `id`. Unstable: RFD mcp-over-acp (draft).
    """

    server_id: McpServerAcpId
    """Id of the ACP-transport server that is handling the request."""

    request_id: McpRequestId
    """Id of the MCP request, still active, to which this belongs."""

    method: StrictStr
    """Name of the MCP method being relayed."""

    params: _Maybe[dict[str, Any] | None] = MISSING
    """Params of the MCP message; `null` is the same as leaving them out, and the message then has none."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ProxySuccessorRequest(_Model):
    """Wraps one request: from a proxy, meant for its successor; from the conductor, coming from there. The inner
    result or error returns unaltered; the conductor's own failures are not wrapped. `$/cancel_request` with the
    outer id cancels it, on this connection only and never passed to the next hop. Unstable: RFD proxy-chains
    (draft).
    """

    method: StrictStr
    """Method of the request inside."""

    params: _Maybe[Any] = MISSING
    """Params of the request inside, passed on as they are, its own `_meta` included; a given value MUST be an
    object or an array. `null` is the same as leaving it out: the request has none.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ProxySuccessorNotification(_Model):
    """Wraps one notification: from a proxy, meant for its successor; from the conductor, coming from there.
    Unstable: RFD proxy-chains (draft).
    """

    method: StrictStr
    """Method of the notification inside."""

    params: _Maybe[Any] = MISSING
    """Params of the notification inside, passed on as they are, its own `_meta` included; a given value MUST be an
    object or an array. `null` is the same as leaving it out: the notification has none.
    """

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CancelRequestNotification(_Model):
    """Cancels a pending request of the sender."""

    request_id: RequestId | None
    """JSON-RPC id of the request to give up."""

    meta: _Maybe[Annotated[dict[str, Any] | None, Field(alias="_meta"), _Lenient(error=MISSING)]] = MISSING
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


AuthMethod: TypeAlias = Annotated[AuthMethodTerminal | AuthMethodAgent, _Pick(_models.AuthMethod)]
"""One way to log in. `type` is its kind; an entry without it has the kind `agent`.

- `AuthMethodTerminal` ("terminal"): Login in a terminal: the client starts the agent program separately and the
  user logs in there; exit status 0 means success, anything else failure.
- `AuthMethodAgent`: Login that the agent performs when `authenticate` is called.
"""


McpServer: TypeAlias = Annotated[McpServerHttp | McpServerSse | McpServerAcp | McpServerStdio, _Pick(_models.McpServer)]
"""One MCP server, a source of tools and context for the agent; `type` selects the transport, and stdio has no
`type`.

- `McpServerHttp` ("http"): An MCP server reached over HTTP.
- `McpServerSse` ("sse"): An MCP server reached over server-sent events (SSE).
- `McpServerAcp` ("acp"): An MCP server offered by an ACP component; its traffic travels in `mcp/message` calls
  on the ACP connection.
- `McpServerStdio`: An MCP server the agent launches as a child process and talks to over stdin and stdout.
"""


ContentBlock: TypeAlias = Annotated[
    TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource | UnknownVariant,
    _Pick(_models.ContentBlock),
]
"""A unit of displayable content, used in `session/prompt`, in `session/update` and in tool call results. Shaped as
in MCP, so that output of MCP tools can be passed on unchanged.

- `TextContent` ("text"): Text for a language model, or from one.
- `ImageContent` ("image"): Image for a language model, or from one.
- `AudioContent` ("audio"): Audio for a language model, or from one.
- `ResourceLink` ("resource_link"): A readable resource named by URI, as part of a prompt or of a tool's result,
  without its contents.
- `EmbeddedResource` ("resource"): A resource carried in full inside a prompt or the result of a tool.
- `UnknownVariant`: any other `type`, kept unchanged.
"""


EmbeddedResourceResource: TypeAlias = Annotated[
    TextResourceContents | BlobResourceContents, _Pick(_models.EmbeddedResourceResource)
]
"""Contents of an embedded resource, as text or as bytes.

- `TextResourceContents`: A resource whose contents are text.
- `BlobResourceContents`: A resource whose contents are bytes.
"""


SessionConfigOption: TypeAlias = Annotated[
    SessionConfigOptionSelect | SessionConfigOptionBoolean | UnknownVariant, _Pick(_models.SessionConfigOption)
]
"""One setting of a session that the user can change, with its current value.

- `SessionConfigOptionSelect` ("select"): Setting that takes exactly one value from a list.
- `SessionConfigOptionBoolean` ("boolean"): Setting that is either on or off.
- `UnknownVariant`: any other `type`, kept unchanged.
"""


SetSessionConfigOptionRequest: TypeAlias = Annotated[
    SetSessionConfigOptionRequestBoolean | SetSessionConfigOptionRequestValueId,
    _Pick(_models.SetSessionConfigOptionRequest),
]
"""Asks the agent to change one configuration option of a session.

- `SetSessionConfigOptionRequestBoolean` ("boolean"): New setting for an on/off option, marked by `type` being
  `boolean`.
- `SetSessionConfigOptionRequestValueId`: New setting named by the id of one of the option's values.
"""


SessionUpdate: TypeAlias = Annotated[
    UserMessageChunk
    | AgentMessageChunk
    | AgentThoughtChunk
    | ToolCall
    | ToolCallProgress
    | Plan
    | PlanUpdate
    | PlanRemoved
    | AvailableCommandsUpdate
    | CurrentModeUpdate
    | ConfigOptionUpdate
    | SessionInfoUpdate
    | UsageUpdate
    | Notice
    | CompactionUpdate
    | CompactionSummaryChunk
    | SubagentUpdate
    | SessionMessage
    | SessionMessageChunk
    | UnknownVariant,
    _Pick(_models.SessionUpdate),
]
"""One change of a session; `sessionUpdate` names its kind.

- `UserMessageChunk` ("user_message_chunk"): Next piece of a message from the user.
- `AgentMessageChunk` ("agent_message_chunk"): Next piece of the agent's reply.
- `AgentThoughtChunk` ("agent_thought_chunk"): Next piece of the agent's reasoning.
- `ToolCall` ("tool_call"): Action that the model requested and the agent performs, such as reading a file,
  running code or fetching data.
- `ToolCallProgress` ("tool_call_update"): A known tool call has progressed or delivered results.
- `Plan` ("plan"): The agent's plan for the current work, shown to the user as a list of entries; it may change
  while the work goes on.
- `PlanUpdate` ("plan_update"): Announces new content for the plan whose `planId` it carries.
- `PlanRemoved` ("plan_removed"): Announces that the plan named by `planId` no longer exists.
- `AvailableCommandsUpdate` ("available_commands_update"): Announces the session's commands, at first and
  whenever they change.
- `CurrentModeUpdate` ("current_mode_update"): Announces that the session now runs in another mode.
- `ConfigOptionUpdate` ("config_option_update"): Announces a change in the session's configuration options.
- `SessionInfoUpdate` ("session_info_update"): Announces changed session metadata, such as the title.
- `UsageUpdate` ("usage_update"): Announces the use of the context window and the cost of the session.
- `Notice` ("notice"): A message to the user about something happening right now.
- `CompactionUpdate` ("compaction_update"): Creates or patches a context compaction; its first update fixes its
  place in the timeline.
- `CompactionSummaryChunk` ("compaction_summary_chunk"): Adds one content block to a compaction's summary, in
  order of arrival.
- `SubagentUpdate` ("subagent_update"): Announces or patches a child session owned by the session it is sent on.
- `SessionMessage` ("session_message"): Creates or patches a message that one session sends to another.
- `SessionMessageChunk` ("session_message_chunk"): Streams one more block of a message between sessions.
- `UnknownVariant`: any other `sessionUpdate`, kept unchanged.
"""


ToolCallContent: TypeAlias = Annotated[Content | Diff | Terminal | UnknownVariant, _Pick(_models.ToolCallContent)]
"""One part of a tool call's output: a content block, a diff or a terminal.

- `Content` ("content"): Wraps an ordinary content block as output of a tool call.
- `Diff` ("diff"): A change to one file, for the client to show as a diff.
- `Terminal` ("terminal"): Shows a terminal opened by `terminal/create` within a tool call.
- `UnknownVariant`: any other `type`, kept unchanged.
"""


PlanUpdateContent: TypeAlias = Annotated[
    PlanItems | PlanFile | PlanMarkdown | UnknownVariant, _Pick(_models.PlanUpdateContent)
]
"""New content of an identified plan, in the form that `type` names. Unstable: RFD plan-updates (draft).

- `PlanItems` ("items"): A plan in the form of a list of entries.
- `PlanFile` ("file"): A plan in a file.
- `PlanMarkdown` ("markdown"): A plan in the form of Markdown text.
- `UnknownVariant`: any other `type`, kept unchanged.
"""


AvailableCommandInput: TypeAlias = Annotated[UnstructuredCommandInput, _Pick(_models.AvailableCommandInput)]
"""Form in which a command takes its input.

- `UnstructuredCommandInput`: Input of a command that takes the rest of the typed text unchanged.
"""


StateUpdate: TypeAlias = Annotated[
    RunningStateUpdate
    | IdleStateUpdateStopReason
    | IdleStateUpdateError
    | IdleStateUpdateNone
    | RequiresActionStateUpdate
    | UnknownStateUpdate
    | UnknownVariant,
    _Pick(_models.StateUpdate),
]
"""Foreground activity of a child session, always reported as a whole. An idle child is not finished: its parent
can send it more work, and background activity may still produce updates. Unstable: RFD subagents (draft).

- `RunningStateUpdate` ("running"): State of a child that is working in the foreground.
- `IdleStateUpdateStopReason` ("idle"): The child is free to take the next prompt.
- `IdleStateUpdateError` ("idle"): The child is free to take the next prompt.
- `IdleStateUpdateNone` ("idle"): The child is free to take the next prompt.
- `RequiresActionStateUpdate` ("requires_action"): State of a child that cannot go on until the user does
  something.
- `UnknownStateUpdate` ("unknown"): State of a child whose activity can no longer be observed; mere silence is
  no ground for it.
- `UnknownVariant`: any other object, kept unchanged.
"""


IdleStateUpdate: TypeAlias = Annotated[
    IdleStateUpdateStopReason | IdleStateUpdateError | IdleStateUpdateNone | UnknownVariant,
    _Pick(_models.IdleStateUpdate),
]
"""State of a child that is free to take the next prompt. A `stopReason` that is absent, null or malformed says
nothing about why it stopped. Unstable: RFD subagents (draft).

- `IdleStateUpdateStopReason` ("idle"): The child is free to take the next prompt.
- `IdleStateUpdateError` ("idle"): The child is free to take the next prompt.
- `IdleStateUpdateNone` ("idle"): The child is free to take the next prompt.
- `UnknownVariant`: any other object, kept unchanged.
"""


RequestPermissionOutcome: TypeAlias = Annotated[
    RequestPermissionOutcomeCancelled | SelectedPermissionOutcome | UnknownVariant,
    _Pick(_models.RequestPermissionOutcome),
]
"""Outcome of a permission request.

- `RequestPermissionOutcomeCancelled` ("cancelled"): The user had not yet chosen when the turn was cancelled.
- `SelectedPermissionOutcome` ("selected"): The option that the user selected.
- `UnknownVariant`: any other `outcome`, kept unchanged.
"""


CreateElicitationRequest: TypeAlias = Annotated[
    CreateElicitationRequestFormSession
    | CreateElicitationRequestFormRequest
    | CreateElicitationRequestUrlSession
    | CreateElicitationRequestUrlRequest
    | UnknownVariant,
    _Pick(_models.CreateElicitationRequest),
]
"""Asks the client to obtain input from the user, through a form or at a URL. It belongs either to a session (and
perhaps a tool call in it) or to another request.

- `CreateElicitationRequestFormSession` ("form"): The client builds a form from a schema and returns the user's
  input.
- `CreateElicitationRequestFormRequest` ("form"): The client builds a form from a schema and returns the user's
  input.
- `CreateElicitationRequestUrlSession` ("url"): The client sends the user to a URL.
- `CreateElicitationRequestUrlRequest` ("url"): The client sends the user to a URL.
- `UnknownVariant`: any other object, kept unchanged.
"""


ElicitationFormMode: TypeAlias = Annotated[
    ElicitationFormModeSession | ElicitationFormModeRequest, _Pick(_models.ElicitationFormMode)
]
"""Collects the user's input in a form that the client builds from a schema.

- `ElicitationFormModeSession`: Used when the input belongs to a session, and perhaps to one of its tool calls.
- `ElicitationFormModeRequest`: Used when the input belongs to a single JSON-RPC request made outside any
  session, for instance while logging in.
"""


ElicitationPropertySchema: TypeAlias = Annotated[
    StringPropertySchema
    | NumberPropertySchema
    | IntegerPropertySchema
    | BooleanPropertySchema
    | MultiSelectPropertySchema
    | UnknownVariant,
    _Pick(_models.ElicitationPropertySchema),
]
"""One field of a form. Its JSON Schema `type` is the discriminator. A choice of one is a `string` with `enum` or
`oneOf`; a choice of several is an `array`.

- `StringPropertySchema` ("string"): Text field of a form.
- `NumberPropertySchema` ("number"): Form field for a number that may have a fractional part.
- `IntegerPropertySchema` ("integer"): Form field for a whole number.
- `BooleanPropertySchema` ("boolean"): Form field for a yes-or-no answer.
- `MultiSelectPropertySchema` ("array"): Form field where the user may choose several values; the answer is an
  array.
- `UnknownVariant`: any other object, kept unchanged.
"""


MultiSelectItems: TypeAlias = Annotated[
    StringMultiSelectItems | TitledMultiSelectItems | UnknownVariant, _Pick(_models.MultiSelectItems)
]
"""Selectable values of a field with several answers.

- `StringMultiSelectItems` ("string"): Unlabelled string choices of a field that takes several answers.
- `TitledMultiSelectItems`: Labelled choices of a field that takes several answers.
- `UnknownVariant`: any other object, kept unchanged.
"""


ElicitationUrlMode: TypeAlias = Annotated[
    ElicitationUrlModeSession | ElicitationUrlModeRequest, _Pick(_models.ElicitationUrlMode)
]
"""Sends the user to a web address to give the input there, outside the client.

- `ElicitationUrlModeSession`: Used when the input belongs to a session, and perhaps to one of its tool calls.
- `ElicitationUrlModeRequest`: Used when the input belongs to a single JSON-RPC request made outside any
  session, for instance while logging in.
"""


CreateElicitationResponse: TypeAlias = Annotated[
    CreateElicitationResponseAccept
    | CreateElicitationResponseDecline
    | CreateElicitationResponseCancel
    | UnknownVariant,
    _Pick(_models.CreateElicitationResponse),
]
"""Contains the user's reaction to an elicitation; `action` is its kind.

- `CreateElicitationResponseAccept` ("accept"): The user agreed and gave the answers in `content`.
- `CreateElicitationResponseDecline` ("decline"): The user refused to answer.
- `CreateElicitationResponseCancel` ("cancel"): The elicitation ended without a decision by the user.
- `UnknownVariant`: any other object, kept unchanged.
"""


MessageMcpResponse: TypeAlias = Annotated[
    MessageMcpResponseResult | MessageMcpResponseError, _Pick(_models.MessageMcpResponse)
]
"""Outcome of a relayed MCP request: senders MUST give exactly one of `result` and `error`, and a receiver that
finds both uses `result`. Other outer fields are ignored, inner ones kept as they are. ACP errors only report
binding or runtime failures of the relay. Unstable: RFD mcp-over-acp (draft).

- `MessageMcpResponseResult`: The MCP server answered with a result.
- `MessageMcpResponseError`: The MCP server answered with an error.
"""


ProtocolVersion: TypeAlias = Annotated[StrictInt, Field(ge=0, le=65535)]
"""Major version of the protocol as an integer. Only incompatible changes increment it; capabilities announce
everything else.
"""


AuthMethodId: TypeAlias = StrictStr
"""Opaque id of a way to log in."""


AuthState: TypeAlias = Literal["authenticated", "unauthenticated", "not_required", "unknown"] | StrictStr
"""Sign-in status of the agent as a whole. Unstable: RFD auth-status (draft).

- `"authenticated"`: The agent has credentials; they may still be rejected.
- `"unauthenticated"`: Sign-in is required, because credentials are absent, out of date or known to be bad.
- `"not_required"`: The agent works without any sign-in, as with a model running locally.
- `"unknown"`: The agent cannot determine it at the moment.
"""


McpServerAcpId: TypeAlias = StrictStr
"""Opaque id of an MCP server reached over the ACP connection itself. The component that offers the server chooses
it, and `mcp/message` addresses the server by it. Unstable: RFD mcp-over-acp (draft).
"""


SystemPromptMode: TypeAlias = Literal["append", "override"] | StrictStr
"""Relation between the client's system prompt and the agent's own instructions. Values not known are kept for
storage and forwarding, but an agent MUST answer a mode it lacks with an error and not fall back to a known one.
Unstable: RFD system-prompt (draft).

- `"append"`: The content joins the agent's own instructions. Every agent advertising
  `sessionCapabilities.systemPrompt` can do this. It SHOULD rank as system-level text, not as a user message;
  position and formatting are the agent's choice.
- `"override"`: The content takes the place of the agent's default instructions, so their safety and tool
  guidance become the client's duty; tools, MCP servers, permissions and settings stay, and workspace context
  MAY. MUST be used only if `sessionCapabilities.systemPrompt.mode.override` is advertised.
"""


Role: TypeAlias = Literal["assistant", "user"]
"""Party in a conversation that sends or receives something.

- `"assistant"`: The model or agent.
- `"user"`: The human user.
"""


SessionId: TypeAlias = StrictStr
"""Opaque id of one conversation. Every session has its own history, context and state. An agent may run many
sessions in parallel.
"""


SessionModeId: TypeAlias = StrictStr
"""Opaque id of a session mode, chosen by the agent."""


SessionConfigId: TypeAlias = StrictStr
"""Opaque id of a session setting, chosen by the agent."""


SessionConfigOptionCategory: TypeAlias = Literal["mode", "model", "model_config", "thought_level"] | StrictStr
"""Kind of a session setting, a hint for icons, placement and shortcuts. Nothing may depend on it to work correctly
(MUST NOT), and clients MUST cope with a missing or unfamiliar one. Names with a leading `_` are open to anyone;
the protocol keeps all others.

- `"mode"`: The setting chooses the session mode.
- `"model"`: The setting chooses the model.
- `"model_config"`: The setting tunes a parameter of the model.
- `"thought_level"`: The setting chooses how much the model reasons.
"""


SessionConfigValueId: TypeAlias = StrictStr
"""Opaque id of one value a setting can take, chosen by the agent."""


SessionConfigSelectOptions: TypeAlias = list[SessionConfigSelectOption] | list[SessionConfigSelectGroup]
"""Values to choose from, either as one plain list or arranged in groups."""


SessionConfigGroupId: TypeAlias = StrictStr
"""Opaque id of a group of setting values, chosen by the agent."""


SessionArchiveFilter: TypeAlias = Literal["exclude", "include", "only"] | StrictStr
"""Choice of archive states for `session/list`. Values not known are kept for storage and forwarding, but an agent
MUST answer one it lacks with `-32602` and not fall back to `exclude`. Unstable: RFD session-archive (draft).

- `"exclude"`: Leave archived sessions out; this is what applies by default.
- `"include"`: List sessions whether archived or not.
- `"only"`: List nothing but archived sessions.
"""


SessionStatus: TypeAlias = Literal["open", "saved"] | StrictStr
"""State of a session: loaded in the agent's memory, or only stored. Unstable: RFD session-status (draft).

- `"open"`: Held in memory, possibly on behalf of another connection. A client that has not created or resumed
  it on its own connection MUST first call `session/load` or `session/resume`; until then it can neither prompt
  nor count on updates.
- `"saved"`: Not in memory, but known and resumable: `session/load` or `session/resume` brings it up.
"""


StopReason: TypeAlias = Literal["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"]
"""Reason for the end of a prompt turn.

- `"end_turn"`: The agent finished normally.
- `"max_tokens"`: The turn reached the token limit.
- `"max_turn_requests"`: The turn reached the limit on requests to the model.
- `"refusal"`: The agent declined to go on. This prompt and all that followed it are dropped from the context of
  the next one, and the client's display should show that.
- `"cancelled"`: The client stopped the turn with `session/cancel`. The agent MUST answer with this value after
  that notification, even where aborting the work raised errors; it should catch those and not report them as a
  failure.
"""


MessageId: TypeAlias = StrictStr
"""Opaque id of a message, unique inside its session."""


ToolCallId: TypeAlias = StrictStr
"""Opaque id of a tool call, unique inside its session."""


ToolKind: TypeAlias = Literal[
    "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"
]
"""Kind of work of a tool, by which the client can select an icon and a presentation of progress.

- `"read"`: The tool reads files or other data.
- `"edit"`: The tool changes the content of files.
- `"delete"`: The tool deletes files or other data.
- `"move"`: The tool moves or renames files.
- `"search"`: The tool looks something up.
- `"execute"`: The tool runs a command or a program.
- `"think"`: The tool reasons or plans without acting on anything outside.
- `"fetch"`: The tool gets data from an external source.
- `"switch_mode"`: The tool changes the mode of the session.
- `"other"`: Anything the remaining kinds do not cover; the default.
"""


ToolCallStatus: TypeAlias = Literal["pending", "in_progress", "completed", "failed"]
"""Status of a tool call in its life cycle.

- `"pending"`: Not running yet: its input is incomplete, or it waits for approval.
- `"in_progress"`: Running.
- `"completed"`: Finished with success.
- `"failed"`: Ended in an error.
"""


TerminalId: TypeAlias = StrictStr
"""Opaque id of a terminal."""


PlanEntryPriority: TypeAlias = Literal["high", "medium", "low"]
"""Priority of a plan entry among the entries of its plan.

- `"high"`: The goal cannot be reached without this entry.
- `"medium"`: The entry matters for the result, but the goal can be reached without it.
- `"low"`: The goal does not depend on this entry.
"""


PlanEntryStatus: TypeAlias = Literal["pending", "in_progress", "completed"]
"""Status of a plan entry.

- `"pending"`: Work on this entry has not begun.
- `"in_progress"`: Work on this entry is under way.
- `"completed"`: Work on this entry is finished and succeeded.
"""


PlanId: TypeAlias = StrictStr
"""Opaque id of a plan; no two plans of one session share it. Unstable: RFD plan-updates (draft)."""


NoticeSeverity: TypeAlias = Literal["info", "warning", "error"] | StrictStr
"""Suggests how prominently a client should present a notice.

- `"info"`: Worth knowing; nothing is wrong.
- `"warning"`: Something may need the user's attention.
- `"error"`: Something went wrong.
"""


CompactionId: TypeAlias = StrictStr
"""Opaque id of a context compaction; no two compactions of one session share it."""


CompactionStatus: TypeAlias = Literal["in_progress", "completed", "failed", "cancelled"] | StrictStr
"""Status of a context compaction.

- `"in_progress"`: The compaction is running.
- `"completed"`: The compaction succeeded.
- `"failed"`: The compaction failed.
- `"cancelled"`: The compaction was cancelled.
"""


ErrorCode: TypeAlias = Literal[-32700, -32600, -32601, -32602, -32603, -32800, -32000, -32002] | StrictInt
"""Error codes of JSON-RPC 2.0 and of this protocol. The protocol's own codes lie between -32099 and -32000; a
cancelled request has -32800, out of the block set aside by LSP (-32899 to -32800).

- `-32700`: The message could not be parsed as JSON.
- `-32600`: The message is JSON, but not a valid request.
- `-32601`: The receiver has no such method, or does not offer it now.
- `-32602`: The parameters are invalid for the method.
- `-32603`: The receiver failed for an internal reason.
- `-32800`: The call was cancelled by the caller, or because the receiver is shutting down or lacks resources.
- `-32000`: The user has to sign in before this call can succeed.
- `-32002`: Something the call refers to, such as a file or a session, does not exist.
"""


PermissionOptionId: TypeAlias = StrictStr
"""Opaque id of a permission option."""


PermissionOptionKind: TypeAlias = Literal["allow_once", "allow_always", "reject_once", "reject_always"]
"""Meaning of a permission option, by which the client can select an icon and a style.

- `"allow_once"`: Permits this one operation; nothing is remembered.
- `"allow_always"`: Permits the operation, and the decision is remembered.
- `"reject_once"`: Refuses this one operation; nothing is remembered.
- `"reject_always"`: Refuses the operation, and the decision is remembered.
"""


ElicitationSchemaType: TypeAlias = Literal["object"]
"""Value of `type` at the top of a form schema.

- `"object"`: The only type a form schema can have.
"""


StringFormat: TypeAlias = Literal["email", "uri", "date", "date-time"]
"""Syntax that the text typed into a form field has to follow.

- `"email"`: The text is an email address.
- `"uri"`: The text is a URI.
- `"date"`: The text is a calendar day written as `YYYY-MM-DD`.
- `"date-time"`: The text is a point in time in ISO 8601 notation.
"""


RequestId: TypeAlias = StrictInt | StrictStr | None
"""JSON-RPC `id` that pairs a response with its request: the answer MUST repeat it unchanged. Must be a string, a
number or null; null and numbers with a fraction SHOULD be avoided. A message without an `id` is a notification.
"""


ElicitationId: TypeAlias = StrictStr
"""Opaque id of an elicitation."""


ElicitationContentValue: TypeAlias = StrictStr | StrictInt | StrictFloat | StrictBool | list[StrictStr]
"""One answer in an elicitation form; its JSON type follows the field that was asked for."""


ProviderId: TypeAlias = StrictStr
"""Id of a configurable LLM provider. Unstable: RFD configurable-providers (draft)."""


LlmProtocol: TypeAlias = Literal["anthropic", "openai", "azure", "vertex", "bedrock"] | StrictStr
"""API protocol an LLM provider is addressed with. Both sides MUST cope with names they do not know; a leading `_`
marks a custom name, all others belong to ACP. Unstable: RFD configurable-providers (draft).

- `"anthropic"`: The provider speaks the API of Anthropic.
- `"openai"`: The provider speaks the API of OpenAI.
- `"azure"`: The provider speaks the API of Azure OpenAI.
- `"vertex"`: The provider speaks the API of Google Vertex AI.
- `"bedrock"`: The provider speaks the API of AWS Bedrock.
"""


McpRequestId: TypeAlias = StrictStr
"""Id of an MCP request in progress inside `mcp/message`. The caller picks it and proxies pass it on untouched; it
is not the `id` of the enclosing JSON-RPC message. Unstable: RFD mcp-over-acp (draft).
"""


InitializeProxyRequest: TypeAlias = InitializeRequest
"""Tells a component with a successor to run as a proxy; contents as in `initialize`, which the conductor sends
only to the last agent. The version is the client's, or the conductor's if lower. Before reporting success the
proxy MUST have sent `initialize` onward via `proxy/successor`. Unstable: RFD proxy-chains (draft).
"""


InitializeProxyResponse: TypeAlias = InitializeResponse
"""Answers like `initialize`, with what the chain from this proxy onward can do, derived from the successor's
answer. `protocolVersion` MUST stay as the successor gave it. Unstable: RFD proxy-chains (draft).
"""


ProxySuccessorResponse: TypeAlias = Any
"""Result of the relayed request, unchanged. Unstable: RFD proxy-chains (draft)."""


SessionUpdateToolCallUpdate: TypeAlias = ToolCallProgress
"""An alias of `ToolCallProgress`."""
