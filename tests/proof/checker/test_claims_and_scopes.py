"""What is listed at other metrics, twice, or deeper in a graph than the first level is read as it must be."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import pytest

from dpframe.errors import CertificateError
from dpframe.proof.checker.edges import Typed
from dpframe.proof.checker.pricing import Place, Pricing, _listed_loss
from dpframe.proof.checker.reading import Priced
from dpframe.proof.checker.totals import check_scopes
from dpframe.proof.losses import Loss, Pure
from dpframe.proof.spaces import ADJACENCIES, L1, LInf

NEAR, FAR = (L1(1.0),), (L1(5.0),)


def test_a_claim_holds_where_all_private_inputs_are_as_listed() -> None:
    """A query of two values, listed for two near ones: with one of them far it may move by anything."""
    step: Any = SimpleNamespace(claims=((((L1(1.0),), (L1(1.0),)), (LInf(1.0),)),))
    assert Pricing()._claimed(("n",), step, (NEAR, NEAR)) == (LInf(1.0),)
    for inputs in ((NEAR, FAR), (FAR, NEAR), (FAR, FAR), (NEAR,), (NEAR, NEAR, NEAR)):
        with pytest.raises(CertificateError, match="nothing is claimed"):
            Pricing()._claimed(("n",), step, inputs)


@pytest.mark.parametrize("losses", [(1.0, 2.0, 1.0), (2.0, 1.0, 1.0), (1.0, 1.0, 2.0)])
def test_of_losses_claimed_at_one_place_the_worst_is_taken(losses: tuple[float, ...]) -> None:
    first, second, worst = (Loss.of(Pure(loss)).to_json() for loss in losses)
    priced = Priced({"scale": 1.0}, ((NEAR, first), (NEAR, second)), (NEAR, worst))
    assert _listed_loss(priced, NEAR).epsilon == 2.0


@pytest.mark.parametrize("inner", ["zcdp", "pure", None])
def test_a_loop_in_a_loop_shares_the_same_view(inner: str | None) -> None:
    """A total of μ² that is shared out is no total of ρ: what an inner loop may spend is in the outer one's terms."""
    pricing: Any = Pricing()
    typed = SimpleNamespace(bodies={})
    step = SimpleNamespace(name="loop", theorem="for_each", parameters={"view": inner}, inputs=())
    with pytest.raises(CertificateError, match="different views"):
        pricing._control(typed, Place((), "gdp"), step, {})
    step.parameters["view"] = "gdp"
    with pytest.raises(KeyError):  # it is priced: this one has no body
        pricing._control(typed, Place((), "gdp"), step, {})


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_a_scope_is_asked_for_however_deep_a_theorem_is_cited(depth: int) -> None:
    """Masks stand in branches: a theorem's scope that is asked for on the first level alone is never asked for."""
    path: tuple[str, ...] = ()
    graphs = []
    for level in range(depth + 1):
        inner = level == depth
        step = SimpleNamespace(
            name="b", theorem="mixture_mask" if inner else "branch", bodies=() if inner else (("then", None),)
        )
        net: Any = SimpleNamespace(steps=(step,))
        graphs.append(Typed(net, ADJACENCIES["replace_one"], path))
        path = (*path, "b", "then")
    for outer, deeper in itertools.pairwise(graphs):
        outer.bodies["b", "then"] = deeper
    check_scopes(SimpleNamespace(total={"epsilon": 150.0, "delta": 1e-6}), graphs[0])  # type: ignore[arg-type]
    with pytest.raises(CertificateError, match="at most 150"):
        check_scopes(SimpleNamespace(total={"epsilon": 151.0, "delta": 1e-6}), graphs[0])  # type: ignore[arg-type]
