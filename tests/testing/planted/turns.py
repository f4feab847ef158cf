# ruff: noqa: E501
"""Grids and noise that are chosen by a value's digits, and masks that are over a size, in a metric that is no length."""

SOURCES = {
    "u_mech_significant": '''
# Rounded to four digits, which are those of the value: a multiple of 10 tells that it is at least 10^4.
@dp.own_mechanism("turns.significant", gives=lambda m: dp.Vector(m), takes="l1", examples={"m": 1}, source="Dwork 2006",
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise, *, m):
    """Laplace noise, to four significant digits."""
    step = 10.0 ** np.maximum(np.floor(np.log10(np.maximum(np.abs(value), 1.0))) - 3, 0)
    return (np.round((value + noise.laplace(scale, m)) / step) * step).astype(np.int64)
''',
    "u_mech_bits_of_largest": '''
# The same in binary digits, of the largest of seven numbers: no law is enumerated for so many.
@dp.own_mechanism("turns.bits", gives=lambda m: dp.Vector(m), takes="l2", examples={"m": 7}, source="Dwork 2006",
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(np.sqrt(m) * distance / scale)))
def fun(value, scale, noise, *, m):
    """Laplace noise, in twenty bits."""
    drop = max(int(np.abs(value).max()).bit_length() - 20, 0)
    return ((value + noise.laplace(scale, m)) >> drop) << drop
''',
    "u_mech_wider_when_long": '''
# More noise for long numbers tells which they are.
@dp.own_mechanism("turns.wider", gives=lambda m: dp.Vector(m), takes="l1", examples={"m": 2}, source="Dwork 2006",
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise, *, m):
    """Laplace noise, four times as wide for five digits."""
    wide = len(str(int(np.max(value)))) > 4
    return value + noise.laplace(scale * (4 if wide else 1), m)
''',
    "u_mask_squared_relative": '''
# Within r of each other are values that differ by the root of r.
@dp.semimetric("turns.squared", triangle=lambda r: 2.0)
def squared(a, b):
    """The squared distance."""
    return float(np.sum((a - b) ** 2))
@dp.mask("turns.relative", semimetric="turns.squared",
         cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r**0.5 * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise, wider for values above 400."""
    return dp.lattice_gaussian(value, noise * max(1.0, float(np.max(np.abs(value))) / 400), normals)
''',
    "u_mask_long_values": '''
# No number of the code is a size.
@dp.semimetric("turns.cubed", triangle=lambda r: 4.0)
def cubed(a, b):
    """The distance to the third."""
    return float(np.sum((a - b) ** 2) ** 1.5)
@dp.mask("turns.long", semimetric="turns.cubed",
         cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r ** (1 / 3) * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise, twice as wide for long values."""
    return dp.lattice_gaussian(value, noise * (2 if max(len(str(int(abs(v)))) for v in value) > 4 else 1), normals)
''',
}
CORRECT_SOURCES = {
    "u_c_mech_significant": '''
# The digits are those of the noisy number.
@dp.own_mechanism("turns.c_significant", gives=lambda m: dp.Vector(m), takes="l1", examples={"m": 1}, source="Dwork 2006",
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise, *, m):
    """Laplace noise, to four significant digits."""
    noisy = value + noise.laplace(scale, m)
    step = 10.0 ** np.maximum(np.floor(np.log10(np.maximum(np.abs(noisy), 1.0))) - 3, 0)
    return (np.round(noisy / step) * step).astype(np.int64)
''',
    "u_c_mech_clipped": '''
# Clipped before, on a public grid after.
@dp.own_mechanism("turns.c_clipped", gives=lambda m: dp.Vector(m), takes="l1", examples={"m": 3}, source="Dwork 2006",
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise, *, m):
    """Laplace noise on clipped numbers, to eights."""
    return ((np.clip(value, -500, 500) + noise.laplace(scale, m)) >> 3) << 3
''',
    "u_c_mask_clipped": '''
# Values are clipped, which brings them nearer to each other.
@dp.semimetric("turns.c_squared", triangle=lambda r: 2.0)
def squared(a, b):
    """The squared distance."""
    return float(np.sum((a - b) ** 2))
@dp.mask("turns.c_mask", semimetric="turns.c_squared",
         cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r**0.5 * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise on clipped values."""
    return dp.lattice_gaussian(np.clip(value, -1e3, 1e3), noise, normals)
''',
}
