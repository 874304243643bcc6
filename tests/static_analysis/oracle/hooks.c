/* What instrumented code calls: follows invocations and calls, and says of each byte a load reads
 * which instruction of the loading function its value comes from. */
#include "shadow.h"

#include <stdarg.h>
#include <string.h>

#include "records.h"

enum { MOST_FRAMES = 1 << 17, MOST_CALLS = 1 << 21, MOST_POINTERS = 8 };
enum { SCANNED = 1 << 16, MOST_CANDIDATES = 4096 };

typedef struct {
    uint32_t serial, start;                /* name, and time of entry, of the invocation */
    uint32_t first_call;                   /* its calls are calls[first_call …] */
    uint32_t n_pointers;                   /* given to the external call it is in */
    uintptr_t pointers[MOST_POINTERS];
} Frame;

static Frame frames[MOST_FRAMES];          /* the innermost last; frames[0] is outside */
static uint32_t depth, serials, now = 1;
static struct { uint32_t begin; int32_t call; } calls[MOST_CALLS];
static uint32_t n_calls;
static uint32_t external[MOST_CALLS];      /* times at which external calls began */
static uint32_t n_external;
static uint64_t events, most_events;

void oracle_budget(uint64_t budget) { most_events = budget; }

static void tick(void) {
    if (++events > most_events) finish("budget");
}

static void check_not_stray(uintptr_t address) {
    if (object_of_stray(address) != 0) finish("undefined: an address outside its object is used");
}

uint32_t oracle_enter(void) {
    tick();
    if (++depth == MOST_FRAMES) finish("recursion");
    Frame *frame = &frames[depth];
    frame->serial = ++serials;
    frame->start = ++now;
    frame->first_call = n_calls;
    frame->n_pointers = 0;
    return frame->serial;
}

void oracle_call(int32_t call) {
    tick();
    if (n_calls == MOST_CALLS) finish("budget");
    calls[n_calls].begin = ++now;
    calls[n_calls++].call = call;
}

/* `count` pointers follow: what the callee is given and may write through. */
void oracle_external_call(int32_t call, uint32_t count, ...) {
    oracle_call(call);
    if (n_external == MOST_CALLS) finish("budget");
    Frame *frame = &frames[depth];
    frame->n_pointers = count < MOST_POINTERS ? count : MOST_POINTERS;
    va_list list;
    va_start(list, count);
    for (uint32_t i = 0; i < frame->n_pointers; i++) {
        uintptr_t start = frame->pointers[i] = va_arg(list, uintptr_t);
        check_not_stray(start);
        uintptr_t end = object_at(start) ? object_end(OBJECT(object_at(start))) + RED_ZONE : start;
        for (uintptr_t a = start; a <= end && a < start + SCANNED; a += PAGE)
            page_if_readable(a, now);
    }
    va_end(list);
    external[n_external++] = now;
}

/* Finds what the call that just ended wrote from `start` to the end of the object there. */
static void scan(uintptr_t start, int32_t call) {
    uint32_t object = object_at(start);
    if (object == 0 || object & FREED) return;
    uintptr_t end = object_end(OBJECT(object)) + RED_ZONE;
    if (end > start + SCANNED) end = start + SCANNED;
    for (uintptr_t a = start; a < end;) {
        Page *page = page_of(a, now);
        size_t at = a % PAGE, rest = PAGE - at < end - a ? PAGE - at : end - a;
        if (memcmp(page->value + at, (const void *)a, rest) == 0) {
            a += rest;
            continue;
        }
        for (size_t i = 0; i < rest; i++, a++) {
            if (page->value[a % PAGE] == *(const uint8_t *)a) continue;
            if (page->object[a % PAGE] & BEHIND) finish("undefined: an external call overflows");
            write_shadow(a, 1, frames[depth].serial, call, now);
        }
    }
}

/* Control is back in an invocation: after a call, in a landing pad, or from longjmp. */
void oracle_back(uint32_t serial) {
    while (depth > 0 && frames[depth].serial != serial) n_calls = frames[depth--].first_call;
    Frame *frame = &frames[depth];
    uint32_t count = frame->n_pointers;
    frame->n_pointers = 0;
    for (uint32_t i = 0; i < count; i++) scan(frame->pointers[i], calls[n_calls - 1].call);
}

/* The call of the frame that was running at `time`, which is not before the frame's first one. */
static int32_t call_at(const Frame *frame, uint32_t time) {
    uint32_t low = frame->first_call, high = n_calls;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (calls[middle].begin <= time) low = middle;
        else high = middle;
    }
    return calls[low].call;
}

/* Adds all external calls that began after `since`, up to `until`, as possible writers. */
static void add_external(Origin *origin, const Frame *frame, uint32_t since, uint32_t until) {
    uint32_t low = 0, high = n_external;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (external[middle] <= since) low = middle + 1;
        else high = middle;
    }
    for (uint32_t i = low; i < n_external && external[i] <= until; i++) {
        int before = external[i] < frame->start;
        if (i - low == MOST_CANDIDATES) add_alternative(origin, ANYTHING);
        if (i - low == MOST_CANDIDATES) return;
        add_alternative(origin, before ? ENTRY : call_at(frame, external[i]));
    }
}

/* Where the value of one byte comes from, seen from an invocation. */
static Origin origin_of(const Page *page, size_t at, uint8_t value, const Frame *frame) {
    Origin origin = {0};
    uint32_t time = page->time[at];
    int32_t writer = page->writer[at];
    if (page->value[at] != value) { /* a write that was not seen: by some external call since */
        add_external(&origin, frame, time ? time : page->born, now);
        if (origin.count == 0) add_alternative(&origin, UNEXPLAINED);
    } else if (page->frame[at] == frame->serial) {
        add_alternative(&origin, writer >= 0 ? writer : UNINITIALISED);
    } else if (time >= frame->start) {
        add_alternative(&origin, call_at(frame, time));
        if (writer < 0) add_alternative(&origin, UNINITIALISED); /* made and left as it was */
    } else {
        add_alternative(&origin, ENTRY);
        if (time == 0) add_external(&origin, frame, frame->start, page->born);
    }
    return origin;
}

void oracle_load(int32_t load, uintptr_t start, uint64_t size) {
    tick();
    check_not_stray(start);
    const Frame *frame = &frames[depth];
    for (uintptr_t a = start; a < start + size; a++) {
        Page *page = page_of(a, now);
        uint32_t mark = page->object[a % PAGE];
        if (mark & BEHIND) finish("undefined: a load behind an object");
        if (mark & FREED) finish("undefined: a load of freed memory");
        Origin origin = origin_of(page, a % PAGE, *(const uint8_t *)a, frame);
        add_record(load, &origin);
    }
}

/* Called after the store. */
void oracle_store(int32_t store, uintptr_t start, uint64_t size) {
    tick();
    check_not_stray(start);
    for (uintptr_t a = start; a < start + size; a++) {
        uint32_t mark = object_at(a);
        if (mark & BEHIND) finish("undefined: a store behind an object");
        if (mark & FREED) finish("undefined: a store to freed memory");
    }
    write_shadow(start, size, frames[depth].serial, store, now);
}

void oracle_store_if(int32_t store, uintptr_t start, uint64_t size, uint32_t stored) {
    if (stored) oracle_store(store, start, size);
}

/* A stack object begins. */
void oracle_fresh(int32_t maker, uintptr_t start, uint64_t size) {
    tick();
    make_object(start, size, frames[depth].serial, maker, now);
}

/* A stack object begins to live (again). */
void oracle_alive(int32_t marker, uintptr_t start) {
    uint32_t object = object_at(start);
    if (object == 0) return;
    size_t size = object_end(OBJECT(object)) - start;
    write_shadow(start, size, frames[depth].serial, ~marker, now);
}

/* Memory that a caller made and filled as the call began: an argument passed by value. */
void oracle_by_value(uintptr_t start, uint64_t size) {
    make_object(start, size, 0, 0, now);
    write_shadow(start, size, 0, 0, now);
}

/* An address is computed from another one. */
void oracle_address(uintptr_t base, uintptr_t result) {
    uint32_t object = object_of_stray(base);
    if (object == 0) object = OBJECT(object_at(base));
    if (object == 0) return;
    if (OBJECT(object_at(result)) == object) forget_stray(result);
    else remember_stray(result, object);
}

/* A heap object, made by the library call that is running. */
void made_by_call(uintptr_t start, size_t size) {
    make_object(start, size, frames[depth].serial, calls[n_calls - 1].call, now);
}

/* Memory that the library call that is running fills. */
void filled_by_call(uintptr_t start, size_t size) {
    write_shadow(start, size, frames[depth].serial, calls[n_calls - 1].call, now);
}
