import json

import pytest
import torch

from finetune.text_encoder import TextEncoder
from finetune.training.dual import DualEncoder, TextSide
from ir_pipeline import open_corpus
from oscar import OscarModel, embed
from oscar.cli import run
from oscar.embedding import unit_length


@pytest.fixture(scope="module")
def indexed(commented_corpus, model_folder, text_folder, tmp_path_factory):
    """A model that knows words, though it has learned nothing, and an index made with it."""
    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("asked")
    side = TextSide.of(TextEncoder(text_folder))
    DualEncoder(OscarModel.from_pretrained(model_folder), side, 8).save(folder / "model", {})
    return folder / "model", _index(commented_corpus, folder / "model", folder)


def _index(corpus, model, folder):
    vectors = folder / "vectors.parquet"
    assert run(["embed", str(corpus), "--model", str(model), "--out", str(vectors)]) == 0
    assert run(["index", str(vectors), "--out", str(folder / "index")]) == 0
    return folder / "index"


def ask(*words):
    return run(["ask", *map(str, words)])


def test_the_functions_nearest_to_the_words_come_first(
    indexed, commented_corpus, text_folder, tmp_path, capsys
):
    model, index = indexed
    words, answer = "find the largest of many numbers", tmp_path / "answer.json"
    assert ask(index, words, "-k", 30, "--text", text_folder, "--json", answer) == 0
    printed = capsys.readouterr().out
    assert words in printed
    found = json.loads(answer.read_text())
    scores = [neighbour["score"] for neighbour in found["neighbours"]]
    assert len(scores) == 25
    assert scores == sorted(scores, reverse=True)
    assert found["neighbours"][0]["function"]["function"] in printed
    best = found["neighbours"][0]["function"]
    rows = open_corpus(commented_corpus).rows("O0")
    (row,) = (row for row in rows if row.function == best["function"])
    dual, encoder = DualEncoder.load(model), TextEncoder(text_folder)
    code = dual.compared("code", unit_length(embed(dual.encoder, [row]).vectors))
    assert scores[0] == pytest.approx(
        (code @ dual.compared("text", encoder.encode([words])).T).item(), abs=1e-4
    )


def test_what_cannot_be_asked_is_one_clear_line(
    indexed, commented_corpus, model_folder, text_folder, tmp_path, capsys
):
    _, index = indexed
    wordless = _index(commented_corpus, model_folder, tmp_path)
    model = OscarModel.from_pretrained(model_folder)
    torch.nn.init.zeros_(model.function_encoder.cls)
    model.save_pretrained(tmp_path / "other", model.tokenizer)
    capsys.readouterr()
    for words, said in (
        ([index, "sort", "-k", 0], "ask for at least one"),
        ([index, " "], "no words to look for"),
        ([tmp_path, "sort"], "is not an index"),
        ([wordless, "sort"], "knows no words: tune it"),
        ([index, "sort", "--model", tmp_path / "other"], "is not the model that made the index"),
    ):
        assert ask(*words, "--text", text_folder) == 1
        error = capsys.readouterr().err
        assert said in error
        assert len(error.splitlines()) == 1
