"""The verbs of ``import dpframe as dp``: one function for each kernel operation, with its real signature.

A verb adds one node to the program that is being traced; its keyword parameters and their defaults are those of the
registered operation, which ``tests/front/test_verbs.py`` compares. What has no verb, and why, is in ``WITHOUT``.

Examples
--------
>>> import inspect
>>> from dpframe.front.verbs.histograms import bin_counts
>>> list(inspect.signature(bin_counts).parameters)
['x', 'edges', 'column', 'name']
"""

WITHOUT = {
    "numpy": "what Python and NumPy do with a released handle (`a / b`, `a[0]`, `np.sqrt(a)`) adds it",
    "field": "an attribute of a released handle (`ball.centre`) adds it",
    "public_value": "a map, a Gaussian, a mixture, a basis or balls where a released value is asked for adds it",
    "sum_of_ball": "`dp.release` adds it after `dp.sum` and `dp.box_sum`",
    "mean_of_ball": "`dp.release` adds it after `dp.mean` and `dp.block_sum`",
    "gram_of_ball": "`dp.release` adds it after `dp.gram`",
    "square_sum_of_ball": "`dp.release` adds it after `dp.square_sum`",
    **dict.fromkeys(
        ("own_contribution", "own_statistic", "own_query", "own_transform", "own_partition", "own_mechanism"),
        "`dp.own(name, ...)` builds it for what a plugin registered under a name",
    ),
}
"""Kernel operations that a program gets without naming them."""

NAMED = {"clip_ball": "clip"}
"""Operations whose verb has another name."""
