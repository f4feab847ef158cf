"""What a certificate rests on is named by digests: every way in which a plugin's code may be another shows."""

from __future__ import annotations

import functools
import importlib.util
import json
import py_compile
import site
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import dpframe as dp
from dpframe.cli.vetting import recomputed, vet
from dpframe.errors import CertificateError, PlanError, SpecError
from dpframe.kernel import origins, registry
from dpframe.kernel.origins import ORIGINS, changed, digest_of
from dpframe.planning.certificate import certificate
from dpframe.planning.records import RECORDS
from dpframe.proof.checker import verify
from dpframe.runtime.gate import admit

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)
PLUGIN = '''
"""A plugin."""
import sys
import numpy as np
import dpframe.plugin as dp
from . import helper
sys.path.insert(0, {beside!r})
import {far}
sys.path.pop(0)

@dp.semimetric("{name}.line", triangle=lambda r: {triangle}, averages=lambda r, tau: 2 * tau * r)
def line(a, b):
    """ℓ₂ distance, rounded up."""
    return float(np.linalg.norm(a - b)) * (1 + 1e-9)

@dp.mask("{name}.mask", semimetric="{name}.line", cost=lambda noise, r: {cost} * (r / noise) ** 2)
def mask(value, noise, normals):
    """A Gaussian each."""
    return value + noise * normals(len(value))

@dp.learner("{name}.mean")
def mean(rows, generator):
    """Of a block."""
    return (rows.mean(axis=0) + helper.SHIFT,)

@dp.own_transform("{name}.twice", columns=1)
def twice(rows):
    """Twice the first column."""
    return 2 * rows[:, :1]

@dp.learner("{name}.logs")
def logs(rows):
    """Of a row."""
    return rows[:, :1]
'''


def written(tmp_path: Path, name: str, triangle: str = "1.0", cost: str = "0.51") -> Path:
    """A plugin of a package with a sibling, and a module that stands elsewhere."""
    folder, beside = tmp_path / "plugins" / name, tmp_path / "beside"
    folder.mkdir(parents=True)
    beside.mkdir()
    (beside / f"far_{name}.py").write_text("import math\n")
    (folder / "helper.py").write_text("SHIFT = 0.0\n")
    text = PLUGIN.format(name=name, beside=str(beside), far=f"far_{name}", triangle=triangle, cost=cost)
    (folder / "__init__.py").write_text(text)
    registry.import_folders([tmp_path / "plugins"])
    return folder


def planned(name: str, n: int = 3000) -> Any:
    return dp.plan(
        lambda x: anywhere(x, name), x=dp.rows(n=n, d=1), adjacency=dp.REPLACE_ONE, budget=BUDGET, allow_asserted=True
    )


def anywhere(x: Any, name: str) -> Any:
    made = {"learner": f"{name}.mean", "semimetric": f"{name}.line", "mask": f"{name}.mask", "size": 1, "r": 1.0}
    return dp.release("value", dp.recipe("arbas23.anywhere", **made, t=300), x)


def walked(graph: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for node in graph["nodes"]:
        yield node
        for body in node.get("bodies", {}).values():
            yield from walked(body)


def proof(plan: Any) -> dict[str, Any]:
    return dict(certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released"))


def test_every_kind_has_the_digest_of_its_folders(tmp_path: Path) -> None:
    folder = written(tmp_path, "origins_all")
    origins = [ORIGINS[kind, f"origins_all.{name}"] for kind, name in KINDS]
    assert len({origin.digest for origin in origins}) == 1
    assert origins[0].folders == (folder, tmp_path / "beside")
    assert origins[0].digest == digest_of(folder, tmp_path / "beside")
    assert ORIGINS["semimetric", "euclidean"].folders == ()
    assert len(ORIGINS["semimetric", "euclidean"].digest) == 64


KINDS = [("semimetric", "line"), ("mask", "mask"), ("learner", "mean"), ("learner", "logs")]
EDITS: dict[str, Callable[[Path, Path], object]] = {
    "its own file": lambda folder, beside: (folder / "__init__.py").write_text(""),
    "an imported sibling": lambda folder, beside: (folder / "helper.py").write_text("SHIFT = 1.0\n"),
    "a data file": lambda folder, beside: (folder / "table.csv").write_text("1"),
    "a module imported from elsewhere": lambda folder, beside: next(beside.glob("*.py")).write_text("import cmath\n"),
    "bytecode without a source": lambda folder, beside: (folder / "more.pyc").write_bytes(b"x"),
    "a module among what is cached": lambda folder, beside: (
        (folder / "__pycache__").mkdir(exist_ok=True) or (folder / "__pycache__" / "more.py").write_text("")
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_changed_file_is_another_digest(edit: str, tmp_path: Path) -> None:
    name = f"origins_{list(EDITS).index(edit)}"
    folder = written(tmp_path, name)
    origin = ORIGINS["semimetric", f"{name}.line"]
    assert not changed(origin)
    EDITS[edit](folder, tmp_path / "beside")
    assert changed(origin)


@pytest.mark.parametrize("name", ["notes.txt", "more.py", "data/more.py"])
def test_a_file_that_moves_is_another_digest(name: str, tmp_path: Path) -> None:
    """By its name alone a module of one package is the same in another: what is imported is not."""
    digests = []
    for place in ("first", "second"):
        folder = tmp_path / place
        for inner in ("a", "b"):
            (folder / inner / "data").mkdir(parents=True)
        (folder / ("a" if place == "first" else "b") / name).write_text("1")
        digests.append(digest_of(folder))
    assert len(set(digests)) == 2


@pytest.mark.parametrize("held", ["argument", "keyword", "inside another"])
def test_what_a_partial_function_holds_is_covered(held: str, tmp_path: Path) -> None:
    """A function that a plugin hands on with another one filled in runs that one too, wherever it stands."""
    for name in ("own", "far"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.py").write_text("def function(*values, **named):\n    return 0\n")
    own, far = (loaded(tmp_path / name / "code.py", f"partial_{name}") for name in ("own", "far"))
    made: Any = functools.partial(own, far) if held == "argument" else functools.partial(own, inner=far)
    if held == "inside another":
        made = functools.partial(own, inner=functools.partial(own, deep=far))
    assert str(tmp_path / "far" / "code.py") in set(origins._files(made))


def loaded(path: Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.function


@pytest.mark.parametrize("used", [True, False])
def test_the_users_own_packages_are_installed_where_python_looks_for_them(
    used: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``pip install --user`` is no plugin's code; a folder that Python does not look into is none of its own."""
    monkeypatch.setattr(site, "ENABLE_USER_SITE", used)
    monkeypatch.setattr(site, "getusersitepackages", lambda: str(tmp_path))
    caches = (origins._places, origins._installed)
    for cache in caches:
        cache.cache_clear()
    try:
        assert origins._installed(str(tmp_path / "package" / "module.py")) is used
    finally:
        for cache in caches:
            cache.cache_clear()


def test_a_linked_plugin_file_has_the_folder_it_is_imported_in(tmp_path: Path) -> None:
    """What stands beside the link is what Python imports beside it."""
    real, folder = tmp_path / "real", tmp_path / "plugins" / "linked"
    real.mkdir()
    folder.mkdir(parents=True)
    text = "import dpframe.plugin as dp\nfrom . import helper\n"
    text += (
        "@dp.learner('origins_linked.mean')\ndef mean(rows, generator):\n    'A block.'\n    return (helper.SHIFT,)\n"
    )
    (real / "init.py").write_text(text)
    (folder / "__init__.py").symlink_to(real / "init.py")
    (folder / "helper.py").write_text("SHIFT = 0.0\n")
    registry.import_folders([tmp_path / "plugins"])
    origin = ORIGINS["learner", "origins_linked.mean"]
    assert origin.folders == (folder,)
    (folder / "helper.py").write_text("SHIFT = 2.0\n")
    assert changed(origin)


def test_plugins_run_from_their_sources(tmp_path: Path) -> None:
    """Bytecode that is never compared with its source is not what runs, of siblings neither."""
    folder = tmp_path / "plugins" / "cached"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from .helper import SHIFT\n")
    (folder / "helper.py").write_text("SHIFT = 'compiled'\n")
    kept = importlib.util.cache_from_source(str(folder / "helper.py"))
    py_compile.compile(
        str(folder / "helper.py"), cfile=kept, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    (folder / "helper.py").write_text("SHIFT = 'source'\n")
    registry.import_folders([tmp_path / "plugins"])
    (module,) = [m for m in list(sys.modules.values()) if getattr(m, "__file__", "") == str(folder / "__init__.py")]
    assert module.SHIFT == "source"


def test_a_name_of_two_plugins_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "first", "origins_twice")
    with pytest.raises(SpecError, match="registered twice"):
        written(tmp_path / "second", "origins_twice")


# --------------------------------------------------------------------------------- in a certificate


def test_a_certificate_names_the_plugins_of_its_nodes(tmp_path: Path) -> None:
    written(tmp_path, "origins_proof")
    made = proof(planned("origins_proof"))
    digest = ORIGINS["semimetric", "origins_proof.line"].digest
    nodes = [node for node in walked(made["graph"]) if "plugins" in node]
    assert {key for node in nodes for key in node["plugins"]} == {"learner", "semimetric", "mask"}
    assert {value for node in nodes for value in node["plugins"].values()} == {digest}
    assert verify(made).verified
    for node in nodes:
        kept = node["plugins"]
        for wrong in ({}, {**kept, "more": digest}, dict.fromkeys(kept)):
            node["plugins"] = wrong
            assert verify(made).verified == (node["kind"] == "blocks" and None in wrong.values())
        node["plugins"] = kept


def test_the_gate_refuses_a_plugin_of_another_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = written(tmp_path, "origins_gate")
    plan = planned("origins_gate")
    (folder / "helper.py").write_text("SHIFT = 1.0\n")
    with pytest.raises(SpecError, match="changed since it was loaded"):
        vet(admit(plan, simulated=False))
    content = plan.document(simulated=False).replace(ORIGINS["mask", "origins_gate.mask"].digest.encode(), b"0" * 64)
    monkeypatch.setattr(type(plan), "document", lambda *_, **__: content)
    with pytest.raises(CertificateError, match="another digest"):
        admit(plan, simulated=False)


def test_verify_recomputes_what_a_plugin_says(tmp_path: Path) -> None:
    written(tmp_path, "origins_again")
    made, folder = proof(planned("origins_again")), [str(tmp_path / "plugins")]
    reasons, notes = recomputed(made, folder)
    assert not reasons
    assert sum("recomputed by what its plugin says" in note for note in notes) == 3
    assert sum("taken at its word" in note for note in recomputed(made, [])[1]) == 3
    mask = ORIGINS["mask", "origins_again.mask"].digest
    other = json.loads(json.dumps(made).replace(mask, "0" * 64))
    assert sum("folder holds other files, of another digest, is loaded" in n for n in recomputed(other, folder)[1]) == 3
    (node,) = [n for n in walked(made["graph"]) if n["operation"] == "registered_mask"]
    node["mechanism"]["calibration"]["noise"] /= 8
    assert verify(made).verified, "the cost is the plugin's word"
    assert "costs more" in recomputed(made, folder)[0][0]


@pytest.mark.slow  # the attacks take some seconds
@pytest.mark.parametrize("broken", [{}, {"cost": "0.01"}])
def test_a_run_attacks_what_it_rests_on(
    broken: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(RECORDS, str(tmp_path / "records"))
    name = f"origins_run_{len(broken)}_{'cost' in broken}"
    written(tmp_path, name, **broken)
    admitted = admit(planned(name), simulated=False)
    if "cost" in broken:
        with pytest.raises(SpecError, match="refuted in loss"):
            vet(admitted)
        return
    vet(admitted)
    assert len(list((tmp_path / "records").iterdir())) == 3
    vet(admitted)


def test_what_is_asserted_in_no_file_is_refused() -> None:
    space: dict[str, Any] = {"dp": __import__("dpframe.plugin").plugin, "__name__": "nowhere"}
    exec("def f(a, b):\n    return 0.0\ndp.semimetric('origins.nowhere', triangle=lambda r: 1.0)(f)", space)

    def tested(x: Any) -> Any:
        blocks = dp.block_learner(x, learner="spectral_2", t=5, item="vector", size=(1,))
        return {
            "v": dp.release("v", dp.laplace(share=1.0), dp.registered_agreement(blocks, semimetric=NOWHERE, r=1.0, d=1))
        }

    plan = dp.plan(tested, x=dp.rows(n=100, d=1), adjacency=dp.REPLACE_ONE, budget=dp.pure_dp(1.0), allow_asserted=True)
    with pytest.raises((PlanError, CertificateError), match="stands in a file"):
        plan.run(x=[[0.0]] * 100, simulate=1)


NOWHERE = "origins.nowhere"
