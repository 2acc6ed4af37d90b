/* Arguments other than the model: vectors, and external forces. */
#include <stdio.h>
#include <string.h>

#include "sv2_mex.h"

struct sv2_columns sv2_mex_vector(const mxArray *x, const char *name, size_t n) {
    struct sv2_columns c = {sv2_mex_numbers(x, name, 0), n, 1};
    const size_t rows = mxGetM(x), columns = mxGetN(x);
    if (mxGetNumberOfDimensions(x) > 2) sv2_mex_fail("%s: want at most 2 dimensions", name);
    if (rows == n) c.states = columns;
    else if (rows != 1 || columns != n)
        sv2_mex_fail("%s: want %zux1, or %zuxN for N states, got %zux%zu", name, n, n, rows,
                     columns);
    return c;
}

static void put_force(double *out, const double *from, int planar) {
    if (planar) memset(out, 0, 6 * sizeof *out);
    memcpy(out + (planar ? 2 : 0), from, (planar ? 3 : 6) * sizeof *out);
}

static struct sv2_columns of_cells(const mxArray *x, const struct sv2_mex_model *m, size_t d) {
    struct sv2_columns c = {NULL, 6 * m->NB, 1};
    const size_t count = mxGetNumberOfElements(x);
    const mxArray *entry;
    char place[32];
    if (count < m->NB)
        sv2_mex_fail("f_ext: want %zu cells, one for each body, got %zu", m->NB, count);
    for (size_t i = 0; i < m->NB; i++) {
        if (!(entry = mxGetCell(x, i)) || mxIsEmpty(entry)) continue;
        snprintf(place, sizeof place, "f_ext{%zu}", i + 1);
        const size_t states = sv2_mex_vector(entry, place, d).states;
        if (states != 1 && c.states != 1 && states != c.states)
            sv2_mex_fail("%s: want 1 or %zu states, got %zu", place, c.states, states);
        if (states != 1) c.states = states;
    }
    double *out = mxCalloc(c.n * c.states, sizeof *out);
    for (size_t i = 0; i < m->NB; i++) {
        if (!(entry = mxGetCell(x, i)) || mxIsEmpty(entry)) continue;
        const struct sv2_columns f = sv2_mex_vector(entry, "f_ext", d);
        for (size_t b = 0; b < c.states; b++)
            put_force(out + c.n * b + 6 * i, f.at + (f.states > 1 ? b * d : 0), m->planar);
    }
    c.at = out;
    return c;
}

struct sv2_columns sv2_mex_force(const mxArray *x, const struct sv2_mex_model *m) {
    struct sv2_columns c = {NULL, 6 * m->NB, 1};
    const size_t d = m->planar ? 3 : 6;
    if (mxIsEmpty(x)) return c;
    if (mxIsCell(x)) return of_cells(x, m, d);
    const double *from = sv2_mex_numbers(x, "f_ext", 0);
    const mwSize *size = mxGetDimensions(x), axes = mxGetNumberOfDimensions(x);
    if (axes > 3 || (size_t)size[0] != d || (size_t)size[1] != m->NB)
        sv2_mex_fail("f_ext: want a cell of %zu vectors, or %zux%zu, or %zux%zuxN for N states",
                     m->NB, d, m->NB, d, m->NB);
    c.states = mxGetNumberOfElements(x) / (d * m->NB);
    double *out = mxMalloc(c.n * c.states * sizeof *out);
    for (size_t k = 0; k < m->NB * c.states; k++) put_force(out + 6 * k, from + d * k, m->planar);
    c.at = out;
    return c;
}

const double *sv2_mex_part(const struct sv2_columns *c, size_t first, size_t count,
                           size_t states) {
    if (!c->at) return NULL;
    if (c->states == states) return c->at + c->n * first;
    double *out = mxMalloc(c->n * count * sizeof *out);
    for (size_t b = 0; b < count; b++) memcpy(out + c->n * b, c->at, c->n * sizeof *out);
    return out;
}
