import math

import pytest

from ir_pipeline.limits import Limits, check_memory
from static_analysis import OscarError


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf, 1e7])
@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("unit_seconds", "--time-limit"),
        ("memory_gb", "--memory-limit-gb"),
        ("compile_seconds", "compile_seconds"),
        ("output_mb", "output_mb"),
    ],
)
def test_limits_out_of_range_are_refused(field, name, value):
    with pytest.raises(OscarError, match=f"^{name} .*above 0") as caught:
        Limits(**{field: value})
    assert "\n" not in str(caught.value)


def test_a_bound_that_leaves_nothing_is_refused():
    check_memory(1e6, spare=0.1)
    with pytest.raises(OscarError, match="--memory-limit-gb"):
        check_memory(0.001, spare=0)
