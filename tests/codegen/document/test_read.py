"""Reading: text to JSON, where every node of it stands, and what is refused before anything looks at the schema."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from codegen.document.read import join, parse, pointer_parts, read
from codegen.errors import InputError, SchemaError
from codegen.limits import DEPTH, FILE

PLACES = """{
  "é😀": {"ü": [1, "x😀", {"deep": null}]},
\t"list": [true, -1.5e3, []], "empty": {},
  "a/b~c": "slash",
  "\\u0061\\n": 1
}"""


@pytest.mark.parametrize(
    ("pointer", "value", "key"),
    [
        ("", (1, 1), (1, 1)),
        ("/é😀", (2, 9), (2, 3)),
        ("/é😀/ü", (2, 15), (2, 10)),
        ("/é😀/ü/0", (2, 16), (2, 16)),
        ("/é😀/ü/1", (2, 19), (2, 19)),
        ("/é😀/ü/2", (2, 25), (2, 25)),
        ("/é😀/ü/2/deep", (2, 34), (2, 26)),
        ("/list", (3, 10), (3, 2)),
        ("/list/0", (3, 11), (3, 11)),
        ("/list/1", (3, 17), (3, 17)),
        ("/list/2", (3, 25), (3, 25)),
        ("/empty", (3, 39), (3, 30)),
        ("/a~1b~0c", (4, 12), (4, 3)),
        ("/a\n", (5, 15), (5, 3)),
    ],
)
def test_line_and_column_of_a_node_count_characters_from_one(
    pointer: str, value: tuple[int, int], key: tuple[int, int]
) -> None:
    document = parse(PLACES.encode(), "f.json")
    assert (document.locate(pointer), document.locate(pointer, key=True)) == (value, key)


def test_a_pointer_that_leads_nowhere_is_placed_at_the_deepest_node_on_its_way() -> None:
    document = parse(PLACES.encode(), "f.json")
    assert document.locate("/list/7/x") == document.locate("/list")
    assert document.locate("/empty/missing") == document.locate("/empty")


def test_a_byte_order_mark_is_no_column() -> None:
    document = parse(b"\xef\xbb\xbf" + b'{"a": 1}', "f.json")
    assert (document.value, document.locate("/a")) == ({"a": 1}, (1, 7))


def test_carriage_returns_before_newlines_do_not_shift_lines() -> None:
    assert parse(b'{\r\n"a": 1,\r\n "b": 2}', "f.json").locate("/b", key=True) == (3, 2)


@pytest.mark.parametrize("steps", [["a/b", "~", "~1", ""], ["plain"], []])
def test_pointer_steps_survive_escaping(steps: list[str]) -> None:
    assert pointer_parts(join("", *steps)) == steps


REFUSED = [
    pytest.param(b"", "1:1: error: the file is empty; expected a JSON object", id="empty"),
    pytest.param(b" \n\t", "1:1: error: the file is empty; expected a JSON object", id="blank"),
    pytest.param(b"\xef\xbb\xbf", "1:1: error: the file is empty; expected a JSON object", id="mark-alone"),
    pytest.param(b'{"a": 1,\n  b}', "2:3: error: not JSON: ", id="bare-word"),
    pytest.param('{"é😀": "ü", x}'.encode(), "1:13: error: not JSON: ", id="column-after-multi-byte"),
    pytest.param(b'{"a": 1} x', "1:10: error: not JSON: Extra data", id="trailing"),
    pytest.param(b'{"a": 1, // no\n}', "1:10: error: not JSON: ", id="comment"),
    pytest.param(b'{"a": "\x00"}', "1:8: error: not JSON: Invalid control character", id="nul"),
    pytest.param(b'{"a": [1', "1:9: error: not JSON: ", id="cut-off"),
    pytest.param('{"$defs":{}}'.encode("utf-16"), "1:1: error: byte 0xff is not UTF-8", id="utf-16"),
    pytest.param(b'{"\xc3\xa9":\n "\xe9"}', "2:3: error: byte 0xe9 is not UTF-8", id="latin-1"),
    pytest.param(b'{"a": "\xed\xa0\x80"}', "1:8: error: byte 0xed is not UTF-8", id="encoded-surrogate"),
    pytest.param(b'{"a": 1,\n "a": 2}', '2:2: error: the key "a" appears twice in one object at /a', id="twice"),
    pytest.param(
        b'{"a": {"x": 1}, "b": [{"x": 1,\n  "x": 2}]}',
        '2:3: error: the key "x" appears twice in one object at /b/0/x',
        id="twice-nested",
    ),
    pytest.param(
        b'{"a": 1, "\\u0061": 2}', '1:10: error: the key "a" appears twice in one object at /a', id="twice-escaped"
    ),
    pytest.param(b'{"a": "NaN",\n "b": NaN}', "2:7: error: NaN is not JSON", id="nan"),
    pytest.param(b"[1,\n Infinity]", "2:2: error: Infinity is not JSON", id="infinity"),
    pytest.param(b'["x Infinity, -Infinity",\n  -Infinity]', "2:3: error: -Infinity is not JSON", id="minus-infinity"),
    pytest.param(b'{"a": [0, 1e400]}', "1:11: error: the number is out of range at /a/1", id="1e400"),
    pytest.param(b"[-1e400]", "1:2: error: the number is out of range at /0", id="-1e400"),
    pytest.param(
        b'["' + b"1" * 5000 + b'",\n ' + b"1" * 5000 + b"]",
        "2:2: error: an integer with too many digits",
        id="5000-digits",
    ),
    pytest.param(b"[\n-" + b"9" * 5000 + b"]", "2:1: error: an integer with too many digits", id="-5000-digits"),
    pytest.param(b'{"a":\n"\\ud83d"}', "2:1: error: an unpaired surrogate at /a", id="surrogate-in-value"),
    pytest.param(
        b'{"a": {"\\udc00": 1}}',
        "1:7: error: a key contains an unpaired surrogate at /a",
        id="surrogate-in-key",
    ),
    pytest.param(b"[" * 100_000, f"1:{DEPTH.most + 1}: error: more than 100 levels of nesting", id="arrays-open"),
    pytest.param(
        b"[" * 100_000 + b"]" * 100_000,
        f"1:{DEPTH.most + 1}: error: more than 100 levels of nesting",
        id="100000-arrays",
    ),
    pytest.param(
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        f"1:{DEPTH.most * 5 + 1}: error: more than 100 levels of nesting",
        id="100000-objects",
    ),
    pytest.param(
        b'{"[[": "\\"[", "a":' + b"[" * 100 + b"]" * 100 + b"}",
        "1:118: error: more than 100 levels of nesting",
        id="101-levels-brackets-in-strings",
    ),
]


@pytest.mark.parametrize(("data", "expected"), REFUSED)
def test_what_is_no_sound_json_is_refused_at_its_place(data: bytes, expected: str) -> None:
    with pytest.raises(SchemaError) as caught:
        parse(data, "f.json")
    error = caught.value
    where = "" if error.pointer is None else f" at {error.pointer or '(root)'}"
    assert f"{error.line}:{error.column}: error: {error.problem}{where}".startswith(expected)
    assert str(error).startswith(f"f.json:{error.line}:{error.column}: error: {error.problem}")


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'"\\ud83d\\ude00"', "😀"),
        (b"1" * 4300, int("1" * 4300)),
        (b"1e308", 1e308),
        (b"[" * DEPTH.most + b"]" * DEPTH.most, None),
        (b'"' + b"x" * 1_000_000 + b'"', "x" * 1_000_000),
    ],
    ids=["surrogate-pair", "4300-digits", "1e308", "100-levels", "long-string"],
)
def test_what_is_sound_is_read(data: bytes, value: object) -> None:
    expected = json.loads(data) if value is None else value
    assert parse(data, "f.json").value == expected


def test_a_file_of_200_megabytes_is_refused_without_reading_it_whole(tmp_path: Path) -> None:
    big = tmp_path / "big.json"
    with big.open("wb") as file:
        file.truncate(200 * 2**20)
    with pytest.raises(InputError) as caught:
        read(big)
    assert str(caught.value) == f"{big}: error: {FILE.problem}; {FILE.instead}"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero here")
def test_a_file_without_an_end_is_refused() -> None:
    with pytest.raises(InputError, match=r"^/dev/zero: error: more than 16 MiB"):
        read("/dev/zero")


@pytest.mark.parametrize(
    ("name", "problem"),
    [(".", "Is a directory"), ("missing", "No such file or directory"), ("x\x00y", "embedded null byte")],
)
def test_a_path_that_is_no_file_is_refused(tmp_path: Path, name: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        read(f"{tmp_path}/{name}")
    assert str(caught.value).endswith(f"error: cannot be read: {problem}")


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text("{}")
    secret.chmod(0)
    if os.access(secret, os.R_OK):  # root may read all, so that the refusal has to be played

        def refuse(*_: object) -> None:
            raise PermissionError(13, "Permission denied", str(secret))

        monkeypatch.setattr("builtins.open", refuse)
        monkeypatch.setattr("io.open", refuse)
    with pytest.raises(InputError) as caught:
        read(secret)
    assert str(caught.value) == f"{secret}: error: cannot be read: Permission denied"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
def test_a_fifo_is_read_to_its_end(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_bytes, args=(b'{"a": 1}',), daemon=True)
    writer.start()
    assert read(fifo).value == {"a": 1}
    writer.join()


def test_a_name_cannot_smuggle_control_characters_into_a_message(tmp_path: Path) -> None:
    path = tmp_path / "a\n\x1b[31m\u202e.json"
    path.write_text("{")
    with pytest.raises(SchemaError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{tmp_path}/a\\n\\x1b[31m\\u202e.json:1:2: error: not JSON")


def test_a_key_that_appears_twice_is_found_in_a_text_that_is_not_json_too() -> None:
    with pytest.raises(SchemaError):
        parse(b'{"a": 1, "a": 2}]}', "schema.json")
    with pytest.raises(SchemaError):
        parse(b'[{"a": {"b": 1, "b": 2}, "\\q": 1}}', "schema.json")
