/* Damages a model file many times; each must give a status, and a model that opens must work. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spatial_v2.h"

static uint64_t seed = 88172645463325252u;

static uint64_t next(uint64_t below) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed % below;
}

static uint32_t crc(const unsigned char *x, size_t n) {
    uint32_t c = 0xffffffffu;
    for (size_t k = 0; k < n; k++) {
        c ^= x[k];
        for (int bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    }
    return ~c;
}

static void seal(unsigned char *x, size_t n) {
    if (n < 64) return;
    memset(x + 56, 0, 4);
    const uint32_t sum = crc(x, 64) ^ crc(x + 64, n - 64);
    memcpy(x + 56, &sum, 4);
}

enum { STATES = 3 };

/* Reads the indices of the entries of a result, and refuses any outside of it. */
static void read_pattern(const sv2_model *m, int result, size_t values) {
    int32_t *at = malloc(12 * values + 1), n = (int32_t)sv2_NV(m);
    sv2_ID_SO_derivatives_pattern(m, result, at, at + values, at + 2 * values);
    for (size_t k = 0; k < 3 * values; k++)
        if (at[k] < 0 || at[k] >= n) exit(4);
    free(at);
}

/* Calls functions for one state and for a batch, sometimes with too small a workspace: on the tree with
   rotors as further joints, and on that with rotors on joints. */
static void use(const sv2_model *m) {
    const size_t n = sv2_NV(m), cube = n * n * n, nq = sv2_NQ(m), nb = sv2_NB(m);
    double *q = calloc(STATES * nq + 1, 8), *v = calloc(STATES * n + 1, 8);
    double *f = calloc(STATES * 6 * nb + 1, 8), *force = next(2) ? f : NULL;
    double *H = malloc(8 * STATES * n * n + 1), *C = malloc(8 * STATES * n + 1), *T[4];
    double *g = malloc(16 * STATES * n + 1), *M[6];
    const int batch = (int)next(2), which = (int)next(8), packed = which == 4;
    for (int k = 0; k < 6; k++) M[k] = malloc(8 * STATES * n * n + 1);
    for (int k = 0; k < 4; k++) {
        const size_t values = packed ? sv2_ID_SO_derivatives_nonzeros(m, k) : cube;
        T[k] = malloc(8 * STATES * values + 1);
        if (packed) read_pattern(m, k, values);
    }
    size_t size = which == 0   ? (batch ? sv2_ID_batch_workspace : sv2_ID_workspace)(m)
                  : which == 1 ? (batch ? sv2_HandC_batch_workspace : sv2_HandC_workspace)(m)
                  : which == 2 ? (batch ? sv2_FDab_batch_workspace : sv2_FDab_workspace)(m)
                  : which == 5 ? (batch ? sv2_FD_SO_derivatives_batch_workspace
                                        : sv2_FD_SO_derivatives_workspace)(m)
                  : which == 6 ? (batch ? sv2_modFD_derivatives_batch_workspace
                                        : sv2_modFD_derivatives_workspace)(m)
                  : which == 7 ? (batch ? sv2_modFD_second_derivatives_batch_workspace
                                        : sv2_modFD_second_derivatives_workspace)(m)
                  : batch      ? sv2_ID_SO_derivatives_batch_workspace(m)
                               : sv2_ID_SO_derivatives_workspace(m);
    if (!next(4)) size = next(size + 1);
    void *w = malloc(size + 1);
    if (which == 0) {
        if (batch) sv2_ID_batch(m, STATES, q, v, v, force, C, w, size);
        else sv2_ID(m, q, v, v, force, C, w, size);
    } else if (which == 1) {
        if (batch) sv2_HandC_batch(m, STATES, q, v, force, H, C, w, size);
        else sv2_HandC(m, q, v, force, H, C, w, size);
    } else if (which == 2) {
        if (batch) sv2_FDab_batch(m, STATES, q, v, v, force, C, w, size);
        else sv2_FDab(m, q, v, v, force, C, w, size);
    } else if (which == 5) {
        if (batch)
            sv2_FD_SO_derivatives_batch(m, STATES, q, v, v, force, T[0], T[1], T[2], T[3], w, size);
        else sv2_FD_SO_derivatives(m, q, v, v, force, T[0], T[1], T[2], T[3], w, size);
    } else if (which == 6) {
        double *const h = g + STATES * n;
        if (batch) sv2_modFD_derivatives_batch(m, STATES, q, v, v, v, force, C, g, h, w, size);
        else sv2_modFD_derivatives(m, q, v, v, v, force, C, g, h, w, size);
    } else if (which == 7) {
        if (batch)
            sv2_modFD_second_derivatives_batch(m, STATES, q, v, v, v, force, H, M[0], M[1], M[2],
                                               M[3], M[4], M[5], w, size);
        else
            sv2_modFD_second_derivatives(m, q, v, v, v, force, H, M[0], M[1], M[2], M[3], M[4],
                                         M[5], w, size);
    } else if (packed && batch) {
        sv2_ID_SO_derivatives_packed_batch(m, STATES, q, v, v, force, T[0], T[1], T[2], T[3], w,
                                           size);
    } else if (packed) {
        sv2_ID_SO_derivatives_packed(m, q, v, v, force, T[0], T[1], T[2], T[3], w, size);
    } else if (batch) {
        sv2_ID_SO_derivatives_batch(m, STATES, q, v, v, force, T[0], T[1], T[2], T[3], w, size);
    } else {
        sv2_ID_SO_derivatives(m, q, v, v, force, T[0], T[1], T[2], T[3], w, size);
    }
    for (size_t k = 0; k < 4; k++) free(T[k]);
    for (size_t k = 0; k < 6; k++) free(M[k]);
    free(g), free(w), free(C), free(H), free(f), free(v), free(q);
}

/* Reads every name, and computes motions of frames: those of the file, bodies, and damaged ones. */
static void look(const sv2_model *m) {
    const size_t n = sv2_NB(m);
    size_t letters = 0, at[4];
    for (size_t k = 0; k <= n + sv2_joints(m); k++) {
        const char *const body = sv2_body_name(m, k), *const joint = sv2_joint_name(m, k);
        letters += (body ? strlen(body) : 0) + (joint ? strlen(joint) : 0);
        if (sv2_joint_variables(m, k, at, at + 1, at + 2, at + 3) == SV2_DONE && at[3] > 6) exit(5);
    }
    sv2_frame *frame = NULL;
    double X[36] = {0}, *q = calloc(sv2_NQ(m) + 1, 8), *J = malloc(48 * sv2_NV(m) + 1);
    for (int k = 0; k < 6; k++) X[7 * k] = 1.0;
    X[next(36)] += (double)next(3) - 1.0;
    const char *const name = sv2_frame_name(m, next(sv2_frames(m) + 1));
    const int body = (int)next(n + 4) - 2, which = (int)next(3);
    if (which == 0 && name) sv2_frame_new(m, name, &frame);
    else if (which == 1) sv2_frame_at(m, body, X, &frame);
    else sv2_frame_at(m, body, NULL, &frame);
    const size_t size = sv2_FrameJacobian_workspace(frame), less = next(4) ? size : next(size + 1);
    void *const room = malloc(less + 1);
    sv2_FrameJacobian(frame, (int)next(5) - 1, q, J, room, less);
    free(room), free(J), free(q);
    sv2_frame_free(frame);
    if (letters > 1 << 24) exit(6);
}

/* Sets gravity, payloads and joint terms, good and bad. */
static void set(sv2_model *m) {
    const size_t n = sv2_tree_NV(m);
    double gravity[3] = {0, 0, (double)next(20)}, I[36] = {0}, *x = calloc(n + 1, 8);
    for (int k = 0; k < 6; k++) I[7 * k] = 1.0;
    I[next(36)] += (double)next(3) - 1.0;
    x[next(n + 1)] = (double)next(3) - 1.0;
    sv2_set_gravity(m, next(9) ? gravity : NULL);
    sv2_set_payload(m, (int)next(sv2_NB(m) + 4) - 2, next(4) ? I : NULL);
    sv2_set_armature(m, next(4) ? x : NULL);
    sv2_set_friction(m, next(4) ? x : NULL);
    sv2_set_stiffness(m, next(4) ? x : NULL);
    sv2_set_rest(m, next(4) ? x : NULL);
    free(x);
}

/* Opens a file in memory of the caller, with as much as it needs or less. */
static void open_inside(const unsigned char *data, size_t n) {
    const size_t size = sv2_model_size(data, n), less = next(3) ? size : next(size + 1);
    unsigned char *const memory = malloc(less + 1);
    sv2_model *m;
    if (sv2_model_in(data, n, memory, less, &m) == SV2_DONE) use(m);
    else if (m) exit(7);
    free(memory);
}

int main(int count, char **words) {
    static unsigned char good[1 << 20];
    FILE *file = count > 2 ? fopen(words[1], "rb") : NULL;
    if (!file) return 2;
    const size_t size = fread(good, 1, sizeof good, file);
    fclose(file);
    int opened = 0, refused = 0;
    for (int k = 0; k < atoi(words[2]); k++) {
        size_t n = next(4) ? size : next(size + 1);
        unsigned char *bad = malloc(n + 1);
        memcpy(bad, good, n);
        for (uint64_t change = 1 + next(4); change && n; change--) {
            const size_t at = next(2) ? next(n) : next(n < 500 ? n : 500);
            bad[at] = (unsigned char)next(256);
        }
        if (next(2)) seal(bad, n);
        sv2_model *model;
        if (sv2_model_from_memory(bad, n, &model)) {
            refused++;
            if (model) return 3;
        } else {
            opened++;
            look(model);
            set(model);
            use(model);
            sv2_model_free(model);
            open_inside(bad, n);
        }
        free(bad);
    }
    printf("%d %d\n", opened, refused);
    return 0;
}
