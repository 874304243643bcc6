"""What the C and C++ libraries' functions do to memory.

Each entry says only what holds for every implementation: ISO C, POSIX and the C++ standard tell
what a function may write; what is its own (``errno``, streams, static buffers) it may write too.
What streams do is known only in modules that give them no memory and no buffer class of their
own, and of the standard streams at that: others may have a buffer of the program's. ``new`` and
``delete`` may be the program's own, or call its handler. Left out on purpose are functions that
call back (``qsort``), that keep or follow pointers given to them (``strtok``, ``getline``,
``vprintf``) and that let other threads run.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from static_analysis.memory.origins import ANYWHERE, ERRNO, LIBRARY, NOTHING
from static_analysis.reading.ir import Module
from static_analysis.reading.types import FunctionType, PointerType
from static_analysis.words.names import unescape


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """Effect of a library function; nothing it does lets an address out of its sight.

    Attributes:
        arguments: one letter each: ``-`` no pointer; ``r`` is read; ``w`` may be written from
            the address on; ``W`` is written, as many bytes as the third argument says; ``c`` like
            ``r``, but is captured unless the next argument is null; ``l`` is a C stream, ``o`` one
            of C++, which may write itself and what it points to; ``p`` and ``s`` are formats of
            printf and scanf, whose arguments follow; ``a`` (of those) may be written and captured.
            With ``*`` at the end the last letter holds for all others.
        writes: kinds of memory it may write besides.
        result: ``0`` its first argument, ``~0`` somewhere in what that points to, ``fresh`` memory
            nobody has written, ``made`` new memory it has written, else empty.
    """

    arguments: str
    writes: int
    result: str = ""


_PURE = (
    "abs labs llabs div ldiv isalpha isdigit isalnum isspace isupper islower ispunct isxdigit "
    "isprint iscntrl isgraph isblank toupper tolower __ctype_b_loc __ctype_tolower_loc "
    "__ctype_toupper_loc __errno_location ntohl ntohs htonl htons"
)
_MATHS = (
    "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 "
    "log10 log1p sqrt cbrt floor ceil trunc round rint nearbyint fabs lround llround lrint llrint "
    "erf erfc tgamma logb ilogb"
)
_MATHS_OF_TWO = "pow atan2 fmod remainder hypot fmax fmin fdim copysign nextafter"
_ROWS = [
    ("-*", NOTHING, "", _PURE),
    ("-", ERRNO, "", _MATHS),
    ("--", ERRNO, "", f"{_MATHS_OF_TWO} ldexp scalbn scalbln"),
    ("-w", ERRNO, "", "modf modff modfl frexp frexpf frexpl"),
    ("r", NOTHING, "", "strlen"),
    ("rr", NOTHING, "", "strcmp strcasecmp strcspn strspn strcoll"),
    ("r-", NOTHING, "", "strnlen"),
    ("rr-", NOTHING, "", "strncmp memcmp bcmp strncasecmp"),
    ("r-", NOTHING, "~0", "strchr strrchr index rindex strchrnul"),
    ("rr", NOTHING, "~0", "strstr strpbrk strcasestr"),
    ("r--", NOTHING, "~0", "memchr memrchr"),
    ("wr", NOTHING, "0", "strcpy strcat"),
    ("wr", NOTHING, "~0", "stpcpy"),
    ("wr-", NOTHING, "0", "strncpy strncat"),
    ("Wr-", NOTHING, "0", "memcpy memmove"),
    ("Wr-", NOTHING, "~0", "mempcpy"),
    ("W--", NOTHING, "0", "memset"),
    ("w-", NOTHING, "", "bzero"),
    ("rw-", NOTHING, "", "bcopy swab"),
    ("r", ERRNO, "", "atoi atol atoll atof"),
    ("cw", ERRNO, "", "strtod strtof strtold"),
    ("cw-", ERRNO, "", "strtol strtoll strtoul strtoull __isoc23_strtol __isoc23_strtoul"),
    ("-", ERRNO, "fresh", "malloc valloc"),
    ("--", ERRNO, "fresh", "aligned_alloc memalign"),
    ("-", ANYWHERE, "fresh", "_Znwm _Znam _Znwj _Znaj"),
    ("-r", ANYWHERE, "fresh", "_ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t"),
    ("--", ANYWHERE, "fresh", "_ZnwmSt11align_val_t _ZnamSt11align_val_t"),
    ("--", ERRNO, "made", "calloc"),
    ("r-", ERRNO, "made", "realloc strndup"),
    ("r--", ERRNO, "made", "reallocarray"),
    ("r", ERRNO, "made", "strdup"),
    ("r", NOTHING, "", "free cfree"),
    ("r", ANYWHERE, "", "_ZdlPv _ZdaPv"),
    ("r-", ANYWHERE, "", "_ZdlPvm _ZdaPvm _ZdlPvj _ZdaPvj _ZdlPvSt11align_val_t"),
    ("", LIBRARY, "", "rand random clock drand48 lrand48"),
    ("-", LIBRARY, "", "srand srandom srand48 putchar putchar_unlocked sleep usleep strerror"),
    ("w", LIBRARY, "", "time mktime"),
    ("r", LIBRARY, "", "localtime gmtime asctime ctime getenv perror remove puts unlink"),
    ("--", ERRNO, "", "difftime"),
    ("w-rr", LIBRARY, "", "strftime"),
    ("", LIBRARY, "", "getchar getchar_unlocked"),
    ("l", LIBRARY, "", "getc fgetc fclose fflush feof ferror clearerr rewind ftell fileno"),
    ("-l", LIBRARY, "", "putc fputc ungetc"),
    ("rl", LIBRARY, "", "fputs"),
    ("rr", LIBRARY, "", "fopen rename"),
    ("l--", LIBRARY, "", "fseek"),
    ("w", LIBRARY, "0", "gets"),
    ("w-l", LIBRARY, "0", "fgets"),
    ("w--l", LIBRARY, "", "fread"),
    ("r--l", LIBRARY, "", "fwrite"),
    ("p*", LIBRARY, "", "printf"),
    ("lp*", LIBRARY, "", "fprintf"),
    ("-p*", LIBRARY, "", "dprintf"),
    ("wp*", LIBRARY, "", "sprintf"),
    ("w-p*", LIBRARY, "", "snprintf"),
    ("s*", LIBRARY, "", "scanf __isoc99_scanf __isoc23_scanf"),
    ("ls*", LIBRARY, "", "fscanf __isoc99_fscanf __isoc23_fscanf"),
    ("rs*", LIBRARY, "", "sscanf __isoc99_sscanf __isoc23_sscanf"),
    ("-w-", ERRNO, "", "read"),
    ("-r-", ERRNO, "", "write"),
    ("-", ERRNO, "", "close"),
]
_ISTREAMS = ("_ZNSi", "_ZNSt3__113basic_istreamIcNS_11char_traitsIcEEE")  # libstdc++, libc++
_OSTREAMS = ("_ZNSo", "_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE")
_NUMBERS = "bstijlmxyfde"  # arithmetic types, as the C++ ABI spells them


def _table() -> dict[str, LibraryFunction]:
    table = {
        name: LibraryFunction(arguments, writes, result)
        for arguments, writes, result, names in _ROWS
        for name in names.split()
    }
    for names, arguments in ((_MATHS, "-"), (_MATHS_OF_TWO, "--")):
        for name in names.split():
            table[f"{name}f"] = table[f"{name}l"] = LibraryFunction(arguments, ERRNO)
    for stream in _ISTREAMS:
        table[f"{stream}3getEv"] = LibraryFunction("o", LIBRARY)
        table |= {
            f"{stream}rsER{number}": LibraryFunction("ow", LIBRARY, "0") for number in _NUMBERS
        }
    for stream in _OSTREAMS:
        table[f"{stream}5flushEv"] = LibraryFunction("o", LIBRARY, "0")
        table[f"{stream}3putEc"] = LibraryFunction("o-", LIBRARY, "0")
        table |= {
            f"{stream}lsE{number}": LibraryFunction("o-", LIBRARY, "0") for number in _NUMBERS
        }
    return table


LIBRARY_FUNCTIONS = _table()
# Functions that make the library write memory of the program's later on.
_LENDING = re.compile(
    r"^(?:setbuf|setbuffer|setvbuf|fmemopen|open_memstream|fopencookie|funopen)$"
    r"|pubsetbuf|strstream|TI\w*basic_streambuf|basic_streambuf\w*C[12]E|5rdbufEP"
)
# Conversions that write through an argument, or print its address, from which it may be read back.
_USES_ADDRESS = re.compile(r"(?<!%)(?:%%)*%[^%a-zA-Z]*(?:hh|h|ll|l|j|z|t|q|L)?[np]")


def library_functions(module: Module) -> dict[str, LibraryFunction]:
    """Return the library functions a module declares, by lexeme.

    A function with a body, or whose parameters are not those of the library's, is none. Where the
    program lends memory to streams, those that work on streams may write anywhere.
    """
    names = {name: unescape(name) for name in (*module.prototypes, *module.globals)}
    lends = any(_LENDING.search(name) for name in names.values())
    defined = {function.name for function in module.functions}
    found = {}
    for prototype in module.prototypes.values():
        known = LIBRARY_FUNCTIONS.get(names[prototype.name])
        if known is None or prototype.name in defined or (lends and known.writes == LIBRARY):
            continue
        if _fits(known.arguments, prototype.type):
            found[prototype.name] = known
    return found


def _fits(letters: str, declared: FunctionType) -> bool:
    """Say whether a function takes the pointers that its library namesake does."""
    wanted = letters.removesuffix("*")
    if letters.endswith("*") and declared.variadic:
        wanted = wanted[: len(declared.parameters)]
    elif letters.endswith("*"):
        wanted = wanted[:-1] + wanted[-1] * (1 + len(declared.parameters) - len(wanted))
    given = [isinstance(kind, PointerType) for kind in declared.parameters]
    return given == [letter != "-" for letter in wanted]


def uses_addresses(module: Module, constant: Sequence[str]) -> bool:
    """Say whether printf with this format uses pointers as such: it is unknown, or has %n or %p."""
    found = module.globals.get(constant[0])
    if found is None or found.kind != "constant" or not found.value.startswith('c"'):
        return True
    return _USES_ADDRESS.search(found.value) is not None
