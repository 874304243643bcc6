"""The README.md of a model folder: what the model is, how it was trained, how to load it."""

import re
from dataclasses import asdict
from typing import Any

from oscar.config import OscarConfig

CARD = """\
---
library_name: oscar
tags: [llvm-ir, program-embeddings, static-analysis]
---

# OSCAR model

Reads a function as LLVM IR and as what each instruction does to its environment, and gives one
vector of {hidden_size} numbers: functions that do the same have vectors with a large cosine. The
model is a hierarchical Transformer after Peng et al., "How could Neural Networks understand
Programs?" (ICML 2021); its attention is {token_attention} at the token level and
{function_attention} at the function level.

## Use

```python
from oscar import OscarModel, embed

model = OscarModel.from_pretrained("PATH")
vectors = embed(model, ["program.c"]).vectors
```

## Configuration

{parameters:,} numbers, random features included.

| field | value |
|---|---|
{config}

## Training

{training}

## Limits

- Functions are cut after {max_instructions} instructions, {tokens};
  what is cut is counted and does not reach the vector.
- It knows the vocabulary of its training corpus: other names and numbers are spelled in pieces,
  other languages and compilers than those of the corpus are unfamiliar.
- It reads environment version {environment_version} only. Its vectors compare with vectors of this
  very model only.
"""


def model_card(config: OscarConfig, parameters: int, training: dict[str, Any]) -> str:
    """Write the model card.

    Args:
        config: the model's config.
        parameters: numbers in model.safetensors.
        training: facts of the training by name.
    """
    values = asdict(config)
    limit = config.max_tokens
    return CARD.format(
        **values,
        tokens=f"their entries after {limit} tokens" if limit else "their entries are read whole",
        parameters=parameters,
        config=_rows(values),
        training=_training(training),
    )


def with_section(card: str, title: str, text: str) -> str:
    """The card with a section of this title: in place of an earlier one, or at the end.

    Args:
        card: the model card.
        title: a line of text.
        text: Markdown.
    """
    start, end = f"<!-- {title} -->", "<!-- end -->"
    section = f"{start}\n## {title}\n\n{text.strip()}\n{end}\n"
    earlier = re.compile(f"{re.escape(start)}\n.*?{re.escape(end)}\n", re.DOTALL)
    if earlier.search(card):
        return earlier.sub(lambda _: section, card)
    return f"{card.rstrip()}\n\n{section}".lstrip()


def _rows(facts: dict[str, Any]) -> str:
    return "\n".join(f"| {name} | {value} |" for name, value in facts.items())


def _training(facts: dict[str, Any]) -> str:
    if not facts:
        return "Nothing was recorded: the weights may be untrained."
    return f"| fact | value |\n|---|---|\n{_rows(facts)}"
