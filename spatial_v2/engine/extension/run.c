/* One call: states of a batch, memory, the kernel, and what its results say. */
#include "call.h"

/* Status; a flag, True if all numbers are finite; an exception; addresses of words. */
typedef int32_t kernel(uint8_t *finite, void **exception, int64_t record, int64_t arrays);

static int is_finite(const double *x, int64_t n) {
    double sum = 0.0;
    for (int64_t k = 0; k < n; k++) sum += 0.0 * x[k];
    return sum == 0.0;
}

static int turns(const Call *c, const double *q) {
    for (int64_t k = 0; k < c->plan.quaternions; k++) {
        const double *x = q + c->quaternions[k];
        if (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] == 0.0) return 0;
    }
    return 1;
}

/* Make the arena as large as the last call would have needed. */
static int64_t arena(Call *c) {
    if (c->arena[1] > c->arena[2]) {
        void *memory = PyMem_Realloc(c->memory, (size_t)c->arena[1] + LINE);
        if (!memory) return 0;
        c->memory = memory;
        c->arena[0] = (address(memory) + LINE - 1) / LINE * LINE;
        c->arena[2] = c->arena[1];
    }
    c->arena[1] = 0;
    return address(c->arena);
}

static enum status run_kernel(const Call *c, int64_t *words, int64_t count, const int64_t *axes) {
    const struct plan *p = &c->plan;
    const int64_t arrays = p->arguments + p->results;
    int64_t driven[8 + FOLLOW] = {0, p->record, address(words), count, address(axes), arrays, p->arguments,
                                  p->look};
    if (p->follow) memcpy(driven + 8, pointer(p->follow), FOLLOW * sizeof *driven);
    uint8_t finite[8] = {0};
    void *exception = NULL;
    kernel *f = (kernel *)pointer(p->batch ? p->drive : p->entry);
    const int64_t first = p->batch ? address(&p->entry) : p->record;
    const int64_t others = p->batch ? address(driven) : address(words);
    if (f(finite, &exception, first, others)) return FAILED;
    return finite[0] & 1 || (p->batch && !p->look) ? DONE : NOT_FINITE;
}

static int overlaps(const int64_t (*range)[2], int64_t k, int64_t count) {
    for (int64_t j = 0; j < count; j++)
        if (j != k && range[k][0] < range[j][1] && range[j][0] < range[k][1]) return 1;
    return 0;
}

/* Numbers that are not finite in the arguments of one state are the reason for those in its results. */
static int are_finite(const Call *c, const int64_t (*range)[2]) {
    for (int64_t k = 0; k < c->plan.arguments; k++)
        if (!is_finite(pointer(range[k][0]), (range[k][1] - range[k][0]) / 8)) return 0;
    return 1;
}

static double *whole_lines(double *x) { return pointer((address(x) + LINE - 1) / LINE * LINE); }

/* Run the kernel on some states of a call, from addresses of arrays. Those that it takes on the tree
   are in a workspace. */
static enum status run_states(const Call *c, const int64_t *at, int64_t first, int64_t states, const char *given,
                              int64_t *words, const int64_t *axes, double *wide, int fresh) {
    const struct plan *p = &c->plan;
    const int64_t m = p->arguments, all = m + p->results;
    double *own[ARRAYS], *free = whole_lines(wide + c->largest);
    int64_t *word = words + 1;
    for (int64_t k = 0; k < all; word += 1 + axes[k++]) {
        const struct array *is = c->arrays + k;
        const int64_t *const lengths = p->follow ? is->shape : is->wide, size = product(lengths);
        own[k] = NULL;
        for (int j = 0; j < is->axes; j++) word[2 + j] = lengths[AXES - is->axes + j];
        if (!given[k]) { /* no states and no bodies */
            word[0] = word[1] = word[2] = 0;
            continue;
        }
        word[0] = at[k] + first * numbers_of(is) * (int64_t)sizeof(double);
        word[1] = states;
        if (c->apart[k]) {
            const double *from = pointer(word[0]);
            own[k] = free;
            word[0] = address(own[k]);
            free = whole_lines(free + states * size);
            for (int64_t b = 0; k < m && b < states; b++)
                widen(c->spread + is->role, from + b * numbers_of(is), own[k] + b * size);
        }
        if (k >= m && !p->batch && p->look && (!fresh || own[k])) memset(pointer(word[0]), 0, (size_t)size * sizeof(double));
    }
    const enum status status = run_kernel(c, words, word - words, axes);
    for (int64_t k = m; status == DONE && k < all; k++) {
        const struct array *is = c->arrays + k;
        double *to = (double *)pointer(at[k]) + first * numbers_of(is);
        for (int64_t b = 0; own[k] && b < states; b++, to += numbers_of(is)) {
            double *x = own[k] + b * product(is->wide);
            if (is->sums) widen(c->sums + k, x, to);
            else contract(c, is, x, to, wide);
        }
    }
    return status;
}

/* Run the kernel on all states: those of a batch a few hundred at a time, if it needs a workspace, so
   that this stays in the cache. */
static enum status run_all(const Call *c, const int64_t *at, int64_t states, const char *given, int64_t *words,
                           const int64_t *axes, double *wide, int64_t step, int fresh) {
    enum status worst = DONE;
    for (int64_t first = 0; first < states && worst != FAILED; first += step) {
        const int64_t n = states - first < step ? states - first : step;
        const enum status status = run_states(c, at, first, n, given, words, axes, wide, fresh);
        if (status != DONE) worst = status;
    }
    return worst;
}

enum status run(Call *c, PyObject *outs, PyObject *args, int fresh) {
    if (!PyTuple_Check(outs) || !PyTuple_Check(args)) return REFUSED;
    const struct plan *p = &c->plan;
    const int lead = p->batch != 0;
    const Py_ssize_t n = PyTuple_Size(args);
    const int64_t m = p->arguments, all = m + p->results;
    double scratch[SCRATCH], *free = scratch, *wide = NULL;
    int64_t words[WORDS], axes[ARRAYS], range[ARRAYS][2], at[ARRAYS], states = 1;
    char given[ARRAYS];
    if (n < p->least || n > p->most || PyTuple_Size(outs) != p->results) return REFUSED;
    for (int64_t k = 0; k < all; k++) {
        const struct array *is = c->arrays + k;
        const int present = k >= m || k < n;
        PyObject *x = !present ? Py_None : PyTuple_GetItem(k < m ? args : outs, k < m ? k : k - m);
        axes[k] = is->axes + 1;
        at[k] = range[k][0] = range[k][1] = 0;
        given[k] = is->role != FORCES || x != Py_None;
        if (!given[k]) continue;
        at[k] = k < m ? argument(x, is, lead, &free, scratch + SCRATCH) : result(x, is, lead);
        if (!at[k]) return REFUSED;
        if (lead) {
            const int64_t length = PyArray_DIM((PyArrayObject *)x, 0);
            if (!k) states = length;
            if (length != states || !states) return REFUSED;
        }
        range[k][0] = at[k];
        range[k][1] = at[k] + states * numbers_of(is) * 8;
    }
    for (int64_t k = m; !fresh && k < all; k++)
        if (overlaps(range, k, k)) return OVERLAP;
    for (int64_t b = 0; b < (lead && p->look ? 0 : states); b++)
        if (p->quaternions && !turns(c, (const double *)pointer(range[0][0]) + b * c->arrays->shape[AXES - 1]))
            return NOT_FINITE;
    int64_t step = states;
    if (c->room) {
        const int64_t most = BLOCK / c->room / MANY * MANY;
        step = most < MANY ? MANY : most;
        step = step < states ? step : states;
        if (!(wide = PyMem_Malloc((size_t)(step * c->room + c->largest + (all + 1) * MANY) * sizeof *wide))) {
            PyErr_NoMemory();
            return FAILED;
        }
    }
    words[0] = p->release ? 0 : arena(c);
    enum status status;
    if (p->release) {
        Py_BEGIN_ALLOW_THREADS
        status = run_all(c, at, states, given, words, axes, wide, step, fresh);
        Py_END_ALLOW_THREADS
    } else {
        status = run_all(c, at, states, given, words, axes, wide, step, fresh);
    }
    PyMem_Free(wide);
    int finite = 1;
    for (int64_t k = m; !lead && p->look && status == DONE && k < all; k++)
        finite &= c->arrays[k].axes > 2 || is_finite(pointer(range[k][0]), numbers_of(c->arrays + k));
    status = finite || !are_finite(c, range) ? status : NOT_FINITE;
    if (status == FAILED) PyErr_NoMemory();
    return status;
}
