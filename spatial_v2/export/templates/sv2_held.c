/* Constraints for kernels, and what may change while a robot works: gains and damping. */
#include <string.h>

#include "sv2_constraints.h"

int sv2_set_baumgarte(sv2_constraints *c, const double *Kp, const double *Kd) {
    if (!c) return SV2_NULL;
    if ((Kp && !sv2_all_finite(Kp, c->rows)) || (Kd && !sv2_all_finite(Kd, c->rows)))
        return SV2_VALUE;
    for (size_t k = 0; k < c->rows; k++)
        if ((Kp && Kp[k] < 0.0) || (Kd && Kd[k] < 0.0)) return SV2_VALUE;
    for (size_t k = 0; Kp && k < c->count; k++)
        for (int64_t i = 0; i < c->ends[5 * k + 4]; i++)
            if (Kp[c->ends[5 * k + 3] + i] > 0.0) {
                if (!(c->marks[k] & SV2_PLACED)) return SV2_VALUE;
                if (c->marks[k] & SV2_TURNS_IN_BASE) return SV2_UNSUPPORTED;
            }
    for (size_t k = 0; k < c->rows; k++) c->Kp[k] = Kp ? Kp[k] : 0.0, c->Kd[k] = Kd ? Kd[k] : 0.0;
    return SV2_DONE;
}

int sv2_set_softness(sv2_constraints *c, double damping) {
    if (!c) return SV2_NULL;
    if (!sv2_all_finite(&damping, 1) || damping < 0.0) return SV2_VALUE;
    c->damping = damping;
    return SV2_DONE;
}

/* Write an array: its address and lengths; returns the end. */
static int64_t *array(int64_t *word, const void *at, size_t axes, const size_t *lengths) {
    *word++ = (int64_t)(intptr_t)at;
    for (size_t k = 0; k < axes; k++) *word++ = (int64_t)lengths[k];
    return word;
}

static int64_t *number(int64_t *word, double x) {
    memcpy(word, &x, sizeof x);
    return word + 1;
}

const sv2_model *sv2_model_held(const sv2_constraints *c) { return c ? c->model : NULL; }

int sv2_hold(const sv2_constraints *c, struct sv2_view *view) {
    if (!c) return SV2_NULL;
    const size_t nv = (size_t)c->model->trees[SV2_PLAIN].NV;
    const size_t ends[] = {c->count, 5}, E[] = {c->count, 2, 3, 3}, T[] = {c->rows, 6};
    int64_t *word = view->words;
    memcpy(word, c->model->trees[SV2_PLAIN].words, SV2_TREE_WORDS * sizeof *word);
    word = array(word + SV2_TREE_WORDS, c->ends, 2, ends);
    word = array(word, c->E, 4, E);
    word = array(word, c->r, 3, E);
    word = array(word, c->T, 2, T);
    word = array(word, c->Kp, 1, T);
    word = array(word, c->Kd, 1, T);
    word = number(word, c->length);
    word = array(word, c->above, 1, &nv);
    word = array(word, c->distances, 1, &nv);
    number(word, c->damping);
    view->lengths = c->lengths, view->soft = c->damping > 0.0;
    return SV2_DONE;
}

size_t sv2_constrained_demand(const struct sv2_function *f, const sv2_constraints *c, int batch) {
    struct sv2_view view;
    return sv2_hold(c, &view) ? 0 : sv2_demand(f, c->model, &view, batch);
}
