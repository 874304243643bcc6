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
    "pretrain": ("pretrain.train:pretrain", "Train a model on a corpus without labels."),
    "embed": ("oscar.commands.embed:embed", "Write one vector per function."),
    "index": ("oscar.commands.index:index", "Make embeddings searchable."),
    "search": ("oscar.commands.search:search", "Find the functions nearest to a piece of code."),
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
        suppress_keyboard_interrupt=False,
    )
    for name, (target, summary) in VERBS.items():
        app.command(target, name=name, help=None if name == verb else summary)
    return app


def run(arguments: list[str], debug: bool = False) -> int:
    """Run one verb and return the exit status: 0 only if it did what was asked.

    With `debug`, exceptions are not caught, so that their traceback is seen.
    """
    verb = next(iter(arguments), None)
    app = build_app(verb)
    try:
        app(arguments, result_action="return_value", exit_on_error=False, print_error=False)
    except CycloptsError as error:
        page = f"oscar {verb} --help" if verb in VERBS else "oscar --help"
        return _complain(f"{error} See {page}.", MISUSED)
    except BrokenPipeError:
        _forget_stdout()
    except (Exception, KeyboardInterrupt) as error:
        if debug:
            raise
        return _report(error)
    return 0


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
