"""A terminal program that browses the sessions of any agent and shows the wire: `acp-browse -- COMMAND ...`.

The rooms, each of which knows only those before it:

    text, plain, troubles       what is shown safely, JSON values, what went wrong in a sentence
    extension, gates            what some agents add to the protocol, what an agent lets its user do, on which key
    tape, judge                 the frames of a connection, and what `validate` says about them
    session, story              one session, all sessions: as the frames tell them, live or recorded
    listing, sifting, complete  the pages of the list, what is shown of them, what a prompt can be completed with
    deletes, asks, log          what waits: deletions that can be undone, questions to the user, what the agent grumbles
    files, terminals, client    what this client does for the agent, inside the session's directory and once allowed
    link                        the connection: how the agent is asked, why it is gone, how it is started again
    browser                     every action of the user is a method
    start                       a command becomes a browser
    paint, screens/             what it looks like
    export, run, cli            the list and conversations as text; the programs; arguments and exit codes
"""
