/* A kernel prepared for one record: from NumPy arrays to the kernel's entry and back.

   `Call` is made by spatial_v2/engine/runner.py, which describes the arrays of a call once, as
   integers; see `struct call` and `struct array`. A call then checks in a few comparisons that its
   arguments are arrays of doubles of these shapes, writes their addresses and lengths as words (see
   spatial_v2/engine/compile/entries.py), and calls the kernel by its address. The kernels of a wheel and
   those that Numba compiles have the same entries. A call that does not fit is refused, and Python
   converts its arguments or explains what is wrong with them. */
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>
#include <string.h>

#ifndef SOURCE
#define SOURCE "" /* digest of this file */
#endif

enum { PLAN = 4 }; /* counts changes of `struct plan`; runner.py must know the same */
enum status { DONE, REFUSED, NOT_FINITE, OVERLAP, FAILED };
enum role { Q, V, FORCES, PLAIN, ROWS };
enum { ARRAYS = 48, AXES = 4, WORDS = (1 + 1 + AXES) * ARRAYS + 1, SCRATCH = 512, LINE = 64 };
enum { FOLLOW = 24 }; /* words of `drive_spread` beyond those of `drive` */
enum { BLOCK = 1 << 14, MANY = 8 }; /* numbers of a workspace for a batch; states of a SIMD batch */

/* An argument or result. The last `axes` of its lengths are those of one state; `wide` are those
   on the tree, if its joints follow fewer variables, and `moves` says which of these axes belong to
   velocities. `values` is the number of entries in a row of the values of a tensor. If they are sums
   of those of the tree's tensor, `sums` is one more than the number of terms after the first ones. */
struct array { int64_t role, axes, shape[AXES], wide[AXES], moves[AXES], values, sums; };

/* The numbers that Python gives, followed by the arrays, places of quaternions in q, both matrices,
   and the sums of tensors. */
struct plan {
    int64_t record, entry, drive, least, most, arguments, results, look, batch, release, quaternions;
    int64_t follow; /* address of further words of the driver, which then spreads variables itself, or 0 */
    int64_t variables[2], rows[2], terms[2], begun[2], shifts;
};

/* A matrix G between the variables of a call and those of the tree. A variable is row `home` of the
   tree, alone. If it has none, `apart` is its number among such variables, and not -1; its home is
   then a row whose own value is not needed. Other entries are `row`, `column` and `factor`. Row r
   begins with `scale[r]` times variable `source[r]`; entries after `begun` are added. */
struct spread {
    int64_t variables, rows, terms, apart_count, in_order, begun;
    const int64_t *home, *apart, *source, *row, *column;
    const double *scale, *factor, *shift;
};

typedef struct {
    PyObject_HEAD
    struct plan plan;
    struct array *arrays;
    int64_t *quaternions;
    struct spread spread[2]; /* of positions and of velocities */
    struct spread *sums;     /* of each array: from values of the tree's tensor to those of the call's */
    int64_t room, largest;   /* how many numbers all arrays of one state have on the tree, and one */
    char apart[ARRAYS];      /* is_spread of each array */
    int64_t *arena; /* address of its memory, bytes taken, bytes available; see numbers/arena.py */
    void *memory;
    PyObject *finish, *kept;
} Call;

/* Status; a flag, True if all numbers are finite; an exception; addresses of words. */
typedef int32_t kernel(uint8_t *finite, void **exception, int64_t record, int64_t arrays);

static int64_t address(const void *x) { return (int64_t)(intptr_t)x; }
static void *pointer(int64_t x) { return (void *)(intptr_t)x; }

static int64_t product(const int64_t n[AXES]) { return n[0] * n[1] * n[2] * n[3]; }

static int is_finite(const double *x, int64_t n) {
    double sum = 0.0;
    for (int64_t k = 0; k < n; k++) sum += 0.0 * x[k];
    return sum == 0.0;
}

/* ---- Arrays --------------------------------------------------------------------------------- */

static PyArrayObject *doubles(PyObject *x) {
    PyArrayObject *a = (PyArrayObject *)x;
    if (!PyArray_CheckExact(x) || PyArray_TYPE(a) != NPY_DOUBLE) return NULL;
    return PyArray_ISALIGNED(a) && PyArray_ISNOTSWAPPED(a) ? a : NULL;
}

/* Test if the last axes of an array have the lengths of one state, after `lead` others. */
static int has_shape(PyArrayObject *a, const struct array *is, int lead) {
    if (PyArray_NDIM(a) != is->axes + lead) return 0;
    for (int k = 0; k < is->axes; k++)
        if (PyArray_DIM(a, lead + k) != is->shape[AXES - is->axes + k]) return 0;
    return 1;
}

/* Test for the values of a tensor, in rows that may be padded to whole cache lines. */
static int has_rows(PyArrayObject *a, const struct array *is) {
    if (PyArray_NDIM(a) != 2) return 0;
    const int64_t width = is->shape[AXES - 1], n = PyArray_DIM(a, 1);
    if ((n != is->values && n != width) || PyArray_STRIDE(a, 1) != sizeof(double)) return 0;
    return PyArray_STRIDE(a, 0) == width * (int64_t)sizeof(double) || PyArray_DIM(a, 0) == 1;
}

/* Return the address of an argument's numbers, or 0. A vector with other strides is copied. */
static int64_t argument(PyObject *x, const struct array *is, int lead, double **scratch, double *end) {
    PyArrayObject *a = doubles(x);
    if (!a || !has_shape(a, is, lead)) return 0;
    if (PyArray_IS_C_CONTIGUOUS(a)) return address(PyArray_DATA(a));
    const int64_t n = is->shape[AXES - 1];
    if (lead || is->axes != 1 || end - *scratch < n) return 0;
    const char *from = PyArray_DATA(a);
    double *to = *scratch;
    for (int64_t k = 0; k < n; k++, from += PyArray_STRIDE(a, 0)) to[k] = *(const double *)from;
    *scratch += n;
    return address(to);
}

static int64_t result(PyObject *x, const struct array *is, int lead) {
    PyArrayObject *a = doubles(x);
    if (!a || !PyArray_ISWRITEABLE(a)) return 0;
    if (is->role == ROWS && lead) return has_rows(a, is) ? address(PyArray_DATA(a)) : 0;
    return has_shape(a, is, lead) && PyArray_IS_C_CONTIGUOUS(a) ? address(PyArray_DATA(a)) : 0;
}

/* ---- Joints of the tree that follow fewer variables: rotors and couplings ----------------------- */

/* Test if the kernel reads or writes another array than that of the call. */
static int is_spread(const Call *c, const struct array *is) {
    if (!c->plan.variables[V] || c->plan.follow || is->role == FORCES) return 0;
    if (is->role == Q || is->role == V || is->sums) return 1;
    for (int k = 0; k < AXES; k++)
        if (is->moves[k] || is->shape[k] != is->wide[k]) return 1;
    return 0;
}

/* Compute the tree's variables at those of the call, or sums of values of a tensor. Here and below each product and sum is rounded
   by itself, as NumPy does it: this file is compiled without fused ones. */
static void widen(const struct spread *s, const double *from, double *to) {
    for (int64_t k = 0; k < s->rows; k++) to[k] = s->scale[k] * from[s->source[k]];
    for (int64_t k = s->begun; k < s->terms; k++) to[s->row[k]] += s->factor[k] * from[s->column[k]];
    for (int64_t k = 0; s->shift && k < s->rows; k++) to[k] += s->shift[k];
}

/* x[b, i] += factor * y[b, i] for blocks and steps, where blocks are `stride` and `from` apart. */
static inline void add_times(double *restrict x, int64_t stride, double factor, const double *restrict y,
                             int64_t from, int64_t blocks, int64_t step) {
    if (step == 1)
        for (int64_t b = 0; b < blocks; b++, x += stride, y += from) *x += factor * *y;
    else
        for (int64_t b = 0; b < blocks; b++, x += stride, y += from)
            for (int64_t i = 0; i < step; i++) x[i] += factor * y[i];
}

/* Multiply an axis of x (blocks, n, step) by G; entry k is then at its home. */
static void multiply(const struct spread *s, double *x, int64_t blocks, int64_t n, int64_t step, double *apart) {
    const int64_t stride = n * step, each = blocks * step;
    if (s->apart_count) memset(apart, 0, (size_t)(s->apart_count * each) * sizeof *x);
    for (int64_t k = 0; k < s->terms; k++) {
        const int64_t j = s->column[k], alone = s->apart[j];
        const double *from = x + s->row[k] * step;
        if (alone < 0) add_times(x + s->home[j] * step, stride, s->factor[k], from, stride, blocks, step);
        else add_times(apart + alone * each, step, s->factor[k], from, stride, blocks, step);
    }
    for (int64_t j = 0; s->apart_count && j < s->variables; j++)
        for (int64_t b = 0; s->apart[j] >= 0 && b < blocks; b++)
            memcpy(x + b * stride + s->home[j] * step, apart + s->apart[j] * each + b * step,
                   (size_t)step * sizeof *x);
}

/* Copy a short row: a call of memcpy takes longer. */
static void copy(double *to, const double *from, int64_t n) {
    for (; n >= 4; n -= 4, to += 4, from += 4) memcpy(to, from, 4 * sizeof *to);
    for (; n > 0; n--) *to++ = *from++;
}

/* Multiply each axis of velocities of a result by G. */
static void contract(const Call *c, const struct array *is, double *x, double *to, double *apart) {
    const struct spread *s = c->spread + V;
    const int64_t *n = is->wide, *kept = is->shape, *moves = is->moves, *home = s->home;
    int64_t step[AXES] = {0, 0, 0, 1}, blocks = 1;
    for (int k = AXES - 1; k > 0; k--) step[k - 1] = step[k] * n[k];
    for (int k = 0; k < AXES; blocks *= n[k++])
        if (moves[k]) multiply(s, x, blocks, n[k], step[k], apart);
    for (int64_t h = 0; h < kept[0]; h++)
        for (int64_t i = 0; i < kept[1]; i++)
            for (int64_t j = 0; j < kept[2]; j++, to += kept[3]) {
                const double *from = x + (moves[0] ? home[h] : h) * step[0] + (moves[1] ? home[i] : i) * step[1] +
                                     (moves[2] ? home[j] : j) * step[2];
                if (moves[3] && !s->in_order)
                    for (int64_t k = 0; k < kept[3]; k++) to[k] = from[home[k]];
                else copy(to, from, kept[3]);
            }
}

/* ---- One call ---------------------------------------------------------------------------------- */

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

static int64_t numbers_of(const struct array *is) { return product(is->shape); }

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

/* Run the kernel on tuples of arguments and results; `fresh` results are new, and zero if need be. */
static enum status run(Call *c, PyObject *outs, PyObject *args, int fresh) {
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

/* ---- Python's type ----------------------------------------------------------------------------- */

static PyObject *call_new(PyObject *self, PyObject *given) {
    Call *c = (Call *)self;
    const struct array *is = c->arrays + c->plan.arguments;
    const Py_ssize_t count = c->plan.results;
    PyObject *outs = PyTuple_New(count), *made = NULL;
    for (Py_ssize_t k = 0; outs && k < count; k++, is++) {
        npy_intp shape[AXES];
        for (int j = 0; j < is->axes; j++) shape[j] = is->shape[AXES - is->axes + j];
        PyObject *x = c->plan.look ? PyArray_ZEROS((int)is->axes, shape, NPY_DOUBLE, 0)
                                   : PyArray_EMPTY((int)is->axes, shape, NPY_DOUBLE, 0);
        if (!x || PyTuple_SetItem(outs, k, x)) Py_CLEAR(outs);
    }
    if (!outs) return NULL;
    const enum status status = run(c, outs, given, 1);
    if (status == FAILED) {
        Py_DECREF(outs);
        return NULL;
    }
    if (status != DONE) made = Py_NewRef(Py_None);
    else if (c->finish == Py_None) made = Py_NewRef(PyTuple_GetItem(outs, 0));
    else made = PyObject_CallFunctionObjArgs(c->finish, outs, NULL);
    Py_DECREF(outs);
    return made;
}

static PyObject *call_fill(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    if (count != 2) return PyErr_Format(PyExc_TypeError, "fill: want results and arguments, two tuples");
    const enum status status = run((Call *)self, args[0], args[1], 0);
    return status == FAILED ? NULL : PyLong_FromLong(status);
}

static void call_free(PyObject *self) {
    Call *c = (Call *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    PyMem_Free(c->arrays);
    PyMem_Free(c->sums);
    PyMem_Free(c->memory);
    Py_XDECREF(c->finish);
    Py_XDECREF(c->kept);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static int call_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Call *)self)->finish);
    Py_VISIT(((Call *)self)->kept);
    return 0;
}

static int call_clear(PyObject *self) {
    Py_CLEAR(((Call *)self)->finish);
    Py_CLEAR(((Call *)self)->kept);
    return 0;
}

/* Take the next numbers that Python gave, or NULL if there are too few. */
static const int64_t *next(const int64_t **from, int64_t *left, int64_t count) {
    const int64_t *begin = *from;
    *from += count;
    *left -= count;
    return *left < 0 ? NULL : begin;
}

/* Read what follows the arrays; return 0 if the numbers are too many or too few. */
static int read_places(Call *c, const int64_t *from, int64_t left) {
    const struct plan *p = &c->plan;
    const int64_t all = p->arguments + p->results;
    c->quaternions = (int64_t *)next(&from, &left, p->quaternions);
    for (int k = Q; k <= V && left >= 0; k++) {
        struct spread *s = c->spread + k;
        s->variables = p->variables[k], s->rows = p->rows[k], s->terms = p->terms[k];
        s->begun = p->begun[k];
        s->home = next(&from, &left, s->variables);
        s->apart = next(&from, &left, s->variables);
        s->source = next(&from, &left, s->rows);
        s->scale = (const double *)next(&from, &left, s->rows);
        s->row = next(&from, &left, s->terms);
        s->column = next(&from, &left, s->terms);
        s->factor = (const double *)next(&from, &left, s->terms);
        if (p->shifts && k == Q) s->shift = (const double *)next(&from, &left, s->rows);
        s->in_order = 1;
        for (int64_t j = 0; left >= 0 && j < s->variables; j++) {
            s->apart_count += s->apart[j] >= 0;
            s->in_order &= s->home[j] == j;
        }
    }
    for (int64_t k = 0; k < all && left >= 0; k++) {
        const struct array *is = c->arrays + k;
        const int64_t size = product(is->wide);
        if (is->sums) {
            struct spread *s = c->sums + k;
            s->rows = is->values, s->terms = is->sums - 1;
            s->source = next(&from, &left, s->rows);
            s->scale = (const double *)next(&from, &left, s->rows);
            s->row = next(&from, &left, s->terms);
            s->column = next(&from, &left, s->terms);
            s->factor = (const double *)next(&from, &left, s->terms);
        }
        c->apart[k] = (char)is_spread(c, is);
        if (c->apart[k]) c->room += size;
        if (c->apart[k] && size > c->largest) c->largest = size;
    }
    return left == 0;
}

/* Call(numbers, finish, kept): `numbers` are the 64-bit integers of `struct plan`, of the arrays, and
   of the places, matrices and sums that it counts; `kept` is what their addresses refer to. */
static PyObject *call_make(PyTypeObject *type, PyObject *args, PyObject *options) {
    PyObject *given, *finish, *kept;
    char *numbers;
    Py_ssize_t size;
    if (options && PyDict_Size(options)) return PyErr_Format(PyExc_TypeError, "Call: want no keywords");
    /* No format with "#": Python 3.13 compiles it to what earlier versions refuse. */
    if (!PyArg_ParseTuple(args, "SOO:Call", &given, &finish, &kept)) return NULL;
    if (PyBytes_AsStringAndSize(given, &numbers, &size) < 0) return NULL;
    struct plan plan;
    if (size < (Py_ssize_t)sizeof plan) return PyErr_Format(PyExc_ValueError, "Call: too few numbers");
    memcpy(&plan, numbers, sizeof plan);
    const int64_t all = plan.arguments + plan.results, word = sizeof(int64_t);
    const int64_t rest = (size - (int64_t)sizeof plan) / word;
    const int64_t left = rest - all * (int64_t)sizeof(struct array) / word;
    if (all < 0 || all > ARRAYS || left < 0)
        return PyErr_Format(PyExc_ValueError, "Call: the numbers do not fit what they count");
    allocfunc new = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Call *c = (Call *)new(type, 0);
    if (!c) return NULL;
    c->arrays = PyMem_Calloc((size_t)rest + 3, (size_t)word);
    c->sums = PyMem_Calloc((size_t)all + 1, sizeof *c->sums);
    c->finish = Py_NewRef(finish);
    c->kept = Py_NewRef(kept);
    if (!c->arrays || !c->sums) {
        Py_DECREF(c);
        return PyErr_NoMemory();
    }
    memcpy(c->arrays, numbers + sizeof plan, (size_t)(rest * word));
    c->plan = plan;
    c->arena = (int64_t *)c->arrays + rest;
    if (!read_places(c, (const int64_t *)(c->arrays + all), left)) {
        Py_DECREF(c);
        return PyErr_Format(PyExc_ValueError, "Call: the numbers do not fit what they count");
    }
    return (PyObject *)c;
}

static PyMethodDef methods[] = {
    {"new", call_new, METH_O, "Return new results for a tuple of arguments; None if it is refused."},
    {"fill", (PyCFunction)(void (*)(void))call_fill, METH_FASTCALL,
     "Fill a tuple of results for a tuple of arguments; return the status."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, call_make},
    {Py_tp_dealloc, call_free},
    {Py_tp_traverse, call_traverse},
    {Py_tp_clear, call_clear},
    {Py_tp_methods, methods},
    {Py_tp_doc, "A kernel prepared for one record: from arrays to the kernel's entry and back."},
    {0, NULL},
};

static PyType_Spec spec = {
    "spatial_v2.engine._call.Call", sizeof(Call), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, slots,
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_call", NULL, 0, NULL, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__call(void) {
    import_array();
    PyObject *made = PyModule_Create(&module), *type = PyType_FromSpec(&spec);
    if (!made || !type || PyModule_AddObjectRef(made, "Call", type) || PyModule_AddIntConstant(made, "PLAN", PLAN) ||
        PyModule_AddStringConstant(made, "SOURCE", SOURCE))
        Py_CLEAR(made);
    Py_XDECREF(type);
    return made;
}
