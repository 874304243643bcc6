import pytest

from static_analysis.callees import memory_effect


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ([], "clobbers"),
        (["attributes #0 = { nounwind }"], "clobbers"),
        (["attributes #0 = { memory(none) }"], "pure"),
        (["{ memory(read) }"], "reads"),
        (["{ memory(argmem: readwrite) }"], "clobbers arguments"),
        (["{ memory(read, inaccessiblemem: none) }"], "reads spares inaccessible"),
        (["{ memory(argmem: read, errnomem: write) }"], "reads arguments writes errno"),
        (["{ memory(target_mem0: write) }"], "writes elsewhere"),
        (["{ memory(write) }", "{ memory(none) }"], "writes"),
        (["{ nounwind }", "{ memory(none) }"], "pure"),
    ],
)
def test_memory_attributes_in_words(groups, words):
    assert " ".join(memory_effect(groups)) == words
