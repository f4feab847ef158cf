"""Attacks on a plugin's own functions: row maps that must treat rows alone, and learners that must forget."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from dpframe.testing.battery.lab import Crash, Lab, call, fingerprint
from dpframe.testing.battery.tables import EXTREMES
from dpframe.testing.battery.values import draw, drawable


def attack_learner(lab: Lab, name: str, function: Callable[..., Any]) -> str:
    """Find out what a registered function is by calling it, and attack it as that; returns the kind."""
    lab.ran("docstring", "rowwise", "purity", "totality")
    if not (inspect.getdoc(function) or "").strip():
        lab.fail("docstring", f"function {name!r} has no docstring: say what it does")
    for d in (2, 1, 3, 5):
        rows = np.round(np.random.default_rng(d).standard_normal((9, d)) * 4) / 2
        try:
            answer = call(function, rows.copy(), np.random.default_rng(0))
        except Crash:
            answer = None
        if isinstance(answer, (tuple, list)):
            _attack_block_learner(lab, function, rows)
            return "learner"
        params = _row_params(function, rows)
        if params is not None:
            _attack_row_map(lab, function, rows, params)
            return "row map"
    lab.fail("totality", f"function {name!r} is neither a row map (values, *params) nor a learner (rows, generator)")
    return "function"


def _row_params(function: Callable[..., Any], rows: Any) -> tuple[Any, ...] | None:
    """Parameters with which it maps (m, d) to (m, p), or None."""
    from dpframe.testing.battery.cases import released_domains

    tries: list[tuple[Any, ...]] = [()]
    rng = np.random.default_rng(0)
    tries += [(draw(domain, rng),) for domain in released_domains(rows.shape[1]) if drawable(domain)]
    for params in tries:
        try:
            image = np.asarray(call(function, rows.copy(), *params), dtype=np.float64)
        except (Crash, TypeError, ValueError):
            continue
        if image.ndim == 2 and len(image) == len(rows):
            return params
    return None


def _attack_row_map(lab: Lab, function: Callable[..., Any], rows: Any, params: tuple[Any, ...]) -> None:
    def image(values: Any) -> Any:
        with np.errstate(all="ignore"):
            return np.asarray(function(np.ascontiguousarray(values), *params), dtype=np.float64)

    for _ in lab.rounds(4 * lab.trials):
        table = rows[lab.rng.integers(len(rows), size=6)] + lab.rng.choice(EXTREMES[:7], (6, rows.shape[1]))
        order = lab.rng.permutation(6)
        try:
            base = image(table)
            ways = {
                "alone": image(table[:1])[0],
                "in another order": image(table[order])[list(order).index(0)],
                "among other rows": image(np.vstack([table[:1], rows[::-1] * 3]))[0],
                "in a longer table": image(np.vstack([table[:1]] * 40))[-1],
            }
            again, kept = image(table), table.copy()
            function(table, *params)
        except Exception as error:  # noqa: BLE001  the kernel makes such a row empty, which must depend on it alone
            lab.note(f"the function raised {type(error).__name__}; the kernel then calls it row by row")
            return
        if fingerprint(base) != fingerprint(again):
            lab.fail("purity", "the same rows give another image the second time", rows=table[:2])
        if fingerprint(kept) != fingerprint(table):
            lab.note("the function changes the array it is given; the kernel hands it a copy")
        for words, found in ways.items():
            if fingerprint(found) != fingerprint(base[0]):
                smallest = _fewest(image, table)
                lab.fail(
                    "rowwise",
                    f"a row's image is not the same {words}: other rows change it",
                    row=table[0],
                    other_rows=smallest,
                    alone=ways["alone"],
                    among_them=base[0],
                    released=list(params),
                )
                return


def _fewest(image: Callable[[Any], Any], table: Any) -> Any:
    """One other row that changes the first one's image, else all of them; zeros and ones first."""
    d = table.shape[1]
    for other in [np.zeros(d), np.ones(d), *table[1:]]:
        if fingerprint(image(np.vstack([table[:1], other[None]]))[0]) != fingerprint(image(table[:1])[0]):
            return other[None]
    return table[1:]


def _attack_block_learner(lab: Lab, function: Callable[..., Any], rows: Any) -> None:
    """The same block and stream: the same answer, whatever other blocks it has seen."""

    def answer(block: Any) -> bytes:
        try:
            return fingerprint([np.asarray(a) for a in call(function, block.copy(), np.random.default_rng(7))])
        except Crash as error:
            return str(error).encode()

    for _ in lab.rounds(2 * lab.trials):
        block = rows[lab.rng.integers(len(rows), size=5)]
        first = answer(block)
        answer(rows * float(lab.rng.choice([10.0, -3.0])) + 5.0)
        if answer(block) != first:
            lab.fail(
                "purity",
                "a learner's answer depends on blocks it saw before: it keeps state, or draws from elsewhere "
                "than the generator it is given",
                block=block,
            )
            return
    for block in (rows[:0], rows[:1], np.zeros_like(rows)):
        answer(block)
