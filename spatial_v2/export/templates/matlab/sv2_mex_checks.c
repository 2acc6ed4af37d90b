/* Transforms and inertias: planar ones as parts of spatial ones, and what all must be. */
#include <math.h>

#include "sv2_mex.h"

static const double TOLERANCE = 1e-9;

void sv2_mex_lift_transform(double *X) {
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) X[6 * i + j] = X[6 * (3 + i) + 3 + j];
    X[35] = 1;
    for (int j = 0; j < 2; j++) X[30 + j] = -(X[20] * X[21 + j] + X[26] * X[27 + j]);
}

void sv2_mex_lift_inertia(double *I) {
    I[35] = I[21];
    for (int j = 0; j < 2; j++) I[6 * j + 5] = I[30 + j] = -I[15 + j];
}

static double larger(double a, double b) { return a >= fabs(b) ? a : fabs(b); }

/* The violation of X = [E 0; -E*skew(r) E] with a rotation E; NaN and 2 are too much as well. */
static double off_transform(const double *X) {
    double worst = 0, far = 1, R[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double product = i == j ? -1 : 0;
            for (int k = 0; k < 3; k++) {
                product += X[6 * i + k] * X[6 * j + k];
                R[i][j] += X[6 * k + i] * X[6 * (3 + k) + j];
            }
            worst = larger(larger(worst, product), X[6 * i + j] - X[6 * (3 + i) + 3 + j]);
            worst = larger(worst, X[6 * i + 3 + j]);
            far = larger(far, 1 + fabs(X[6 * (3 + i) + j]));
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) worst = larger(worst, (R[i][j] + R[j][i]) / far);
    const double det = X[0] * (X[7] * X[14] - X[8] * X[13]) - X[1] * (X[6] * X[14] - X[8] * X[12]) +
                       X[2] * (X[6] * X[13] - X[7] * X[12]);
    return det > 0 ? worst : 2;
}

/* The violation, relative, of I = [Ic + m*C*C' m*C; m*C' m] with a skew-symmetric C. */
static double off_inertia(const double *I) {
    double worst = 0, size = 1e-300;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            size = larger(size, I[6 * i + j]);
            worst = larger(worst, I[6 * i + j] - I[6 * j + i]);
            if (i < 3 && j < 3) {
                worst = larger(worst, I[6 * i + 3 + j] + I[6 * j + 3 + i]);
                worst = larger(worst, I[6 * (3 + i) + 3 + j] - (i == j ? I[35] : 0));
            }
        }
    return worst / size;
}

static int all_finite(const double *x, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (!isfinite(x[k])) return 0;
    return 1;
}

void sv2_mex_check_body(const double *X, const double *I, const char *suffix, size_t i) {
    const char *tree = *suffix ? "rotor" : "tree";
    if (!all_finite(X, 36) || !(off_transform(X) <= TOLERANCE))
        sv2_mex_fail("model.X%s{%zu} is not a Pluecker transform [E 0; -E*skew(r) E] with a "
                     "rotation E; build it with plux(E,r), xlt(r), rotz(t)", tree, i + 1);
    if (!all_finite(I, 36) || !(off_inertia(I) <= TOLERANCE))
        sv2_mex_fail("model.I%s{%zu} is not a rigid-body inertia; build it with mcI(m,c,Ic)",
                     suffix, i + 1);
    if (I[35] < 0) sv2_mex_fail("model.I%s{%zu}: the mass is negative", suffix, i + 1);
}
