/* What is recorded: for each load, the different origins its bytes had. */
#ifndef ORACLE_RECORDS_H
#define ORACLE_RECORDS_H

#include <stddef.h>
#include <stdint.h>

/* Besides an instruction (a number from 0 on) a value may come from … */
enum {
    ENTRY = -1,         /* before the function was entered */
    UNINITIALISED = -2, /* nobody: the object is fresh */
    ANYTHING = -3,      /* one of very many external calls */
    UNEXPLAINED = -4    /* a write nobody saw: a fault of the oracle */
};

enum { MOST_ALTERNATIVES = 8 };

/* One of these, it cannot be told which. */
typedef struct {
    uint32_t count;
    int32_t alternatives[MOST_ALTERNATIVES];
} Origin;

void add_alternative(Origin *origin, int32_t alternative);
void add_record(int32_t load, const Origin *origin);
void write_records(int file);
/* Writes all of a text; in process.c. */
void write_out(int file, const char *text, size_t length);

#endif
