/* Joints of the tree that follow fewer variables: rotors and couplings. Here each product and sum is
   rounded by itself, as NumPy does it: the extension is compiled without fused ones. */
#include "call.h"

int is_spread(const Call *c, const struct array *is) {
    if (!c->plan.variables[V] || c->plan.follow || is->role == FORCES) return 0;
    if (is->role == Q || is->role == V || is->sums) return 1;
    for (int k = 0; k < AXES; k++)
        if (is->moves[k] || is->shape[k] != is->wide[k]) return 1;
    return 0;
}

void widen(const struct spread *s, const double *from, double *to) {
    for (int64_t k = 0; k < s->rows; k++) to[k] = s->scale[k] * from[s->source[k]];
    for (int64_t k = s->begun; k < s->terms; k++) to[s->row[k]] += s->factor[k] * from[s->column[k]];
    for (int64_t k = 0; s->shift && k < s->rows; k++) to[k] += s->shift[k];
}

/* x[b, i] += factor * y[b, i] for blocks and steps, where blocks are `stride` and `from` apart. */
static inline void add_times(double *restrict x, int64_t stride, double factor, const double *restrict y,
                             int64_t from, int64_t blocks, int64_t step) {
    if (step == 1)
        for (int64_t b = 0; b < blocks; b++, x += stride, y += from) *x += factor * *y;
    else
        for (int64_t b = 0; b < blocks; b++, x += stride, y += from)
            for (int64_t i = 0; i < step; i++) x[i] += factor * y[i];
}

/* Multiply an axis of x (blocks, n, step) by G; entry k is then at its home. */
static void multiply(const struct spread *s, double *x, int64_t blocks, int64_t n, int64_t step, double *apart) {
    const int64_t stride = n * step, each = blocks * step;
    if (s->apart_count) memset(apart, 0, (size_t)(s->apart_count * each) * sizeof *x);
    for (int64_t k = 0; k < s->terms; k++) {
        const int64_t j = s->column[k], alone = s->apart[j];
        const double *from = x + s->row[k] * step;
        if (alone < 0) add_times(x + s->home[j] * step, stride, s->factor[k], from, stride, blocks, step);
        else add_times(apart + alone * each, step, s->factor[k], from, stride, blocks, step);
    }
    for (int64_t j = 0; s->apart_count && j < s->variables; j++)
        for (int64_t b = 0; s->apart[j] >= 0 && b < blocks; b++)
            memcpy(x + b * stride + s->home[j] * step, apart + s->apart[j] * each + b * step,
                   (size_t)step * sizeof *x);
}

/* Copy a short row: a call of memcpy takes longer. */
static void copy(double *to, const double *from, int64_t n) {
    for (; n >= 4; n -= 4, to += 4, from += 4) memcpy(to, from, 4 * sizeof *to);
    for (; n > 0; n--) *to++ = *from++;
}

void contract(const Call *c, const struct array *is, double *x, double *to, double *apart) {
    const struct spread *s = c->spread + V;
    const int64_t *n = is->wide, *kept = is->shape, *moves = is->moves, *home = s->home;
    int64_t step[AXES] = {0, 0, 0, 1}, blocks = 1;
    for (int k = AXES - 1; k > 0; k--) step[k - 1] = step[k] * n[k];
    for (int k = 0; k < AXES; blocks *= n[k++])
        if (moves[k]) multiply(s, x, blocks, n[k], step[k], apart);
    for (int64_t h = 0; h < kept[0]; h++)
        for (int64_t i = 0; i < kept[1]; i++)
            for (int64_t j = 0; j < kept[2]; j++, to += kept[3]) {
                const double *from = x + (moves[0] ? home[h] : h) * step[0] + (moves[1] ? home[i] : i) * step[1] +
                                     (moves[2] ? home[j] : j) * step[2];
                if (moves[3] && !s->in_order)
                    for (int64_t k = 0; k < kept[3]; k++) to[k] = from[home[k]];
                else copy(to, from, kept[3]);
            }
}
