import pytest

from ir_pipeline.errors import LoweringError
from ir_pipeline.lowering.llvm import optimisable, parse, printed, target_machine
from static_analysis import OscarError

DEBUG = """
define i32 @f(i32 %x) !dbg !4 {
entry:
    #dbg_value(i32 %x, !7, !DIExpression(), !8)
  %y = add i32 %x, 1, !dbg !8, !note !9
  %z = load i32, ptr null, align 4, !note !9, !dbg !8
  ret i32 %y, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocalVariable(name: "x", scope: !4, file: !1)
!8 = !DILocation(line: 1, scope: !4)
!9 = !{!"kept"}
"""


def rejection(data: bytes) -> LoweringError:
    with pytest.raises(LoweringError) as caught:
        parse(data)
    assert "\n" not in str(caught.value)
    return caught.value


def test_bitcode_and_text_are_the_same_module(loops_ir):
    module = parse(loops_ir.encode())
    assert printed(module) == loops_ir
    assert printed(parse(module.as_bitcode())) == loops_ir


def test_printed_text_has_no_debug_places_and_is_still_ir():
    text = printed(parse(DEBUG.encode()))
    assert "!dbg" not in text
    assert "#dbg" not in text
    assert text.count("!note") == 2
    parse(text.encode())


def test_only_attributes_lose_noinline():
    text = 'define void @f() #0 {\n  ret void\n}\n\n@s = constant [9 x i8] c" noinline"\n'
    text += "attributes #0 = { noinline nounwind optnone }\n"
    changed = optimisable(text)
    assert 'c" noinline"' in changed
    assert "attributes #0 = { nounwind }" in changed
    parse(changed.encode())


def test_what_is_no_ir_is_called_so():
    assert rejection(b"int main() {}").reason == "invalid IR"
    assert rejection(b"define void @f() {\n  ret i32 1\n}").reason == "invalid IR"
    assert rejection(b"define void @f() {\n").reason == "invalid IR"
    assert rejection(b"BC\xc0\xde" + bytes(range(64))).reason == "invalid IR"
    assert rejection(b"BC\xc0\xde").stage == "parse"


def test_zero_bytes_do_not_hide_the_rest_of_a_file():
    hidden = b"define void @f() {\n  ret void\n}\n\0define"
    assert rejection(hidden).reason == "not text"


def test_another_version_is_named():
    new = b'define void @f(ptr brand_new %x) {\n ret void\n}\n!0 = !{!"clang version 23.0.0"}'
    error = rejection(new)
    assert error.reason == "IR of another version"
    assert "made by LLVM 23" in str(error)
    old = b"@x = global i1 icmp eq (i32 1, i32 2)\n"
    assert rejection(old).reason == "IR of another version"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("define void @f(ptr dead_on_return(24) %x) {\n ret void\n}", "dead_on_return"),
        ("define void @f(ptr brand_new %x) {\n ret void\n}", "brand_new"),
        ("define void @f() brand_new {\n ret void\n}", "brand_new"),
        ("attributes #0 = { brand_new }\ndefine void @f() #0 {\n ret void\n}", "brand_new"),
        ("@x = global i32 0, brand_new", "brand_new"),
        ("define i32 @f(i32 %x) {\n  %y = brandnew i32 %x\n  ret i32 %y\n}", "brandnew"),
    ],
)
def test_a_word_that_only_a_newer_llvm_knows_is_named(text, word):
    error = rejection(text.encode())
    assert error.reason == "IR of another version"
    assert f"does not know the word '{word}'" in str(error)


def test_names_in_any_encoding_are_read():
    assert "define" in printed(parse('define void @"\u00fc"() {\n  ret void\n}'.encode()))
    assert "define" in printed(parse(b"; \xff\ndefine void @f() {\n  ret void\n}"))


@pytest.mark.parametrize(
    ("triple", "made"),
    [
        ("x86_64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"),
        ("aarch64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"),
        ("", "x86_64-unknown-linux-gnu"),
        ("abacus-unknown-none", "x86_64-unknown-linux-gnu"),
    ],
)
def test_cost_models_are_those_of_the_modules_target(triple, made):
    assert target_machine(triple).triple == made


def test_an_llvm_without_x86_is_refused(monkeypatch):
    monkeypatch.setattr("ir_pipeline.lowering.llvm._COMPILED_FOR", "abacus-unknown-none")
    with pytest.raises(OscarError, match="without x86-64"):
        target_machine("another-abacus")


def test_text_that_looks_like_a_debug_place_is_kept():
    text = """
@s = constant [18 x i8] c"foo, !dbg !1, bar\\00"
define void @"x, !dbg !1, y"() {
  ret void
}
"""
    found = printed(parse(text.encode()))
    assert 'c"foo, !dbg !1, bar\\00"' in found
    assert '@"x, !dbg !1, y"()' in found
