"""Every place of a certificate changed in every way: rejected, or the statement stays true."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpframe.cli.vetting import recomputed
from dpframe.proof.checker import verify
from tests.planning.examples import CASES, OWN
from tests.planning.mutations import Path, at, double, drop, numbers, places, put, swap
from tests.proof.checker.forging import judge, rejected, release

# What no guarantee rests on. Everything else that differs in one place must be rejected.
TEXT = {("statement",), ("dpframe_version",)}


def operation_at(document: Any, path: Path) -> str:
    """The operation of the innermost node that a path leads into."""
    found = ""
    for i in range(1, len(path)):
        inner = at(document, path[:i])
        if isinstance(inner, dict) and "operation" in inner:
            found = inner["operation"]
    return found


def is_post(document: Any, path: Path) -> bool:
    """Whether the path leads into a post node, whose parameters, released inputs and released domain are free."""
    for i in range(len(path) - 1, 0, -1):
        inner = at(document, path[:i])
        if isinstance(inner, dict) and "operation" in inner:
            return bool(inner["kind"] == "post")
    return False


def field_of(document: Any, path: Path) -> tuple[str | int, ...]:
    """The part of the path inside the innermost node."""
    for i in range(len(path) - 1, 0, -1):
        inner = at(document, path[:i])
        if isinstance(inner, dict) and "operation" in inner:
            return path[i:]
    return path


def is_asserted(document: Any, path: Path) -> bool:
    """Whether the path leads to what a plugin asserts of a mechanism, its loss for its noise."""
    field = field_of(document, path)
    node = at(document, path[: len(path) - len(field)])
    return bool(field[0] == "mechanism" and field[1:2] and node.get("level") == "asserted")


def told_by_plugin(changed: Any) -> bool:
    """Whether the plugin of the certified digest tells that what it asserts was changed."""
    return bool(recomputed(changed, [str(OWN.parent)])[0])


def neutral(case: str, path: Path, changed: Any) -> bool:  # noqa: PLR0911
    """Whether the change leaves a true statement, and which one."""
    made = release(case)[0]
    field = field_of(made, path)
    if path in TEXT or path[0] == "warnings":
        return True
    if is_asserted(made, path):  # a plugin's word: it alone can tell
        return len(field) == 3 or told_by_plugin(changed)
    if field[0] == "plugins":  # whose files they were: the run compares them, and no loss is told which
        return at(made, path[: len(path) - len(field)]).get("level") != "asserted" or told_by_plugin(changed)
    if path[:1] == ("budget",):  # a budget that is not exceeded either
        return bool(at(changed, path) >= made["total"][path[1]])
    if path[:2] == ("graph", "inputs") and path[3:] in (("n",), ("domain", "d")):
        return True  # whose other uses were checked: a declared number
    if is_post(made, path):  # any function of released values is free
        return field[0] in ("parameters", "operation", "output", "inputs", "name")
    if field[0] == "parameters":  # not told to any theorem
        return (operation_at(made, path), field[1]) in {("for_each", "share"), ("split", "seed"), ("split", "weights")}
    if field[-1] in ("half_width", "eta_weight"):
        # A longer tail; and with one component its weight is 1 whatever the noise, and costs nothing.
        one = case in ("averaging", "selecting") and operation_at(made, path) == "mixture_mask"
        free = one and field[-1] == "eta_weight"
        return free or bool(field[-1] == "half_width" and at(changed, path) > at(made, path))
    if field[0] == "operation":
        return {at(made, path), at(changed, path)} == {"recurse", "worklist"}
    return reordered(path, field) or renamed(made, path, field) or rewired(case, path, field)


def reordered(path: Path, field: tuple[str | int, ...]) -> bool:
    """Order and repetition carry no meaning: of events, alternatives, metrics met, independent nodes, outputs.

    Nor which released value is an output, as long as it is released.
    """
    if path[:2] == ("graph", "outputs"):
        return len(path) == 3 or path[3] == 1
    return (
        path[:2] == ("loss", "events")
        or field[:2] == ("mechanism", "met")
        or path[-2] in ("nodes", "outputs", "claims")
    )


def renamed(made: Any, path: Path, field: tuple[str | int, ...]) -> bool:
    """A name that nothing refers to: of a body's output or unused input, of a release that is no output."""
    if "bodies" in path:
        return field[-1] == "name" or "outputs" in field
    graph = made["graph"]
    used = {reference[0] for node in graph["nodes"] for reference in node["inputs"]}
    used |= {reference[0] for _, reference in graph["outputs"]}
    return field == ("name",) and at(made, path) not in used


def rewired(case: str, path: Path, field: tuple[str | int, ...]) -> bool:
    """Another value of the same kind and price at an input: another plan, and a true statement about it."""
    made = release(case)[0]
    return (
        "inputs" in field
        and "claims" not in field
        and operation_at(made, path)
        in {
            "minimum",
            "maximum",
            "count",
            "affine",
            "rescale",
            "within",
            "select",
            "clip_ball",
            "clip_box",
            "filter_ball",
            "distance_histogram",
            "bin_counts",
            "value_counts",
            "dyadic_counts",
            "marginal_counts",
            "product_counts",
            "column_cells",
            "box_cells",
            "rank_scores",
            "block_sum",
            "contest_scores",
            "interval_scores",
            "scheffe_scores",
            "whiten",
            "log_densities",
            "gaussian",
            "laplace",
            "exponential_mechanism",
            "all_rows",
            "own_contribution",
            "own_statistic",
            "own_query",
            "own_transform",
            "own_partition",
            "own_mechanism",
        }
    )


WORDS = "public released private add_remove replace_one post post_processing row_map recurse count gdp pure x".split()


def alternatives(made: Any, path: Path) -> list[Any]:
    """Documents that differ from a certificate in one place."""
    value = at(made, path)
    out = [put(made, path, other) for other in numbers(value)]
    if isinstance(value, bool):
        out.append(put(made, path, not value))
    if isinstance(value, str):
        out += [put(made, path, word) for word in WORDS if word != value]
    if value is None:
        out += [put(made, path, other) for other in (0, "x", "0" * 64)]
    out += [drop(made, path), put(made, path, None)] if value is not None else [drop(made, path)]
    if isinstance(path[-1], int):
        out += [double(made, path), swap(made, path)]
    return [other for other in out if other != made]


def check_alternatives(case: str, path: Path) -> None:
    made = release(case)[0]
    for changed in alternatives(made, path):
        verdict = judge(case, changed)
        if verdict.verified:
            assert neutral(case, path, changed), (case, path, at(made, path))
        else:
            assert not any("can't be checked" in reason for reason in verdict.reasons), (path, verdict.reasons)


@st.composite
def one_place(draw: st.DrawFn) -> tuple[str, Path]:
    case = draw(st.sampled_from(sorted(CASES)))
    return case, draw(st.sampled_from([path for path, _ in places(release(case)[0])]))


@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(one_place())
def test_one_place_changed(place: tuple[str, Path]) -> None:
    check_alternatives(*place)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_one_place_in_six_changed(case: str) -> None:
    for path, _ in list(places(release(case)[0]))[3::6]:
        check_alternatives(case, path)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_every_place_changed(case: str) -> None:
    for path, _ in places(release(case)[0]):
        check_alternatives(case, path)


LOSSES = ("epsilon", "delta", "rho", "mu", "bound", "sigma", "scale", "rate", "sensitivity")


@pytest.mark.parametrize("case", CASES)
def test_no_loss_or_noise_can_be_changed_alone(case: str) -> None:
    """Every number that names a loss, a sensitivity or a noise, wherever it stands, up and down."""
    made = release(case)[0]
    for path, value in places(made):
        if path[-1] in LOSSES and type(value) in (int, float) and value and path[:1] != ("budget",):
            for factor in (0.5, 1 - 1e-6, 2.0):
                changed = put(made, path, value * factor)
                verdict = verify(changed)
                if is_asserted(made, path) and verdict.verified:
                    assert told_by_plugin(changed), (path, factor)
                else:
                    rejected(verdict)
