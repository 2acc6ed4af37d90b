/* Arguments and results: arrays of doubles with the shapes of a call. */
#include "call.h"

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

int64_t argument(PyObject *x, const struct array *is, int lead, double **scratch, double *end) {
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

int64_t result(PyObject *x, const struct array *is, int lead) {
    PyArrayObject *a = doubles(x);
    if (!a || !PyArray_ISWRITEABLE(a)) return 0;
    if (is->role == ROWS && lead) return has_rows(a, is) ? address(PyArray_DATA(a)) : 0;
    return has_shape(a, is, lead) && PyArray_IS_C_CONTIGUOUS(a) ? address(PyArray_DATA(a)) : 0;
}
