"""Where what a load reads may come from, in words.

Each source is named by the memory version it defines and what it put there: the value stored,
the callee that wrote it, what a ``memset`` fills with or a ``memcpy`` copies from.
"""

from static_analysis.encoding.encode_calls import callee_pieces
from static_analysis.encoding.pieces import Piece, operand_pieces
from static_analysis.encoding.scene import Scene
from static_analysis.memory.reaching import ReachingStores
from static_analysis.reading.form import Form
from static_analysis.words.template import Template
from static_analysis.words.tokens import Dictionary

MAX_SOURCES = 4
_MAX_WORDS = 3
_BLOCK_WRITES = {"@llvm.memset.": "memset", "@llvm.memcpy.": "memcpy", "@llvm.memmove.": "memmove"}


class WrittenValues(dict[Form, Template]):
    """What instructions of each form write, worked out once a form and module."""

    def __init__(self, dictionary: Dictionary) -> None:
        super().__init__()
        self._dictionary = dictionary

    def __missing__(self, form: Form) -> Template:
        template = self[form] = Template.of(self._pieces(form))
        return template

    def _pieces(self, form: Form) -> list[Piece]:
        match form.opcode:
            case "store":
                return operand_pieces(form.operands[0], self._dictionary)
            case "atomicrmw":
                return [form.predicate, *operand_pieces(form.operands[1], self._dictionary)]
            case "cmpxchg":
                return ["cmpxchg", *operand_pieces(form.operands[2], self._dictionary)]
        return self._call(form) if form.call else [form.opcode]

    def _call(self, form: Form) -> list[Piece]:
        assert form.call is not None
        callee = form.call.callee.lexemes[0]
        for name, word in _BLOCK_WRITES.items():
            if callee.startswith(name):
                return [word, *operand_pieces(form.operands[1], self._dictionary)]
        if callee[0] == "@":
            return [*callee_pieces(form.call, self._dictionary)][-_MAX_WORDS - 1 :]
        return [form.opcode]


class Sources:
    """Spells the sources of the loads of one function."""

    def __init__(self, scene: Scene, versions: dict[int, str], written: WrittenValues) -> None:
        self._scene = scene
        self._versions = versions
        self._written = written
        self._known: dict[int, list[str]] = {}

    def __getitem__(self, index: int) -> list[str]:
        """Return the tokens after ``from`` for the instruction that reads."""
        reaching = self._scene.reaching.get(index)
        return ["unknown"] if reaching is None else self._listed(reaching)

    def _listed(self, reaching: ReachingStores) -> list[str]:
        tokens: list[str] = []
        for store in reaching.stores[:MAX_SOURCES]:
            tokens += self._known.get(store) or self._source(store)
        if len(reaching.stores) > MAX_SOURCES:
            tokens.append("more")
        if reaching.entry:
            tokens.append("entry")
        if reaching.uninitialised:
            tokens.append("uninitialised")
        return tokens

    def _source(self, store: int) -> list[str]:
        form = self._scene.function.instructions[store].form
        value = self._scene.fill(self._written[form], store)
        self._known[store] = [self._versions[store], *value]
        return self._known[store]
