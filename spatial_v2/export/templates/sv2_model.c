/* The tree of a model, looked at completely before a kernel sees it. */
#include <math.h>
#include <string.h>

#include "sv2_internal.h"

enum { KINDS = 6, ARRAYS = 6 + SV2_TERMS };

static const int NQ_OF[KINDS] = {1, 1, 4, 9, 7, 16}, NV_OF[KINDS] = {1, 1, 3, 3, 6, 6};

static int is_finite(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7ff0000000000000u) != 0x7ff0000000000000u;
}

/* The sum of numbers is finite only if they are; that it overflows is rare. */
int sv2_all_finite(const double *x, size_t n) {
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    const double *y = x, *const end = x + n;
    for (; end - y >= 8; y += 8) {
        a += y[0], b += y[1], c += y[2], d += y[3];
        e += y[4], f += y[5], g += y[6], h += y[7];
    }
    if (n & 4) a += y[0], b += y[1], c += y[2], d += y[3], y += 4;
    if (n & 2) e += y[0], f += y[1], y += 2;
    if (n & 1) g += y[0];
    if (is_finite(((a + b) + (c + d)) + ((e + f) + (g + h)))) return 1;
    for (size_t k = 0; k < n; k++)
        if (!is_finite(x[k])) return 0;
    return 1;
}

/* Test the bodies: parents and joints in order, rotors on the parents of the bodies they drive. */
static int is_tree(const sv2_model *m, const struct sv2_head *h) {
    int64_t nq = 0, nv = 0, last = -1;
    for (int64_t i = 0; i < m->bodies; i++) {
        const int64_t *joint = m->joint + 6 * i, kind = joint[0], r = i - (int64_t)h->NB;
        if (m->parent[i] < -1 || m->parent[i] >= i || kind < 0 || kind >= KINDS) return 0;
        if (joint[1] < 0 || joint[1] > 2 || joint[2] != nq || joint[3] != nv) return 0;
        if (joint[4] != NV_OF[kind] || joint[5] != -1) return 0;
        if (m->par[2 * i] != 1.0 && m->par[2 * i] != -1.0) return 0;
        if (r == 0 && (nq != (int64_t)h->NQ || nv != (int64_t)h->NV)) return 0;
        if (r >= 0) {
            const int64_t driver = m->driver[r];
            if (driver <= last || driver >= (int64_t)h->NB) return 0;
            if (m->parent[i] != m->parent[driver]) return 0;
            if (joint[4] != 1 || m->joint[6 * driver + 4] != 1) return 0;
            last = driver;
        }
        nq += NQ_OF[kind];
        nv += NV_OF[kind];
    }
    return nq == (int64_t)(h->NQ + h->rotors) && nv == (int64_t)(h->NV + h->rotors);
}

int sv2_are_springs(const sv2_model *m, const double *stiffness) {
    for (int64_t i = 0; i < m->bodies - (int64_t)m->rotors; i++) {
        const int64_t *joint = m->joint + 6 * i;
        for (int64_t k = 0; joint[4] != 1 && k < joint[4]; k++)
            if (stiffness[joint[3] + k] != 0.0) return 0;
    }
    return 1;
}

void sv2_lay_out(int64_t *words, const void *const *at, int64_t bodies, int64_t terms) {
    const int64_t shapes[ARRAYS][3] = {{bodies},       {bodies, 6}, {bodies, 2},
                                       {bodies, 6, 6}, {bodies, 6, 6}, {3},
                                       {terms},        {terms},     {terms},
                                       {terms},        {terms}};
    const int axes[ARRAYS] = {1, 2, 2, 3, 3, 1, 1, 1, 1, 1, 1};
    for (int k = 0; k < ARRAYS; k++) {
        *words++ = (int64_t)(intptr_t)at[k];
        for (int a = 0; a < axes[k]; a++) *words++ = shapes[k][a];
    }
}

void sv2_lay_lengths(const struct sv2_tree *t, size_t rows, uint32_t *lengths) {
    const char letters[] = "qvbmzR";
    const size_t n[] = {(size_t)t->NQ, (size_t)t->NV, (size_t)t->NB, rows, (size_t)t->NV + rows, 5 + 3 * rows};
    memset(lengths, 0, SV2_LETTERS * sizeof *lengths);
    for (uint32_t k = 0; k < 10; k++) lengths[k] = k;
    for (int k = 0; letters[k]; k++) lengths[letters[k] - '0'] = (uint32_t)n[k];
}

void sv2_lay_terms(sv2_model *m) {
    m->has_terms = 0;
    for (int k = 0; k < SV2_TERMS; k++)
        for (int64_t i = 0; i < m->trees[SV2_PLAIN].NV; i++)
            m->has_terms = m->has_terms || m->terms[k][i] != 0.0;
    for (int k = 0; k < SV2_TREES; k++) {
        struct sv2_tree *const tree = &m->trees[k];
        const int64_t n = k == SV2_EXPANDED ? tree->NV : m->trees[SV2_PLAIN].NV;
        for (int x = 0; x < SV2_TERMS; x++)
            tree->words[SV2_TREE_WORDS - 1 - 2 * x] = m->has_terms ? n : 0;
    }
}

/* Joints and their numbers for rotors that move with the joints of others. */
static int64_t *gear(const sv2_model *m, struct sv2_room *room) {
    const int64_t n = m->bodies, links = n - (int64_t)m->rotors;
    int64_t *joint = sv2_place(room, (size_t)n, 64);
    if (!joint) return NULL;
    double *geared = (double *)(joint + 6 * n);
    memcpy(joint, m->joint, 48 * (size_t)n);
    memcpy(geared, m->par, 16 * (size_t)n);
    for (int64_t r = 0; r < (int64_t)m->rotors; r++) {
        const int64_t driver = m->driver[r], rotor = links + r;
        joint[6 * rotor + 2] = joint[6 * driver + 2];
        joint[6 * rotor + 5] = driver;
        joint[6 * driver + 5] = rotor;
        geared[2 * rotor] *= m->ratio[r];
    }
    return joint;
}

/* Fill the three trees of kernels; returns a status. */
static int lay_trees(sv2_model *m, struct sv2_room *room, const struct sv2_head *h) {
    const int64_t n = m->bodies, rotors = (int64_t)h->rotors;
    const void *at[ARRAYS] = {m->parent, m->joint, m->par, m->Xtree, m->I, m->gravity,
                              m->terms[0], m->terms[1], m->terms[2], m->terms[3], m->terms[4]};
    const struct sv2_tree sizes = {(int64_t)h->NB, (int64_t)h->NQ, (int64_t)h->NV, {0}, {0}};
    for (int k = 0; k < SV2_TREES; k++) m->trees[k] = sizes;
    struct sv2_tree *const wide = &m->trees[SV2_EXPANDED];
    wide->NB += rotors, wide->NQ += rotors, wide->NV += rotors;
    sv2_lay_out(m->trees[SV2_PLAIN].words, at, sizes.NB, 0);
    sv2_lay_out(wide->words, at, n, 0);
    if (rotors) {
        int64_t *joint = gear(m, room);
        if (!joint) return SV2_WORKSPACE;
        at[1] = joint, at[2] = joint + 6 * n;
    }
    sv2_lay_out(m->trees[SV2_GEARED].words, at, n, 0);
    sv2_lay_terms(m);
    return SV2_DONE;
}

size_t sv2_tree_size(const struct sv2_head *h) {
    const size_t n = (size_t)(h->NB + h->rotors), terms = (size_t)(h->NV + h->rotors);
    return sv2_whole(n * 81 + 3, 8) + sv2_whole(SV2_TERMS * terms, 8) + sv2_whole(2 * h->rotors, 8) +
           sv2_whole(36 * (size_t)h->NB, 8) + (h->rotors ? sv2_whole(n, 64) : 0);
}

int sv2_make_tree(sv2_model *m, struct sv2_room *room, const struct sv2_head *h,
                  const unsigned char *numbers) {
    const size_t n = (size_t)(h->NB + h->rotors), fixed = n * 81 + 3;
    const size_t terms = (size_t)(h->NV + h->rotors);
    int64_t *const at = sv2_place(room, fixed, 8);
    double *const term = sv2_place(room, SV2_TERMS * terms, 8);
    int64_t *const driver = sv2_place(room, 2 * h->rotors, 8);
    double *const own = sv2_place(room, 36 * (size_t)h->NB, 8);
    if (!at || !term || !driver || !own) return SV2_WORKSPACE;
    memcpy(at, numbers, 8 * fixed);
    memset(term, 0, 8 * SV2_TERMS * terms);
    if (h->terms) memcpy(term, numbers + 8 * fixed, 8 * sv2_kinds_of_terms(h) * terms);
    memcpy(driver, numbers + 8 * (sv2_tree_numbers(h) - 2 * h->rotors), 16 * h->rotors);
    m->bodies = (int64_t)n, m->rotors = h->rotors;
    m->parent = at, m->joint = at + n;
    m->driver = driver, m->ratio = (const double *)(driver + h->rotors);
    double *const par = (double *)(at + 7 * n);
    m->par = par, m->Xtree = par + 2 * n, m->I = par + 38 * n, m->gravity = par + 74 * n;
    m->own_I = own;
    memcpy(own, m->I, 288 * (size_t)h->NB);
    for (int k = 0; k < SV2_TERMS; k++) m->terms[k] = term + (size_t)k * terms;
    const int valid = is_tree(m, h) && sv2_all_finite(par, 74 * n + 3) &&
                      sv2_all_finite(term, SV2_TERMS * terms) &&
                      sv2_all_finite(m->ratio, m->rotors) &&
                      sv2_are_springs(m, m->terms[SV2_STIFFNESS]);
    return valid ? lay_trees(m, room, h) : SV2_INVALID;
}

static const struct sv2_tree *of_calls(const sv2_model *m) { return &m->trees[SV2_CALL]; }
size_t sv2_NB(const sv2_model *model) { return model ? (size_t)of_calls(model)->NB : 0; }
size_t sv2_NQ(const sv2_model *model) { return model ? (size_t)of_calls(model)->NQ : 0; }
size_t sv2_NV(const sv2_model *model) { return model ? (size_t)of_calls(model)->NV : 0; }
size_t sv2_tree_NV(const sv2_model *model) {
    return model ? (size_t)model->trees[SV2_PLAIN].NV : 0;
}
size_t sv2_joints(const sv2_model *model) { return model ? model->joints : 0; }
size_t sv2_rotors(const sv2_model *model) { return model ? model->rotors : 0; }
