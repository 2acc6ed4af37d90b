/* Coupled models for kernels that solve for accelerations: their words, and the sizes of pivots of the
 * inertia matrix that are rounding errors. */
#include <math.h>
#include <string.h>

#include "sv2_internal.h"

static int64_t *list(int64_t *word, const void *at, size_t n) {
    *word++ = (int64_t)(intptr_t)at;
    *word++ = (int64_t)n;
    return word;
}

static int64_t *matrix(int64_t *word, const struct sv2_matrix *G) {
    word = list(word, G->own, G->variables);
    word = list(word, G->row, G->terms);
    word = list(word, G->column, G->terms);
    word = list(word, G->factor, G->terms);
    return list(word, G->shift, G->rows);
}

int64_t *sv2_lay_spread(const struct sv2_spread *s, int64_t *word) {
    return matrix(matrix(word, &s->q), &s->v);
}

void sv2_lay_coupled(const sv2_model *m, int64_t *word) {
    const struct sv2_spread *const s = m->spread[SV2_EXPANDED];
    memcpy(word, m->trees[SV2_EXPANDED].words, SV2_TREE_WORDS * sizeof *word);
    word = sv2_lay_spread(s, word + SV2_TREE_WORDS);
    word = list(word, m->above, s->v.variables);
    word = list(word, m->least, s->v.variables);
    word = list(word, m->shared.variable, m->shared.count);
    word = list(word, m->shared.own, s->v.rows);
    word = list(word, m->shared.ends, (size_t)m->bodies + 1);
    *word++ = 4;
    word = list(word, m->shared.which, m->shared.places);
    word = list(word, m->shared.up, m->shared.places);
    list(word, m->shared.factor, m->shared.places);
}

/* Add an inertia to what variables above a body carry: mass and second moment, at the largest distance
 * that the body can have from them. A pivot of this size is a rounding error. */
static void carry(sv2_model *m, int64_t body, double mass, double moment) {
    const double share = ldexp(1.0, -46);
    const struct sv2_matrix *const G = &m->spread[SV2_PLAIN]->v;
    double reach = 0.0;
    for (int64_t i = body; i >= 0; i = m->parent[i]) {
        const int64_t *const joint = m->joint + 6 * i;
        const double far = sqrt(fmax(moment, 0.0)) + sqrt(fmax(mass, 0.0)) * reach, slide = m->par[2 * i + 1];
        for (int64_t k = 0; k < joint[4]; k++) {
            const int turns = joint[4] == 1 ? joint[0] == 0 : k < 3;
            const double pivot = share * (turns ? far * far + slide * slide * mass : mass);
            for (int64_t e = G->begin[joint[3] + k]; e < G->begin[joint[3] + k + 1]; e++)
                m->least[G->at[e]] += G->value[e] * G->value[e] * pivot;
        }
        double square = 0.0;
        for (int a = 3; a < 6; a++)
            for (int b = 0; b < 3; b++) {
                const double x = m->Xtree[36 * i + 6 * a + b];
                square += x * x;
            }
        reach += sqrt(0.5 * square);
        if (joint[4] == 1 && joint[0] == 1) reach += fabs(m->spread[SV2_PLAIN]->q.shift[joint[2]]);
    }
}

void sv2_weigh(sv2_model *m) {
    static const double NONE[36];
    if (!m->coupled) return;
    const int given = m->base_least[0] >= 0.0;
    for (size_t k = 0; k < m->spread[SV2_PLAIN]->v.variables; k++)
        m->least[k] = given ? m->base_least[k] : 0.0;
    for (int64_t i = 0; i < m->trees[SV2_PLAIN].NB; i++) {
        const double *const I = m->I + 36 * i, *const own = given ? m->own_I + 36 * i : NONE;
        const double more = I[0] - own[0] + (I[7] - own[7]) + (I[14] - own[14]);
        if (memcmp(I, own, sizeof NONE)) carry(m, i, I[35] - own[35], 0.5 * more);
    }
}
