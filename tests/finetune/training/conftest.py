"""Small corpora as a model reads them."""

import pytest


@pytest.fixture(scope="session")
def read_rows(model_folder, tmp_path_factory):
    """Gives the rows of a corpus as a model reads them."""
    from finetune.training.rows import TokenRows
    from oscar import OscarModel
    from pretrain.data.encode import encode_corpus

    def read(corpus):
        model, folder = OscarModel.from_pretrained(model_folder), tmp_path_factory.mktemp("encoded")
        encoded = encode_corpus(corpus, model.tokenizer, folder, shortest=1, shape=model.config)
        return TokenRows(encoded, model.config)

    return read


@pytest.fixture(scope="session")
def encoded(collection, read_rows):
    """The rows of the small collection."""
    return read_rows(collection.corpus.path)


@pytest.fixture(scope="session")
def commented_rows(commented_corpus, read_rows):
    """The rows of the project with comments."""
    return read_rows(commented_corpus)
