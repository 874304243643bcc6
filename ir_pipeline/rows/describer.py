"""Makes the rows of a unit: what the analysis says of a function, and what is known around it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ir_pipeline.rows.parameters import parameter_count
from ir_pipeline.rows.row import FunctionView
from ir_pipeline.rows.source_index import SourceIndex
from ir_pipeline.rows.structure import OwnNames, stream_hash, stream_text, structure_hashes
from ir_pipeline.rows.symbol_names import source_name
from ir_pipeline.sources.units import Unit
from static_analysis import AnalysedFunction


@dataclass(frozen=True)
class Describer:
    """What the rows of a unit have in common.

    Attributes:
        unit: the unit.
        language: `c`, `c++` or `llvm-ir`.
        standard: of the language, if it has any.
        license: of the unit, if it is known.
        repairs: what was changed to make it compile.
        index: the definitions in its source text.
        own: the names that the unit defines.
    """

    unit: Unit
    language: str
    standard: str | None
    license: str | None
    repairs: tuple[str, ...]
    index: SourceIndex
    own: OwnNames

    def rows(self, functions: Iterable[AnalysedFunction], view: str) -> Iterator[FunctionView]:
        """Yields the rows of the unit's functions in one view."""
        functions = list(functions)
        streams = {function.name: stream_text(function.tokens) for function in functions}
        structures = structure_hashes(streams, self.own)
        for function in functions:
            name = function.name
            yield self._row(function, view, stream_hash(streams[name]), structures[name])

    def _row(
        self, function: AnalysedFunction, view: str, hash: str, structure: str
    ) -> FunctionView:
        symbol = function.name
        written = self.index.find(source_name(symbol), parameter_count(symbol))
        own, true, false = zip(*function.positions, strict=True) if function.positions else [()] * 3
        return FunctionView(
            project=self.unit.project,
            unit=self.unit.name,
            function=symbol,
            group=self._group(symbol),
            view=view,
            label=self.unit.label,
            language=self.language,
            standard=self.standard,
            license=self.license,
            n_instructions=len(function.instructions),
            instructions=function.instructions,
            tokens=function.tokens,
            environment=function.environment,
            own_positions=list(own),
            true_positions=list(true),
            false_positions=list(false),
            source=written.text if written else None,
            doc=written.doc if written else None,
            hash=hash,
            structure=structure,
            repairs=list(self.repairs),
        )

    def _group(self, symbol: str) -> str:
        place = f"{self.unit.project}\0{self.unit.name}\0{symbol}"
        return hashlib.sha256(place.encode()).hexdigest()[:32]
