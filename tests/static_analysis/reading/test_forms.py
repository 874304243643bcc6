import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.parts.llvm_modules import llvm_suites, read_with_llvm
from static_analysis.reading.form import HOLE
from static_analysis.reading.forms import FormTable
from static_analysis.reading.grammar import UnknownOpcodeError
from static_analysis.reading.lexer import lexemes
from static_analysis.reading.reader import read_module
from static_analysis.reading.type_table import TypeTable
from static_analysis.reading.types import IntegerType
from tests.static_analysis.random_ir import random_module

ODD = [
    '%"x \\22y" = add nuw nsw i32 %"a b", -1, !dbg !5',
    "%0 = load %0, ptr %1, align 4, !tbaa !3, !nonnull !4",
    "%i32 = add i32 %i32, %ptr",
    "switch i32 %a, label %d [ i32 0, label %x i32 -1, label %d ], !prof !1",
    'call void asm sideeffect inteldialect "mov %eax, $0; # \\22, !x", "r,~{memory}"(i32 %a) #3',
    '%r = tail call fastcc %T @f(ptr byval(%T) align 8 %p, i32 noundef 5, metadata !"a, !b")',
    "store <2 x i64> splat (i64 7), ptr getelementptr inbounds inrange(-8, 8) (i8, ptr @g, i64 8)",
    "store { i8, { [2 x %T], half } } { i8 1, { [2 x %T], half } undef }, ptr addrspace(3) %p",
    "store x86_fp80 0xK4000C8F5C28F5C28F800, ptr %p, align 16",
    "%x = fadd reassoc nnan ppc_fp128 %a, 0xM3FF00000000000000000000000000000",
    "indirectbr ptr blockaddress(@f, %bb), [label %bb, label %c]",
    "call void @llvm.d(metadata !DIArgList(i32 %a, ptr %p), metadata !5, metadata !DIExpression())",
    '%c = call i8 @llvm.x(ptr nonnull %p, ...) [ "deopt"(i32 %a, ptr null), "kcfi"(i32 3) ]',
    '%o = atomicrmw volatile uinc_wrap ptr %p, i32 %a syncscope("agent") acq_rel, align 4',
    "%p = phi fast <vscale x 2 x float> [ %a, %x ], [ zeroinitializer, %y ]",
    '%s = alloca inalloca target("spirv.Image", void, 1), i64 %n, align 8, addrspace(5)',
    "%k = catchpad within %s [ptr @t, i32 64, ptr %e]",
    "call void ptrauth (ptr @f, i32 0, i64 7)() #1",
    "%e = extractvalue { i32, [4 x { i8, %T }] } %v, 1, 2, 0",
    "br i1 trunc (i8 ptrtoint (ptr @g to i8) to i1), label %x, label %y",
    "call void dso_local_equivalent @f(ptr no_cfi @g)",
]  # fmt: skip


def refilled(instruction):
    """Put the locals back into a form; what metadata followed is cut off."""
    names = iter(instruction.locals)
    return [next(names) if lexeme == HOLE else lexeme for lexeme in instruction.form.lexemes]


def assert_accounted_for(instruction):
    """Every lexeme of the text belongs to the form, to a local or to the metadata at the end."""
    found = lexemes(instruction.text)
    form = refilled(instruction)
    known = [theirs for theirs, ours in zip(found, form, strict=False) if ours != HOLE]
    assert known == [ours for ours in form if ours != HOLE]
    rest = found[len(form) :]
    assert rest[:1] in ([], [","])
    assert all(lexeme[0] == "!" for lexeme in rest[1:2])
    holes = [hole for operand in every_operand(instruction.form) for hole in operand.holes]
    holes += [*instruction.form.labels, *[0] * instruction.form.has_result]
    assert sorted(holes) == list(range(len(instruction.locals)))


def every_operand(form):
    """Return the operands of a form, with callee and bundles as LLVM counts them."""
    call = form.call
    bundles = [operand for _, operands in call.bundles for operand in operands] if call else []
    return [*form.operands, *bundles, *([call.callee] if call else [])]


@pytest.mark.parametrize("text", ODD)
def test_odd_instructions_are_accounted_for(text):
    instruction = FormTable(TypeTable()).read(text)
    assert instruction.text == text
    assert_accounted_for(instruction)


def test_instructions_that_differ_in_locals_and_metadata_share_a_form():
    table = FormTable(TypeTable())
    first = table.read("%x = add nsw i32 %a, %b, !dbg !4")
    second = table.read('%"u v" = add nsw i32 %7, %8')
    assert first.form is second.form
    assert second.locals == ('%"u v"', "%7", "%8")
    assert (second.result, second.opcode) == ('%"u v"', "add")
    assert table.read("%x = add nsw i32 %a, 1").form is not first.form
    assert table.read("%x = sub nsw i32 %a, %b").form is not first.form


def test_metadata_by_kind():
    text = "%x = load i32, ptr %p, align 4, !dbg !7, !range !{i32 0, i32 9}, !nonnull !3"
    instruction = FormTable(TypeTable()).read(text)
    assert instruction.metadata == {"dbg": "!7", "range": "! { i32 0 , i32 9 }", "nonnull": "!3"}
    assert FormTable(TypeTable()).read("ret void").metadata == {}


def test_names_of_types_belong_to_the_form():
    table = FormTable(TypeTable())
    texts = ["%a = load %a, ptr %p", "%b = load %a, ptr %q", "%a = load %b, ptr %p"]
    first, second, third = (table.read(text) for text in texts)
    assert first.form is second.form
    assert first.form is not third.form
    assert [i.locals for i in (first, third)] == [("%a", "%p"), ("%a", "%p")]
    assert (first.form.type.name, third.form.type.name) == ("%a", "%b")


names = st.from_regex(r"%([a-z.$_-]{1,6}|[0-9]{1,3}|\"[^\"\n]{0,6}\")", fullmatch=True)


@given(st.lists(names, min_size=3, max_size=3))
def test_any_names_will_do(chosen):
    result, value, pointer = chosen
    texts = [
        f"{result} = atomicrmw add ptr {pointer}, i32 {value} seq_cst",
        f"store %T {value}, ptr {pointer}",
    ]
    for text in texts:
        assert_accounted_for(FormTable(TypeTable()).read(text))


def read(text):
    return FormTable(TypeTable()).read(text).form


def test_a_call():
    form = read(
        '%x = tail call fast noalias ptr @f(ptr nonnull byval(i8) %p, i64 7) #1 [ "tag"(i32 %b) ]'
    )
    assert (form.opcode, form.flags, form.call.tail) == ("call", ("fast",), "tail")
    assert form.call.callee.lexemes == ("@f",)
    assert "noalias" in form.call.return_attributes
    assert form.call.groups == ("#1",)
    pointer, number = form.operands
    assert (pointer.hole, list(pointer.attributes)) == (1, ["nonnull", "byval"])
    assert (number.hole, number.lexemes, number.type.bits) == (None, ("7",), 64)
    ((tag, (bundled,)),) = form.call.bundles
    assert (tag, bundled.hole) == ('"tag"', 2)
    assert form.call.type.parameters == (pointer.type, number.type)


def test_a_phi_has_a_label_per_value():
    form = read("%x = phi i32 [ %a, %l ], [ 1, %m ]")
    assert [operand.hole for operand in form.operands] == [1, None]
    assert form.labels == (2, 3)


def test_a_switch_starts_with_its_default():
    form = read("switch i8 %a, label %d [ i8 1, label %x i8 2, label %y ]")
    assert [operand.lexemes for operand in form.operands] == [("%",), ("1",), ("2",)]
    assert form.labels == (1, 2, 3)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("%x = icmp eq <4 x i32> %a, %b", "<4 x i1>"),
        ("%x = fcmp fast olt float %a, 1.0", "i1"),
        ("%x = getelementptr i8, ptr %p, <2 x i64> %i", "<2 x ptr>"),
        ("%x = getelementptr i8, <2 x ptr> %p, i64 %i", "<2 x ptr>"),
        ("%x = cmpxchg ptr %p, i8 %a, i8 %b seq_cst monotonic", "{ i8, i1 }"),
        ("%x = extractvalue { i8, [2 x half] } %a, 1, 0", "half"),
        ("%x = insertvalue { i8, half } %a, half %b, 1", "{ i8, half }"),
        ("%x = extractelement <2 x half> %a, i32 1", "half"),
        ("%x = shufflevector <2 x i8> %a, <2 x i8> %b, <4 x i32> zeroinitializer", "<4 x i8>"),
        ("%x = select i1 %c, ptr %a, ptr null", "ptr"),
        ("%x = alloca i32, addrspace(5)", "ptr addrspace(5)"),
        ("%x = va_arg ptr %p, { i32, ptr }", "{ i32, ptr }"),
        ("%x = landingpad { ptr, i32 } cleanup catch ptr @t", "{ ptr, i32 }"),
        ("%x = cleanuppad within none []", "token"),
        ("%x = zext nneg i8 %a to i64", "i64"),
        ("%x = atomicrmw xchg ptr %p, float %v acquire", "float"),
        ("%x = call i32 (ptr, ...) @printf(ptr @s)", "i32"),
        ("store i8 1, ptr %p", "void"),
    ],
)
def test_types_of_results(text, kind):
    types = TypeTable()
    form = FormTable(types).read(text).form
    assert form.type is types.parse(lexemes(kind))[0]


def test_what_memory_accesses_say():
    form = read(
        '%x = cmpxchg weak volatile ptr %p, i8 %a, i8 1 syncscope("s") acq_rel acquire, align 2'
    )
    assert form.flags == ("weak", "volatile")
    assert (form.scope, form.ordering, form.alignment) == ('"s"', ("acq_rel", "acquire"), 2)
    assert isinstance(read("%x = alloca i32, i64 %n, align 4").element, IntegerType)


@pytest.mark.parametrize(
    "text",
    ["add i32 %a", "%x = add i32 %a, 1, 2", "br i1 %c, label %x", "%x = load i32 ptr %p", "ret",
     "store i32 %, ptr %p", "%x = phi i32 [ %a, 1 ]", "call void @f(", "resume"],
)  # fmt: skip
def test_what_llvm_does_not_print_is_refused(text):
    with pytest.raises((ValueError, IndexError)):
        read(text)


def test_an_unknown_opcode_is_refused_by_name():
    with pytest.raises(UnknownOpcodeError, match="frobnicate"):
        read("%x = frobnicate i32 %a")


OPERANDS = """
import json, sys
import llvmlite.binding as llvm
for path in sys.argv[1:]:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        module = llvm.parse_assembly(file.read())
    print(json.dumps([
        [[i.opcode, len(list(i.operands))] for b in f.blocks for i in b.instructions]
        for f in module.functions if not f.is_declaration
    ]))
"""


def operand_count(form):
    """Count operands as LLVM does.

    Labels are operands, except of a phi, and so is the size that alloca seldom shows; the values
    of cases and the mask of a shuffle are not.
    """
    count = len(every_operand(form)) + len(form.labels) * (form.opcode != "phi")
    if form.opcode == "alloca":
        return 1
    if form.opcode == "switch":
        return 1 + len(form.labels)
    return count - (form.opcode == "shufflevector")


def assert_operands_as_llvm_counts_them(texts, folder):
    paths = []
    for number, text in enumerate(texts):
        path = folder / f"{number}.ll"
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        paths.append(str(path))
    command = [sys.executable, "-c", OPERANDS, *paths]
    lines = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    for text, line in zip(texts, lines, strict=True):
        functions = read_module(text).functions
        for function, theirs in zip(functions, json.loads(line), strict=True):
            ours = [[i.opcode, operand_count(i.form)] for i in function.instructions]
            assert ours == theirs, function.name
            for instruction in function.instructions:
                assert_accounted_for(instruction)


def test_operands_of_random_modules(tmp_path):
    paths = []
    for seed in range(10):
        paths.append(str(tmp_path / f"random{seed}.ll"))
        (tmp_path / f"random{seed}.ll").write_text(random_module(seed), encoding="utf-8")
    texts = [module.text for module in read_with_llvm(paths)]
    assert len(texts) == 10
    assert_operands_as_llvm_counts_them(texts, tmp_path)


@pytest.mark.slow
def test_operands_of_llvm_tests(data, tmp_path):
    with llvm_suites(data) as paths:
        texts = [module.text for module in read_with_llvm(paths)]
    assert len(texts) > 700
    assert_operands_as_llvm_counts_them(texts, tmp_path)
