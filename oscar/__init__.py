"""Tokenizer, kernelised attention, hierarchical encoder, embeddings and the command line."""
