"""The library functions a recorded program may call: none that reaches outside its process."""

import re

_DECLARED = re.compile(r'^declare [^\n]*?@("[^"\n]*"|[-\w$.]+)\(', re.MULTILINE)
_C = frozenset(
    re.findall(
        r"\w+",
        """
        printf scanf puts putchar putc fputc fputs getchar getc fgetc gets fgets ungetc fgetwc
        fprintf putwchar fscanf sprintf snprintf vprintf vsprintf vsnprintf sscanf fflush perror
        fwrite fread __isoc99_scanf __isoc99_sscanf __isoc99_fscanf __isoc23_scanf __isoc23_sscanf
        __isoc23_fscanf feof ferror clearerr setbuf setvbuf rewind malloc calloc realloc free exit
        _exit _Exit quick_exit abort atexit __assert_fail memcpy memmove memset memcmp memchr
        memccpy bcmp bcopy bzero mempcpy stpcpy stpncpy strlen strnlen strcpy strncpy strcat
        strncat strcmp strncmp strchr strrchr strstr strtok strtok_r strspn strcspn strpbrk strdup
        strndup strrev strupr strlwr strcasecmp strncasecmp strcoll strerror strsep index rindex
        atoi atol atoll atof strtol strtoul strtoll strtoull strtod strtof __isoc23_strtol
        __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull itoa isalnum isalpha isblank iscntrl
        isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper
        __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc abs labs llabs div ldiv qsort
        bsearch rand srand rand_r random srandom time clock difftime localtime gmtime mktime ctime
        asctime strftime getpid sqrt pow exp log log2 log10 log1p expm1 exp2 exp10 sin cos tan
        asin acos atan atan2 sinh cosh tanh floor ceil fabs fmod round trunc rint nearbyint lround
        llround lrint hypot cbrt ldexp frexp modf fmin fmax fdim fma remainder copysign erf tgamma
        lgamma setjmp _setjmp longjmp __sigsetjmp __errno_location
        """,
    )
)
_FLOATS = re.compile(r"(\w+)[fl]")  # sqrtf, powl, …
_CXX = re.compile(
    r"_ZNK?St|_ZSt|_ZNK?S[abdios]|_ZT|_Zn[wa]|_Zd[la]|__cxa_|__gxx_personality|"
    r"__clang_call_terminate|_ZGV|_Unwind_Resume"
)
_CXX_FORBIDDEN = re.compile(r"filebuf|fstream|filesystem|6thread|6system|process|file")


def forbidden(ir: str) -> str | None:
    """Return the name of a function that a module declares and may not call, if there is one."""
    for name in _DECLARED.findall(ir):
        name = name.strip('"')
        if name.startswith("llvm.") or _is_c(name):
            continue
        if not _CXX.match(name) or _CXX_FORBIDDEN.search(name):
            return str(name)
    return None


def _is_c(name: str) -> bool:
    stem = _FLOATS.fullmatch(name)
    return name in _C or (stem is not None and stem[1] in _C)
