"""The words of LLVM IR's grammar that this package tells apart (Language Reference, LLVM 22)."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OPEN = _words("( [ { <")
CLOSE = _words(") ] } >")

CALLS = _words("call invoke callbr")
TERMINATORS = _words(
    "ret br switch indirectbr invoke callbr resume catchswitch catchret cleanupret unreachable"
)
CASTS = _words(
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr "
    "bitcast addrspacecast"
)
FLAGS = _words(
    "nuw nsw exact disjoint nneg samesign inbounds nusw volatile atomic weak "
    "fast nnan ninf nsz arcp contract afn reassoc"
)
ORDERINGS = _words("unordered monotonic acquire release acq_rel seq_cst")

# Words a constant expression starts with, before its bracket.
EXPRESSIONS = FLAGS | _words(
    "getelementptr ptrtoint ptrtoaddr inttoptr bitcast addrspacecast trunc add sub mul shl xor "
    "icmp fcmp select extractelement insertelement shufflevector splat blockaddress ptrauth"
)

# Words that are constants alone, or start one whose bracket is no expression.
CONSTANT_WORDS = _words(
    "true false null none undef poison zeroinitializer asm dso_local_equivalent no_cfi"
)

LINKAGES = _words(
    "private internal available_externally linkonce weak common appending extern_weak "
    "linkonce_odr weak_odr external"
)

# Words that say nothing about what an instruction does: tail-call marks, calling conventions,
# and attributes that only assert facts or describe the machine's registers.
SILENT = _words(
    "align alignstack allocalign allocptr captures cc coldcc dead_on_return dead_on_unwind "
    "dereferenceable dereferenceable_or_null dso_local fastcc ghccc immarg initializes inreg "
    "noalias nocapture noext nofpclass nofree nonnull notail noundef musttail "
    "preserve_allcc preserve_mostcc preserve_nonecc range readnone readonly returned signext "
    "swiftcc swifttailcc tail tailcc writable writeonly zeroext"
)
SILENT_WITH_NUMBER = _words("align cc")
TAIL_MARKS = _words("tail musttail notail")
