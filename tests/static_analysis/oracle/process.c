/* How an instrumented program begins and ends, and the library functions it gets from us. */
#define _GNU_SOURCE
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "records.h"
#include "shadow.h"

/* In hooks.c. */
void made_by_call(uintptr_t start, size_t size);
void filled_by_call(uintptr_t start, size_t size);

static int record_file = -1;

void write_out(int file, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written <= 0) _exit(3);
        text += written;
        length -= (size_t)written;
    }
}

/* The reason stands on the first line, then the records, then a line that says all is there. */
_Noreturn void finish(const char *reason) {
    static int finishing;
    if (finishing++) _exit(2);
    signal(SIGXCPU, SIG_IGN);
    signal(SIGALRM, SIG_IGN);
    write_out(record_file, reason, strlen(reason));
    write_out(record_file, "\n", 1);
    write_records(record_file);
    write_out(record_file, "end\n", 4);
    _exit(0);
}

void oracle_finish(void) { finish("returned"); }

void oracle_exit(int status) {
    (void)status;
    finish("exit");
}

static void on_signal(int number) {
    char reason[16] = "signal ";
    reason[7] = (char)('0' + number / 10);
    reason[8] = (char)('0' + number % 10);
    finish(reason);
}

/* From here on the process runs the program: `file` gets what is recorded. */
void oracle_begin(int file) {
    static char stack[1 << 16]; /* a program may have used up its own */
    const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGALRM, SIGTRAP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaltstack(&alternative, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) sigaction(fatal[i], &action, NULL);
    record_file = file;
}

/* Memory is never given back, so that an address means one object for the whole run. */
static void *allocate(size_t size, size_t alignment) {
    void *start = size < (size_t)1 << 40 ? memalign(alignment, size + RED_ZONE) : NULL;
    if (start != NULL) made_by_call((uintptr_t)start, size);
    return start;
}

void *oracle_malloc(size_t size) { return allocate(size, 16); }

void *oracle_calloc(size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) return NULL;
    void *start = oracle_malloc(total);
    if (start == NULL) return NULL;
    memset(start, 0, total);
    filled_by_call((uintptr_t)start, total);
    return start;
}

void oracle_free(void *start) { mark_freed((uintptr_t)start); }

void *oracle_realloc(void *start, size_t size) {
    if (start == NULL) return oracle_malloc(size);
    uint32_t object = object_at((uintptr_t)start);
    size_t old = object ? object_end(OBJECT(object)) - (uintptr_t)start : malloc_usable_size(start);
    char *moved = oracle_malloc(size);
    if (moved == NULL) return NULL;
    size_t kept = old < size ? old : size;
    memcpy(moved, start, kept);
    filled_by_call((uintptr_t)moved, size);
    oracle_free(start);
    return moved;
}

void *oracle_new(size_t size) {
    void *start = oracle_malloc(size);
    if (start == NULL) finish("out of memory");
    return start;
}

void *oracle_new_aligned(size_t size, size_t alignment) {
    void *start = allocate(size, alignment);
    if (start == NULL) finish("out of memory");
    return start;
}

/* The JIT compiler announces its exception tables by this name; the unwinder that the program's
 * exceptions pass through wants them. */
static void (*add_frames)(uintptr_t);

void oracle_unwinder(void (*register_frames)(uintptr_t)) { add_frames = register_frames; }

void __register_frame(void *section) {
    if (add_frames != NULL) add_frames((uintptr_t)section);
}

void __deregister_frame(void *section) { (void)section; }
