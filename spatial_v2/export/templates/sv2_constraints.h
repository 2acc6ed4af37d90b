/* Constraints on a model, as the files that make and use them share them; nothing here is public. */
#ifndef SV2_CONSTRAINTS_H
#define SV2_CONSTRAINTS_H

#include "sv2_internal.h"

/* Marks of a constraint: its position has an error; it has rows for rotations along the base's axes. */
enum { SV2_PLACED = 1, SV2_TURNS_IN_BASE = 2 };

struct sv2_constraints {
    const sv2_model *model;
    void *memory; /* what to free; null if the memory is the caller's */
    size_t count, rows;
    int64_t *ends, *above, *marks; /* marks of each constraint */
    double *E, *r, *T, *Kp, *Kd, *distances;
    double length, damping;
    uint32_t lengths[SV2_LETTERS];
};

#endif
