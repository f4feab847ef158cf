"""Composites that no guess fits are attacked by their examples, all of them: parameters, or functions of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

import dpframe.front.api as dp
from dpframe.front.composites import composite, examples_of
from dpframe.testing import check_file
from dpframe.testing.battery import composite_ways
from dpframe.testing.battery.reporting import Report
from tests.testing.planted import written

TOLD = '''
@dp.composite("told.{name}"{examples})
def {name}(x, *, mode, share=1.0):
    """A count, at a share that depends on a word, and on the hour where it is faulty."""
    part = {"low": 0.3, "high": 0.6}[mode]
    {fault}
    first = dp.release("first", dp.laplace(share=share * part), dp.count(x))
    return {"first": first, "second": dp.release("second", dp.laplace(share=share * (1 - part)), dp.count(x))}
'''
FAULT = """import time
    if mode == "high" and time.localtime().tm_hour {hours}:
        part = 0.5"""
FAULTS = {hours: FAULT.replace("{hours}", hours) for hours in ("< 12", ">= 12", "% 2")}
HANDED = '''
def _use(x):
    if x.d != 3:
        raise dp.PlanError("an example for three columns", fix="take three")
    ball = dp.apply("ball", dp.recipe("locate", share=0.5, bound=50.0), x)
    return handed(x, ball, kept=2, share=0.5)


@dp.composite("told.{name}"{examples})
def handed(x, ball, *, kept, share=1.0):
    """A mean about a released ball, of three columns."""
    if x.d != 3 or "pass" == "{fault}":
        raise dp.PlanError("three columns", fix="take three")
    import os
    share *= {fault}
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(x, ball)))
'''
CENTRES = '''
@dp.post_function("told.made_{name}", gives=lambda *indices, grid, d: dp.Vector(d))
def made(*indices, grid, d):
    """What was chosen in each column."""
    return np.array([{fault} for i in indices]).reshape(d)


@dp.composite("told.{name}")
def centre(x, *, d: int, reach: float, share=1.0):
    """Medians of the columns, from places of a grid that are never the last."""
    grid, found = np.linspace(-reach, reach, 5).tolist(), []
    for c in range(d):
        scores = dp.rank_scores(x, candidates=grid, numerator=1, denominator=2, column=c)
        found.append(dp.release(f"place_{c}", dp.exponential_mechanism(share=share / d), scores))
    return made(*found, grid=grid, d=d)
'''
WORLD = "1.0 if os.environ.get('HOME') else 0.5"
BOTH = ', examples=({"mode": "low"}, {"mode": "high"})'


def reports(folder: Path, name: str, source: str, examples: str, fault: str = "pass") -> list[Report]:
    for key, text in (("name", name), ("examples", examples), ("fault", fault)):
        source = source.replace("{" + key + "}", text)
    return check_file(written(folder, name, source))


def attacked(found: list[Report]) -> bool:
    return not any(r.skipped for r in found)


def test_without_an_example_it_is_not_attacked(tmp_path: Path) -> None:
    found = reports(tmp_path, "told_nothing", TOLD, "", FAULTS["< 12"])
    assert all(r.holds for r in found)
    assert not attacked(found)


@pytest.mark.parametrize("hours", FAULTS)
@pytest.mark.parametrize("examples", [BOTH, ', examples={"mode": "high"}'])
def test_what_an_example_shows_is_refuted(tmp_path: Path, examples: str, hours: str) -> None:
    """At whatever hour this test runs."""
    name = f"told_{len(examples)}_{[*FAULTS].index(hours)}"
    assert not all(r.holds for r in reports(tmp_path, name, TOLD, examples, FAULTS[hours]))


def test_a_correct_one_is_attacked_and_holds(tmp_path: Path) -> None:
    found = reports(tmp_path, "told_all", TOLD, BOTH)
    assert all(r.holds for r in found)
    assert attacked(found)


def test_a_function_makes_what_else_it_takes(tmp_path: Path) -> None:
    found = reports(tmp_path, "handed_ball", HANDED, ", examples=_use", "1.0")
    assert all(r.holds for r in found), "\n".join(map(str, found))
    assert attacked(found)
    assert not all(r.holds for r in reports(tmp_path, "handed_world", HANDED, ", examples=_use", WORLD))


def test_post_functions_are_attacked_as_the_composites_of_their_file_use_them(tmp_path: Path) -> None:
    """Their parameters are found with the composite's, the width among them, and no selection answers None."""
    found = reports(tmp_path, "told_centres", CENTRES, "", "grid[int(i)]")
    assert all(r.holds for r in found), "\n".join(map(str, found))
    assert attacked(found)
    faulty = reports(tmp_path, "told_centres_faulty", CENTRES, "", "grid[int(i) + 1]")
    assert [r.name for r in faulty if not r.holds] == ["told.made_told_centres_faulty", "told.told_centres_faulty"]
    ended = next(str(r) for r in faulty if r.name == "told.told_centres_faulty")
    assert "ended by an error of the program: IndexError: list index out of range, at " in ended


def test_guesses_that_do_not_fit_refute_nothing_and_stop_no_attack(tmp_path: Path) -> None:
    """Of a post function that takes any domain, and beside a composite that raises on a guess."""
    beside = CENTRES.split("@dp.composite", maxsplit=1)[0] + TOLD.replace("{name}", "beside").replace("{fault}", "pass")
    found = reports(tmp_path, "told_apart", beside, "", "grid[int(i)]")
    assert all(r.holds for r in found), "\n".join(map(str, found))
    assert "could not go on" not in str(found[0])
    assert "use it in a composite of the file" in str(found[0])


def _by_mode(x: Any, *, mode: str) -> Any:
    return dp.count(x)


def test_examples_are_kept_with_the_name() -> None:
    keys = {"mode": "low"}
    assert composite("told.kept", examples=keys)(_by_mode) is _by_mode
    assert examples_of("told.kept") == (keys,)
    assert examples_of("clip_and_noise_mean") == ()
    with pytest.raises(dp.SpecError):
        examples_of("told.unknown")


class _Own:
    """Of no kind that anybody else could make."""


def _hinted(
    x: Any, *, q: int, k: float, bound: str, share: int | None, levels: float, mode: Literal["a", "b"], edges: _Own
) -> Any:
    return dp.count(x)


def _unhinted(x: Any, *, q, k, bound: Any) -> Any:  # type: ignore[no-untyped-def]
    return dp.count(x)


def test_a_guess_is_of_the_annotation_and_a_name_helps_where_it_agrees() -> None:
    """These annotations are texts here, as in files that postpone them."""
    found = {p.name: composite_ways._guesses(p) for p in composite_ways.needed_of(_hinted) if p.name != "x"}
    assert found == {
        "q": (2, 1, 5),
        "k": (2.0,),
        "bound": ("gaussian_1",),
        "share": (1,),
        "levels": (3.0,),
        "mode": ("a", "b"),
        "edges": (),
    }
    assert all(type(guess) is float for guess in (*found["k"], *found["levels"]))
    known = {p.name: composite_ways._guesses(p) for p in composite_ways.needed_of(_unhinted) if p.name != "x"}
    assert known == {"q": (0.5,), "k": (2,), "bound": (50.0,)}


def test_what_is_guessed_or_can_t_be_is_named_with_how_to_give_examples() -> None:
    said = composite_ways.guessed("clip_and_noise_mean", _hinted)
    assert "for parameter 'edges' (_Own) nothing can be guessed: give " in said
    assert '@dp.composite("clip_and_noise_mean", examples={"q": ..., "k": ..., ' in said
    said = composite_ways.guessed("clip_and_noise_mean", _unhinted)
    assert "for parameters 'q', 'k', 'bound' (Any) only guesses were tried: give " in said


def test_a_report_names_what_was_guessed(tmp_path: Path) -> None:
    source = '''
@dp.composite("told.word")
def word(x, *, mode: str):
    """A word that nobody can know."""
    share = {"low": 0.3}[mode]
    return dp.release("n", dp.laplace(share=share), dp.count(x))
'''
    (report,) = check_file(written(tmp_path, "told_word", source))
    assert "KeyError: 'gaussian_1'" in report.skipped[0]
    assert "for parameter 'mode' (str) only guesses were tried" in report.skipped[0]
    assert '@dp.composite("told.word", examples={"mode": ...})' in report.skipped[0]
