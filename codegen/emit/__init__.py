"""The emitter: from `Shapes` to the text of every file of a package. It writes nothing to disk.

package            the files of a package, the template and context of each, exports, the constants of `errors.py`; call
                   `render`
parts              the table of selectable parts (`--with`): modules, public names, needs, and the text in
                   docs/vendoring.md
prebuilt           when `vendor` copies the standard package instead of generating, and the edits that each choice of
                   parts needs
prebuilt.json      these edits, with digests of `generated/`; written by `make generate`, never by hand
kinds              kinds of text in a template's context: identifier, expression, literal, docstring, prose
models             context of `models.py` and `pydantic_models.py`: properties, defaults, docstrings, order of aliases;
                   the class itself is in `templates/models/`
normalised         the one JSON Schema that datamodel-code-generator gets: names, bounds, nullability
dmcg               options and checks of datamodel-code-generator, which renders the classes; its only importer
type_hints         annotations of parameters in agent.py and client.py: `Sequence`, `Literal`, `None`
nodes              the node tables as text for `_nodes.py`: which fields are written and which are left out as defaults
methods            context of `methods.py`, METHODS.md and `meta.json`: the columns of a method's row
stubs              handlers of a base class (names, result, docstring) and typed calls, as data;
                   `templates/side.py.jinja2` and `templates/types.jinja2` write the signatures
signatures         parameters of typed calls: order, optionality, defaults, overloads, plain text as content. Handlers
                   take `params` and are in `stubs`
session_agent      `SessionAgent` in `stores.py`: which handlers it implements, and the protocol tables of its plan
sessions           the methods of `AgentSession` and `ClientSession`: names, parameters, which calls and updates get one
session_openings   which calls open, reopen or list sessions, and the key of a session
session_choices    methods of `ClientSession` that choose a session option by category
state              attributes of the class with a session's state, and the tables that say what each message does to
                   them
handles            the classes of handles and entries, which a connection creates at its peer
permissions        the class `Permissions`: which properties of the request and its options it reads
requirements       requirements as JSON, as lists in docstrings and as tables
testing            context of `testing.py` and the pytest plugin: the opening, permission and update methods that test
                   peers use
extension_package  `vendor --on`: the files of a package that only adds to another one
text               quoting of schema text as Python: docstring wrapping and width, literals, comments, the header of
                   runtime files
"""
