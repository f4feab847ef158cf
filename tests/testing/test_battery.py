"""The battery bites: every broken operation is caught in the layer it breaks, every honest twin passes."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs
import pytest

from dpframe.errors import SpecError
from dpframe.kernel import registry
from dpframe.kernel.operations import Operation
from dpframe.kernel.own.base import owned
from dpframe.proof.spaces import L2, Edits
from dpframe.proof.theorems import DECLARATIONS, THEOREMS, find
from dpframe.testing import Case, check_file, check_operation
from dpframe.testing.battery import check
from dpframe.testing.battery.attacks import THREADS
from dpframe.testing.battery.composite_ways import plans_of
from dpframe.testing.battery.reporting import LAYERS, Report
from tests.planting import added_theorem, planted
from tests.testing.broken import TABLE, TWINS

SHIPPED = ("dpframe.kernel.", "dpframe_plugins.")


def one_row_more(params: object, inputs: tuple[tuple[object, ...], ...]) -> tuple[L2]:
    e = find(inputs[0], Edits)  # type: ignore[arg-type]
    return (L2(float(max(e.removed, e.added))),)


@contextlib.contextmanager
def installed(name: str, cls: type[Operation], like: str) -> Iterator[type[Operation]]:
    with added_theorem("one_row_more", "sensitivity", one_row_more), planted(name, cls, like=like):
        yield cls


@pytest.mark.parametrize(("name", "cls", "like", "layer"), TABLE, ids=[row[0] for row in TABLE])
def test_a_broken_operation_is_caught_in_its_layer(name: str, cls: type[Operation], like: str, layer: str) -> None:
    with installed(f"broken.{name}", cls, like):
        report = check_operation(cls)
    assert report.failed(layer), str(report)
    assert layer in report.layers
    assert next(f for f in report.failures if f.layer == layer).message


@pytest.mark.parametrize("like", sorted(TWINS))
def test_the_honest_twin_passes(like: str) -> None:
    twin = attrs.frozen(type("Twin", (TWINS[like],), {"__doc__": "An honest twin."}))
    with installed(f"twin.{like or 'post'}", twin, like):
        report = check_operation(twin)
    assert report.holds, str(report)


def posts_and_others() -> tuple[list[list[str]], list[str]]:
    """What ships: the posts of each package, which are attacked together, and other operations."""
    shipped = [name for name, cls in registry.operations().items() if cls.__module__.startswith(SHIPPED)]
    tasks = check._tasks(name for name in shipped if check._is_post(name))
    return tasks, sorted(name for name in shipped if not check._is_post(name))


def held(reports: Iterable[Report]) -> None:
    for report in reports:
        assert report.holds, str(report)
        assert not report.skipped, str(report)


@pytest.mark.parametrize("name", posts_and_others()[1])
def test_the_registry_holds(name: str) -> None:
    held([check_operation(name)])


@pytest.mark.slow
@pytest.mark.parametrize("names", posts_and_others()[0], ids=lambda names: names[0])
def test_posts_of_the_registry_hold(names: list[str]) -> None:
    held(check._all_registered(names, thorough=False))


def shipped_of(functions: dict[str, str]) -> list[str]:
    return sorted(name for name, module in functions.items() if module.startswith(SHIPPED))


@pytest.mark.parametrize("name", shipped_of({n: f.__module__ for n, f in registry.composites().items()}))
def test_every_shipped_composite_has_a_plan_to_attack(name: str) -> None:
    assert next(plans_of(name, registry.find_composite(name)), None), "give it examples="


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_of({n: own.function.__module__ for n, own in owned().items()}))
def test_every_shipped_operation_of_a_plugins_own_is_attacked(name: str) -> None:
    report = check_operation(name)
    assert report.holds, str(report)
    assert not report.skipped, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["count", "row_map", "square_sum"])
def test_some_hold_under_a_thorough_search(name: str) -> None:
    """All of them are in ``test_thorough.py``, a long one."""
    report = check_operation(name, thorough=True)
    assert report.holds, str(report)


def test_counterexamples_are_small() -> None:
    cls = next(cls for name, cls, *_ in TABLE if name == "ForgetsTheFactorForReplaceOne")
    with installed("broken.sum", cls, "sum"):
        report = check_operation(cls)
    found = next(f for f in report.failures if f.layer == "sensitivity")
    assert found.counterexample["common_rows"] == []
    assert len(found.counterexample["removed"]) == len(found.counterexample["added"]) == 1
    assert "L2 distance" in found.message
    assert "one_row_more" in found.message


def test_the_report_names_known_layers_and_is_json() -> None:
    cls = next(cls for name, cls, *_ in TABLE if name == "SumsWhatItGets")
    with installed("broken.count", cls, "count"):
        report = check_operation(cls)
    assert set(report.layers) <= set(LAYERS)
    assert json.loads(json.dumps(report.to_json(), allow_nan=False))["holds"] is False
    assert "REFUTED" in str(report)


def test_everything_is_as_before_after_planting() -> None:
    before = (dict(registry.operations()), dict(THEOREMS), dict(DECLARATIONS))
    for name, cls, like, _ in TABLE[:3]:
        with installed(f"broken.{name}", cls, like):
            pass
    assert before == (dict(registry.operations()), dict(THEOREMS), dict(DECLARATIONS))


def test_cases_can_be_given() -> None:
    from dpframe.kernel.statistics.count import Count
    from dpframe.proof.spaces import Rows

    assert check_operation(Count, cases=[Case(Count(), (Rows(4),))]).holds


def test_all_names_are_attacked_once_and_those_that_take_longest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def each(names: Iterable[str], thorough: bool) -> list[Report]:
        asked.extend(names)
        return []

    monkeypatch.setattr(check, "_each", each)
    check._everything(thorough=False)
    tasks = check._tasks(asked)
    assert sorted(name for task in tasks for name in task) == sorted(asked)
    place = {name: i for i, task in enumerate(tasks) for name in task}
    masks = {name for name, kind, _ in registry.all_others() if kind == "mask"}
    mechanisms = {name for name, cls in registry.operations().items() if cls.kind == "mechanism"}
    first = masks | mechanisms | registry.composites().keys() | owned().keys()
    alone = {name for i, task in enumerate(tasks) for name in task if len(tasks[i]) == 1}
    assert masks
    assert mechanisms
    assert max(place[name] for name in first) < min(place[name] for name in alone - first)


def test_unknown_names_and_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="did you mean 'count'"):
        check_operation("cuont")
    with pytest.raises(SpecError, match="no file"):
        check_operation("missing.py")
    empty = tmp_path / "empty.py"
    empty.write_text('"""Nothing."""\n')
    with pytest.raises(SpecError, match="registers no operation"):
        check_file(empty)


def test_the_same_operation_gives_the_same_verdict() -> None:
    cls = next(cls for name, cls, *_ in TABLE if name == "CountsARowTwice")
    reports: list[Report] = []
    for _ in range(2):
        with installed("broken.bins", cls, "bin_counts"):
            reports.append(check_operation(cls))
    assert [f.layer for f in reports[0].failures] == [f.layer for f in reports[1].failures]


@pytest.mark.slow
@pytest.mark.parametrize("started", [False, True])
def test_what_starts_threads_when_it_is_imported_is_not_attacked(started: bool, tmp_path: Path) -> None:
    path, name = tmp_path / f"threads_{started}.py", f"mine.threads_{started}".lower()
    path.write_text(
        "import threading\n\nimport dpframe.plugin as dp\n\nstop = threading.Event()\n"
        f"thread = threading.Thread(target=stop.wait, daemon=True)\nif {started}:\n    thread.start()\n\n\n"
        f'@dp.learner("{name}")\ndef same(values):\n    """The rows."""\n    return values\n'
    )
    (report,) = check_file(path)
    assert report.holds, str(report)
    assert [why for why in report.skipped if "threads" in why] == ([THREADS] if started else [])
    assert ("not attacked" in str(report)) == started
