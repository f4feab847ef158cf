"""Documents of values and domains: what is written is read back, and what is not one is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpframe.errors import CertificateError
from dpframe.proof.spaces.documents import (
    _TOKEN,
    LARGEST,
    MAX_CONTAINERS,
    MAX_DEPTH,
    check_json,
    parse_json,
    read_bytes,
)
from tests.steps import within

REFUSED: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is not JSON"),
    "half an object": (b'{"a": ', "is not JSON"),
    "binary": (b"\x00\x01\xff", "UTF-8"),
    "another encoding": ('{"a": "ä"}'.encode("latin-1"), "UTF-8"),
    "a byte order mark": ('﻿{"a": 1}'.encode(), "is not JSON"),
    "two values": (b"1 2", "is not JSON"),
    "a trailing comma": (b"[1,]", "is not JSON"),
    "deep lists": (b"[" * 100_000, "nested"),
    "deep objects": (b'{"a":' * 100_000, "nested"),
    "just too deep": (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), "nested"),
    "wide": (b"[" + b"[]," * MAX_CONTAINERS + b"1]", "holds more than"),
    "a key twice": (b'{"a": 1, "b": {"c": 1, "c": 1}}', "'c' occurs twice"),
    "a key twice, escaped": (b'{"a": 1, "\\u0061": 2}', "'a' occurs twice"),
    "NaN": (b"[NaN]", "holds the number NaN"),
    "Infinity": (b"[Infinity]", "holds the number Infinity"),
    "minus Infinity": (b"[-Infinity]", "holds the number -Infinity"),
    "an overflowing number": (b"[1e999]", "too large"),
    "a huge whole number": (b"[" + b"9" * 10_000 + b"]", "64 bits"),
    "a whole number of 65 bits": (b"[9223372036854775809]", "64 bits"),
    "an open string": (b'["' + b'\\"' * 200_000, "is not JSON"),
    "single quotes": (b"{'a': 1}", "is not JSON"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    data, reason = REFUSED[case]
    with pytest.raises(CertificateError, match=reason):
        within(5 * len(data) + 1000, lambda: parse_json(data))


def test_strings_are_scanned_once() -> None:
    """A string that never ends is one token: a scan that failed would begin again at each of its quotes."""
    text = '["' + '\\"' * 1000
    assert [token.span() for token in _TOKEN.finditer(text)] == [(0, 1), (1, len(text))]


def test_size_is_bounded() -> None:
    assert parse_json(b"[1]", limit=3) == [1]
    with pytest.raises(CertificateError, match="larger than 2 bytes"):
        parse_json(b"[1]", limit=2)


def test_brackets_in_strings_are_text() -> None:
    text = '"' + "[{" * 500 + '\\"' + "[" * 500 + '"'
    assert parse_json(f"[{text}]".encode()) == ["[{" * 500 + '"' + "[" * 500]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-LARGEST, LARGEST)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=30)
@given(JSON)
def test_json_comes_back_exactly(value: Any) -> None:
    import json

    check_json(value)
    back = parse_json(json.dumps(value).encode())
    assert repr(back) == repr(value)


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, 2**64, (1, 2), {1: 2}, b"x", object(), [[{"a": {1}}]]],
    ids=["nan", "inf", "65 bits", "tuple", "key", "bytes", "object", "set"],
)
def test_values_in_memory_that_no_document_holds(value: Any) -> None:
    with pytest.raises(CertificateError):
        check_json(value)


def test_values_in_memory_are_bounded() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(CertificateError, match="nested"):
        check_json(deep)
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(CertificateError, match="nested"):
        check_json(loop)
    twice: Any = [0]
    for _ in range(80):
        twice = [twice, twice]
    with pytest.raises(CertificateError, match="holds more than"):
        check_json(twice)


def test_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert read_bytes(tmp_path / "a") == b"abc"
    with pytest.raises(CertificateError, match="larger than 2 bytes"):
        read_bytes(tmp_path / "a", limit=2)
    for place, reason in ((tmp_path, "no ordinary file|not an ordinary file"), (tmp_path / "b", "can't be read")):
        with pytest.raises(CertificateError, match=reason):
            read_bytes(place)
    for strange in ("/dev/zero", "a\0b", ""):
        with pytest.raises(CertificateError):
            read_bytes(strange)
