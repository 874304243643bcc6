import pytest

from static_analysis import IRError
from static_analysis.reading.reader import read_module

HEADER = "define void @f(i32 %a, i1 %c, ptr %p) {\n"


def read(body):
    (function,) = read_module(f"{HEADER}{body}\n}}\n").functions
    return function


def test_instructions_spread_over_lines_are_joined():
    function = read(
        """  switch i32 %a, label %d [
    i32 0, label %x
    i32 1, label %d
  ], !prof !1

x:                                                ; preds = %0
  invoke void @g()
          to label %d unwind label %u

u:
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [0 x ptr] undef, !dbg !7
  resume { ptr, i32 } %l

d:
  ret void"""
    )
    assert [i.opcode for i in function.instructions] == [
        "switch", "invoke", "landingpad", "resume", "ret",
    ]  # fmt: skip
    assert function.instructions[0].text == (
        "switch i32 %a, label %d [ i32 0, label %x i32 1, label %d ], !prof !1"
    )
    assert function.instructions[2].text.endswith(
        "cleanup catch ptr null filter [0 x ptr] undef, !dbg !7"
    )
    assert [(b.label, b.start, b.stop) for b in function.blocks] == [
        ("%0", 0, 1), ("%x", 1, 2), ("%u", 2, 4), ("%d", 4, 5),
    ]  # fmt: skip


def test_joined_lines_do_not_move_the_numbers_of_lines_in_messages():
    switch = "  switch i32 %a, label %d [\n    i32 0, label %d\n  ]\n\nd:\n"
    with pytest.raises(IRError, match="line 7: 'frobnicate'"):
        read(switch + "  frobnicate i32 %a")


def test_lines_may_end_as_on_windows():
    text = f"{HEADER}  br label %x\n\nx:\n  ret void\n}}\n"
    (function,) = read_module(text.replace("\n", "\r\n")).functions
    assert [i.text for i in function.instructions] == ["br label %x", "ret void"]


def test_equal_lines_are_one_instruction():
    function = read("  fence seq_cst\n  fence seq_cst\n  ret void")
    assert function.instructions[0] is function.instructions[1]


def test_a_block_of_another_function_is_no_local_of_this_one():
    body = "  %b = load ptr, ptr blockaddress(@other, %b)\n  ret void"
    assert read(body).instructions[0].locals == ("%b", "%")
    assert read(body.replace("@other", "@f")).instructions[0].locals == ("%b", "%b")


def test_labels_that_look_like_clauses_are_labels():
    function = read("  br label %cleanup\n\ncleanup:\n  br label %filter\n\nfilter:\n  ret void")
    assert [block.label for block in function.blocks[1:]] == ["%cleanup", "%filter"]


def test_the_unnamed_entry_takes_the_number_after_the_unnamed_arguments():
    (function,) = read_module(
        "define void @f(i32 %0, ptr byval(%struct.S) align 8 %1, ...) {\n  br label %3\n\n"
        "3:                                                ; preds = %2\n  ret void\n}\n"
    ).functions
    assert function.parameters == ["%0", "%1"]
    assert [block.label for block in function.blocks] == ["%2", "%3"]


def test_quoted_labels_and_names():
    text = (
        'define internal void @"a\\22b\\5C"() {\n"the entry":\n  br label %"x:y; z"\n\n'
        '"x:y; z":                                         ; preds = %"the entry"\n  ret void\n}\n'
    )
    (function,) = read_module(text).functions
    assert (function.name, function.prototype.linkage) == ('@"a\\22b\\5C"', "internal")
    assert [block.label for block in function.blocks] == ['%"the entry"', '%"x:y; z"']


def test_debug_records_and_use_list_orders_are_no_instructions():
    function = read(
        "    #dbg_value(i32 %a, !10, !DIExpression(), !11)\n"
        "  ret void, !dbg !12\n  uselistorder i32 %a, { 1, 0 }"
    )
    assert [i.text for i in function.instructions] == ["ret void, !dbg !12"]


def test_what_a_module_declares():
    module = read_module(
        '; ModuleID = \'m\'\nsource_filename = "m"\ntarget triple = "x"\n'
        'target datalayout = "e-S128"\n\n'
        "%struct.S = type { i32 }\n%0 = type opaque\n$c = comdat any\n"
        "@g = global i32 0, align 4\n@h = alias i32, ptr @g\n@k = alias void (), ptr @f\n"
        'module asm "nop"\n\ndeclare void @f(...) #0\n\nattributes #0 = { nounwind memory(none) }\n'
        '!llvm.ident = !{!0}\n!0 = !{!"x"}\n'
    )
    assert module.datalayout == "e-S128"
    assert set(module.types) == {"%struct.S", "%0"}
    assert set(module.globals) == {"@g", "@h", "@k"}
    assert [name for name in ("@g", "@h", "@k", "@f") if module.is_callable(name)] == ["@k", "@f"]
    assert module.prototypes["@f"].groups == ("#0",)
    assert module.groups["#0"] == {"nounwind": "", "memory": "none"}
    assert module.functions == []


def test_an_empty_text_is_an_empty_module():
    assert read_module("").functions == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("int main() { return 0; }", "line 1 is not LLVM IR"),
        (HEADER + "  ret void\n", "cut off"),
        (HEADER, "cut off"),
        (HEADER + "  frobnicate i32 %a\n  ret void\n}\n", "line 2: 'frobnicate' is no opcode"),
        (HEADER + "  %x = load i32*, i32** %p\n  ret void\n}\n", "comes from another version"),
        (HEADER + "  %x = add i32 %a, 1\n}\n", "without a terminator"),
        (HEADER + "}\n", "without a terminator"),
        (HEADER + "  br label %x\n\nx:\ny:\n  ret void\n}\n", "without a terminator"),
        (HEADER + "  %x\n  ret void\n}\n", "no opcode"),
        ("define void () {\n}\n", "without a name"),
        ("define void @f()\n{\n}\n", "does not start on its define line"),
    ],
)
def test_text_that_is_not_ir_is_refused_in_one_line(text, says):
    with pytest.raises(IRError, match=says) as error:
        read_module(text)
    assert "\n" not in str(error.value)
