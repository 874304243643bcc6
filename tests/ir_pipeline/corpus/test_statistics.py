import xml.etree.ElementTree as ElementTree
from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_pipeline import open_corpus
from ir_pipeline.corpus.statistics import Statistics, opcodes, statistics
from ir_pipeline.corpus.statistics_plot import check_plot, plot
from static_analysis import OscarError, opcode


def test_everything_is_counted(made):
    corpus = open_corpus(made)
    rows = list(corpus.all_rows())
    firsts = {row.group: row for row in reversed(rows)}.values()
    seen = []
    found = statistics(corpus, lambda done, total: seen.append((done, total)))
    assert found.lengths == Counter(row.n_instructions for row in rows)
    assert found.views == Counter(row.view for row in rows)
    assert found.opcodes == Counter(opcode(tokens) for row in rows for tokens in row.tokens)
    assert found.kinds["language"] == Counter(row.language for row in firsts)
    assert found.kinds["license"] == {"MIT": 9}
    assert found.kinds["standard"] == Counter(row.standard for row in firsts)
    assert found.kinds["label"] == {"none": 9}
    assert found.exact_copies == 9 - len({row.hash for row in firsts}) == 5
    assert found.structural_copies == 9 - len({row.structure for row in firsts}) == 5
    assert (found.with_source, found.with_doc) == (9, 8)
    assert seen[-1] == (len(rows), len(rows))
    assert found.as_json()["licenses"] == {"MIT": 9}


streams = st.lists(st.lists(st.lists(st.sampled_from(["v1", "=", "add", "br"]), max_size=4)))


@given(streams)
def test_opcodes_are_those_of_static_analysis(rows):
    rows = [[tokens for tokens in row if tokens] for row in rows]
    column = pa.array(rows, pa.list_(pa.list_(pa.string())))
    assert opcodes(column) == Counter(opcode(tokens) for row in rows for tokens in row)


@given(st.lists(st.integers(1, 50), min_size=1))
def test_quantiles_are_values_of_the_sorted_list(lengths):
    found = Statistics({}, lengths=Counter(lengths)).quantiles()
    ordered = sorted(lengths)
    assert (found["min"], found["max"]) == (ordered[0], ordered[-1])
    assert found["50 %"] == ordered[(len(ordered) - 1) // 2]
    assert list(found.values()) == sorted(found.values())


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_plots_are_files_of_their_kind(made, tmp_path, suffix):
    found = statistics(open_corpus(made))
    found.opcodes.update({f"op{i}$x": 1 for i in range(40)})
    file = tmp_path / f"plot{suffix}"
    check_plot(file)
    plot(found, "a corpus", file)
    content = file.read_bytes()
    if suffix == ".svg":
        assert ElementTree.fromstring(content).tag.endswith("svg")
    assert content[:8].lstrip(b"\x89").startswith((b"<?xml", b"PNG", b"%PDF"))


def test_nothing_is_plotted_without_an_error_or_into_an_unknown_format(tmp_path):
    empty = Statistics({"dropped": {}, "errors": {}})
    plot(empty, "empty", tmp_path / "empty.svg")
    assert (tmp_path / "empty.svg").stat().st_size
    with pytest.raises(OscarError, match=r"--plot .*x.txt: name a file that ends in \.svg"):
        check_plot(tmp_path / "x.txt")
