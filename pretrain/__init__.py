"""Masked language modelling and momentum contrast, on the DeepSpeed engine."""
