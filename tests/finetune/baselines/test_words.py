from finetune.baselines import words
from finetune.data.programs import Program

PROGRAM = Program("a", "x", "// note\nint twice(int number) { return 2 * number; /* end */ }\n")


def of(collection, name):
    return next((p, rows) for p, rows in collection.rows() if p.name == name)


def test_source_tokens_leave_comments_and_white_space_out():
    found = list(words.source_tokens(PROGRAM, ()))
    assert found == [
        "int",
        "twice",
        "(",
        "int",
        "number",
        ")",
        "{",
        "return",
        "2",
        "*",
        "number",
        ";",
        "}",
    ]


def test_anonymous_source_has_one_name_and_pairs_of_neighbours():
    found = list(words.anonymous_source_bigrams(PROGRAM, ()))
    assert found[:5] == ["int", "name", "(", "int", "name"]
    assert "number" not in " ".join(found)
    assert {"int name", "name (", "return 2", "2 *"} <= set(found)
    assert len(found) == 13 + 12


def test_renaming_changes_no_anonymous_word():
    renamed = Program("b", "x", PROGRAM.code.replace("number", "n").replace("twice", "f"))
    plain, changed = (list(words.anonymous_source_bigrams(p, ())) for p in (PROGRAM, renamed))
    assert plain == changed
    assert list(words.source_tokens(PROGRAM, ())) != list(words.source_tokens(renamed, ()))


def test_words_of_ir_say_nothing_of_numbered_locals(collection):
    program, rows = of(collection, "sum/2.cpp")
    functions = [row for row in rows if row.view == "O0"]
    length = sum(row.n_instructions for row in functions)
    opcodes = list(words.opcodes(program, functions))
    assert len(opcodes) == length
    assert {"alloca", "load", "store", "call", "ret"} <= set(opcodes)
    bigrams = list(words.opcode_bigrams(program, functions))
    assert len(bigrams) == length + (length - len(functions))
    statements = list(words.ir_statements(program, functions))
    assert len(statements) == length
    assert "v = alloca i32" in statements
    tokens = list(words.ir_tokens(program, functions))
    assert not any(token[0] in "vl" and token[1:].isdigit() for token in tokens)
    both = list(words.ir_tokens_and_statements(program, functions))
    assert both == [*tokens, *statements]
    assert len(list(words.environment_statements(program, functions))) == length
