import pytest

from pretrain.report.opcodes import OPCODE_CLASSES, opcode_class


@pytest.mark.parametrize(
    ("opcode", "kind"),
    [
        ("load", "memory"),
        ("getelementptr", "memory"),
        ("xor", "arithmetic"),
        ("fneg", "arithmetic"),
        ("icmp", "compare"),
        ("phi", "control"),
        ("invoke", "call"),
        ("sext", "cast"),
        ("shufflevector", "other"),
        ("an opcode of tomorrow", "other"),
    ],
)
def test_each_opcode_has_a_class(opcode, kind):
    assert opcode_class(opcode) == kind
    assert kind in OPCODE_CLASSES
