/* Inverse dynamics of many states in C, in one call: tau of q = 0.3 sin(b + i), at rest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "spatial_v2.h"

int main(int count, char **words) {
    if (count < 2) return fprintf(stderr, "usage: batch MODEL [STATES]\n"), 2;
    const size_t states = count > 2 ? (size_t)atoi(words[2]) : 1000;
    sv2_model *robot;
    int status = sv2_model_from_file(words[1], &robot);
    if (status) return fprintf(stderr, "%s: %s\n", words[1], sv2_message(status)), 1;

    const size_t nq = sv2_NQ(robot), nv = sv2_NV(robot);
    const size_t size = sv2_ID_batch_workspace(robot);
    double *q = malloc(states * nq * sizeof *q), *none = calloc(states * nv, sizeof *none);
    double *tau = malloc(states * nv * sizeof *tau);
    void *workspace = malloc(size);
    status = q && none && tau && workspace ? SV2_DONE : SV2_NO_MEMORY;
    if (!status) {
        for (size_t b = 0; b < states; b++)
            for (size_t i = 0; i < nq; i++) q[b * nq + i] = 0.3 * sin((double)(b + i));
        status = sv2_ID_batch(robot, states, q, none, none, NULL, tau, workspace, size);
    }
    if (status) fprintf(stderr, "batch: %s\n", sv2_message(status));
    else
        for (size_t k = 0; k < states * nv; k++) printf("%.17g\n", tau[k]);
    free(workspace), free(tau), free(none), free(q);
    sv2_model_free(robot);
    return status;
}
