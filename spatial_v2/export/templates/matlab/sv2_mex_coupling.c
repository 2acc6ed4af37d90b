/* Joints that follow others: the field coupling of a model, with a matrix G and an offset c, so that the
 * tree has the positions G*y + c. */
#include <math.h>
#include <string.h>

#include "sv2_mex.h"

enum { MOST = 1 << 18 };

static const double RANK = 1e-10;

int sv2_mex_is_coupled(const mxArray *model) {
    const mxArray *x = mxIsStruct(model) ? mxGetField(model, 0, "coupling") : NULL;
    return x && !mxIsEmpty(x);
}

/* The largest number below the rows of an elimination that have been used. */
static size_t pivot_of(const double *A, const char *used, size_t rows, size_t column) {
    size_t best = rows;
    for (size_t r = 0; r < rows; r++)
        if (!used[r] && (best == rows || fabs(A[rows * column + r]) > fabs(A[rows * column + best])))
            best = r;
    return best;
}

/* Refuse columns that are sums of others. */
static void check_rank(const double *G, size_t rows, size_t columns) {
    double *A = mxMalloc(rows * columns * sizeof *A), size = 0;
    char *used = mxCalloc(rows, 1);
    memcpy(A, G, rows * columns * sizeof *A);
    for (size_t k = 0; k < rows * columns; k++) size = fmax(size, fabs(G[k]));
    for (size_t c = 0; c < columns; c++) {
        const size_t p = pivot_of(A, used, rows, c);
        if (p == rows || !(fabs(A[rows * c + p]) > RANK * size))
            sv2_mex_fail("model.coupling.matrix: column %zu is a sum of those before it, so that the "
                         "motion does not determine the variables", c + 1);
        used[p] = 1;
        for (size_t d = c + 1; d < columns; d++) {
            const double factor = A[rows * d + p] / A[rows * c + p];
            for (size_t r = 0; r < rows; r++) A[rows * d + r] -= factor * A[rows * c + r];
        }
    }
    mxFree(A), mxFree(used);
}

/* The first column of a joint with several variables, which must be independent. */
static size_t own_columns(const struct sv2_mex_coupling *c, size_t rows, size_t row, size_t n, size_t i) {
    size_t first = 0;
    while (first < c->variables && c->G[rows * first + row] == 0) first++;
    int own = first + n <= c->variables;
    for (size_t k = 0; own && k < c->variables; k++)
        for (size_t r = 0; r < rows; r++) {
            const int inside = r >= row && r < row + n, here = k >= first && k < first + n;
            const double want = inside && here && k - first == r - row ? 1 : 0;
            if ((inside || here) && c->G[rows * k + r] != want) own = 0;
        }
    for (size_t r = row; c->offset && r < row + n; r++) own = own && c->offset[r] == 0;
    if (!own)
        sv2_mex_fail("model.coupling.matrix: joint %zu has %zu velocity variables, which can only be "
                     "independent: its rows want an identity in %zu consecutive columns that move no "
                     "other joint, and offset 0", i + 1, n, n);
    return first;
}

/* The joint by which a column is called: one that it moves. */
static size_t moved_by(const struct sv2_mex_coupling *c, const int64_t *body, size_t rows, size_t column) {
    size_t r = 0;
    while (r < rows && c->G[rows * column + r] == 0) r++;
    return (size_t)body[r];
}

static const double *field_of(const mxArray *coupling, const char *name, size_t rows, size_t *columns) {
    char place[64] = "model.coupling.";
    const mxArray *x = mxGetField(coupling, 0, name);
    if (!x || mxIsEmpty(x)) return NULL;
    const double *numbers = sv2_mex_numbers(x, strcat(place, name), 0);
    if (mxGetNumberOfDimensions(x) != 2 || mxGetM(x) != rows)
        sv2_mex_fail("%s: want %zu rows, one for each velocity variable of the tree, got %zu", place,
                     rows, mxGetM(x));
    *columns = mxGetN(x);
    for (size_t k = 0; k < rows * *columns; k++)
        if (!isfinite(numbers[k])) sv2_mex_fail("%s: want finite numbers", place);
    return numbers;
}

struct sv2_mex_coupling sv2_mex_coupling_of(const mxArray *model, const struct sv2_mex_joint **types,
                                            size_t NB) {
    struct sv2_mex_coupling c = {NULL, NULL, NULL, 0, 0, 0, 0, NULL};
    const mxArray *coupling = mxGetField(model, 0, "coupling");
    size_t rows = 0, one = 1;
    if (!sv2_mex_is_coupled(model)) return c;
    for (size_t i = 0; i < NB; i++) rows += (size_t)types[i]->nv;
    if (!mxIsStruct(coupling))
        sv2_mex_fail("model.coupling: want a struct with the fields matrix and offset");
    c.G = field_of(coupling, "matrix", rows, &c.variables);
    if (!c.G) sv2_mex_fail("model.coupling.matrix is missing");
    c.offset = field_of(coupling, "offset", rows, &one);
    if (one != 1) sv2_mex_fail("model.coupling.offset: want one column, got %zu", one);
    if (c.variables > rows)
        sv2_mex_fail("model.coupling.matrix: want at most %zu columns, got %zu", rows, c.variables);
    check_rank(c.G, rows, c.variables);
    c.single = mxMalloc(rows);
    int64_t *body = mxMalloc(rows * sizeof *body), *whole = mxMalloc(c.variables * sizeof *whole);
    for (size_t k = 0; k < c.variables; k++) whole[k] = -1;
    for (size_t i = 0, row = 0; i < NB; row += (size_t)types[i++]->nv) {
        const size_t n = (size_t)types[i]->nv;
        for (size_t k = 0; k < n; k++) body[row + k] = (int64_t)i, c.single[row + k] = n == 1;
        if (n != 1) whole[own_columns(&c, rows, row, n, i)] = (int64_t)i;
        for (size_t k = 0; n == 1 && k < c.variables; k++) c.entries += c.G[rows * k + row] != 0;
    }
    if (c.entries > MOST) sv2_mex_fail("model.coupling.matrix: want at most %d entries", MOST);
    c.joint = mxMalloc(c.variables * sizeof *c.joint);
    for (size_t k = 0; k < c.variables;) {
        const size_t i = whole[k] < 0 ? moved_by(&c, body, rows, k) : (size_t)whole[k];
        c.joint[c.joints++] = (int64_t)i;
        c.positions += (size_t)types[i]->nq, k += (size_t)types[i]->nv;
    }
    mxFree(body), mxFree(whole);
    return c;
}

static size_t text_words(const struct sv2_mex_coupling *c, size_t NB) {
    return (1 + NB + c->joints + 7) / 8;
}

size_t sv2_mex_coupling_words(const struct sv2_mex_coupling *c, size_t NB, size_t NV) {
    return c->G ? c->joints + NV + 2 * c->variables + 3 * c->entries + 2 * c->positions +
                      2 * c->variables + text_words(c, NB)
                : 0;
}

/* The inertia matrix of the variables is taken for a full one, and the sizes of pivots that are rounding
 * errors are left to the library. */
void sv2_mex_write_coupling(const struct sv2_mex_coupling *c, size_t NV, int64_t *words) {
    memcpy(words, c->joint, c->joints * sizeof *words);
    double *const offset = (double *)(words + c->joints);
    int64_t *const above = words + c->joints + NV;
    double *const least = (double *)(above + c->variables);
    int64_t *row = above + 2 * c->variables, *column = row + c->entries;
    double *factor = (double *)(column + c->entries);
    for (size_t r = 0; r < NV; r++) offset[r] = c->offset ? c->offset[r] : 0;
    for (size_t k = 0; k < c->variables; k++) above[k] = (int64_t)k - 1, least[k] = -1;
    for (size_t r = 0; r < NV; r++)
        for (size_t k = 0; k < c->variables; k++)
            if (c->single[r] && c->G[NV * k + r] != 0)
                *row++ = (int64_t)r, *column++ = (int64_t)k, *factor++ = c->G[NV * k + r];
}
