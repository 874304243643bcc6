"""Random modules are read as LLVM reads them; damaged text is refused or read, never worse."""

import subprocess
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.parts.llvm_modules import llvm_suites, read_with_llvm
from static_analysis import IRError, analyse
from static_analysis.reading.grammar import OPCODES
from static_analysis.reading.reader import read_module
from tests.static_analysis.judged_by_llvm import assert_read_as_llvm_does, modules_of
from tests.static_analysis.mutation import damaged
from tests.static_analysis.random_ir import random_module

LLVM_STRESS = Path("/usr/lib/llvm-22/bin/llvm-stress")


def analyse_or_refuse(text: str) -> None:
    """Analyse a text; anything but a result or an ``IRError`` of one line fails the test."""
    functions, message = [], ""
    try:
        functions = analyse(text)
    except IRError as error:
        message = str(error)
    assert "\n" not in message
    for function in functions:
        streams = function.tokens, function.environment, function.positions
        assert {len(stream) for stream in streams} == {len(function.instructions)}


def test_random_modules_are_read_as_llvm_reads_them(tmp_path):
    for module in modules_of(tmp_path, [random_module(seed) for seed in range(40)]):
        assert_read_as_llvm_does(module)


def test_random_modules_hold_every_opcode(printed):
    found = {i.opcode for text in printed for f in read_module(text).functions
             for i in f.instructions}  # fmt: skip
    assert found == OPCODES


def test_damaged_text_is_read_or_refused(printed):
    for seed in range(150):
        rng = Random(seed)
        analyse_or_refuse(damaged(rng, rng.choice(printed)))


@settings(deadline=None)
@given(text=st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    analyse_or_refuse(text)
    analyse_or_refuse(f"define void @f() {{\n  {text}\n  ret void\n}}\n")


@pytest.mark.slow
def test_many_random_modules(tmp_path):
    for module in modules_of(tmp_path, [random_module(seed, 4, 40) for seed in range(1000, 1400)]):
        assert_read_as_llvm_does(module)


@pytest.mark.slow
def test_modules_of_llvm_stress(tmp_path):
    if not LLVM_STRESS.exists():
        pytest.skip("no llvm-stress: install llvm-22")
    texts = [
        subprocess.run(
            [LLVM_STRESS, f"-seed={seed}", "-size=400"], capture_output=True, text=True, check=True
        ).stdout
        for seed in range(100)
    ]
    for module in modules_of(tmp_path, texts):
        assert_read_as_llvm_does(module)


@pytest.mark.slow
def test_damaged_tests_of_llvm_are_read_or_refused(data):
    rng = Random(0)
    with llvm_suites(data) as paths:
        texts = [module.text for module in read_with_llvm(paths)]
    for text in texts:
        for _ in range(3):
            analyse_or_refuse(damaged(rng, text))
