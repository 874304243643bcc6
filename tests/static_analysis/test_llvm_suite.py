"""Every module of LLVM's own tests that LLVM reads, read with the same result."""

import pytest

from benchmarks.parts.llvm_modules import llvm_suites, read_with_llvm
from tests.static_analysis.judged_by_llvm import assert_read_as_llvm_does


def test_memory_ssa_tests(data):
    paths = [str(path) for path in sorted((data / "llvm-memoryssa").glob("*.ll"))]
    modules = list(read_with_llvm(paths))
    assert len(modules) > 30
    for module in modules:
        assert_read_as_llvm_does(module)


@pytest.mark.slow
def test_llvm_tests(data):
    with llvm_suites(data) as paths:
        modules = list(read_with_llvm(paths))
    assert len(modules) > 700
    for module in modules:
        try:
            assert_read_as_llvm_does(module)
        except Exception as error:
            raise AssertionError(f"{module.path}: {error}") from error
