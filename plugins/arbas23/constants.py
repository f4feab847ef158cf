"""The thesis's unnamed constants: never given there, fitted by simulation with ``bench/arbas23_constants.py``.

The numbers are those of ``bench/results/arbas23_constants.json`` (seed 0, 20,000 masks and 400,000 privacy losses a
point), rounded up. They are the smallest for which the lemmas hold on the grid there, no proof: what a plan costs is
always T3's exact Rényi cost.
"""

from __future__ import annotations

C1_BY_DIMENSION = {1: 2.25, 2: 2.52, 3: 2.65, 5: 3.02, 8: 3.43, 10: 3.69, 16: 4.54}
"""C1 of Lemmas 5.3.1 and 5.3.3 and Algorithm 2 (the thesis also calls it C), at the dimensions that were simulated.

It grows with d: in the Frobenius norm no constant serves all d; the lemma holds in the spectral norm.
"""
C2 = 0.2
"""C2 of Lemma 6.2.1 and Theorem 7.1.3, the largest of the simulated sizes (k = d = 1); 0.08 at k=4, d=10."""
C2_PROOF = 150.0
"""About what the thesis's own proof asks of C2: (5.3) asks for 12·C1·(√d + √ln)/√(d + ln), composition for 6 times."""


def c1(d: int) -> float:
    """C1 for d: that of the next larger simulated dimension, in proportion to √d beyond."""
    known = [value for dimension, value in C1_BY_DIMENSION.items() if dimension >= d]
    last = max(C1_BY_DIMENSION)
    return known[0] if known else C1_BY_DIMENSION[last] * (d / last) ** 0.5
