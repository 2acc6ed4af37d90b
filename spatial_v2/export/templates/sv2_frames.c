/* Frames: points of view on bodies, each with the chain of bodies that carries it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sv2_internal.h"

struct sv2_frame {
    const sv2_model *model;
    void *memory; /* what to free; null if the memory is the caller's */
    int64_t words[SV2_TREE_WORDS];
};

static const double IDENTITY[36] = {
    1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
    0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};

static double row_product(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* Test if X is [E 0; -E rx E] with a rotation E and the skew-symmetric matrix rx of a vector r. */
int sv2_is_transform(const double *X) {
    const double tolerance = 1e-6;
    double largest = 0.0, error = 0.0;
    if (!sv2_all_finite(X, 36)) return 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double dot = row_product(X + 6 * i, X + 6 * j);
            error = fmax(error, fabs(dot - (i == j)));
            error = fmax(error, fabs(X[6 * i + 3 + j]));
            error = fmax(error, fabs(X[6 * i + j] - X[6 * (i + 3) + 3 + j]));
            largest = fmax(largest, fabs(X[6 * (i + 3) + j]));
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0.0; /* an entry of rx + rx' */
            for (int k = 0; k < 3; k++)
                sum += X[6 * k + i] * X[6 * (k + 3) + j] + X[6 * k + j] * X[6 * (k + 3) + i];
            error = fmax(error, fabs(sum) / (1.0 + largest));
        }
    const double minor = X[0] * (X[7] * X[14] - X[8] * X[13]) -
                         X[1] * (X[6] * X[14] - X[8] * X[12]) +
                         X[2] * (X[6] * X[13] - X[7] * X[12]);
    return error <= tolerance && minor > 0.0;
}

static size_t depth(const sv2_model *m, int64_t body) {
    size_t n = 0;
    for (; body >= 0; body = m->parent[body]) n++;
    return n;
}

static size_t needed(size_t bodies) {
    return 16 + sv2_whole(1, sizeof(sv2_frame)) + sv2_whole(bodies * 45, 8);
}

size_t sv2_frame_size(const sv2_model *m, int body) {
    return m && body >= -1 && body < m->trees[SV2_PLAIN].NB ? needed(depth(m, body) + 1) : 0;
}

/* Copy the bodies on the path, and the frame as the last body, on a joint without variables. Kernels
 * of frames read no inertias, so that the array of transforms stands for them. */
static void fill(sv2_frame *frame, const sv2_model *m, int64_t body, const double *X, size_t n,
                 int64_t *parent) {
    int64_t *const joint = parent + n;
    double *const par = (double *)(joint + 6 * n), *const Xtree = par + 2 * n;
    const int64_t fixed[6] = {0, 0, body < 0 ? 0 : m->joint[6 * body + 2], 0, 0, -1};
    for (size_t k = 0; k < n; k++) parent[k] = (int64_t)k - 1;
    memcpy(joint + 6 * (n - 1), fixed, sizeof fixed);
    par[2 * n - 2] = par[2 * n - 1] = 0.0;
    memcpy(Xtree + 36 * (n - 1), X ? X : IDENTITY, sizeof IDENTITY);
    for (size_t k = n - 1; k > 0; body = m->parent[body]) {
        k--;
        memcpy(joint + 6 * k, m->joint + 6 * body, 48);
        memcpy(par + 2 * k, m->par + 2 * body, 16);
        memcpy(Xtree + 36 * k, m->Xtree + 36 * body, sizeof IDENTITY);
    }
    const void *const at[] = {parent, joint, par, Xtree, Xtree, m->gravity, par, par, par, par, par};
    sv2_lay_out(frame->words, at, (int64_t)n, 0);
}

int sv2_frame_in(const sv2_model *m, int body, const double *X, void *memory, size_t size,
                 sv2_frame **frame) {
    if (!frame) return SV2_NULL;
    *frame = NULL;
    if (!m || !memory) return SV2_NULL;
    if (body < -1 || body >= m->trees[SV2_PLAIN].NB) return SV2_NO_NAME;
    if (X && !sv2_is_transform(X)) return SV2_VALUE;
    const size_t n = depth(m, body) + 1, before = (size_t)(-(uintptr_t)memory & 15);
    if (size < needed(n)) return SV2_WORKSPACE;
    struct sv2_room room = {(char *)memory + before, (char *)memory + size};
    sv2_frame *const made = sv2_place(&room, 1, sizeof *made);
    int64_t *const numbers = sv2_place(&room, n * 45, 8);
    made->model = m, made->memory = NULL;
    fill(made, m, body, X, n, numbers);
    *frame = made;
    return SV2_DONE;
}

int sv2_frame_at(const sv2_model *m, int body, const double *X, sv2_frame **frame) {
    if (!frame) return SV2_NULL;
    *frame = NULL;
    if (!m) return SV2_NULL;
    const size_t size = sv2_frame_size(m, body);
    if (!size) return SV2_NO_NAME;
    void *const memory = malloc(size);
    if (!memory) return SV2_NO_MEMORY;
    const int status = sv2_frame_in(m, body, X, memory, size, frame);
    if (status) free(memory);
    else (*frame)->memory = memory;
    return status;
}

int sv2_frame_new(const sv2_model *m, const char *name, sv2_frame **frame) {
    int body;
    const double *X;
    if (!frame) return SV2_NULL;
    *frame = NULL;
    const int status = sv2_frame_find(m, name, &body, &X);
    return status ? status : sv2_frame_at(m, body, X, frame);
}

void sv2_frame_free(sv2_frame *frame) {
    if (frame) free(frame->memory);
}

const sv2_model *sv2_model_of(const sv2_frame *frame) { return frame ? frame->model : NULL; }

int sv2_see(const sv2_frame *frame, int axes, int classical, struct sv2_view *view) {
    if (!frame) return SV2_NULL;
    if (axes < SV2_BODY || axes > SV2_MIXED) return SV2_VALUE;
    memcpy(view->words, frame->words, sizeof frame->words);
    view->words[SV2_TREE_WORDS] = axes, view->words[SV2_TREE_WORDS + 1] = classical != 0;
    view->lengths = NULL, view->soft = 0;
    return SV2_DONE;
}

size_t sv2_frame_demand(const struct sv2_function *f, const sv2_frame *frame, int batch) {
    struct sv2_view view;
    return sv2_see(frame, SV2_BASE, 1, &view) ? 0 : sv2_demand(f, frame->model, &view, batch);
}
