/* The MEX function of all functions, which goes by the name of its file: ID(model, q, qd, qdd). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sv2_mex.h"

enum { CHUNK = 1 << 16, STEP = 64, FIRST = 1, MOST = 32 };

static char reason[512];
static const char *current;
static const char *alone; /* why the original function cannot take the present call, or null */
static jmp_buf leaving;
static void *workspace;
static size_t workspace_size;

void sv2_mex_fail(const char *format, ...) {
    char identifier[64], text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    snprintf(identifier, sizeof identifier, "spatial_v2:%s", current);
#if defined(HAVE_OCTAVE) /* which puts the name before the message */
    mexErrMsgIdAndTxt(identifier, "%s", text);
#else
    mexErrMsgIdAndTxt(identifier, "%s: %s", current, text);
#endif
}

void sv2_mex_leave(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(reason, sizeof reason, format, values);
    va_end(values);
    if (alone) sv2_mex_fail("%s%s", reason, alone);
    longjmp(leaving, 1);
}

const double *sv2_mex_numbers(const mxArray *x, const char *name, size_t entry) {
    if (mxIsDouble(x) && !mxIsComplex(x) && !mxIsSparse(x)) return mxGetPr(x);
    char place[64];
    snprintf(place, sizeof place, entry ? "%s{%zu}" : "%s", name, entry);
    if (!mxIsDouble(x))
        sv2_mex_leave("%s: want an array of doubles, got a %s", place, mxGetClassName(x));
    sv2_mex_leave(mxIsComplex(x) ? "%s: want real numbers, got complex ones"
                                 : "%s: want a full array, got a sparse one", place);
    return NULL;
}

/* An axis of a result: its length in the library and in MATLAB, where planar ones are shorter. */
struct axis {
    size_t whole, length, from;
};

static struct axis axis_of(const struct sv2_mex_model *m, char letter) {
    const size_t n = letter == 'v' ? m->NV : (size_t)(letter - '0');
    const struct axis all = {n, n, 0}, six = {6, 3, 2}, three = {3, 2, 0};
    return !m->planar ? all : letter == '6' ? six : letter == '3' ? three : all;
}

/* One state of a result from row-major to column-major order. */
static void turn(const struct axis *a, const double *from, double *out) {
    for (size_t k = 0; k < a[2].length; k++)
        for (size_t j = 0; j < a[1].length; j++)
            for (size_t i = 0; i < a[0].length; i++)
                *out++ = from[((a[0].from + i) * a[1].whole + a[1].from + j) * a[2].whole +
                              a[2].from + k];
}

static mxArray *result_of(const struct axis *a, size_t axes, size_t states) {
    mwSize size[4] = {1, 1, 1, 1};
    for (size_t k = 0; k < axes; k++) size[k] = (mwSize)a[k].length;
    mwSize count = axes < 2 ? 2 : (mwSize)axes;
    if (states > 1 || axes < 2) {
        size[axes ? axes : 1] = (mwSize)states;
        count = axes < 1 ? 2 : (mwSize)axes + 1;
    }
    return mxCreateNumericArray(count, size, mxDOUBLE_CLASS, mxREAL);
}

/* The workspace of a function for a model, one for all calls. */
static void provide(const struct sv2_mex_function *f, struct sv2_mex_model *m, int many) {
    size_t *demand = &m->demand[many][f - sv2_mex_functions];
    if (!*demand) *demand = (many ? f->many_workspace : f->one_workspace)(m->model);
    if (*demand > workspace_size) {
        free(workspace);
        workspace = malloc(*demand);
        workspace_size = workspace ? *demand : 0;
    }
    if (!*demand || !workspace) sv2_mex_fail("%s", sv2_message(SV2_NO_MEMORY));
}

static void finish(const struct sv2_mex_function *f, int nlhs, mxArray **plhs, mxArray **made) {
    if (!f->fields) {
        for (int k = 0; k < f->results; k++)
            if (k < nlhs || k == 0) plhs[k] = made[k];
            else mxDestroyArray(made[k]);
        return;
    }
    plhs[0] = mxCreateStructMatrix(1, 1, f->results, (const char **)f->names);
    for (int k = 0; k < f->results; k++) mxSetFieldByNumber(plhs[0], 0, k, made[k]);
}

static void compute(const struct sv2_mex_function *f, struct sv2_mex_model *m, int nlhs,
                    mxArray **plhs, const struct sv2_columns *given,
                    const struct sv2_columns *force) {
    const size_t args = strlen(f->letters);
    size_t states = force->states, largest = 1;
    for (size_t k = 0; k < args; k++) {
        const size_t n = given[k].states;
        if (n != 1 && states != 1 && n != states)
            sv2_mex_fail("%s: want 1 or %zu states, got %zu", f->arguments[k], states, n);
        if (n != 1) states = n;
    }
    struct axis axes[SV2_MOST_RESULTS][3];
    size_t sizes[SV2_MOST_RESULTS], lowered[SV2_MOST_RESULTS];
    mxArray *made[SV2_MOST_RESULTS];
    for (int k = 0; k < f->results; k++) {
        const size_t count = strlen(f->shapes[k]);
        sizes[k] = lowered[k] = 1;
        for (size_t a = 0; a < 3; a++) {
            axes[k][a] = axis_of(m, a < count ? f->shapes[k][a] : '1');
            sizes[k] *= axes[k][a].whole;
            lowered[k] *= axes[k][a].length;
        }
        made[k] = result_of(axes[k], count, states);
        largest = sizes[k] > largest ? sizes[k] : largest;
    }
    const int many = states != 1;
    if (states) provide(f, m, many);
    const size_t most = CHUNK / largest > STEP ? CHUNK / largest / STEP * STEP : STEP;
    double *rows[SV2_MOST_RESULTS];
    for (int k = 0; k < f->results; k++)
        rows[k] = mxMalloc(sizes[k] * (states < most ? states + 1 : most) * sizeof **rows);
    int worst = SV2_DONE;
    for (size_t first = 0; first < states; first += most) {
        const size_t count = states - first < most ? states - first : most;
        const double *at[SV2_MOST_ARGUMENTS], *f_ext;
        f_ext = sv2_mex_part(force, first, count, states);
        for (size_t k = 0; k < args; k++)
            at[k] = sv2_mex_part(given + k, first, count, states);
        const int status =
            many ? f->many(m->model, count, at, f_ext, rows, workspace, workspace_size)
                 : f->one(m->model, at, f_ext, rows, workspace, workspace_size);
        worst = status > worst ? status : worst;
        for (int k = 0; k < f->results; k++)
            for (size_t b = 0; b < count; b++)
                turn(axes[k], rows[k] + b * sizes[k], mxGetPr(made[k]) + (first + b) * lowered[k]);
    }
    for (int k = 0; k < f->results; k++) mxFree(rows[k]);
    if (worst == SV2_NOT_FINITE)
        mexWarnMsgIdAndTxt("spatial_v2:notFinite", "%s: %s", f->name, sv2_message(worst));
    else if (worst) sv2_mex_fail("%s", sv2_message(worst));
    finish(f, nlhs, plhs, made);
}

static void call(const struct sv2_mex_function *f, int nlhs, mxArray **plhs, int nrhs,
                 const mxArray **prhs) {
    const int args = (int)strlen(f->letters), most = FIRST + args + f->force;
    if (nrhs + 2 > MOST) sv2_mex_fail("too many arguments, want %s", f->usage);
    if (nrhs < FIRST + args) sv2_mex_fail("want %s", f->usage);
    if (nrhs > most) sv2_mex_leave("want %s", f->usage);
    if (nlhs > (f->fields ? 1 : f->results))
        sv2_mex_leave("%d results are not compiled, want %s", nlhs, f->usage);
    struct sv2_mex_model *m = sv2_mex_model_of(prhs[0]);
    struct sv2_columns given[SV2_MOST_ARGUMENTS], force = {NULL, 0, 1};
    for (int k = 0; k < args; k++)
        given[k] = sv2_mex_vector(prhs[FIRST + k], f->arguments[k],
                                  f->letters[k] == 'q' ? m->NQ : m->NV);
    if (nrhs == most && f->force) force = sv2_mex_force(prhs[most - 1], m);
    compute(f, m, nlhs, plhs, given, &force);
}

static void end(void) {
    sv2_mex_forget();
    free(workspace);
    workspace = NULL;
    workspace_size = 0;
}

static const struct sv2_mex_function *named(const char *name) {
    for (int k = 0; k < sv2_mex_function_count; k++)
        if (!strcmp(sv2_mex_functions[k].name, name)) return sv2_mex_functions + k;
    sv2_mex_fail("goes by the names of functions, not by this one");
    return NULL;
}

static void prepare(int nlhs, mxArray **plhs, int nrhs, const mxArray **prhs) {
    alone = "";
    if (nrhs != 1 || nlhs > 1) sv2_mex_fail("want m = prepared(model)");
    plhs[0] = sv2_mex_prepare(prhs[0]);
}

void mexFunction(int nlhs, mxArray **plhs, int nrhs, const mxArray **prhs) {
    mexAtExit(end);
    current = mexFunctionName();
    if (!strcmp(current, "prepared")) {
        prepare(nlhs, plhs, nrhs, prhs);
        return;
    }
    const struct sv2_mex_function *const f = named(current);
    current = f->name;
    alone = nrhs > 0 && sv2_mex_is_coupled(prhs[0])    ? "; other functions ignore model.coupling"
            : nrhs > 0 && sv2_mex_is_prepared(prhs[0]) ? "; other functions want the model's struct"
                                                       : NULL;
    if (!setjmp(leaving)) {
        call(f, nlhs, plhs, nrhs, prhs);
        return;
    }
    mxArray *given[MOST] = {mxCreateString(current), mxCreateString(reason)};
    for (int k = 0; k < nrhs && k + 2 < MOST; k++) given[k + 2] = (mxArray *)prhs[k];
    mexCallMATLAB(nlhs > 0 ? nlhs : 1, plhs, nrhs + 2, given, "spatial_v2_original");
}
