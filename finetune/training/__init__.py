"""Fine-tuning: items with labels in, a model whose vectors tell the labels apart out."""
