import pytest

from static_analysis.attributes import parse_attributes
from static_analysis.callees import memory_effect
from static_analysis.lexer import lexemes
from static_analysis.types import TypeTable


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ([], "clobbers"),
        (["nounwind"], "clobbers"),
        (["memory(none)"], "pure"),
        (["memory(read)"], "reads"),
        (["memory(argmem: readwrite)"], "clobbers arguments"),
        (["memory(read, inaccessiblemem: none)"], "reads spares inaccessible"),
        (["memory(argmem: read, errnomem: write)"], "reads arguments writes errno"),
        (["memory(target_mem0: write)"], "writes elsewhere"),
        (["memory(write)", "memory(none)"], "writes"),
        (["nounwind", "memory(none)"], "pure"),
    ],
)
def test_memory_attributes_in_words(groups, words):
    parsed = [parse_attributes(lexemes(group), 0, TypeTable())[0] for group in groups]
    assert " ".join(memory_effect(parsed)) == words
