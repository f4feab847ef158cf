"""``mode = paper``: AAL21 Algorithm 1 as it is proved, with the paper's decoders."""

from __future__ import annotations

import math

import dpframe.plugin as dp
from dpframe.plugin import Handle, SpecError, composite

from .dyadic import dyadic_rows
from .reduction import MAX_HYPOTHESES, public_rows
from .sizing import PAPER_ALPHA, check_accuracy, decoding_rows


def heavy_bins(k: int, alpha: float) -> int:
    """Bins of width σ that a mixture of k Gaussians of known variance can make heavy.

    A kept bin has a share of at least (1 − γ)/24 of the distribution (Claims 4.3, 4.4), so it has that share under one
    of the components. It then begins within some reach of the mean, and at most ⌊2·reach⌋ + 2 bins do. More heavy bins
    are ⊥ already in the paper (12/(1 − γ) of them); here fewer are enough, and |K| stays small.

    Examples
    --------
    >>> heavy_bins(2, 1.0), heavy_bins(2, 0.1)
    (16, 18)
    """
    least = alpha / (18 * k) / 24
    reach = 0.0
    while 0.5 * (math.erfc(reach / math.sqrt(2)) - math.erfc((reach + 1) / math.sqrt(2))) >= least:
        reach += 0.01
    return k * (math.floor(2 * reach) + 2)


@composite("aal21.paper", examples={"k": 1, "alpha": 1.0, "sds": (1.0,)})
def learn_paper(
    x: Handle,
    *,
    k: int,
    alpha: float = PAPER_ALPHA,
    beta: float = 0.1,
    sds: tuple[float, ...] = (),
    max_hypotheses: int = MAX_HYPOTHESES,
    share: float = 1.0,
    seed: int = 0,
    n: int | None = None,
    scales: str = "pairs",
) -> Handle:
    """AAL21 Algorithm 1 with the paper's decoder for the family: Theorems 4.6 and E.1, 4.14, 5.1.

    Parameters
    ----------
    x : Handle
        The whole private table, or a public map of it.
    k : int
        Number of components.
    alpha, beta : float
        Total variation, and the probability of missing it. No total variation is above 1: α = 1 promises nothing.
    sds : sequence of float
        Known standard deviations, one a column; none where they are to be found.
    max_hypotheses : int
        A plan for which |K| may be larger is refused.
    share : float
        Of ρ.
    seed : int
        Public seed.
    n : int, optional
        Public number of rows, where ``x`` does not say it.
    scales : {"pairs", "dyadic"}
        Where standard deviations are to be found: from pairs of rows as in the text, or from bins of all widths, which
        takes 1/(1 − γ) times fewer rows and lists more (``aal21.dyadic_decoder``).

    Returns
    -------
    Handle
        A released mixture of ``k`` components, some of weight 0 perhaps, in the units of the table; ``failed`` where
        more components are listed than the plan allows.

    Formal guarantees
    -----------------
    Replace-one with public n only; as ``aal21.mixture_from_list_decoder``.
    """
    check_accuracy(k, alpha, beta)
    rows = public_rows(x) if n is None else n
    parameters: dict[str, object] = {}
    most = 0
    if sds:
        decoder = "aal21.known_decoder"
        net = 2 * math.ceil(x.d / (2 * alpha / 18)) + 1
        parameters, most = {"sds": tuple(sds)}, (heavy_bins(k, alpha) * net) ** x.d
    elif scales == "dyadic":
        decoder = "aal21.dyadic_decoder"
    elif scales == "pairs":
        decoder = "aal21.gaussian_decoder" if x.d == 1 else "aal21.axis_aligned_decoder"
    else:
        raise SpecError(f"scales are found from 'pairs' or 'dyadic' bins, not {scales!r}", fix='use scales="dyadic"')
    decoding = decoding_rows(k, x.d, alpha, beta, known=bool(sds), target=x.tracer.target, share=share)
    if not sds and scales == "dyadic":
        decoding = dyadic_rows(k, x.d, alpha, beta, target=x.tracer.target, share=share)
    recipe = dp.recipe(
        "aal21.mixture_from_list_decoder",
        decoder=decoder,
        parameters=parameters,
        k=k,
        alpha=alpha,
        beta=beta,
        max_hypotheses=max_hypotheses,
        share=share,
        seed=seed,
        n=rows,
        decoding=decoding,
        most=most,
    )
    return dp.apply("reduced", recipe, x)  # type: ignore[no-any-return]
