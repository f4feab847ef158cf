"""What people hand a decorator is attacked in whatever form it comes: partials, objects, NumPy's, from other files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dpframe.kernel.registry import build, import_file
from dpframe.proof.spaces import Counts
from dpframe.testing import check_file
from dpframe.testing.battery import check as command_line
from dpframe.testing.battery.attack_mechanisms import attack_mechanism
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.reporting import Report

HEADER = '"""A plugin."""\n\nimport functools\n\nimport numpy as np\n\nimport dpframe.plugin as dp\n\n\n'
FORMS = {
    "partial": (
        "def scaled(values, *, by):\n    '''Scaled.'''\n    return {made}\n\n\n"
        "dp.row_function('forms.{name}', columns=lambda d: d)(functools.partial(scaled, by=2.0))\n"
    ),
    "object": (
        'class Scaled:\n    """An object that can be called."""\n\n    def __call__(self, values, by=2.0):\n'
        "        return {made}\n\n\ndp.row_function('forms.{name}', columns=lambda d: d)(Scaled())\n"
    ),
    "wrapped": (
        "@dp.row_function('forms.{name}', columns=lambda d: d)\n@np.errstate(all='ignore')\n"
        "def scaled(values, by=2.0):\n    '''Scaled, wrapped by NumPy.'''\n    return {made}\n"
    ),
    "listed": (
        "for by in (2.0,):\n    def scaled(values, by=by):\n        '''Scaled.'''\n        return {made}\n"
        "    dp.row_function('forms.{name}', columns=lambda d: d)(scaled)\n"
    ),
}
HONEST, MIXED = "values / by", "values - by * values.mean(axis=0)"


def checked(text: str, path: Path, **texts: str) -> dict[str, Report]:
    for name, more in texts.items():
        (path.parent / f"{name}.py").write_text(more)
    path.write_text(HEADER + text)
    return {report.name: report for report in check_file(path)}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_functions_of_every_form_are_attacked(form: str, tmp_path: Path) -> None:
    for name, made in (("honest", HONEST), ("mixed", MIXED)):
        found = checked(FORMS[form].format(name=f"{form}_{name}", made=made), tmp_path / f"{form}_{name}.py")
        report = found[f"forms.{form}_{name}"]
        assert not report.skipped, report
        assert report.holds is (name == "honest"), report


@pytest.mark.slow
def test_what_ufuncs_and_other_files_define_is_attacked(tmp_path: Path) -> None:
    """It has no line in the file that registers it."""
    other = "def centred(values):\n    '''Rows minus their mean.'''\n    return values - values.mean(axis=0)\n"
    text = (
        "import sys\n\nsys.path.insert(0, {!r})\nimport forms_helper\n\n"
        "dp.row_function('forms.ufunc', columns=lambda d: d)(np.abs)\n"
        "dp.row_function('forms.elsewhere', columns=lambda d: d)(forms_helper.centred)\n"
    )
    found = checked(text.format(str(tmp_path)), tmp_path / "elsewhere.py", forms_helper=other)
    assert found["forms.ufunc"].holds
    assert "rowwise" in {failure.layer for failure in found["forms.elsewhere"].failures}


STATISTIC = '''
@dp.own_statistic("forms.{name}", gives=1, sensitivity=lambda removed, added: {{"l1": {claim}}}, source="counting")
def counted(rows):
    """How many rows are positive, as a number and not as a list of one."""
    return int(np.count_nonzero(rows[:, 0] > 0))


@dp.own_query("forms.{name}_most", gives=1, sensitivity=lambda d: {{"linf": d["linf"] * {factor}}}, source="a maximum")
def most(counts):
    """The largest."""
    return np.max(counts)


@dp.own_mechanism(
    "forms.{name}_noise",
    gives=1,
    takes="l1",
    loss=lambda scale, distance: dp.Pure(dp.round_up({factor} * distance / scale)),
    source="Dwork and others 2006",
)
def noised(value, scale, noise):
    """Laplace noise on one number, which is given as a number."""
    return int(value[0]) + int(noise.laplace(scale))
'''


@pytest.mark.slow
@pytest.mark.parametrize("name", ["single", "single_cheap"])
def test_a_single_number_is_attacked_as_an_array_of_one(name: str, tmp_path: Path) -> None:
    claim, factor = ("float(removed + added)", "1.0") if name == "single" else ("1.0", "0.4")
    found = checked(STATISTIC.format(name=name, claim=claim, factor=factor), tmp_path / f"{name}.py")
    assert len(found) == 3
    for report in found.values():
        assert not report.skipped, report
        assert report.holds is (name == "single"), report


WRONG = '''
@dp.own_contribution("forms.wide", gives=3, norm="l2", bound=1.0)
def wide(rows):
    """Two numbers, declared three."""
    return np.stack([rows[:, 0], rows[:, 0]], axis=1)


@dp.own_statistic("forms.long", gives=2, sensitivity=lambda removed, added: {"l1": 3.0}, source="nowhere")
def long(rows):
    """Three numbers, declared two."""
    return [1, 2, 3]
'''


def test_what_has_another_shape_is_told_with_both(tmp_path: Path) -> None:
    found = checked(WRONG, tmp_path / "wrong.py")
    told = {name: str(report) for name, report in found.items()}
    assert not any(report.holds for report in found.values())
    assert "shape (20, 2), declared (20, 3)" in told["forms.wide"]
    assert "shape (3,), declared (2,)" in told["forms.long"]


FLOATS = '''
def loss(scale, distance):
    """As of Laplace noise."""
    return dp.Pure(dp.round_up(distance / scale))


@dp.own_mechanism("forms.floats", gives=1, takes="l1", loss=loss, source="x")
def floats(value, scale, noise):
    """Numbers that are no steps of a lattice."""
    return value + 0.5 * noise.laplace(scale, 1)
'''


def test_a_mechanism_that_gives_floats_is_told_that_zeros_are_released(tmp_path: Path) -> None:
    report = checked(FLOATS, tmp_path / "floats.py")["forms.floats"]
    assert not report.holds
    assert "zeros would be released" in str(report)


def test_a_release_that_is_always_the_same_is_refuted_when_the_time_is_up(tmp_path: Path) -> None:
    path = tmp_path / "late.py"
    path.write_text(HEADER + FLOATS.replace("forms.floats", "forms.late"))
    import_file(path)
    operation = build("forms.late", {"share": 1.0})
    lab = Lab(np.random.default_rng(0), 8, 0.0, -1.0, clock=lambda: 0.0)
    lab.ran("law")
    attack_mechanism(lab, Case(operation, (Counts(1),)))
    assert [failure.layer for failure in lab.failures] == ["noise"]


@pytest.mark.slow
def test_a_file_that_changes_the_folder_is_attacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = FORMS["wrapped"].format(name="moved", made=HONEST)
    Path("moved.py").write_text(HEADER + f"import os\n\nos.chdir({str(tmp_path.parent)!r})\n\n\n" + made)
    (report,) = check_file(Path("moved.py"))
    assert report.name == "forms.moved"


COMPOSITE = '''
@dp.composite("forms.chosen")
def chosen(x, *, levels: list[float], how: "int" = 1, share=1.0):
    """A histogram of listed values."""
    return dp.release("counts", dp.laplace(share=share), dp.value_counts(x, values=levels, column=0))


@dp.composite("forms.first")
def first(x, *, share=1.0):
    """The second."""
    return dp.release("second", dp.recipe("forms.second", share=share), x)


@dp.composite("forms.second")
def second(x, *, share=1.0):
    """The first."""
    return dp.release("first", dp.recipe("forms.first", share=share), x)
'''


def test_composites_are_guessed_by_their_annotations_and_circles_are_named(tmp_path: Path) -> None:
    found = checked(COMPOSITE, tmp_path / "composites.py")
    assert not found["forms.chosen"].skipped
    assert "uses itself without end" in " ".join(found["forms.first"].skipped)


@pytest.mark.slow
def test_a_package_is_checked_by_its_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "forms_package"
    home.mkdir()
    (home / "__init__.py").write_text('"""A package."""\n\nfrom . import stats\n')
    (home / "helpers.py").write_text("def half(values):\n    return values / 2\n")
    text = "@dp.row_function('forms.half', columns=lambda d: d)\n"
    text += "def halves(values):\n    '''Halves.'''\n    return half(values)\n"
    (home / "stats.py").write_text(HEADER + "from .helpers import half\n\n\n" + text)
    for name in ("stats.py", "__init__.py"):
        assert [report.name for report in check_file(home / name)] == ["forms.half"]
    assert command_line.command([str(home)]) == 2
    assert "is a folder. Fix: name a .py file in it" in capsys.readouterr().err


TWO = '''
@dp.post_function("forms.two_{name}")
def two(first, second, *, k: int = 2):
    """Two arrays of like sizes."""
    return {made}


@dp.post_function("forms.ball_{name}")
def ball(values, ball):
    """An array about the centre of a ball."""
    return np.asarray(values) - ball.centre + {made_of_one}
'''


@pytest.mark.slow
@pytest.mark.parametrize("name", ["right", "wrong"])
def test_post_functions_of_several_inputs_are_attacked(name: str, tmp_path: Path) -> None:
    """A search for inputs that began with one of them took its absence for a refusal."""
    right = name == "right"
    made = "np.asarray(first) * k - np.asarray(second)" if right else "np.asarray(first) / np.sum(second)"
    one = "1.0" if right else "np.random.default_rng().random()"
    found = checked(TWO.format(name=name, made=made, made_of_one=one), tmp_path / f"{name}.py")
    for report in found.values():
        assert not report.skipped, report
        assert report.holds is right, report
