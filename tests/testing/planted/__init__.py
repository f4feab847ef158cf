"""Plugins in one file each: faulty ones, which the kit must refute, and correct ones, which it must not."""

from __future__ import annotations

from pathlib import Path

from tests.testing.planted import (
    blind,
    classes,
    classes_correct,
    coins,
    correct,
    documented,
    documented_correct,
    eighth_correct,
    eighth_correct_more,
    eighth_faulty,
    eighth_faulty_more,
    eighth_noise,
    eighth_noise_more,
    eleventh_correct,
    eleventh_correct_noise,
    eleventh_faulty,
    eleventh_kernel,
    eleventh_noise,
    faulty,
    kinds,
    kinds_correct,
    later_correct,
    later_correct_noise,
    later_masks,
    later_noise,
    later_rest,
    later_rows,
    later_sums,
    listed,
    newer_correct,
    newer_faulty,
    newer_noise,
    ninth_correct,
    ninth_faulty,
    ninth_faulty_more,
    ninth_noise,
    outside_correct,
    outside_faulty,
    outside_noise,
    own,
    round_correct,
    round_noise,
    round_rows,
    seventh_correct,
    seventh_faulty,
    seventh_noise,
    strangers,
    strangers_correct,
    strangers_noise,
    tenth_correct,
    tenth_faulty,
    tenth_kernel,
    tenth_noise,
    thirteenth_correct,
    thirteenth_faulty,
    thirteenth_noise,
    thirteenth_parameters,
    thirteenth_rest,
    twelfth_correct,
    twelfth_correct_noise,
    twelfth_faulty,
    twelfth_noise,
    twelfth_rest,
    unread_correct,
    unread_noise,
    unread_rows,
)

HEADER = '''"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


'''
FAULTY: dict[str, str] = {
    **blind.SOURCES,
    **faulty.SOURCES,
    **own.SOURCES,
    **kinds.SOURCES,
    **classes.SOURCES,
    **documented.SOURCES,
    **strangers.SOURCES,
    **strangers_noise.SOURCES,
    **coins.SOURCES,
    **unread_rows.SOURCES,
    **unread_noise.SOURCES,
    **round_rows.SOURCES,
    **round_noise.SOURCES,
    **later_rows.SOURCES,
    **later_sums.SOURCES,
    **later_rest.SOURCES,
    **later_noise.SOURCES,
    **later_masks.SOURCES,
    **newer_faulty.SOURCES,
    **newer_noise.SOURCES,
    **outside_faulty.SOURCES,
    **outside_noise.SOURCES,
    **seventh_faulty.SOURCES,
    **seventh_noise.SOURCES,
    **eighth_faulty.SOURCES,
    **eighth_faulty_more.SOURCES,
    **eighth_noise.SOURCES,
    **eighth_noise_more.SOURCES,
    **ninth_faulty.SOURCES,
    **ninth_faulty_more.SOURCES,
    **ninth_noise.SOURCES,
    **tenth_faulty.SOURCES,
    **tenth_noise.SOURCES,
    **tenth_kernel.SOURCES,
    **eleventh_faulty.SOURCES,
    **eleventh_noise.SOURCES,
    **eleventh_kernel.SOURCES,
    **twelfth_faulty.SOURCES,
    **twelfth_rest.SOURCES,
    **twelfth_noise.SOURCES,
    **thirteenth_faulty.SOURCES,
    **thirteenth_rest.SOURCES,
    **thirteenth_noise.SOURCES,
    **thirteenth_parameters.SOURCES,
    **listed.SOURCES,
}
FLOATS: dict[str, str] = {**later_masks.FLOATS, **outside_noise.FLOATS, **listed.FLOATS}
"""Masks whose price holds of real numbers, not of floats: a note says so."""
CORRECT: dict[str, str] = {
    **correct.SOURCES,
    **own.CORRECT_SOURCES,
    **kinds_correct.SOURCES,
    **classes_correct.SOURCES,
    **documented_correct.SOURCES,
    **strangers_correct.SOURCES,
    **coins.CORRECT_SOURCES,
    **unread_correct.SOURCES,
    **round_correct.SOURCES,
    **later_correct.SOURCES,
    **later_correct_noise.SOURCES,
    **newer_correct.SOURCES,
    **outside_correct.SOURCES,
    **seventh_correct.SOURCES,
    **eighth_correct.SOURCES,
    **eighth_correct_more.SOURCES,
    **ninth_correct.SOURCES,
    **tenth_correct.SOURCES,
    **eleventh_correct.SOURCES,
    **eleventh_correct_noise.SOURCES,
    **twelfth_correct.SOURCES,
    **twelfth_correct_noise.SOURCES,
    **thirteenth_correct.SOURCES,
    **listed.CORRECT_SOURCES,
}


def written(folder: Path, name: str, source: str) -> Path:
    """The plugin as a file."""
    path = folder / f"plugin_{name}.py"
    path.write_text(HEADER + source.lstrip("\n"))
    return path
