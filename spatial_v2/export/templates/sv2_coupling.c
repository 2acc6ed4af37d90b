/* The matrices from the variables of a call to those of a tree: of geared rotors, and of a coupled model,
 * looked at completely before they are used. */
#include <math.h>
#include <string.h>

#include "sv2_internal.h"

/* The parts of a file's coupling, by their first words. */
struct parts {
    const unsigned char *joint, *offset, *above, *least, *row, *column, *factor;
};

static struct parts parts_of(const struct sv2_head *h, const unsigned char *numbers) {
    struct parts p;
    p.joint = numbers + 8 * sv2_tree_numbers(h);
    p.offset = p.joint + 8 * h->joints;
    p.above = p.offset + 8 * h->NV;
    p.least = p.above + 8 * h->variables;
    p.row = p.least + 8 * h->variables;
    p.column = p.row + 8 * h->entries;
    p.factor = p.column + 8 * h->entries;
    return p;
}

/* The numbers of entries in the rows of bodies, of positions beyond those of velocities. */
struct counts {
    size_t rows[2], variables[2], entries[2];
};

static struct counts count(const struct sv2_head *h, const unsigned char *numbers, int geared) {
    const struct sv2_bodies b = sv2_bodies_in(h, numbers);
    const size_t rotors = geared ? (size_t)h->rotors : 0;
    const size_t nq = (size_t)(h->joints ? h->positions : h->NQ);
    const size_t nv = (size_t)(h->joints ? h->variables : h->NV);
    size_t entries = (size_t)(h->joints ? h->entries : 0);
    for (size_t r = 0; r < rotors; r++) entries += sv2_entries_of(&b, (int64_t)(h->NB + r));
    const struct counts c = {{(size_t)h->NQ + rotors, (size_t)h->NV + rotors},
                             {nq, nv},
                             {entries + (size_t)h->NQ, entries + (size_t)h->NV}};
    return c;
}

static size_t size_of(const struct counts *c) {
    return sv2_whole(1, sizeof(struct sv2_spread)) +
           sv2_whole(sv2_matrix_words(c->rows[0], c->variables[0], c->entries[0]), 8) +
           sv2_whole(sv2_matrix_words(c->rows[1], c->variables[1], c->entries[1]), 8);
}

size_t sv2_spreads_size(const struct sv2_head *h, const unsigned char *numbers) {
    size_t size = 0;
    for (int geared = 0; geared < 2; geared++) {
        const struct counts c = count(h, numbers, geared);
        if (geared ? h->rotors > 0 : h->joints > 0) size += size_of(&c);
    }
    const size_t joints = (size_t)(2 * h->joints + 2 + h->NB), n = (size_t)h->variables;
    const size_t bodies = (size_t)(h->NB + h->rotors), rows = (size_t)(h->NV + h->rotors);
    if (h->joints) size += sv2_whole(sv2_shared_words(bodies, rows, n), 8);
    return size + (h->joints ? sv2_whole(joints, 8) + sv2_whole(3 * (size_t)h->variables, 8) : 0);
}

/* A model's coupling: of each body of the tree the joint that it is in a call, or -1. */
struct coupling {
    const int64_t *of;
    struct parts parts;
    struct sv2_bodies bodies;
};

/* The joint of a call that has a velocity variable. */
static int64_t joint_with(const sv2_model *m, int64_t variable) {
    int64_t low = 0, high = (int64_t)m->joints - 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (m->joint_begin[2 * middle + 3] <= variable) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Add the entries of a row: that of its own variable, or those of the file, times a ratio. */
static void add_row(struct sv2_matrix *G, const sv2_model *m, const struct coupling *c, int q,
                    int64_t body, size_t place, double ratio, double *shift) {
    const int64_t *const joint = m->joint + 6 * body;
    *shift = 0.0;
    if (!c) sv2_matrix_add(G, (size_t)joint[q ? 2 : 3] + place, ratio);
    else if (joint[4] != 1) sv2_matrix_add(G, (size_t)m->joint_begin[2 * c->of[body] + !q] + place, ratio);
    else {
        const size_t end = sv2_first_entry(&c->bodies, joint[3] + 1);
        for (size_t k = sv2_first_entry(&c->bodies, joint[3]); k < end; k++) {
            double factor;
            int64_t column = sv2_number(c->parts.column, (int64_t)k);
            memcpy(&factor, c->parts.factor + 8 * k, sizeof factor);
            if (q) column = m->joint_begin[2 * joint_with(m, column)];
            sv2_matrix_add(G, (size_t)column, ratio * factor);
        }
        if (q) {
            memcpy(shift, c->parts.offset + 8 * joint[3], sizeof *shift);
            *shift *= ratio;
        }
    }
}

/* One of both matrices of a tree. */
static int fill(struct sv2_matrix *G, sv2_model *m, struct sv2_room *room, const struct counts *n,
                const struct coupling *c, int q) {
    const int64_t links = m->trees[SV2_PLAIN].NB;
    double shift;
    if (sv2_matrix_lay(G, room, n->rows[!q], n->variables[!q], n->entries[!q])) return SV2_WORKSPACE;
    for (int64_t i = 0; i < links; i++) {
        const int64_t next = i + 1 < links ? m->joint[6 * i + 8] : m->trees[SV2_PLAIN].NQ;
        const int64_t rows = q ? next - m->joint[6 * i + 2] : m->joint[6 * i + 4];
        for (int64_t k = 0; k < rows; k++) {
            add_row(G, m, c, q, i, (size_t)k, 1.0, &shift);
            sv2_matrix_end_row(G, shift);
        }
    }
    for (size_t r = 0; G->rows < n->rows[!q]; r++) {
        add_row(G, m, c, q, m->driver[r], 0, m->ratio[r], &shift);
        sv2_matrix_end_row(G, shift);
    }
    sv2_matrix_finish(G);
    return SV2_DONE;
}

static int make(sv2_model *m, struct sv2_room *room, const struct sv2_head *h,
                const unsigned char *numbers, const struct coupling *c, int geared,
                const struct sv2_spread **made) {
    const struct counts n = count(h, numbers, geared);
    struct sv2_spread *const s = sv2_place(room, 1, sizeof *s);
    if (!s) return SV2_WORKSPACE;
    *made = s;
    const int status = fill(&s->q, m, room, &n, c, 1);
    return status ? status : fill(&s->v, m, room, &n, c, 0);
}

/* Joints of a call and their variables: bodies of the tree, those with several freedoms each once. */
static int read_joints(sv2_model *m, const struct sv2_head *h, int64_t *begin, int64_t *joint,
                       int64_t *of) {
    const int64_t NB = m->trees[SV2_PLAIN].NB;
    int64_t q = 0, v = 0, whole = 0;
    for (int64_t i = 0; i < NB; i++) {
        of[i] = -1;
        whole += m->joint[6 * i + 4] != 1;
    }
    for (uint64_t k = 0; k < h->joints; k++) {
        const int64_t i = joint[k];
        if (i < 0 || i >= NB) return SV2_INVALID;
        const int64_t next = i + 1 < NB ? m->joint[6 * i + 8] : m->trees[SV2_PLAIN].NQ;
        const int64_t n = m->joint[6 * i + 4];
        if (n != 1 && of[i] >= 0) return SV2_INVALID;
        of[i] = (int64_t)k;
        whole -= n != 1;
        begin[2 * k] = q, begin[2 * k + 1] = v;
        q += next - m->joint[6 * i + 2], v += n;
    }
    begin[2 * h->joints] = q, begin[2 * h->joints + 1] = v;
    return whole || q != (int64_t)h->positions || v != (int64_t)h->variables ? SV2_INVALID : SV2_DONE;
}

/* Test the numbers of a coupling: entries in order, from variables of joints with one freedom to rows of
 * such joints, and offsets of these. */
static int is_coupling(const sv2_model *m, const struct sv2_head *h, const struct parts *p) {
    int64_t row = -1, column = 0, body = 0;
    double x;
    for (int64_t i = 0, k = 0; i < m->trees[SV2_PLAIN].NB; i++)
        for (int64_t end = k + m->joint[6 * i + 4]; k < end; k++) {
            memcpy(&x, p->offset + 8 * k, sizeof x);
            if (!isfinite(x) || (x != 0.0 && m->joint[6 * i + 4] != 1)) return 0;
        }
    for (uint64_t k = 0; k < h->entries; k++) {
        const int64_t to = sv2_number(p->row, (int64_t)k), from = sv2_number(p->column, (int64_t)k);
        memcpy(&x, p->factor + 8 * k, sizeof x);
        if (!isfinite(x) || x == 0.0 || to < row || (to == row && from <= column)) return 0;
        if (to < 0 || to >= (int64_t)h->NV || from < 0 || from >= (int64_t)h->variables) return 0;
        while (body + 1 < m->trees[SV2_PLAIN].NB && m->joint[6 * body + 9] <= to) body++;
        const int64_t *const ends = m->joint_begin + 2 * joint_with(m, from) + 1;
        if (m->joint[6 * body + 4] != 1 || ends[2] != ends[0] + 1) return 0;
        row = to, column = from;
    }
    return 1;
}

static int read_paths(sv2_model *m, const struct sv2_head *h, int64_t *above, const struct parts *p) {
    const size_t n = (size_t)h->variables;
    double *const base = (double *)(above + n);
    memcpy(above, p->above, 8 * n);
    memcpy(base, p->least, 8 * n);
    for (size_t k = 0; k < n; k++)
        if (above[k] < -1 || above[k] >= (int64_t)k || !isfinite(base[k])) return SV2_INVALID;
    m->above = above, m->base_least = base, m->least = base + n;
    return SV2_DONE;
}

int sv2_make_spreads(sv2_model *m, struct sv2_room *room, const struct sv2_head *h,
                     const unsigned char *numbers) {
    struct coupling own = {NULL, parts_of(h, numbers), sv2_bodies_in(h, numbers)};
    const struct coupling *const c = h->joints ? &own : NULL;
    struct sv2_tree *const call = &m->trees[SV2_CALL];
    int status = SV2_DONE;
    m->joints = (size_t)h->NB;
    if (c) {
        int64_t *const begin = sv2_place(room, 2 * (size_t)h->joints + 2 + (size_t)h->NB, 8);
        int64_t *const above = sv2_place(room, 3 * (size_t)h->variables, 8);
        if (!begin || !above) return SV2_WORKSPACE;
        int64_t *const of = begin + 2 * h->joints + 2, *const joint = above;
        memcpy(joint, own.parts.joint, 8 * h->joints); /* which are at most as many as variables */
        own.of = of;
        m->joints = (size_t)h->joints, m->joint_begin = begin, m->coupled = 1;
        status = read_joints(m, h, begin, joint, of);
        if (!status) status = is_coupling(m, h, &own.parts) ? SV2_DONE : SV2_INVALID;
        if (!status) status = read_paths(m, h, above, &own.parts);
        if (status) return status;
        call->NQ = (int64_t)h->positions, call->NV = (int64_t)h->variables;
        status = make(m, room, h, numbers, c, 0, &m->spread[SV2_PLAIN]);
        m->spread[SV2_GEARED] = m->spread[SV2_EXPANDED] = m->spread[SV2_PLAIN];
    }
    if (!status && h->rotors) status = make(m, room, h, numbers, c, 1, &m->spread[SV2_EXPANDED]);
    m->trees[SV2_SOLVED] = *call;
    m->trees[SV2_SOLVED].NB = m->trees[SV2_EXPANDED].NB;
    for (int k = 0; k < SV2_TREES; k++) sv2_lay_lengths(&m->trees[k], 0, m->trees[k].lengths);
    if (!status && c) status = sv2_make_shared(m, room);
    if (!status) sv2_weigh(m);
    return status;
}
