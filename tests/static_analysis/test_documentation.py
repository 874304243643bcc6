"""Every example of the environment in the documentation is what the code gives."""

import re
from pathlib import Path

import pytest

from static_analysis import ENVIRONMENT_VERSION, analyse
from static_analysis.keywords import TERMINATORS

DOCUMENT = Path(__file__).parents[2] / "docs" / "static_analysis.md"
ROW = re.compile(r"\| `([^`]*)` \| `(d0 : [^`]*)` \|")
EXAMPLES = ROW.findall(DOCUMENT.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("instruction", "entry"), EXAMPLES)
def test_example(instruction, entry):
    is_terminator = instruction.split()[0] in TERMINATORS
    rest = "\n\nx:\n  ret void\n\ny:\n  ret void" if is_terminator else "\n  ret void"
    (function,) = analyse(
        f"define void @f(i32 %a, i32 %b, float %c, i1 %d, ptr %p) {{\n  {instruction}{rest}\n}}\n"
        "declare i32 @printf(ptr, ...)\ndeclare void @go()\ndeclare i32 @abs(i32) #0\n"
        "attributes #0 = { memory(none) }\n"
    )
    assert " ".join(function.environment[0]) == entry


def test_the_examples_are_found_and_the_version_is_named():
    assert len(EXAMPLES) > 20
    assert f"`{ENVIRONMENT_VERSION}`" in DOCUMENT.read_text(encoding="utf-8")
