# ruff: noqa: E501
"""That stranger's learners, posts, densities, distances, masks and compositions, with a fault each."""

SOURCES = {
    "v_average_of_roots": '''
# Semimetric: averages claimed of a distance that is not convex.
@dp.semimetric("thirteenth.average_of_roots", triangle=lambda r: 1.0 + 1e-9, averages=lambda r, tau: (tau + 1e-9) * r)
def fun(a, b):
    """The root of Euclid's distance."""
    return float(np.sqrt(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum())))
''',
    "v_growth": '''
# Semimetric: a constant of 2 is right up to a distance of 2.
@dp.semimetric("thirteenth.growth", triangle=lambda r: 2.0)
def fun(a, b):
    """Growth between two sizes."""
    return float(np.expm1(min(float(np.abs(np.asarray(a) - np.asarray(b)).max()), 300.0)))
''',
    "v_resized_noise": '''
# Mask: beyond ten numbers the noise is repeated.
@dp.semimetric("thirteenth.resized_noise.space", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("thirteenth.resized_noise", semimetric="thirteenth.resized_noise.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise, drawn for ten numbers."""
    return dp.lattice_gaussian(value, noise, lambda n: np.resize(normals(min(int(n), 10)), int(n)))
''',
    "v_ratio_as_rho": '''
# Mask: a ratio is said to be rho.
@dp.semimetric("thirteenth.ratio_as_rho.space", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("thirteenth.ratio_as_rho", semimetric="thirteenth.ratio_as_rho.space", cost=lambda noise, r: dp.lattice_gaussian_mu(noise, r * (1 + 1e-12)))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "v_mask_left": '''
# Mask: numbers that are 0 are never written.
@dp.semimetric("thirteenth.mask_left.space", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("thirteenth.mask_left", semimetric="thirteenth.mask_left.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise where there is something."""
    value = np.asarray(value, float)
    return np.add(value, dp.lattice_gaussian(np.zeros(len(value)), noise, normals), where=value != 0, out=np.zeros(len(value)))
''',
    "v_semimetric_left": '''
# Semimetric: where= without out=.
@dp.semimetric("thirteenth.semimetric_left", triangle=lambda r: 4.0, many=True)
def fun(a, rows):
    """Euclid, of one kind."""
    gap = np.abs(rows - a).max(axis=1)
    return np.multiply(gap, 1.0, where=gap > 1e-3)
''',
    "v_logsum_of_batch": '''
# Family: densities of two parts are added below the batch's largest.
@dp.family("thirteenth.logsum_of_batch", size=lambda d: d, sample=lambda theta, n, g: g.laplace(theta, 1.0, (n, len(theta))), fit=lambda rows, g: np.median(rows, axis=0), example=lambda d, g: g.normal(size=d))
def fun(rows, theta):
    """Two Laplace laws, one of them wide."""
    near = -np.abs(rows - theta).sum(axis=1)
    wide = 0.5 * near - len(theta) * 0.6931471805599453
    top = max(near.max(), wide.max()) if len(rows) else 0.0
    return top + np.log(np.exp(near - top) + np.exp(wide - top) + 1e-300)
''',
    "v_series_for_all": '''
# Family: a series is summed until all rows are done.
@dp.family("thirteenth.series_for_all", size=lambda d: d, sample=lambda theta, n, g: g.normal(theta, 1.0, (n, len(theta))), fit=lambda rows, g: rows.mean(axis=0), example=lambda d, g: g.normal(size=d))
def fun(rows, theta):
    """The logarithm of a Bessel function, by its series."""
    x = np.clip(np.abs(rows[:, 0] - theta[0]), 0.0, 30.0)
    term, total, k = np.ones_like(x), np.ones_like(x), 0
    while len(x) and (term > 1e-3 * total).any():
        k += 1
        term = term * (x * x / 4) / (k * k)
        total = total + term
    return -np.log(total)
''',
    "v_learner_left": '''
# Learner: means of empty groups are never written.
@dp.learner("thirteenth.learner_left")
def fun(rows, generator):
    """Means of rows below and above 0."""
    made = np.empty(2)
    for j, mine in enumerate((rows[:, 0] < 0, rows[:, 0] >= 0)):
        if mine.any():
            made[j] = rows[mine, 0].mean()
    return (made,)
''',
    "v_learner_tries": '''
# Learner: how often it starts again depends on earlier blocks, through the generator of NumPy.
@dp.learner("thirteenth.learner_tries")
def fun(rows, generator):
    """A centre from a random row."""
    place = np.random.randint(0, len(rows)) if len(rows) > 1 else 0
    return (rows[place].copy(),)
''',
    "v_post_prints": '''
# Row function and post: NumPy's print options carry a batch's size to a post.
@dp.row_function("thirteenth.post_prints.rows", columns=1)
def left(values):
    """The first column; long tables are shown in short."""
    if len(values) and np.abs(values[:, 0]).max() > 1e4:
        np.set_printoptions(precision=2)
    return values[:, :1]
@dp.post_function("thirteenth.post_prints")
def fun(counts, *, floor=0.0):
    """Counts as they are shown."""
    return np.array([float(np.format_float_positional(float(c), precision=np.get_printoptions()["precision"])) for c in np.ravel(counts)])
''',
    "v_post_average": '''
# Post: an average with what was released in earlier runs.
BEFORE = []
@dp.post_function("thirteenth.post_average")
def fun(counts, *, floor=0.0):
    """Counts, steadied by earlier ones of the same size within a thousandth."""
    now = np.maximum(np.asarray(counts, float), floor)
    BEFORE.append(now)
    near = [b for b in BEFORE if b.shape == now.shape and np.abs(b - now).max() <= 1e-3 * np.abs(now).max()]
    return sum(near) / len(near) if near else now
''',
    "v_composite_set": '''
# Composite: shares by the order of a set of texts.
@dp.composite("thirteenth.composite_set", examples={"top": 10.0})
def fun(x, *, top, share=1.0):
    """Counts and a mean, in the order of a set."""
    for i, what in enumerate({"counts", "mean", "square"}):
        part = share * (i + 1) / 6
        if what == "counts":
            counts = dp.release("counts", dp.laplace(share=part), dp.bin_counts(x, edges=[0.0, top]))
        elif what == "mean":
            mean = dp.release("mean", dp.gaussian(share=part), dp.mean(dp.clip(x, dp.bounding_ball(d=x.d, bound=top))))
        else:
            dp.release("count", dp.laplace(share=part), dp.count(x))
    return counts
''',
    "v_many_row_scale": '''
# Semimetric: the scale is that of all rows it is asked about.
@dp.semimetric("thirteenth.many_row_scale", triangle=lambda r: 1.0 + 1e-9, many=True)
def fun(a, rows):
    """Euclid, kept from overflow by a common scale."""
    gap = rows - a
    scale = max(float(np.abs(gap).max()) if gap.size else 0.0, 1e-12)
    step = 2.0**-12
    return np.sqrt(np.square(np.round(gap / scale / step) * step).sum(axis=1)) * scale
''',
}
