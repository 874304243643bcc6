import numpy as np
import pytest

from ir_pipeline import FunctionView
from oscar import OscarConfig, OscarModel, OscarTokenizer, embed
from oscar.embedding import read_rows
from static_analysis import OscarError


@pytest.fixture(scope="module")
def model(model_folder):
    return OscarModel.from_pretrained(model_folder)


@pytest.fixture(scope="module")
def rows(corpus):
    return [row for row in read_rows([corpus]) if isinstance(row, FunctionView)]


def test_one_float32_vector_per_function_in_order(model, rows):
    result = embed(model, rows)
    assert result.names == [row.function for row in rows]
    assert result.vectors.shape == (4, model.config.hidden_size)
    assert result.vectors.dtype == np.float32


def test_a_corpus_its_sources_and_a_folder_name_give_the_same_vectors(
    model_folder, model, rows, project
):
    expected = embed(model, rows).vectors
    assert np.array_equal(embed(model_folder, str(project)).vectors, expected)


def test_order_and_company_do_not_change_a_vector(model, rows):
    together = embed(model, rows).vectors
    backwards = embed(model, rows[::-1]).vectors[::-1]
    alone = np.concatenate([embed(model, [row]).vectors for row in rows])
    np.testing.assert_allclose(together, backwards, atol=1e-5)
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_copies_give_the_vector_of_the_original_and_are_counted(model, rows):
    once, twice = embed(model, rows), embed(model, [row for row in rows for _ in range(2)])
    np.testing.assert_allclose(twice.vectors[::2], once.vectors, atol=1e-5)
    assert np.array_equal(twice.vectors[::2], twice.vectors[1::2])
    assert twice.stats.duplicates == once.stats.duplicates + once.stats.groups
    assert twice.stats.tokens == 2 * once.stats.tokens


def test_two_runs_give_equal_bits(model_folder, rows):
    first, second = (embed(OscarModel.from_pretrained(model_folder), rows) for _ in range(2))
    assert np.array_equal(first.vectors, second.vectors)


def test_what_the_model_cannot_read_whole_is_counted(model_folder, rows):
    lengths = [row.n_instructions for row in rows]
    tokenizer = OscarTokenizer.load(model_folder)
    fields = {**tokenizer.config_fields(), "max_instructions": min(lengths)}
    short = OscarModel(OscarConfig.preset("tiny", **fields))
    cuts = embed(short, rows, tokenizer).cuts
    assert cuts.functions == sum(length > min(lengths) for length in lengths)
    assert cuts.instructions == sum(lengths) - len(lengths) * min(lengths)


def test_no_functions_give_no_vectors(model):
    assert embed(model, []).vectors.shape == (0, model.config.hidden_size)


def test_a_model_without_a_tokenizer_asks_for_one(model, model_folder, rows):
    bare = OscarModel(model.config)
    with pytest.raises(OscarError, match="carries no tokenizer"):
        embed(bare, rows)
    assert len(embed(bare, rows, OscarTokenizer.load(model_folder)).names) == len(rows)


def test_a_source_that_does_not_compile_is_an_error(model, tmp_path):
    broken = tmp_path / "broken.c"
    broken.write_text("int f( {")
    with pytest.raises(OscarError, match=r"broken\.c could not be read"):
        embed(model, broken)
