"""Names of operations, composites and learners: what is found, refused, and how a plugin file is loaded."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest

import dpframe as dp
from dpframe.errors import PlanError
from dpframe.kernel import finding, registry
from dpframe.kernel.families import registering
from dpframe.kernel.graphs import BASES
from dpframe.kernel.operations import Operation
from dpframe.kernel.own.base import Owned
from dpframe.kernel.owned import OWNED
from dpframe.kernel.proposals import Proposed
from dpframe.kernel.statistics.count import Count
from dpframe.proof.theorems import DECLARATIONS, THEOREMS, citing
from tests.declared import of_the_kernel


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test registers is forgotten after it."""
    registry.discover()
    for name in ("_operations", "_composites", "_learners"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
    monkeypatch.setattr(finding, "_found", set(finding._found))


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("gausian", {}, r"unknown operation 'gausian'.*did you mean 'gaussian'"),
        ("os.system", {}, r"unknown operation 'os.system'.*see `dpframe ops`|did you mean"),
        ("clip_ball", {"bit": 20}, r"operation 'clip_ball' has no parameter 'bit'.*did you mean 'bits'"),
        ("clip_ball", {"zzz": 20}, r"has no parameter 'zzz'.*it takes bits"),
        ("count", {"n": 1}, r"operation 'count' has no parameter 'n'.*no parameters"),
        ("ball", {"radius": 1.0}, r"operation 'ball' needs centre.*give centre"),
        ("clip_ball", {"bits": "20"}, r"bits must be a whole number"),
        ("clip_ball", {"bits": 2.0}, r"bits must be a whole number"),
        ("clip_ball", {"bits": True}, r"bits must be a whole number"),
        ("stable_histogram", {"share": 1.0, "delta_fraction": 0.1, "noise": "uniform"}, r"noise"),
        ("block_learner", {"learner": "x", "t": 3, "item": "tensor", "size": [2]}, r"item"),
        ("ball", {"centre": 3, "radius": 1.0}, r"centre must be a list of finite numbers, not 3.*give centre"),
        (
            "ball",
            {"centre": [0.0, float("nan")], "radius": 1.0},
            r"centre must be a list of finite numbers, not one with nan",
        ),
        ("bin_counts", {"edges": []}, r"edges must be finite numbers.*Fix: give one or more"),
        ("constant", {"values": [1.0], "shape": 3}, r"operation 'constant'.*check the types"),
    ],
)
def test_unknown_names_and_parameters_are_refused(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(dp.DpframeError, match=message) as caught:
        dp.build(name, parameters)
    assert caught.value.fix


@pytest.mark.usefixtures("tables")
def test_an_operation_and_a_composite_never_share_a_name() -> None:
    """A spec names either: one of them could never be reached."""
    with pytest.raises(dp.SpecError, match=r"'count' has the name of something else.*rename"):
        dp.composite("count")(lambda x: x)
    with pytest.raises(dp.SpecError, match="'locate' has the name of something else"):
        dp.register("locate")(type("Twin", (Operation,), {}))


def test_parameters_come_back() -> None:
    for name, parameters in (
        ("ball", {"centre": [0.0, 1.0], "radius": 2.0}),
        ("gaussian", {"share": 0.5, "noise_multiplier": None}),
        ("cells", {"levels": 3}),
    ):
        operation = dp.build(name, parameters)
        assert operation.parameters() == parameters
        assert dp.build(name, operation.parameters()) == operation


def test_every_name_is_its_class_and_has_a_theorem() -> None:
    for name, cls in registry.operations().items():
        if not cls.__module__.startswith("dpframe"):
            continue  # registered by another test
        assert issubclass(cls, Operation)
        assert cls.name == name
        assert cls.theorem in THEOREMS
        assert (cls.__doc__ or "").strip(), name


def test_theorems_name_operations_of_the_kernel_only() -> None:
    """A name that a theorem allows and nobody holds could be claimed by a plugin."""
    for theorem in THEOREMS.values():
        for name in of_the_kernel(citing(theorem.name)):
            assert registry.operations()[name].__module__.startswith("dpframe."), name
            assert registry.operations()[name].theorem == theorem.name


def test_declarations_cover_what_touches_private_values() -> None:
    private = {
        n for n, cls in registry.operations().items() if cls.kind != "post" and cls.__module__.startswith("dpframe.")
    }
    assert private == of_the_kernel(DECLARATIONS)
    for name in private:
        cls, declared = registry.operations()[name], DECLARATIONS[name]
        assert (cls.kind, cls.theorem, cls.slots) == (declared.kind, declared.theorem, declared.takes)


def test_an_operation_cites_a_theorem_of_its_kind() -> None:
    """The checker prices by the theorem's kind, and looks for noise and bodies by the operation's."""
    of = {
        **dict.fromkeys(("transform", "gather", "blocks"), ("stability",)),
        **dict.fromkeys(("partition", "control"), ("composition",)),
        "statistic": ("sensitivity", "query"),
        "query": ("query",),
        "mechanism": ("loss",),
    }
    for name in of_the_kernel(DECLARATIONS):
        declared = DECLARATIONS[name]
        assert THEOREMS[declared.theorem].kind in of[declared.kind], name


def test_what_is_declared_is_declared_once() -> None:
    """The files of operations add what runs; a second word on shapes, claims or inputs could differ from the first."""
    bases = {Proposed, Operation, *BASES.values()}
    for name in DECLARATIONS:
        for cls in registry.operations()[name].__mro__:
            own = {"output", "theorem_inputs", "parts", "slots", "theorem", "kind"} & set(vars(cls))
            assert cls in bases or not cls.__module__.startswith("dpframe.") or own <= {"slots", "theorem"}, cls


DECORATORS = {
    "operation": registry.register,
    "composite": registry.composite,
    "learner": registry.learner,
    "semimetric": lambda name: registering.semimetric(name, triangle=lambda r: 1.0),
    "mask": lambda name: registering.mask(name, semimetric="euclidean", cost=lambda noise, r: 1.0),
    "family": lambda name: registering.family(name, size=int, sample=int, fit=int, example=int),
}


@pytest.mark.parametrize("what", DECORATORS)
@pytest.mark.parametrize("theorem", ["free_lunch", "bounded_summ", 3])
def test_whatever_names_an_unknown_theorem_is_refused_at_registration(what: str, theorem: Any, tables: None) -> None:
    thing: Any = type("Twin", (Operation,), {"__doc__": "A twin."}) if what == "operation" else lambda *given: given
    thing.theorem = theorem
    with pytest.raises(PlanError, match=r"'test.unknown' cites the unknown theorem"):
        DECORATORS[what]("test.unknown")(thing)
    held = [registry._operations, registry._composites, registry._learners, *registry._values.values()]
    assert all("test.unknown" not in table for table in held)
    thing.theorem = "post_processing"
    if what == "composite":
        assert DECORATORS[what]("test.unknown")(thing) is thing


def test_a_declaration_that_names_an_unknown_theorem_is_refused_too(tables: None, monkeypatch: Any) -> None:
    known = attrs.evolve(DECLARATIONS["count"], name="test.unknown", theorem="free_lunch")
    monkeypatch.setitem(DECLARATIONS, "test.unknown", known)
    with pytest.raises(PlanError, match="free_lunch"):
        registry.register("test.unknown")(attrs.frozen(type("Twin", (Count,), {"__doc__": "A twin.", "theorem": ""})))


@pytest.mark.usefixtures("tables")
def test_a_name_is_registered_once() -> None:
    with pytest.raises(
        dp.SpecError, match=r"operation 'count' is registered twice: in dpframe.kernel.statistics.count and"
    ):

        @dp.register("count")
        class Other(Operation):
            """Another count."""

    dp.learner("test_registry.learner")(sum)
    with pytest.raises(dp.SpecError, match=r"learner 'test_registry.learner' is registered twice"):
        dp.learner("test_registry.learner")(max)


@pytest.mark.parametrize("decorator", ['learner("twice.one")', 'row_function("twice.one", columns=lambda d: d)'])
@pytest.mark.usefixtures("tables")
def test_one_function_defined_twice_in_a_file_is_refused(decorator: str, tmp_path: Path) -> None:
    """The second would take the first one's place without a word; of a file that is mended after an error it may."""
    one = f"@dp.{decorator}\ndef one(rows):\n    return rows\n\n\n"
    path, head = tmp_path / "twice.py", "import dpframe.plugin as dp\n\n\n"
    path.write_text(head + one + one)
    with pytest.raises(dp.SpecError, match=r"'twice.one' is registered twice in twice.py \(one\), lines 4 and 9"):
        registry.import_file(path)
    path.write_text(head + "\n" + one)
    registry.import_file(path)


PLUGIN = """
import dpframe as dp
from dpframe.kernel.post_processing import Post
import attrs
from typing import ClassVar
from dpframe.proof.spaces import Record

@dp.register("mine.note")
@attrs.frozen
class Note(Post):
    "A note."
    def output(self, *inputs):
        return Record("note")

@dp.composite("mine.count")
def count(x, *, share):
    return dp.release("count", dp.laplace(share=share), dp.count(x))
"""


@pytest.mark.usefixtures("tables")
def test_one_file_plugins_are_found_in_an_explicit_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PLUGIN)
    assert "mine.note" not in registry.operations()
    registry.discover([tmp_path])
    registry.discover([tmp_path])  # once is enough
    assert "mine.note" in registry.operations()
    assert registry.find_composite("mine.count")
    plan = dp.plan(
        dp.program(lambda x: dp.release("n", dp.recipe("mine.count", share=1.0), x)),
        x=dp.rows(d=1, n=10),
        adjacency=dp.REPLACE_ONE,
        budget=dp.pure_dp(epsilon=1.0),
    )
    assert plan.loss.epsilon <= 1.0


ENTRY_POINT = """
import dpframe.plugin as dp
{declares}
@dp.composite("pointed.count")
def count(x, *, share):
    return dp.release("count", dp.laplace(share=share), dp.count(x))
"""


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(
    ("declares", "names", "refused"),
    [
        ("", "", None),
        ("", ":count", None),
        ("DPFRAME_API = 1", "", None),
        ("DPFRAME_API = 1", ":count", None),
        ("DPFRAME_API = 2", "", "2"),
        ("DPFRAME_API = 2", ":count", "2"),
        ("DPFRAME_API = '1'", "", "'1'"),
        ("DPFRAME_API = True", "", "True"),
        ("DPFRAME_API = None", "", "None"),
    ],
)
def test_entry_points_say_what_they_were_written_for(
    declares: str, names: str, refused: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pointed_plugin.py").write_text(ENTRY_POINT.format(declares=declares))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pointed_plugin", raising=False)
    point = importlib.metadata.EntryPoint("pointed", f"pointed_plugin{names}", finding.ENTRY_POINT_GROUP)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [point])
    finding._found.discard("entry points")
    if refused is None:
        registry.discover()
        assert registry.find_composite("pointed.count")
        return
    for _ in range(2):  # asking again does not pass it by
        with pytest.raises(dp.SpecError, match=rf"plugin 'pointed' of pointed_plugin.* DPFRAME_API = {refused};"):
            registry.discover()


@pytest.mark.usefixtures("tables")
def test_plugins_that_do_not_import(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import no_such_module_at_all")
    with pytest.raises(dp.SpecError, match=r"broken.py.*can't be imported: ModuleNotFoundError"):
        registry.discover([tmp_path])
    with pytest.raises(dp.SpecError, match="no plugin folder"):
        registry.discover([tmp_path / "missing"])
    with pytest.raises(dp.SpecError, match="is not a Python file"):
        registry.import_file(tmp_path / "note.txt")


MUTE = "class Mute(Exception):\n    def __str__(self): return 1 / 0\n    __repr__ = __str__\n"


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import sys\nsys.exit(3)", r"mine.py', line 2 can't be imported: it ended Python with 3"),
        ("raise GeneratorExit", r"mine.py', line 1 can't be imported: GeneratorExit"),
        ("class E(BaseException): ...\nraise E('no')", r"mine.py', line 2 can't be imported: E: no"),
        (f"{MUTE}raise Mute", r"mine.py', line 4 can't be imported: Mute"),
        (f"{MUTE}raise SystemExit(Mute())", r"mine.py', line 4 can't be imported: SystemExit"),
        ("DPFRAME_API = 2", r"mine.py' is written for DPFRAME_API = 2; this dpframe has 1"),
        ("DPFRAME_API = True", r"mine.py' is written for DPFRAME_API = True; this dpframe has 1"),
        (
            "import dpframe.plugin as dp\n\n@dp.register('mine.none')\nclass None_: ...",
            r"line 3: 'mine.none' is registered for what is no class of an operation",
        ),
        ("import dpframe.plugin as dp\ndp.register('mine.three')(3)", r"line 2: 'mine.three' is registered for what"),
        ("import dpframe.plugin as dp\n\n@dp.composite\ndef f(x): ...", r"line 3: a composite .* not a function"),
        ("import dpframe.plugin as dp\n\n@dp.learner\ndef f(x): ...", r"line 3: a learner .* not a function"),
        ("import dpframe.plugin as dp\ndp.composite('')(lambda x: x)", r"line 2: a composite .* not ''"),
        ("import dpframe.plugin as dp\ndp.row_function('a\\nb', columns=1)(lambda x: x)", r"line 2: a row function"),
        ("import dpframe.plugin as dp\ndp.row_function('mine.two', columns=1)(3)", r"line 2: .* can't be called"),
    ],
)
def test_a_plugin_that_can_not_be_loaded_is_told_by_file_and_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(dp.SpecError, match=message):
        registry.import_file(tmp_path / "mine.py")


def test_learners_and_row_functions_are_looked_up_by_name() -> None:
    with pytest.raises(dp.SpecError, match="unknown learner"):
        registry.find_learner("/tmp/learner.py")


def test_the_text_of_the_decorators_tells_the_modules() -> None:
    """Every module that registers something is found by the text, but for names that are made in a loop."""
    registry.discover()
    things = {**registry._operations, **registry._composites, **{n: f for n, (_, f) in registry.others().items()}}
    things |= {n: own.function for n, own in OWNED.items()}
    homes = {
        n: t.__module__ for n, t in things.items() if t.__module__.startswith((*finding.KERNEL, "dpframe_plugins"))
    }
    missed = {n for n, module in homes.items() if registry.owners().get(n) != (module,)}
    looped = ("dpframe_plugins.learners.", "dpframe_plugins.kssu19.blocks", "dpframe_plugins.families.correlated")
    assert all(homes[n].startswith(looped) for n in missed), missed
    assert set(registry.owners()) <= set(things)


FRESH = """
import sys
import dpframe as dp
plan = dp.plan(
    dp.program(lambda x: dp.release("n", dp.recipe("quantile", share=1.0, q=0.5, candidates=(0.0, 1.0)), x)),
    x=dp.rows(d=1, n=1000), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.1),
)
loaded = {name.split(".")[1] for name in sys.modules if name.startswith("dpframe_plugins.")}
assert "classic" in loaded and not loaded & {"aal21", "arbas23", "practical", "learners"}, loaded
assert not {"networkx", "scipy.special"} & set(sys.modules)
try:
    dp.recipe("arbas23.populus")
except dp.SpecError as error:
    assert "arbas23.populous" in str(error), error
else:
    raise SystemExit("no error")
try:
    @dp.composite("aal21.paper")
    def twin(x, *, share):
        return x
except dp.SpecError as error:
    assert "registered twice" in str(error), error
else:
    raise SystemExit("the name was taken over")
"""


def test_a_plugin_is_imported_when_it_is_named() -> None:
    """In a fresh process: nothing but what the recipe needs; names that are not imported are suggested, and kept."""
    done = subprocess.run([sys.executable, "-c", FRESH], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_kernel_operation_has_an_example() -> None:
    """In the docstring of its class or of its verb; what stands for a plugin's own has one in docs/extending.md."""
    registry.discover()
    operations = {
        name: cls for name, cls in registry.operations().items() if cls.__module__.startswith("dpframe.kernel.")
    }
    without = [
        name
        for name, cls in operations.items()
        if not issubclass(cls, Owned) and not any(">>>" in (t.__doc__ or "") for t in (cls, getattr(dp, name, None)))
    ]
    assert len(operations) > 60
    assert without == []
