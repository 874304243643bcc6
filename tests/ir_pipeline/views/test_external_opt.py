import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ir_pipeline.engine.unit import process_unit
from ir_pipeline.errors import LoweringError
from ir_pipeline.lowering.llvm import parse
from ir_pipeline.sources.find import find_units
from ir_pipeline.views.external_opt import LLVM_MAJOR, Opt, OptRunner, find_opt
from ir_pipeline.views.module_text import defined_names
from ir_pipeline.views.sequences import PIPELINE_PARTS
from ir_pipeline.views.view_maker import ViewMaker
from static_analysis import OscarError

REAL = shutil.which(f"opt-{LLVM_MAJOR}")
needs_opt = pytest.mark.skipif(REAL is None, reason=f"needs opt-{LLVM_MAJOR} on the PATH")


@pytest.fixture
def runner(limits, tmp_path):
    return OptRunner(Opt(REAL or "", ""), tmp_path, limits)


def test_views_are_read_back_with_the_llvm_that_is_asked_for():
    import llvmlite.binding as llvm

    assert llvm.llvm_version_info[0] == LLVM_MAJOR


@pytest.mark.parametrize(
    ("prints", "said"),
    [
        ("echo Debian LLVM version 14.0.6", "of LLVM 14.0.6, .* name an opt of LLVM 22"),
        ("echo opt, a tool for options", "not LLVM's opt"),
        ("exit 1", "not LLVM's opt"),
    ],
)
def test_another_program_or_version_is_refused_in_one_line(fake_program, prints, said):
    with pytest.raises(OscarError, match=said) as caught:
        find_opt(fake_program(prints, "opt"))
    assert "\n" not in str(caught.value)


def test_a_program_that_is_not_there_is_refused():
    with pytest.raises(OscarError, match="--opt no-such-opt: no such program"):
        find_opt(Path("no-such-opt"))


def test_an_opt_that_hangs_or_fails_costs_the_view(fake_program, limits, tmp_path):
    limits = replace(limits, view_seconds=0.5)
    fails = "echo error: no >&2; exit 1"
    for text, reason in (("sleep 60", "time limit"), (fails, "view not made")):
        opt = Opt(str(fake_program(text)), "22.0")
        with pytest.raises(LoweringError) as caught:
            OptRunner(opt, tmp_path, limits).run("", [])
        assert (caught.value.stage, caught.value.reason) == ("view", reason)


def test_what_it_writes_must_be_readable(fake_program, settings, loops_file, tmp_path):
    writes = 'while [ "$1" != -o ]; do shift; done; echo "no IR" > "$2"'
    opt = Opt(str(fake_program(writes)), "22.0")
    (unit,) = find_units([loops_file], tmp_path)
    failure = process_unit(unit, replace(settings, views=("opt-0",), opt=opt))
    assert (failure.stage, failure.reason) == ("parse", "invalid IR")


@needs_opt
def test_the_real_one_is_found():
    assert find_opt(Path(REAL)).version.startswith(f"{LLVM_MAJOR}.")


@needs_opt
@pytest.mark.slow
@pytest.mark.parametrize("part", sorted(set(PIPELINE_PARTS)))
def test_every_part_is_one_that_it_knows(runner, part, loops_ir):
    parse(runner.run(loops_ir, [part]))


@needs_opt
def test_its_views_are_reproducible_different_and_of_the_same_functions(runner, loops_ir):
    names = [f"opt-{i}" for i in range(6)]
    views = [ViewMaker(loops_ir, "s", bool, runner).make(name) for name in names]
    assert [ViewMaker(loops_ir, "s", bool, runner).make(name) for name in names] == views
    assert len(set(views)) > 3
    assert all(defined_names(view) <= defined_names(loops_ir) for view in views)
    # Only a pass that looks beyond one function does that.
    assert any("call i32 @twice" not in view for view in views)
