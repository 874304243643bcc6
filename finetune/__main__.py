"""`python -m finetune TASK` and `deepspeed --module finetune TASK`: `oscar finetune TASK`."""

import sys

from oscar.cli import main

if __name__ == "__main__":
    # DeepSpeed's launcher adds --local_rank=N, which it also gives as an environment variable.
    main(["finetune", *(word for word in sys.argv[1:] if not word.startswith("--local_rank"))])
