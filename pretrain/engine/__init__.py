"""DeepSpeed for one process or many, CPU or GPU, without set-up or noise."""
