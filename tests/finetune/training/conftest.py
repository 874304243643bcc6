"""The small collection as token ids."""

import pytest


@pytest.fixture(scope="session")
def encoded(collection, model_folder, tmp_path_factory):
    """A model's shape and tokenizer, and the collection's corpus as that model reads it."""
    from oscar import OscarModel
    from pretrain.data.encode import encode_corpus

    model = OscarModel.from_pretrained(model_folder)
    return encode_corpus(
        collection.corpus.path,
        model.tokenizer,
        tmp_path_factory.mktemp("encoded"),
        shortest=1,
        shape=model.config,
    )
