/* A kernel prepared for one record: from NumPy arrays to the kernel's entry and back.

   arrays.c looks at arguments and results, spread.c takes variables to the tree and results back, run.c
   calls the kernel, type.c is the Python type `Call` that the module `_call` has. `Call` is made by spatial_v2/engine/runner.py, which describes the arrays of a call once, as
   integers; see `struct plan` and `struct array`. A call then checks in a few comparisons that its
   arguments are arrays of doubles of these shapes, writes their addresses and lengths as words (see
   spatial_v2/engine/compile/entries.py), and calls the kernel by its address. The kernels of a wheel and
   those that Numba compiles have the same entries. A call that does not fit is refused, and Python
   converts its arguments or explains what is wrong with them. */
#ifndef CALL_H
#define CALL_H
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL spatial_v2_numpy /* which type.c imports */
#ifndef IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <string.h>

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

static inline int64_t address(const void *x) { return (int64_t)(intptr_t)x; }
static inline void *pointer(int64_t x) { return (void *)(intptr_t)x; }

static inline int64_t product(const int64_t n[AXES]) { return n[0] * n[1] * n[2] * n[3]; }
static inline int64_t numbers_of(const struct array *is) { return product(is->shape); }

/* Return the address of an argument's numbers, or 0. A vector with other strides is copied. */
int64_t argument(PyObject *x, const struct array *is, int lead, double **scratch, double *end);

/* Return the address of a result's numbers, or 0. */
int64_t result(PyObject *x, const struct array *is, int lead);

/* Test if the kernel reads or writes another array than that of the call. */
int is_spread(const Call *c, const struct array *is);

/* Compute the tree's variables at those of the call, or sums of values of a tensor. */
void widen(const struct spread *s, const double *from, double *to);

/* Multiply each axis of velocities of a result by G. */
void contract(const Call *c, const struct array *is, double *x, double *to, double *apart);

/* Run the kernel on tuples of arguments and results; `fresh` results are new, and zero if need be. */
enum status run(Call *c, PyObject *outs, PyObject *args, int fresh);

#endif
