import pytest

from ir_pipeline.errors import LoweringError, failure, one_line
from static_analysis import IRError


@pytest.mark.parametrize(
    ("error", "stage", "reason"),
    [
        (LoweringError("a\nb", stage="view", reason="view not made"), "view", "view not made"),
        (IRError("a\nb"), "analyse", "IR not understood"),
        (PermissionError("a\nb"), "read", "cannot be read"),
        (MemoryError("a\nb"), "worker", "memory limit"),
        (ZeroDivisionError("a\nb"), "worker", "internal error"),
        (RecursionError("a\n" * 1000), "worker", "internal error"),
    ],
)
def test_every_error_becomes_one_row_of_one_line(error, stage, reason):
    row = failure("unit", error)
    assert (row.unit, row.stage, row.reason) == ("unit", stage, reason)
    assert "\n" not in row.message
    assert len(row.message) <= 400


def test_a_full_disk_is_no_fault_of_a_unit():
    with pytest.raises(OSError, match="No space left"):
        failure("unit", OSError(28, "No space left on device"))


def test_one_line_cuts():
    assert one_line(" a\n\tb ") == "a b"
    assert one_line("abcdef", limit=4) == "abc…"
