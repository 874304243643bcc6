import pickle

import pytest

from finetune.data.stripped import nameless, stripped_stream, without_names
from ir_pipeline import open_corpus
from oscar import OscarTokenizer


@pytest.fixture(scope="module")
def rows(commented_corpus):
    return list(open_corpus(commented_corpus).all_rows())


def test_names_go_and_all_else_stays():
    call = ["call", "@read", "@all", "</func>", "(", "@stdin", "</const>", "%node", "</type>"]
    assert nameless(call) == ["call", "</func>", "(", "</const>", "</type>"]
    assert nameless(["@my", "@llvm", "</func>"]) == ["</func>"]
    assert nameless(["@", "%"]) == ["@", "%"]  # of inline assembly


def test_what_strings_say_stays():
    call = ["@puts", "</func>", "(", "ptr", "@not", "@found", "</text>", ",", "</text>", ")"]
    assert nameless(call) == call[1:]


def test_intrinsics_are_operations_and_stay():
    call = ["call", "i32", "@llvm", "@smax", "</func>", "(", "@x", "</const>", ")"]
    assert nameless(call) == ["call", "i32", "@llvm", "@smax", "</func>", "(", "</const>", ")"]


def test_functions_that_differ_in_names_only_read_alike(commented_corpus, rows):
    tokenizer = OscarTokenizer.train(commented_corpus)
    blind = without_names(tokenizer)
    row = rows[0]
    renamed = [[f"@x{token}" if token[0] == "@" else token for token in e] for e in row.tokens]
    assert blind.instruction.encode(["@a", "v1"]) == tokenizer.instruction.encode(["v1"])
    assert stripped_stream(renamed, False) == stripped_stream(row.tokens, False)
    assert blind.encode(row) == pickle.loads(pickle.dumps(blind)).encode(row)
    assert blind.hash == tokenizer.hash
