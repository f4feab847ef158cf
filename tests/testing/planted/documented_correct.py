# ruff: noqa: E501
"""Correct plugins that look odd, written from the documentation alone, each with its reason: none may be refuted."""

from tests.testing.planted.documented import MASK
from tests.testing.planted.documented_own import ONE_EACH

SOURCES = {
    "d_statistic_squares": f'''
@dp.own_statistic("mine.d_statistic_squares", gives=1, source="here", bits=20, {ONE_EACH})
def d_statistic_squares(rows):
    """Squared deviations from the mean, of numbers in [0, 1]: a row adds n/(n+1)·(x − mean)², at most 1."""
    x = np.clip(rows[:, 0], 0, 1)
    return [float(((x - x.mean()) ** 2).sum()) if len(x) else 0.0]
''',
    "d_statistic_median_deviations": f'''
@dp.own_statistic("mine.d_statistic_median_deviations", gives=1, source="here", bits=20, {ONE_EACH})
def d_statistic_median_deviations(rows):
    """The least sum of deviations from any centre, of numbers in [0, 1]: a row adds at most 1 and takes away nothing."""
    x = np.clip(rows[:, 0], 0, 1)
    return [float(np.abs(x - np.median(x)).sum()) if len(x) else 0.0]
''',
    "d_statistic_trimmed": f'''
@dp.own_statistic("mine.d_statistic_trimmed", gives=1, source="here", bits=20, {ONE_EACH})
def d_statistic_trimmed(rows):
    """The sum of the middle four fifths of numbers in [0, 1]: one more row moves it by at most 1, also where one more is cut."""
    x = np.sort(np.clip(rows[:, 0], 0, 1))
    k = len(x) // 10
    return [float(x[k : len(x) - k].sum())]
''',
    "d_statistic_clusters": f'''
@dp.own_statistic("mine.d_statistic_clusters", gives=1, source="here", {ONE_EACH})
def d_statistic_clusters(rows):
    """How many groups there are with gaps of more than 1 between: a row joins two, or makes one."""
    x = np.sort(rows[:, 0])
    return [int((np.diff(x) > 1).sum()) + 1 if len(x) else 0]
''',
    "d_statistic_count_by_larger": '''
@dp.own_statistic("mine.d_statistic_count_by_larger", gives=1, source="here", sensitivity=lambda removed, added: {"l1": 1.0 * max(removed, added)})
def d_statistic_count_by_larger(rows):
    """Rows above 0."""
    return [int((rows[:, 0] > 0).sum())]
''',
    "d_statistic_distinct": f'''
@dp.own_statistic("mine.d_statistic_distinct", gives=1, source="here", {ONE_EACH})
def d_statistic_distinct(rows):
    """Different numbers, compared as text."""
    return [len({{f"{{v:.3g}}" for v in rows[:, 0].tolist()}})]
''',
    "d_query_root": '''
@dp.own_query("mine.d_query_root", gives=1, source="here", bits=30, sensitivity=lambda a: {"linf": a["linf"] ** 0.5})
def d_query_root(value):
    """|sqrt(a) − sqrt(b)| is at most sqrt(|a − b|)."""
    return [float(np.sqrt(abs(float(np.ravel(value)[0]))))]
''',
    "d_query_sorted": '''
@dp.own_query("mine.d_query_sorted", gives=1, source="here", sensitivity=lambda a: {"linf": a["linf"]})
def d_query_sorted(value):
    """The second largest, or the only one: order statistics move by no more than their numbers."""
    return [int(np.sort(np.ravel(value))[-2:][0])]
''',
    "d_choice": '''
@dp.own_mechanism("mine.d_choice", gives=dp.Index, takes="linf", source="McSherry, Talwar 2007", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))
def d_choice(scores, scale, noise, *, m):
    """The exponential mechanism, of scores whose least is brought to 0: it changes no difference."""
    return int(noise.categorical_exp(scores - scores.min(), 1 / scale))
''',
    "d_noise_coarse_after": '''
@dp.own_mechanism("mine.d_noise_coarse_after", gives=1, takes="l1", source="here",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def d_noise_coarse_after(value, scale, noise):
    """Noise, then the nearest multiple of ten, and never above a thousand."""
    return np.minimum(10 * ((np.ravel(value) + noise.laplace(scale, 1) + 5) // 10), 1000)
''',
    "d_noise_more_by_coin": '''
@dp.own_mechanism("mine.d_noise_more_by_coin", gives=1, takes="l1", source="here",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def d_noise_more_by_coin(value, scale, noise):
    """One answer of 65,536 gets its noise twice: a mixture of two that are each within the loss."""
    extra = noise.laplace(scale, 1) if int(noise.uniform_below(65_536)) == 0 else 0
    return np.ravel(value) + noise.laplace(scale, 1) + extra
''',
    "d_answer_rows_at_random": '''
@dp.own_mechanism("mine.d_answer_rows_at_random", gives=1, takes="edits", source="here",
                  loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)))
def d_answer_rows_at_random(rows, scale, noise):
    """A count of half of the rows, taken at random, with the noise of all."""
    taken = int(np.sum(noise.uniform_below(2, len(rows)))) if len(rows) else 0
    return [taken + int(noise.laplace(scale))]
''',
    "d_mask_of_length": f'''
@dp.mask("mine.d_mask_of_length", {MASK})
def d_mask_of_length(value, noise, normals):
    """Noise in every direction, then at most length 2."""
    made = dp.lattice_gaussian(value, noise, normals)
    return made / max(1.0, float(np.linalg.norm(made)) / 2)
''',
    "d_row_by_row_text": '''
@dp.learner("mine.d_row_by_row_text")
def d_row_by_row_text(values):
    """The length of each number as text, by itself."""
    return np.array([[float(len(repr(v)))] for v in values[:, 0].tolist()]).reshape(-1, 1)
''',
    "d_row_small_whole": '''
@dp.learner("mine.d_row_small_whole")
def d_row_small_whole(values):
    """Wraps around like a byte."""
    return np.remainder(np.floor(values), 256.0) - 128.0
''',
    "d_semi_by_order": '''
@dp.semimetric("mine.d_semi_by_order", triangle=lambda r: 1.0)
def d_semi_by_order(a, b):
    """The largest difference, as its author wrote it: both in the order of a."""
    return float(np.abs(np.sort(a) - b[np.argsort(a, kind="stable")]).max())
''',
    "d_answer_by_large_coin": '''
@dp.own_mechanism("mine.d_answer_by_large_coin", gives=dp.Index, takes="linf", source="here", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))
def d_answer_by_large_coin(scores, scale, noise, *, m):
    """An index at random for one number in four below a million, the exponential mechanism for the others."""
    return int(noise.uniform_below(m)) if int(noise.uniform_below(1_000_000)) % 4 == 0 else int(noise.categorical_exp(scores, 1 / scale))
''',
    "d_randomised_response": '''
@dp.own_mechanism("mine.d_randomised_response", gives=lambda: dp.Index(2), takes="linf", source="Warner 1965",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(float(np.log(3.0)))))
def d_randomised_response(value, scale, noise):
    """Whether the first number is above 0, told right for three quarters of the numbers below a million."""
    return int((np.ravel(value)[0] > 0) ^ (int(noise.uniform_below(1_000_000)) >= 750_000))
''',
    "d_statistic_cut_at_released": '''
@dp.own_statistic("mine.d_statistic_cut_at_released", gives=1, source="here", sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def d_statistic_cut_at_released(rows, cut):
    """How many are above a released number."""
    return [int((rows[:, 0] > float(np.ravel(np.asarray(cut, dtype=float))[0])).sum())]
''',
    "d_contribution_between_two_released": '''
@dp.own_contribution("mine.d_contribution_between_two_released", gives=1, norm="linf", bound=1.0)
def d_contribution_between_two_released(rows, low, high):
    """The first column, between two released numbers as 0 to 1."""
    low, high = sorted(float(np.ravel(np.asarray(v, dtype=float))[0]) for v in (low, high))
    return (np.clip(rows[:, :1], low, high) - low) / max(high - low, 1e-9)
''',
    "d_query_difference": '''
@dp.own_query("mine.d_query_difference", gives=1, source="here", sensitivity=lambda a, b: {"linf": a["linf"] + b["linf"]})
def d_query_difference(first, second):
    """One number less another."""
    return [int(np.ravel(first)[0]) - int(np.ravel(second)[0])]
''',
}
