import gc
import weakref
from collections import Counter
from contextlib import suppress
from dataclasses import replace

import pytest

from ir_pipeline.engine.unit import process_unit
from ir_pipeline.engine.unit_views import analysed_views, distinct
from ir_pipeline.errors import LoweringError
from ir_pipeline.rows.row import FunctionView
from ir_pipeline.sources.find import find_units
from ir_pipeline.sources.units import Unit
from ir_pipeline.views.external_opt import OptRunner
from ir_pipeline.views.view_maker import ViewMaker
from ir_pipeline.views.view_names import view_names

HELPERS = """
static int helper(int x) { return x * 3; }
static int kept(int x) { return x - 7; }
int (*address)(int) = kept;
int caller(int x) { return helper(x) + 1; }
"""


@pytest.fixture
def process(settings, tmp_path):
    def run(text, views):
        path = tmp_path / "a.c"
        path.write_text(text)
        (unit,) = find_units([path], tmp_path)
        return process_unit(unit, replace(settings, views=views))

    return run


def test_a_function_that_was_inlined_everywhere_is_counted_and_keeps_its_group(process):
    result = process(HELPERS, ("O0", "O2"))
    names = {view: {r.function for r in result.rows if r.view == view} for view in ("O0", "O2")}
    assert names == {"O0": {"helper", "kept", "caller"}, "O2": {"kept", "caller"}}
    assert result.dropped == {"removed by a pass": 1}
    assert len({row.group for row in result.rows}) == 3


RENAMED = """
define internal i32 @f.llvm.123(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
define i32 @g(i32 %x) {
  %y = call i32 @g.cold.1(i32 %x)
  ret i32 %y
}
define internal i32 @g.cold.1(i32 %x) {
  ret i32 %x
}
define internal i32 @g.constprop.0(i32 %x) {
  ret i32 7
}
"""


def test_what_a_pass_renames_splits_off_or_clones_is_no_new_function(process, monkeypatch):
    make = ViewMaker.make
    monkeypatch.setattr(
        ViewMaker, "make", lambda maker, name: RENAMED if name == "O1" else make(maker, name)
    )
    text = "static int f(int x) { return x; }\nint g(int x) { return f(x) + 2; }\n"
    result = process(text, ("O0", "O1"))
    assert [(row.function, row.view) for row in result.rows] == [
        ("g", "O0"), ("g", "O1"), ("f", "O0"),
    ]  # fmt: skip
    assert result.dropped == {"removed by a pass": 1, "made by a pass": 3}


class _Failing(ViewMaker):
    def make(self, name):
        return super().make(name) if name == "O1" else "no IR"


@pytest.mark.parametrize("views", [("O1", "O2", "O3"), ("O2", "O3")])
def test_a_view_that_failed_leaves_llvms_objects_to_no_collector(settings, loops_ir, views):
    unit = Unit("p", "u", "llvm-ir", settings.scratch)
    settings = replace(settings, views=views)
    maker = _Failing(loops_ir, "", bool)
    maker.make("O1")
    gone = weakref.ref(maker)
    gc.disable()
    try:
        with suppress(LoweringError):
            list(analysed_views(maker, ["power"], unit, settings, Counter()))
        del maker
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.slow
def test_twenty_views_add_up(process, loops_file):
    views = view_names(20)
    result = process(loops_file.read_text() + HELPERS, views)
    assert len({row.view for row in result.rows}) > 12
    lost = Counter(result.dropped)
    assert lost.pop("made by a pass", 0) == 0
    assert len(result.rows) + lost.total() == 6 * len(views)


def _view(name, *instructions):
    tokens = [text.split() for text in instructions]
    lists = (list(instructions), tokens, tokens, [], [], [])
    fields = {"project": "", "unit": "", "function": "f", "group": "", "label": None}
    columns = dict(
        zip(FunctionView.__slots__, [None] * len(FunctionView.__slots__), strict=True), **fields
    )
    names = ("instructions", "tokens", "environment", "own_positions", "true_positions")
    columns |= dict(zip((*names, "false_positions"), lists, strict=True))
    return FunctionView(**{**columns, "view": name, "hash": "\n".join(instructions)})


def test_of_views_that_are_alike_the_first_stays():
    views = [
        _view("O0", "v1 = add v0 #1", "v2 = mul v0 #2", "ret v1"),
        _view("O1", "v1 = add v0 #1", "v2 = mul v0 #2", "ret v1"),
        _view("O2", "v1 = mul v0 #2", "v2 = add v0 #1", "ret v2"),
        _view("O3", "v1 = mul v0 #2", "ret v1"),
    ]
    dropped = Counter()
    assert [view.view for view in distinct(views, dropped)] == ["O0", "O3"]
    assert dropped == {"identical view": 1, "near-identical view": 1}


def test_opt_views_go_through_the_same_accounting(settings, loops_file, monkeypatch, tmp_path):
    from ir_pipeline.views.external_opt import Opt

    monkeypatch.setattr(OptRunner, "run", lambda runner, text, pipeline: RENAMED.encode())
    (unit,) = find_units([loops_file], tmp_path)
    settings = replace(settings, views=("O0", "opt-0"), opt=Opt("opt", "22.1"))
    result = process_unit(unit, settings)
    assert {row.view for row in result.rows} == {"O0"}
    assert result.dropped == {"removed by a pass": 3, "made by a pass": 4}
