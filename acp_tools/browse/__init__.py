"""The session browser: a terminal program that shows the sessions of any agent and their frames
(`acp-browse -- COMMAND ...`).

Programs and their parts, top down:

__main__           `python -m acp_tools.browse`
cli                arguments, help and exit codes of `acp-browse`, and errors at the start
run                modes of a run (screen, list, replay), how an agent is started or reached, the recording of
                   `--transcript`, the end at a signal
controller         what every action of the user does; no screens
connection         opening and reopening of the connection to the agent; reasons for unavailable calls
actions            keys, names and conditions of actions; keys for moving are in `BINDINGS` of each screen
completion         completions of a prompt, and its conversion to content
breakpoints        which frames are held, changed or sent, and in which order
pending_deletes    how long a deletion can be undone; `screens/base` shows the countdown
client/            the handlers of the client: questions, files, terminals
model/             sessions, history and frames as pure data
validation         which frames are validated and when; reasons why not
sandbox_extension  termination of sessions, an addition of some daemons
screens/           the screens, in Textual
styling            rows, ages, tool calls, diffs and key bar as styled text; signs of states; how many lines are shown
sanitize           which characters of an agent's text are dropped or replaced for a terminal
errors             sentence for each kind of error (`Trouble`), and when a login is needed
json_types         type guards for JSON values
"""
