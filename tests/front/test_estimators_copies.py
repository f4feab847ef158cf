"""Estimators that are copied, pickled and cloned: with what they were fitted to, their account and their ledger."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import SpecError
from dpframe.estimators import (
    BKS22Mean,
    PrivateEstimator,
    PrivateLearner,
    PrivateMean,
    PrivateMixedMixture,
    PrivatePCA,
)
from dpframe.front.ledger import Ledger, LedgerError, open_ledger

HOW: dict[str, Any] = {"epsilon": 5.0, "delta": 1e-6, "adjacency": "replace_one", "simulate": 0}
ROWS = np.random.default_rng(0).normal(size=(500, 2))
Mean = PrivateLearner.from_spec("bks22_mean", "Mean")
Histogram = PrivateEstimator.from_composite("histogram")


class Named(Histogram):  # type: ignore[misc]
    """A subclass, which its module holds."""


@pytest.mark.parametrize("cls", [Histogram, Named])
def test_a_class_of_a_composite_is_pickled_and_copied_as_itself(cls: Any) -> None:
    model = cls(edges=[0.0], **HOW).fit(ROWS)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
        assert type(again) is cls
        assert again.histogram_.tolist() == model.histogram_.tolist()
        assert again.privacy_["fits"] == 1


@pytest.mark.parametrize("cls", [Mean, PrivateLearner.from_spec("bks22_mean"), BKS22Mean])
def test_a_class_of_a_spec_is_pickled_and_copied_as_itself(cls: Any) -> None:
    """One under a name of one's own was in no module; the shipped one stays itself when another is made of its spec."""
    model = cls(bound=9.0, **HOW)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
        assert type(again) is cls
        assert again.get_params() == model.get_params()


@pytest.mark.parametrize(("of", "name"), [(3, None), (None, None), ("histogram", 3), ("histogram", "a b")])
def test_a_class_is_of_a_composite_and_has_a_name(of: Any, name: Any) -> None:
    with pytest.raises(SpecError):
        PrivateEstimator.from_composite(of, name)


@pytest.mark.slow
def test_another_process_makes_the_class_anew() -> None:
    model = Histogram(edges=[0.0], **HOW).fit(ROWS)
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).histogram_.tolist())"
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(model), capture_output=True, check=True)
    assert done.stdout.decode().strip() == str(model.histogram_.tolist())
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    written = pickle.dumps(Mean(bound=9.0, **HOW))
    done = subprocess.run([sys.executable, "-c", code], input=written, capture_output=True, check=True)
    assert done.stdout.decode().strip() == str(Mean(bound=9.0, **HOW))


def test_a_copy_books_in_the_same_ledger(tmp_path: Path) -> None:
    path = tmp_path / "l"
    session = dp.Session(ROWS, dp.approx_dp(50.0, 1e-5), ledger=path)
    held = open_ledger(path)
    for ledger in (session, held):
        model = PrivateMean(bound=9.0, **HOW, ledger=ledger)
        assert copy.deepcopy(model).ledger is copy.copy(ledger) is ledger
    again = pickle.loads(pickle.dumps(PrivateMean(bound=9.0, **HOW, ledger=held))).ledger
    assert isinstance(again, Ledger)
    assert again.read() == held.read()


def test_what_can_go_to_no_other_process_says_so() -> None:
    """A session would take its table along, and a ledger in memory would be two."""
    session = dp.Session(ROWS, dp.approx_dp(50.0, 1e-5))
    with pytest.raises(SpecError, match="holds its table"):
        pickle.dumps(PrivateMean(bound=9.0, **HOW, ledger=session))
    with pytest.raises(LedgerError, match="no other process"):
        pickle.dumps(session.ledger)


def test_a_whole_number_may_be_written_as_a_float() -> None:
    """The fit was paid, and ended in a TypeError of a slice."""
    assert PrivatePCA(1.0, bound=9.0, seed=3.0, **HOW).fit(ROWS).components_.shape == (1, 2)


@pytest.mark.slow
def test_a_mixed_mixture_says_how_many_components_it_has() -> None:
    X = np.column_stack([ROWS[:, :1], ROWS[:, 1] > 0])
    model = PrivateMixedMixture(1, categorical={1: [0, 1]}, bound=9.0, **HOW).fit(X)
    assert model.n_components_ == len(model.weights_) == 1
