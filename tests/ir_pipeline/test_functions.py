import pytest

from ir_pipeline import Failure, FunctionView, LoweringError, lower, read_functions
from ir_pipeline.sources.find import find_units
from static_analysis import OscarError, analyse


def test_functions_and_failures_come_in_order(tmp_path):
    (tmp_path / "a.c").write_text("int a(void) { return 1; }")
    (tmp_path / "b.c").write_text("int b( {")
    (tmp_path / "c.c").write_text("int c(void) { return 1; } int d(void) { return 2; }")
    found = list(read_functions([tmp_path], workers=2))
    assert [type(item) for item in found] == [FunctionView, Failure, FunctionView, FunctionView]
    assert [item.function for item in found if isinstance(item, FunctionView)] == ["a", "c", "d"]
    assert {item.view for item in found if isinstance(item, FunctionView)} == {"O0"}


def test_lowered_text_is_ir_of_the_level(loops_file, loops_ir):
    optimised = lower(loops_file, "O2")
    assert [function.name for function in analyse(optimised)] == ["twice", "power", "digits"]
    assert "alloca" in loops_ir
    assert "alloca" not in optimised
    assert lower(loops_file) == loops_ir


CALLS = """
define i32 @use(i32 %x) {
  %y = call i32 @_Z5twicei(i32 %x)
  ret i32 %y
}
define linkonce_odr i32 @_Z5twicei(i32 %x) #0 {
  %z = mul i32 %x, 2
  %y = call i32 @_Z5twicei(i32 %z)
  ret i32 %y
}
attributes #0 = { memory(none) }
"""


@pytest.mark.parametrize("level", ["O0", "O2"])
def test_both_roads_read_the_same(tmp_path, level):
    (tmp_path / "a.cpp").write_text("#include <vector>\nint f(std::vector<int> &v) {")
    with (tmp_path / "a.cpp").open("a") as file:
        file.write("v.push_back(1); std::vector<int> w(v); return w.at(2); }")
    (tmp_path / "a.ll").write_text(lower(tmp_path / "a.cpp"))
    (tmp_path / "b.ll").write_text(CALLS)
    for file, name in (("a.ll", "_Z1fRNSt3__16vectorIiNS_9allocatorIiEEEE"), ("b.ll", "use")):
        whole = {function.name: function for function in analyse(lower(tmp_path / file, level))}
        (row,) = read_functions([tmp_path / file], views=[level])
        assert row.function == name
        assert row.tokens == whole[name].tokens
        assert row.environment == whole[name].environment


def test_a_call_of_a_header_function_keeps_its_memory_effect(tmp_path):
    (tmp_path / "b.ll").write_text(CALLS)
    (row,) = read_functions([tmp_path / "b.ll"])
    assert " ".join(row.environment[0]) == "d0 : v1 <- call @twice </func> v0 pure"


def test_ir_is_normalised_and_optimised_too(tmp_path, loops_ir):
    (tmp_path / "loops.ll").write_text(f"; a comment\n{loops_ir}")
    assert lower(tmp_path / "loops.ll") == loops_ir
    assert "alloca" not in lower(tmp_path / "loops.ll", "O1")


def test_errors_are_one_clear_line(tmp_path, loops_file):
    (tmp_path / "bad.c").write_text("int f( {")
    with pytest.raises(LoweringError, match=r"bad\.c:1:\d+: error") as caught:
        lower(tmp_path / "bad.c")
    assert (caught.value.stage, caught.value.reason) == ("compile", "compile error")
    assert "\n" not in str(caught.value)
    with pytest.raises(OscarError, match="no optimisation level 'fast'"):
        lower(loops_file, "fast")
    with pytest.raises(OscarError, match="single C, C"):
        lower(loops_file.parent)


def test_what_cannot_be_read_is_one_clear_line(tmp_path, loops_ir, monkeypatch):
    (tmp_path / "gone.ll").write_text(loops_ir)
    found = find_units([tmp_path / "gone.ll"], tmp_path)
    monkeypatch.setattr("ir_pipeline.functions.find_units", lambda *_: found)
    (tmp_path / "gone.ll").unlink()
    with pytest.raises(LoweringError, match=r"gone\.ll: .*No such file") as caught:
        lower(tmp_path / "gone.ll")
    assert (caught.value.stage, caught.value.reason) == ("read", "cannot be read")


def test_importing_the_package_loads_nothing_heavy(run_python):
    code = "import sys, ir_pipeline; from ir_pipeline import LoweringError, lower; "
    code += "print([m for m in ('llvmlite', 'pyarrow', 'pebble', 'rich') if m in sys.modules])"
    assert run_python(code).stdout == "[]\n"


def test_llvm_is_never_loaded_outside_a_worker(run_python, loops_file):
    code = f"import sys; from ir_pipeline import lower; lower({str(loops_file)!r}); "
    assert run_python(code + "print('llvmlite' in sys.modules)").stdout == "False\n"


def test_an_unknown_name_is_an_attribute_error():
    import ir_pipeline

    with pytest.raises(AttributeError, match="nothing"):
        _ = ir_pipeline.nothing
