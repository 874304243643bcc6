import json

import pytest
from datasets import load_dataset

from ir_pipeline import build_corpus, open_corpus
from ir_pipeline.corpus.parting import Rule
from ir_pipeline.corpus.split import split
from ir_pipeline.corpus.verify import verify
from static_analysis import OscarError


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    """A corpus of 30 small modules; every third has the same function."""
    folder = tmp_path_factory.mktemp("many")
    for i in range(30):
        number = i if i % 3 else 0
        text = f"define i32 @f(i32 %x) {{\n  %y = add i32 %x, {number}\n  ret i32 %y\n}}\n"
        (folder / f"{i:02d}.ll").write_text(text)
    build_corpus([folder], folder / "corpus", views=("O0", "O1"), workers=1)
    return open_corpus(folder / "corpus")


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}


@pytest.fixture(scope="module")
def parts(modules, tmp_path_factory):
    out = tmp_path_factory.mktemp("parts") / "out"
    split(modules, out, Rule("unit", (60, 20, 20), 0, False))
    return out


def test_each_part_is_a_sound_corpus_and_together_they_are_the_whole(modules, parts):
    names = ("train", "validation", "test")
    for name in names:
        assert list(verify(parts / name)) == []
        part = open_corpus(parts / name).manifest["options"]["part"]
        assert (part["name"], part["by"], part["fractions"]) == (name, "unit", [60, 20, 20])
    rows = [row for name in names for row in open_corpus(parts / name).all_rows()]
    key = lambda row: (row.unit, row.view)  # noqa: E731
    assert sorted(rows, key=key) == sorted(modules.all_rows(), key=key)
    counts = [open_corpus(parts / name).manifest["counts"] for name in names]
    for what in ("units", "functions", "rows", "instructions"):
        assert sum(count[what] for count in counts) == modules.manifest["counts"][what]


def test_the_same_rule_writes_the_same_bytes(modules, parts, tmp_path):
    split(modules, tmp_path / "again", Rule("unit", (60, 20, 20), 0, False))
    assert files(tmp_path / "again") == files(parts)


def test_without_clones_no_structure_is_in_two_parts(modules, tmp_path):
    counts, parting = split(modules, tmp_path / "out", Rule("unit", (60, 20, 20), 0, True))
    seen = {}
    for name, part in counts.items():
        rows = list(open_corpus(tmp_path / "out" / name).rows("O0"))
        assert part.functions == len({row.group for row in rows})
        for row in rows:
            assert seen.setdefault(row.structure, name) == name
        assert list(verify(tmp_path / "out" / name)) == []
    assert parting.clones.total() == sum(
        part.dropped["clone of another part"] for part in counts.values()
    )
    assert parting.clones.total() > 0
    assert sum(part.functions for part in counts.values()) == 30 - parting.clones.total()


def test_datasets_finds_the_parts_by_itself(parts, tmp_path):
    found = load_dataset(str(parts), cache_dir=str(tmp_path))
    assert {name: len(rows) for name, rows in found.items()} == {
        name: open_corpus(parts / name).manifest["counts"]["rows"]
        for name in ("train", "validation", "test")
    }
    assert next(iter(found["train"]))["function"] == "f"


def test_a_part_is_not_taken_for_the_corpus_that_it_is_of(modules, parts):
    with pytest.raises(OscarError, match="holds a corpus of other sources, options or tools"):
        build_corpus([modules.path.parent], parts / "train", views=("O0", "O1"), workers=1)


def test_empty_parts_and_used_folders_are_refused_before_anything_is_written(modules, tmp_path):
    with pytest.raises(OscarError, match=r"nothing is left for .*: too few projects; part it --by"):
        split(modules, tmp_path / "out", Rule("project", (80, 10, 10), 0, False))
    assert not (tmp_path / "out").exists()
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "file"):
        with pytest.raises(OscarError, match="holds other files"):
            split(modules, place, Rule("unit", (80, 10, 10), 0, False))
    with pytest.raises(OscarError, match="has no label"):
        split(modules, tmp_path / "out", Rule("label", (80, 10, 10), 0, False))


def test_progress_counts_rows(modules, tmp_path):
    seen = []
    rule = Rule("unit", (50, 50), 3, False)
    split(modules, tmp_path / "out", rule, lambda done, total: seen.append((done, total)))
    rows = modules.manifest["counts"]["rows"]
    assert seen[-1] == (rows, rows)
    card = (tmp_path / "out" / "README.md").read_text()
    assert "split: test" in card
    assert "split: validation" not in card
    assert json.loads((tmp_path / "out/test/manifest.json").read_text())["options"]["part"][
        "manifest_sha256"
    ]
