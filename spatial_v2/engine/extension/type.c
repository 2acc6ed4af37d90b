/* The Python type `Call`, and the module that has it. */
#define IMPORTS_NUMPY
#include "call.h"

#ifndef SOURCE
#define SOURCE "" /* digest of the files of this folder */
#endif

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
