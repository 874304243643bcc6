"""Tasks built on embeddings, their baselines and evaluators."""
