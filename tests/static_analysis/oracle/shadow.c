/* Shadow pages and objects; see shadow.h. */
#define _GNU_SOURCE
#include "shadow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { TABLE = 1 << 16, MOST_PAGES = 12000, MOST_GLOBALS = 1 << 14, MOST_OBJECTS = 1 << 21 };
enum { STRAYS = 1 << 12 };

static struct { uintptr_t number; Page *page; } table[TABLE];
static size_t n_pages;
static uintptr_t ends[MOST_OBJECTS];
static uint32_t n_objects = 1; /* 0 means none */
static struct { uintptr_t start, end; uint32_t object; } globals[MOST_GLOBALS];
static size_t n_globals;

static struct { uintptr_t address; uint32_t object; } strays[STRAYS]; /* the latest ones */

static size_t slot_of(uintptr_t number) {
    size_t slot = number * 0x9E3779B97F4A7C15u >> 48;
    while (table[slot].page != NULL && table[slot].number != number) slot = (slot + 1) % TABLE;
    return slot;
}

static uint32_t new_object(uintptr_t end) {
    if (n_objects == MOST_OBJECTS) finish("budget");
    ends[n_objects] = end;
    return n_objects++;
}

uintptr_t object_end(uint32_t object) { return ends[object]; }

void oracle_global(uintptr_t start, size_t size) {
    if (n_globals == MOST_GLOBALS) finish("too many globals");
    globals[n_globals].start = start;
    globals[n_globals].end = start + size;
    globals[n_globals++].object = new_object(start + size);
}

static uint32_t mark_in_global(size_t i, uintptr_t address) {
    return globals[i].object | (address >= globals[i].end ? BEHIND : 0);
}

/* Large arrays are often touched at one end only, so globals get their marks page by page. */
static void mark_globals(Page *page, uintptr_t start) {
    for (size_t i = 0; i < n_globals; i++) {
        uintptr_t from = globals[i].start > start ? globals[i].start : start;
        uintptr_t to = globals[i].end + RED_ZONE;
        for (uintptr_t a = from; a < to && a < start + PAGE; a++)
            page->object[a - start] = mark_in_global(i, a);
    }
}

static Page *make_page(size_t slot, uintptr_t number, uint32_t now) {
    if (n_pages == MOST_PAGES) finish("shadow memory");
    Page *page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (page == MAP_FAILED) finish("shadow memory");
    memcpy(page->value, (const void *)(number * PAGE), PAGE);
    page->born = now;
    mark_globals(page, number * PAGE);
    table[slot].number = number;
    table[slot].page = page;
    n_pages++;
    return page;
}

Page *page_of(uintptr_t address, uint32_t now) {
    static uintptr_t last_number;
    static Page *last;
    uintptr_t number = address / PAGE;
    if (last == NULL || last_number != number) {
        size_t slot = slot_of(number);
        last = table[slot].page != NULL ? table[slot].page : make_page(slot, number, now);
        last_number = number;
    }
    return last;
}

Page *page_if_readable(uintptr_t address, uint32_t now) {
    if (table[slot_of(address / PAGE)].page == NULL) {
        char byte;
        struct iovec here = {&byte, 1}, there = {(void *)address, 1};
        if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != 1) return NULL;
    }
    return page_of(address, now);
}

uint32_t object_at(uintptr_t address) {
    Page *page = table[slot_of(address / PAGE)].page;
    if (page != NULL) return page->object[address % PAGE];
    for (size_t i = 0; i < n_globals; i++)
        if (address >= globals[i].start && address < globals[i].end + RED_ZONE)
            return mark_in_global(i, address);
    return 0;
}

static void put_mark(uintptr_t start, uintptr_t end, uint32_t mark, uint32_t now) {
    for (uintptr_t a = start; a < end; a++) page_of(a, now)->object[a % PAGE] = mark;
}

void make_object(uintptr_t start, size_t size, uint32_t frame, int32_t maker, uint32_t now) {
    uint32_t object = new_object(start + size);
    for (uintptr_t a = start; a < start + size; a++) forget_stray(a);
    put_mark(start, start + size, object, now);
    put_mark(start + size, start + size + RED_ZONE, object | BEHIND, now);
    write_shadow(start, size + RED_ZONE, frame, ~maker, now);
}

void mark_freed(uintptr_t start) {
    uint32_t object = object_at(start);
    if (object == 0) return;
    for (uintptr_t a = start; a < ends[OBJECT(object)]; a++)
        page_of(a, 0)->object[a % PAGE] |= FREED;
}

void write_shadow(uintptr_t start, size_t size, uint32_t frame, int32_t writer, uint32_t now) {
    for (uintptr_t a = start; a < start + size; a++) {
        Page *page = page_of(a, now);
        size_t at = a % PAGE;
        page->frame[at] = frame;
        page->time[at] = now;
        page->writer[at] = writer;
        page->value[at] = *(const uint8_t *)a;
    }
}

void remember_stray(uintptr_t address, uint32_t object) {
    strays[address % STRAYS].address = address;
    strays[address % STRAYS].object = object;
}

void forget_stray(uintptr_t address) {
    if (strays[address % STRAYS].address == address) strays[address % STRAYS].object = 0;
}

uint32_t object_of_stray(uintptr_t address) {
    return strays[address % STRAYS].address == address ? strays[address % STRAYS].object : 0;
}
