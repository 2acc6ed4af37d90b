/* The fields of geared rotors, which are cells except for the ratios. */
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
