# ruff: noqa: E501
"""That stranger's operations that are right at the parameters of their examples, and at multiples of these."""

SOURCES = {
    "v_two_parameters": '''
# Statistic: a product of two weights, claimed as the larger; right where either is 1.
@dp.own_statistic("thirteenth.two_parameters", gives=1, sensitivity=lambda removed, added, weight, times: {"linf": max(removed, added) * max(weight, times)}, source="a count", examples={"weight": 1, "times": 1})
def fun(rows, *, weight, times):
    """Rows above 0, weighted."""
    return [float(int(weight) * int(times) * (rows[:, 0] > 0).sum())]
''',
    "v_signed_flag": '''
# Statistic: with a flag a replaced row moves it by two.
@dp.own_statistic("thirteenth.signed_flag", gives=1, sensitivity=lambda removed, added, signed: {"linf": max(removed, added)}, source="a count")
def fun(rows, *, signed=False):
    """Rows above 0, less those below if asked for."""
    first = rows[:, 0]
    return [float((first > 0).sum() - ((first < 0).sum() if signed else 0))]
''',
    "v_mode_claim": '''
# Statistic: one of its modes moves by ten.
@dp.own_statistic("thirteenth.mode_claim", gives=1, sensitivity=lambda removed, added, mode: {"linf": max(removed, added)}, source="a count")
def fun(rows, *, mode="count"):
    """Rows, or their whole parts from 0 to ten."""
    if mode == "total":
        return [float(np.clip(np.floor(rows[:, 0]), 0, 10).sum())]
    return [float((rows[:, 0] > 0).sum())]
''',
    "v_levels_twice": '''
# Statistic: a level that is listed twice counts a row twice.
@dp.own_statistic("thirteenth.levels_twice", gives=lambda levels: len(levels), sensitivity=lambda removed, added, levels: {"l1": removed + added}, source="a histogram", examples={"levels": [0.0, 1.0, 5.0]})
def fun(rows, *, levels):
    """Rows at each level."""
    return [float((rows[:, 0] == level).sum()) for level in levels]
''',
    "v_weight_floor": '''
# Statistic: right for whole weights.
@dp.own_statistic("thirteenth.weight_floor", gives=1, sensitivity=lambda removed, added, weight: {"linf": max(removed, added) * max(1, int(weight))}, source="a count", examples={"weight": 2.0})
def fun(rows, *, weight):
    """Rows above 0, weighted and rounded down."""
    return [float(np.floor(weight * (rows[:, 0] > 0).sum()))]
''',
    "v_digits": '''
# Statistic: digits make steps finer; the default has none.
@dp.own_statistic("thirteenth.digits", gives=1, sensitivity=lambda removed, added, digits: {"linf": removed + added}, source="a clipped sum")
def fun(rows, *, digits=0):
    """Rows, clipped to 0..1, in steps of 10^-digits."""
    return [float(np.floor(np.clip(rows[:, 0], 0, 1) * 10.0 ** float(digits)).sum())]
''',
    "v_debug": '''
# Mechanism: a flag leaves the noise away.
@dp.own_mechanism("thirteenth.debug", gives=1, takes="l1", loss=lambda scale, distance, debug: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise, *, debug=False):
    """Laplace noise."""
    return np.asarray(value) + (0 if debug else noise.laplace(scale, 1))
''',
    "v_kind": '''
# Mechanism: both kinds of noise are charged as the first.
@dp.own_mechanism("thirteenth.kind", gives=1, takes="l1", loss=lambda scale, distance, kind: dp.Pure(dp.round_up(distance / scale)), source="Laplace, Gaussian")
def fun(value, scale, noise, *, kind="laplace"):
    """Noise of a kind."""
    return np.asarray(value) + (noise.laplace(scale, 1) if kind == "laplace" else noise.gaussian(scale, 1))
''',
    "v_two_factors": '''
# Mechanism: two factors of the price, of which the larger is charged.
@dp.own_mechanism("thirteenth.two_factors", gives=1, takes="l1", loss=lambda scale, distance, fine, often: dp.Pure(dp.round_up(distance * max(fine, often) / scale)), source="Laplace", examples={"fine": 1.0, "often": 1.0})
def fun(value, scale, noise, *, fine, often):
    """Laplace noise, narrower by two factors."""
    return np.asarray(value) + noise.laplace(scale / (fine * often), 1)
''',
    "v_lag": '''
# Transform: with a lag other rows are seen; the default has none.
@dp.own_transform("thirteenth.lag", columns=1)
def fun(rows, *, lag=0):
    """Differences to the row so many before."""
    return rows[:, :1] - np.roll(rows[:, :1], lag) if lag else rows[:, :1]
''',
    "v_centred_flag": '''
# Contribution: with a flag the batch's mean is taken off.
@dp.own_contribution("thirteenth.centred_flag", gives=1, norm="linf", bound=1.0)
def fun(rows, *, centred=False):
    """The first column, centred if asked for."""
    x = rows[:, :1]
    return x - x.mean() if centred and len(x) else x
''',
    "v_mode_text": '''
# Transform: one of its modes standardises by the batch.
@dp.own_transform("thirteenth.mode_text", columns=1)
def fun(rows, *, mode="log"):
    """A scale for the first column: log, root or standard."""
    x = rows[:, :1]
    if mode == "log":
        return np.log1p(np.abs(x))
    if mode == "root":
        return np.sqrt(np.abs(x))
    if mode == "standard":
        return (x - np.median(x)) / (np.abs(x - np.median(x)).max() + 1.0)
    raise ValueError("log, root or standard")
''',
    "v_quantile_none": '''
# Partition: with a quantile the batch decides; the default has none.
@dp.own_partition("thirteenth.quantile_none", parts=2)
def fun(rows, *, quantile=None):
    """Above 0, or above a quantile."""
    bar = 0.0 if quantile is None or not len(rows) else np.quantile(rows[:, 0], min(max(float(quantile), 0.0), 1.0))
    return (rows[:, 0] > bar).astype(int)
''',
    "v_ranked_columns": '''
# Contribution: columns that are listed are ranked in the batch; none are by default.
@dp.own_contribution("thirteenth.ranked_columns", gives=1, norm="linf", bound=1.0)
def fun(rows, *, ranked=()):
    """The sum of columns; those that are listed as ranks."""
    made = rows.copy()
    for j in ranked:
        made[:, int(j)] = np.argsort(np.argsort(made[:, int(j)]))
    total = np.zeros(len(rows))
    for j in range(rows.shape[1]):
        total = total + made[:, j]
    return total[:, None]
''',
}
