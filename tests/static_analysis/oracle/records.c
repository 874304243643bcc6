/* The set of records; see records.h. */
#include "records.h"

#include <stdio.h>
#include <string.h>

#include "shadow.h"

enum { TABLE = 1 << 16, MOST_RECORDS = TABLE / 2, MOST_LOADS = 1 << 16 };

static struct { int32_t load; Origin origin; } table[TABLE]; /* free where origin.count is 0 */
static uint32_t n_records;
static int32_t latest[MOST_LOADS]; /* the single origin a load had last, plus MOST_LOADS */

void add_alternative(Origin *origin, int32_t alternative) {
    uint32_t at = 0;
    while (at < origin->count && origin->alternatives[at] < alternative) at++;
    if (at < origin->count && origin->alternatives[at] == alternative) return;
    if (origin->count == MOST_ALTERNATIVES) {
        origin->count = 1;
        origin->alternatives[0] = ANYTHING;
        return;
    }
    memmove(origin->alternatives + at + 1, origin->alternatives + at,
            (origin->count++ - at) * sizeof *origin->alternatives);
    origin->alternatives[at] = alternative;
}

static uint32_t hash_of(int32_t load, const Origin *origin) {
    uint32_t hash = (uint32_t)load;
    for (uint32_t i = 0; i < origin->count; i++)
        hash = (hash ^ (uint32_t)origin->alternatives[i]) * 0x9E3779B1u;
    return (hash ^ hash >> 15) % TABLE;
}

static int is_same(const Origin *one, const Origin *other) {
    size_t size = one->count * sizeof *one->alternatives;
    return one->count == other->count && !memcmp(one->alternatives, other->alternatives, size);
}

void add_record(int32_t load, const Origin *origin) {
    int32_t single = origin->count == 1 ? origin->alternatives[0] + MOST_LOADS : 0;
    if (load < MOST_LOADS && single != 0) {
        if (latest[load] == single) return;
        latest[load] = single;
    }
    uint32_t slot = hash_of(load, origin);
    for (; table[slot].origin.count != 0; slot = (slot + 1) % TABLE)
        if (table[slot].load == load && is_same(&table[slot].origin, origin)) return;
    if (n_records++ == MOST_RECORDS) finish("too many records");
    table[slot].load = load;
    memcpy(table[slot].origin.alternatives, origin->alternatives, sizeof origin->alternatives);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a signal may have the records written out now */
    table[slot].origin.count = origin->count;
}

/* One line a record: the load, then what its value may come from. */
void write_records(int file) {
    for (uint32_t slot = 0; slot < TABLE; slot++) {
        const Origin *origin = &table[slot].origin;
        if (origin->count == 0) continue;
        char line[32 + MOST_ALTERNATIVES * 16];
        int length = snprintf(line, sizeof line, "%d", table[slot].load);
        for (uint32_t i = 0; i < origin->count; i++)
            length += snprintf(line + length, sizeof line - length, " %d", origin->alternatives[i]);
        line[length++] = '\n';
        write_out(file, line, (size_t)length);
    }
}
