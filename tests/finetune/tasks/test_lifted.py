import json

import pytest

from finetune.tasks.binary_diffing import diff
from finetune.tasks.lifted import lifted_builds, read_names
from static_analysis import OscarError

ADD = "define i32 @{}(i32 %x) {{\n  %y = add i32 %x, {}\n  ret i32 %y\n}}\n"


def module(folder, name, functions):
    path = folder / f"{name}.ll"
    path.write_text("".join(ADD.format(called, number) for called, number in functions))
    return path


@pytest.fixture
def named(tmp_path):
    """Two programs whose lifter knew the functions' names, in another order."""
    return (
        module(tmp_path, "a", [("open", 1), ("close", 2), ("start", 3)]),
        module(tmp_path, "b", [("close", 2), ("open", 1), ("function_401000", 4)]),
    )


@pytest.fixture
def stripped(tmp_path):
    """Two programs of which only addresses are known."""
    return (
        module(tmp_path, "c", [("function_401000", 1), ("function_401020", 2)]),
        module(tmp_path, "d", [("function_1040", 2), ("function_1080", 1)]),
    )


def matched(builds):
    found = diff(*builds)
    first, second = (build.functions for build in builds)
    return {
        first[query].function: second[found.pool[place]].function
        for query, place in zip(found.queries, found.right, strict=True)
    }


def test_functions_of_one_name_are_the_same(named):
    assert matched(lifted_builds([named[0]], [named[1]])) == {"open": "open", "close": "close"}


def test_a_file_says_which_are_the_same_where_names_differ(stripped):
    names = {"function_401000": "function_1080", "gone": "function_1040"}
    builds = lifted_builds([stripped[0]], [stripped[1]], names)
    assert matched(builds) == {"function_401000": "function_1080"}


@pytest.mark.parametrize(
    "name",
    [
        "function_401000",
        "sub_401a2c",
        "FUN_00401000",
        "fcn.00401000",
        "local_0x4010:Code_x86_64",
        "0x1234",
    ],
)
def test_a_name_made_of_an_address_says_nothing_of_another_program(tmp_path, name):
    first, second = (
        module(tmp_path, side, [(f'"{name}"', number), ("decade1", 5), ("sub_dead", 6)])
        for side, number in (("e", 1), ("f", 2))
    )
    assert set(matched(lifted_builds([first], [second]))) == {"decade1", "sub_dead"}
    both = lifted_builds([first], [second], {name: name})
    assert set(matched(both)) == {name}


def test_a_name_that_two_functions_have_tells_neither(named, tmp_path):
    more = module(tmp_path, "more", [("open", 7)])
    builds = lifted_builds([named[0], more], [named[1]])
    assert matched(builds) == {"close": "close"}
    assert len(builds[0].functions) == 4


def test_modules_are_read_as_they_are(tmp_path):
    text = "define i32 @f(i32 %x) {\n  %p = alloca i32\n  store i32 %x, ptr %p\n  ret i32 %x\n}\n"
    (tmp_path / "m.ll").write_text(text)
    (build, _) = lifted_builds([tmp_path / "m.ll"], [tmp_path / "m.ll"])
    assert [tokens[0] for tokens in build.functions[0].tokens][1:] == ["store", "ret"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (None, r"no function has the same name.* in .*c\.ll and in .*d\.ll: give --names"),
        ({"gone": "function_1040"}, "no pair of --names is in"),
    ],
)
def test_programs_that_share_nothing_are_one_clear_line(stripped, names, said):
    with pytest.raises(OscarError, match=said):
        lifted_builds([stripped[0]], [stripped[1]], names)


@pytest.mark.parametrize(
    ("name", "text"),
    [("names.csv", 'a,b\n"c d", e\n\n'), ("names.json", json.dumps({"a": "b", "c d": "e"}))],
)
def test_names_are_read_from_csv_and_json(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert read_names(tmp_path / name) == {"a": "b", "c d": "e"}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("gone.csv", None, "cannot be read"),
        ("names.csv", "a,b,c\n", "is no pair of names"),
        ("names.csv", "a\n", "is no pair of names"),
        ("names.csv", "a,b\nc,b\n", "'b' stands 2 times in column 2"),
        ("names.json", '{"a": "b", "a": "c"}', "'a' stands 2 times in column 1"),
        ("names.json", '{"a": 3}', "is no pair of names"),
        ("names.json", "[3]", "cannot be read"),
        ("names.json", '"ab"', "is no pair of names"),
        ("names.json", "{", "cannot be read"),
    ],
)
def test_a_file_that_is_no_list_of_pairs_is_one_clear_line(tmp_path, name, text, said):
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(OscarError, match=said):
        read_names(tmp_path / name)
