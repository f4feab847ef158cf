"""What is left out of a certificate, said of a node that it is not true of, or put where it is not proved."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import dpframe as dp
from dpframe.errors import DpframeError, PlanError
from dpframe.planning.certificate import certificate
from dpframe.proof.checker import verify
from dpframe.proof.checker.edges import same
from dpframe.proof.spaces import Vector, unit_level
from dpframe.proof.theorems import THEOREMS
from dpframe.proof.theorems.declaring import PUBLIC, constant_hypotheses
from dpframe.proof.theorems.shaping.base import domain_in
from dpframe.proof.theorems.shaping.expressions import formula_of
from tests.proof.checker.forging import node, rejected, release, steps

Document = dict[str, Any]
WITH_HYPOTHESES = ["asserted row map", "branch with given", "operations of one's own", "lift"]
OF_CONSTANTS = "public, not computed"


@pytest.mark.parametrize("case", WITH_HYPOTHESES)
def test_a_hypothesis_left_out_of_node_and_list_is_missed(case: str) -> None:
    """What a node says it assumes is what its theorem assumes, not what the list at the end repeats."""
    entries = [e for e in release(case)[0]["hypotheses"] if not e["hypothesis"].startswith(OF_CONSTANTS)]
    assert entries
    for entry in entries:
        document = copy.deepcopy(release(case)[0])
        document["hypotheses"].remove(entry)
        node(document, entry["node"].rpartition("/")[2])["hypotheses"].remove(entry["hypothesis"])
        rejected(verify(document), "hypotheses are not those of theorem")


@pytest.mark.parametrize("case", WITH_HYPOTHESES)
def test_what_is_asserted_or_enforced_is_not_called_proved(case: str) -> None:
    named = [step["name"] for step in steps(release(case)[0]) if "level" in step]
    assert named
    for name in named:
        document = copy.deepcopy(release(case)[0])
        del node(document, name)["level"]
        rejected(verify(document), "its level is given as proved")


@pytest.mark.parametrize("name", ["clip_1", "mean_1", "mean"])
def test_claims_are_listed_of_what_is_claimed_alone(name: str) -> None:
    document = copy.deepcopy(release("simple mean")[0])
    node(document, name)["claims"] = []
    rejected(verify(document), "claims are listed")


def test_claims_are_not_left_out() -> None:
    document = copy.deepcopy(release("operations of one's own")[0])
    del node(document, "every.total_1")["claims"]
    rejected(verify(document), "claims are listed")


SPELLINGS = ['{"gives":[0],"steps":[["\\u006eumber",2.5]]}', '{"gives":[0],"steps":[["n\\u0075mber",2.5]]}']


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_constant_is_listed_however_a_formula_spells_it(text: str) -> None:
    """A number that was read off the table would be called a constant by nobody."""
    assert formula_of(text).steps == (("number", 2.5),)
    document = copy.deepcopy(release("row expressions")[0])
    (step,) = (each for each in steps(document) if each["operation"] == "express_sum")
    step["parameters"]["formula"] = step["theorem_inputs"]["formula"] = text
    rejected(verify(document), "the hypotheses listed are not those")
    (entry,) = (entry for entry in document["hypotheses"] if entry["node"] == step["name"])
    entry["hypothesis"] += ", formula"
    assert verify(document).verified


@pytest.mark.parametrize(
    ("settings", "held"),
    [
        ('{"x": 0.5}', True),
        ('{"x": 1e-07}', True),
        ('{"x": 5E-1}', True),
        ('{"x": [1]}', True),
        ('{"x": {"y": 1}}', True),
        ('{"x": 5, "name": "e1"}', False),
        ("{}", False),
    ],
)
def test_a_constant_of_a_plugin_is_listed_however_it_is_written(settings: str, held: bool) -> None:
    listed = (f"{PUBLIC}: settings",) if held else ()
    assert constant_hypotheses("statistic", {"of": "a", "settings": settings}, 1) == listed


@pytest.mark.parametrize("text", ['{"type":"vector","d":9,"d":1}', '{"type":"vector","d":NaN}', "[" * 200, "", None, 1])
def test_what_a_parameter_says_in_json_is_read_as_a_certificate_is(text: Any) -> None:
    """Of a key that stands twice one reader takes the first and another the last."""
    with pytest.raises(DpframeError):
        domain_in(text, Vector)
    with pytest.raises(PlanError, match="takes a formula"):
        formula_of('{"gives":[0],"steps":[["column",0]],"steps":[["column",1]]}')
    with pytest.raises(PlanError) as caught:
        formula_of("lambda row: [row[0] * 3.0]")
    assert "in a spec steps (docs/specs.md, Row formulas)" in str(caught.value.fix)


@pytest.mark.parametrize("n", [299, 301, 1])
def test_units_are_whole(n: int) -> None:
    """Of a unit that is cut in two, one part would be counted as all of it."""
    plan = dp.plan(
        lambda x: dp.release("n", dp.gaussian(share=1.0), dp.transform("count", x)),
        x=dp.rows(n=300, d=2),
        adjacency=unit_level("replace_one", unit="patient", rows=3),
        budget=dp.approx_dp(epsilon=1.0, delta=1e-6),
    )
    made = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    document = copy.deepcopy(dict(made))
    document["graph"]["inputs"][0]["n"] = n
    rejected(verify(document), "no whole number of units")


def test_blocks_of_a_part_of_a_division_are_refused() -> None:
    """A part has no index of the table's: a row that comes or goes would shift all blocks of those after it."""
    document = copy.deepcopy(release("recurse")[0])
    learner = copy.deepcopy(node(release("branch with given")[0], "block_learner_1"))
    learner["inputs"] = [["rows"]]
    node(document, "tree")["bodies"]["body"]["nodes"].insert(0, learner)
    rejected(verify(document), "rows of the table with their index")


def test_categories_of_a_category_are_refused() -> None:
    """What they cost is proved for a table that is the run's own, not for one that stands for a category of it."""
    document = copy.deepcopy(release("categories")[0])
    outer = node(document, "each")
    inner = copy.deepcopy(outer)
    inner["name"], inner["inputs"] = "again", [["rows"], ["start"]]
    outer["bodies"]["body"]["inputs"][0]["domain"]["d"] = 2
    document["graph"]["inputs"][0]["domain"]["d"] = 3
    outer["bodies"]["body"]["nodes"].insert(0, inner)
    rejected(verify(document), "the table's own rows, and is given others")


def test_losses_are_listed_of_mechanisms_alone() -> None:
    document = copy.deepcopy(release("simple mean")[0])
    node(document, "clip_1")["mechanism"] = node(document, "mean")["mechanism"]
    rejected(verify(document), "has losses, and is no mechanism")


@pytest.mark.parametrize("name", ["distinct", "rows"])
@pytest.mark.parametrize("scale", [0.0, 0, 7])
def test_noise_of_a_plugin_is_a_positive_float(name: str, scale: float) -> None:
    """Its loss is the plugin's word, so no theorem divides by the scale and finds that there is no noise."""
    document = copy.deepcopy(release("operations of one's own")[0])
    node(document, name)["mechanism"]["calibration"]["scale"] = scale
    verdict = verify(document)
    assert verdict.verified if scale == 7 else not verdict.verified
    if not verdict.verified:
        rejected(verdict, "'scale' is not positive and finite")


@pytest.mark.parametrize(("a", "b"), [(True, 1), (1, True), (False, 0), ([True], [1]), ({"a": 0}, {"a": False})])
def test_what_is_told_is_no_number_where_it_is_a_flag(a: Any, b: Any) -> None:
    """Rules ask whether a flag is True; a parameter 1 beside it would say something else to the operation."""
    assert not same(a, b)
    assert same(a, copy.deepcopy(a))


def test_children_by_a_secret_draw_are_refused() -> None:
    """What a division costs is proved for a rule: labels that are drawn are proved for what is never published."""
    document = copy.deepcopy(release("recurse")[0])
    words = {"operation": "secret_split", "theorem": "secret_labels", "parameters": {"count": 2}, "inputs": [["rows"]]}
    words |= {"hypotheses": list(THEOREMS["secret_labels"].hypotheses), "level": "enforced"}
    node(document, "children").update(words)
    rejected(verify(document), "two-part partition by rule named 'children'")


def test_labels_drawn_in_secret_are_proved_for_single_rows() -> None:
    document = copy.deepcopy(release("secret pairs and labels")[0])
    document["adjacency"] = {"type": "edits", "removed": 2, "added": 0}
    document["total"]["adjacency"] = "edits(2,0)"
    rejected(verify(document), "a secret partition is proved for single-row edits only")


def test_a_claim_at_metrics_that_are_not_met_is_none() -> None:
    """What a certificate lists of a plugin's word is what the run rests on, and no more."""
    document = copy.deepcopy(release("operations of one's own")[0])
    claims = node(document, "every.total_1")["claims"]
    spare = copy.deepcopy(claims[0])
    for metrics in spare["inputs"]:
        for metric in metrics:
            metric["bound"] *= 2
    claims.append(spare)
    rejected(verify(document), "claims are listed at metrics that it can't meet")


def test_a_loss_at_metrics_that_are_met_once_is_listed_once() -> None:
    document = copy.deepcopy(release("simple mean")[0])
    met = node(document, "mean")["mechanism"]["met"]
    met.append(copy.deepcopy(met[0]))
    rejected(verify(document), "metrics: declared")
