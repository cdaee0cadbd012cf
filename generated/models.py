# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Every type of Agent Client Protocol.

Classes are msgspec Structs. An absent property is `UNSET`, and null is None. Type checkers see unions as aliases. At run
time they are classes; `__supertype__` has their members if msgspec can discriminate them by their tag. The garbage
collector does not track messages, because they are trees: a message that contains itself is never freed.
"""

from __future__ import annotations

from collections.abc import Sequence

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType, field as _field

from ._runtime.codec.bases import Extensible, Marker, Struct
from ._runtime.schema.definitions import UnknownVariant
from ._runtime.schema.registry import add as _add

_add(__name__.rpartition(".")[0])


class InitializeRequest(Struct, kw_only=True, rename="camel"):
    """Opens the connection: sends the client's protocol version and capabilities, and asks for the agent's."""

    protocol_version: ProtocolVersion
    """Highest protocol version that the client supports."""

    client_capabilities: ClientCapabilities | UnsetType = UNSET
    """Capabilities of the client. Anything that is not listed is unsupported. Default: `{"fs": {"readTextFile":
    false, "writeTextFile": false}, "terminal": false, "auth": {"terminal": false}}`.
    """

    client_info: Implementation | None | UnsetType = UNSET
    """Name and version of the client program. Later protocol versions will demand it, so clients do well to send
    it now.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ClientCapabilities(Struct, kw_only=True, rename="camel"):
    """Capabilities of the client, advertised once in `initialize`."""

    fs: FileSystemCapabilities | UnsetType = UNSET
    """File operations that the client performs for the agent. Default: `{"readTextFile": false, "writeTextFile":
    false}`.
    """

    terminal: bool | UnsetType = UNSET
    """True when the client implements every method under `terminal/`. Default: false."""

    session: ClientSessionCapabilities | None | UnsetType = UNSET
    """Extensions to sessions that the client understands. Null or absent means none."""

    subagents: SubagentCapabilities | None | UnsetType = UNSET
    """With `{}`, the client can deal with child sessions: their announcements, states, messages between sessions
    and restricted operations. Null is the same as leaving it out: unsupported. Unstable: RFD subagents (draft).
    """

    plan: PlanCapabilities | None | UnsetType = UNSET
    """With `{}`, the client accepts both the `plan_update` and the `plan_removed` update. Null is the same as
    leaving it out: unsupported. Unstable: RFD plan-updates (draft).
    """

    auth: AuthCapabilities | UnsetType = UNSET
    """Kinds of authentication methods that the client can handle. The agent may offer only these in its
    `initialize` response. Default: `{"terminal": false}`.
    """

    elicitation: ElicitationCapabilities | None | UnsetType = UNSET
    """Ways in which the agent may ask the user for input. Null or absent means none."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class FileSystemCapabilities(Struct, kw_only=True, rename="camel"):
    """File operations that the client can perform for the agent."""

    read_text_file: bool | UnsetType = UNSET
    """True when the agent may call `fs/read_text_file`. Default: false."""

    write_text_file: bool | UnsetType = UNSET
    """True when the agent may call `fs/write_text_file`. Default: false."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ClientSessionCapabilities(Struct, kw_only=True, rename="camel"):
    """Extensions to sessions that a client may understand."""

    compaction: CompactionCapabilities | None | UnsetType = UNSET
    """With `{}`, the client follows everything the protocol says about compactions identified by id. Null is the
    same as leaving it out: unsupported.
    """

    config_options: SessionConfigOptionsCapabilities | None | UnsetType = UNSET
    """Extensions to configuration options that the client understands. Null or absent means none."""

    notices: NoticeCapabilities | None | UnsetType = UNSET
    """With `{}`, the client can show `notice` updates to the user as they arrive. Null is the same as leaving it
    out: unsupported.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CompactionCapabilities(Struct, kw_only=True):
    """Advertised as `{}`, promises that the client handles updates about compactions identified by id."""


class SessionConfigOptionsCapabilities(Struct, kw_only=True, rename="camel"):
    """Kinds of configuration option, beyond the basic ones, that a client can handle."""

    boolean: BooleanConfigOptionCapabilities | None | UnsetType = UNSET
    """With `{}`, agents may list options of type `boolean` in `configOptions`, which the client may set by
    `session/set_config_option` with that type and a true or false `value`. Null is the same as leaving it out:
    unsupported.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class BooleanConfigOptionCapabilities(Struct, kw_only=True, rename="camel"):
    """Advertised as `{}`, promises that the client can show and set options that are on or off."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class NoticeCapabilities(Struct, kw_only=True):
    """Advertised as `{}`, promises that the client shows notices to the user as they arrive."""


class SubagentCapabilities(Struct, kw_only=True, rename="camel"):
    """Advertised as `{}`, promises that the client handles child sessions, their states, messages between sessions
    and restricted operations. The agent may send none of these updates without it. Unstable: RFD subagents
    (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanCapabilities(Struct, kw_only=True, rename="camel"):
    """Advertised as `{}`, promises that the client accepts both the `plan_update` and the `plan_removed` update.
    Unstable: RFD plan-updates (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthCapabilities(Struct, kw_only=True, rename="camel"):
    """Kinds of authentication for which the client provides the necessary help."""

    terminal: bool | UnsetType = UNSET
    """True when the agent may offer methods of type `terminal`. The client should say so only if it can run the
    agent, with its configured command line, in a terminal the user can type in. Default: false.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ElicitationCapabilities(Struct, kw_only=True, rename="camel"):
    """Modes of elicitation that a client can handle."""

    form: ElicitationFormCapabilities | None | UnsetType = UNSET
    """With `{}`, the client can present forms. Null is the same as leaving it out: unsupported."""

    url: ElicitationUrlCapabilities | None | UnsetType = UNSET
    """With `{}`, the client can send the user to a URL. Null is the same as leaving it out: unsupported."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ElicitationFormCapabilities(Struct, kw_only=True, rename="camel"):
    """Advertised as `{}`, promises that the client can present a form and return what the user entered."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ElicitationUrlCapabilities(Struct, kw_only=True, rename="camel"):
    """Advertised as `{}`, promises that the client can send the user to a URL to complete an elicitation there."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Implementation(Struct, kw_only=True, rename="camel"):
    """Identifies the program on one side of the connection, client or agent, by name and version."""

    name: str
    """Name for programs. Clients show it to users only if there is no `title`."""

    version: str
    """Version of the program, such as `1.0.0`, for display, debugging or statistics."""

    title: str | None | UnsetType = UNSET
    """Name to show to users; where it is missing, show `name`."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class InitializeResponse(Struct, kw_only=True, rename="camel"):
    """Contains the protocol version to be used and the capabilities of the agent."""

    protocol_version: ProtocolVersion
    """The version the client asked for if the agent speaks it, otherwise the newest one the agent speaks. A client
    that cannot work with it should close the connection.
    """

    agent_capabilities: AgentCapabilities | UnsetType = UNSET
    """Capabilities of the agent beyond the basics. Default: `{"loadSession": false, "promptCapabilities":
    {"image": false, "audio": false, "embeddedContext": false}, "mcpCapabilities": {"http": false, "sse": false,
    "acp": false}, "sessionCapabilities": {}, "auth": {}}`.
    """

    auth_methods: Sequence[AuthMethod] | UnsetType = UNSET
    """Ways to log in that the agent offers; empty when it names none."""

    agent_info: Implementation | None | UnsetType = UNSET
    """Name and version of the agent program. A later protocol version will make it mandatory."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AgentCapabilities(Struct, kw_only=True, rename="camel"):
    """Capabilities of an agent, advertised in the response to `initialize`."""

    load_session: bool | UnsetType = UNSET
    """True when `session/load` can be called. Default: false."""

    prompt_capabilities: PromptCapabilities | UnsetType = UNSET
    """Kinds of content the agent takes in a prompt. Default: `{"image": false, "audio": false, "embeddedContext":
    false}`.
    """

    mcp_capabilities: McpCapabilities | UnsetType = UNSET
    """Transports over which the agent can reach MCP servers. Default: `{"http": false, "sse": false, "acp":
    false}`.
    """

    session_capabilities: SessionCapabilities | UnsetType = UNSET
    """Session methods and session options the agent offers beyond the required ones."""

    auth: AgentAuthCapabilities | UnsetType = UNSET
    """Capabilities of the agent for logging in and out."""

    providers: ProvidersCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when the `providers/*` methods can be called; null or absent means they cannot.
    Unstable: RFD configurable-providers (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PromptCapabilities(Struct, kw_only=True, rename="camel"):
    """Kinds of content `session/prompt` may contain. Every agent has to take `text` and `resource_link`; each
    further kind may be sent if its flag here is true.
    """

    image: bool | UnsetType = UNSET
    """True when a prompt may contain `image` blocks. Default: false."""

    audio: bool | UnsetType = UNSET
    """True when a prompt may contain `audio` blocks. Default: false."""

    embedded_context: bool | UnsetType = UNSET
    """True when a prompt may carry the referenced material itself in `resource` blocks. Default: false."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class McpCapabilities(Struct, kw_only=True, rename="camel"):
    """MCP server transports the agent can use."""

    http: bool | UnsetType = UNSET
    """True when the agent can connect to MCP servers of type `http`. Default: false."""

    sse: bool | UnsetType = UNSET
    """True when the agent can connect to MCP servers of type `sse`. Default: false."""

    acp: bool | UnsetType = UNSET
    """True when the agent can use MCP servers of type `acp`, tunnelled through this connection. Default: false.
    Unstable: RFD mcp-over-acp (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionCapabilities(Struct, kw_only=True, rename="camel"):
    """Session features an agent adds to the ones each agent MUST have: `session/new`, `session/prompt`,
    `session/update` and `session/cancel`. For now `session/load` is announced apart from these, by
    `loadSession`.
    """

    list: SessionListCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when `session/list` can be called; null or absent means it cannot."""

    delete: SessionDeleteCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when `session/delete` can be called; null or absent means it cannot."""

    additional_directories: SessionAdditionalDirectoriesCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when requests that set up a session may carry `additionalDirectories`; null or
    absent means they may not. `session/list` can then report all extra roots of a session, in order.
    """

    system_prompt: SessionSystemPromptCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when requests that set up a session may carry a `systemPrompt` in `append` mode;
    null or absent means they may not. Unstable: RFD system-prompt (draft).
    """

    fork: SessionForkCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when `session/fork` can be called; null or absent means it cannot. Unstable: RFD
    session-fork (draft).
    """

    archive: SessionArchiveCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when `session/archive` and `session/unarchive` can be called and `session/list`
    knows about `archived`; null or absent means neither. An agent with this MUST announce `list` too. Unstable:
    RFD session-archive (draft).
    """

    status: SessionStatusCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when `session/status` can be called; null or absent means it cannot. Unstable: RFD
    session-status (draft).
    """

    title: SessionTitleCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when the client may call `session/set_title`; null or absent means it may not.
    Titles the agent reports on its own do not depend on this. Unstable: RFD session-title (draft).
    """

    resume: SessionResumeCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when `session/resume` can be called; null or absent means it cannot."""

    close: SessionCloseCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when `session/close` can be called; null or absent means it cannot."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionListCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent promises to answer `session/list`."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionDeleteCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent promises that `session/delete` removes a session from the ones `session/list` returns."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionAdditionalDirectoriesCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent promises to honour `additionalDirectories` where a session request has that property. If
    it also has `session/list`, it may report there all extra roots of a session in their order.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionSystemPromptCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent promises to accept a `systemPrompt` when a session is set up, at least in `append` mode.
    Unstable: RFD system-prompt (draft).
    """

    mode: SessionSystemPromptModeCapabilities | None | UnsetType = UNSET
    """Modes available besides `append`; null or absent means none."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionSystemPromptModeCapabilities(Struct, kw_only=True, rename="camel"):
    """Ways of applying the client's system prompt other than `append`, which needs no entry since it always comes
    with `sessionCapabilities.systemPrompt`. Unstable: RFD system-prompt (draft).
    """

    override: SessionSystemPromptOverrideCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when the client's system prompt may take the place of the agent's own default
    instructions; null or absent means it may not.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionSystemPromptOverrideCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent promises to drop its own default instructions in favour of the client's system prompt in
    `override` mode. Unstable: RFD system-prompt (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionForkCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent promises to answer `session/fork`. Unstable: RFD session-fork (draft)."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionArchiveCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent answers `session/archive` and `session/unarchive`, filters `session/list` by `archived`,
    and reports that flag in each `SessionInfo`. Unstable: RFD session-archive (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionStatusCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent promises to answer `session/status`. Unstable: RFD session-status (draft)."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionTitleCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent promises to answer `session/set_title`. It needs no such entry to report titles in
    `session/list` or `session_info_update`. Unstable: RFD session-title (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionResumeCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent promises to answer `session/resume`."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionCloseCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent promises to answer `session/close`."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AgentAuthCapabilities(Struct, kw_only=True, rename="camel"):
    """Capabilities of the agent for authentication."""

    status: AuthStatusCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when `auth/status` can be called; null or absent means it cannot. Unstable: RFD
    auth-status (draft).
    """

    logout: LogoutCapabilities | None | UnsetType = UNSET
    """Present (`{}` is enough) when `logout` can be called; null or absent means it cannot."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthStatusCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent promises to answer `auth/status`. Unstable: RFD auth-status (draft)."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class LogoutCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent promises to answer `logout`."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ProvidersCapabilities(Struct, kw_only=True, rename="camel"):
    """With `{}` the agent promises to answer the `providers/*` methods. Unstable: RFD configurable-providers
    (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthMethodTerminal(Struct, kw_only=True, rename="camel", tag_field="type", tag="terminal"):
    """Login in a terminal: the client starts the agent program separately and the user logs in there; exit status
    0 means success, anything else failure. It MUST NOT be offered unless the client enabled terminal login, and
    MUST NOT be given to `authenticate`.
    """

    id: AuthMethodId
    """Id of this way to log in."""

    name: str
    """Name to show to the user."""

    description: str | None | UnsetType = UNSET
    """Longer explanation to show to the user."""

    args: list[str] | UnsetType = UNSET
    """Arguments added after those of the agent's usual command line."""

    env: dict[str, str] | UnsetType = UNSET
    """Environment variables to set when the client starts the agent program for the login. They override variables
    of the same name in the usual launch settings.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthMethodAgent(Struct, kw_only=True, rename="camel"):
    """Login that the agent performs when `authenticate` is called. This kind applies if none is stated."""

    id: AuthMethodId
    """Id of this way to log in."""

    name: str
    """Name to show to the user."""

    description: str | None | UnsetType = UNSET
    """Longer explanation to show to the user."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    type: Any | UnsetType = UNSET


class AuthenticateRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to authenticate the user by the chosen method."""

    method_id: AuthMethodId
    """Method to authenticate by; must be one that the agent listed in its `initialize` response."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthenticateResponse(Struct, kw_only=True, rename="camel"):
    """Confirms that the login succeeded."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class LogoutRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to end the current login."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class LogoutResponse(Struct, kw_only=True, rename="camel"):
    """Confirms that the agent has logged the user out; carries no data."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthStatusRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent for its authentication state and changes nothing. It MUST be answered even when no one is
    logged in: `auth_required` (`-32000`) is not an allowed reply. Unstable: RFD auth-status (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthStatusResponse(Struct, kw_only=True, rename="camel"):
    """Answer to `auth/status`: the overall sign-in state and the accounts the agent knows. Unstable: RFD
    auth-status (draft).
    """

    state: AuthState
    """Tells if a session can be started before any sign-in; clients should base decisions on nothing else in this
    answer. An unfamiliar value MUST be read as `unknown`.
    """

    accounts: list[AuthAccount] | UnsetType = UNSET
    """Accounts set up in the agent, meant for showing to the user; an empty list is the same as leaving it out.
    With more than one provider or account, the agent SHOULD list them all and flag those in use with `active`.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthAccount(Struct, kw_only=True, rename="camel"):
    """One account or credential held by the agent, such as a user login or an API key. It is for display: clients
    MUST NOT treat its fields as lasting identifiers and SHOULD keep them out of logs, telemetry and other
    outside destinations. Unstable: RFD auth-status (draft).
    """

    label: str
    """Name of the account for people to read, understandable without the other fields, such as `OpenAI API key`."""

    active: bool | None | UnsetType = UNSET
    """True if the agent uses this account by default at present; more than one MAY be active, such as one for each
    provider. Null is the same as leaving it out: the agent does not say.
    """

    name: str | None | UnsetType = UNSET
    """User name or full name of the account holder, for display. Null is the same as leaving it out: none is
    given.
    """

    email: str | None | UnsetType = UNSET
    """Account holder's email address. Null is the same as leaving it out: none is given."""

    organization: str | None | UnsetType = UNSET
    """Organization, team or workspace that the account works under, for display. Null is the same as leaving it
    out: none is given.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AuthStatusUpdateNotification(Struct, kw_only=True, rename="camel"):
    """Announces a changed authentication status, with the fields of the `auth/status` response. An agent that
    advertised `auth.status` MAY send it whenever `initialize` is done, and SHOULD send it only if the status is
    not the one it reported last on this connection. Unstable: RFD auth-status (draft).
    """

    state: AuthState
    """Tells whether sessions can be started without a sign-in; clients should base decisions on no other field. A
    value the client does not know MUST be handled like `unknown`.
    """

    accounts: list[AuthAccount] | UnsetType = UNSET
    """Configured accounts, meant for display only; absent and empty both mean that none are reported. An agent
    with credentials for more than one SHOULD list them all and flag those in use with `active`.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class NewSessionRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to start a new session."""

    cwd: str
    """Absolute path the session works in and resolves relative paths against."""

    mcp_servers: Sequence[McpServer]
    """MCP servers the agent has to connect to while the session is live."""

    additional_directories: list[str] | UnsetType = UNSET
    """Further workspace roots as absolute paths. They widen what the session may reach; relative paths still start
    at `cwd`. Absent or empty means none. Gate: `sessionCapabilities.additionalDirectories`.
    """

    system_prompt: SystemPrompt | None | UnsetType = UNSET
    """Instructions at system level for the session being created. `null` is the same as leaving it out: the
    agent's defaults apply. MUST NOT be sent unless the agent advertises `sessionCapabilities.systemPrompt`.
    Gate: `sessionCapabilities.systemPrompt`. Unstable: RFD system-prompt (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class McpServerHttp(Struct, kw_only=True, rename="camel", tag_field="type", tag="http"):
    """An MCP server reached over HTTP."""

    name: str
    """Display name of the server, meant for people."""

    url: str
    """Address at which the agent reaches the server."""

    headers: list[HttpHeader]
    """Headers the agent adds to each HTTP request it makes to the server."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class McpServerSse(Struct, kw_only=True, rename="camel", tag_field="type", tag="sse"):
    """An MCP server reached over server-sent events (SSE)."""

    name: str
    """Display name of the server, meant for people."""

    url: str
    """Address at which the agent reaches the server."""

    headers: list[HttpHeader]
    """Headers the agent adds to each HTTP request it makes to the server."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class McpServerAcp(Struct, kw_only=True, rename="camel", tag_field="type", tag="acp"):
    """An MCP server offered by an ACP component; its traffic travels in `mcp/message` calls on the ACP connection.
    Unstable: RFD mcp-over-acp (draft).
    """

    name: str
    """Display name of the server, meant for people."""

    server_id: McpServerAcpId
    """Opaque id chosen by the component that offers the server. It MUST be unique among the ACP-transport servers
    visible on one connection.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class McpServerStdio(Struct, kw_only=True, rename="camel"):
    """An MCP server the agent launches as a child process and talks to over stdin and stdout."""

    name: str
    """Display name of the server, meant for people."""

    command: str
    """Absolute path of the program to launch."""

    args: list[str]
    """Arguments for the program, in order."""

    env: list[EnvVariable]
    """Environment variables the server process is given."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    type: Any | UnsetType = UNSET


class HttpHeader(Struct, kw_only=True, rename="camel"):
    """One header, as a name and value pair, for HTTP requests to an MCP server."""

    name: str
    """Header name."""

    value: str
    """Header value."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class EnvVariable(Struct, kw_only=True, rename="camel"):
    """Name and value of an environment variable set for a process being launched, such as an MCP server."""

    name: str
    """Name of the variable."""

    value: str
    """Value of the variable."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SystemPrompt(Struct, kw_only=True, rename="camel"):
    """Instructions at system level that the client supplies; MUST NOT be sent unless
    `sessionCapabilities.systemPrompt` is advertised. If the agent cannot honour the mode or a content block, it
    MUST fail the call, leaving the session uncreated, unloaded, unresumed or unforked. Unstable: RFD
    system-prompt (draft).
    """

    mode: SystemPromptMode
    """Whether `content` adds to the agent's instructions or takes their place. An unsupported mode MUST be
    answered with an error, never read as one of the known modes.
    """

    content: Sequence[ContentBlock]
    """The instructions as content blocks. Only `text` blocks may be sent, and agents with the capability MUST take
    them; any unsupported block MUST cause an error. Clients MUST NOT leave the array empty; agents MAY refuse
    that with `-32602`.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TextContent(Struct, kw_only=True, rename="camel", tag_field="type", tag="text"):
    """Text for a language model, or from one."""

    text: str
    """The text itself."""

    annotations: Annotations | None | UnsetType = UNSET
    """Hints for the client on how to show the content or whom to send it to."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ImageContent(Struct, kw_only=True, rename="camel", tag_field="type", tag="image"):
    """Image for a language model, or from one."""

    data: str
    """The image file in base64."""

    mime_type: str
    """MIME type of the base64 data, such as `image/png`."""

    annotations: Annotations | None | UnsetType = UNSET
    """Hints for the client on how to show the content or whom to send it to."""

    uri: str | None | UnsetType = UNSET
    """Source of the image, as a URI."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AudioContent(Struct, kw_only=True, rename="camel", tag_field="type", tag="audio"):
    """Audio for a language model, or from one."""

    data: str
    """The audio file in base64."""

    mime_type: str
    """MIME type of the base64 data, such as `audio/wav`."""

    annotations: Annotations | None | UnsetType = UNSET
    """Hints for the client on how to show the content or whom to send it to."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ResourceLink(Struct, kw_only=True, rename="camel", tag_field="type", tag="resource_link"):
    """A readable resource named by URI, as part of a prompt or of a tool's result, without its contents."""

    name: str
    """Name of the resource, for people to read."""

    uri: str
    """URI that leads to the resource."""

    annotations: Annotations | None | UnsetType = UNSET
    """Hints for the client on how to show the content or whom to send it to."""

    description: str | None | UnsetType = UNSET
    """Longer text about the resource, for people to read."""

    mime_type: str | None | UnsetType = UNSET
    """MIME type of the linked resource."""

    size: int | None | UnsetType = UNSET
    """Size of the linked resource in bytes, if known."""

    title: str | None | UnsetType = UNSET
    """Title of the resource for the user interface."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class EmbeddedResource(Struct, kw_only=True, rename="camel", tag_field="type", tag="resource"):
    """A resource carried in full inside a prompt or the result of a tool."""

    resource: EmbeddedResourceResource
    """Contents of the resource: `text` or `blob`."""

    annotations: Annotations | None | UnsetType = UNSET
    """Hints for the client on how to show the content or whom to send it to."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Annotations(Struct, kw_only=True, rename="camel"):
    """Hints on how the client may use or show an item."""

    audience: list[Role] | None | UnsetType = UNSET
    """Roles the content is meant for."""

    last_modified: str | None | UnsetType = UNSET
    """Time of the last change to the underlying resource, as an ISO 8601 string."""

    priority: int | float | None | UnsetType = UNSET
    """Weight of the content relative to other content when the client selects what to show."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TextResourceContents(Struct, kw_only=True, rename="camel"):
    """A resource whose contents are text."""

    text: str
    """Contents of the resource."""

    uri: str
    """URI of the resource the text belongs to."""

    mime_type: str | None | UnsetType = UNSET
    """MIME type of the text, such as `text/markdown`."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class BlobResourceContents(Struct, kw_only=True, rename="camel"):
    """A resource whose contents are bytes."""

    blob: str
    """Contents of the resource in base64."""

    uri: str
    """URI of the resource the bytes belong to."""

    mime_type: str | None | UnsetType = UNSET
    """MIME type of the bytes before encoding."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class NewSessionResponse(Struct, kw_only=True, rename="camel"):
    """Answer to `session/new`: the id of the new session, and its first state."""

    session_id: SessionId
    """Id of the new session; every later call about this conversation carries it."""

    modes: SessionModeState | None | UnsetType = UNSET
    """Modes of the session and which one it starts in; sent by agents that have modes."""

    config_options: Sequence[SessionConfigOption] | None | UnsetType = UNSET
    """Settings the session offers, with their starting values; sent by agents that have such settings."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionModeState(Struct, kw_only=True, rename="camel"):
    """Modes of a session, and its current mode."""

    current_mode_id: SessionModeId
    """Id of the current mode."""

    available_modes: list[SessionMode]
    """All modes the session can be switched to."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionMode(Struct, kw_only=True, rename="camel"):
    """One mode of working of the agent in a session."""

    id: SessionModeId
    """Id by which later messages name this mode."""

    name: str
    """Name of the mode as the user sees it."""

    description: str | None | UnsetType = UNSET
    """Further explanation of the mode for the user to read."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionConfigOptionSelect(Struct, kw_only=True, rename="camel", tag_field="type", tag="select"):
    """Setting that takes exactly one value from a list."""

    id: SessionConfigId
    """Id of the setting, used to change it."""

    name: str
    """Label of the setting as the user sees it."""

    current_value: SessionConfigValueId
    """Id of the current value."""

    options: SessionConfigSelectOptions
    """Values the user can choose from."""

    description: str | None | UnsetType = UNSET
    """Further explanation of the setting, which the client may show to the user."""

    category: SessionConfigOptionCategory | None | UnsetType = UNSET
    """Kind of the setting; only a hint for presentation."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionConfigOptionBoolean(Struct, kw_only=True, rename="camel", tag_field="type", tag="boolean"):
    """Setting that is either on or off."""

    id: SessionConfigId
    """Id of the setting, used to change it."""

    name: str
    """Label of the setting as the user sees it."""

    current_value: bool
    """True while the setting is on, false while it is off."""

    description: str | None | UnsetType = UNSET
    """Further explanation of the setting, which the client may show to the user."""

    category: SessionConfigOptionCategory | None | UnsetType = UNSET
    """Kind of the setting; only a hint for presentation."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionConfigSelect(Struct, kw_only=True, rename="camel"):
    """Fields of a setting of type `select`, which takes one value from a list."""

    current_value: SessionConfigValueId
    """Id of the current value."""

    options: SessionConfigSelectOptions
    """Values the user can choose from."""


class SessionConfigSelectOption(Struct, kw_only=True, rename="camel"):
    """One value that a setting can be given."""

    value: SessionConfigValueId
    """Id of the value, sent to choose it."""

    name: str
    """Label of the value as the user sees it."""

    description: str | None | UnsetType = UNSET
    """Further explanation of the value for the user to read."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionConfigSelectGroup(Struct, kw_only=True, rename="camel"):
    """Values of a setting that are shown together under one heading."""

    group: SessionConfigGroupId
    """Id of the group."""

    name: str
    """Heading of the group as the user sees it."""

    options: list[SessionConfigSelectOption]
    """Values that belong to the group."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionConfigBoolean(Struct, kw_only=True, rename="camel"):
    """Fields of a setting of type `boolean`, which is on or off."""

    current_value: bool
    """True while the setting is on, false while it is off."""


class LoadSessionRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to reopen a stored session and replay its conversation to the client."""

    mcp_servers: Sequence[McpServer]
    """MCP servers the agent has to connect to while the session is live."""

    cwd: str
    """Absolute path the session works in and resolves relative paths against."""

    session_id: SessionId
    """Session the call is about."""

    additional_directories: list[str] | UnsetType = UNSET
    """Further workspace roots as absolute paths; left out or empty means none. A non-empty array is the whole list
    and need not equal an earlier one, as long as `cwd` is the session's own. Gate:
    `sessionCapabilities.additionalDirectories`.
    """

    system_prompt: SystemPrompt | None | UnsetType = UNSET
    """Instructions at system level for the loaded session. `null` is the same as leaving it out: the agent then
    uses a prompt it kept, or its defaults. MUST NOT be sent unless `sessionCapabilities.systemPrompt` is
    advertised; SHOULD equal the value given at creation. Gate: `sessionCapabilities.systemPrompt`. Unstable:
    RFD system-prompt (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class LoadSessionResponse(Struct, kw_only=True, rename="camel"):
    """Answer to `session/load`: the state in which the stored session continues."""

    modes: SessionModeState | None | UnsetType = UNSET
    """Modes of the session and which one it starts in; sent by agents that have modes."""

    config_options: Sequence[SessionConfigOption] | None | UnsetType = UNSET
    """Settings the session offers, with their starting values; sent by agents that have such settings."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ResumeSessionRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to take up a session again without replaying earlier messages, which `session/load` would do.
    Suits agents that can continue a session but not replay it.
    """

    session_id: SessionId
    """Session the call is about."""

    cwd: str
    """Absolute path the session works in and resolves relative paths against."""

    additional_directories: list[str] | UnsetType = UNSET
    """Further workspace roots as absolute paths; left out or empty means none. A non-empty array is the whole list
    and need not equal an earlier one, as long as `cwd` is the session's own. Gate:
    `sessionCapabilities.additionalDirectories`.
    """

    mcp_servers: Sequence[McpServer] | UnsetType = UNSET
    """MCP servers the agent has to connect to while the session is live."""

    system_prompt: SystemPrompt | None | UnsetType = UNSET
    """Instructions at system level for the resumed session. `null` is the same as leaving it out: the agent then
    uses a prompt it kept, or its defaults. MUST NOT be sent unless `sessionCapabilities.systemPrompt` is
    advertised; SHOULD equal the value given at creation. Gate: `sessionCapabilities.systemPrompt`. Unstable:
    RFD system-prompt (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ResumeSessionResponse(Struct, kw_only=True, rename="camel"):
    """Answer to `session/resume`: the state in which the session continues."""

    modes: SessionModeState | None | UnsetType = UNSET
    """Modes of the session and which one it starts in; sent by agents that have modes."""

    config_options: Sequence[SessionConfigOption] | None | UnsetType = UNSET
    """Settings the session offers, with their starting values; sent by agents that have such settings."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ListSessionsRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent for its sessions, one page at a time. If the agent supports it, clients need no list of their
    own.
    """

    cwd: str | None | UnsetType = UNSET
    """Absolute path; only sessions with this working directory are listed."""

    cursor: str | None | UnsetType = UNSET
    """Opaque `nextCursor` of the preceding page; null or left out for the first page. Clients do not parse, change
    or keep it.
    """

    archived: SessionArchiveFilter | None | UnsetType = UNSET
    """Archive states to list; `null` or absent means `exclude`. Sent only if `sessionCapabilities.archive` is
    advertised. Works together with `cwd`, before paging, and stays the same across pages. Gate:
    `sessionCapabilities.archive`. Unstable: RFD session-archive (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ListSessionsResponse(Struct, kw_only=True, rename="camel"):
    """Answer to `session/list`: one page of sessions, and a cursor if there are more."""

    sessions: list[SessionInfo]
    """Sessions on this page."""

    next_cursor: str | None | UnsetType = UNSET
    """Opaque token to send as `cursor` when asking for the following page; left out on the last page."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionInfo(Struct, kw_only=True, rename="camel"):
    """One entry of a `session/list` answer, describing a session."""

    session_id: SessionId
    """Id of the session described."""

    cwd: str
    """Working directory of the session, an absolute path."""

    additional_directories: list[str] | UnsetType = UNSET
    """Workspace roots of the session besides `cwd`, as absolute paths: the whole list, in order. An empty list is
    the same as leaving it out: none are reported.
    """

    title: str | None | UnsetType = UNSET
    """Title of the session as the user sees it."""

    updated_at: str | None | UnsetType = UNSET
    """Time at which the session was last active, in ISO 8601."""

    archived: bool | None | UnsetType = UNSET
    """True if the session is in the archive. Null is the same as leaving it out: not reported. An agent with the
    `sessionCapabilities.archive` capability MUST set it in every entry. Unstable: RFD session-archive (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ForkSessionRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to create a session with the context of an existing one. The original and its history stay
    unchanged. Unstable: RFD session-fork (draft).
    """

    session_id: SessionId
    """Session to fork."""

    cwd: str
    """Absolute path the new session works in and resolves relative paths against."""

    additional_directories: list[str] | UnsetType = UNSET
    """Further workspace roots as absolute paths; left out or empty means none. A non-empty array is the whole list
    for the new session. Gate: `sessionCapabilities.additionalDirectories`.
    """

    mcp_servers: Sequence[McpServer] | UnsetType = UNSET
    """MCP servers the agent has to connect to while the session is live."""

    system_prompt: SystemPrompt | None | UnsetType = UNSET
    """Instructions at system level for the fork. `null` is the same as leaving it out: the agent then uses a
    prompt it kept, or its defaults. MUST NOT be sent unless `sessionCapabilities.systemPrompt` is advertised;
    SHOULD equal the source session's value. Gate: `sessionCapabilities.systemPrompt`. Unstable: RFD
    system-prompt (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ForkSessionResponse(Struct, kw_only=True, rename="camel"):
    """Answer to `session/fork`: the id of the copy, and its first state. Unstable: RFD session-fork (draft)."""

    session_id: SessionId
    """Id of the session that the fork produced."""

    modes: SessionModeState | None | UnsetType = UNSET
    """Modes of the session and which one it starts in; sent by agents that have modes."""

    config_options: Sequence[SessionConfigOption] | None | UnsetType = UNSET
    """Settings the session offers, with their starting values; sent by agents that have such settings."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CloseSessionRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to close an open session. It MUST cancel running work, just like `session/cancel`, and then
    release the resources of the session.
    """

    session_id: SessionId
    """Session the call is about."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CloseSessionResponse(Struct, kw_only=True, rename="camel"):
    """Confirms that the session was closed; carries no data."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class DeleteSessionRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to remove a session from the results of `session/list`. Deleting it again also succeeds. A
    deleted session may still run.
    """

    session_id: SessionId
    """Session the call is about."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class DeleteSessionResponse(Struct, kw_only=True, rename="camel"):
    """Confirms that the session was deleted; carries no data."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ArchiveSessionRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to hide a session from default listings, keeping its id and history. Work in progress MUST be
    cancelled and resources freed first, just like `session/close`. Repeating it succeeds; an unknown session
    gives `-32002`. Unstable: RFD session-archive (draft).
    """

    session_id: SessionId
    """Session the call is about."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ArchiveSessionResponse(Struct, kw_only=True, rename="camel"):
    """Confirms that the session was moved to the archive; carries no data. Unstable: RFD session-archive (draft)."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class UnarchiveSessionRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to list an archived session by default again, id and history unchanged, without opening it.
    SHOULD precede `session/load` or `session/resume` of an archived session. Succeeds if it was not archived;
    an unknown session gives `-32002`. Unstable: RFD session-archive (draft).
    """

    session_id: SessionId
    """Session the call is about."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class UnarchiveSessionResponse(Struct, kw_only=True, rename="camel"):
    """Confirms that the session was taken out of the archive; carries no data. Unstable: RFD session-archive
    (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionStatusRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent what state a session is in. It MUST have no side effects: the session is neither opened nor
    changed, nor is the caller attached to it. An unknown session gives `-32002`, with its `sessionId` in
    `data`. Unstable: RFD session-status (draft).
    """

    session_id: SessionId
    """Session the call is about."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionStatusResponse(Struct, kw_only=True, rename="camel"):
    """Answer to `session/status`. It can be outdated immediately: an `open` session may be closed or evicted
    before the client's next call. Unstable: RFD session-status (draft).
    """

    status: SessionStatus
    """States whether the agent has the session in memory. An unfamiliar value MUST be read as `saved`."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetSessionTitleRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to rename a session, open or not, that `session/list` could return. The answer comes once the
    title is stored; afterwards a generated title SHOULD NOT displace it. An unknown session gives `-32002`.
    Unstable: RFD session-title (draft).
    """

    session_id: SessionId
    """Session the call is about."""

    title: str
    """New title; neither `null` nor leaving it out is valid. The agent MAY tidy it first, such as by trimming or
    shortening, and answers `-32602` if it is unacceptable, for instance empty after that.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetSessionTitleResponse(Struct, kw_only=True, rename="camel"):
    """Answer to `session/set_title`: the title now in force. Unstable: RFD session-title (draft)."""

    title: str
    """Title as stored, which may be a cleaned-up form of what was asked for. Clients SHOULD show this one and not
    their own.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetSessionModeRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to put a session into another mode."""

    session_id: SessionId
    """Session the call is about."""

    mode_id: SessionModeId
    """Mode to switch to, one of those the agent listed for the session."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetSessionModeResponse(Struct, kw_only=True, rename="camel"):
    """Confirms that the session was switched to the mode asked for; carries no data."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetSessionConfigOptionRequestBoolean(Struct, kw_only=True, rename="camel", tag_field="type", tag="boolean"):
    """New setting for an on/off option, marked by `type` being `boolean`."""

    session_id: SessionId
    """Session the call is about."""

    config_id: SessionConfigId
    """Option to change."""

    value: bool
    """`true` switches the option on, `false` off."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetSessionConfigOptionRequestValueId(Struct, kw_only=True, rename="camel"):
    """New setting named by the id of one of the option's values. Applies when `type` is left out, and also for a
    `type` not known as long as `value` is a string.
    """

    session_id: SessionId
    """Session the call is about."""

    config_id: SessionConfigId
    """Option to change."""

    value: SessionConfigValueId
    """Id of the value to select."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    type: Any | UnsetType = UNSET


class SetSessionConfigOptionResponse(Struct, kw_only=True, rename="camel"):
    """Answer to `session/set_config_option`: all settings after the change."""

    config_options: Sequence[SessionConfigOption]
    """Every setting of the session with its current value, not only the one that was changed."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PromptRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to work on a message from the user, given with any context that belongs to it."""

    session_id: SessionId
    """Session the call is about."""

    prompt: Sequence[ContentBlock]
    """The message as content blocks. Agents MUST take `text` and `resource_link`; the client MUST offer other
    kinds only as far as `promptCapabilities` allows. Context MAY be linked or embedded; embedded `resource` is
    better, since it saves a fetch and covers sources the agent cannot reach.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PromptResponse(Struct, kw_only=True, rename="camel"):
    """Answer to `session/prompt` at the end of the turn, with the stop reason and the usage."""

    stop_reason: StopReason
    """Reason for the end of the turn."""

    usage: Usage | None | UnsetType = UNSET
    """Tokens used, if the agent counts them. Unstable: RFD prompt-usage (draft)."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Usage(Struct, kw_only=True, rename="camel"):
    """Token counts reported at the end of a prompt turn. Unstable: RFD prompt-usage (draft)."""

    total_tokens: Annotated[int, Meta(ge=0)]
    """Sum of all tokens of the session."""

    input_tokens: Annotated[int, Meta(ge=0)]
    """Tokens given to the model, summed over the turns so far."""

    output_tokens: Annotated[int, Meta(ge=0)]
    """Tokens produced by the model, summed over the turns so far."""

    thought_tokens: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """Tokens the model spent on reasoning."""

    cached_read_tokens: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """Tokens read from the prompt cache."""

    cached_write_tokens: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """Tokens written to the prompt cache."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CancelNotification(Struct, kw_only=True, rename="camel"):
    """Asks the agent to stop all work in a session."""

    session_id: SessionId
    """Session whose work the agent stops."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionNotification(Struct, kw_only=True, rename="camel"):
    """Announces a change of a session, such as output or progress during a prompt turn."""

    session_id: SessionId
    """Session the update is about."""

    update: SessionUpdate
    """The change of the session."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class UserMessageChunk(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="user_message_chunk"):
    """Next piece of a message from the user."""

    content: ContentBlock
    """Content block that this piece consists of."""

    message_id: MessageId | None | UnsetType = UNSET
    """Message the piece is part of: all its pieces have the same id, and a different id means that another message
    has begun.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AgentMessageChunk(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="agent_message_chunk"):
    """Next piece of the agent's reply."""

    content: ContentBlock
    """Content block that this piece consists of."""

    message_id: MessageId | None | UnsetType = UNSET
    """Message the piece is part of: all its pieces have the same id, and a different id means that another message
    has begun.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AgentThoughtChunk(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="agent_thought_chunk"):
    """Next piece of the agent's reasoning."""

    content: ContentBlock
    """Content block that this piece consists of."""

    message_id: MessageId | None | UnsetType = UNSET
    """Message the piece is part of: all its pieces have the same id, and a different id means that another message
    has begun.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ToolCall(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="tool_call"):
    """Action that the model requested and the agent performs, such as reading a file, running code or fetching
    data.
    """

    tool_call_id: ToolCallId
    """Id of the tool call, unique inside its session."""

    title: str
    """Description of the call for the user."""

    name: str | None | UnsetType = UNSET
    """Name of the tool as programs know it. Null is the same as leaving it out: no name is known."""

    kind: ToolKind | UnsetType = UNSET
    """Kind of tool, by which a client can select an icon and a presentation."""

    status: ToolCallStatus | UnsetType = UNSET
    """Status of the call."""

    content: Sequence[ToolCallContent] | UnsetType = UNSET
    """Output of the call, for display."""

    locations: list[ToolCallLocation] | UnsetType = UNSET
    """Places in files that the call reads or changes, so that a client can follow the agent."""

    raw_input: Any | UnsetType = UNSET
    """Arguments as the tool received them: any JSON value."""

    raw_output: Any | UnsetType = UNSET
    """Result as the tool returned it: any JSON value."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ToolCallProgress(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="tool_call_update"):
    """A known tool call has progressed or delivered results."""

    tool_call_id: ToolCallId
    """Tool call the changes apply to."""

    kind: ToolKind | None | UnsetType = UNSET
    """New category of the tool."""

    status: ToolCallStatus | None | UnsetType = UNSET
    """New stage of execution."""

    title: str | None | UnsetType = UNSET
    """New title shown to the user."""

    name: str | None | UnsetType = UNSET
    """New name of the tool for programs. Null is the same as leaving it out: the name stays as it was."""

    content: Sequence[ToolCallContent] | None | UnsetType = UNSET
    """New list of content, taking the place of the whole previous list."""

    locations: list[ToolCallLocation] | None | UnsetType = UNSET
    """New list of file locations, taking the place of the whole previous list."""

    raw_input: Any | UnsetType = UNSET
    """New input of the tool: any JSON value."""

    raw_output: Any | UnsetType = UNSET
    """New output of the tool: any JSON value."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Plan(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="plan"):
    """The agent's plan for the current work, shown to the user as a list of entries; it may change while the work
    goes on.
    """

    entries: list[PlanEntry]
    """All entries of the plan with their present status. Every update must be complete, since the client discards
    the plan it had before.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanUpdate(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="plan_update"):
    """Announces new content for the plan whose `planId` it carries. Unstable: RFD plan-updates (draft)."""

    plan: PlanUpdateContent
    """New content, together with the id of the plan it belongs to."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanRemoved(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="plan_removed"):
    """Announces that the plan named by `planId` no longer exists. Unstable: RFD plan-updates (draft)."""

    plan_id: PlanId
    """Plan that was removed."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AvailableCommandsUpdate(
    Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="available_commands_update"
):
    """Announces the session's commands, at first and whenever they change."""

    available_commands: list[AvailableCommand]
    """Every command that can be invoked from now on."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CurrentModeUpdate(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="current_mode_update"):
    """Announces that the session now runs in another mode."""

    current_mode_id: SessionModeId
    """Mode the session is in from now on."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ConfigOptionUpdate(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="config_option_update"):
    """Announces a change in the session's configuration options."""

    config_options: Sequence[SessionConfigOption]
    """All configuration options, including unchanged ones, each with its current value."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionInfoUpdate(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="session_info_update"):
    """Announces changed session metadata, such as the title. Fields that are left out keep their value."""

    title: str | None | UnsetType = UNSET
    """Session title to show to the user; null clears it."""

    updated_at: str | None | UnsetType = UNSET
    """Time of the last activity, in ISO 8601; null clears it."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class UsageUpdate(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="usage_update"):
    """Announces the use of the context window and the cost of the session."""

    used: Annotated[int, Meta(ge=0)]
    """Number of tokens in the context."""

    size: Annotated[int, Meta(ge=0)]
    """Capacity of the context window, in tokens."""

    cost: Cost | None | UnsetType = UNSET
    """Cost of the session so far; absent or null if the agent does not report it."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Notice(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="notice"):
    """A message to the user about something happening right now. It is not part of the session history and the
    agent must not count on anyone seeing it. MUST NOT be sent unless the client advertised `session.notices`;
    an agent message can be used instead.
    """

    severity: NoticeSeverity
    """Severity of the notice, as a hint for presentation."""

    title: Annotated[str, Meta(min_length=1)]
    """Plain text, never empty, that makes sense even when shown without the description."""

    description: str | None | UnsetType = UNSET
    """Further plain text, such as details or advice. Null or absent means none."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CompactionUpdate(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="compaction_update"):
    """Creates or patches a context compaction; its first update fixes its place in the timeline. MUST NOT be sent
    unless the client advertised `session.compaction`. Of `summary`, `error` and `_meta`, those left out stay as
    they are and those set to null are cleared.
    """

    compaction_id: CompactionId
    """Compaction to create or patch; the agent picks the id, unique in the session."""

    status: CompactionStatus
    """State the compaction is in now."""

    summary: Sequence[ContentBlock] | None | UnsetType = UNSET
    """Summary for display, replacing all of the earlier one. Absent keeps it; null or an empty array clears it."""

    error: str | None | UnsetType = UNSET
    """Error message for the user. Absent keeps the earlier text; null clears it."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CompactionSummaryChunk(
    Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="compaction_summary_chunk"
):
    """Adds one content block to a compaction's summary, in order of arrival. An id not seen before creates a
    compaction that is in progress. MUST NOT be sent unless the client advertised `session.compaction`.
    """

    compaction_id: CompactionId
    """Compaction whose summary grows."""

    content: ContentBlock
    """Block to put at the end of the summary."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SubagentUpdate(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="subagent_update"):
    """Announces or patches a child session owned by the session it is sent on. For a new `sessionId` it MUST
    precede all live traffic of the child and every live message naming it. Absent fields keep their value, null
    clears them. The client receives the child's events without loading, resuming or subscribing. Unstable: RFD
    subagents (draft).
    """

    session_id: SessionId
    """Opaque session id of the child in every message."""

    title: str | None | UnsetType = UNSET
    """Name the parent gives the child for display, not necessarily unique. Absent keeps it; null clears it, and
    the client then shows something of its own.
    """

    description: str | None | UnsetType = UNSET
    """Purpose of the child in the parent's words, for display; not a record of its instructions. Absent keeps it;
    null clears it, and the client then shows something of its own.
    """

    capabilities: SubagentSessionCapabilities | None | UnsetType = UNSET
    """Permitted actions of the client on this child; an object replaces the earlier one entirely. Absent keeps it;
    null withdraws every permission, and none is given until the first object. Reading is governed by the usual
    rules.
    """

    state: StateUpdate | None | UnsetType = UNSET
    """Activity of the child; an object replaces the earlier one entirely. Absent keeps it; null leaves the
    activity unconfirmed, as before the first report, which is neither `idle` nor `unknown`.
    """

    cwd: str | None | UnsetType = UNSET
    """Absolute path of the child's working directory, also where its terminals start by default and one of its
    roots. Absent keeps it; null clears it, and the one in force for the immediate parent applies.
    """

    additional_directories: list[str] | None | UnsetType = UNSET
    """Absolute paths of further workspace roots; an array replaces the earlier list, which may be empty. Absent
    keeps it; null clears it, and the list in force for the immediate parent applies, whatever `cwd` says.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionMessage(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="session_message"):
    """Creates or patches a message that one session sends to another. Unstable: RFD subagents (draft)."""

    message_id: MessageId
    """Id of the message in the transcript of the session this update is sent on."""

    sender_session_id: SessionId | None | UnsetType = UNSET
    """Session the message comes from. Absent keeps the earlier value; null clears it."""

    recipient_session_id: SessionId | None | UnsetType = UNSET
    """Session the message goes to. Absent keeps the earlier value; null clears it."""

    sender_message_id: MessageId | None | UnsetType = UNSET
    """For a received message, its id in the transcript of the sender; may become known only after streaming began.
    Absent keeps the earlier value; null clears it.
    """

    recipient_message_id: MessageId | None | UnsetType = UNSET
    """For a sent message, its id in the transcript of the recipient; may become known only after streaming began.
    Absent keeps the earlier value; null clears it.
    """

    content: Sequence[ContentBlock] | None | UnsetType = UNSET
    """The message's content blocks, replacing all earlier ones. Absent keeps them; null or an empty array clears
    them.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionMessageChunk(Struct, kw_only=True, rename="camel", tag_field="sessionUpdate", tag="session_message_chunk"):
    """Streams one more block of a message between sessions. `session_message` updates name the sender and the
    receiver, before, during or after the stream. Unstable: RFD subagents (draft).
    """

    message_id: MessageId
    """Id of the message in the transcript of the session this update is sent on."""

    content: ContentBlock
    """Block to put at the end of the message."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ContentChunk(Struct, kw_only=True, rename="camel"):
    """Piece of a message that is sent in pieces."""

    content: ContentBlock
    """Content block that this piece consists of."""

    message_id: MessageId | None | UnsetType = UNSET
    """Message the piece is part of: all its pieces have the same id, and a different id means that another message
    has begun.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Content(Struct, kw_only=True, rename="camel", tag_field="type", tag="content"):
    """Wraps an ordinary content block as output of a tool call."""

    content: ContentBlock
    """The wrapped block."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Diff(Struct, kw_only=True, rename="camel", tag_field="type", tag="diff"):
    """A change to one file, for the client to show as a diff."""

    path: str
    """Absolute path of the changed file."""

    new_text: str
    """Text after the change."""

    old_text: str | None | UnsetType = UNSET
    """Text before the change. For a new file it is null or left out."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Terminal(Struct, kw_only=True, rename="camel", tag_field="type", tag="terminal"):
    """Shows a terminal opened by `terminal/create` within a tool call. It has to be embedded before
    `terminal/release` is called.
    """

    terminal_id: TerminalId
    """Terminal to show."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ToolCallLocation(Struct, kw_only=True, rename="camel"):
    """A place in a file that a tool reads or changes; lets the client follow the agent's work as it happens."""

    path: str
    """Absolute path of the file in question."""

    line: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """Line in the file, counted from 1."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ToolCallUpdate(Struct, kw_only=True, rename="camel"):
    """Changes to a tool call reported earlier, such as progress or results. Only `toolCallId` is required;
    properties that have not changed can be left out.
    """

    tool_call_id: ToolCallId
    """Tool call the changes apply to."""

    kind: ToolKind | None | UnsetType = UNSET
    """New category of the tool."""

    status: ToolCallStatus | None | UnsetType = UNSET
    """New stage of execution."""

    title: str | None | UnsetType = UNSET
    """New title shown to the user."""

    name: str | None | UnsetType = UNSET
    """New name of the tool for programs. Null is the same as leaving it out: the name stays as it was."""

    content: Sequence[ToolCallContent] | None | UnsetType = UNSET
    """New list of content, taking the place of the whole previous list."""

    locations: list[ToolCallLocation] | None | UnsetType = UNSET
    """New list of file locations, taking the place of the whole previous list."""

    raw_input: Any | UnsetType = UNSET
    """New input of the tool: any JSON value."""

    raw_output: Any | UnsetType = UNSET
    """New output of the tool: any JSON value."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanEntry(Struct, kw_only=True, rename="camel"):
    """One step of a plan for the user's request."""

    content: str
    """Purpose of the step, for the user."""

    priority: PlanEntryPriority
    """Priority of the step among the steps of its plan."""

    status: PlanEntryStatus
    """Status of the step."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanItems(Struct, kw_only=True, rename="camel", tag_field="type", tag="items"):
    """A plan in the form of a list of entries. Unstable: RFD plan-updates (draft)."""

    plan_id: PlanId
    """Plan that this content belongs to."""

    entries: list[PlanEntry]
    """All entries of this plan with their present status. Every update must be complete, since the client discards
    the entries it had for this plan.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanFile(Struct, kw_only=True, rename="camel", tag_field="type", tag="file"):
    """A plan in a file. Unstable: RFD plan-updates (draft)."""

    plan_id: PlanId
    """Plan that this content belongs to."""

    uri: str
    """URI of the plan file."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PlanMarkdown(Struct, kw_only=True, rename="camel", tag_field="type", tag="markdown"):
    """A plan in the form of Markdown text. Unstable: RFD plan-updates (draft)."""

    plan_id: PlanId
    """Plan that this content belongs to."""

    content: str
    """The plan's text, in Markdown."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class AvailableCommand(Struct, kw_only=True, rename="camel"):
    """A command of the agent that the user can invoke in a prompt."""

    name: str
    """Name by which the command is invoked, such as `create_plan`."""

    description: str
    """Explains the effect of the command to the user."""

    input: AvailableCommandInput | None | UnsetType = UNSET
    """Input of the command; absent or null if it takes none."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class UnstructuredCommandInput(Struct, kw_only=True, rename="camel"):
    """Input of a command that takes the rest of the typed text unchanged."""

    hint: str
    """Placeholder text to show while the user has typed no input."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class Cost(Struct, kw_only=True, rename="camel"):
    """Cost of a session so far."""

    amount: int | float
    """Cost summed up since the session began, in units of `currency`."""

    currency: str
    """Unit of `amount`: an ISO 4217 code such as `EUR` for money, otherwise a unit name such as `credits`."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SubagentSessionCapabilities(Struct, kw_only=True, rename="camel"):
    """Operations that the client may use on one subagent session. Each must be granted here for this child, even
    if the agent supports the method for ordinary sessions. Unstable: RFD subagents (draft).
    """

    cancel: SessionCancelCapabilities | None | UnsetType = UNSET
    """With an object, even `{}`, the client may cancel what the child is working on; the session itself stays
    open. Null is the same as leaving it out: not allowed.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionCancelCapabilities(Struct, kw_only=True, rename="camel"):
    """Advertised as `{}`, promises that the work of a subagent session can be cancelled while the session lives
    on. Null or absent promises nothing. Unstable: RFD subagents (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class RunningStateUpdate(Struct, kw_only=True, rename="camel", tag_field="state", tag="running"):
    """State of a child that is working in the foreground. Unstable: RFD subagents (draft)."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    stop_reason: Any | UnsetType = UNSET


class IdleStateUpdateStopReason(Struct, kw_only=True, rename="camel", tag_field="state", tag="idle"):
    """The child is free to take the next prompt. Unstable: RFD subagents (draft)."""

    stop_reason: Literal["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"]
    """Why the child's foreground work came to a stop; the value also decides which further fields may appear. Null
    or a malformed value is the same as leaving it out: not reported.
    """

    usage: Usage | None | UnsetType = UNSET
    """Tokens spent on the foreground work that just ended. Null is the same as leaving it out: not reported.
    Unstable: RFD prompt-usage (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class IdleStateUpdateError(Struct, kw_only=True, rename="camel", tag_field="state", tag="idle"):
    """The child is free to take the next prompt. Unstable: RFD subagents (draft)."""

    stop_reason: Literal["error"] = "error"
    """Why the child's foreground work came to a stop; the value also decides which further fields may appear. Null
    or a malformed value is the same as leaving it out: not reported.
    """

    usage: Usage | None | UnsetType = UNSET
    """Tokens spent on the foreground work that just ended. Null is the same as leaving it out: not reported.
    Unstable: RFD prompt-usage (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    error: Error | None | UnsetType = UNSET
    """JSON-RPC error object that describes the failure. Agents SHOULD send it; null is the same as leaving it out:
    no details are reported.
    """


class IdleStateUpdateNone(Struct, kw_only=True, rename="camel", tag_field="state", tag="idle"):
    """The child is free to take the next prompt. Unstable: RFD subagents (draft)."""

    usage: Usage | None | UnsetType = UNSET
    """Tokens spent on the foreground work that just ended. Null is the same as leaving it out: not reported.
    Unstable: RFD prompt-usage (draft).
    """

    stop_reason: None | UnsetType = UNSET
    """Why the child's foreground work came to a stop; the value also decides which further fields may appear. Null
    or a malformed value is the same as leaving it out: not reported.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class RequiresActionStateUpdate(Struct, kw_only=True, rename="camel", tag_field="state", tag="requires_action"):
    """State of a child that cannot go on until the user does something. Unstable: RFD subagents (draft)."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    stop_reason: Any | UnsetType = UNSET


class UnknownStateUpdate(Struct, kw_only=True, rename="camel", tag_field="state", tag="unknown"):
    """State of a child whose activity can no longer be observed; mere silence is no ground for it. The client MUST
    NOT go on showing the earlier state as confirmed, except as the last one known. It ends no work or session,
    settles no pending request and withdraws no capability. Unstable: RFD subagents (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    stop_reason: Any | UnsetType = UNSET


class ErrorStopReason(Struct, kw_only=True):
    """Additional fields of the stop reason `error`: the failure of the child's foreground work. Unstable: RFD
    subagents (draft).
    """

    error: Error | None | UnsetType = UNSET
    """JSON-RPC error object that describes the failure. Agents SHOULD send it; null is the same as leaving it out:
    no details are reported.
    """


class Error(Struct, kw_only=True):
    """Error of a failed call, in the form JSON-RPC 2.0 defines."""

    code: ErrorCode
    """Integer that names the kind of error, as JSON-RPC requires."""

    message: str
    """The failure, in one brief sentence."""

    data: Any | UnsetType = UNSET
    """Details of the error, of any JSON type, for example for debugging."""


class RequestPermissionRequest(Struct, kw_only=True, rename="camel"):
    """Asks the client to let the user decide whether a sensitive tool call may go ahead."""

    session_id: SessionId
    """Session the call is about."""

    tool_call: ToolCallUpdate
    """Tool call that awaits the decision."""

    options: list[PermissionOption]
    """Options that the user can select."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class PermissionOption(Struct, kw_only=True, rename="camel"):
    """One option of a permission request."""

    option_id: PermissionOptionId
    """Opaque id of this option, unique among the options."""

    name: str
    """Label of the option, for people to read."""

    kind: PermissionOptionKind
    """Meaning of the option, as a hint for its presentation."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class RequestPermissionResponse(Struct, kw_only=True, rename="camel"):
    """Contains the outcome of the permission request."""

    outcome: RequestPermissionOutcome
    """The user's choice, or that the turn was cancelled first."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class RequestPermissionOutcomeCancelled(Struct, kw_only=True, tag_field="outcome", tag="cancelled"):
    """The user had not yet chosen when the turn was cancelled. After sending `session/cancel`, a client MUST
    answer each open `session/request_permission` of that turn this way.
    """


class SelectedPermissionOutcome(Struct, kw_only=True, rename="camel", tag_field="outcome", tag="selected"):
    """The option that the user selected."""

    option_id: PermissionOptionId
    """Id of the selected option, from the list in the request."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ReadTextFileRequest(Struct, kw_only=True, rename="camel"):
    """Asks the client for the text of a file, whole or in part; needs `fs.readTextFile`."""

    session_id: SessionId
    """Session the call is about."""

    path: str
    """Absolute path of the file."""

    line: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """First line to return, counted from 1."""

    limit: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """Upper bound on the number of lines returned."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ReadTextFileResponse(Struct, kw_only=True, rename="camel"):
    """Contains the text of the file."""

    content: str
    """Text of the file, or of the lines asked for."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class WriteTextFileRequest(Struct, kw_only=True, rename="camel"):
    """Asks the client to store text in a file; needs `fs.writeTextFile`."""

    session_id: SessionId
    """Session the call is about."""

    path: str
    """Absolute path of the file that receives the text."""

    content: str
    """Complete new text of the file."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class WriteTextFileResponse(Struct, kw_only=True, rename="camel"):
    """Confirms that the file was written; carries no data."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CreateTerminalRequest(Struct, kw_only=True, rename="camel"):
    """Asks the client to open a terminal and start a command in it."""

    session_id: SessionId
    """Session the call is about."""

    command: str
    """Program to run."""

    args: list[str] | UnsetType = UNSET
    """Arguments passed to the program, in order."""

    env: list[EnvVariable] | UnsetType = UNSET
    """Environment variables to set for the program."""

    cwd: str | None | UnsetType = UNSET
    """Directory the program starts in, as an absolute path."""

    output_byte_limit: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """Most output to keep, in bytes. Beyond it the client drops the oldest output, and it MUST cut between
    characters so that the rest is a valid string, even if that keeps a little less.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CreateTerminalResponse(Struct, kw_only=True, rename="camel"):
    """Contains the id of the new terminal."""

    terminal_id: TerminalId
    """Id by which later `terminal/*` calls refer to this terminal."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TerminalOutputRequest(Struct, kw_only=True, rename="camel"):
    """Asks the client for the output of a terminal so far, and whether its command has ended."""

    session_id: SessionId
    """Session the call is about."""

    terminal_id: TerminalId
    """Terminal whose output the client returns."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TerminalOutputResponse(Struct, kw_only=True, rename="camel"):
    """Contains the output of a terminal so far, and the exit status of a command that has ended."""

    output: str
    """Output that the client has kept so far."""

    truncated: bool
    """`true` when part of the output was dropped to stay within the byte limit."""

    exit_status: TerminalExitStatus | None | UnsetType = UNSET
    """Exit status of the command; `null` or absent while it runs."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TerminalExitStatus(Struct, kw_only=True, rename="camel"):
    """Exit status of a terminal's command."""

    exit_code: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """Exit code of the process; can be `null` when a signal ended it."""

    signal: str | None | UnsetType = UNSET
    """Name of the signal that ended the process; can be `null` when it exited by itself."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class WaitForTerminalExitRequest(Struct, kw_only=True, rename="camel"):
    """Asks the client to answer once the command in a terminal has ended."""

    session_id: SessionId
    """Session the call is about."""

    terminal_id: TerminalId
    """Terminal whose command the client waits for."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class WaitForTerminalExitResponse(Struct, kw_only=True, rename="camel"):
    """Reports how the command ended."""

    exit_code: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """Exit code of the process; can be `null` when a signal ended it."""

    signal: str | None | UnsetType = UNSET
    """Name of the signal that ended the process; can be `null` when it exited by itself."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class KillTerminalRequest(Struct, kw_only=True, rename="camel"):
    """Asks the client to stop the command in a terminal; the terminal itself stays valid until released."""

    session_id: SessionId
    """Session the call is about."""

    terminal_id: TerminalId
    """Terminal whose command the client stops."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class KillTerminalResponse(Struct, kw_only=True, rename="camel"):
    """Confirms that the command was killed; carries no data."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ReleaseTerminalRequest(Struct, kw_only=True, rename="camel"):
    """Asks the client to release a terminal and all its resources."""

    session_id: SessionId
    """Session the call is about."""

    terminal_id: TerminalId
    """Terminal to release."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ReleaseTerminalResponse(Struct, kw_only=True, rename="camel"):
    """Confirms that the terminal was released; carries no data."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CreateElicitationRequestFormSession(Struct, kw_only=True, rename="camel", tag_field="mode", tag="form"):
    """The client builds a form from a schema and returns the user's input."""

    message: str
    """Explains to the user which input is requested, and why."""

    requested_schema: ElicitationSchema
    """Fields of the form and the rules for their values, as a restricted JSON Schema."""

    session_id: SessionId
    """Session that the input belongs to."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    tool_call_id: ToolCallId | None | UnsetType = UNSET
    """Tool call on whose behalf input is asked for. Null is the same as leaving it out: only the session counts."""


class CreateElicitationRequestFormRequest(Struct, kw_only=True, rename="camel", tag_field="mode", tag="form"):
    """The client builds a form from a schema and returns the user's input."""

    message: str
    """Explains to the user which input is requested, and why."""

    requested_schema: ElicitationSchema
    """Fields of the form and the rules for their values, as a restricted JSON Schema."""

    request_id: RequestId
    """Id of the request that the input belongs to."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CreateElicitationRequestUrlSession(Struct, kw_only=True, rename="camel", tag_field="mode", tag="url"):
    """The client sends the user to a URL."""

    message: str
    """Explains to the user which input is requested, and why."""

    elicitation_id: ElicitationId
    """Id of this elicitation; `elicitation/complete` names it later."""

    url: str
    """Address the client should take the user to."""

    session_id: SessionId
    """Session that the input belongs to."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    tool_call_id: ToolCallId | None | UnsetType = UNSET
    """Tool call on whose behalf input is asked for. Null is the same as leaving it out: only the session counts."""


class CreateElicitationRequestUrlRequest(Struct, kw_only=True, rename="camel", tag_field="mode", tag="url"):
    """The client sends the user to a URL."""

    message: str
    """Explains to the user which input is requested, and why."""

    elicitation_id: ElicitationId
    """Id of this elicitation; `elicitation/complete` names it later."""

    url: str
    """Address the client should take the user to."""

    request_id: RequestId
    """Id of the request that the input belongs to."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ElicitationFormModeSession(Struct, kw_only=True, rename="camel"):
    """Used when the input belongs to a session, and perhaps to one of its tool calls."""

    requested_schema: ElicitationSchema
    """Fields of the form and the rules for their values, as a restricted JSON Schema."""

    session_id: SessionId
    """Session that the input belongs to."""

    tool_call_id: ToolCallId | None | UnsetType = UNSET
    """Tool call on whose behalf input is asked for. Null is the same as leaving it out: only the session counts."""


class ElicitationFormModeRequest(Struct, kw_only=True, rename="camel"):
    """Used when the input belongs to a single JSON-RPC request made outside any session, for instance while
    logging in.
    """

    requested_schema: ElicitationSchema
    """Fields of the form and the rules for their values, as a restricted JSON Schema."""

    request_id: RequestId
    """Id of the request that the input belongs to."""


class ElicitationSchema(Struct, kw_only=True, rename="camel"):
    """Form to fill in, as a JSON Schema object whose properties are all of simple types."""

    type: ElicitationSchemaType | UnsetType = UNSET
    """Always `object`. Default: `"object"`."""

    title: str | None | UnsetType = UNSET
    """Title of the form. Null is the same as leaving it out: no title."""

    properties: dict[str, ElicitationPropertySchema] | UnsetType = UNSET
    """Fields of the form by name; nested objects are not possible."""

    required: list[str] | None | UnsetType = UNSET
    """Names of the fields that must be filled in. Null is the same as leaving it out: none is mandatory."""

    description: str | None | UnsetType = UNSET
    """Purpose of the form. Null or absent means no description."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class StringPropertySchema(Struct, kw_only=True, rename="camel", tag_field="type", tag="string"):
    """Text field of a form. With `enum` or `oneOf` present it becomes a pick-one list instead of free text; the
    type remains `string`.
    """

    title: str | None | UnsetType = UNSET
    """Label to show for the field; null is the same as leaving it out."""

    description: str | None | UnsetType = UNSET
    """Explanatory text to show with the field; null is the same as leaving it out."""

    min_length: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """Shortest text accepted, as a string length; null or absent sets no lower limit."""

    max_length: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """Longest text accepted, as a string length; null or absent sets no upper limit."""

    pattern: str | None | UnsetType = UNSET
    """Pattern that the entered text has to satisfy; null or absent allows any text."""

    format: StringFormat | None | UnsetType = UNSET
    """Named syntax that the entered text has to follow; null or absent demands none."""

    default: str | None | UnsetType = UNSET
    """Text the field is prefilled with; null or absent leaves it empty."""

    enum: list[str] | None | UnsetType = UNSET
    """Values to pick one from when the choices have no labels of their own; null is the same as leaving it out."""

    one_of: list[EnumOption] | None | UnsetType = UNSET
    """Labelled choices to pick one from; null is the same as leaving it out."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class NumberPropertySchema(Struct, kw_only=True, rename="camel", tag_field="type", tag="number"):
    """Form field for a number that may have a fractional part."""

    title: str | None | UnsetType = UNSET
    """Label to show for the field; null is the same as leaving it out."""

    description: str | None | UnsetType = UNSET
    """Explanatory text to show with the field; null is the same as leaving it out."""

    minimum: int | float | None | UnsetType = UNSET
    """Smallest accepted number (inclusive); null or absent sets no lower limit."""

    maximum: int | float | None | UnsetType = UNSET
    """Largest accepted number (inclusive); null or absent sets no upper limit."""

    default: int | float | None | UnsetType = UNSET
    """Number the field is prefilled with; null or absent leaves it empty."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class IntegerPropertySchema(Struct, kw_only=True, rename="camel", tag_field="type", tag="integer"):
    """Form field for a whole number."""

    title: str | None | UnsetType = UNSET
    """Label to show for the field; null is the same as leaving it out."""

    description: str | None | UnsetType = UNSET
    """Explanatory text to show with the field; null is the same as leaving it out."""

    minimum: int | None | UnsetType = UNSET
    """Smallest accepted integer (inclusive); null or absent sets no lower limit."""

    maximum: int | None | UnsetType = UNSET
    """Largest accepted integer (inclusive); null or absent sets no upper limit."""

    default: int | None | UnsetType = UNSET
    """Whole number the field is prefilled with; null or absent leaves it empty."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class BooleanPropertySchema(Struct, kw_only=True, rename="camel", tag_field="type", tag="boolean"):
    """Form field for a yes-or-no answer."""

    title: str | None | UnsetType = UNSET
    """Label to show for the field; null is the same as leaving it out."""

    description: str | None | UnsetType = UNSET
    """Explanatory text to show with the field; null is the same as leaving it out."""

    default: bool | None | UnsetType = UNSET
    """State the field starts in; null or absent presets neither answer."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class MultiSelectPropertySchema(Struct, kw_only=True, rename="camel", tag_field="type", tag="array"):
    """Form field where the user may choose several values; the answer is an array."""

    items: MultiSelectItems
    """The values on offer."""

    title: str | None | UnsetType = UNSET
    """Label to show for the field; null is the same as leaving it out."""

    description: str | None | UnsetType = UNSET
    """Explanatory text to show with the field; null is the same as leaving it out."""

    min_items: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """Fewest choices the user has to make; null or absent sets no lower limit."""

    max_items: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """Most choices the user may make; null or absent sets no upper limit."""

    default: list[str] | None | UnsetType = UNSET
    """Values that start out selected; null or absent selects none."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class EnumOption(Struct, kw_only=True, rename="camel"):
    """One choice in a form field: the value that is sent back, plus the text shown for it."""

    const: str
    """Value returned when the user picks this choice."""

    title: str
    """Text shown to the user in place of the raw value."""

    description: str | None | UnsetType = UNSET
    """Longer explanation of the choice for the user; null is the same as leaving it out."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class StringMultiSelectItems(Struct, kw_only=True, rename="camel", tag_field="type", tag="string"):
    """Unlabelled string choices of a field that takes several answers."""

    enum: list[str]
    """Strings the user can choose from."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TitledMultiSelectItems(Struct, kw_only=True, rename="camel"):
    """Labelled choices of a field that takes several answers."""

    any_of: list[EnumOption]
    """The choices, each a value with its label."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    type: Any | UnsetType = UNSET


class ElicitationSessionScope(Struct, kw_only=True, rename="camel"):
    """Binds an elicitation to a session. With `toolCallId` it belongs to that tool call, for example when an MCP
    server asks for input in the middle of it.
    """

    session_id: SessionId
    """Session that the input belongs to."""

    tool_call_id: ToolCallId | None | UnsetType = UNSET
    """Tool call on whose behalf input is asked for. Null is the same as leaving it out: only the session counts."""


class ElicitationRequestScope(Struct, kw_only=True, rename="camel"):
    """Binds an elicitation to a JSON-RPC request outside any session, for example during authentication or
    configuration.
    """

    request_id: RequestId
    """Id of the request that the input belongs to."""


class ElicitationUrlModeSession(Struct, kw_only=True, rename="camel"):
    """Used when the input belongs to a session, and perhaps to one of its tool calls."""

    elicitation_id: ElicitationId
    """Id of this elicitation; `elicitation/complete` names it later."""

    url: str
    """Address the client should take the user to."""

    session_id: SessionId
    """Session that the input belongs to."""

    tool_call_id: ToolCallId | None | UnsetType = UNSET
    """Tool call on whose behalf input is asked for. Null is the same as leaving it out: only the session counts."""


class ElicitationUrlModeRequest(Struct, kw_only=True, rename="camel"):
    """Used when the input belongs to a single JSON-RPC request made outside any session, for instance while
    logging in.
    """

    elicitation_id: ElicitationId
    """Id of this elicitation; `elicitation/complete` names it later."""

    url: str
    """Address the client should take the user to."""

    request_id: RequestId
    """Id of the request that the input belongs to."""


class CreateElicitationResponseAccept(Struct, kw_only=True, rename="camel", tag_field="action", tag="accept"):
    """The user agreed and gave the answers in `content`."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""

    content: dict[str, ElicitationContentValue] | None | UnsetType = UNSET
    """Answers by field name, fitting the schema in the request; left out or `null` when there is nothing to hand
    over.
    """


class CreateElicitationResponseDecline(Struct, kw_only=True, rename="camel", tag_field="action", tag="decline"):
    """The user refused to answer."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CreateElicitationResponseCancel(Struct, kw_only=True, rename="camel", tag_field="action", tag="cancel"):
    """The elicitation ended without a decision by the user."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ElicitationAcceptAction(Struct, kw_only=True):
    """Agreement to an elicitation, with the answers given."""

    content: dict[str, ElicitationContentValue] | None | UnsetType = UNSET
    """Answers by field name, fitting the schema in the request; left out or `null` when there is nothing to hand
    over.
    """


class CompleteElicitationNotification(Struct, kw_only=True, rename="camel"):
    """Announces that the user's interaction behind a URL elicitation has ended."""

    elicitation_id: ElicitationId
    """Elicitation that has ended."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ListProvidersRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent which LLM providers can be configured and how each is set up. Unstable: RFD
    configurable-providers (draft).
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ListProvidersResponse(Struct, kw_only=True, rename="camel"):
    """Carries the LLM providers that can be configured. Unstable: RFD configurable-providers (draft)."""

    providers: list[ProviderInfo]
    """The providers, each with its present routing, in a form fit to be shown to the user."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ProviderInfo(Struct, kw_only=True, rename="camel"):
    """An LLM provider that the client can configure. Unstable: RFD configurable-providers (draft)."""

    provider_id: ProviderId
    """Id of the provider, such as `main` or `openai`."""

    supported: list[LlmProtocol]
    """API protocols that can be chosen for the provider."""

    required: bool
    """True when the agent cannot do without the provider; the client must then not send `providers/disable` for
    it.
    """

    current: ProviderCurrentConfig | None | UnsetType = UNSET
    """Routing in force, without secrets; null or absent means the provider is switched off."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ProviderCurrentConfig(Struct, kw_only=True, rename="camel"):
    """Current routing of requests to a provider, without secrets. Unstable: RFD configurable-providers (draft)."""

    api_type: LlmProtocol
    """API protocol in use for the provider."""

    base_url: str
    """Base URL that requests to the provider go to."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetProviderRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to configure one LLM provider. This replaces its previous configuration. Unstable: RFD
    configurable-providers (draft).
    """

    provider_id: ProviderId
    """Provider whose configuration is replaced."""

    api_type: LlmProtocol
    """API dialect the agent has to speak to this provider."""

    base_url: str
    """Base URL the agent sends its model requests to."""

    headers: dict[str, str] | UnsetType = UNSET
    """Complete set of HTTP headers by name, for instance for credentials or routing; earlier headers are not
    merged in.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SetProviderResponse(Struct, kw_only=True, rename="camel"):
    """Confirms that the provider's configuration was replaced. Unstable: RFD configurable-providers (draft)."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class DisableProviderRequest(Struct, kw_only=True, rename="camel"):
    """Asks the agent to switch off one LLM provider. Unstable: RFD configurable-providers (draft)."""

    provider_id: ProviderId
    """Provider to switch off."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class DisableProviderResponse(Struct, kw_only=True, rename="camel"):
    """Confirms that the provider is switched off. Unstable: RFD configurable-providers (draft)."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class MessageMcpRequest(Struct, kw_only=True, rename="camel"):
    """Asks the side that provides an MCP server over the ACP connection to handle one MCP request. Unstable: RFD
    mcp-over-acp (draft).
    """

    server_id: McpServerAcpId
    """MCP server, declared with ACP transport, that the request is for."""

    request_id: McpRequestId
    """Id of the wrapped MCP request, chosen by the caller."""

    method: str
    """MCP method to call on the server."""

    params: dict[str, Any] | None | UnsetType = UNSET
    """Parameters of the wrapped MCP call; null or absent passes none."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class MessageMcpResponseResult(Struct, kw_only=True, rename="camel"):
    """The MCP server answered with a result. Unstable: RFD mcp-over-acp (draft)."""

    result: Any
    """The server's result, passed on uninterpreted; the key must be there even when the value is `null`."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class MessageMcpResponseError(Struct, kw_only=True, rename="camel"):
    """The MCP server answered with an error. Unstable: RFD mcp-over-acp (draft)."""

    error: McpError
    """The server's error; must be an object, never `null`."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class McpError(Extensible):
    """An error reported by an MCP server, as opposed to an ACP failure in relaying the message. An absent `data`
    differs from `null`. Unstable: RFD mcp-over-acp (draft).
    """

    code: int
    """Error code from the MCP server; not to be read as one of ACP's codes."""

    message: str
    """Error text from the MCP server; never `null`."""

    data: Any | UnsetType = UNSET
    """Further details of the error. `null` is kept and differs from absence."""

    extra: dict[str, Any] = _field(default_factory=lambda: dict[str, Any]())
    """Undeclared properties by wire name."""


class MessageMcpNotification(Struct, kw_only=True, rename="camel"):
    """Relays an MCP notification from the server's provider to its consumer during a request, such as the update
    of a subscription. Being a notification, it bears no outer `id`. Unstable: RFD mcp-over-acp (draft).
    """

    server_id: McpServerAcpId
    """Id of the ACP-transport server that is handling the request."""

    request_id: McpRequestId
    """Id of the MCP request, still active, to which this belongs."""

    method: str
    """Name of the MCP method being relayed."""

    params: dict[str, Any] | None | UnsetType = UNSET
    """Params of the MCP message; `null` is the same as leaving them out, and the message then has none."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ProxySuccessorRequest(Struct, kw_only=True, rename="camel"):
    """Wraps one request: from a proxy, meant for its successor; from the conductor, coming from there. The inner
    result or error returns unaltered; the conductor's own failures are not wrapped. `$/cancel_request` with the
    outer id cancels it, on this connection only and never passed to the next hop. Unstable: RFD proxy-chains
    (draft).
    """

    method: str
    """Method of the request inside."""

    params: Any | UnsetType = UNSET
    """Params of the request inside, passed on as they are, its own `_meta` included; a given value MUST be an
    object or an array. `null` is the same as leaving it out: the request has none.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class ProxySuccessorNotification(Struct, kw_only=True, rename="camel"):
    """Wraps one notification: from a proxy, meant for its successor; from the conductor, coming from there.
    Unstable: RFD proxy-chains (draft).
    """

    method: str
    """Method of the notification inside."""

    params: Any | UnsetType = UNSET
    """Params of the notification inside, passed on as they are, its own `_meta` included; a given value MUST be an
    object or an array. `null` is the same as leaving it out: the notification has none.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class CancelRequestNotification(Struct, kw_only=True, rename="camel"):
    """Cancels a pending request of the sender."""

    request_id: RequestId
    """JSON-RPC id of the request to give up."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


AuthMethod: TypeAlias = AuthMethodTerminal | AuthMethodAgent
"""One way to log in. `type` is its kind; an entry without it has the kind `agent`.

- `AuthMethodTerminal` ("terminal"): Login in a terminal: the client starts the agent program separately and the
  user logs in there; exit status 0 means success, anything else failure.
- `AuthMethodAgent`: Login that the agent performs when `authenticate` is called.
"""
if not TYPE_CHECKING:

    class AuthMethod(metaclass=Marker):
        """One way to log in. `type` is its kind; an entry without it has the kind `agent`.

        - `AuthMethodTerminal` ("terminal"): Login in a terminal: the client starts the agent program separately
          and the user logs in there; exit status 0 means success, anything else failure.
        - `AuthMethodAgent`: Login that the agent performs when `authenticate` is called.
        """


McpServer: TypeAlias = McpServerHttp | McpServerSse | McpServerAcp | McpServerStdio
"""One MCP server, a source of tools and context for the agent; `type` selects the transport, and stdio has no
`type`.

- `McpServerHttp` ("http"): An MCP server reached over HTTP.
- `McpServerSse` ("sse"): An MCP server reached over server-sent events (SSE).
- `McpServerAcp` ("acp"): An MCP server offered by an ACP component; its traffic travels in `mcp/message` calls
  on the ACP connection.
- `McpServerStdio`: An MCP server the agent launches as a child process and talks to over stdin and stdout.
"""
if not TYPE_CHECKING:

    class McpServer(metaclass=Marker):
        """One MCP server, a source of tools and context for the agent; `type` selects the transport, and stdio has
        no `type`.

        - `McpServerHttp` ("http"): An MCP server reached over HTTP.
        - `McpServerSse` ("sse"): An MCP server reached over server-sent events (SSE).
        - `McpServerAcp` ("acp"): An MCP server offered by an ACP component; its traffic travels in
          `mcp/message` calls on the ACP connection.
        - `McpServerStdio`: An MCP server the agent launches as a child process and talks to over stdin and
          stdout.
        """


ContentBlock: TypeAlias = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource | UnknownVariant
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
if not TYPE_CHECKING:

    class ContentBlock(metaclass=Marker):
        """A unit of displayable content, used in `session/prompt`, in `session/update` and in tool call results.
        Shaped as in MCP, so that output of MCP tools can be passed on unchanged.

        - `TextContent` ("text"): Text for a language model, or from one.
        - `ImageContent` ("image"): Image for a language model, or from one.
        - `AudioContent` ("audio"): Audio for a language model, or from one.
        - `ResourceLink` ("resource_link"): A readable resource named by URI, as part of a prompt or of a tool's
          result, without its contents.
        - `EmbeddedResource` ("resource"): A resource carried in full inside a prompt or the result of a tool.
        - `UnknownVariant`: any other `type`, kept unchanged.
        """

        __supertype__ = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource


EmbeddedResourceResource: TypeAlias = TextResourceContents | BlobResourceContents
"""Contents of an embedded resource, as text or as bytes.

- `TextResourceContents`: A resource whose contents are text.
- `BlobResourceContents`: A resource whose contents are bytes.
"""
if not TYPE_CHECKING:

    class EmbeddedResourceResource(metaclass=Marker):
        """Contents of an embedded resource, as text or as bytes.

        - `TextResourceContents`: A resource whose contents are text.
        - `BlobResourceContents`: A resource whose contents are bytes.
        """


SessionConfigOption: TypeAlias = SessionConfigOptionSelect | SessionConfigOptionBoolean | UnknownVariant
"""One setting of a session that the user can change, with its current value.

- `SessionConfigOptionSelect` ("select"): Setting that takes exactly one value from a list.
- `SessionConfigOptionBoolean` ("boolean"): Setting that is either on or off.
- `UnknownVariant`: any other `type`, kept unchanged.
"""
if not TYPE_CHECKING:

    class SessionConfigOption(metaclass=Marker):
        """One setting of a session that the user can change, with its current value.

        - `SessionConfigOptionSelect` ("select"): Setting that takes exactly one value from a list.
        - `SessionConfigOptionBoolean` ("boolean"): Setting that is either on or off.
        - `UnknownVariant`: any other `type`, kept unchanged.
        """

        __supertype__ = SessionConfigOptionSelect | SessionConfigOptionBoolean


SetSessionConfigOptionRequest: TypeAlias = SetSessionConfigOptionRequestBoolean | SetSessionConfigOptionRequestValueId
"""Asks the agent to change one configuration option of a session.

- `SetSessionConfigOptionRequestBoolean` ("boolean"): New setting for an on/off option, marked by `type` being
  `boolean`.
- `SetSessionConfigOptionRequestValueId`: New setting named by the id of one of the option's values.
"""
if not TYPE_CHECKING:

    class SetSessionConfigOptionRequest(metaclass=Marker):
        """Asks the agent to change one configuration option of a session.

        - `SetSessionConfigOptionRequestBoolean` ("boolean"): New setting for an on/off option, marked by `type`
          being `boolean`.
        - `SetSessionConfigOptionRequestValueId`: New setting named by the id of one of the option's values.
        """


SessionUpdate: TypeAlias = (
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
    | UnknownVariant
)
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
if not TYPE_CHECKING:

    class SessionUpdate(metaclass=Marker):
        """One change of a session; `sessionUpdate` names its kind.

        - `UserMessageChunk` ("user_message_chunk"): Next piece of a message from the user.
        - `AgentMessageChunk` ("agent_message_chunk"): Next piece of the agent's reply.
        - `AgentThoughtChunk` ("agent_thought_chunk"): Next piece of the agent's reasoning.
        - `ToolCall` ("tool_call"): Action that the model requested and the agent performs, such as reading a
          file, running code or fetching data.
        - `ToolCallProgress` ("tool_call_update"): A known tool call has progressed or delivered results.
        - `Plan` ("plan"): The agent's plan for the current work, shown to the user as a list of entries; it may
          change while the work goes on.
        - `PlanUpdate` ("plan_update"): Announces new content for the plan whose `planId` it carries.
        - `PlanRemoved` ("plan_removed"): Announces that the plan named by `planId` no longer exists.
        - `AvailableCommandsUpdate` ("available_commands_update"): Announces the session's commands, at first
          and whenever they change.
        - `CurrentModeUpdate` ("current_mode_update"): Announces that the session now runs in another mode.
        - `ConfigOptionUpdate` ("config_option_update"): Announces a change in the session's configuration
          options.
        - `SessionInfoUpdate` ("session_info_update"): Announces changed session metadata, such as the title.
        - `UsageUpdate` ("usage_update"): Announces the use of the context window and the cost of the session.
        - `Notice` ("notice"): A message to the user about something happening right now.
        - `CompactionUpdate` ("compaction_update"): Creates or patches a context compaction; its first update
          fixes its place in the timeline.
        - `CompactionSummaryChunk` ("compaction_summary_chunk"): Adds one content block to a compaction's
          summary, in order of arrival.
        - `SubagentUpdate` ("subagent_update"): Announces or patches a child session owned by the session it is
          sent on.
        - `SessionMessage` ("session_message"): Creates or patches a message that one session sends to another.
        - `SessionMessageChunk` ("session_message_chunk"): Streams one more block of a message between sessions.
        - `UnknownVariant`: any other `sessionUpdate`, kept unchanged.
        """

        __supertype__ = (
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
        )


ToolCallContent: TypeAlias = Content | Diff | Terminal | UnknownVariant
"""One part of a tool call's output: a content block, a diff or a terminal.

- `Content` ("content"): Wraps an ordinary content block as output of a tool call.
- `Diff` ("diff"): A change to one file, for the client to show as a diff.
- `Terminal` ("terminal"): Shows a terminal opened by `terminal/create` within a tool call.
- `UnknownVariant`: any other `type`, kept unchanged.
"""
if not TYPE_CHECKING:

    class ToolCallContent(metaclass=Marker):
        """One part of a tool call's output: a content block, a diff or a terminal.

        - `Content` ("content"): Wraps an ordinary content block as output of a tool call.
        - `Diff` ("diff"): A change to one file, for the client to show as a diff.
        - `Terminal` ("terminal"): Shows a terminal opened by `terminal/create` within a tool call.
        - `UnknownVariant`: any other `type`, kept unchanged.
        """

        __supertype__ = Content | Diff | Terminal


PlanUpdateContent: TypeAlias = PlanItems | PlanFile | PlanMarkdown | UnknownVariant
"""New content of an identified plan, in the form that `type` names. Unstable: RFD plan-updates (draft).

- `PlanItems` ("items"): A plan in the form of a list of entries.
- `PlanFile` ("file"): A plan in a file.
- `PlanMarkdown` ("markdown"): A plan in the form of Markdown text.
- `UnknownVariant`: any other `type`, kept unchanged.
"""
if not TYPE_CHECKING:

    class PlanUpdateContent(metaclass=Marker):
        """New content of an identified plan, in the form that `type` names. Unstable: RFD plan-updates (draft).

        - `PlanItems` ("items"): A plan in the form of a list of entries.
        - `PlanFile` ("file"): A plan in a file.
        - `PlanMarkdown` ("markdown"): A plan in the form of Markdown text.
        - `UnknownVariant`: any other `type`, kept unchanged.
        """

        __supertype__ = PlanItems | PlanFile | PlanMarkdown


AvailableCommandInput: TypeAlias = UnstructuredCommandInput
"""Form in which a command takes its input.

- `UnstructuredCommandInput`: Input of a command that takes the rest of the typed text unchanged.
"""
if not TYPE_CHECKING:

    class AvailableCommandInput(metaclass=Marker):
        """Form in which a command takes its input.

        - `UnstructuredCommandInput`: Input of a command that takes the rest of the typed text unchanged.
        """


StateUpdate: TypeAlias = (
    RunningStateUpdate
    | IdleStateUpdateStopReason
    | IdleStateUpdateError
    | IdleStateUpdateNone
    | RequiresActionStateUpdate
    | UnknownStateUpdate
    | UnknownVariant
)
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
if not TYPE_CHECKING:

    class StateUpdate(metaclass=Marker):
        """Foreground activity of a child session, always reported as a whole. An idle child is not finished: its
        parent can send it more work, and background activity may still produce updates. Unstable: RFD subagents
        (draft).

        - `RunningStateUpdate` ("running"): State of a child that is working in the foreground.
        - `IdleStateUpdateStopReason` ("idle"): The child is free to take the next prompt.
        - `IdleStateUpdateError` ("idle"): The child is free to take the next prompt.
        - `IdleStateUpdateNone` ("idle"): The child is free to take the next prompt.
        - `RequiresActionStateUpdate` ("requires_action"): State of a child that cannot go on until the user
          does something.
        - `UnknownStateUpdate` ("unknown"): State of a child whose activity can no longer be observed; mere
          silence is no ground for it.
        - `UnknownVariant`: any other object, kept unchanged.
        """


IdleStateUpdate: TypeAlias = IdleStateUpdateStopReason | IdleStateUpdateError | IdleStateUpdateNone | UnknownVariant
"""State of a child that is free to take the next prompt. A `stopReason` that is absent, null or malformed says
nothing about why it stopped. Unstable: RFD subagents (draft).

- `IdleStateUpdateStopReason` ("idle"): The child is free to take the next prompt.
- `IdleStateUpdateError` ("idle"): The child is free to take the next prompt.
- `IdleStateUpdateNone` ("idle"): The child is free to take the next prompt.
- `UnknownVariant`: any other object, kept unchanged.
"""
if not TYPE_CHECKING:

    class IdleStateUpdate(metaclass=Marker):
        """State of a child that is free to take the next prompt. A `stopReason` that is absent, null or malformed
        says nothing about why it stopped. Unstable: RFD subagents (draft).

        - `IdleStateUpdateStopReason` ("idle"): The child is free to take the next prompt.
        - `IdleStateUpdateError` ("idle"): The child is free to take the next prompt.
        - `IdleStateUpdateNone` ("idle"): The child is free to take the next prompt.
        - `UnknownVariant`: any other object, kept unchanged.
        """


RequestPermissionOutcome: TypeAlias = RequestPermissionOutcomeCancelled | SelectedPermissionOutcome | UnknownVariant
"""Outcome of a permission request.

- `RequestPermissionOutcomeCancelled` ("cancelled"): The user had not yet chosen when the turn was cancelled.
- `SelectedPermissionOutcome` ("selected"): The option that the user selected.
- `UnknownVariant`: any other `outcome`, kept unchanged.
"""
if not TYPE_CHECKING:

    class RequestPermissionOutcome(metaclass=Marker):
        """Outcome of a permission request.

        - `RequestPermissionOutcomeCancelled` ("cancelled"): The user had not yet chosen when the turn was
          cancelled.
        - `SelectedPermissionOutcome` ("selected"): The option that the user selected.
        - `UnknownVariant`: any other `outcome`, kept unchanged.
        """

        __supertype__ = RequestPermissionOutcomeCancelled | SelectedPermissionOutcome


CreateElicitationRequest: TypeAlias = (
    CreateElicitationRequestFormSession
    | CreateElicitationRequestFormRequest
    | CreateElicitationRequestUrlSession
    | CreateElicitationRequestUrlRequest
    | UnknownVariant
)
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
if not TYPE_CHECKING:

    class CreateElicitationRequest(metaclass=Marker):
        """Asks the client to obtain input from the user, through a form or at a URL. It belongs either to a
        session (and perhaps a tool call in it) or to another request.

        - `CreateElicitationRequestFormSession` ("form"): The client builds a form from a schema and returns the
          user's input.
        - `CreateElicitationRequestFormRequest` ("form"): The client builds a form from a schema and returns the
          user's input.
        - `CreateElicitationRequestUrlSession` ("url"): The client sends the user to a URL.
        - `CreateElicitationRequestUrlRequest` ("url"): The client sends the user to a URL.
        - `UnknownVariant`: any other object, kept unchanged.
        """


ElicitationFormMode: TypeAlias = ElicitationFormModeSession | ElicitationFormModeRequest
"""Collects the user's input in a form that the client builds from a schema.

- `ElicitationFormModeSession`: Used when the input belongs to a session, and perhaps to one of its tool calls.
- `ElicitationFormModeRequest`: Used when the input belongs to a single JSON-RPC request made outside any
  session, for instance while logging in.
"""
if not TYPE_CHECKING:

    class ElicitationFormMode(metaclass=Marker):
        """Collects the user's input in a form that the client builds from a schema.

        - `ElicitationFormModeSession`: Used when the input belongs to a session, and perhaps to one of its tool
          calls.
        - `ElicitationFormModeRequest`: Used when the input belongs to a single JSON-RPC request made outside
          any session, for instance while logging in.
        """


ElicitationPropertySchema: TypeAlias = (
    StringPropertySchema
    | NumberPropertySchema
    | IntegerPropertySchema
    | BooleanPropertySchema
    | MultiSelectPropertySchema
    | UnknownVariant
)
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
if not TYPE_CHECKING:

    class ElicitationPropertySchema(metaclass=Marker):
        """One field of a form. Its JSON Schema `type` is the discriminator. A choice of one is a `string` with
        `enum` or `oneOf`; a choice of several is an `array`.

        - `StringPropertySchema` ("string"): Text field of a form.
        - `NumberPropertySchema` ("number"): Form field for a number that may have a fractional part.
        - `IntegerPropertySchema` ("integer"): Form field for a whole number.
        - `BooleanPropertySchema` ("boolean"): Form field for a yes-or-no answer.
        - `MultiSelectPropertySchema` ("array"): Form field where the user may choose several values; the answer
          is an array.
        - `UnknownVariant`: any other object, kept unchanged.
        """

        __supertype__ = (
            StringPropertySchema
            | NumberPropertySchema
            | IntegerPropertySchema
            | BooleanPropertySchema
            | MultiSelectPropertySchema
        )


MultiSelectItems: TypeAlias = StringMultiSelectItems | TitledMultiSelectItems | UnknownVariant
"""Selectable values of a field with several answers.

- `StringMultiSelectItems` ("string"): Unlabelled string choices of a field that takes several answers.
- `TitledMultiSelectItems`: Labelled choices of a field that takes several answers.
- `UnknownVariant`: any other object, kept unchanged.
"""
if not TYPE_CHECKING:

    class MultiSelectItems(metaclass=Marker):
        """Selectable values of a field with several answers.

        - `StringMultiSelectItems` ("string"): Unlabelled string choices of a field that takes several answers.
        - `TitledMultiSelectItems`: Labelled choices of a field that takes several answers.
        - `UnknownVariant`: any other object, kept unchanged.
        """


ElicitationUrlMode: TypeAlias = ElicitationUrlModeSession | ElicitationUrlModeRequest
"""Sends the user to a web address to give the input there, outside the client.

- `ElicitationUrlModeSession`: Used when the input belongs to a session, and perhaps to one of its tool calls.
- `ElicitationUrlModeRequest`: Used when the input belongs to a single JSON-RPC request made outside any
  session, for instance while logging in.
"""
if not TYPE_CHECKING:

    class ElicitationUrlMode(metaclass=Marker):
        """Sends the user to a web address to give the input there, outside the client.

        - `ElicitationUrlModeSession`: Used when the input belongs to a session, and perhaps to one of its tool
          calls.
        - `ElicitationUrlModeRequest`: Used when the input belongs to a single JSON-RPC request made outside any
          session, for instance while logging in.
        """


CreateElicitationResponse: TypeAlias = (
    CreateElicitationResponseAccept
    | CreateElicitationResponseDecline
    | CreateElicitationResponseCancel
    | UnknownVariant
)
"""Contains the user's reaction to an elicitation; `action` is its kind.

- `CreateElicitationResponseAccept` ("accept"): The user agreed and gave the answers in `content`.
- `CreateElicitationResponseDecline` ("decline"): The user refused to answer.
- `CreateElicitationResponseCancel` ("cancel"): The elicitation ended without a decision by the user.
- `UnknownVariant`: any other object, kept unchanged.
"""
if not TYPE_CHECKING:

    class CreateElicitationResponse(metaclass=Marker):
        """Contains the user's reaction to an elicitation; `action` is its kind.

        - `CreateElicitationResponseAccept` ("accept"): The user agreed and gave the answers in `content`.
        - `CreateElicitationResponseDecline` ("decline"): The user refused to answer.
        - `CreateElicitationResponseCancel` ("cancel"): The elicitation ended without a decision by the user.
        - `UnknownVariant`: any other object, kept unchanged.
        """

        __supertype__ = (
            CreateElicitationResponseAccept | CreateElicitationResponseDecline | CreateElicitationResponseCancel
        )


MessageMcpResponse: TypeAlias = MessageMcpResponseResult | MessageMcpResponseError
"""Outcome of a relayed MCP request: senders MUST give exactly one of `result` and `error`, and a receiver that
finds both uses `result`. Other outer fields are ignored, inner ones kept as they are. ACP errors only report
binding or runtime failures of the relay. Unstable: RFD mcp-over-acp (draft).

- `MessageMcpResponseResult`: The MCP server answered with a result.
- `MessageMcpResponseError`: The MCP server answered with an error.
"""
if not TYPE_CHECKING:

    class MessageMcpResponse(metaclass=Marker):
        """Outcome of a relayed MCP request: senders MUST give exactly one of `result` and `error`, and a receiver
        that finds both uses `result`. Other outer fields are ignored, inner ones kept as they are. ACP errors
        only report binding or runtime failures of the relay. Unstable: RFD mcp-over-acp (draft).

        - `MessageMcpResponseResult`: The MCP server answered with a result.
        - `MessageMcpResponseError`: The MCP server answered with an error.
        """


ProtocolVersion: TypeAlias = Annotated[int, Meta(ge=0, le=65535)]
"""Major version of the protocol as an integer. Only incompatible changes increment it; capabilities announce
everything else.
"""


AuthMethodId: TypeAlias = str
"""Opaque id of a way to log in."""


AuthState: TypeAlias = Literal["authenticated", "unauthenticated", "not_required", "unknown"] | str
"""Sign-in status of the agent as a whole. Unstable: RFD auth-status (draft).

- `"authenticated"`: The agent has credentials; they may still be rejected.
- `"unauthenticated"`: Sign-in is required, because credentials are absent, out of date or known to be bad.
- `"not_required"`: The agent works without any sign-in, as with a model running locally.
- `"unknown"`: The agent cannot determine it at the moment.
"""


McpServerAcpId: TypeAlias = str
"""Opaque id of an MCP server reached over the ACP connection itself. The component that offers the server chooses
it, and `mcp/message` addresses the server by it. Unstable: RFD mcp-over-acp (draft).
"""


SystemPromptMode: TypeAlias = Literal["append", "override"] | str
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


SessionId: TypeAlias = str
"""Opaque id of one conversation. Every session has its own history, context and state. An agent may run many
sessions in parallel.
"""


SessionModeId: TypeAlias = str
"""Opaque id of a session mode, chosen by the agent."""


SessionConfigId: TypeAlias = str
"""Opaque id of a session setting, chosen by the agent."""


SessionConfigOptionCategory: TypeAlias = Literal["mode", "model", "model_config", "thought_level"] | str
"""Kind of a session setting, a hint for icons, placement and shortcuts. Nothing may depend on it to work correctly
(MUST NOT), and clients MUST cope with a missing or unfamiliar one. Names with a leading `_` are open to anyone;
the protocol keeps all others.

- `"mode"`: The setting chooses the session mode.
- `"model"`: The setting chooses the model.
- `"model_config"`: The setting tunes a parameter of the model.
- `"thought_level"`: The setting chooses how much the model reasons.
"""


SessionConfigValueId: TypeAlias = str
"""Opaque id of one value a setting can take, chosen by the agent."""


if TYPE_CHECKING:
    SessionConfigSelectOptions: TypeAlias = list[SessionConfigSelectOption] | list[SessionConfigSelectGroup]
    """Values to choose from, either as one plain list or arranged in groups."""
else:

    class SessionConfigSelectOptions(metaclass=Marker):
        """Values to choose from, either as one plain list or arranged in groups."""


SessionConfigGroupId: TypeAlias = str
"""Opaque id of a group of setting values, chosen by the agent."""


SessionArchiveFilter: TypeAlias = Literal["exclude", "include", "only"] | str
"""Choice of archive states for `session/list`. Values not known are kept for storage and forwarding, but an agent
MUST answer one it lacks with `-32602` and not fall back to `exclude`. Unstable: RFD session-archive (draft).

- `"exclude"`: Leave archived sessions out; this is what applies by default.
- `"include"`: List sessions whether archived or not.
- `"only"`: List nothing but archived sessions.
"""


SessionStatus: TypeAlias = Literal["open", "saved"] | str
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


MessageId: TypeAlias = str
"""Opaque id of a message, unique inside its session."""


ToolCallId: TypeAlias = str
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


TerminalId: TypeAlias = str
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


PlanId: TypeAlias = str
"""Opaque id of a plan; no two plans of one session share it. Unstable: RFD plan-updates (draft)."""


NoticeSeverity: TypeAlias = Literal["info", "warning", "error"] | str
"""Suggests how prominently a client should present a notice.

- `"info"`: Worth knowing; nothing is wrong.
- `"warning"`: Something may need the user's attention.
- `"error"`: Something went wrong.
"""


CompactionId: TypeAlias = str
"""Opaque id of a context compaction; no two compactions of one session share it."""


CompactionStatus: TypeAlias = Literal["in_progress", "completed", "failed", "cancelled"] | str
"""Status of a context compaction.

- `"in_progress"`: The compaction is running.
- `"completed"`: The compaction succeeded.
- `"failed"`: The compaction failed.
- `"cancelled"`: The compaction was cancelled.
"""


ErrorCode: TypeAlias = Literal[-32700, -32600, -32601, -32602, -32603, -32800, -32000, -32002] | int
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


PermissionOptionId: TypeAlias = str
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


RequestId: TypeAlias = int | str | None
"""JSON-RPC `id` that pairs a response with its request: the answer MUST repeat it unchanged. Must be a string, a
number or null; null and numbers with a fraction SHOULD be avoided. A message without an `id` is a notification.
"""


ElicitationId: TypeAlias = str
"""Opaque id of an elicitation."""


ElicitationContentValue: TypeAlias = str | int | float | bool | list[str]
"""One answer in an elicitation form; its JSON type follows the field that was asked for."""


ProviderId: TypeAlias = str
"""Id of a configurable LLM provider. Unstable: RFD configurable-providers (draft)."""


LlmProtocol: TypeAlias = Literal["anthropic", "openai", "azure", "vertex", "bedrock"] | str
"""API protocol an LLM provider is addressed with. Both sides MUST cope with names they do not know; a leading `_`
marks a custom name, all others belong to ACP. Unstable: RFD configurable-providers (draft).

- `"anthropic"`: The provider speaks the API of Anthropic.
- `"openai"`: The provider speaks the API of OpenAI.
- `"azure"`: The provider speaks the API of Azure OpenAI.
- `"vertex"`: The provider speaks the API of Google Vertex AI.
- `"bedrock"`: The provider speaks the API of AWS Bedrock.
"""


McpRequestId: TypeAlias = str
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
