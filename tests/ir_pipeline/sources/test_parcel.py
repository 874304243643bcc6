import os
import shutil
from dataclasses import replace

import pytest

from ir_pipeline.lowering.frontend import Frontend
from ir_pipeline.sources.find import find_units
from ir_pipeline.sources.parcel import moved, pack, places_of, unpack_parcel
from ir_pipeline.sources.units import Unit


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "tree"
    files = {
        "a.c": '#include "conf.h"\n#include "deep/linked.h"\nint f(void) { return N + M; }',
        "include/conf.h": "#define N 1",
        "deep/real.h": "#define M 2",
        "new\nline.h": "",
        "COPYING": "free",
        ".hidden/x.h": "",
        ".git/objects/x": "history",
        "deep/empty.txt": "",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / os.fsdecode(b"caf\xe9.h")).touch()
    (root / "a.o").write_bytes(b"\x7fELF" + bytes(100))
    # Links of every kind: inside by a relative and an absolute name, outside, in a circle.
    (root / "deep/linked.h").symlink_to("real.h")
    (root / "absolute.h").symlink_to(root / "deep/real.h")
    (root / "folder").symlink_to("deep")
    (root / "passwd.h").symlink_to("/etc/passwd")
    (root / "up").symlink_to("..")
    (root / "circle.h").symlink_to("circle.h")
    (root / "dangling.h").symlink_to("nowhere.h")
    os.mkfifo(root / "pipe")
    return root


def sent(source, folder, scratch):
    """The units of a source as they are on a machine that got nothing but its parcels."""
    units = find_units([source], scratch)
    places = {}
    for place in dict.fromkeys(place for unit in units for place in places_of(unit)):
        places[place] = folder / str(len(places))
        places[place].mkdir(parents=True)
        unpack_parcel(pack(place, units), places[place])
    return units, [moved(unit, places) for unit in units]


def names(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def test_a_folder_travels_with_all_that_its_units_may_read(tree, tmp_path):
    sent(tree, tmp_path / "there", tmp_path)
    there = tmp_path / "there/0"
    assert names(there) == {
        *(
            "COPYING",
            "a.c",
            "include/conf.h",
            "deep/real.h",
            "new\nline.h",
            ".hidden/x.h",
            "deep/empty.txt",
        ),
        *(os.fsdecode(b"caf\xe9.h"), "deep/linked.h", "absolute.h", "dangling.h"),
    }
    assert (there / "absolute.h").read_text() == "#define M 2"
    assert (there / "folder/real.h").read_text() == "#define M 2"


@pytest.mark.parametrize("single", [False, True], ids=["folder", "file"])
def test_units_give_the_same_ir_there(tree, tmp_path, toolchain, limits, single):
    source = tree / "a.c" if single else tree
    [here], [there] = sent(source, tmp_path / "there", tmp_path)
    assert str(tree) not in str(replace(there, links=()))
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    expected = Frontend(toolchain, limits, tmp_path / "one").compile_file(here)
    shutil.rmtree(tree)
    assert Frontend(toolchain, limits, tmp_path / "two").compile_file(there) == expected


def test_a_file_travels_with_what_it_includes_and_its_licence(tree, tmp_path):
    sent(tree / "a.c", tmp_path / "there", tmp_path)
    assert names(tmp_path / "there/0") == {"COPYING", "a.c", "include/conf.h", "deep/linked.h"}


def test_a_unit_that_leads_out_can_be_read_nowhere(tree, tmp_path):
    (tree / "b.c").symlink_to("/etc/passwd")
    here, there = sent(tree, tmp_path / "there", tmp_path)
    for units in (here, there):
        unit = next(unit for unit in units if unit.name == "b.c")
        with pytest.raises(OSError, match="leads out of the project"):
            unit.content()


def test_the_build_folder_travels_too(tree, tmp_path):
    build = tmp_path / "build"
    build.mkdir()
    (build / "made.h").touch()
    (build / "made.c").touch()
    flags = ("-I", str(build), "-DX=1")
    unit = Unit("p", "build/made.c", "c", tree, build / "made.c", flags=flags, build=build)
    assert places_of(unit) == (tree, build)
    there = moved(unit, {tree: tmp_path / "t", build: tmp_path / "b"})
    assert (there.root, there.build) == (tmp_path / "t", tmp_path / "b")
    assert there.path == tmp_path / "b/made.c"
    assert there.flags == ("-I", str(tmp_path / "b"), "-DX=1")
    assert there.portable_flags == unit.portable_flags
    unpack_parcel(pack(build, [unit]), tmp_path)
    assert (tmp_path / "made.h").exists()


def test_fragments_travel_by_themselves():
    unit = Unit("p", "x:1", "fragment", None, code="int x;")
    assert places_of(unit) == ()
    assert moved(unit, {}) == unit
