import pytest

from static_analysis import IRError
from static_analysis.reading.entities import parse_global, parse_group, parse_prototype
from static_analysis.reading.lexer import lexemes
from static_analysis.reading.type_table import TypeTable
from static_analysis.reading.types import ArrayType, FunctionType, IntegerType, PointerType


def read(line):
    return parse_global(line, TypeTable())


def test_a_constant_string():
    found = read(r'@.str = private unnamed_addr constant [3 x i8] c"%d\00", align 1')
    assert (found.name, found.kind, found.linkage) == ("@.str", "constant", "private")
    assert isinstance(found.type, ArrayType)
    assert found.value == r'c"%d\00", align 1'
    assert not found.is_declaration


def test_an_external_variable():
    found = read(
        "@x = external thread_local(initialexec) addrspace(3) externally_initialized global i32"
    )
    assert (found.kind, found.linkage, found.address_space) == ("global", "external", 3)
    assert found.is_declaration
    assert found.thread_local
    assert found.externally_initialized
    assert isinstance(found.type, IntegerType)
    assert found.value == ""


@pytest.mark.parametrize(
    ("line", "kind", "value"),
    [
        ("@a = global i32 0", IntegerType, "0"),
        ("@a = global ptr addrspace(1) @b", PointerType, "@b"),
        ('@"global x" = global [2 x %"]"] zeroinitializer', ArrayType, "zeroinitializer"),
        ("@a = weak alias i32 (ptr, ...), ptr @f", FunctionType, "ptr @f"),
        ("@a = ifunc void (), ptr @resolve", FunctionType, "ptr @resolve"),
        ("@a = alias i32, getelementptr (i32, ptr @b, i64 1)", IntegerType,
         "getelementptr (i32, ptr @b, i64 1)"),
    ],
)  # fmt: skip
def test_type_and_value_are_told_apart(line, kind, value):
    found = read(line)
    assert type(found.type) is kind
    assert found.value == value


def test_what_is_no_global_is_refused():
    with pytest.raises(ValueError, match="neither"):
        read("@a = comdat any")


def prototype(line):
    return parse_prototype(1, lexemes(line), TypeTable())


def test_a_definition():
    found = prototype(
        "define linkonce_odr dso_local fastcc noundef range(i32 0, 2) i32 @f(ptr noalias "
        "dereferenceable(8) %this, %struct.S byval(%struct.S) align 4 %0, ...) #3 "
        "personality ptr @p {"
    )
    assert (found.name, found.linkage, found.groups) == ("@f", "linkonce_odr", ("#3",))
    assert list(found.return_attributes) == ["dso_local", "fastcc", "noundef", "range"]
    assert [parameter.name for parameter in found.parameters] == ["%this", "%0"]
    assert list(found.parameters[0].attributes) == ["noalias", "dereferenceable"]
    assert found.parameters[1].attributes["byval"] is found.parameters[1].type
    assert found.type.variadic
    assert found.type.parameters == tuple(parameter.type for parameter in found.parameters)


def test_a_declaration():
    found = prototype("declare !dbg !7 noalias ptr @malloc(i64 noundef) #1")
    assert found.linkage == "external"
    assert list(found.return_attributes) == ["noalias"]
    assert [parameter.name for parameter in found.parameters] == [""]
    assert not found.type.variadic


def test_a_declaration_without_a_name_is_refused():
    with pytest.raises(IRError, match="line 1 declares a function without a name"):
        prototype("declare void ()")


def test_a_group():
    line = 'attributes #0 = { nounwind memory(argmem: read) alignstack=16 "x"="y" "z" }'
    assert parse_group(lexemes(line), TypeTable()) == {
        "nounwind": "",
        "memory": "argmem : read",
        "alignstack": "16",
        '"x"': '"y"',
        '"z"': "",
    }
