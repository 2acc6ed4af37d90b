/* From the variables of a call to those of a tree whose joints follow them, and back: rotors follow the
 * joints that drive them, and joints of a coupled model its independent variables.
 *
 * The tree's variables are G y + shift. Along an axis of velocities a result is multiplied by G, along
 * an axis of bodies rotors are left out. */
#include <string.h>

#include "sv2_internal.h"

/* Add a product, rounded on its own as in Python. */
static void add_product(double *sum, double x, double y) {
    const volatile double product = x * y;
    *sum += product;
}

void sv2_widen(const struct sv2_matrix *G, const double *x, double *out) {
    for (size_t r = 0; r < G->rows; r++) out[r] = G->scale[r] * x[G->source[r]];
    for (size_t k = G->begun; k < G->terms; k++)
        add_product(out + G->row[k], G->factor[k], x[G->column[k]]);
    for (size_t r = 0; r < G->rows; r++) {
        volatile double rounded = out[r];
        out[r] = rounded + G->shift[r];
    }
}

/* Multiply an axis of x (blocks, n, step) by G; entry k is then at its home. */
static void multiply(const struct sv2_matrix *G, double *x, size_t blocks, size_t step,
                     double *apart) {
    const size_t stride = G->rows * step, each = blocks * step;
    memset(apart, 0, G->apart_count * each * sizeof *apart);
    for (size_t k = 0; k < G->terms; k++) {
        const int64_t j = G->column[k], alone = G->apart[j];
        double *to = alone < 0 ? x + (size_t)G->home[j] * step : apart + (size_t)alone * each;
        const double *from = x + (size_t)G->row[k] * step;
        for (size_t b = 0; b < blocks; b++, to += alone < 0 ? stride : step, from += stride)
            for (size_t i = 0; i < step; i++) add_product(to + i, G->factor[k], from[i]);
    }
    for (size_t j = 0; j < G->variables; j++)
        for (size_t b = 0; G->apart[j] >= 0 && b < blocks; b++)
            memcpy(x + b * stride + (size_t)G->home[j] * step,
                   apart + (size_t)G->apart[j] * each + b * step, step * sizeof *x);
}

/* Copy the entries of a call from those of the tree; returns the end. */
static double *keep(const struct sv2_matrix *G, const struct sv2_tree *tree,
                    const struct sv2_tree *call, const char *shape, const double *x, double *out) {
    const size_t n = sv2_length_of(call->lengths, *shape);
    const size_t step = sv2_length(tree->lengths, shape + 1);
    if (!shape[1] && *shape != 'v') {
        memcpy(out, x, n * sizeof *out);
        return out + n;
    }
    for (size_t k = 0; k < n; k++) {
        const double *from = x + (*shape == 'v' ? (size_t)G->home[k] : k) * step;
        if (shape[1]) out = keep(G, tree, call, shape + 1, from, out);
        else *out++ = *from;
    }
    return out;
}

void sv2_contract(const struct sv2_matrix *G, const struct sv2_tree *tree,
                  const struct sv2_tree *call, const char *shape, double *wide, double *apart,
                  double *out) {
    size_t before = 1;
    for (size_t axis = 0; shape[axis]; axis++) {
        if (shape[axis] == 'v')
            multiply(G, wide, before, sv2_length(tree->lengths, shape + axis + 1), apart);
        before *= sv2_length_of(tree->lengths, shape[axis]);
    }
    if (*shape) keep(G, tree, call, shape, wide, out);
    else *out = *wide;
}

void sv2_contract_packed(const struct sv2_pattern *pattern, const double *wide, double *out) {
    memset(out, 0, pattern->packed_count * sizeof *out);
    for (size_t e = 0; e < pattern->term_count; e++)
        add_product(out + pattern->place[e], pattern->weight[e], wide[pattern->from[e]]);
}
