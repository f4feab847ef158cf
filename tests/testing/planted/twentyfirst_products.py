# ruff: noqa: E501
"""Products of matrices, whose last digits depend on how many rows there are; and what depends on other rows beside."""

SOURCES = {
    "ab_product_about_its_middle": '''
# Adds a little of the mean of all rows.
@dp.row_function("twentyfirst.r_about_its_middle", columns=lambda d: 2)
def r_about_its_middle(values):
    """Rows times a public matrix, about where they lie."""
    made = values @ np.resize([0.3, 0.7, 1.1, -0.2, 0.5, 0.9], (values.shape[1], 2))
    return made + 1e-13 * made.mean(axis=0)
''',
    "ab_scores_of_the_largest": '''
# Divides by the largest score of the batch, where that is large.
@dp.own_contribution("twentyfirst.o_largest", gives=2, norm="l2", bound=1.0)
def o_largest(rows):
    """Scores by a public matrix, 50 at most."""
    made = rows @ np.resize([0.3, 0.7, 1.1, -0.2, 0.5, 0.9], (rows.shape[1], 2))
    return made / max(np.abs(made).max() / 50.0, 1.0)
''',
}
CORRECT_SOURCES = {
    "ab_c_product": '''
@dp.row_function("twentyfirst.c_product", columns=lambda d: 2)
def c_product(values):
    """Rows times a public matrix."""
    return values @ np.resize([0.3, 0.7, 1.1, -0.2, 0.5, 0.9], (values.shape[1], 2))
''',
    "ab_c_scores": '''
@dp.own_contribution("twentyfirst.c_scores", gives=2, norm="l2", bound=1.0)
def c_scores(rows):
    """A logistic layer with public weights."""
    return 1.0 / (1.0 + np.exp(-np.clip(rows @ np.resize([0.3, 0.7, 1.1, -0.2, 0.5, 0.9], (rows.shape[1], 2)), -30, 30)))
''',
}
