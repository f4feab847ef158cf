# ruff: noqa: E501
"""Faults that were listed as not caught and are refuted, or told of in a note, since; and the same without the fault."""

SOURCES = {
    "l_mask_laplace_of_four": '''
# A Laplace law has a sharper peak than the Gaussian one that is charged.
@dp.mask("listed.laplace_of_four", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r)))
def fun(value, noise, normals):
    """Laplace noise from four Gaussians, on a lattice."""
    d = len(value)
    z = normals(d) * normals(d) + normals(d) * normals(d)
    step = noise * 2.0**-30
    return (np.round(value / step) + np.round(z * 2.0**30)) * step
''',
    "l_mask_laplace_of_squares": '''
# The same law, made in another way.
@dp.mask("listed.laplace_of_squares", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r)))
def fun(value, noise, normals):
    """Laplace noise as a difference of squares, on a lattice."""
    g = normals(4 * len(value)).reshape(4, -1) ** 2
    step = noise * 2.0**-30
    return (np.round(value / step) + np.round(0.5 * (g[0] + g[1] - g[2] - g[3]) * 2.0**30)) * step
''',
    "l_mask_two_widths": '''
# Which width it was stands in the last digit: the tails are those of the narrow one, half as probable.
@dp.mask("listed.two_widths", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent((dp.lattice_gaussian_mu(noise, r) + dp.lattice_gaussian_mu(2.0 * noise, r)) / 2))
def fun(value, noise, normals):
    """Noise, or twice as much, for the mean of both prices."""
    wide = float(normals(1)[0]) > 0
    return dp.lattice_gaussian(value, 2.0 * noise if wide else noise, normals)
''',
    "l_mask_two_widths_rho": '''
# The same with a price in rho.
@dp.mask("listed.two_widths_rho", semimetric="euclidean", cost=lambda noise, r: (dp.lattice_gaussian_mu(noise, r) ** 2 + dp.lattice_gaussian_mu(3.0 * noise, r) ** 2) / 4)
def fun(value, noise, normals):
    """Noise, or three times as much, for the mean of both prices."""
    wide = float(normals(1)[0]) > 0
    return dp.lattice_gaussian(value, 3.0 * noise if wide else noise, normals)
''',
}
FLOATS = {
    "l_mask_sum_of_three": '''
# A Gaussian as a sum of three, in floats.
@dp.mask("listed.sum_of_three", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r)))
def fun(value, noise, normals):
    """The sum of three."""
    d = len(value)
    return value + noise * (normals(d) + normals(d) + normals(d)) / np.sqrt(3.0)
''',
    "l_mask_mean_of_three": '''
# A mean of three in floats, whose smaller noise is charged.
@dp.mask("listed.mean_of_three", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * np.sqrt(3.0) * (1 + 1e-12))))
def fun(value, noise, normals):
    """The mean of three."""
    d = len(value)
    return value + noise * np.mean([normals(d), normals(d), normals(d)], axis=0)
''',
}
CORRECT_SOURCES = {
    "l_c_mask_laplace_of_four": '''
# A Laplace law of width b is no dearer than a Gaussian one of mu = 1.26 r/b, whatever r.
@dp.mask("listed.c_laplace_of_four", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(1.3 * dp.lattice_gaussian_mu(noise, r)))
def fun(value, noise, normals):
    """Laplace noise from four Gaussians, on a lattice, where one number is masked."""
    d = len(value)
    if d > 1:
        return dp.lattice_gaussian(value, noise, normals)
    z = normals(d) * normals(d) + normals(d) * normals(d)
    step = noise * 2.0**-30
    return (np.round(value / step) + np.round(z * 2.0**30)) * step
''',
    "l_c_mask_sum_of_three": '''
@dp.mask("listed.c_sum_of_three", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """The sum of three, on one lattice."""
    part = noise / np.sqrt(3.0) * (1 + 1e-12)
    for _ in range(3):
        value = dp.lattice_gaussian(value, part, normals)
    return value
''',
    "l_c_mask_two_widths": '''
@dp.mask("listed.c_two_widths", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Noise, or twice as much, for the price of the narrow one."""
    wide = float(normals(1)[0]) > 0
    return dp.lattice_gaussian(value, 2.0 * noise if wide else noise, normals)
''',
    "l_c_components": '''
import scipy.sparse.csgraph


@dp.own_statistic("listed.c_components", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="a link more or less changes it by one at most")
def fun(rows):
    """Connected groups of people; each row is a friendship."""
    if not len(rows):
        return np.zeros(1)
    ends = np.round(np.clip(rows[:, [0, -1]], -1e6, 1e6))
    names, codes = np.unique(ends, return_inverse=True)
    codes = codes.reshape(-1, 2)
    g = scipy.sparse.coo_matrix((np.ones(len(codes)), (codes[:, 0], codes[:, 1])), shape=(len(names),) * 2)
    return np.array([float(scipy.sparse.csgraph.connected_components(g, directed=False)[0])])
''',
}
