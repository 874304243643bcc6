"""The front door: one table from verb to the function that does the work.

A verb's module is imported when the verb is called, so that `oscar --help` is instant and a
storey upstairs (pretrain, finetune) is reached by name only. Flags, defaults and help texts
come from the function's signature and docstring.
"""

import os
import sys
from importlib.metadata import version

from cyclopts import App, CycloptsError, Parameter
from rich.console import Console
from rich.markup import escape

from oscar.options_file import read_options_file
from static_analysis.errors import OscarError

VERBS = {
    "doctor": (
        "oscar.commands.doctor:doctor",
        "Say what is installed, what is missing, how to get it.",
    ),
    "demo": ("finetune.demo.demo:demo", "Take the example corpus all the way to a search answer."),
    "inspect": (
        "oscar.commands.inspect:inspect",
        "Show instructions, environment and positions side by side.",
    ),
    "preprocess": (
        "ir_pipeline.preprocess:preprocess",
        "Turn C/C++ sources or LLVM IR into a corpus.",
    ),
    "corpus verify": (
        "ir_pipeline.commands.verify:verify",
        "Check that a corpus is whole and sound.",
    ),
    "corpus stats": (
        "ir_pipeline.commands.stats:stats",
        "Count what a corpus holds.",
    ),
    "corpus split": (
        "ir_pipeline.commands.split:split",
        "Part a corpus into training, validation and test.",
    ),
    "pretrain": ("pretrain.train:pretrain", "Train a model on a corpus without labels."),
    "embed": ("oscar.commands.embed:embed", "Write one vector per function."),
    "index": ("oscar.commands.index:index", "Make embeddings searchable."),
    "search": ("oscar.commands.search:search", "Find the functions nearest to a piece of code."),
    "ask": ("finetune.commands.ask:ask", "Find the functions that a description asks for."),
    "finetune clone-detection": (
        "finetune.commands.finetune_clones:finetune_clones",
        "Teach a model which programs solve the same problem.",
    ),
    "finetune code-search": (
        "finetune.commands.finetune_search:finetune_search",
        "Teach a model to find functions by descriptions in words.",
    ),
    "finetune classification": (
        "finetune.commands.finetune_classes:finetune_classes",
        "Teach a model which problem a program solves.",
    ),
    "finetune binary-diffing": (
        "finetune.commands.finetune_diffing:finetune_diffing",
        "Teach a model to know a function again at another optimisation level.",
    ),
    "evaluate clone-detection": (
        "finetune.commands.evaluate_clones:evaluate_clones",
        "Do programs find those that solve their problem?",
    ),
    "evaluate code-search": (
        "finetune.commands.evaluate_search:evaluate_search",
        "Is the function found that a description asks for?",
    ),
    "evaluate classification": (
        "finetune.commands.evaluate_classification:evaluate_classes",
        "Which problem does a program solve? A linear probe.",
    ),
    "evaluate binary-diffing": (
        "finetune.commands.evaluate_diffing:evaluate_diffing",
        "Is the same function found at another level, or in another binary?",
    ),
}
"""Verb, or group and verb, to the function that does the work and what it does."""
GROUPS = {
    "corpus": "Check, count and part corpora.",
    "finetune": "Train a model for a task.",
    "evaluate": "Judge models and baselines on a task.",
}

INTERRUPTED = 130
"""Exit status of a run that Ctrl-C ended, as shells have it (128 + SIGINT)."""
MISUSED = 2
"""Exit status of a command line that cannot be read, as shells have it."""


def build_app(verb: str | None = None) -> App:
    """The command line as a cyclopts application; no verb's module is imported yet.

    Args:
        verb: The verb about to be called: its help page is its docstring. The others are known
            by their line in the table only.
    """
    app = App(
        name="oscar",
        help="OSCAR learns what programs mean from how they change their environment.",
        version=version("oscar-ir"),
        default_parameter=Parameter(negative=()),
        config=read_options_file,
        suppress_keyboard_interrupt=False,
    )
    groups = {name: App(name=name, help=summary) for name, summary in GROUPS.items()}
    for words, (target, summary) in VERBS.items():
        *group, name = words.split()
        parent = groups[group[0]] if group else app
        parent.command(target, name=name, help=None if words == verb else summary)
    for group_app in groups.values():
        app.command(group_app)
    return app


def run(arguments: list[str], debug: bool = False) -> int:
    """Run one verb and return the exit status: 0 only if it did what was asked.

    With `debug`, exceptions are not caught, so that their traceback is seen.
    """
    verb = _verb(arguments)
    app = build_app(verb)
    try:
        app(arguments, result_action="return_value", exit_on_error=False, print_error=False)
    except CycloptsError as error:
        page = f"oscar {verb} --help" if verb in VERBS or verb in GROUPS else "oscar --help"
        return _complain(f"{error} See {page}.", MISUSED)
    except BrokenPipeError:
        _forget_stdout()
    except (Exception, KeyboardInterrupt) as error:
        if debug:
            raise
        return _report(error)
    return 0


def _verb(arguments: list[str]) -> str | None:
    """The verb that a command line begins with, its group before it."""
    first = next(iter(arguments), None)
    both = " ".join(arguments[:2])
    return both if both in VERBS else first


def _report(error: BaseException) -> int:
    """Say in one line what ended a run."""
    if isinstance(error, KeyboardInterrupt):
        return _complain("interrupted; the same command can be run again", INTERRUPTED)
    if isinstance(error, OscarError):
        return _complain(str(error), 1)
    if isinstance(error, OSError):
        return _complain(f"{error.filename or 'output'}: {error.strerror or error}", 1)
    reason = f"{type(error).__name__}: {error}".splitlines()[0]
    return _complain(f"{reason} (run again with --debug to see where)", 1)


def _complain(message: str, status: int) -> int:
    Console(stderr=True, soft_wrap=True, highlight=False).print(
        f"[bold red]oscar:[/] {escape(' '.join(message.split()))}"
    )
    return status


def _forget_stdout() -> None:
    """Keep the interpreter from complaining at exit when a reader such as `head` has left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: list[str] | None = None) -> None:
    """Entry point of the `oscar` command, with the words behind it unless others are given."""
    arguments = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in arguments
    sys.exit(run([a for a in arguments if a != "--debug"], debug))


if __name__ == "__main__":
    main()
