import json
from collections import Counter
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_pipeline import build_corpus, open_corpus
from ir_pipeline.corpus.duplicates import find_duplicates
from ir_pipeline.corpus.near_duplicates import NearDuplicates, runs
from ir_pipeline.corpus.verify import verify
from static_analysis import OscarError

ADD = "int {0}(int x) {{ return {1}x + {2}; }}\n"
LONG = "int {}(int *p, int n) {{ int s = 0; {} return s; }}\n"
STEPS = ["s += p[{0}] * {0};", "if (p[{0}] > n) s ^= {0};", "p[{0}] = s << 2;", "s -= n / 7;"]


def body(changed=""):
    return " ".join(STEPS[i % 4].format(i) + (changed if i == 12 else "") for i in range(24))


@pytest.fixture(scope="module")
def projects(tmp_path_factory):
    """Three projects with copies: exact ones, renamed ones, one with a line more."""
    folder = tmp_path_factory.mktemp("projects")
    code = {
        "first/a.c": "static int k;\n" + ADD.format("f", "k * ", 1) + LONG.format("g", body()),
        "first/b.c": LONG.format("near", body("s++;")),
        "second/c.c": "static int k;\n" + ADD.format("f_copy", "k * ", 1),
        "second/d.c": "static int m;\n" + ADD.format("f", "m * ", 1) + ADD.format("h", "", 2),
        "third/e.c": LONG.format("near", body("s++; s ^= n;")),
    }
    for name, text in code.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return [folder / name for name in ("first", "second", "third")]


def functions(corpus):
    return [f"{row.unit}:{row.function}" for row in open_corpus(corpus).rows("O0")]


EVERYTHING = ["a.c:f", "a.c:g", "b.c:near", "c.c:f_copy", "d.c:f", "d.c:h", "e.c:near"]


@pytest.mark.parametrize(
    ("level", "left_out", "reasons"),
    [
        ("none", [], {}),
        ("exact", ["c.c:f_copy"], {"exact duplicate": 1}),
        ("structural", ["c.c:f_copy", "d.c:f"], {"exact duplicate": 1, "structural duplicate": 1}),
        (
            "near",
            ["c.c:f_copy", "d.c:f", "e.c:near"],
            {"exact duplicate": 1, "structural duplicate": 1, "near duplicate": 1},
        ),
    ],
)
def test_later_copies_are_left_out_with_all_their_views(
    projects, tmp_path, level, left_out, reasons
):
    out = tmp_path / "out"
    counts = build_corpus(projects, out, views=("O0", "O2"), dedup=level).counts
    assert functions(out) == [name for name in EVERYTHING if name not in left_out]
    found = {reason: n for reason, n in counts.dropped.items() if "duplicate" in reason}
    assert found == reasons
    rows = list(open_corpus(out).all_rows())
    assert counts.functions == len({row.group for row in rows}) == 7 - len(left_out)
    assert counts.rows == len(rows)
    assert counts.instructions == sum(row.n_instructions for row in rows)
    assert json.loads((out / "manifest.json").read_text())["options"]["dedup"] == level


def test_bytes_depend_neither_on_workers_nor_on_when_a_run_was_stopped(
    projects, tmp_path, monkeypatch
):
    def contents(folder):
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder): path.read_bytes() for path in files}

    build_corpus(projects, tmp_path / "one", views=2, dedup="near", workers=1)
    with monkeypatch.context() as patch:

        def stop(*_):
            raise KeyboardInterrupt

        patch.setattr("ir_pipeline.corpus.finish.publish", stop)
        with pytest.raises(KeyboardInterrupt):
            build_corpus(projects, tmp_path / "two", views=2, dedup="near", workers=2)
    assert not (tmp_path / "two" / "manifest.json").exists()
    build_corpus(projects, tmp_path / "two", views=2, dedup="near", workers=2)
    assert contents(tmp_path / "two") == contents(tmp_path / "one")
    assert list(verify(tmp_path / "one")) == []


def test_a_corpus_of_another_level_is_another_corpus(projects, tmp_path):
    build_corpus(projects, tmp_path / "out", views=1)
    with pytest.raises(OscarError, match="other sources, options or tools"):
        build_corpus(projects, tmp_path / "out", views=1, dedup="exact")
    with pytest.raises(OscarError, match="--dedup some: choose one of none, exact"):
        build_corpus(projects, tmp_path / "out", views=1, dedup="some")


def test_of_labelled_programs_only_whole_ones_are_left_out(tmp_path):
    helper = "int twice(int x) { return 2 * x; }"
    programs = [
        (f"{helper} int main() {{ return twice(1); }}", "1"),
        (f"{helper} int main() {{ return twice(2); }}", "1"),
        (f"{helper.replace('twice', 'dbl')} int main() {{ return dbl(1); }}", "2"),
        (f"{helper} int main() {{ return twice(2); }}", None),
    ]
    lines = [json.dumps({"code": code, "label": label}) for code, label in programs]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    counts = build_corpus(
        [tmp_path / "a.jsonl"], tmp_path / "out", views=1, dedup="structural"
    ).counts
    assert functions(tmp_path / "out") == [
        f"a.jsonl:{line}:{name}" for line in (1, 2, 4) for name in ("_Z5twicei", "main")
    ]
    assert counts.dropped == Counter({"duplicate program": 1})


def batches(hashes, cuts):
    """Rows of functions of one unlabelled unit each, two views a function, in uneven batches."""
    names = ("project", "unit", "group", "label", "hash", "structure")
    rows = [
        dict(zip(names, ("p", f"{i}.c", str(i), None, f"{key}{view}", key), strict=True))
        for i, key in enumerate(hashes)
        for view in ("", "x")
    ]
    schema = pa.schema([(name, pa.string()) for name in names])
    edges = sorted({0, len(rows), *(cut % (len(rows) + 1) for cut in cuts)})
    for start, stop in pairwise(edges):
        yield pa.RecordBatch.from_pylist(rows[start:stop], schema=schema)


@given(st.lists(st.sampled_from("abc")), st.lists(st.integers(0, 50), max_size=4))
def test_exactly_one_of_each_stays_the_first_however_rows_are_cut(hashes, cuts):
    found = find_duplicates(batches(hashes, cuts), "structural")
    kept = [key for i, key in enumerate(hashes) if str(i) not in found.groups]
    assert kept == list(dict.fromkeys(hashes))
    assert found.reasons.total() == len(hashes) - len(kept)


def tokens(words):
    return [[word, "i32", "v1"] for word in words]


def test_near_duplicates_are_of_other_projects_and_not_small():
    near = NearDuplicates()
    words = [f"op{i}" for i in range(60)]
    assert not near.seen("a", tokens(words))
    assert not near.seen("a", tokens([*words, "ret"]))
    assert near.seen("b", tokens([*words[:59], "ret"]))
    assert not near.seen("b", tokens(words[::-1]))
    assert not near.seen("a", tokens(words[:10]))
    assert not near.seen("b", tokens(words[:10]))


def test_names_are_blank_in_what_near_duplicates_have_in_common():
    one = [["v1", "=", "call", "@read", "@all", "</func>"], ["br", "l2"], ["ret", "v1"]]
    two = [["v9", "=", "call", "@write", "</func>"], ["br", "l7"], ["ret", "v9"]]
    assert runs(one) == runs(two) == {"_ = call _\nbr _\nret _"}
    assert runs(one[:2]) == set()


def test_without_its_library_near_is_refused_in_one_line(run_python, tmp_path):
    code = (
        "import sys; sys.modules['datasketch'] = None\n"
        "from ir_pipeline.corpus.duplicates import check_level\n"
        "check_level('near')"
    )
    last = run_python(code).stderr.strip().splitlines()[-1]
    assert last.endswith("--dedup near needs the library datasketch: pip install 'oscar-ir[dedup]'")


@pytest.mark.parametrize("changed", range(0, 60, 4))
def test_one_instruction_of_sixty_makes_no_other_function(changed):
    near = NearDuplicates()
    words = [f"op{i}" for i in range(60)]
    assert not near.seen("a", tokens(words))
    # 3 of 58 runs change: 55 of 61 are in common, 0.90.
    assert near.seen("b", tokens([*words[:changed], "other", *words[changed + 1 :]]))
