"""`python -m pretrain` and `deepspeed --module pretrain`: the verb `oscar pretrain`."""

import sys

from oscar.cli import main

if __name__ == "__main__":
    # DeepSpeed's launcher adds --local_rank=N, which it also gives as an environment variable.
    main(["pretrain", *(word for word in sys.argv[1:] if not word.startswith("--local_rank"))])
