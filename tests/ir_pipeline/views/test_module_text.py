from ir_pipeline.lowering.llvm import parse, printed
from ir_pipeline.views.module_text import definitions, keep_definitions
from static_analysis import analyse

TEXT = r"""
%"class.a@b(" = type { i32 }

define i32 @plain(i32 %x) {
  ret i32 %x
}

define linkonce_odr hidden noundef ptr @"odd \22name\22("(ptr %x) comdat {
  %s = call ptr asm "} @fake(", "=r,r"(ptr %x)
  ret ptr %s
}

$"odd \22name\22(" = comdat any

declare void @declared(ptr)

define internal void @_ZN1aC2Ev(ptr sret(%"class.a@b(") %x) {
  ret void
}
"""


def test_definitions_with_name_and_linkage():
    found = [(d.name, d.linkage) for d in definitions(TEXT)]
    assert found == [
        ("plain", "external"),
        ('odd "name"(', "linkonce_odr"),
        ("_ZN1aC2Ev", "internal"),
    ]


def test_only_what_is_kept_remains(loops_ir):
    kept = keep_definitions(loops_ir, {"power"})
    assert [d.name for d in definitions(kept)] == ["power"]
    assert kept.endswith(loops_ir[loops_ir.rindex("\n}\n") + 3 :])
    assert keep_definitions(loops_ir, {"twice", "power", "digits"}) == loops_ir


def test_what_is_cut_stays_as_a_declaration():
    kept = keep_definitions(TEXT, {"plain"})
    assert r'declare linkonce_odr hidden noundef ptr @"odd \22name\22("(ptr %x) comdat' in kept
    assert [function.name for function in analyse(kept)] == ["plain"]


def test_all_definitions_that_llvm_prints_are_found():
    text = printed(parse(TEXT.replace('%"class.a@b("', "%t").encode()))
    assert len(list(definitions(text))) == 3
