"""Every example on the page about the environment is what the code gives."""

import re
from pathlib import Path

import pytest

from static_analysis import ENVIRONMENT_VERSION, analyse, opcode
from static_analysis.reading.grammar import OPCODES
from static_analysis.reading.keywords import TERMINATORS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
OVERVIEW = (ROOT / "docs" / "static_analysis.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"\| `([^`]*)` \| `(d0 : [^`]*)` \|", PAGE)
NO_FENCE = r"((?:(?!```).)*)"
LISTINGS = re.findall(f"```llvm\n{NO_FENCE}```\n\n```entries\n{NO_FENCE}```", PAGE, re.DOTALL)
DECLARATIONS = """
declare i32 @printf(ptr, ...)
declare i32 @go()
declare i32 @abs(i32) #0
declare float @sqrtf(float)
declare ptr @malloc(i64)
attributes #0 = { memory(none) }
"""


def only_instruction(text):
    is_terminator = text.split(" = ")[-1].split()[0] in TERMINATORS
    rest = "\n\nx:\n  ret void\n\ny:\n  ret void" if is_terminator else "\n  ret void"
    parameters = "i32 %a, i32 %b, float %c, i1 %d, ptr %p, <4 x i32> %w"
    return analyse(f"define void @f({parameters}) {{\n  {text}{rest}\n}}\n{DECLARATIONS}")[0]


def entries(text, environment=ENVIRONMENT_VERSION):
    functions = analyse(text, environment=environment)
    return [" ".join(entry) for function in functions for entry in function.environment]


@pytest.mark.parametrize(("instruction", "entry"), EXAMPLES)
def test_row(instruction, entry):
    assert " ".join(only_instruction(instruction).environment[0]) == entry


@pytest.mark.parametrize(("text", "shown"), LISTINGS)
def test_listing(text, shown):
    assert entries(text) == shown.splitlines()


def test_the_example_read_aloud():
    text = re.search(f"```llvm\n{NO_FENCE}```", PAGE, re.DOTALL)[1]
    rows = re.findall(r"^\| `(d\d[^`]* : [^`]*)` \| .* \| `(loop = [^`]*)` \|$", PAGE, re.MULTILINE)
    assert [new for new, _ in rows] == entries(text)
    assert [original for _, original in rows] == entries(text, "env-1")


def test_every_opcode_has_an_example():
    shown = {opcode(only_instruction(instruction).tokens[0]) for instruction, _ in EXAMPLES}
    for text, _ in LISTINGS:
        shown |= {opcode(tokens) for function in analyse(text) for tokens in function.tokens}
    assert shown == OPCODES
    assert f"`{ENVIRONMENT_VERSION}`" in PAGE


def test_the_overview_names_every_module_once():
    table = OVERVIEW.partition("| room | modules |")[2].partition("\n\n")[0]
    rows = [row.split("|")[2] for row in table.splitlines() if row.count("|") == 4]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    modules = {path.stem for path in (ROOT / "static_analysis").glob("*/*.py")} - {"__init__"}
    assert sorted(named) == sorted(modules)
