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

/* Run kernels on the tree with rotors as further joints, and on that with rotors on joints. */
static void use(const sv2_model *m) {
    const size_t n = sv2_NV(m), bodies = sv2_NB(m), sizes[] = {
        sv2_ID_SO_derivatives_workspace(m), sv2_ID_workspace(m), sv2_FDab_batch_workspace(m)};
    double *q = calloc(2 * sv2_NQ(m) + 1, 8), *v = calloc(2 * n + 1, 8);
    double *force = calloc(6 * bodies + 1, 8), *out = malloc(32 * (n * n * n + 1)), *parts[4];
    void *workspace[3];
    for (size_t k = 0; k < 3; k++) workspace[k] = malloc(sizes[k] + 1);
    for (size_t k = 0; k < 4; k++) parts[k] = out + k * n * n * n;
    sv2_ID_SO_derivatives(m, q, v, v, NULL, parts[0], parts[1], parts[2], parts[3], workspace[0],
                          sizes[0]);
    sv2_ID(m, q, v, v, force, out, workspace[1], sizes[1]);
    sv2_FDab_batch(m, 2, q, v, v, NULL, out, workspace[2], sizes[2]);
    for (size_t k = 0; k < 3; k++) free(workspace[k]);
    free(out), free(force), free(v), free(q);
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
            use(model);
            sv2_model_free(model);
        }
        free(bad);
    }
    printf("%d %d\n", opened, refused);
    return 0;
}
