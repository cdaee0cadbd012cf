"""Render classes with datamodel-code-generator, from the normalised JSON Schema and our templates.

Only this module imports datamodel-code-generator. The generator renames clashing identifiers, so this module checks
that its output has the expected names. `templates/models` replaces the generator's templates for each kind of model.
"""

from __future__ import annotations

import json
import re
import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import Struct

from ..errors import CodegenError
from ..resources import resource
from ..shape.shapes import Shapes
from .normalised import OURS, VALIDATED, Form, normalised


class Kind(Struct, frozen=True):
    """A kind of model: its name in datamodel-code-generator, its strict types, and its document."""

    models: str
    strict: tuple[str, ...] = ()
    form: Form = OURS


MSGSPEC = Kind("MsgspecStruct")
PYDANTIC = Kind("PydanticV2BaseModel", ("bool", "float", "int", "str"), VALIDATED)

_FIELD = re.compile(r"^    \w+: .*$", re.MULTILINE)
"""The line of a field in a rendered class."""


class Model(Struct, frozen=True):
    """A class or alias as datamodel-code-generator sees it, with its fields. An alias has one field without a name."""

    name: str
    fields: tuple[str, ...]
    source: Any = None

    @property
    def annotations(self) -> dict[str, str]:
        """The annotations by field, as Python source in ASCII. Each takes datamodel-code-generator a while."""
        return {field.name or "": _ascii(field.annotated or field.type_hint) for field in self.source.fields}

    def render(self) -> str:
        """Render the model with our template."""
        return str(self.source.render())


class Written(Struct, frozen=True):
    """The output of datamodel-code-generator for all shapes.

    `classes` has the text of each class, in the order of the schema, `records` the model of each. `aliases` has the
    annotations of the aliases that are not markers.
    """

    classes: Mapping[str, str]
    records: Mapping[str, Model]
    aliases: Mapping[str, str]


def written(shapes: Shapes, data: Mapping[str, Any], kind: Kind = MSGSPEC) -> Written:
    """Render all classes and aliases. Raises CodegenError if datamodel-code-generator changed a name.

    `data`: further data for the template of a class, by class.
    """
    if not shapes.records and not shapes.aliases:
        return Written({}, {}, {})
    known = {*shapes.records, *shapes.choices, *shapes.aliases}
    models = {model.name: model for model in _models(normalised(shapes, kind.form), data, kind)}
    # A limited variant of a union becomes a model of its own; its annotation goes where its name is.
    parts = {name: models.pop(name).annotations[""] for name in {*models} - known if models[name].fields == ("",)}
    whole = partial(re.sub, rf"\b({'|'.join(parts) or '(?!)'})\b", lambda found: parts[found[0]])
    plain = [name for name, alias in shapes.aliases.items() if kind.form.validated or not alias.marker]
    wanted = {name: kind.form.names(record) for name, record in shapes.records.items()}
    wanted |= {name: [""] if name in plain else [] for name in (*shapes.choices, *shapes.aliases)}
    for name in sorted({*models, *wanted}):
        fields = [*models[name].fields] if name in models else None
        if fields != wanted.get(name):
            shown = "no class" if fields is None else f"a class with the fields {fields}"
            raise CodegenError(f"internal error: datamodel-code-generator wrote {shown} for {name}")
    return Written(
        classes={
            name: _FIELD.sub(lambda line: whole(line[0]), models[name].render())
            for name in shapes.records
            if name in data
        },
        records={name: models[name] for name in shapes.records},
        aliases={name: whole(models[name].annotations[""]) for name in plain},
    )


def _models(schemas: Mapping[str, Any], data: Mapping[str, Any], kind: Kind) -> Iterator[Model]:
    """The models that datamodel-code-generator creates for some definitions."""
    from datamodel_code_generator.enums import DataModelType, StrictTypes  # noqa: PLC0415  # slow to import
    from datamodel_code_generator.format import PythonVersion  # noqa: PLC0415
    from datamodel_code_generator.model import get_data_model_types  # noqa: PLC0415
    from datamodel_code_generator.parser import LiteralType  # noqa: PLC0415
    from datamodel_code_generator.parser.openapi import OpenAPIParser  # noqa: PLC0415

    # Python 3.14 evaluates annotations late, as our `from __future__ import annotations` does: nothing is quoted.
    version = PythonVersion.PY_314
    types = get_data_model_types(DataModelType[kind.models], target_python_version=version)
    # OpenAPI, because a JSON Schema document would itself become a class.
    document = {
        "openapi": "3.1.0",
        "info": {"title": "models", "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }
    parser = OpenAPIParser(
        json.dumps(document),
        data_model_type=types.data_model,
        data_model_root_type=types.root_model,
        data_model_field_type=types.field_model,
        data_type_manager_type=types.data_type_manager,
        target_python_version=version,
        enum_field_as_literal=LiteralType.All,
        use_union_operator=True,
        use_standard_collections=True,
        use_annotated=True,
        field_constraints=True,
        strip_default_none=True,
        strict_types=[StrictTypes[name] for name in kind.strict],
        formatters=[],
        custom_template_dir=resource("templates") / "models",
        extra_template_data=defaultdict(dict, {name: {"record": record} for name, record in data.items()}),
    )
    # Not `parse`: its further passes write modules, which our templates do, and take four times as long.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # early releases of pydantic 2 warn about the generator's own types
        parser.parse_raw()
    # Nor its sorting: annotations are evaluated late, and it costs the length of the longest chain for each class.
    for model in parser.results:
        yield Model(model.class_name, tuple(field.name or "" for field in model.fields), model)


def _ascii(annotation: str) -> str:
    """An annotation with non-ASCII characters escaped, because some are invisible or look like others."""
    return annotation.encode("ascii", "backslashreplace").decode()
