"""Bases of the models: None stands for an absent property, and attributes have the SDK's names."""

from __future__ import annotations

from typing import Annotated, Any, Optional, get_origin

from acp_generated._runtime.codec import pydantic_models as ours
from pydantic import AnyUrl, BaseModel, model_validator

MISSING = None
Pick = ours.Pick


class Maybe:
    """The type of a property that may be absent."""

    def __class_getitem__(cls, item: Any) -> Any:
        """The type or None. The metadata stays outside, where pydantic looks for the name on the wire."""
        kind, *metadata = (item.__origin__, *item.__metadata__) if get_origin(item) is Annotated else (item,)
        return Annotated[Optional[kind], *metadata, None]  # noqa: UP045  # not all types have the operator


class Lenient(ours.Lenient):  # type: ignore[misc]
    """The tolerance of a property, whose replacement may be None."""

    def __init__(self, *, skip: bool = False, **replacements: Any) -> None:
        absent = {word: None if value is ours.MISSING else value for word, value in replacements.items()}
        super().__init__(skip=skip, **absent)


class Model(
    BaseModel,
    alias_generator=ours._wire_name,  # noqa: SLF001  # its bases are those of the package
    populate_by_name=True,
    defer_build=True,
    protected_namespaces=(),
):
    """The base of all models. The constructor accepts attribute names and names on the wire."""

    @model_validator(mode="before")
    @classmethod
    def _with_text(cls, value: Any) -> Any:
        """Accept pydantic's URLs where the schema has strings."""
        if isinstance(value, dict) and any(isinstance(each, AnyUrl) for each in value.values()):
            return {name: str(each) if isinstance(each, AnyUrl) else each for name, each in value.items()}
        return value

    def model_post_init(self, _: Any, /) -> None:
        """Treat discriminators as set, so that `exclude_unset` writes them."""
        fields = type(self).model_fields.items()
        self.__pydantic_fields_set__.update(name for name, each in fields if isinstance(each.default, str))
