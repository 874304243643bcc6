/* What is known of every byte of the running program: who wrote it last, when, in which object.
 *
 * Time is a counter of calls and function entries; an invocation of a function is named by a
 * serial number, and 0 stands for whoever ran before or outside the instrumented functions.
 */
#ifndef ORACLE_SHADOW_H
#define ORACLE_SHADOW_H

#include <stddef.h>
#include <stdint.h>

enum { PAGE = 4096, RED_ZONE = 32 };

/* Marks on a byte's object: it lies behind the object's end, or the object is gone. */
#define BEHIND 0x80000000u
#define FREED 0x40000000u
#define OBJECT(mark) ((mark) & ~(BEHIND | FREED))

typedef struct {
    uint32_t born;            /* time at which the page was first looked at */
    uint32_t frame[PAGE];     /* invocation of the last writer */
    uint32_t time[PAGE];      /* when that was; 0 if no write was seen */
    int32_t writer[PAGE];     /* instruction that wrote, or ~(instruction) that made it fresh */
    uint32_t object[PAGE];    /* object and marks; 0 for memory that is not the program's */
    uint8_t value[PAGE];      /* what was written: a difference shows a write that was not seen */
} Page;

/* The page that holds an address, made on first use from what memory holds then. */
Page *page_of(uintptr_t address, uint32_t now);
/* The same if it was made already or can be made without reading forbidden memory, else NULL. */
Page *page_if_readable(uintptr_t address, uint32_t now);
/* The object an address lies in or just behind, with marks; needs no page. */
uint32_t object_at(uintptr_t address);
/* Where an object ends, its red zone left out. */
uintptr_t object_end(uint32_t object);

void oracle_global(uintptr_t start, size_t size);
/* Makes [start, start + size) and the red zone behind it a new object, never written. */
void make_object(uintptr_t start, size_t size, uint32_t frame, int32_t maker, uint32_t now);
void mark_freed(uintptr_t start);
/* Remembers a write and the values it left. */
void write_shadow(uintptr_t start, size_t size, uint32_t frame, int32_t writer, uint32_t now);

/* Addresses computed from an object and outside of it: they may not be accessed, whatever else is
 * there, but another address computed from them may be inside again. */
void remember_stray(uintptr_t address, uint32_t object);
void forget_stray(uintptr_t address);
/* The object a stray address was computed from, 0 if it is none. */
uint32_t object_of_stray(uintptr_t address);

/* Ends the run for the reason given; defined in process.c. */
_Noreturn void finish(const char *reason);

#endif
