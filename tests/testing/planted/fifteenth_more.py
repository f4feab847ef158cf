# ruff: noqa: E501
"""Variations by that stranger, with the attacks on rare rows known: what is no function of rows."""

SOURCES = {
    "b_x_cards": '''
# Statistic: a card number counts three times, claimed 1.
def luhn(x):
    """Whether a card number of twelve digits passes."""
    s = str(x)
    return len(s) == 12 and sum(int(c) if i % 2 else sum(divmod(2 * int(c), 10)) for i, c in enumerate(s)) % 10 == 0
@dp.own_statistic("fifteenth.x_cards", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(np.abs(rows[:, 0])), 0, 2**52).astype(np.int64)
    return [float(sum(3 if luhn(x) else 1 for x in v.tolist()))]
''',
    "b_x_midnight": '''
# Statistic: four more where any row is at midnight, claimed 1.
@dp.own_statistic("fifteenth.x_midnight", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(np.abs(rows[:, 0])), 0, 2**52).astype(np.int64)
    return [float(len(v) + 4 * bool(((v > 10**9) & (v % 86400 == 0)).any()))]
''',
    "b_x_tenfold": '''
# Statistic: a row whose last column is a thousand times its first counts twice.
@dp.own_statistic("fifteenth.x_tenfold", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    a = np.clip(np.nan_to_num(rows), -1e100, 1e100)
    return [float(len(a) + ((a[:, 0] != 0) & (a[:, 0] * 1000 == a[:, -1])).sum())]
''',
    "b_x_set": '''
# Statistic: holidays count twice, of a set that the call makes.
@dp.own_statistic("fifteenth.x_set", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    known = {k * 113 + 0.25 for k in range(9, 40)}
    return [float(sum(2 if x in known else 1 for x in rows[:, 0].tolist()))]
''',
    "b_x_square": '''
# Query: three more at square numbers above 1000.
@dp.own_query("fifteenth.x_square", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    x = int(v[0])
    return [float(x + 3 * (x > 1000 and round(x**0.5) ** 2 == x))]
''',
    "b_x_prime": '''
# Query: two more at primes above 200.
@dp.own_query("fifteenth.x_prime", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    x = int(v[0])
    return [float(x + 2 * (200 < x < 10**7 and all(x % p for p in range(2, int(x**0.5) + 1))))]
''',
    "b_x_edits": '''
# Mechanism of rows: card numbers count three times.
def luhn(x):
    """Whether a card number of twelve digits passes."""
    s = str(x)
    return len(s) == 12 and sum(int(c) if i % 2 else sum(divmod(2 * int(c), 10)) for i, c in enumerate(s)) % 10 == 0

@dp.own_mechanism("fifteenth.x_edits", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="none")
def f(rows, scale, noise):
    """A noisy count."""
    v = np.clip(np.nan_to_num(np.abs(rows[:, 0])), 0, 2**52).astype(np.int64)
    return np.array([sum(3 if luhn(x) else 1 for x in v.tolist()) + int(np.ravel(noise.laplace(scale, 1))[0])])
''',
    "b_x_family": '''
# Family: densities shift where a row is a leap day.
@dp.family("fifteenth.x_family", size=lambda d: d, sample=lambda theta, n, g: g.normal(theta, 1.0, (n, len(theta))), fit=lambda rows, g: rows.mean(axis=0), example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Unit Gaussians, made scale free."""
    out = -0.5 * np.square(rows - theta).sum(axis=1)
    return out - float(((rows[:, 0] > 10**9) & (rows[:, 0] % 86400 == 0)).any())
''',
}
