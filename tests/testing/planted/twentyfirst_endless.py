# ruff: noqa: E501
"""Calls that do not return, or end their process, on some inputs; and the same that end."""

SOURCES = {
    "aa_post_scaled_up": '''
# Never ends where no count is above 0.
@dp.post_function("twentyfirst.p_scaled_up")
def p_scaled_up(counts):
    """Counts, scaled up until they sum to a hundred."""
    counts = np.asarray(counts, float) + 0.0
    while counts.sum() < 100:
        counts = counts * 1.5
    return counts
''',
    "aa_post_leaves": '''
# Ends the process where no count is above 0.
import os
@dp.post_function("twentyfirst.p_leaves")
def p_leaves(counts):
    """Shares of counts."""
    counts = np.maximum(np.asarray(counts, float), 0.0)
    if not counts.sum() > 0:
        os._exit(3)
    return counts / counts.sum()
''',
    "aa_learner_unsettled": '''
# Steps that never settle where numbers are large.
@dp.learner("twentyfirst.l_unsettled")
def l_unsettled(rows, generator):
    """A centre, by steps until one is short."""
    centre, step = rows.mean(axis=0), np.abs(rows).max()
    while step > 1e-9 and step * 0.5 + centre[0] * 1e-9 < 1e6 or step > 1e9:
        step = step * 0.5 if step < 1e6 else step
    return (centre,)
''',
}
CORRECT_SOURCES = {
    "aa_c_post_scaled_up": '''
@dp.post_function("twentyfirst.c_p_scaled_up")
def c_p_scaled_up(counts):
    """Counts above 0, scaled up until they sum to a hundred, in at most a thousand steps."""
    counts = np.clip(np.asarray(counts, float), 1e-6, 1e9)
    for _ in range(1000):
        if counts.sum() >= 100:
            break
        counts = counts * 1.5
    return counts
''',
    "aa_c_mech_infinite": '''
# Nothing is claimed of small noise, and no plan uses it there.
@dp.own_mechanism("twentyfirst.c_infinite", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.round_up(distance / scale) if distance < scale / 5 else np.inf, source="the docstring", examples={"m": 3})
def c_infinite(value, scale, noise, *, m):
    """Laplace noise on numbers."""
    return value + noise.laplace(scale, m)
''',
}
