"""What an operation of one's own gives where it does not give what it declares: for whoever wrote it to see."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel import registry
from dpframe.kernel.claiming import MOST_POWER
from dpframe.kernel.foreign import quiet, shaped
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.own.base import shape_of, value_domain
from dpframe.kernel.own.rows import OwnContribution, OwnTransform
from dpframe.kernel.own.sampler import Sampler
from dpframe.kernel.owned import Own
from dpframe.proof.spaces import Index
from dpframe.proof.theorems.own import NORMS, size_of
from dpframe.testing.battery import sizes
from dpframe.testing.battery.own_inputs import inputs_of

ROWS, SCALE, LEAST_SEEN = 20, 4.0, 2
EDITS = ((1, 1), (1, 0), (0, 1))


def misfit(known: Own) -> str:
    """What is wrong with what it gives for made-up input of a usual size; empty where that can't be told."""
    extra = {"share": 1.0} if known.kind == "mechanism" else {}
    try:
        operation: Any = registry.build(known.name, {**known.examples, **extra})
    except DpframeError:
        return ""
    if known.expressed or known.kind not in ("statistic", "query", "mechanism", "transform") or _asks_more(known):
        return ""
    tried = [_tried(operation, known, values) for values in _inputs(known, operation)]
    return "" if not tried or "" in tried else tried[0]


def never_fits(known: Own) -> bool:
    """Whether it gives numbers of one wrong shape whatever it is given, not all zeros: more than a guard's answer."""
    try:
        operation: Any = registry.build(known.name, known.examples)
    except DpframeError:
        return False
    if known.expressed or known.kind not in ("statistic", "query", "transform") or _asks_more(known):
        return False
    shapes, seen = set[tuple[int, ...]](), 0
    for values in _inputs(known, operation):
        made = quiet(np.asarray, quiet(known.function, *values, **operation.keywords), dtype=np.float64)
        if made is None or np.isnan(made).any() or not _tried(operation, known, values):
            return False
        shapes.add(made.shape)
        seen += bool(made.any())
    return len(shapes) == 1 and seen >= LEAST_SEEN


def always_fails(known: Own) -> bool:
    """Whether its claim raises what is no refusal, whatever it is told of: then no plan ever takes it."""
    try:
        settings = known.settings(known.examples)
    except DpframeError:
        return False
    edits = list(known.proved_for or EDITS)
    if known.kind == "statistic":
        return _raises(known, edits, settings)
    if known.kind == "query":
        most = max(inputs_of(known.function), default=1)
        return _raises(known, [(dict.fromkeys(NORMS, 1.0),) * n for n in range(1, most + 1)], settings)
    apart: list[tuple[Any, ...]] = edits if known.takes == "edits" else [(1.0,), (0.5,)]
    return _raises(known, [(2.0**MOST_POWER, *a) for a in apart], settings)  # which every plan asks first


def _raises(known: Own, about: Sequence[tuple[Any, ...]], settings: Any) -> bool:
    for told in about if known.claim is not None else ():
        try:
            known.claim(*told, **settings)  # type: ignore[misc]
        except DpframeError:
            return False
        except Exception:  # noqa: BLE001, S112  what it is asked for
            continue
        return False
    return known.claim is not None


def _asks_more(known: Own) -> bool:
    """Whether it takes released values or several private ones, of which nothing is known."""
    return known.kind != "mechanism" and min(inputs_of(known.function)) > 1


def _inputs(known: Own, operation: Any) -> list[tuple[Any, ...]]:
    rng = np.random.default_rng(0)
    if known.kind in ("statistic", "transform") or known.takes == "edits":
        tables = [np.abs(rng.standard_normal((ROWS, d))) for d in sizes.columns(known.function)]
        more = (SCALE, Sampler(SeededSource(0))) if known.kind == "mechanism" else ()
        return [(table, *more) for table in tables]
    made = value_domain(operation)
    counts = [made.m if isinstance(made, Index) else int(np.prod(shape_of(made))), 8, 3, 1]
    if known.kind == "query":
        return [(np.arange(1.0, m + 1.0),) for m in counts]
    return [(np.arange(m), SCALE, Sampler(SeededSource(0))) for m in counts]


def _tried(operation: Any, known: Own, values: tuple[Any, ...]) -> str:
    """What is wrong with its answer; empty if nothing is."""
    shown = f"for {_words(values[0], known)}"
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = known.function(*values, **operation.keywords)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  shown to whoever wrote it
        return f"{shown} it raised {type(error).__name__}: {error}"
    if made is None:
        return f"{shown} it gave nothing"
    wanted = value_domain(operation) if not isinstance(operation, OwnTransform) else None
    if isinstance(wanted, Index):
        fits = isinstance(made, (int, np.integer)) and 0 <= made < wanted.m
        return "" if fits else f"{shown} it gave a {type(made).__name__}, declared a whole number below {wanted.m}"
    try:
        array = np.asarray(made)
        numbers = np.asarray(made, dtype=np.float64)
    except (TypeError, ValueError):
        return f"{shown} it gave a {type(made).__name__} that is no array of numbers"
    if isinstance(operation, (OwnContribution, OwnTransform)):
        width = operation.p if isinstance(operation, OwnTransform) else size_of(value_domain(operation))
        fits = numbers.shape[:1] == (len(values[0]),) and numbers.size == len(values[0]) * width
        declared: Any = (len(values[0]), width)
    else:
        declared = shape_of(value_domain(operation))
        fits = shaped(numbers, declared) is not None
    if not fits:
        return f"{shown} it gave an array of shape {numbers.shape}, declared {declared}: it would count as zeros"
    if known.kind == "mechanism" and known.takes != "edits" and array.dtype.kind not in "iu":
        return f"{shown} it gave {array.dtype.name} numbers, not whole steps of the lattice: zeros would be released"
    return ""


def _words(value: Any, known: Own) -> str:
    if known.kind in ("statistic", "transform") or known.takes == "edits":
        return f"{len(value)} rows of {value.shape[1]} columns"
    return f"{len(value)} number{'s' * (len(value) != 1)}"
