"""The control-flow graph of a listing in the language of Graphviz."""

from oscar.commands.listing import Block, Listing
from static_analysis import opcode

_WAYS = {"br": ("true", "false"), "invoke": ("normal", "unwind")}
_COLOURS = {"true": "darkgreen", "false": "firebrick", "unwind": "darkorange"}


def flow_picture(listing: Listing) -> str:
    """Return a `digraph`: blocks with their context and effects, edges with the way they stand for.

    `dot -Tsvg` draws it.
    """
    lines = [
        f"digraph {_quoted(listing.title)} {{",
        f"  label={_quoted(listing.title)};",
        '  node [shape=box, fontname="monospace", fontsize=10];',
        '  edge [fontname="sans", fontsize=9];',
    ]
    for number, block in enumerate(listing.blocks):
        shown = [f"l{number}  {block.context}", *(line.effect or line.text for line in block.lines)]
        text = "".join(_escaped(line) + "\\l" for line in shown)
        lines.append(f'  l{number} [label="{text}"];')
    for number, block in enumerate(listing.blocks):
        lines += [f"  l{number} -> l{edge};" for edge in _edges(block)]
    return "\n".join([*lines, "}"])


def _edges(block: Block) -> list[str]:
    """Return the targets of a block, each with its attributes."""
    ways = _WAYS.get(opcode(block.lines[-1].tokens.split()), ())
    if len(ways) != len(block.targets):
        return [str(target) for target in dict.fromkeys(block.targets)]
    return [
        f'{target} [label="{way}", color={_COLOURS.get(way, "black")}]'
        for target, way in zip(block.targets, ways, strict=True)
    ]


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
