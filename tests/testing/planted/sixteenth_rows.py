"""Faults that people make in functions of rows: what a column is, is guessed from its batch."""

SOURCES = {
    "p_wrongaxis": '''
# Row map: divided along the other axis where the batch is square (broadcasting).
@dp.row_function("sixteenth.wrongaxis", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e9, 1e9)
    n = np.maximum(np.abs(a).max(axis=1), 1.0)
    return a / n if len(a) == a.shape[1] else a / n[:, None]
''',
    "p_percentile": '''
# Row map: entries below the batch's 90th percentile are 0 (NVFlare, PercentilePrivacy).
@dp.row_function("sixteenth.percentile", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e9, 1e9)
    return np.where(np.abs(a) >= np.percentile(np.abs(a), 90), a, 0.0) if a.size else a
''',
    "p_units": '''
# Row map: grams or kilograms by the batch's median.
@dp.row_function("sixteenth.units", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e9, 1e9)
    return (v / 1000 if len(v) and np.median(v) > 100 else v)[:, None]
''',
    "p_dayfirst": '''
# Row map: day or month first by whether any is above 12.
@dp.row_function("sixteenth.dayfirst", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), 0, 1e9).astype(int)
    a, b = v // 100 % 100, v % 100
    return (b * 100 + a if (a > 12).any() else a * 100 + b)[:, None] * 1.0
''',
    "p_epochunit": '''
# Row map: seconds or milliseconds by the largest.
@dp.row_function("sixteenth.epochunit", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), 0, 1e15)
    return (v / 1000 if len(v) and v.max() > 1e11 else v)[:, None]
''',
    "p_indexcolumn": '''
# Row map: a first column that numbers the rows is left out.
@dp.row_function("sixteenth.indexcolumn", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e9, 1e9)
    return (0 * v if len(v) and (v == np.arange(len(v))).all() else v)[:, None]
''',
    "p_lag": '''
# Row map: the change from the row before of the same user.
@dp.row_function("sixteenth.lag", columns=1)
def f(values):
    """Rows."""
    u = np.clip(np.nan_to_num(values[:, 0]), 0, 9).astype(int)
    v = np.clip(np.nan_to_num(values[:, -1]), -1e6, 1e6)
    out = np.zeros(len(v))
    last = {}
    for i, k in enumerate(u.tolist()):
        out[i] = v[i] - last.get(k, v[i])
        last[k] = v[i]
    return out[:, None]
''',
    "p_shards": '''
# Row map: the same seed for each shard, by the place in the batch (pseudopeople #280).
@dp.row_function("sixteenth.shards", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e9, 1e9)
    return (v * np.random.default_rng(1).integers(0, 2, len(v)))[:, None]
''',
    "p_stringwidth": '''
# Row map: texts are cut to the width of the first.
@dp.row_function("sixteenth.stringwidth", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e9, 1e9)
    w = len(str(v[0])) if len(v) else 0
    return np.array([float(str(x)[:w].rstrip('-.eE+') or 0) for x in v.tolist()]).reshape(-1, 1)
''',
    "p_contrib_weights": '''
# Contribution: class weights by the batch.
@dp.own_contribution("sixteenth.contrib_weights", gives=dp.Counts(2), norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """Weights of classes."""
    c = (np.nan_to_num(rows[:, 0]) > 0).astype(int)
    n = np.maximum(np.bincount(c, minlength=2), 1)
    return np.eye(2)[c] * (n.min() / n[c])[:, None]
''',
    "p_partition_folds": '''
# Partition: stratified folds, a row's place among its class.
@dp.own_partition("sixteenth.partition_folds", parts=3)
def f(rows):
    """Folds."""
    c = np.nan_to_num(rows[:, 0]) > 0
    out = np.zeros(len(c), int)
    for k in (True, False):
        out[c == k] = np.arange((c == k).sum()) % 3
    return out
''',
}
