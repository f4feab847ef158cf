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
    *("sum_over_the_largest_seen", "sum_where_wide", "image_by_appearance", "part_balanced", "count_that_jumps"),
    *("query_that_counts", "memoised_noise", "second_largest_bare", "clipped_noise", "rows_by_value"),
    *("mask_bare_at_zero", "mask_float_grid", "semi_twelve_dims", "row_sentinel_mean", "row_any_subnormal"),
    *("c_mask_negative", "c_semi_many", "c_row_sentinel"),
    *(
        "mask_redrawn_beyond_four",
        "mask_cut_when_wide",
        "mask_of_two_numbers",
        "row_order_by_id",
        "noise_average_of_two",
        "query_single_precision",
    ),
    "t_query_half",
    *("row_downcast", "first_above_quiet_bar", "classical_gaussian", "rare_debug_answer", "query_weighted_by_released"),
    *("statistic_times_released", "contribution_between_two_released", "d_answer_rows_at_random"),
    *("d_randomised_response", "d_query_difference", "d_statistic_cut_at_released"),
    *("u_low_threshold", "u_scaled_scores", "u_two_coins_sum", "u_wide_product", "u_half_when_wide"),
    *("u_coins_together", "w_coins_product", "w_coins_apart", "x_answer_by_order"),
    *("n_post_reads_what_rows_left", "n_mech_threshold_search", "n_mech_round_before", "n_semi_small_r"),
    *("n_row_first_of_equals", "n_mech_threshold_search_3", "n_mech_draws_unused", "n_mask_reversed"),
    *("r_row_sparse_path", "r_row_time_zone", "r_row_fills_a_released_zero", "r_row_name_of_process"),
    *("r_row_memo_of_signed_zeros", "r_family_held_by_overflow", "r_composite_size_of_a_file"),
    *("r_statistic_clusters", "r_row_debug_variable", "r_row_file_beside", "r_row_lowers_released"),
    *("r_row_refunded", "r_post_reads_size_of_memo", "r_learner_last_good_fit", "r_semi_time_warping"),
    *("r_mask_grid_before", "r_mech_flags_its_noise", "r_mech_tree_a_level_short", "r_mech_median_of_rows"),
    *("y_median_utility", "y_density_max", "y_overflow_flag"),
    *(
        "y_triangles",
        "y_sixty_four",
        "y_least_scale",
        "z_circle",
        "z_median_choice",
        "z_wide_or_narrow",
    ),
    *("s_row_memo_with_sign", "s_row_utc", "s_mech_median_of_rows", "s_statistic_singles", "s_learner_huber"),
    *("g_row_shares_of_row", "g_mech_dithered", "g_mask_keeps_sign", "h_row_pure_cache", "h_learner_shared_buffer"),
    *("o_query_share_f07", "o_query_total_f09", "o_transform_filled_f26", "o_contribution_near_f28"),
    *("o_learner_mean_f32", "o_mask_wrapped_g1", "o_post_function_isotonic_c14", "o_statistic_trimmed_c01"),
    *("o_transform_filled_h05", "o_learner_mean_h12", "o_mechanism_count_h13", "o_query_total_h14"),
    *("j_says", "j_exit_hides", "j_at_exit", "j_mkdir", "j_log_handler", "j_coarse8", "j_shared_bar"),
    *("k_int16", "k_raise_many", "k_bound_param", "k_frames", "k_detects_kit", "k_fds", "k_edits_capped"),
    *(
        "k_query_capped",
        "k_theta_memo",
        "k_gauss_dim",
        "k_wide_norm",
        "k_memo",
        "k_family_gamma",
        "k_less_noise_charged",
    ),
    *("i_later", "i_locale", "i_float16", "i_strictorder", "i_threadfile", "i_finalize", "i_fork", "i_opened"),
    *("i_native", "i_ctypes", "i_frames", "i_stack", "i_partial"),
    *("i_c_watchdog", "i_c_keptpool", "i_c_config", "i_c_fork", "i_c_errstate", "i_c_hindex"),
    *("e_tick", "e_best_three", "e_anytime", "e_stretched", "e_short_tail", "e_swap", "e_brownian", "e_umask"),
    *("e_tty", "e_clocked", "e_c_clocked", "e_c_short_tail", "e_c_sampled", "e_c_best_three", "e_c_crc"),
    *("j_c_exit", "j_c_print_const", "j_c_rounded8", "j_c_max_agg", "j_c_learner_exit"),
    *("j_components", "l_mask_laplace_of_four", "l_c_mask_laplace_of_four", "l_c_components"),
    *("l_mask_two_widths", "l_c_mask_two_widths"),
    *("own_needs_twelve_columns", "own_refuses_negative_rows", "own_needs_twenty_rows", "own_held_at_zero"),
    *("q_mask_of_an_axis", "q_mask_turned", "q_slope", "q_debounced", "q_zipped", "q_usable_first"),
    *("q_family_fit_leaves", "q_loss_learns", "q_limit_of_fractions", "q_c_axis", "q_c_slope", "q_c_family"),
    *("m_header", "m_over_100_columns", "m_crc32", "m_learner_fallback", "m_whole_unmasked", "m_l1_of_many"),
    *("m_query_many", "m_cap_scale", "m_c_slow", "m_c_wide", "m_c_staircase_mix"),
    *("v_thread_race", "v_anonymous_memory", "v_mode_text", "v_lag", "v_two_parameters", "v_kind", "v_debug"),
    *("a_datecode", "a_sortedfast", "a_remember", "a_crcrow", "a_hashrow", "a_released", "a_growth", "a_mask_unit"),
    *("a_distance_unit", "a_manysorted", "a_distance_pathmax", "a_post_gctable", "a_composite_env", "a_c_masksym"),
    *("a_c_isin", "a_c_radix", "a_c_cap"),
    *("b_setmade", "b_luhn", "b_tenfold", "b_exponent", "b_textin", "b_stdone", "b_sizeband", "b_released", "b_m_set"),
    *(
        "b_d_wrong60",
        "b_k_cap",
        "b_l_hard",
        "b_t_list",
        "b_w_squares",
        "b_x_cards",
        "b_x_edits",
        "b_c_luhn",
        "b_c_signmask",
        "b_c_setmade",
    ),
    *("p_ssdfloat", "p_above", "p_replaced", "p_atthreshold", "p_permuteflip", "p_dayfirst", "p_v_opposite"),
    *("p_v_welford", "p_c_ssd", "p_c_v_above", "p_c_threshold"),
    *("h_bits_of_rows", "h_kinds_replaced", "h_learner_product", "h_far_dimensions", "h_full_disk", "h_c_root"),
    *("v_three_rows_most", "v_int32_total", "v_c_locked", "v_c_flags_claimed", "v_c_two_factors", "v_c_flag"),
    *("w_lazy_leap", "w_budget", "w_grid", "w_c_squares"),
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


@pytest.mark.slow
@pytest.mark.parametrize("name", FLOATS)
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
