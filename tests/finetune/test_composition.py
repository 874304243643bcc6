import numpy as np
import pytest

from finetune.composition import COMPOSITIONS, call_graph, compose, reachable
from ir_pipeline import read_functions

PROGRAM = """
static int deep(int x) { return x * x + 1; }
static int used(int x) { return x > 3 ? deep(x) : x; }
int by_address(int x) { return x - 1; }
int dead(int x) { return x + deep(x) + x * 3; }
int apply(int (*f)(int), int x) { return f(x); }
int main(void) { return used(apply(by_address, 2)); }
"""


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    path = tmp_path_factory.mktemp("program") / "a.c"
    path.write_text(PROGRAM)
    return list(read_functions([path]))


def test_the_call_graph_knows_calls_and_addresses(functions):
    assert set(call_graph(functions).edges) == {
        ("used", "deep"),
        ("dead", "deep"),
        ("main", "used"),
        ("main", "apply"),
        ("main", "by_address"),
    }


def test_what_main_never_reaches_does_not_count(functions):
    weights = dict(zip((f.function for f in functions), reachable(functions), strict=True))
    assert weights.pop("dead") == 0
    assert weights == {f.function: f.n_instructions for f in functions if f.function != "dead"}


def test_a_program_without_main_keeps_its_functions(functions):
    library = [function for function in functions if function.function != "main"]
    assert (reachable(library) > 0).all()


def test_composition_by_hand():
    vectors = np.array([[3.0, 0], [0, 0.1]])
    assert compose(vectors, np.array([1, 3])) == pytest.approx([1 / 4, 3 / 4])


@pytest.mark.parametrize("name", COMPOSITIONS)
def test_a_function_alone_is_its_program(functions, name):
    alone = [function for function in functions if function.function == "main"]
    vectors = np.array([[2.0, 1, 0]])
    expected = vectors[0] / np.sqrt(5)
    assert compose(vectors, COMPOSITIONS[name](alone)) == pytest.approx(expected)
