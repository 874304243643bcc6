"""Inputs that broke other readers, each written for this test and named after what it is."""

from pathlib import Path

import pytest

from static_analysis import IRError, analyse
from tests.static_analysis.test_analysis import check_aligned

MODULES = {
    "brackets, quotes and semicolons on the define line": (
        'define void @f() section "a{b;c" partition "p}" gc "statepoint-example" '
        'prefix [4 x i8] c"{;\\22}" prologue i8 -1 personality ptr @p !dbg !4 {\n  ret void\n}\n'
        "declare i32 @p(...)\n!4 = !{}\n"
    ),
    "globals that look like functions": (
        '@s = constant [20 x i8] c"define void @x() {\\0A\\00"\n'
        'module asm "define void @y() {"\nmodule asm "}"\n'
        "define void @f() {\n  ret void\n}\n"
    ),
    "labels that are words of the language": (
        "define void @f(i32 %a) {\nentry:\n  br label %define\n\ndefine:\n  br label %ret\n\n"
        "ret:\n  br label %label\n\nlabel:\n  br label %unwind\n\nunwind:\n  br label %to\n\n"
        "to:\n  switch i32 %a, label %catch [\n    i32 0, label %ret\n  ]\n\ncatch:\n"
        "  ret void\n}\n"
    ),
    "numbered and named blocks mixed": (
        "define void @f(i32 %0) {\n  br label %2\n\n2:\n  br label %named\n\nnamed:\n"
        "  %3 = add i32 %0, 1\n  br label %4\n\n4:\n  br label %2\n}\n"
    ),
    "a value with the name of a type, and one with the number of a type": (
        "%x = type { i32 }\n%0 = type { i64 }\n"
        "define void @f(i32 %x, ptr %0) {\n  %2 = load %x, ptr %0, align 4\n"
        "  %3 = add i32 %x, %x\n  store %0 zeroinitializer, ptr %0\n  ret void\n}\n"
    ),
    "names made of what separates names": (
        'define void @"f(x), %y = "(i32 %"a = b, c") {\n  %" ; " = add i32 %"a = b, c", 1\n'
        '  %"{" = call i32 @"}(, )"(i32 %" ; ", i32 %" ; ")\n  ret void\n}\n'
        'declare i32 @"}(, )"(i32, i32)\n'
    ),
    "line separators and other controls in a name": (
        'define void @"f\\E2\\80\\A8\\C2\\85\\0C\\1C"(i32 %"a\\E2\\80\\A8b\\0B") {\n'
        '  %"\\7F" = add i32 %"a\\E2\\80\\A8b\\0B", 1\n  ret void\n}\n'
    ),
    "unnamed functions": (
        "@0 = global i32 0\ndefine void @1() {\n  call void @1()\n"
        "  store i32 0, ptr @0\n  ret void\n}\n"
    ),
    "callees that are no names": (
        "define void @f(ptr %p) {\n  call void null()\n  call void undef(ptr %p)\n"
        "  call void inttoptr (i64 4096 to ptr)()\n"
        '  call void getelementptr (i8, ptr @"g(", i64 8)(i32 1)\n'
        "  call void %p(ptr byval([2 x i32]) align 4 %p)\n  ret void\n}\n"
        '@"g(" = external global i8\n'
    ),
    "variadic functions that hand on": (
        "define void @f(ptr inalloca(<{ i32 }>) %0, ...) {\n"
        "  musttail call void (ptr, ...) @f(ptr inalloca(<{ i32 }>) %0, ...)\n  ret void\n}\n"
    ),
    "values that must be in a register of their own": (
        "define swiftcc void @f(ptr swiftself %0, ptr swifterror %1) {\n"
        "  %3 = alloca swifterror ptr, align 8\n"
        "  call swiftcc void @f(ptr swiftself %0, ptr swifterror %3)\n  ret void\n}\n"
    ),
    "calls set up ahead": (
        "define void @f() {\n  %t = call token @llvm.call.preallocated.setup(i32 1)\n"
        "  %a = call ptr @llvm.call.preallocated.arg(token %t, i32 0) #0\n"
        '  call void @g(ptr preallocated({ i32, i8 }) %a) [ "preallocated"(token %t) ]\n'
        "  ret void\n}\n"
        "declare void @g(ptr preallocated({ i32, i8 }))\n"
        "declare token @llvm.call.preallocated.setup(i32)\n"
        "declare ptr @llvm.call.preallocated.arg(token, i32)\n"
        "attributes #0 = { preallocated({ i32, i8 }) }\n"
    ),
    "a switch without cases, and one over numbers of 128 bits": (
        "define void @f(i128 %a) {\n  switch i128 %a, label %d [\n"
        "    i128 170141183460469231731687303715884105727, label %e\n    i128 -1, label %e\n  ]\n\n"
        "d:\n  switch i1 true, label %e [\n  ]\n\ne:\n  ret void\n}\n"
    ),
    "nested handlers": (
        "define void @f() personality ptr @p {\n  invoke void @g()\n"
        "          to label %ok unwind label %outer\n\nouter:\n"
        "  %o = catchswitch within none [label %h] unwind to caller\n\nh:\n"
        "  %c = catchpad within %o [ptr null, i32 64, ptr null]\n"
        '  invoke void @g() [ "funclet"(token %c) ]\n'
        "          to label %done unwind label %inner\n\n"
        "inner:\n  %i = cleanuppad within %c []\n  cleanupret from %i unwind to caller\n\n"
        "done:\n  catchret from %c to label %ok\n\nok:\n  ret void\n}\n"
        "declare i32 @p(...)\ndeclare void @g()\n"
    ),
    "pads with long filters": (
        "define void @f() personality ptr @p {\n  invoke void @g()\n"
        "          to label %ok unwind label %pad\n\nok:\n  ret void\n\npad:\n"
        "  %l = landingpad { ptr, i32 }\n          cleanup\n          catch ptr @t\n"
        "          filter [2 x ptr] [ptr @t, ptr null]\n"
        "          filter [0 x ptr] zeroinitializer\n"
        "  resume { ptr, i32 } %l\n}\n"
        "declare i32 @p(...)\ndeclare void @g()\n@t = external constant ptr\n"
    ),
    "a jump out of assembly": (
        "define void @f(i32 %a) {\n"
        '  %x = callbr i32 asm sideeffect "# ${0:l} %= $$", "=r,r,!i,!i"(i32 %a)\n'
        "          to label %next [label %next, label %other]\n\nnext:\n  ret void\n\n"
        "other:\n  ret void\n}\n"
    ),
    "blocks as values in another function and in a global": (
        "@t = constant [2 x ptr] [ptr blockaddress(@f, %a), ptr blockaddress(@f, %0)]\n"
        "define void @f() {\n  br label %a\n\na:\n  br label %b\n\nb:\n  ret void\n}\n"
        "define ptr @g(i1 %b) {\n  %c = select i1 %b, ptr blockaddress(@f, %b), "
        "ptr blockaddress(@f, %a)\n  ret ptr %c\n}\n"
    ),
    "vectors that scale, with splats of all kinds": (
        "define <vscale x 4 x half> @f(<vscale x 4 x half> %v) {\n"
        "  %x = fadd fast <vscale x 4 x half> %v, splat (half 0xH3C00)\n"
        "  %y = shufflevector <vscale x 4 x half> %x, <vscale x 4 x half> poison, "
        "<vscale x 4 x i32> zeroinitializer\n  ret <vscale x 4 x half> %y\n}\n"
    ),
    "attributes of the day after tomorrow": (
        "define void @f(ptr future(1, (2, 3)) %p) #0 {\n"
        "  call void @f(ptr noundef future(1) another %p) #1\n  ret void\n}\n"
        'attributes #0 = { memory(read, argmem: none, later: write) future(1) "k"="v}" }\n'
        "attributes #1 = { another }\n"
    ),
    "carriage returns at the ends of lines": (
        "define void @f(i1 %c) {\r\n  br i1 %c, label %a, label %b\r\n\r\na:\r\n  ret void\r\n\r\n"
        "b:\r\n  ret void\r\n}\r\n"
    ),
    "deep brackets": (
        f"define void @f() {{\n  %x = alloca {'[1 x ' * 2000}i8{']' * 2000}\n  ret void\n}}\n"
    ),
}


@pytest.mark.parametrize("name", MODULES)
def test_is_read(name):
    functions = analyse(MODULES[name])
    assert functions
    for function in functions:
        check_aligned(function)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("typed pointers", "define void @f(i32* %p) {\n  store i32 1, i32* %p\n  ret void\n}\n"),
        ("an opcode of another version", "define void @f() {\n  future i32 1\n  ret void\n}\n"),
        ("two blocks of one name", "define void @f() {\n  br label %a\na:\n  br label %a\na:\n"
                                   "  ret void\n}\n"),
        ("a source file", "#include <stdio.h>\nint main(void) { return 0; }\n"),
        ("bitcode", "BC\udcc0\udcde5\x14\x00\x00"),
        ("a body without a name", "define void ()\n{\n  ret void\n}\n"),
        ("nothing but a brace", "}\n"),
    ],
)  # fmt: skip
def test_is_refused_in_one_line_that_says_what_to_do(name, text):
    with pytest.raises(IRError) as error:
        analyse(text)
    assert "\n" not in str(error.value)
    assert any(word in str(error.value) for word in ("LLVM 22", "llvm-dis", "damaged", "cut off"))


def test_a_file_cut_off_anywhere_gives_whole_functions_or_none():
    path = Path(__file__).parent / "golden" / "list_sum.ll"
    text = path.read_text(encoding="utf-8")
    whole = [function.instructions for function in analyse(text)]
    read = 0
    for end in range(0, len(text), 3):
        try:
            functions = analyse(text[:end])
        except IRError:
            continue
        read += 1
        assert [f.instructions for f in functions] == whole[: len(functions)]
    assert read > 10


def test_a_function_read_without_its_module():
    """Names of types are then known only by where they stand."""
    types = '%struct.node = type { i32, ptr }\n%"class.a::B<int>" = type { %struct.node }\n'
    body = (
        'define void @f(ptr %p, ptr byval(%"class.a::B<int>") %q) {\n'
        "  %s = alloca %struct.node, align 8\n"
        '  %a = getelementptr inbounds %"class.a::B<int>", ptr %q, i64 0, i32 0\n'
        "  %v = load %struct.node, ptr %a, align 8\n"
        "  store %struct.node %v, ptr %s, align 8\n  ret void\n}\n"
    )
    (alone,), (within,) = analyse(body), analyse(types + body)
    assert alone.tokens == within.tokens
    check_aligned(alone)


def test_two_functions_that_differ_only_at_their_ends():
    lines = [f"  %x{i} = add i32 {'%a' if i == 0 else f'%x{i - 1}'}, 1" for i in range(600)]
    texts = [
        "\n".join(["define i32 @f(i32 %a) {", *lines, f"  ret i32 {value}", "}", ""])
        for value in ("%x599", "0")
    ]
    (first,), (second,) = map(analyse, texts)
    assert first.tokens[:511] == second.tokens[:511]
    assert first.tokens != second.tokens
