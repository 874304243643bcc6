import pytest

from ir_pipeline.sources.content import content_hash
from ir_pipeline.sources.find import find_units


@pytest.fixture
def tree(tmp_path):
    for name in ("b.c", "a/x.cpp", "a/x.h", "detail/deep/x.h", "detail/y.tcc", "README"):
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return tmp_path / "tree"


@pytest.fixture
def current(tmp_path):
    return lambda source: content_hash(find_units([source], tmp_path))


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("b.c", True),
        ("a/x.h", True),
        ("detail/deep/x.h", True),
        ("detail/y.tcc", True),
        ("README", False),
    ],
)
def test_the_hash_sees_what_a_unit_may_include(tree, current, name, seen):
    before = current(tree)
    assert current(tree) == before
    (tree / name).write_text("int x;")
    assert (current(tree) != before) == seen


def test_the_hash_sees_sources_that_a_build_only_includes(tree, current):
    database = '[{"directory": ".", "file": "b.c", "command": "cc -c b.c"}]'
    (tree / "compile_commands.json").write_text(database)
    before = current(tree)
    (tree / "a/x.cpp").write_text("int x;")
    assert current(tree) != before


@pytest.mark.parametrize("name", ["b.c", "a/x.h", "detail/deep/x.h"])
def test_the_hash_sees_names(tree, current, name):
    before = current(tree)
    (tree / name).rename((tree / name).with_stem("other"))
    assert current(tree) != before


def test_the_hash_of_a_file_sees_what_it_includes_and_nothing_else(tree, current):
    (tree / "b.c").write_text('#include "detail/deep/x.h"')
    before = current(tree / "b.c")
    (tree / "b.h").write_text("int x;")
    assert current(tree / "b.c") == before
    (tree / "detail/deep/x.h").write_text("int x;")
    assert current(tree / "b.c") != before


def test_the_hash_does_not_depend_on_where_a_folder_stands(tree, current, tmp_path):
    before = current(tree)
    (tmp_path / "moved").mkdir()
    tree.rename(tmp_path / "moved" / "tree")
    assert current(tmp_path / "moved" / "tree") == before


def test_what_cannot_be_read_is_hashed_all_the_same(tree, current):
    (tree / "gone.h").symlink_to(tree / "nowhere")
    (tree / "a" / "x.h").chmod(0)
    assert current(tree)
