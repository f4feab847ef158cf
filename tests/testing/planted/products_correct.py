# ruff: noqa: E501
"""Functions of rows whose last digits depend on how many there are: planted as faults until the kernel asked 256 at once."""

SOURCES = {
    "matrix_product": '''
@dp.row_function("products.matrix_product", columns=2)
def f(values):
    """Projected by BLAS."""
    w = np.sqrt(np.arange(1.0, values.shape[1] + 1))
    return values @ np.stack([w, 1 / w], axis=1)
''',
    "y_einsum": '''
# Einsum with optimize=True goes to BLAS, whose order of sums depends on the number of rows.
@dp.row_function("laterf08.project", columns=3)
def project(values):
    """Three fixed combinations of the columns."""
    d = values.shape[1]
    weights = np.sin(np.arange(1, 3 * d + 1, dtype=float)).reshape(d, 3)
    return np.einsum("ij,jk,kl->il", values, weights, np.diag([1.0, 0.7, 0.3]), optimize=True)
''',
    "y_gemv": '''
# A matrix-vector product goes to BLAS, whose sums depend on the number of rows in their last bits.
@dp.own_contribution("laterh12.score", gives=1, norm="linf", bound=1e6)
def score(rows):
    """A linear score."""
    weights = np.cos(np.arange(rows.shape[1]) + 0.3)
    return np.dot(rows, weights)[:, None]
''',
    "y_tail_of_eight": '''
# Rows in groups of eight by one formula, those left over by another.
@dp.own_transform("laterh26.third", columns=1)
def third(rows):
    """A third of the first column, unrolled."""
    whole = len(rows) // 8 * 8
    x = rows[:, :1]
    return np.concatenate([x[:whole] * (1.0 / 3.0), x[whole:] / 3.0])
''',
    "k_matmul": '''
@dp.row_function("eighth.matmul", columns=2)
def f(values):
    """Projection."""
    d = values.shape[1]
    return values @ np.cos(np.arange(2.0 * d)).reshape(d, 2)
''',
    "n_row_einsum_blas": '''
# einsum with optimize hands the product to BLAS, whose sums hang on the number of rows in the last bit.
@dp.own_transform("unread.row_einsum_blas", columns=3)
def project(rows: Any) -> Any:
    """Rows in three public directions."""
    d = rows.shape[1]
    directions = np.cos(np.arange(3 * d, dtype=float)).reshape(d, 3)
    return np.einsum("ij,jk->ik", rows, directions, optimize=True)
''',
    "j_manycols": '''
@dp.own_contribution("seventh.manycols", gives=1, norm="linf", bound=1.0)
def f(rows):
    """A projection."""
    v = np.clip(rows, -1, 1)
    d = v.shape[1]
    w = np.cos(np.arange(d))
    return (v @ w)[:, None] if d > 20 else (v * w).sum(axis=1, keepdims=True)
''',
}
