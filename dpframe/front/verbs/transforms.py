"""Rows to rows, each row alike, and rows to pairs of them."""

from __future__ import annotations

from dpframe.front.program import Handle
from dpframe.front.tracing import HandleLike
from dpframe.front.verbs.nodes import node, verb


@verb
def clip(x: Handle, ball: HandleLike, *, bits: int = 20, name: str | None = None) -> Handle:
    """Rows into the unit ball of the frame ``ball``: centred, scaled, projected radially.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    ball : Handle
        A released or public ball.
    bits : int
        The lattice has steps of 2^−bits. 1 to 26.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private rows of the unit ball, which sums take.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``row_map`` (docs/theory/notation.md#row-maps): A map that treats every row alike keeps the edits: g(X) and
    g(X') differ in the images of the edited rows.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=10.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.sum(inside))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("clip_ball", name, x, ball, stem="clip", bits=bits)


@verb
def clip_box(x: Handle, ball: HandleLike, *, bits: int = 20, name: str | None = None) -> Handle:
    """Rows into the unit box of the frame ``ball``: centred, scaled, each coordinate clamped.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    ball : Handle
        A released or public ball.
    bits : int
        The lattice has steps of 2^−bits. 1 to 26.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private rows of the unit box, which ``dp.box_sum`` takes.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``row_map`` (docs/theory/notation.md#row-maps): A map that treats every row alike keeps the edits: g(X) and
    g(X') differ in the images of the edited rows.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     ball = dp.ball(centre=[0.0, 0.0], radius=10.0)
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.box_sum(dp.clip_box(x, ball)))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("clip_box", name, x, ball, bits=bits)


@verb
def affine(x: Handle, through: HandleLike, *, name: str | None = None) -> Handle:
    """Rows through a released map: ``(x − shift) @ matrix``.

    Rows further from the shift than the map's scale saturate along their ray.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    through : Handle
        A released or public affine map: ``dict(shift=, matrix=, scale=)``, or what a post function with
        ``gives=dp.AffineMap(d, p)`` makes.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private rows; unbounded in the plan's eyes, so clip them before a sum.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``row_map`` (docs/theory/notation.md#row-maps): A map that treats every row alike keeps the edits: g(X) and
    g(X') differ in the images of the edited rows.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     image = dp.affine(x, dict(shift=[0.0, 0.0], matrix=[[1.0], [1.0]], scale=100.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.bin_counts(image, edges=[0.0]))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("affine", name, x, through)


@verb
def project(x: Handle, subspace: HandleLike, ball: HandleLike, *, name: str | None = None) -> Handle:
    """Rows in a released subspace, about the centre of a ball.

    Rows further from the centre than the ball's radius saturate along their ray.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    subspace : Handle
        A released or public subspace: an array whose columns are orthonormal (``np.eye(4)[:, :2]``), or what a post
        function with ``gives=lambda gram: dp.Subspace(gram.d, 2)`` makes.
    ball : Handle
        A released or public ball.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private rows; unbounded in the plan's eyes, so clip them before a sum.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``row_map`` (docs/theory/notation.md#row-maps): A map that treats every row alike keeps the edits: g(X) and
    g(X') differ in the images of the edited rows.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     image = dp.project(x, [[0.6], [0.8]], ([0.0, 0.0], 10.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.bin_counts(image, edges=[0.0]))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("project", name, x, subspace, ball)


@verb
def rescale(x: Handle, exponents: HandleLike, *, name: str | None = None) -> Handle:
    """Columns of very different units made comparable: ``x_j · 2^(−e_j)``.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    exponents : Handle
        Released whole numbers e, one a column.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private rows; unbounded in the plan's eyes, so clip them before a sum.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``row_map`` (docs/theory/notation.md#row-maps): A map that treats every row alike keeps the edits: g(X) and
    g(X') differ in the images of the edited rows.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     scaled = dp.rescale(x, dp.constant([0.0, 10.0]))
    ...     inside = dp.clip(scaled, dp.ball(centre=[0.0, 0.0], radius=10.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.mean(inside))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("rescale", name, x, exponents)


@verb
def row_map(x: Handle, *parameters: Handle, function: str, p: int, name: str | None = None) -> Handle:
    """Rows through a plugin's own registered function, which is asserted to treat each row alike.

    The kernel can't see inside it: the certificate carries the assertion, and ``dpframe check`` attacks it.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    *parameters : Handle
        Released or public values that the function is told.
    function : str
        Name under which the function is registered with ``dp.row_function``: ``(values, *parameters) -> (m, p)``.
    p : int
        Columns of the image.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private rows; unbounded in the plan's eyes, so clip them before a sum.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``asserted_row_map`` (docs/theory/notation.md#row-maps): As row_map, for a plugin's own vectorised function:
    that it treats rows one by one is asserted.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     image = dp.row_map(x, function="gaussian_1", p=1)  # a name registered with @dp.learner
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.bin_counts(image, edges=[0.0]))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("row_map", name, x, *parameters, function=function, p=p)


@verb
def within(x: Handle, ball: HandleLike, *, name: str | None = None) -> Handle:
    """Rows outside a ball projected radially onto it, and the others as they are, in the units of the table.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    ball : Handle
        A released or public ball.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private rows; unbounded in the plan's eyes, so clip them before a sum.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``row_map`` (docs/theory/notation.md#row-maps): A map that treats every row alike keeps the edits: g(X) and
    g(X') differ in the images of the edited rows.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     promised = dp.within(x, dp.ball(centre=[0.0, 0.0], radius=100.0))
    ...     columns = dp.bin_counts(promised, edges=[0.0, 50.0])
    ...     return dp.release("result", dp.gaussian(share=1.0), columns)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("within", name, x, ball)
