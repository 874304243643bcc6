"""The verbs `oscar finetune TASK` and `oscar evaluate TASK`."""
