import json

import pytest

from finetune.data.programs import open_collection, read_programs
from static_analysis import OscarError


def test_programs_keep_label_and_code_in_the_order_of_the_file(collection_file):
    programs = list(read_programs(collection_file))
    lines = [json.loads(line) for line in collection_file.read_text().splitlines()]
    assert [(p.name, p.label, p.code) for p in programs] == [
        (line["file"], line["label"], line["code"]) for line in lines
    ]


def test_what_does_not_lower_is_lost_not_forgotten(collection):
    assert [program.name for program in collection.lost] == ["max/6.cpp"]
    assert len(collection.lowered) == 6


def test_rows_are_all_views_of_the_functions_of_each_program(collection):
    found = {program.name: rows for program, rows in collection.rows()}
    assert list(found) == [program.name for program in collection.lowered]
    for name, rows in found.items():
        assert {row.unit for row in rows} == {name}
        assert {row.view for row in rows} == {"O0", "O2"}
    assert {row.function for row in found["sum/2.cpp"]} == {"_Z3addi", "main"}


def test_a_corpus_that_is_there_is_not_built_again(collection):
    def build(*_, **__):
        pytest.fail("built again")

    again = open_collection(collection.path, collection.corpus.path, build=build)
    assert again.programs == collection.programs


def test_a_few_programs_a_label_are_chosen_by_content(collection):
    def chosen(seed):
        found = open_collection(collection.path, collection.corpus.path, per_label=2, seed=seed)
        return [(program.label, program.name) for program in found.programs]

    assert [label for label, _ in chosen(0)] == ["sum", "sum", "max", "max"]
    assert chosen(0) == chosen(0)
    assert len({tuple(chosen(seed)) for seed in range(8)}) > 1


def test_a_corpus_of_something_else_is_refused(collection_file, corpus):
    with pytest.raises(OscarError, match="holds no program of"):
        open_collection(collection_file, corpus)


@pytest.mark.parametrize(
    ("line", "said"),
    [('{"code": "int x;"}', "has no 'label'"), ("", "nothing to lower")],
)
def test_a_collection_must_have_labelled_programs(tmp_path, line, said):
    path = tmp_path / "a.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(OscarError, match=said):
        list(read_programs(path))
