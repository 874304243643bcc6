"""From IR text to typed objects: lexemes, types, forms, instructions, functions, modules."""
