"""The command bridge: how the messages of one version of the protocol become messages of another.

overlay       the form of an overlay: what schemas cannot state about each other (renamed and moved parts), and errors
              in it
places        the type at a path, and minimal objects with a value there
records       which property of one version becomes which of the other, and what is filled in, lost, rejected or needed
variants      which variant is the counterpart of another
alternatives  the JSON kinds of a type, and the test of a scalar
derive        the converter of each pair of types, with a value that shows each loss and rejection
bridge        `Bridge`: the plan of all messages, and whether each converts exactly, with losses or not
table         the result as text, Markdown or JSON: columns, order, words
changes       the page about a version: what changes for agents, clients and vendors
command       loading of both schemas and the overlay; the plan as JSON
"""
