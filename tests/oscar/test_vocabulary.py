import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oscar.tokenizer import StreamTokenizer
from oscar.vocabulary import ALPHABET, BOUNDARY, LEXICAL, SPECIAL, train_vocabulary

CORPUS = Counter(
    {"@insert": 40, "@insertion": 30, "%node": 20, "#1024": 50, "#-1": 12, "v0": 90, "v12": 15}
    | {"load": 99, "i32": 80, "=": 70, "</func>": 60, "inbounds": 1, "@rare": 1}
)
BASE = len(SPECIAL) + 1 + len(ALPHABET)

TOKENS = st.lists(st.text(st.sampled_from(ALPHABET), min_size=1, max_size=12), max_size=6)


@pytest.fixture(scope="module")
def stream():
    return StreamTokenizer(train_vocabulary(CORPUS, 400))


@given(tokens=TOKENS | st.lists(st.sampled_from(sorted(CORPUS)), max_size=6))
def test_decoding_gives_the_tokens_back(stream, tokens):
    ids = stream.encode(tokens)
    assert stream.decode(ids) == tokens
    assert all(len(SPECIAL) <= i < stream.size for i in ids)


@pytest.mark.parametrize("token", ["load", "i32", "=", "</func>", "inbounds"])
def test_a_structural_token_is_one_id_however_rare(stream, token):
    assert len(stream.encode([token])) == 1


def test_frequent_words_are_one_id_and_rare_ones_are_spelled(stream):
    assert len(stream.encode(["@insert"])) == 1
    assert len(stream.encode(["#1024"])) == 1
    assert len(stream.encode(["@rare"])) > 1


def test_what_the_corpus_never_had_is_spelled_in_its_pieces(stream):
    (first, *rest) = stream.encode(["@inserts"])
    assert first == stream.encode(["@insert"])[0]
    assert stream.decode([first, *rest]) == ["@inserts"]
    assert stream.decode(stream.encode(["i37"])) == ["i37"]


def test_a_tiny_budget_keeps_the_alphabet_and_the_commonest_structure():
    stream = StreamTokenizer(train_vocabulary(CORPUS, BASE + 4))
    assert stream.size <= BASE + 4
    assert len(stream.encode(["load", "i32"])) == 2
    assert stream.decode(stream.encode(["inbounds", "@x"])) == ["inbounds", "@x"]


def test_no_names_at_all_still_make_a_vocabulary():
    stream = StreamTokenizer(train_vocabulary({"load": 3}, 400))
    assert stream.decode(stream.encode(["load", "@new"])) == ["load", "@new"]


def test_classes_by_first_character():
    lexical = ["@x", "%list", "#-1", "#0.5", "v0", "l12", "m3"]
    structural = ["load", "=", "</func>", "i32", "v", "void", "l", "#", "@", "%", "vscale", "x"]
    assert all(LEXICAL.fullmatch(token) for token in lexical)
    assert not any(LEXICAL.fullmatch(token) for token in structural)


def test_hugging_face_alone_reads_and_writes_token_lines():
    tokenizer = train_vocabulary(CORPUS, 400)
    line = "v12 = load i32 , @insertion </func>"
    assert tokenizer.decode(tokenizer.encode(line).ids) == line
    assert BOUNDARY + "load" in tokenizer.encode(line).tokens


def test_another_process_and_another_order_give_the_same_bytes():
    many = {f"@{a}{b}{c}": 30 for a in "abc" for b in "abcd" for c in "abcdef"}
    code = (
        "import sys; from oscar.vocabulary import train_vocabulary\n"
        f"print(train_vocabulary({dict(reversed(many.items()))!r}, 200).to_str())"
    )
    other = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.strip()
    assert train_vocabulary(many, 200).to_str() == other


def test_huge_counts_are_scaled_down_and_rank_the_same():
    huge = {token: count * 10**9 for token, count in CORPUS.items()}
    stream = StreamTokenizer(train_vocabulary(huge, 400))
    assert len(stream.encode(["@insert"])) == 1
