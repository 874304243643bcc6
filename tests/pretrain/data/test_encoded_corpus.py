import json
import pickle
import shutil

import numpy as np
import pytest

from oscar.config import OscarConfig
from oscar.tokenizer import OscarTokenizer
from pretrain.data.encode import encode_corpus
from pretrain.data.encoded_corpus import Counts, EncodedCorpus, corpus_id
from static_analysis import OscarError


@pytest.fixture(scope="module")
def encoded(corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("encoded")
    shape = OscarConfig.preset("tiny")
    tokenizer = OscarTokenizer.train(corpus)
    return encode_corpus(corpus, tokenizer, folder, shortest=1, shape=shape)


def test_nothing_is_held_in_memory(encoded):
    for array in (encoded.groups, encoded.classes, encoded.sizes):
        assert isinstance(array, np.memmap)
    assert not encoded[0].instruction.ids.flags.owndata


def test_another_process_opens_the_files_itself(encoded):
    sent = pickle.dumps(encoded)
    assert len(sent) < 1000
    again = pickle.loads(sent)
    assert isinstance(again, EncodedCorpus)
    assert [again[i] for i in range(len(again))] == [encoded[i] for i in range(len(encoded))]


def test_counts_add_up():
    assert Counts(1, 2, 3, 4, 5, 6, 7) + Counts(rows=10, tokens_cut=1) == Counts(
        11, 2, 3, 4, 5, 6, 8
    )


def test_the_identity_of_a_corpus_is_its_content(corpus, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(corpus, copy)
    assert corpus_id(copy) == corpus_id(corpus)
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["shards"][0]["sha256"] = "0" * 64
    (copy / "manifest.json").write_text(json.dumps(manifest))
    assert corpus_id(copy) != corpus_id(corpus)


def test_a_missing_corpus_is_refused(tmp_path):
    with pytest.raises(OscarError, match="no such corpus"):
        corpus_id(tmp_path / "nothing")
