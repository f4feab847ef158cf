"""Dates of NumPy and pandas move with the other clocks of a fork; words that are none of them stay."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import pytest

from dpframe.testing.battery import library_dates
from dpframe.testing.battery.replacing import USER_MODULE
from dpframe.testing.battery.worlds import elsewhere

SECONDS = 1e9  # 2001-09-09
SOURCE = """
import numpy as np
import pandas as pd

def numpy_day():
    return str(np.datetime64("today"))

def numpy_array():
    return str(np.array("now", dtype="datetime64[D]"))

def pandas_moment():
    return str(pd.Timestamp.now())[:10]

def pandas_word():
    return str(pd.Timestamp("today"))[:10]

def pandas_read():
    return str(pd.to_datetime("now"))[:10]

def a_word():
    return {"today": 1}["today"], str(np.datetime64("2020-01-02"))

def fixed():
    made = pd.Timestamp("2020-03-01")
    return isinstance(made, pd.Timestamp), issubclass(type(made), pd.Timestamp), str(made)[:10]
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """As a user's file that was imported."""
    path = tmp_path / "dates.py"
    path.write_text(SOURCE)
    made: Any = types.ModuleType(f"{USER_MODULE}dates")
    made.__file__ = str(path)
    exec(compile(SOURCE, str(path), "exec"), vars(made))
    monkeypatch.setitem(sys.modules, made.__name__, made)
    return made


def moved(function: Any) -> Any:
    def ask() -> Any:
        library_dates.move(lambda: SECONDS)
        return function()

    return elsewhere(ask)


@pytest.mark.parametrize("name", ["numpy_day", "numpy_array", "pandas_moment", "pandas_word", "pandas_read"])
def test_todays_date_is_another(module: Any, name: str) -> None:
    assert moved(vars(module)[name]) == "2001-09-09"
    assert vars(module)[name]() != "2001-09-09", "in that fork only"


@pytest.mark.parametrize("name", ["a_word", "fixed"])
def test_what_is_no_date_of_today_stays(module: Any, name: str) -> None:
    assert moved(vars(module)[name]) == vars(module)[name]()
