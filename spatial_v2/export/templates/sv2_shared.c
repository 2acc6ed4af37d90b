/* The variables of a coupled model that several joints share, and the bodies at which kernels solve for
 * them, as spatial_v2/engine/shared.py has them. */
#include "sv2_internal.h"

size_t sv2_shared_words(size_t bodies, size_t rows, size_t variables) {
    return 3 * variables + rows + 4 * (bodies + 1) + 4 * (bodies + 1) * variables;
}

/* The sum of the entries of a variable in the rows of a joint, or their number. */
static double entry(const sv2_model *m, const struct sv2_matrix *G, int64_t body, int64_t variable, int number) {
    const int64_t *const joint = m->joint + 6 * body;
    double sum = 0.0;
    for (int64_t e = G->begin[joint[3]]; e < G->begin[joint[3] + joint[4]]; e++)
        if (G->at[e] == variable) sum += number ? 1.0 : G->value[e];
    return sum;
}

/* Number the shared variables; the others are each alone in a row, without a factor. */
static void number(const struct sv2_matrix *G, struct sv2_shared *s, int64_t *total) {
    for (size_t k = 0; k < G->variables; k++) total[k] = 0;
    for (int64_t e = 0; e < G->begin[G->rows]; e++) total[G->at[e]]++;
    for (size_t r = 0; r < G->rows; r++) {
        const int64_t e = G->begin[r];
        s->own[r] = -1;
        if (G->begin[r + 1] == e + 1 && G->value[e] == 1.0 && total[G->at[e]] == 1) s->own[r] = G->at[e];
    }
    for (size_t r = 0; r < G->rows; r++)
        if (s->own[r] >= 0) total[s->own[r]] = -1;
    for (size_t k = 0; k < G->variables; k++)
        if (total[k] >= 0) s->variable[s->count++] = (int64_t)k;
}

int sv2_make_shared(sv2_model *m, struct sv2_room *room) {
    enum { ABSENT, BEFORE, AFTER, STAYS };
    const struct sv2_matrix *const G = &m->spread[SV2_EXPANDED]->v;
    const int64_t nb = m->bodies;
    const size_t n = G->variables, most = (size_t)(nb + 1) * n;
    struct sv2_shared *const s = &m->shared;
    int64_t *const word = sv2_place(room, sv2_shared_words((size_t)nb, G->rows, n), 8);
    if (!word) return SV2_WORKSPACE;
    int64_t *const total = word, *table = total + 2 * n;
    s->variable = total + n, s->ends = table + most, s->own = s->ends + 4 * (nb + 1);
    s->which = s->own + G->rows, s->up = s->which + most, s->factor = (double *)(s->up + most);
    s->count = s->places = 0;
    number(G, s, total);
    const int64_t shared = (int64_t)s->count;
    for (int64_t k = 0; k < (nb + 1) * shared; k++) table[k] = 0;
    for (int64_t i = nb; i >= 0; i--) { /* bodies from the last one on, then the base */
        const int64_t body = i ? i - 1 : nb;
        for (int64_t k = 0; k < shared; k++) {
            const int64_t all = total[s->variable[k]], beyond = table[body * shared + k];
            const int64_t moved = i ? (int64_t)entry(m, G, body, s->variable[k], 1) : 0, here = beyond + moved;
            const int64_t parent = i && m->parent[body] >= 0 ? m->parent[body] : nb;
            table[body * shared + k] = beyond == all            ? BEFORE
                                       : moved && here == all   ? AFTER
                                       : here > 0 && here < all ? STAYS
                                                                : ABSENT;
            if (table[body * shared + k] == STAYS) table[parent * shared + k] += here;
        }
    }
    for (int64_t i = 0; i <= nb; i++)
        for (int kind = BEFORE; kind <= STAYS; kind++) {
            s->ends[4 * i + kind - 1] = (int64_t)s->places;
            for (int64_t k = 0; k < shared; k++) {
                if (table[i * shared + k] != kind) continue;
                s->which[s->places] = k, s->up[s->places] = -1;
                s->factor[s->places++] = i < nb && kind != BEFORE ? entry(m, G, i, s->variable[k], 0) : 0.0;
            }
            s->ends[4 * i + kind] = (int64_t)s->places;
        }
    for (int64_t i = 0; i < nb; i++)
        for (int64_t p = s->ends[4 * i + 2]; p < s->ends[4 * i + 3]; p++) {
            const int64_t parent = m->parent[i] >= 0 ? m->parent[i] : nb;
            int64_t to = s->ends[4 * parent];
            while (s->which[to] != s->which[p]) to++;
            s->up[p] = to;
        }
    return SV2_DONE;
}
