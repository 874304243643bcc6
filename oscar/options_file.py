"""Options of a verb from a JSON file, where the verb has the flag `--config`."""

from pathlib import Path
from typing import Any

from cyclopts.config import Json

from static_analysis.errors import OscarError

FLAG = "--config"


def read_options_file(app: Any, commands: tuple[str, ...], arguments: Any) -> None:
    """Fill in what the command line leaves open; cyclopts calls it between both.

    The file is an object of options by the names of their flags, with _ or - between words.

    Raises:
        OscarError: there is no such file.
        CycloptsError: the file is not JSON, or names an option that the verb does not have.
    """
    named = [argument for argument in arguments if argument.name == FLAG and argument.tokens]
    for argument in named:
        path = Path(argument.tokens[0].value)
        if not path.is_file():
            raise OscarError(f"no such file {path}: give {FLAG} a JSON file of options")
        Json(path, use_commands_as_keys=False)(app, commands, arguments)
