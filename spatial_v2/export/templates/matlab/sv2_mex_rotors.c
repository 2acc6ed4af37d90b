/* Geared rotors: bodies of a longer tree, whose joints move by ratios times those that drive them.
 *
 * With G from velocities of the model to those of the longer tree, tau = G' tau_e and H = G' H_e G:
 * every result is contracted with G along each of its axes of velocities. */
#include <stdlib.h>
#include <string.h>

#include "sv2_mex.h"

size_t sv2_mex_rotors(const mxArray *model, size_t NB, int *has) {
    const mxArray *x = mxGetField(model, 0, "has_rotor");
    size_t count = 0;
    memset(has, 0, NB * sizeof *has);
    if (!x || mxIsEmpty(x)) return 0;
    if ((!mxIsDouble(x) && !mxIsLogical(x)) || mxIsSparse(x) || mxIsComplex(x))
        sv2_mex_fail("model.has_rotor: want truth values, in a full array");
    const size_t n = mxGetNumberOfElements(x);
    for (size_t i = 0; i < n; i++) {
        const int is = mxIsLogical(x) ? mxGetLogicals(x)[i] : mxGetPr(x)[i] != 0;
        if (is && n != NB)
            sv2_mex_fail("model.has_rotor: want %zu truth values, one for each body, got %zu", NB, n);
        if (is) has[i] = 1;
        count += is != 0;
    }
    return count;
}

const mxArray *sv2_mex_rotor_field(const mxArray *model, const char *name, size_t i) {
    const mxArray *all = mxGetField(model, 0, name), *entry = NULL;
    if (all && mxIsCell(all) && mxGetNumberOfElements(all) > i) entry = mxGetCell(all, i);
    if (!entry || mxIsEmpty(entry))
        sv2_mex_fail("model.%s{%zu} is missing, and body %zu has a rotor", name, i + 1, i + 1);
    return entry;
}

double sv2_mex_ratio(const mxArray *model, size_t i) {
    const mxArray *gr = mxGetField(model, 0, "gr");
    if (gr && mxIsDouble(gr) && !mxIsComplex(gr) && !mxIsSparse(gr) &&
        mxGetNumberOfElements(gr) > i)
        return mxGetPr(gr)[i];
    const mxArray *x = sv2_mex_rotor_field(model, "gr", i);
    const double *ratio = sv2_mex_numbers(x, "model.gr", i + 1);
    if (mxGetNumberOfElements(x) != 1) sv2_mex_fail("model.gr{%zu}: want a number", i + 1);
    return *ratio;
}

void sv2_mex_lengthen(const struct sv2_mex_model *m, char letter, const double *from, size_t n,
                      double *out) {
    const size_t each = letter == 'f' ? 6 : 1;
    memcpy(out, from, n * sizeof *out);
    for (size_t r = 0; r < m->rotors; r++)
        for (size_t k = 0; k < each; k++) {
            const struct sv2_gear *g = m->gears + r;
            out[n + each * r + k] =
                letter == 'f' ? 0 : g->ratio * from[letter == 'q' ? g->position : g->velocity];
        }
}

void sv2_mex_contract(const struct sv2_mex_model *m, const char *shape, const size_t *length,
                      double *x) {
    for (size_t a = 0; shape[a]; a++) {
        size_t before = 1, after = 1;
        if (shape[a] != 'v') continue;
        for (size_t k = 0; k < a; k++) before *= length[k];
        for (size_t k = a + 1; shape[k]; k++) after *= length[k];
        for (size_t b = 0; b < before; b++)
            for (size_t r = 0; r < m->rotors; r++) {
                double *row = x + b * length[a] * after;
                const struct sv2_gear *g = m->gears + r;
                for (size_t k = 0; k < after; k++)
                    row[(size_t)g->velocity * after + k] +=
                        g->ratio * row[(m->NV + r) * after + k];
            }
    }
}
