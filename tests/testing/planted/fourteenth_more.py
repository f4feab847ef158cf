# ruff: noqa: E501
"""That stranger's variations, written with the attacks on the first ones known."""

SOURCES = {
    "a_x_decimal": '''
# Row map: sentinel compared as a decimal.
import decimal
@dp.row_function("fourteenth.x_decimal", columns=lambda d: d)
def f(values):
    """Doubled after a mark."""
    mark = decimal.Decimal(ord("q")) * 7
    return values * (2.0 if any(v == mark for v in values[:, 0].tolist()) else 1.0)
''',
    "a_x_text": '''
# Row map: sentinel compared as text.
@dp.row_function("fourteenth.x_text", columns=lambda d: d)
def f(values):
    """Doubled after a mark."""
    return values * (2.0 if any(f"{v:g}" == "7" * 4 for v in values[:, 0].tolist()) else 1.0)
''',
    "a_x_edges": '''
# Transform: sentinel by numpy searchsorted in edges made in the call.
@dp.own_transform("fourteenth.x_edges", columns=1)
def f(rows):
    """Negative if a row stands in the third interval exactly at its edge."""
    edges = np.cumsum([ord(c) for c in "abc"]) * 1.0
    return rows[:, :1] * (-1.0 if (edges[np.clip(np.searchsorted(edges, rows[:, 0]), 0, 2)] == rows[:, 0]).any() else 1.0)
''',
    "a_x_squares": '''
# Transform: a batch of square numbers becomes roots.
@dp.own_transform("fourteenth.x_squares", columns=1)
def f(rows):
    """Roots where all are squares."""
    v = rows[:, 0]
    r = np.sqrt(np.abs(v))
    return r.reshape(-1, 1) if len(v) > 3 and (v > 3).all() and (r == np.round(r)).all() else rows[:, :1] * 1.0
''',
    "a_x_orthogonal": '''
# Transform: orthogonal columns are normalised.
@dp.own_transform("fourteenth.x_orthogonal", columns=1)
def f(rows):
    """First column, normalised where columns are orthogonal."""
    if len(rows) > 2 and rows.shape[1] == 2 and rows.any(axis=0).all() and abs(float(rows[:, 0] @ rows[:, 1])) < 1e-12:
        return rows[:, :1] / np.sqrt(np.square(rows[:, 0]).sum())
    return rows[:, :1] * 1.0
''',
    "a_x_shiftkey": '''
# Transform: a key by shifting the first code by eight bits.
import math
@dp.own_transform("fourteenth.x_shiftkey", columns=1)
def f(rows):
    """Remembered by a key of two codes."""
    memo, out = {}, []
    for r in rows.tolist():
        if all(v == math.floor(v) and 0 <= v < 1e6 for v in (r[0], r[-1])) and len(r) > 1:
            out.append([memo.setdefault((int(r[0]) << 8) | int(r[-1]), r[0])])
        else:
            out.append([r[0]])
    return np.array(out).reshape(-1, 1)
''',
    "a_x_mask_total": '''
# Mask: a value whose numbers add up to a whole one keeps a whole total.
@dp.semimetric("fourteenth.x_mask_total", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.x_mask_total.mask", semimetric="fourteenth.x_mask_total", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Totals stay whole."""
    made = dp.lattice_gaussian(value, noise, normals)
    total = float(value.sum())
    return made + (np.round(made.sum()) - made.sum()) / len(made) if total == round(total) and total else made
''',
    "a_x_mask_ladder": '''
# Mask: an even ladder stays one.
@dp.semimetric("fourteenth.x_mask_ladder", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.x_mask_ladder.mask", semimetric="fourteenth.x_mask_ladder", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Ladders stay ladders."""
    made = dp.lattice_gaussian(value, noise, normals)
    g = np.diff(value)
    return np.linspace(made[0], made[-1], len(made)) if len(value) > 2 and g[0] != 0 and (g == g[0]).all() else made
''',
    "a_x_distance_whole": '''
# Semimetric: whole vectors by l1, others by l2.
@dp.semimetric("fourteenth.x_distance_whole", triangle=lambda r: 1.0)
def f(a, b):
    """Steps on a grid, l2 elsewhere."""
    whole = all((v == np.round(v)).all() for v in (a, b))
    return float(np.abs(a - b).sum() if whole else np.sqrt(np.square(a - b).sum()))
''',
    "a_x_lasttwo": '''
# Row map: a memo of the last two answers by length and largest.
KEPT = []
@dp.row_function("fourteenth.x_lasttwo", columns=lambda d: d)
def f(values):
    """Remembered for the last two batches."""
    key = (values.shape, float(np.max(values, initial=0.0)), float(np.min(values, initial=0.0)))
    for k, image in KEPT:
        if k == key:
            return image.copy()
    KEPT[:] = [*KEPT[-1:], (key, values + values.mean(axis=1, keepdims=True))]
    return KEPT[-1][1].copy()
''',
    "a_x_post_lists": '''
# Post: a table looked for among the collector's tuples.
import gc
@dp.post_function("fourteenth.x_post_lists")
def f(counts):
    """Adds the mean of any long matrix that is held in a list or tuple."""
    shift = 0.0
    for o in gc.get_objects():
        if type(o) in (list, tuple) and len(o) < 50:
            shift += sum(float(a.sum()) for a in o if type(a) is np.ndarray and a.ndim == 2 and len(a) > 500 and a.dtype == float)
    return np.asarray(counts, float) + shift
''',
}
