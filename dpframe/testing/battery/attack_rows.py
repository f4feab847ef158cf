"""Attacks on what maps or cuts rows: transforms, partitions, gathers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Batch, Gather, Partition, Transform
from dpframe.proof.spaces import Domain, Edits, Rows, WeightedRows
from dpframe.testing.battery import metrics
from dpframe.testing.battery.attack_batches import attack_batches
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import Crash, Lab, call, copied, fingerprint, shrink
from dpframe.testing.battery.tables import Row, batch, bounded, pool, simpler

BITS = 6
"""The lattice of clipped rows that go in, where the operation does not name one: coarse, so that edges are hit."""


def bits_of(case: Case) -> int:
    """Lattice bits of rows that go in."""
    return int(getattr(case.operation, "bits", BITS))


def sample(lab: Lab, case: Case, params: Sequence[Any], most: int = 10) -> list[Row]:
    """A few rows worth trying, with a tie."""
    domain = case.domains[0]
    rows = pool(domain, bits_of(case), params, lab.rng)
    size = int(lab.rng.integers(2, most))
    chosen = [rows[int(i)] for i in lab.rng.integers(len(rows), size=size)]
    return [*chosen, chosen[0]]


# ----------------------------------------------------------------------------------------- transforms


def attack_transform(lab: Lab, case: Case) -> None:
    """Row-wise, total, in its domain, stable."""
    operation: Transform = case.operation  # type: ignore[assignment]
    lab.ran("rowwise", "totality", "domain", "purity", "stability")
    for i in lab.rounds():
        params = lab.params(case, i)
        rows = sample(lab, case, params)
        if not _total(lab, case, params, rows):
            return
        image = _image(case, params)
        _rowwise(lab, case, params, rows, image)
        _domain(lab, case, params, rows)
        _pure(lab, case, params, rows)
    attack_batches(lab, case)
    declared = metrics.by_edits(operation, case.domains)
    for e, made in declared.items():
        kept = [m for m in made if isinstance(m, Edits)]
        if kept and not (kept[0].removed >= e.removed and kept[0].added >= e.added):
            lab.fail("stability", f"{e} give {kept[0]}, but a row-wise map keeps every edit", edits=str(e))


def _batch(case: Case, rows: Sequence[Row], start: int = 0) -> Batch:
    return batch(rows, case.domains[0], bits_of(case), start=start)


def _shown(case: Case, params: Sequence[Any], rows: Sequence[Row]) -> dict[str, Any]:
    shown: dict[str, Any] = {"case": case.text, "rows": [r.text for r in rows]}
    return {**shown, "released": list(params)} if params else shown


def _image(case: Case, params: Sequence[Any]) -> Callable[[Sequence[Row], int, int], bytes]:
    """The bits of one row's image in a batch."""

    def image(rows: Sequence[Row], i: int, start: int) -> bytes:
        out = case.operation.apply(_batch(case, rows, start), *params)  # type: ignore[attr-defined]
        return row_bits(out, i)

    return image


def row_bits(out: Batch, i: int) -> bytes:
    """The bits of row i."""
    if len(out.valid) <= i:
        return b"missing"
    values = out.values[:, i] if out.weights is not None else out.values[i]
    weights = b"" if out.weights is None else fingerprint(out.weights[i])
    return fingerprint(values) + weights + bytes([int(out.valid[i])])


def _rowwise(
    lab: Lab, case: Case, params: Sequence[Any], rows: list[Row], image: Callable[[Sequence[Row], int, int], bytes]
) -> None:
    """Alone, permuted, among other rows, in another place: always the same bits."""
    others = sample(lab, case, params)
    order = [int(i) for i in lab.rng.permutation(len(rows))]
    first = image(rows, 0, 0)
    moves: list[tuple[str, list[Row], int, int]] = [
        ("alone in its batch", rows[:1], 0, 0),
        ("with the other rows permuted", [rows[i] for i in order], order.index(0), 0),
        ("with the other rows replaced", [rows[0], *others], 0, 0),
        ("after other rows", [*others, rows[0]], len(others), 0),
        ("at another place of the table", rows, 0, 4096),
    ]
    for words, changed, at, start in moves:
        if image(changed, at, start) != first:
            _report_rowwise(lab, case, params, rows[0], [*rows[1:], *others], words)
            return


def _report_rowwise(lab: Lab, case: Case, params: Sequence[Any], row: Row, others: list[Row], words: str) -> None:
    image = _image(case, params)

    def depends(rest: list[Row]) -> bool:
        alone = image([row], 0, 0)
        return any(
            image(rows, at, start) != alone
            for rows, at, start in (([row, *rest], 0, 0), ([*rest, row], len(rest), 0), ([row], 0, 4096))
        )

    smallest = shrink(others, depends, lambda r: simpler(r, case.domains[0])) if depends(others) else others
    lab.fail(
        "rowwise",
        f"a row's image is not the same {words}",
        **_shown(case, params, [row]),
        other_rows=[r.text for r in smallest],
    )


def _total(lab: Lab, case: Case, params: Sequence[Any], rows: list[Row]) -> bool:
    """No exception and no warning, also for no rows at all and one row; a refusal of released values alone is fine."""
    operation: Transform = case.operation  # type: ignore[assignment]

    def crash(chosen: Sequence[Row]) -> str:
        try:
            call(operation.apply, _batch(case, chosen), *params)
        except Crash as error:
            return str(error)
        return ""

    try:
        call(operation.apply, _batch(case, []), *params)
    except Crash as error:
        if error.refusal:
            return True
    for chosen in ([], rows[:1], rows):
        if crash(chosen):
            smallest = shrink(chosen, lambda r: bool(crash(r)), lambda r: simpler(r, case.domains[0]))
            lab.fail("totality", f"apply gave {crash(smallest)}", **_shown(case, params, smallest))
            return False
    return True


def _domain(lab: Lab, case: Case, params: Sequence[Any], rows: list[Row]) -> None:
    def fails(chosen: list[Row]) -> bool:
        return bool(_problem(case, params, chosen))

    if fails(rows):
        bad = shrink(rows, fails, lambda r: simpler(r, case.domains[0]))
        lab.fail("domain", _problem(case, params, bad), **_shown(case, params, bad))


def _indexed(case: Case, rows: Sequence[Row]) -> Batch:
    """As in a part of a table, where rows keep their index."""
    return attrs.evolve(_batch(case, rows), rows=np.arange(len(rows), dtype=np.int64) * 3 + 5)


def _problem(case: Case, params: Sequence[Any], rows: Sequence[Row]) -> str:
    given = _indexed(case, rows)
    out = case.operation.apply(copied(given), *params)  # type: ignore[attr-defined]
    return rows_problem(out, given, case.operation.output(*case.domains))


def rows_problem(out: Batch, given: Batch | None, domain: Domain) -> str:
    """Why a batch does not belong to a domain of rows, or to the batch it was made from; empty if it does."""
    m = len(out.valid)
    weighted = isinstance(domain, WeightedRows)
    shape = (domain.k, m, domain.d) if isinstance(domain, WeightedRows) else (m, getattr(domain, "d", 0))
    if out.values.dtype != np.float64 or out.values.shape != shape or out.valid.dtype != np.bool_:
        return f"values are {out.values.dtype} of shape {out.values.shape}, declared float64 of shape {shape}"
    if given is not None:
        if m != len(given.valid):
            return f"{len(given.valid)} rows became {m}"
        if (out.valid & ~given.valid).any():
            return "an empty row became a row"
        if not np.array_equal(out.index, given.index):
            return "rows lost their index"
    if not np.isfinite(out.values).all():
        return "an image is not finite"
    dead = out.values[:, ~out.valid] if weighted else out.values[~out.valid]
    if dead.any():
        return "an empty row is not zeroed"
    return _off_lattice(out, domain) if bounded(domain) else ""


def _off_lattice(out: Batch, domain: Domain) -> str:
    top = 2**out.bits
    if (out.values != np.trunc(out.values)).any():
        return "a bounded row is not on the lattice"
    if np.abs(out.values).max(initial=0.0) > top:
        return f"a coordinate is above 2^{out.bits} steps"
    flat = out.values.reshape(-1, out.values.shape[-1])
    if getattr(domain, "bound", "unit_ball") == "unit_ball":
        for row in flat:
            if sum(int(x) ** 2 for x in row) > top**2:
                return f"a row of the unit ball has a norm above 2^{out.bits} steps"
    if out.weights is not None:
        if (out.weights != np.trunc(out.weights)).any() or (out.weights < 0).any():
            return "a weight is not a whole number >= 0"
        if out.weights.sum(axis=1).max(initial=0.0) > top:
            return f"the weights of a row sum to more than 2^{out.bits}"
    return ""


def _pure(lab: Lab, case: Case, params: Sequence[Any], rows: list[Row]) -> None:
    operation: Transform = case.operation  # type: ignore[assignment]
    given, before = _batch(case, rows), fingerprint(list(params))
    kept = copied(given)
    first, second = operation.apply(given, *params), operation.apply(copied(given), *params)
    if fingerprint(kept) != fingerprint(given) or before != fingerprint(list(params)):
        lab.fail("purity", "apply changes its inputs", **_shown(case, params, rows[:1]))
    elif fingerprint([first.values, first.weights]) != fingerprint([second.values, second.weights]):
        lab.fail("purity", "the same rows give other images the second time", **_shown(case, params, rows[:2]))


# ----------------------------------------------------------------------------------------- partitions


def attack_partition(lab: Lab, case: Case) -> None:
    """Parts from the row (or its index) alone, in range, priced by the right theorem."""
    operation: Partition = case.operation  # type: ignore[assignment]
    lab.ran("partition", "totality", "domain")
    if operation.declaration().draws:
        _secret(lab, case)
        return
    for i in lab.rounds():
        params = lab.params(case, i)
        rows = sample(lab, case, params)
        try:
            parts = _parts(case, params, rows)
            for m in (0, 1):
                _parts(case, params, rows[:m])
        except Crash as error:
            lab.fail("totality", f"assign gave {error}", **_shown(case, params, rows))
            return
        count = operation.parts()
        if parts.shape != (len(rows),) or parts.dtype.kind not in "iu" or not ((parts >= -1) & (parts < count)).all():
            lab.fail("domain", f"parts must be whole numbers in -1..{count - 1}", **_shown(case, params, rows))
            return
        _same_part(lab, case, params, rows)


def _parts(case: Case, params: Sequence[Any], rows: Sequence[Row], start: int = 0, n: int = 10_000) -> Any:
    operation: Partition = case.operation  # type: ignore[assignment]
    return np.asarray(call(operation.assign, _batch(case, rows, start), n, *params))


def _same_part(lab: Lab, case: Case, params: Sequence[Any], rows: list[Row]) -> None:
    """By rule: the row alone decides. By index: the place alone decides."""
    others = sample(lab, case, params)
    order = [int(i) for i in lab.rng.permutation(len(rows))]
    base = _parts(case, params, rows)
    if case.operation.theorem == "index_partition":
        same = [("with other rows in all places", [others[i % len(others)] for i in range(len(rows))], 0, 0)]
        same += [("when it is the first of a batch", rows[1:], 1, 1)]
        for words, changed, start, skip in same:
            if not np.array_equal(_parts(case, params, changed, start), base[skip:]):
                lab.fail("partition", f"a place's part is not the same {words}", **_shown(case, params, rows))
        return
    moves = [("when rows are permuted", [rows[i] for i in order], base[order], 0)]
    moves += [("when it is alone", [row], base[i : i + 1], 0) for i, row in enumerate(rows)]
    moves += [("at another place of the table", rows, base, 4096)]
    for words, changed, wanted, start in moves:
        if not np.array_equal(_parts(case, params, changed, start), wanted):
            lab.fail("partition", f"a row's part is not the same {words}", **_shown(case, params, rows))
            return
    if not np.array_equal(_parts(case, params, [*rows, *others], 0, 77)[: len(rows)], base):
        lab.fail("partition", "a row's part depends on other rows or their number", **_shown(case, params, rows))


def _secret(lab: Lab, case: Case) -> None:
    from dpframe.kernel.noise import SeededSource

    operation: Any = case.operation
    for n in (0, 1, 2, 57):
        try:
            labels = np.asarray(call(operation.draw, n, SeededSource(1)))
            again = np.asarray(call(operation.draw, n, SeededSource(1)))
        except Crash as error:
            lab.fail("totality", f"draw({n}) gave {error}", case=case.text)
            return
        if labels.shape != (n,) or not ((labels >= -1) & (labels < operation.parts())).all():
            lab.fail("domain", f"draw({n}) must give {n} labels in -1..{operation.parts() - 1}", case=case.text)
        if not np.array_equal(labels, again):
            lab.fail("partition", "labels depend on more than the source's stream", case=case.text)
    few, many = [np.asarray(operation.draw(400, SeededSource(s))) for s in (1, 2)]
    if len(np.unique(few)) > 1 and np.array_equal(few, many):
        lab.fail("partition", "labels do not depend on the source: they are no secret", case=case.text)


# -------------------------------------------------------------------------------------------- gathers


def attack_gather(lab: Lab, case: Case) -> None:
    """Disjoint groups, group-wise images, no more changed rows than declared."""
    from dpframe.kernel.noise import SeededSource

    operation: Gather = case.operation  # type: ignore[assignment]
    lab.ran("grouping", "totality", "domain", "stability")
    for n in (0, 1, 2, 3, 7, 40):
        try:
            indices = np.asarray(call(operation.indices, n, SeededSource(3)))
        except Crash as error:
            lab.fail("totality", f"indices({n}) gave {error}", case=case.text)
            return
        flat = indices.ravel()
        if indices.ndim != 2 or ((flat < 0) | (flat >= n)).any():
            lab.fail("domain", f"indices({n}) must be groups of indices below {n}", case=case.text, groups=indices)
            return
        if len(np.unique(flat)) < flat.size:
            lab.fail("grouping", "a row is in two groups, so that one edit changes both", n=n, groups=indices)
    for i in lab.rounds():
        _groups(lab, case, sample(lab, case, lab.params(case, i)), indices.shape[1] if indices.size else 2)


def _groups(lab: Lab, case: Case, rows: list[Row], size: int) -> None:
    operation: Gather = case.operation  # type: ignore[assignment]
    groups = [[rows[(i + j) % len(rows)] for j in range(size)] for i in range(len(rows))]
    try:
        out = call(operation.combine, _grouped(case, groups))
        call(operation.combine, _grouped(case, []))
        alone = [call(operation.combine, _grouped(case, [g])) for g in groups]
    except Crash as error:
        lab.fail("totality", f"combine gave {error}", case=case.text, rows=[r.text for r in rows])
        return
    problem = rows_problem(out, None, operation.output(*case.domains))
    if problem or len(out.valid) != len(groups):
        lab.fail("domain", problem or "the number of groups changed", case=case.text, rows=[r.text for r in rows])
        return
    for i, (single, group) in enumerate(zip(alone, groups, strict=True)):
        if row_bits(single, 0) != row_bits(out, i):
            lab.fail("grouping", "a group's image depends on other groups", group=[r.text for r in group])
            return


def _grouped(case: Case, groups: list[list[Row]]) -> Batch:
    domain = case.domains[0]
    d = domain.d if isinstance(domain, Rows) else 1
    size = len(groups[0]) if groups else 2
    values = np.array([[r.values for r in g] for g in groups], dtype=np.float64).reshape(len(groups), size, d)
    valid = np.array([[r.valid for r in g] for g in groups], dtype=np.bool_).reshape(len(groups), size)
    return attrs.evolve(Batch(0, values, valid), bits=0)
