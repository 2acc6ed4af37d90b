/* A call of a kernel, as the files that run it share it; nothing here is public. */
#ifndef SV2_CALL_H
#define SV2_CALL_H

#include "sv2_internal.h"

/* A call: what computes, and the lengths for one state of arguments and results, which are looked up
 * once: those of the caller, and those of the kernel, which may run on another tree. */
struct sv2_call {
    const struct sv2_function *f;
    const sv2_model *m;
    const struct sv2_view *view;
    const struct sv2_tree *tree; /* that of the kernel */
    const uint32_t *lengths;     /* of its axes */
    /* From the variables of the caller to those of the tree, between which arguments and results are
     * converted; null if they are the same. */
    const struct sv2_spread *spread;
    const struct sv2_spread *driven; /* the same, if the driver of batches does that */
    int form, arguments, returned;
    int in_y;   /* the kernel solves for the accelerations of a coupled model */
    int direct; /* the kernel writes into the results of the caller */
    size_t in[SV2_MOST_ARGUMENTS], wide_in[SV2_MOST_ARGUMENTS], force;
    size_t out[SV2_MOST_RESULTS], written[SV2_MOST_RESULTS];
};

/* The distance of the values of two states of a batch: whole cache lines for tensors that are
 * converted. */
static inline size_t sv2_row(const struct sv2_call *c, int k, size_t states) {
    const size_t n = c->written[k];
    return c->f->family >= 0 && states > 1 && !c->direct ? (n + 8) / 8 * 8 : n;
}

/* Run a kernel on states, one by one or in SIMD batches; returns the status. If it tells how states
 * ended, those that SIMD batches leave are solved one by one. */
SV2_HIDDEN int sv2_run(const struct sv2_call *call, struct sv2_arena *arena, int simd, size_t states,
                       const double *const *given, const double *f_ext, double *const *results);
/* Fill results of some states, beginning with the first; returns a status. */
SV2_HIDDEN int sv2_compute(const struct sv2_call *call, struct sv2_arena *arena, int simd, size_t first,
                           size_t states, const double *const *given, const double *f_ext,
                           double *const *results);

#endif
