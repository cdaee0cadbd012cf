"""The session browser: a terminal program that shows the sessions of any agent and their frames
(`acp-browse -- COMMAND ...`).

Programs and their parts, top down:

__main__           `python -m acp_tools.browse`
cli                arguments and exit codes
run                a run, on a screen or as text, from a command or an address to a running browser
controller         every action of the user as a method; no screens
connection         the connection to the agent, and its reopening
actions            the table of actions: key, calls, reasons against
completion         completions of a prompt
breakpoints        a transport that holds, changes and sends frames
pending_deletes    deletions that can be undone
client/            the handlers of the client: questions, files, terminals
model/             sessions, history and frames as pure data
validation         the verdict of `validate` on each frame
sandbox_extension  termination of sessions, an addition of some daemons
screens/           the screens, in Textual
styling            sessions, conversations and frames as styled text
sanitize           text of an agent made safe for a terminal
errors             errors as sentences for the user
json_types         type guards for JSON values
"""
