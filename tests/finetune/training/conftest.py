"""The small collection as token ids."""

import pytest


@pytest.fixture(scope="session")
def encoded(collection, model_folder, tmp_path_factory):
    """The rows of the collection's corpus as a model reads them."""
    from finetune.training.rows import TokenRows
    from oscar import OscarModel
    from pretrain.data.encode import encode_corpus

    model = OscarModel.from_pretrained(model_folder)
    corpus = encode_corpus(
        collection.corpus.path,
        model.tokenizer,
        tmp_path_factory.mktemp("encoded"),
        shortest=1,
        shape=model.config,
    )
    return TokenRows(corpus, model.config)
