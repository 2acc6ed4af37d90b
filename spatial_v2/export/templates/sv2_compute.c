/* From the arrays of a call to those of its kernel and back: variables, forces, tensors. */
#include <string.h>

#include "sv2_call.h"

/* A dense tensor from its values. */
static void scatter(const struct sv2_pattern *pattern, const double *x, double *out, size_t size) {
    memset(out, 0, size * sizeof *out);
    for (size_t e = 0; e < pattern->packed_count; e++) out[pattern->packed_at[e]] = x[e];
}

/* Results of the caller from those of the kernel, where the two differ; `room` is for the values of a
 * tensor of the model, or for as many numbers as a result has. Returns a status. */
static int convert(const struct sv2_call *c, size_t states, double *const *values,
                   double *const *results, size_t first, double *room) {
    int status = SV2_DONE;
    for (int k = 0; k < c->f->results; k++)
        for (size_t b = 0; b < states && values[k]; b++) {
            double *x = values[k] + b * sv2_row(c, k, states);
            double *out = results[k] + (first + b) * c->out[k];
            if (c->f->family < 0) {
                const struct sv2_tree *const own = &c->m->trees[SV2_CALL];
                sv2_contract(&c->spread->v, c->tree, own, c->f->shapes[k], x, room, out);
            } else {
                const struct sv2_pattern *const pattern = sv2_pattern_of(c->f, c->m, k);
                const int packed = c->form == SV2_PACKED;
                if (c->spread) sv2_contract_packed(pattern, x, packed ? out : room);
                if (!packed) scatter(pattern, c->spread ? room : x, out, c->out[k]);
            }
            if (c->spread && !sv2_all_finite(out, c->out[k])) status = SV2_NOT_FINITE;
        }
    return status;
}

/* Variables of states for a tree, in the arena. */
static const double *widened(const struct sv2_matrix *G, struct sv2_arena *arena, size_t states,
                             const double *x) {
    double *out = sv2_take_from(arena, states * G->rows * sizeof *out);
    for (size_t b = 0; b < states; b++) sv2_widen(G, x + b * G->variables, out + b * G->rows);
    return out;
}

/* Forces on bodies for a tree with rotors as further bodies, in the arena. */
static const double *with_rotors(struct sv2_arena *arena, size_t states, const double *x,
                                 size_t from, size_t to) {
    double *out = sv2_take_from(arena, states * to * sizeof *out);
    memset(out, 0, states * to * sizeof *out);
    for (size_t b = 0; b < states; b++) memcpy(out + b * to, x + b * from, from * sizeof *out);
    return out;
}

/* The largest number of entries of a result on a tree, or of the values of a tensor of the model. */
static size_t largest(const struct sv2_call *c) {
    size_t most = 0;
    for (int k = 0; k < c->f->results; k++) {
        const size_t n = c->f->family < 0 ? c->written[k] : sv2_nonzeros(c->f, c->m, k);
        most = n > most ? n : most;
    }
    return most;
}

/* A call for SIMD batches: their driver computes the tree's variables and pulls results back. */
static struct sv2_call driven(const struct sv2_call *c) {
    struct sv2_call made = *c;
    if (!c->spread || c->f->family >= 0 || c->f->told) return made;
    made.driven = c->spread, made.spread = NULL, made.direct = 1;
    memcpy(made.wide_in, c->in, sizeof made.in);
    memcpy(made.written, c->out, sizeof made.out);
    return made;
}

int sv2_compute(const struct sv2_call *of, struct sv2_arena *arena, int simd, size_t first,
                size_t states, const double *const *given, const double *f_ext,
                double *const *results) {
    struct sv2_call batched;
    if (simd) batched = driven(of);
    const struct sv2_call *const c = simd ? &batched : of;
    const struct sv2_function *const f = c->f;
    const double *shifted[SV2_MOST_ARGUMENTS], *force = f_ext ? f_ext + first * c->force : NULL;
    double *into[SV2_MOST_RESULTS], *room = NULL;
    for (int k = 0; k < c->arguments; k++) {
        shifted[k] = given[k] + first * c->in[k];
        const char letter = f->arguments[k];
        if (c->spread && (letter == 'q' || letter == 'v'))
            shifted[k] = widened(letter == 'q' ? &c->spread->q : &c->spread->v, arena, states, shifted[k]);
    }
    const size_t forces = 6 * (size_t)c->tree->NB;
    if (force && forces != c->force) force = with_rotors(arena, states, force, c->force, forces);
    for (int k = 0; k < f->results; k++) {
        const size_t n = states * sv2_row(c, k, states);
        const int wanted = k >= c->returned || results[k] || !f->optional;
        if (!c->direct && !wanted) into[k] = NULL;
        else if (!c->direct || k >= c->returned) into[k] = sv2_take_from(arena, n * sizeof **into);
        else into[k] = results[k] ? results[k] + first * c->written[k] : NULL;
        const int filled = simd || f->family >= 0 || (f->optional && k < c->returned);
        if (!filled && n && into[k]) memset(into[k], 0, n * sizeof **into);
    }
    if (c->spread) room = sv2_take_from(arena, largest(c) * sizeof *room);
    int status = sv2_run(c, arena, simd, states, shifted, force, into);
    for (int k = 0; k < c->returned && status == SV2_DONE; k++)
        for (size_t b = 0; b < states && into[k]; b++)
            if (!sv2_all_finite(into[k] + b * sv2_row(c, k, states), c->written[k]))
                status = SV2_NOT_FINITE;
    if (!c->direct && c->form != SV2_NO_RESULTS) {
        const int last = convert(c, states, into, results, first, room);
        if (last > status) status = last;
    }
    return status;
}
