"""A terminal program that browses the sessions of any agent: `python -m examples.session_browser -- COMMAND ...`.

The rooms, each of which knows only those before it:

    text, gates, troubles       what is shown safely, what an agent offers, what went wrong in a sentence
    listing, history, session   the pages of the list, a conversation, an open session: plain data, no screen, no agent
    deletes, asks, log          what waits: deletions that can be undone, questions to the user, what the agent grumbles
    files, terminals, client    what this client does for the agent, inside the session's directory and once allowed
    link                        the connection: how the agent is asked, why it is gone
    browser                     what is known of its sessions; every action of the user is a method
    start                       a command becomes a browser
    paint, screens/             what it looks like
    export, cli                 the list without a screen; arguments and exit codes
"""
