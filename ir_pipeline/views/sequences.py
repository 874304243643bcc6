"""Random sequences of passes: which there are to draw from, and how one is drawn.

Follows OSCAR (Peng et al., ICML 2021, section 3.4): a view is made by a sequence that drops
between none and all of a list of passes and swaps up to 20 pairs of the rest.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

_MOST_SWAPS = 20

# Function passes of llvmlite in about the order of LLVM's O3, the cheap cleanups several times as
# there. Left out: passes that assume one thread or no exceptions (lower_atomic, lower_invoke), and
# loop_strength_reduce, after which LLVM's next loop pass may abort (loops not in LCSSA form).
FUNCTION_PASSES = (
    "simplify_cfg",
    "sroa",
    "dead_code_elimination",
    "instruction_combine",
    "simplify_cfg",
    "sccp",
    "jump_threading",
    "aggressive_instcombine",
    "tail_call_elimination",
    "reassociate",
    "new_gvn",
    "mem_copy_opt",
    "dead_store_elimination",
    "loop_simplify",
    "lcssa",
    "loop_rotate",
    "instruction_combine",
    "simplify_cfg",
    "loop_deletion",
    "loop_unroll",
    "sroa",
    "sccp",
    "aggressive_dce",
    "instruction_combine",
    "jump_threading",
    "register_to_memory",
    "break_critical_edges",
    "sroa",
    "new_gvn",
    "sinking",
    "loop_simplify",
    "lower_switch",
    "unify_function_exit_nodes",
    "reassociate",
    "instruction_combine",
    "dead_store_elimination",
    "aggressive_dce",
    "simplify_cfg",
)

# Parts of a pipeline for LLVM's own `opt`, in about the order of its O3: what llvmlite lacks is
# the inliners, the vectorisers, the memory-SSA loop passes and all that looks at the whole module.
# Those that outline (hotcoldsplit, partial-inliner, iroutliner) or rename stay out, as what they
# split off is no function of the source; so does what assumes one thread or no exceptions.
# Alone, instcombine would end opt where it has not combined all that it could.
PIPELINE_PARTS = (
    "function(sroa)",
    "function(early-cse<memssa>)",
    "function(simplifycfg)",
    "ipsccp",
    "called-value-propagation",
    "globalopt",
    "function(mem2reg)",
    "function(instcombine<no-verify-fixpoint>)",
    "cgscc(inline)",
    "cgscc(function-attrs)",
    "cgscc(argpromotion)",
    "function(sroa)",
    "function(jump-threading)",
    "function(correlated-propagation)",
    "function(simplifycfg)",
    "function(aggressive-instcombine)",
    "function(tailcallelim)",
    "function(reassociate)",
    "function(constraint-elimination)",
    "function(loop-simplify,lcssa,loop-mssa(loop-rotate,licm))",
    "function(loop-mssa(simple-loop-unswitch<nontrivial>))",
    "function(instcombine<no-verify-fixpoint>)",
    "function(loop(indvars,loop-idiom,loop-deletion))",
    "function(loop-unroll)",
    "function(sroa)",
    "function(mldst-motion)",
    "function(gvn)",
    "function(sccp)",
    "function(bdce)",
    "function(memcpyopt)",
    "function(dse)",
    "function(adce)",
    "function(gvn-sink)",
    "function(callsite-splitting)",
    "function(mergeicmps)",
    "module-inline",
    "deadargelim",
    "globaldce",
    "function(float2int)",
    "function(loop-distribute)",
    "function(loop-vectorize)",
    "function(loop-load-elim)",
    "function(slp-vectorizer)",
    "function(vector-combine)",
    "function(slsr,nary-reassociate)",
    "function(loop(loop-flatten))",
    "function(loop-fusion)",
    "function(loop-unroll<O3>)",
    "function(scalarizer)",
    "function(reg2mem)",
    "function(lower-switch)",
    "function(mergereturn)",
    "function(sink)",
    "constmerge",
    "function(div-rem-pairs)",
    "function(instcombine<no-verify-fixpoint>)",
    "function(adce)",
    "function(simplifycfg<hoist-common-insts;sink-common-insts>)",
)


def random_sequence(seed: str, passes: Sequence[str]) -> list[str]:
    """The part of `passes`, in order, that `seed` stands for: the same on every machine."""
    # Only random() is promised to give the same numbers in every version of Python.
    draw = random.Random(int.from_bytes(hashlib.sha256(seed.encode()).digest())).random
    dropped = draw()
    kept = [name for name in passes if draw() >= dropped]
    for _ in range(int(draw() * (_MOST_SWAPS + 1)) if kept else 0):
        i, j = int(draw() * len(kept)), int(draw() * len(kept))
        kept[i], kept[j] = kept[j], kept[i]
    return kept
