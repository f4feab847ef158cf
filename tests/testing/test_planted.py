"""Plugins in one file each, as others write them: every faulty one is refuted, no correct one is, from the outside."""

from __future__ import annotations

import json
import multiprocessing
import os
import traceback
import warnings
from pathlib import Path

import pytest

from dpframe.testing import check_file, check_operation
from dpframe.testing.battery import check as command_line
from tests.testing.planted import CORRECT, FAULTY, FLOATS, written

QUICK = {
    "warm_start",
    "half_norm",
    "seeded_places",
    "twenty_rows",
    "seeds_the_global_generator",
    "product_of_values",
    "query_net_flow",
    "j_exit_hard",
}
"""What stays in the fast tier; the others take a second or more each."""
OFTEN = {
    *("sum_over_the_largest_seen", "memoised_noise", "semi_twelve_dims"),
    *("mask_cut_when_wide", "query_weighted_by_released", "contribution_between_two_released"),
    *("u_low_threshold", "u_coins_together", "n_semi_small_r"),
    *("r_row_name_of_process", "r_composite_size_of_a_file", "r_row_lowers_released"),
    *("r_learner_last_good_fit", "r_mech_flags_its_noise", "y_overflow_flag"),
    *("y_least_scale", "s_learner_huber", "g_mech_dithered"),
    *("o_query_share_f07", "o_learner_mean_f32", "o_learner_mean_h12"),
    *("j_exit_hides", "k_fds", "k_query_capped"),
    *("i_locale", "i_partial", "i_c_errstate"),
    *("e_anytime", "e_clocked", "j_c_learner_exit"),
    *("aa_post_leaves", "own_needs_twelve_columns", "q_usable_first"),
    *("q_limit_of_fractions", "m_learner_fallback", "m_query_many"),
    *("m_c_wide", "v_lag", "a_remember"),
    *("a_distance_unit", "b_textin", "b_l_hard"),
    *("b_c_luhn", "p_above", "p_v_welford"),
    *("h_far_dimensions", "h_c_root", "v_three_rows_most"),
    *("w_budget", "q_power", "q_c_power"),
    *("u_mech_significant", "corner_l2", "x_q_fahrenheit"),
    "x_c_leap",
}
"""What runs in the slow tier, one of each class; the others run in the long one."""


def cases(names: dict[str, str]) -> list[object]:
    marks = {n: [pytest.mark.slow] if n in OFTEN else [pytest.mark.slow, pytest.mark.long] for n in names}
    return [n if n in QUICK else pytest.param(n, marks=marks[n]) for n in names]


def checked(path: Path) -> list[tuple[bool, str]]:
    """Whether each of the file holds, and its report; in a process of its own, as by the command.

    Among hundreds of other plugins names meet, and all that the kit looks through for each call takes its time.
    """
    receiver, sender = multiprocessing.Pipe(duplex=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer Pythons remark on a fork of a process with threads
        child = os.fork()  # bare, so that it is the main process to whoever looks
    if child == 0:
        try:
            sender.send(_checked(path))
        except BaseException:  # noqa: BLE001  shown, and the test ends without an answer
            traceback.print_exc()
        finally:
            os._exit(0)
    sender.close()
    try:
        found: list[tuple[bool, str]] = receiver.recv()
    finally:
        os.waitpid(child, 0)
    return found


def _checked(path: Path) -> list[tuple[bool, str]]:
    return [(report.holds, str(report)) for report in check_file(path)]


@pytest.mark.parametrize("name", cases(FAULTY))
def test_a_faulty_plugin_is_refuted(name: str, tmp_path: Path) -> None:
    reports = checked(written(tmp_path, name, FAULTY[name]))
    assert not all(holds for holds, _ in reports), "\n".join(text for _, text in reports)


@pytest.mark.parametrize("name", cases(FLOATS))
def test_of_a_mask_that_adds_in_floats_a_note_tells(name: str, tmp_path: Path) -> None:
    (report,) = (r for r in check_file(written(tmp_path, name, FLOATS[name])) if r.kind == "mask")
    assert report.holds, str(report)
    assert any("its numbers tell the value" in note for note in report.notes), str(report)


@pytest.mark.parametrize("name", cases(CORRECT))
def test_a_correct_plugin_is_not(name: str, tmp_path: Path) -> None:
    reports = checked(written(tmp_path, name, CORRECT[name]))
    assert all(holds for holds, _ in reports), "\n".join(text for _, text in reports)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["practical.seed", "practical.refine", "testing.columns"])
def test_guessed_inputs_refute_nothing(name: str) -> None:
    """Composites whose further inputs the kit can only guess, and its own stand-in on one column."""
    assert check_operation(name).holds


def test_what_was_not_attacked_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(written(tmp_path, "takes_nothing_known", CORRECT["takes_nothing_known"]))
    assert command_line.main(path) == 0
    assert "not attacked: mine.takes_nothing_known, no rows were found" in capsys.readouterr().out
    assert command_line.main(path, as_json=True, strict=True) == 1
    (missed,) = json.loads(capsys.readouterr().out)["not_attacked"]
    assert missed["name"] == "mine.takes_nothing_known"


@pytest.mark.long
@pytest.mark.slow
def test_what_was_attacked_passes_strictly(tmp_path: Path) -> None:
    source = CORRECT["eight_columns"].replace(
        "mine.eight_columns", "mine.eight_columns_strictly"
    )  # a name is free once
    assert command_line.main(str(written(tmp_path, "eight_columns_strictly", source)), strict=True) == 0
