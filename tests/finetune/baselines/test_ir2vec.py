import numpy as np
import pytest

from finetune.baselines.ir2vec import installed, ir2vec_vectors, older

MODULE = """\
; ModuleID = 'x'
define dead_on_unwind writable i32 @f(ptr noundef captures(none) %0, i32 range(i32 0, 9) %1) #0 {
  %3 = getelementptr inbounds nuw %struct.P, ptr %0, i32 0, i32 2
  %4 = zext nneg i32 %1 to i64, !tbaa !3
  %5 = or disjoint i32 %1, 1
  %6 = call i32 @g(ptr %0) #2
  ret i32 %5
}
attributes #0 = { mustprogress }
!llvm.module.flags = !{!0}
!0 = !{i32 1}
"""


def test_what_llvm_16_does_not_know_is_left_out():
    assert older(MODULE) == (
        "define i32 @f(ptr noundef %0, i32 %1) {\n"
        "  %3 = getelementptr %struct.P, ptr %0, i32 0, i32 2\n"
        "  %4 = zext i32 %1 to i64\n"
        "  %5 = or i32 %1, 1\n"
        "  %6 = call i32 @g(ptr %0)\n"
        "  ret i32 %5\n"
        "}\n"
    )


def test_programs_have_vectors_of_their_own_functions(collection):
    if not installed():
        pytest.skip("the package ir2vec is not installed")
    programs, vectors = ir2vec_vectors(collection)
    assert programs == collection.lowered
    assert vectors.shape == (6, 300)
    assert np.isfinite(vectors).all()
    assert len(np.unique(vectors.round(6), axis=0)) == 6
