/* A kernel prepared for one record: from NumPy arrays to the kernel's entry and back.

   `Call` is made by spatial_v2/engine/runner.py, which describes the arrays of a call once, as
   integers; see `struct call` and `struct array`. A call then checks in a few comparisons that its
   arguments are arrays of doubles of these shapes, writes their addresses and lengths as words (see
   spatial_v2/engine/compile/entries.py), and calls the kernel by its address. The kernels of a wheel and
   those that Numba compiles have the same entries. A call that does not fit is refused, and Python
   converts its arguments or explains what is wrong with them. */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>
#include <string.h>

#ifndef SOURCE
#define SOURCE "" /* digest of this file */
#endif

enum status { DONE, REFUSED, NOT_FINITE, OVERLAP, FAILED };
enum role { Q, V, FORCES, RESULT, ROWS };
enum { ARRAYS = 48, AXES = 4, WORDS = (1 + 1 + AXES) * ARRAYS + 1, SCRATCH = 512, LINE = 64 };

/* An argument or result. The last `axes` of its lengths are those of one state; `wide` are those
   on the tree with rotors as bodies, and `moves` says which of these axes the rotors extend. `values`
   is the number of entries that a kernel writes in a row of the values of a tensor. */
struct array { int64_t role, axes, shape[AXES], wide[AXES], moves[AXES], values; };

/* The numbers that Python gives, followed by the arrays, places of quaternions in q, and for each
   rotor the places of its driving joint in q and in qd. */
struct plan {
    int64_t record, entry, drive, least, most, arguments, results, look, batch, release, quaternions, rotors;
};

typedef struct {
    PyObject_HEAD
    struct plan plan;
    struct array *arrays;
    int64_t *quaternions, *drives_q, *drives_v;
    double *ratio;
    int64_t room; /* how many numbers all arrays have on the tree with rotors, without forces */
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
    const int64_t width = is->wide[AXES - 1], n = PyArray_DIM(a, 1);
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

/* ---- Rotors: bodies of the tree, but not of arguments and results ------------------------------ */

/* Append to x, for each rotor, the entry of the joint that drives it times the gear ratio. */
static double *widened(const Call *c, const struct array *is, int64_t x, double *to) {
    const int64_t n = is->shape[AXES - 1], r = is->wide[AXES - 1] - n;
    const int64_t *drives = is->role == Q ? c->drives_q : c->drives_v;
    const double *from = pointer(x);
    memcpy(to, from, (size_t)n * sizeof *to);
    for (int64_t j = 0; j < r; j++) to[n + j] = c->ratio[j] * from[drives[j]];
    return to + n + r;
}

/* Contract a result of three axes with the gear ratios along those of velocities. Each product and
   sum is rounded by itself, as in `model.rotors` for batches: this file is compiled without fused
   ones. */
static void contract(const Call *c, const struct array *is, double *x, double *to) {
    const int64_t *n = is->wide + 1, *kept = is->shape + 1, whole = product(is->wide);
    for (int axis = 0; axis < 3; axis++) {
        int64_t step = 1;
        for (int k = axis + 1; k < 3; k++) step *= n[k];
        const int64_t r = is->moves[axis + 1] ? c->plan.rotors : 0;
        for (int64_t first = 0; first < whole; first += n[axis] * step)
            for (int64_t j = 0; j < r; j++) {
                double *joint = x + first + c->drives_v[j] * step;
                const double *rotor = x + first + (n[axis] - r + j) * step;
                for (int64_t k = 0; k < step; k++) joint[k] += c->ratio[j] * rotor[k];
            }
    }
    for (int64_t i = 0; i < kept[0]; i++)
        for (int64_t j = 0; j < kept[1]; j++, to += kept[2])
            memcpy(to, x + (i * n[1] + j) * n[2], (size_t)kept[2] * sizeof *to);
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
    const int64_t driven[] = {0, p->record, address(words), count, address(axes), arrays, p->arguments,
                              p->look};
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

/* Run the kernel on tuples of arguments and results, with a workspace for rotors; `fresh` results
   are new, and zero if need be. */
static enum status run_in(Call *c, PyObject *outs, PyObject *given, int fresh, double *wide) {
    const struct plan *p = &c->plan;
    const int lead = p->batch != 0;
    const Py_ssize_t n = PyTuple_Size(given);
    const int64_t m = p->arguments, all = m + p->results;
    double scratch[SCRATCH], *free = scratch;
    int64_t words[WORDS] = {0}, axes[ARRAYS], range[ARRAYS][2], *word = words + 1, states = 1;
    if (n < p->least || n > p->most || PyTuple_Size(outs) != p->results) return REFUSED;
    for (int64_t k = 0; k < all; k++) {
        const struct array *is = c->arrays + k;
        const int present = k >= m || k < n;
        PyObject *x = !present ? Py_None : PyTuple_GetItem(k < m ? given : outs, k < m ? k : k - m);
        axes[k] = is->axes + 1;
        range[k][0] = range[k][1] = 0;
        if (is->role == FORCES && x == Py_None) {
            word[3] = is->wide[AXES - 1]; /* no states and no bodies */
            word += 1 + axes[k];
            continue;
        }
        int64_t at = k < m ? argument(x, is, lead, &free, scratch + SCRATCH) : result(x, is, lead);
        if (!at) return REFUSED;
        if (lead) {
            const int64_t length = PyArray_DIM((PyArrayObject *)x, 0);
            if (!k) states = length;
            if (length != states || !states) return REFUSED;
        }
        range[k][0] = at;
        range[k][1] = at + states * (is->role == ROWS && lead ? is->wide[AXES - 1] : product(is->shape)) * 8;
        word[0] = at;
        word[1] = states;
        for (int j = 0; j < is->axes; j++) word[2 + j] = is->wide[AXES - is->axes + j];
        if (p->rotors && is->role != FORCES) {
            word[0] = address(wide);
            wide = k < m ? widened(c, is, at, wide) : wide + product(is->wide);
        }
        word += 1 + axes[k];
    }
    for (int64_t k = m; !fresh && k < all; k++)
        if (overlaps(range, k, k)) return OVERLAP;
    for (int64_t b = 0; b < (lead && p->look ? 0 : states); b++)
        if (p->quaternions && !turns(c, (const double *)pointer(range[0][0]) + b * c->arrays->shape[AXES - 1]))
            return NOT_FINITE;
    const int64_t count = word - words;
    word = words + 1;
    for (int64_t k = 0; !lead && p->look && k < all; word += 1 + axes[k++])
        if (k >= m && (!fresh || p->rotors))
            memset(pointer(word[0]), 0, (size_t)product(c->arrays[k].wide) * sizeof(double));
    words[0] = p->release ? 0 : arena(c);
    enum status status;
    if (p->release) {
        Py_BEGIN_ALLOW_THREADS
        status = run_kernel(c, words, count, axes);
        Py_END_ALLOW_THREADS
    } else {
        status = run_kernel(c, words, count, axes);
    }
    word = words + 1;
    int finite = 1;
    for (int64_t k = 0; !lead && p->look && status == DONE && k < all; word += 1 + axes[k++]) {
        if (k < m) continue;
        const struct array *is = c->arrays + k;
        double *out = pointer(range[k][0]);
        if (p->rotors) contract(c, is, pointer(word[0]), out);
        finite &= is->axes > 2 || is_finite(out, product(is->shape));
    }
    return finite || !are_finite(c, range) ? status : NOT_FINITE;
}

static enum status run(Call *c, PyObject *outs, PyObject *given, int fresh) {
    double *wide = NULL;
    if (!PyTuple_Check(outs) || !PyTuple_Check(given)) return REFUSED;
    if (c->plan.rotors && !(wide = PyMem_Malloc((size_t)c->room * sizeof *wide))) return FAILED;
    const enum status status = run_in(c, outs, given, fresh, wide);
    PyMem_Free(wide);
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

/* Call(numbers, finish, kept): `numbers` are the 64-bit integers of `struct plan`, of the arrays, and
   the places and ratios that it counts; `kept` is what their addresses refer to. */
static PyObject *call_make(PyTypeObject *type, PyObject *args, PyObject *options) {
    PyObject *finish, *kept;
    const char *numbers;
    Py_ssize_t size;
    if (options && PyDict_Size(options)) return PyErr_Format(PyExc_TypeError, "Call: want no keywords");
    if (!PyArg_ParseTuple(args, "y#OO:Call", &numbers, &size, &finish, &kept)) return NULL;
    struct plan plan;
    if (size < (Py_ssize_t)sizeof plan) return PyErr_Format(PyExc_ValueError, "Call: too few numbers");
    memcpy(&plan, numbers, sizeof plan);
    const int64_t all = plan.arguments + plan.results, r = plan.rotors, places = plan.quaternions + 3 * r;
    const Py_ssize_t rest = size - (Py_ssize_t)sizeof plan;
    if (all > ARRAYS || rest != all * (Py_ssize_t)sizeof(struct array) + places * (Py_ssize_t)sizeof(int64_t))
        return PyErr_Format(PyExc_ValueError, "Call: the numbers do not fit what they count");
    allocfunc new = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Call *c = (Call *)new(type, 0);
    if (!c) return NULL;
    const size_t head = (size_t)rest;
    c->arrays = PyMem_Calloc(1, head + 3 * sizeof(int64_t));
    if (!c->arrays) {
        Py_DECREF(c);
        return PyErr_NoMemory();
    }
    memcpy(c->arrays, numbers + sizeof plan, head);
    c->plan = plan;
    c->quaternions = (int64_t *)(c->arrays + all);
    c->drives_q = c->quaternions + plan.quaternions;
    c->drives_v = c->drives_q + r;
    c->ratio = (double *)(c->drives_v + r);
    c->arena = (int64_t *)(c->ratio + r);
    for (int64_t k = 0; k < all; k++)
        if (c->arrays[k].role != FORCES) c->room += product(c->arrays[k].wide);
    c->finish = Py_NewRef(finish);
    c->kept = Py_NewRef(kept);
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
    if (!made || !type || PyModule_AddObjectRef(made, "Call", type) ||
        PyModule_AddStringConstant(made, "SOURCE", SOURCE))
        Py_CLEAR(made);
    Py_XDECREF(type);
    return made;
}
