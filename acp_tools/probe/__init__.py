"""`acp-codegen probe`: test whether an agent or a client conforms to the protocol.

A run, top down:

cli              options of `probe`, with their defaults
command          the settings that options become, which reports are written, and the exit code
runner           the order of the cases (`STEPS`), their time limit, and the result of untested requirements
context          defaults of settings, waiting times, facts about the peer, the handshake of the probe
cases/           the cases, one module per family: coroutines that write into the results
lifecycle/       sequences of actions on sessions, against a model
requirements     id, level, sentence and source of each requirement that no RFD states; a case decides the result
results          statuses, and how results of one requirement combine
report           a run as text, JSON, JUnit or Markdown
baseline         the form of known and expected failures, and which failures are new
client/          `probe --client`: the probe plays the agent
interop/         `make interop`: docs/interop.md

A connection to a peer:

conversation     sending, waiting and matching on a connection; longest frame
messages         requests with their responses, and messages of the peer
peer             start and end of the peer's process, and its streams
transports       schemes of an agent's address, and such an agent as streams
client_handlers  what the probe's client answers to permissions, files, terminals
frame_log        every frame of a run; how many are kept
validation       which rule of `validate` counts for which requirement
isolation/       a clean home, no network, and cleanup after signals

Input:

payloads         which messages are sent: examples, generated ones, and ones with a single error
malformed        the catalogue of malformed frames with their expected errors, and of unusual valid ones

Helpers:

keywords         root keywords that the probe reads from the schema
json_types       type guards for JSON values
codegen_api      the modules of `acp_codegen` that the probe uses
"""
