"""Diagnostics: every error in a document that prevents a package, one row per kind. `check` reports each as a rule.

An error refers to its row. The row's `instead` is the suggested fix, unless the error has a more specific one.
"""

from __future__ import annotations

from typing import Final

from .errors import Fault

# --- text ---------------------------------------------------------------------------------------------------------------

NOT_JSON: Final = Fault(
    "not-json",
    "A file that is not valid JSON.",
    "correct the text at this place; JSON has no comments and no trailing commas, and strings need double quotes",
)
DUPLICATE_KEY: Final = Fault(
    "duplicate-key",
    "A key that appears twice in one object.",
    "remove or rename either",
    "Some readers use the first value, others the last.",
)
TOO_DEEP: Final = Fault(
    "nested-too-deep",
    "A document that is nested too deeply to be read.",
    "move the inner parts to separate definitions",
)
TOO_MUCH: Final = Fault(
    "limit-exceeded",
    "A document that exceeds a limit of docs/limits.md.",
    "make it smaller",
    "Limits prevent untrusted documents from exhausting the reader's time or memory.",
)

# --- the root -----------------------------------------------------------------------------------------------------------

NO_DEFINITIONS: Final = Fault(
    "definitions-missing",
    "A document without definitions.",
    'put every type into one object, {"$defs": {"Name": {...}}}',
)
ROOT_VALUE: Final = Fault(
    "root-keyword-invalid",
    "A root keyword that is not in the documented form.",
    "write it in the form that docs/schema.md shows",
)
ROOT_TARGET: Final = Fault(
    "root-keyword-unresolved",
    "A root keyword with a reference to a missing part of the schema, or with an invalid name.",
    "name methods and properties of the schema, or add them",
)
RFD_ENTRY: Final = Fault(
    "rfd-entry-invalid",
    "An entry of `x-rfds` that is not in the documented form.",
    'write {"title": "...", "stage": "draft"}; the stages are to-be-removed, draft, active, preview and completed',
)
REQUIREMENT: Final = Fault(
    "requirement-invalid",
    "A requirement that is not in the documented form, or that belongs neither to an RFD nor to a vendor.",
    'write {"level": "must", "binds": "agent", "on": ["method or definition"], "text": "..."} under an RFD of '
    "`x-rfds`, or under a vendor's key, which begins with `_`",
)
RFD_UNKNOWN: Final = Fault("rfd-unknown", "An RFD that is not listed in x-rfds.", "add it to x-rfds")

# --- keywords -----------------------------------------------------------------------------------------------------------

NOT_DRAFT: Final = Fault(
    "not-draft-2020-12", "Not a valid JSON Schema.", "give the keyword a value of the type that draft 2020-12 requires"
)
KEYWORD: Final = Fault(
    "unsupported-keyword",
    "A keyword that the generator does not support.",
    "use the keywords that the schema uses elsewhere",
    "The generator does not guess its meaning.",
)
MISPLACED: Final = Fault(
    "keyword-misplaced",
    "A keyword that has no effect in its place.",
    "move it to a place where it has an effect, or remove it",
    "The author probably expects an effect.",
)
MISSPELT: Final = Fault(
    "unknown-extension-keyword",
    "An unknown `x-` keyword.",
    "correct the spelling, or remove it",
    "A likely misspelling of a known keyword is an error. Any other keyword is a warning.",
)
EXTENSION_VALUE: Final = Fault(
    "extension-keyword-value",
    "An `x-` keyword with an invalid value.",
    "write a value that docs/schema.md allows for it",
)
PATTERN: Final = Fault(
    "pattern-invalid",
    "A `pattern` that is not a regular expression in ECMA-262 and Python alike.",
    "use only syntax that both dialects have",
    "JSON Schema requires ECMA-262; the generated package compiles the pattern with Python.",
)
REFERENCE: Final = Fault(
    "ref-unresolved",
    "A `$ref` to a definition that does not exist.",
    "refer to a definition of this file, such as #/$defs/Name",
)

UPDATE: Final = Fault(
    "update-invalid",
    "An invalid `x-update`.",
    "correct the keyword; docs/schema.md lists its values",
    "Clients derive the state of a session from it.",
)

# --- types --------------------------------------------------------------------------------------------------------------

CONSTRUCT: Final = Fault(
    "construct-unsupported",
    "Valid JSON Schema that the generator cannot turn into a type.",
    "use the constructs that the schema uses elsewhere",
    "The generator does not approximate types.",
)
UNSATISFIABLE: Final = Fault(
    "type-unsatisfiable",
    "A type without values.",
    "remove one of the constraints",
    "No message that contains it can be valid.",
)
VALUE_TWICE: Final = Fault(
    "value-duplicate", "A constant that appears twice among alternatives.", "remove either, or correct its spelling"
)
OVERLAP: Final = Fault(
    "one-of-overlap",
    "A value that matches two variants of a `oneOf`, so the union rejects it.",
    "write anyOf, or make the value match only one variant",
)
CIRCULAR: Final = Fault(
    "type-contains-itself",
    "A definition that is its own alias, variant or base.",
    "let it contain itself in a property, an array item or a map value",
)

# --- methods ------------------------------------------------------------------------------------------------------------

METHOD_TWICE: Final = Fault(
    "method-duplicate",
    "Two params, or two results, of one method on one side.",
    "give one of them another x-method or x-side, or merge them into one definition",
)
METHOD_NAME: Final = Fault(
    "method-name-invalid",
    "A method name with characters that are not allowed.",
    "write lower-case words, with _ within a segment and / between segments",
)
FORMER_NAME: Final = Fault(
    "former-name-invalid",
    "A former name that is not valid for an extension's method, or that is already in use.",
    'write "x-was": "_vendor/name" on the params, with a name that no other method has or had',
    "Both names are served, so the former one must not mean anything else.",
)
NO_SIDE: Final = Fault(
    "method-without-side",
    "A definition that has only one of `x-method` and `x-side`.",
    "write both x-method and x-side",
)
SIDE: Final = Fault("side-invalid", "A side that does not exist.", "write agent, client, both or protocol")
SUFFIX: Final = Fault(
    "method-type-suffix",
    "A definition of params or of a result whose name has the wrong ending.",
    "end the name in Request, Response or Notification",
)
NO_RESPONSE: Final = Fault("request-without-response", "A request without a result, or the reverse.", "define both")
GATE: Final = Fault(
    "capability-unknown", "A capability that no peer can advertise.", "add the capability, or correct the path"
)

# --- names --------------------------------------------------------------------------------------------------------------

NAME: Final = Fault(
    "python-name-invalid",
    "A name that cannot become a Python name.",
    "begin with a letter, and use only ASCII letters and digits",
)
TYPE_NAME: Final = Fault(
    "def-not-pascal-case",
    "A definition whose name is not in PascalCase.",
    "write it in PascalCase, with ASCII letters and digits only",
    "The Python class has the same name.",
)
COLLISION: Final = Fault("python-name-collision", "Two parts with the same name in Python.", "rename one of them")
UNNAMED: Final = Fault(
    "variant-unnamed",
    "A variant without a name.",
    "give it a `title`, a property with one constant, or its own definition",
    "Names never depend on positions, so a new variant does not rename another.",
)

# --- extensions ---------------------------------------------------------------------------------------------------------

OVERLAY: Final = Fault(
    "extension-invalid",
    "An extension document that is not an Overlay 1.0.",
    "write overlay, info with title and version, and actions, each with a target and update or remove",
)
TARGET: Final = Fault(
    "extension-target",
    "An action that does not suit the selected part.",
    "correct the target: a JSONPath (RFC 9535) that selects the object or array to add to",
)
CONFLICT: Final = Fault(
    "extension-conflict",
    "An action that would overwrite an existing value.",
    "first remove the object with the value, then add it again; or choose another name",
)
MISNAMED: Final = Fault(
    "extension-method-name",
    "A method of an extension whose name does not start with `_`, and that belongs to no RFD of the extension.",
    "call it `_vendor/...`, or add the RFD to `x-rfds` and name it in `x-rfd`",
)

FAULTS: Final[tuple[Fault, ...]] = tuple(value for value in list(globals().values()) if isinstance(value, Fault))
