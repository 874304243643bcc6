import pytest

from ir_pipeline import read_functions
from ir_pipeline.sources.find import find_units


@pytest.fixture
def tree(tmp_path):
    """Writes a project's files; gives the include folders guessed for one of them."""

    def make(files, name="src/a.c"):
        root = tmp_path / "tree"
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        units = {unit.name: unit for unit in find_units([root], tmp_path / "scratch")}
        assert set(units[name].flags[::2]) <= {"-idirafter"}
        return [folder.removeprefix("./") for folder in units[name].flags[1::2]]

    return make


def test_nothing_is_guessed_where_the_usual_folders_have_all(tree):
    assert tree({"src/a.c": '#include "b.h"\n#include <stdio.h>\n#include "c.h"', "src/b.h": "",
                 "include/c.h": ""}) == []  # fmt: skip


def test_the_folder_of_a_header_is_found_by_the_end_of_its_path(tree):
    files = {"src/a.c": '#include <lib/x.h>\n#  include "y.h"'}
    files |= {"other/lib/x.h": "", "deep/er/y.h": ""}
    assert tree(files) == ["other", "deep/er"]


def test_what_headers_ask_for_is_found_too(tree):
    files = {"src/a.c": "#include <x.h>", "one/x.h": '#include "y.h"\n#include "z.h"'}
    files |= {"one/y.h": "", "two/z.h": '#include "x.h"'}
    assert tree(files) == ["one", "two"]


def test_of_two_headers_the_nearer_one_is_taken(tree):
    files = {"lib/one/src/a.c": "#include <x.h>"}
    files |= {"lib/one/inc/x.h": "", "lib/inc/x.h": "", "inc/x.h": ""}
    assert tree(files, "lib/one/src/a.c") == ["lib/one/inc"]


def test_a_header_of_the_systems_is_never_replaced(tmp_path):
    (tmp_path / "t/compat").mkdir(parents=True)
    (tmp_path / "t/src").mkdir()
    (tmp_path / "t/compat/string.h").write_text("#error not this one")
    (tmp_path / "t/compat/n.h").write_text("#define N 3")
    code = "#include <string.h>\n#include <n.h>\nint f(const char *s) { return N; }"
    (tmp_path / "t/src/a.c").write_text(code)
    assert [row.function for row in read_functions([tmp_path / "t"])] == ["f"]
