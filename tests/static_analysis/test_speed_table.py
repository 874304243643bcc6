from io import StringIO

import pytest
from rich.console import Console

from benchmarks import function_length
from benchmarks.static_analysis import STAGES, measure, table_of

MODULE = "define i32 @f(i32 %a) {\n  %x = add i32 %a, 1\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n"


def test_the_parts_of_an_analysis_are_measured():
    found = measure([MODULE, MODULE])
    assert (found.modules, found.functions, found.instructions, found.forms) == (2, 2, 6, 4)
    assert min(getattr(found, stage) for stage in (*STAGES, "whole", "llvm")) >= 0
    console = Console(width=100, file=StringIO(), record=True)
    console.print(table_of(found, "two modules"))
    assert "control flow" in console.export_text()


@pytest.mark.parametrize("shape", function_length.SHAPES)
def test_the_shapes_of_long_functions_are_read(shape):
    seconds, peak = function_length.measure(shape, 200)
    assert seconds > 0
    assert peak >= 0
