"""`acp-codegen probe`: test whether an agent or a client conforms to the protocol.

A run, top down:

cli              the options
command          from the options to a report and an exit code
runner           the order of the cases, in bounded time
context          the state that all cases share: settings, facts about the peer, connections
cases/           the cases, one module per family: coroutines that write into the results
lifecycle/       sequences of actions on sessions, against a model
requirements     the table of requirements, with stable ids
results          the result of each requirement
report           a run as text, JSON, JUnit or Markdown
baseline         known failures
client/          `probe --client`: the probe plays the agent
interop/         `make interop`: docs/interop.md

A connection to a peer:

conversation     send, wait, and check every frame
messages         requests with their responses, and messages of the peer
peer             the peer's process and its streams
transports       agents at an address, as streams
client_handlers  the client's answers to the agent
frame_log        every frame of a run
validation       each frame against the schema
isolation/       a clean home, no network, and cleanup after signals

Input:

payloads         valid and invalid messages: examples and generated ones
malformed        the catalogue of malformed frames, and of unusual valid ones

Helpers:

keywords         root keywords of the schema
json_types       type guards for JSON values
codegen_api      the modules of `acp_codegen` that the probe uses
"""
