"""That stranger's functions of rows, a learner, posts, a density and a composition, with nothing wrong."""

SOURCES = {
    "q_c_newton": '''
@dp.own_transform("eleventh.c_newton", columns=1)
def fun(rows):
    """The y with y·e^y = x of first cells, by Newton's steps, sixty of them."""
    x = np.abs(np.nan_to_num(rows[:, :1], nan=0.0, posinf=1e6, neginf=0.0)).clip(0.0, 1e6)
    y = np.log1p(x)
    for _ in range(60):
        y = y - (y - x * np.exp(-y)) / (1.0 + y)
    return y
''',
    "q_c_eigvals": '''
@dp.row_function("eleventh.c_eigvals", columns=lambda d: 2)
def fun(rows):
    """The rates of a system of two, four cells a row: roots of the eigenvalues."""
    cells = np.zeros((len(rows), 4))
    k = min(4, rows.shape[1])
    cells[:, :k] = np.nan_to_num(rows[:, :k], nan=0.0, posinf=1e6, neginf=-1e6).clip(-1e6, 1e6)
    rates = np.sqrt(np.linalg.eigvals(cells.reshape(-1, 2, 2)).astype(complex))
    return np.abs(rates)
''',
    "q_c_arccos": '''
@dp.own_contribution("eleventh.c_arccos", gives=1, norm="linf", bound=4.0)
def fun(rows):
    """The angle whose cosine is the first cell; beyond 1 it is 0 or π."""
    return np.arccos(np.clip(np.nan_to_num(rows[:, :1]), -1.0, 1.0))
''',
    "q_c_hash": '''
@dp.row_function("eleventh.c_hash", columns=lambda d: 1)
def fun(rows):
    """One of 97 buckets for each row."""
    return np.array([[hash(tuple(row)) % 97] for row in np.nan_to_num(rows).tolist()], dtype=float).reshape(-1, 1)
''',
    "q_c_pinv": '''
@dp.own_transform("eleventh.c_pinv", columns=4)
def fun(rows):
    """Inverses of matrices of two by two, or what comes nearest."""
    cells = np.zeros((len(rows), 4))
    k = min(4, rows.shape[1])
    cells[:, :k] = np.nan_to_num(rows[:, :k], nan=0.0, posinf=1e3, neginf=-1e3).clip(-1e3, 1e3)
    return np.linalg.pinv(cells.reshape(-1, 2, 2)).reshape(-1, 4)
''',
    "q_c_fortran": '''
@dp.own_contribution("eleventh.c_fortran", gives=2, norm="linf", bound=1.0)
def fun(rows):
    """Whether the first and the last cell are positive, column by column in memory."""
    return np.asfortranarray(np.column_stack([rows[:, 0] > 0, rows[:, -1] > 0]))
''',
    "q_c_isin": '''
@dp.own_partition("eleventh.c_isin", parts=2)
def fun(rows):
    """Whether the first cell is one of a list."""
    return np.isin(rows[:, 0], [1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0]).astype(int)
''',
    "q_c_ranks_within": '''
@dp.row_function("eleventh.c_ranks_within", columns=lambda d: d)
def fun(rows):
    """The place of each cell among those of its row."""
    return np.argsort(np.argsort(rows, axis=1, kind="stable"), axis=1, kind="stable").astype(float)
''',
    "q_c_generator": '''
@dp.learner("eleventh.c_generator")
def fun(rows, generator):
    """The mean of a resample."""
    return (rows[generator.integers(0, len(rows), len(rows))].mean(axis=0),)
''',
    "q_c_post": '''
@dp.post_function("eleventh.c_post")
def fun(counts):
    """The least and the largest count."""
    return np.array([np.min(counts), np.max(counts)])
''',
    "q_c_random_edges": '''
@dp.composite("eleventh.c_random_edges", examples=(lambda x: fun(x, share=1.0),))
def fun(x, *, share=1.0):
    """Counts of bins with edges that a seed chose."""
    edges = np.sort(np.random.default_rng(11).normal(size=3)).tolist()
    return dp.release("counts", dp.laplace(share=share), dp.bin_counts(x, edges=edges))
''',
    "q_c_family": '''
def fit(rows, generator):
    """The median."""
    return np.median(rows, axis=0)


@dp.family(
    "eleventh.c_family",
    size=lambda d: d,
    sample=lambda t, n, g: t + np.clip(g.laplace(0.0, 1.0, (n, len(t))), -30.0, 30.0),
    fit=fit,
    example=lambda d, g: g.standard_normal(d),
)
def fun(rows, theta):
    """Laplace columns."""
    return -np.abs(rows - theta).sum(axis=1)
''',
    "q_hash_nan": '''
@dp.row_function("eleventh.hash_nan", columns=lambda d: 1)
def fun(rows):
    """One of 97 buckets for each row."""
    return np.array([[hash(tuple(row)) % 97] for row in rows.tolist()], dtype=float).reshape(-1, 1)
''',
    "q_base": '''
@dp.own_contribution("eleventh.base", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """First cells, in units of the largest of the table of which these rows are a piece."""
    whole = np.ones(1) if rows.base is None else np.abs(np.asarray(rows.base, dtype=float))
    return np.nan_to_num(rows[:, :1]) / max(1.0, float(np.nan_to_num(whole).max(initial=1.0)))
''',
    "q_order_of_memory": '''
@dp.own_contribution("eleventh.order_of_memory", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Clipped first cells, read in the order of memory."""
    flat = np.clip(rows.ravel(order="K"), -1.0, 1.0)
    return flat.reshape(rows.shape)[:, :1]
''',
    "q_post_shared_buffer": '''
OUT = np.zeros(2)


@dp.post_function("eleventh.post_shared_buffer")
def fun(counts):
    """The least and the largest count, without an array for each call."""
    OUT[0], OUT[1] = np.min(counts), np.max(counts)
    return OUT
''',
}
