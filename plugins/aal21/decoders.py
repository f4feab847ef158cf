"""List decoders: rows in, a released list of Gaussians out, one of which is near each component of a mixture.

**The interface.** A decoder is a registered composite ``decoder(x, *, alpha, gamma, rows, share, delta_fraction, seed,
limit, …) -> Handle``. Of the private rows ``x``, ``rows`` in public number, it releases a list of Gaussians: its domain
is ``ListOf(Gaussian(d), most)`` with a static bound ``most``. For every Gaussian that at least a share 1 − γ of the
rows come from, one of the list should be within α of it in total variation; privacy does not rest on that. Hypotheses
are products over the columns, so its components must be axis-aligned: a list with a correlation ends in ``failed``.
``mixture_from_list_decoder`` takes any composite of this form by its name, a user's own included.
"""

from __future__ import annotations

from typing import Any

import dpframe.plugin as dp
from dpframe.plugin import Handle, Kind, ListOf, PlanError, Rows, composite

LIMIT = 100_000
SCALE_SHARE = 0.2
BOXES = 32
EXAMPLE = {"alpha": 0.5, "gamma": 0.9, "rows": 600}
"""What `dpframe check` calls decoders with."""


def check_rows(x: Handle, d: int | None = None) -> None:
    """Refuse anything but private rows in the units of the table, of ``d`` columns."""
    if x.edge.kind is not Kind.PRIVATE or not isinstance(x.domain, Rows) or x.domain.bound != "any":
        raise PlanError("a decoder needs private rows in the units of the table", fix="give it the table or a half")
    if d is not None and x.d != d:
        raise PlanError(f"this decoder takes {d} column, not {x.d}", fix="use aal21.axis_aligned_decoder")


def _scales(x: Handle, wanted: dict[str, Any], share: float, seed: int) -> tuple[Handle, int]:
    """Algorithm 3 on every column at once: the list of (column, standard deviation), and its static bound."""
    distances = dp.dyadic_counts(dp.pairs(x, seed=seed))
    sizes = dp.release("sizes", dp.gaussian(share=share), distances)
    listed = dp.post("aal21.scale_list", sizes, name="scales", **wanted)
    domain = listed.domain
    if not isinstance(domain, ListOf):
        raise PlanError("the scales are no list")
    return listed, domain.max_length


def _wanted(alpha: float, gamma: float, rows: int, limit: int) -> dict[str, Any]:
    return {"alpha": alpha, "gamma": gamma, "rows": rows, "limit": limit}


@composite("aal21.known_decoder", examples={**EXAMPLE, "sds": (1.0, 1.0)})
def known_decoder(
    x: Handle,
    *,
    sds: tuple[float, ...],
    alpha: float,
    gamma: float,
    rows: int,
    share: float = 1.0,
    delta_fraction: float = 0.5,
    seed: int = 0,
    limit: int = LIMIT,
) -> Handle:
    """Gaussians of known standard deviations, one a column: bins as wide as these, and nets around the heavy ones.

    Parameters
    ----------
    x : Handle
        Private rows, (n, d).
    sds : sequence of float
        Public, in the units of the table.
    alpha, gamma, rows, share, delta_fraction, seed, limit
        See the module.

    Returns
    -------
    Handle
        A released list of at most ``limit`` Gaussians with these deviations, in the units of the table; ``failed``
        where there would be more, or no bin is heavy enough.

    Formal guarantees
    -----------------
    One stable histogram of d columns at once (T1), not d of them at ε/d: ``share`` of ρ, ``delta_fraction`` of δ.

    References
    ----------
    AAL21, Algorithm 2, Corollary 4.5, Corollary E.2.
    """
    check_rows(x)
    if len(sds) != x.d:
        raise PlanError(f"{len(sds)} standard deviations for {x.d} columns", fix="give one a column")
    grids = dp.post("aal21.known_bins", sds=list(sds), name="grids")
    mechanism = dp.stable_histogram(share=share, delta_fraction=delta_fraction)
    found = dp.release("found", mechanism, dp.column_cells(x, grids, levels=x.d))
    return dp.post("aal21.known_list", found, sds=list(sds), name="list", **_wanted(alpha, gamma, rows, limit))


@composite("aal21.gaussian_decoder", examples=EXAMPLE)
def gaussian_decoder(
    x: Handle,
    *,
    alpha: float,
    gamma: float,
    rows: int,
    share: float = 1.0,
    delta_fraction: float = 0.5,
    seed: int = 0,
    limit: int = LIMIT,
) -> Handle:
    """Univariate Gaussians: scales from pairs of rows, then means at each scale that was found.

    T6: the loop over scales has one fixed total, divided by the number of scales that were *found*, not by the
    12/(1 − γ)² that might have been; and a mean is paired with the scale of its own run only. Both steps see all rows.

    Parameters
    ----------
    x : Handle
        Private rows, (n, 1): a whole table, or a part cut by index.
    alpha, gamma, rows, share, delta_fraction, seed, limit
        See the module.

    Returns
    -------
    Handle
        A released list of at most ``limit`` Gaussians in one column, in its units; ``failed`` where there would be
        more, or no bin is heavy enough.

    Formal guarantees
    -----------------
    A Gaussian histogram of all exponents (no δ), and a ``for_each`` of stable histograms with a fixed total.

    References
    ----------
    AAL21, Algorithms 3 and 4; docs/theory/corrections.md#t6.
    """
    check_rows(x, 1)
    wanted = _wanted(alpha, gamma, rows, limit)
    scales, most = _scales(x, wanted, SCALE_SHARE * share, seed)

    def means(scale: Handle, rows: Handle) -> Handle:
        grid = dp.post("aal21.bins_of", scale, name="grid")
        mechanism = dp.stable_histogram(share=1.0, delta_fraction=delta_fraction)
        return dp.release("means", mechanism, dp.column_cells(rows, grid, levels=1))

    loop = (1.0 - SCALE_SHARE) * share
    found = dp.for_each("runs", scales, means, x, share=loop, max_length=most)
    return dp.post("aal21.gaussian_list", scales, found, name="list", **wanted)


@composite("aal21.axis_aligned_decoder", examples=EXAMPLE)
def axis_aligned_decoder(
    x: Handle,
    *,
    alpha: float,
    gamma: float,
    rows: int,
    share: float = 1.0,
    delta_fraction: float = 0.5,
    seed: int = 0,
    limit: int = LIMIT,
) -> Handle:
    """Axis-aligned Gaussians as the product of what each column shows: the paper's list.

    T1: the histograms of all scales of all columns are released at once by one Gaussian of ℓ₂ sensitivity √(2m), m the
    number of scales that were found, instead of d decoders at ε/d.

    Parameters
    ----------
    x : Handle
        Private rows, (n, d).
    alpha, gamma, rows, share, delta_fraction, seed, limit
        See the module.

    Returns
    -------
    Handle
        A released list of at most ``limit`` axis-aligned Gaussians, in the units of the table; ``failed`` where there
        would be more, or no bin is heavy enough.

    Formal guarantees
    -----------------
    A Gaussian histogram of all exponents of d columns, and one stable histogram of m at once.

    References
    ----------
    AAL21, Algorithm 5; docs/theory/corrections.md#t1 and #t6.
    """
    check_rows(x)
    wanted = _wanted(alpha, gamma, rows, limit)
    scales, most = _scales(x, wanted, SCALE_SHARE * share, seed)
    grids = dp.post("aal21.bins_of_all", scales, most=most, name="grids")
    mechanism = dp.stable_histogram(share=(1.0 - SCALE_SHARE) * share, delta_fraction=delta_fraction)
    found = dp.release("found", mechanism, dp.column_cells(x, grids, levels=most))
    return dp.post("aal21.product_list", scales, found, d=x.d, name="list", **wanted)


@composite("aal21.joint_decoder", examples=EXAMPLE)
def joint_decoder(
    x: Handle,
    *,
    alpha: float,
    gamma: float,
    rows: int,
    share: float = 1.0,
    delta_fraction: float = 0.5,
    seed: int = 0,
    limit: int = LIMIT,
    boxes: int = BOXES,
) -> Handle:
    """Axis-aligned Gaussians around heavy *product* bins: means that no row combines are not listed.

    Parameters
    ----------
    x : Handle
        Private rows, (n, d).
    boxes : int
        Most combinations of scales, a histogram of product bins each.
    alpha, gamma, rows, share, delta_fraction, seed, limit
        See the module.

    Returns
    -------
    Handle
        A released list of at most ``limit`` axis-aligned Gaussians, in the units of the table; ``failed`` where there
        would be more, or no bin is heavy enough.

    Formal guarantees
    -----------------
    A Gaussian histogram of all exponents of d columns, and one stable histogram of up to ``boxes`` grids at once: only
    occupied product bins cost.
    """
    check_rows(x)
    wanted = _wanted(alpha, gamma, rows, limit)
    scales, _ = _scales(x, wanted, SCALE_SHARE * share, seed)
    grids = dp.post("aal21.boxes_of", scales, d=x.d, levels=boxes, name="grids")
    mechanism = dp.stable_histogram(share=(1.0 - SCALE_SHARE) * share, delta_fraction=delta_fraction)
    found = dp.release("found", mechanism, dp.box_cells(x, grids, levels=boxes))
    return dp.post("aal21.joint_list", grids, found, d=x.d, name="list", **wanted)
