# ruff: noqa: E501
"""Masks of several numbers with Laplace noise for each, priced as if one number alone could move."""

DISTANCES = {
    "l2": ("The Euclidean distance.", "float(np.sqrt(np.square(a - b).sum()))"),
    "linf": ("The largest difference.", "float(np.abs(a - b).max())"),
    "half": ("Half of the sum of the differences, as of two distributions.", "0.5 * float(np.abs(a - b).sum())"),
    "mean": ("The mean difference.", "float(np.abs(a - b).mean())"),
    "sum": ("The sum of the differences.", "float(np.abs(a - b).sum())"),
}
SQUARES = """g = np.reshape(normals(4 * d), (4, d))
    made = 0.5 * noise * (g[0] ** 2 + g[1] ** 2 - g[2] ** 2 - g[3] ** 2)"""
PRODUCTS = """g = np.reshape(normals(4 * d), (d, 4))
    made = noise * (g[:, 0] * g[:, 1] + g[:, 2] * g[:, 3])"""
"""Two ways to a Laplace law of four Gaussians."""
OF_FOUR = """if len(value) != 4:
        raise ValueError("it masks four numbers")
    """
RELEASED = "np.round((np.round(value / step) * step + made) / step) * step"


def laplace(
    name: str, why: str, distance: str, price: str, made: str, *, first: str = "", released: str = RELEASED
) -> str:
    """A mask that adds Laplace noise to each number, for so many times r / noise."""
    words, formula = DISTANCES[distance]
    return f'''
# {why}
@dp.semimetric("corner.{name}_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """{words}"""
    return {formula}


@dp.mask("corner.{name}", semimetric="corner.{name}_distance", cost=lambda noise, r: dp.Pure({price} * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    {first}d = len(value)
    {made}
    step = noise * 2.0 ** -(20 + d.bit_length())
    return {released}
'''


SOURCES = {
    f"corner_{name}": laplace(name, *rest)
    for name, *rest in (
        (
            "l2",
            "Laplace noise in each coordinate for values that are near in l2: sqrt(d) is missing.",
            "l2",
            "1.0",
            SQUARES,
        ),
        (
            "root_two",
            "The same with the sqrt(d) of a plane, where there are more coordinates than two.",
            "l2",
            "np.sqrt(2.0)",
            PRODUCTS,
        ),
        (
            "root_eight",
            "The same with the sqrt(d) of eight coordinates, where there may be thirty.",
            "l2",
            "np.sqrt(8.0)",
            SQUARES,
        ),
        ("linf", "Laplace noise in each coordinate where each may differ by r: d is missing.", "linf", "1.0", PRODUCTS),
        ("half_sum", "Noise for the sum of the differences, and the distance is half of it.", "half", "1.0", SQUARES),
        ("mean", "Noise for the sum of the differences, and the distance is their mean.", "mean", "1.0", PRODUCTS),
    )
}
CORRECT_SOURCES = {
    "corner_c_sum": laplace("c_sum", "Laplace noise for the sum of the differences.", "sum", "1.0", SQUARES),
    "corner_c_half_sum": laplace("c_half_sum", "Half of the sum, for twice the price.", "half", "2.0", PRODUCTS),
    "corner_c_four": laplace(
        *("c_four", "The l2 distance of four numbers, for sqrt(4) times the price, and no other vectors."),
        *("l2", "2.0", SQUARES),
        first=OF_FOUR,
    ),
    "corner_c_clipped": laplace(
        *("c_clipped", "What is released of four numbers whose largest difference counts is clipped."),
        *("linf", "4.0", PRODUCTS),
        first=OF_FOUR,
        released=f"np.clip({RELEASED}, -1e3, 1e3)",
    ),
}
