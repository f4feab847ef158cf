"""The whole registry under a thorough search, which takes half an hour of CPU."""

from __future__ import annotations

import pytest

from dpframe.testing import check_operation, parametrize_registry


@pytest.mark.slow
@pytest.mark.long
@parametrize_registry("name", modules=("dpframe.kernel.", "dpframe_plugins."))
def test_the_registry_holds_under_a_thorough_search(name: str) -> None:
    report = check_operation(name, thorough=True)
    assert report.holds, str(report)
