import ast
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import static_analysis
from static_analysis import ENVIRONMENT_VERSION, IRError, analyse, opcode

HERE = Path(__file__).parent


def check_aligned(function):
    n = len(function.instructions)
    assert len(function.tokens) == len(function.environment) == len(function.positions) == n
    for own, (_, true, false) in enumerate(function.positions):
        assert function.positions[own][0] == own
        assert {true, false} <= set(range(-3, n))
    for text, tokens, entry in zip(
        function.instructions, function.tokens, function.environment, strict=True
    ):
        assert text == " ".join(text.strip().splitlines())
        assert all((tokens, entry))
        assert opcode(tokens) in text
        assert all(token.isascii() and token.isprintable() and token.split() == [token]
                   for token in tokens + entry)  # fmt: skip
    assert [block.stop for block in function.blocks[:-1]] == [b.start for b in function.blocks[1:]]
    assert (function.blocks[0].start, function.blocks[-1].stop) == (0, n)


@given(data=st.data())
def test_streams_stay_aligned(generated_functions, data):
    generated = data.draw(generated_functions)
    (function,) = analyse(generated.text())
    check_aligned(function)
    assert [list(block.successors) for block in function.blocks] == [
        list(dict.fromkeys(targets)) for _, targets in generated.blocks
    ]


def test_golden_module():
    text = (HERE / "golden" / "list_sum.ll").read_text(encoding="utf-8")
    shown = []
    for function in analyse(text):
        check_aligned(function)
        shown.append(f"{function.name} {function.linkage}")
        for tokens, entry, position in zip(
            function.tokens, function.environment, function.positions, strict=True
        ):
            shown.append(f"  {' '.join(tokens)}\n    {' '.join(entry)}\n    {position}")
    golden = (HERE / "golden" / "list_sum.txt").read_text(encoding="utf-8")
    assert golden == f"{ENVIRONMENT_VERSION}\n" + "\n".join(shown) + "\n"


@settings(max_examples=400)
@given(st.data())
def test_damaged_text_is_refused_in_one_line_or_still_reads(data):
    text = (HERE / "golden" / "list_sum.ll").read_text(encoding="utf-8").partition("attributes")[0]
    start = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 30))
    inserted = data.draw(st.text('()[]{}<>,%@!;=" \n0ax', max_size=3))
    message = ""
    try:
        functions = analyse(text[:start] + inserted + text[start + length :])
    except IRError as error:
        functions, message = [], str(error)
    assert "\n" not in message
    for function in functions:
        check_aligned(function)


def test_names_linkage_and_order():
    functions = analyse(
        'define internal void @"a\\22b"() {\n  ret void\n}\n\ndeclare void @d()\n\n'
        "define linkonce_odr dso_local i32 @c(i32 %0) {\n  ret i32 %0\n}\n"
    )
    assert [(f.name, f.linkage) for f in functions] == [('a"b', "internal"), ("c", "linkonce_odr")]
    assert functions[1].blocks[0].label == "1"


def test_only_networkx_is_imported_beside_the_standard_library():
    allowed = {*sys.stdlib_module_names, "networkx", "static_analysis"}
    for path in Path(static_analysis.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.partition(".")[0] in allowed, f"{path.name} imports {name}"


def test_importing_loads_no_compiler_and_no_torch():
    script = "import sys, static_analysis; sys.exit(bool({'torch', 'llvmlite'} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", script], check=True)


BODIES = {
    "quoted names": '  %"x \\22y" = add i32 %a, 1\n  br label %"l\\5C:"\n\n"l\\5C:":\n  ret void',
    "utf-8": '  %"ü" = add i32 %a, 1\n  ret void',
    "raw bytes": '  %"\udcff" = add i32 %a, 1\n  ret void',
    "hex floats": "  %x = fadd x86_fp80 0xK3FFF8000000000000000, 0xK7FFF8000000000000000\n"
    "  ret void",
    "splat": "  %x = add <4 x i32> splat (i32 1), %w\n  ret void",
    "nested aggregates": (
        "  %x = insertvalue { i64, { i32, { x86_fp80 } }, [7 x { i8 }] } undef, i32 1, 1, 0\n"
        "  ret void"
    ),
    "empty aggregates": "  %x = extractvalue { {}, [0 x i8] } zeroinitializer, 0\n  ret void",
    "attributes": (
        "  call void @g(ptr captures(none) dead_on_return sret({ i32, i32 }) align 8 "
        "initializes((0, 4), (8, 12)) %p, i32 noundef unknown_attr(5) 1) #3\n  ret void"
    ),
    "inline asm": (
        '  %x = call { i32, i32 } asm sideeffect inteldialect "l%=: mov $0, \\22a\\22\\0Anop", '
        '"=r,=r,~{memory}"(i32 %a), !srcloc !4\n  ret void'
    ),
    "address spaces": (
        "  %x = load ptr addrspace(3), ptr addrspace(1) %p, align 8\n"
        "  %y = addrspacecast ptr addrspace(3) %x to ptr\n  ret void"
    ),
    "target types": '  %x = alloca target("spirv.Image", void, 1, 0)\n  ret void',
    "scalable vectors": "  %x = add <vscale x 4 x i32> undef, zeroinitializer\n  ret void",
    "blockaddress": (
        "  indirectbr ptr blockaddress(@f, %there), [label %there, label %0]\n\n"
        "there:\n  ret void"
    ),
    "dead phi": "  ret void\n\ndead:\n  %x = phi i32 [ %x, %dead ]\n  br label %dead",
    "phi of arrays": (
        "  br label %n\n\nn:\n  %x = phi [2 x i32] [ [i32 1, i32 2], %0 ]\n  ret void"
    ),
    "phi of nothing": "  ret void\n\ndead:\n  %x = phi i32\n  ret void",
    "operand bundles": '  call void @g() [ "deopt"(i32 1, ptr %p), "x"() ]\n  ret void',
    "metadata operands": (
        '  call void @llvm.x(metadata i32 %a, metadata !{i32 1}, metadata !"s", '
        "metadata !DIExpression(DW_OP_plus, 1))\n  ret void"
    ),
    "metadata everywhere": "  %x = add i32 %a, 1, !dbg !1, !range !{i32 0, i32 9}, !annotation !2\n"
    "  ret void, !dbg !3",
    "zero length memcpy": (
        "  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %p, ptr align 1 %p, i64 0, i1 false)\n"
        "  ret void"
    ),
    "musttail": "  %x = musttail call ptr @g(ptr %p)\n  ret ptr %x",
    "constant expressions": (
        "  store ptr getelementptr inbounds nuw (i8, ptr @g, i64 sub (i64 0, i64 "
        "ptrtoint (ptr @g to i64))), ptr %p\n  ret void"
    ),
    "comments": '  call void asm "; no comment", ""() ; a "comment"\n  ret void',
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_inputs_that_broke_others(name):
    text = f"define void @f(i32 %a, ptr %p, ptr %q, <4 x i32> %w) {{\n{BODIES[name]}\n}}\n"
    (function,) = analyse(text)
    check_aligned(function)


def test_long_numbers_keep_their_digits():
    digits = "123456789012345678901234567890123456789"
    text = f"define i128 @f() {{\n  ret i128 {digits}\n}}\n"
    (function,) = analyse(text)
    assert function.tokens[0][-1] == function.environment[0][-1] == f"#{digits}"


def test_thousands_of_metadata_lines():
    lines = "".join(
        f'!{n} = !DILocalVariable(name: "define @x {{", line: {n})\n' for n in range(5000)
    )
    assert len(analyse(f"define void @f() {{\n  ret void, !dbg !1\n}}\n{lines}")) == 1
