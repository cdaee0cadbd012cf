"""The screens, in Textual.

app           the program: shows changes, asks the agent's questions
base          keys, background work and the status line of both main screens
sessions      the first screen: the list of sessions
session       the second screen: one session
conversation  a conversation that scrolls
entries       the entries of a conversation as widgets
prompt        the input line, with completions
preview       the known facts of a session, beside the list
frames        the frames, and what can be done with them
frame_rows    frames as styled text
frame_screen  the frames on a screen of their own
replay        a recorded transcript, step by step
compare       two agents side by side
dialogs       input, choice, confirmation, text
virtual_list  a list that draws only its visible rows
style         the style sheet of all screens
"""
