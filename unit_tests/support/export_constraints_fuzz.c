/* Makes lists of constraints, good and bad, on a model and on damaged ones; each must give a status,
   and constraints that are made must work in every function. */
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

static double number(void) { return (double)next(2001) / 1000.0 - 1.0; }

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

enum { MOST = 4, STATES = 5 };

static double *numbers(size_t n) {
    double *const x = malloc(8 * n + 1);
    for (size_t k = 0; k < n; k++) x[k] = number();
    return x;
}

/* Calls a function, sometimes with too small a workspace; returns its status. */
static int use(const sv2_model *m, const sv2_constraints *c) {
    const size_t n = sv2_NV(m), rows = sv2_rows(c), states = next(2) ? 1 : STATES;
    double *q = numbers(states * sv2_NQ(m)), *v = numbers(states * n), *e = numbers(states * rows);
    double *a = malloc(states * 24 * (n + rows) * (n + 1) + 1), *x = numbers(states * (n + rows));
    double *b = malloc(states * 24 * (n + rows) * (n + 1) + 1), *y = numbers(states * rows);
    const int which = (int)next(4), many = states > 1;
    size_t size = which == 0   ? (many ? sv2_KKT_FD_batch_workspace : sv2_KKT_FD_workspace)(c)
                  : which == 1 ? (many ? sv2_Impact_dyn_batch_workspace : sv2_Impact_dyn_workspace)(c)
                  : which == 2 ? (many ? sv2_constraint_rows_batch_workspace
                                       : sv2_constraint_rows_workspace)(c)
                  : many       ? sv2_KKT_FO_derivatives_batch_workspace(c)
                               : sv2_KKT_FO_derivatives_workspace(c);
    if (!next(4)) size = next(size + 1);
    void *const w = malloc(size + 1);
    int status;
    if (!next(9)) q[next(sv2_NQ(m))] = 1e308 * 10;
    if (which == 0 && many) status = sv2_KKT_FD_batch(c, states, q, v, v, NULL, x, y, w, size);
    else if (which == 0) status = sv2_KKT_FD(c, q, v, v, NULL, x, y, w, size);
    else if (which == 1 && many) status = sv2_Impact_dyn_batch(c, states, q, v, e, x, y, w, size);
    else if (which == 1) status = sv2_Impact_dyn(c, q, v, e, x, y, w, size);
    else if (which == 2 && many)
        status = sv2_constraint_rows_batch(c, states, q, v, v, a, x, y, b, w, size);
    else if (which == 2) status = sv2_constraint_rows(c, q, v, v, a, x, y, b, w, size);
    else if (many) status = sv2_KKT_FO_derivatives_batch(c, states, q, v, v, NULL, x, a, b, w, size);
    else status = sv2_KKT_FO_derivatives(c, q, v, v, NULL, x, a, b, w, size);
    free(w), free(y), free(b), free(x), free(a), free(e), free(v), free(q);
    return status;
}

static void fill(const sv2_model *m, sv2_constraint *c, double *X, double *D) {
    const size_t n = sv2_NB(m);
    memset(X, 0, 8 * 36);
    for (int k = 0; k < 6; k++) X[7 * k] = 1.0;
    X[19] = number(), X[24] = -X[19]; /* a translation along z */
    if (!next(8)) X[next(36)] += number();
    for (int k = 0; k < 36; k++) D[k] = next(3) ? number() : 0.0;
    if (!next(40)) D[next(36)] = 1e308 * 10;
    c->kind = (int)next(next(9) ? 5 : 7), c->body1 = next(3) ? -1 : (int)next(n + 2) - 1;
    c->body2 = (int)next(n + 1) - 1, c->rows = 1 + next(c->kind ? 6 : 3) + (next(20) ? 0 : 3);
    c->X1 = next(2) ? X : NULL, c->X2 = next(2) ? X : NULL;
    c->directions = next(2) ? D : NULL;
    if (!c->directions && next(4)) c->rows = c->kind ? 6 : 3;
    if (c->kind == SV2_ROD && next(4)) c->rows = 1;
}

int main(int count, char **words) {
    static unsigned char good[1 << 20];
    FILE *file = count > 2 ? fopen(words[1], "rb") : NULL;
    if (!file) return 2;
    const size_t size = fread(good, 1, sizeof good, file);
    fclose(file);
    int made = 0, refused = 0, solved = 0;
    for (int k = 0; k < atoi(words[2]); k++) {
        unsigned char *bad = malloc(size);
        sv2_model *model = NULL;
        sv2_constraints *c = NULL;
        sv2_constraint list[MOST];
        double X[MOST][36], D[MOST][36];
        memcpy(bad, good, size);
        for (uint64_t change = next(3); change; change--) bad[80 + next(size - 80)] ^= 1u << next(8);
        seal(bad, size);
        if (sv2_model_from_memory(bad, size, &model) == SV2_DONE) {
            const size_t n = next(MOST + 1);
            for (size_t i = 0; i < n; i++) fill(model, list + i, X[i], D[i]);
            if (!next(9) && n) sv2_contact(model, sv2_body_name(model, next(sv2_NB(model) + 1)), list);
            if (next(2)) {
                refused += sv2_constraints_new(model, list, n, &c) != SV2_DONE;
            } else {
                const size_t bytes = sv2_constraints_size(model, list, n);
                void *const memory = malloc(bytes + 1);
                if (sv2_constraints_in(model, list, n, memory, next(bytes + 1), &c) == SV2_DONE && bytes > 0
                    && !c) return 3;
                c = NULL;
                if (sv2_constraints_in(model, list, n, memory, bytes, &c) == SV2_DONE) use(model, c);
                c = NULL;
                free(memory);
            }
            if (c) {
                double *const gain = numbers(sv2_rows(c));
                made++;
                sv2_set_baumgarte(c, next(2) ? gain : NULL, next(2) ? gain : NULL);
                sv2_set_softness(c, next(2) ? 0.0 : number());
                solved += use(model, c) == SV2_DONE;
                free(gain);
            }
            sv2_constraints_free(c);
        }
        sv2_model_free(model);
        free(bad);
    }
    printf("%d %d %d\n", made, refused, solved);
    return 0;
}
