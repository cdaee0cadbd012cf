"""The screens, in Textual.

app           redrawing of changes in batches; the agent's questions
base          keys, background work, status line and countdown of both main screens
sessions      the first screen: list, details, and what each action on a session asks for
session       the second screen: layout of one session: head, plan, steps
conversation  scrolling, cursor, search, and how many entries are widgets
entries       how each kind of entry is drawn; when Markdown is rendered; text that grows
prompt        the input line: keys, size, suggestions
preview       the known facts of a session, beside the list
frames        the list of frames and the actions on them
frame_rows    a frame as styled text, in a row and in full
frame_screen  the frames on a screen of their own
replay        a recorded transcript, step by step: layout and keys
compare       two agents side by side: its actions, and a prompt to both
dialogs       input, choice, confirmation, permission, text: layout and keys
virtual_list  a list that draws only its visible rows
style         the style sheet of all screens
"""
