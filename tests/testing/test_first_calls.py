"""What a first call imports is imported once, and no first call is taken as slow for it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from dpframe.testing.battery import attack_row_maps
from dpframe.testing.battery.first_calls import load_libraries


def test_libraries_are_imported_here(monkeypatch: pytest.MonkeyPatch) -> None:

    def first() -> Any:
        import colorsys

        return colorsys

    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    assert load_libraries(first, [first]) == ["colorsys"]
    assert "colorsys" in sys.modules
    assert load_libraries(first, [first]) == []


def test_a_plugins_own_modules_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "beside_a_plugin.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(tmp_path)

    def first() -> Any:
        import beside_a_plugin  # type: ignore[import-not-found]

        return beside_a_plugin

    assert load_libraries(first, [first]) == []
    assert "beside_a_plugin" not in sys.modules


@pytest.mark.parametrize("error", [ValueError, SystemExit])
def test_what_raises_or_ends_is_no_matter(error: type[BaseException]) -> None:
    def first() -> None:
        raise error

    assert load_libraries(first, [first]) == []


@pytest.mark.parametrize(("times", "few"), [(0, False), (1, False), (2, True)])
def test_a_slow_first_call_is_not_taken_as_a_slow_function(
    times: int, few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first calls take as long as an import does."""
    taken = [0.0] * 2

    def function(rows: Any) -> Any:
        taken[0] += 1
        taken[1] += 0.05 if taken[0] <= times else 0.0
        return rows * 1.0

    monkeypatch.setattr(attack_row_maps, "spent", lambda: taken[1])
    (use,) = attack_row_maps.uses_of(function, most=1)[:1]
    assert use.few is few


def test_a_function_that_looks_whether_a_library_is_there_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first call imports it: every later one would be alike."""

    def looks(rows: Any) -> Any:
        if "colorsys" in sys.modules:
            return rows * 1.0
        import colorsys  # noqa: F401

        return rows / 2

    def imports(rows: Any) -> Any:
        import colorsys  # noqa: F401

        return rows / 2

    for function, refuted in ((looks, True), (imports, False)):
        monkeypatch.delitem(sys.modules, "colorsys", raising=False)
        use = attack_row_maps.uses_of(imports)[:1]
        monkeypatch.delitem(sys.modules, "colorsys", raising=False)
        assert attack_row_maps._libraries_decide(function, use) is refuted
        assert "colorsys" in sys.modules
