/* Geared rotors: a kernel runs on the expanded tree, in which each rotor is a body with a joint.
 *
 * Its coordinates are G q: those of the model, then for each rotor the gear ratio times that of the
 * joint that drives it. Along an axis of velocities a result is contracted with G, along an axis of
 * bodies the rotors are left out. */
#include <string.h>

#include "sv2_internal.h"

void sv2_widen(const sv2_model *m, char letter, const double *x, double *out) {
    const struct sv2_tree *const t = &m->trees[SV2_PLAIN];
    const size_t n = letter == 'f' ? 6 * (size_t)t->NB : sv2_length_of(t, letter);
    memcpy(out, x, n * sizeof *out);
    if (letter == 'f') memset(out + n, 0, 6 * m->rotors * sizeof *out);
    else
        for (size_t r = 0; r < m->rotors; r++)
            out[n + r] = m->ratio[r] * x[m->joint[6 * m->driver[r] + (letter == 'q' ? 2 : 3)]];
}

/* Add a product, rounded on its own as in Python. */
static void add_product(double *sum, double x, double y) {
    const volatile double product = x * y;
    *sum += product;
}

/* Add the rows of rotors, times their ratios, to those of the joints that drive them. */
static void add_rotors(const sv2_model *m, double *x, size_t row) {
    const size_t n = (size_t)m->trees[SV2_PLAIN].NV;
    for (size_t r = 0; r < m->rotors; r++) {
        double *to = x + (size_t)m->joint[6 * m->driver[r] + 3] * row;
        const double *from = x + (n + r) * row;
        for (size_t k = 0; k < row; k++) add_product(to + k, m->ratio[r], from[k]);
    }
}

/* Copy the entries of the model from those of the expanded tree; returns the end. */
static double *keep(const sv2_model *m, const char *shape, const double *x, double *out) {
    const size_t n = sv2_length_of(&m->trees[SV2_PLAIN], *shape);
    if (!shape[1]) {
        memcpy(out, x, n * sizeof *out);
        return out + n;
    }
    const size_t step = sv2_length(&m->trees[SV2_EXPANDED], shape + 1);
    for (size_t k = 0; k < n; k++) out = keep(m, shape + 1, x + k * step, out);
    return out;
}

void sv2_contract(const sv2_model *m, const char *shape, double *wide, double *out) {
    const struct sv2_tree *const t = &m->trees[SV2_EXPANDED];
    size_t before = 1;
    for (size_t axis = 0; shape[axis]; axis++) {
        const size_t n = sv2_length_of(t, shape[axis]), row = sv2_length(t, shape + axis + 1);
        for (size_t b = 0; shape[axis] == 'v' && b < before; b++)
            add_rotors(m, wide + b * n * row, row);
        before *= n;
    }
    if (*shape) keep(m, shape, wide, out);
    else *out = *wide;
}

void sv2_contract_packed(const struct sv2_pattern *pattern, const double *wide, double *out) {
    memset(out, 0, pattern->packed_count * sizeof *out);
    for (size_t e = 0; e < pattern->count; e++)
        add_product(out + pattern->place[e], pattern->weight[e], wide[e]);
}
