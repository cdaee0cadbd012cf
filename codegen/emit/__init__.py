"""The emitter: from `Shapes` to the text of every file of a package. It writes nothing to disk.

package            all files of a package as `{path: text}`: call `render`; `errors.py`
parts              selectable parts of a package (`--with`): which files and names belong to each
prebuilt           the standard package, ready to be copied
kinds              kinds of text that templates get
models             classes and aliases of `models.py`
normalised         the shapes as one JSON Schema, for `dmcg`
dmcg               classes rendered by datamodel-code-generator; its only importer
type_hints         annotations that only type checkers read
nodes              the node tables that drive the codec
methods            `methods.py`, `meta.json` and METHODS.md
stubs              `agent.py` and `client.py`: the base class of a side, and its typed calls
signatures         parameters of typed calls: order, annotations, arguments, content given as plain text
session_agent      the base class of agents that keep their sessions in a store
sessions           classes for one session on either side
session_openings   the opening and listing of sessions
session_choices    options chosen by their category
state              the class that holds the state of a session
handles            objects that a connection creates at its peer
permissions        the class that answers permission requests
requirements       requirements as data, as docstring lists and as tables
testing            `testing.py` and the pytest plugin
extension_package  a package that only adds to another one (`vendor --on`)
text               schema text quoted as Python source
"""
