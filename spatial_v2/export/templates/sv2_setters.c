/* What a robot changes while it works: gravity, a payload, armature, damping, friction, springs. */
#include <math.h>
#include <string.h>

#include "sv2_internal.h"

int sv2_set_gravity(sv2_model *m, const double *gravity) {
    if (!m || !gravity) return SV2_NULL;
    if (!sv2_all_finite(gravity, 3)) return SV2_VALUE;
    memcpy(m->gravity, gravity, 24);
    return SV2_DONE;
}

/* Test if a symmetric matrix 3x3 has no eigenvalue below zero, by its principal minors. */
static int is_positive(const double *A, double scale) {
    const double small = -1e-9 * scale;
    double minors[3], det = 0.0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        if (A[4 * i] < small) return 0;
        minors[i] = A[4 * j] * A[4 * k] - A[3 * j + k] * A[3 * j + k];
        if (minors[i] < small * scale) return 0;
        det += A[i] * (A[3 + j] * A[6 + k] - A[3 + k] * A[6 + j]);
    }
    return det >= small * scale * scale;
}

/* Test if I is [Ibar, m cx; m cx', m 1] of a rigid body with a mass that is not negative. */
static int is_inertia(const double *I) {
    const double mass = I[35], mc[3] = {I[16], I[5], I[9]};
    const double square = mc[0] * mc[0] + mc[1] * mc[1] + mc[2] * mc[2];
    double scale = 0.0, error = 0.0, Ic[9];
    if (!sv2_all_finite(I, 36) || mass < 0.0 || (mass == 0.0 && square > 0.0)) return 0;
    for (int k = 0; k < 36; k++) scale = fmax(scale, fabs(I[k]));
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++) error = fmax(error, fabs(I[6 * i + j] - I[6 * j + i]));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double moved = (i == j) * square - mc[i] * mc[j];
            error = fmax(error, fabs(I[6 * (i + 3) + j + 3] - (i == j ? mass : 0.0)));
            error = fmax(error, fabs(I[6 * i + j + 3] + I[6 * j + i + 3]));
            Ic[3 * i + j] = I[6 * i + j] - (mass > 0.0 ? moved / mass : 0.0);
        }
    return error <= 1e-9 * scale && is_positive(Ic, scale);
}

int sv2_set_payload(sv2_model *m, int body, const double *I) {
    if (!m) return SV2_NULL;
    if (body < 0 || body >= m->trees[SV2_PLAIN].NB) return SV2_NO_NAME;
    if (I && !is_inertia(I)) return SV2_VALUE;
    double *const to = m->I + 36 * body;
    const double *const own = m->own_I + 36 * body;
    for (int k = 0; k < 36; k++) to[k] = I ? own[k] + I[k] : own[k];
    sv2_weigh(m);
    return SV2_DONE;
}

static int set_terms(sv2_model *m, int kind, const double *x) {
    if (!m) return SV2_NULL;
    const size_t n = sv2_tree_NV(m);
    if (x && !sv2_all_finite(x, n)) return SV2_VALUE;
    for (size_t i = 0; x && i < n; i++)
        if (x[i] < 0.0 && kind != SV2_REST) return SV2_VALUE;
    if (x && kind == SV2_STIFFNESS && !sv2_are_springs(m, x)) return SV2_VALUE;
    for (size_t i = 0; i < n; i++) m->terms[kind][i] = x ? x[i] : 0.0;
    sv2_lay_terms(m);
    return SV2_DONE;
}

int sv2_set_armature(sv2_model *m, const double *x) { return set_terms(m, SV2_ARMATURE, x); }
int sv2_set_damping(sv2_model *m, const double *x) { return set_terms(m, SV2_DAMPING, x); }
int sv2_set_friction(sv2_model *m, const double *x) { return set_terms(m, SV2_FRICTION, x); }
int sv2_set_stiffness(sv2_model *m, const double *x) { return set_terms(m, SV2_STIFFNESS, x); }
int sv2_set_rest(sv2_model *m, const double *x) { return set_terms(m, SV2_REST, x); }
