"""The error codes of a package are those that its schema lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import generated as acp
from generated._runtime.errors import RequestError as RuntimeError_

if TYPE_CHECKING:
    from tests.conftest import Package

JSON_RPC = (-32700, -32600, -32601, -32602, -32603)


def codes(*own: dict[str, Any]) -> dict[str, Any]:
    """A schema whose list of error codes has JSON-RPC's, and these."""
    standard: list[dict[str, Any]] = [{"const": code, "type": "integer"} for code in JSON_RPC]
    return {"$defs": {"Failure": {"anyOf": [*standard, *own, {"type": "integer"}]}}}


def test_every_code_of_the_schema_has_a_constant_and_its_message() -> None:
    assert acp.RequestError.AUTH_REQUIRED == -32000
    assert str(acp.RequestError.of(-32002)) == "Resource not found (-32002)"


def test_a_code_that_no_schema_lists_is_an_error_all_the_same() -> None:
    error = acp.RequestError.of(-32042, {"a": 1})
    assert (error.code, error.message, error.data) == (-32042, "Error", {"a": 1})


def test_a_code_becomes_a_helper_named_by_its_title(package: Package) -> None:
    made = package(codes({"const": -32042, "title": "URL needed", "description": "Open the URL first."}))
    error = made.RequestError.url_needed(url="https://a")
    assert (error.code, error.message, error.data) == (-32042, "URL needed", {"url": "https://a"})
    assert made.RequestError.URL_NEEDED == -32042
    assert not hasattr(made.RequestError, "auth_required")


def test_a_code_without_a_title_has_a_message_alone(package: Package) -> None:
    made = package(codes({"const": 7, "description": "Out of luck. Try again."}))
    assert made.RequestError.of(7).message == "Out of luck"


def test_a_code_may_name_itself(package: Package) -> None:
    made = package(codes({"const": 7, "title": "Much too long", "x-name": "short"}))
    assert made.RequestError.short().message == "Much too long"


def test_a_schema_without_a_list_of_codes_leaves_json_rpc(package: Package) -> None:
    made = package({"$defs": {"Level": {"enum": [1, 2, 3]}}})
    assert made.RequestError.of(1).message == "Error"
    assert made.RequestError.invalid_params().code == -32602


@pytest.mark.parametrize("title", ["Of", "With traceback", "Invalid params"])
def test_a_name_that_the_error_has_already_is_refused(title: str, package: Package) -> None:
    with pytest.raises(AssertionError, match="but `RequestError` already has this name"):
        package(codes({"const": 7, "title": title}))


def test_two_codes_of_one_name_are_refused(package: Package) -> None:
    with pytest.raises(AssertionError, match="the error code 8 would be `same`"):
        package(codes({"const": 7, "title": "Same"}, {"const": 8, "title": "same"}))


def test_what_the_runtime_raises_is_caught_by_the_public_name() -> None:
    assert acp.RequestError is RuntimeError_


def test_data_is_given_whole_or_by_its_members() -> None:
    with pytest.raises(TypeError, match="not both"):
        acp.RequestError.of(1, {"a": 1}, b=2)


def test_an_annotation_names_a_type_once() -> None:
    assert acp.ElicitationContentValue == str | int | float | bool | list[str]
