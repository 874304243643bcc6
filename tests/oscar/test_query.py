import pytest

from ir_pipeline.rows.symbol_names import source_name
from oscar.query import Query
from static_analysis import OscarError


def test_a_query_names_a_file_or_a_function_in_it(project):
    file = project / "sum.c"
    assert Query.parse(str(file)) == Query(file)
    assert Query.parse(f"{file}:sum") == Query(file, "sum")
    assert Query.parse(f"{file}:maths::sign") == Query(file, "maths::sign")


def test_a_file_name_may_hold_colons(tmp_path):
    file = tmp_path / "a:b.c"
    file.touch()
    assert Query.parse(str(file)) == Query(file)
    assert Query.parse(f"{file}:f") == Query(file, "f")


def test_no_such_file_is_one_clear_line():
    with pytest.raises(OscarError, match=r"there is no file 'nowhere\.c:f'"):
        Query.parse("nowhere.c:f")


def test_all_functions_of_a_file_or_the_one_named(project):
    file = project / "sum.c"
    assert [row.function for row in Query(file).read()] == ["sum", "product"]
    assert [row.function for row in Query(file, "product").read()] == ["product"]


@pytest.mark.parametrize("name", ["maths::sign", "_ZN5maths4signEd"])
def test_a_mangled_function_goes_by_each_of_its_names(project, name):
    (row,) = Query(project / "sign.cpp", name).read()
    assert source_name(row.function) == "maths::sign"


def test_an_unknown_function_is_told_what_there_is(project):
    with pytest.raises(OscarError, match=r"no function 'nope'; it has: product, sum"):
        Query(project / "sum.c", "nope").read()


def test_a_file_that_does_not_compile_says_why(tmp_path):
    file = tmp_path / "broken.c"
    file.write_text("int f( { return 1; }")
    with pytest.raises(OscarError, match=r"could not be read .*expected"):
        Query(file).read()
