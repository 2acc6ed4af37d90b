/* Constraints on a model: contacts, loops and welds, as kernels read them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sv2_constraints.h"

enum { MOST_ROWS = 65536 };

static const double IDENTITY[36] = {
    1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
    0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};

static size_t most_rows(const sv2_constraint *c) {
    return c->kind == SV2_ROD ? 1 : c->kind == SV2_POINTS ? 3 : 6;
}

/* What is wrong with a constraint, or 0. */
static int wrong(const sv2_model *m, const sv2_constraint *c) {
    const int64_t bodies = m->trees[SV2_PLAIN].NB;
    const int known = c->kind >= SV2_POINTS && c->kind <= SV2_ROD;
    if (!known || c->rows < 1 || c->rows > most_rows(c)) return SV2_VALUE;
    if (c->body1 < -1 || c->body2 < -1 || c->body1 >= bodies || c->body2 >= bodies)
        return SV2_NO_NAME;
    if (c->body1 == c->body2) return SV2_VALUE;
    if (c->X1 && !sv2_is_transform(c->X1)) return SV2_VALUE;
    if (c->X2 && !sv2_is_transform(c->X2)) return SV2_VALUE;
    if (c->kind == SV2_ROD && c->directions && !(c->directions[0] > 0.0)) return SV2_VALUE;
    if (!c->directions) return c->rows == most_rows(c) ? SV2_DONE : SV2_VALUE;
    return sv2_all_finite(c->directions, c->rows * most_rows(c)) ? SV2_DONE : SV2_VALUE;
}

/* The number of rows of all constraints; a status. */
static int count_rows(const sv2_model *m, const sv2_constraint *list, size_t count, size_t *rows) {
    *rows = 0;
    if (!m || (count && !list)) return SV2_NULL;
    if (m->rotors || m->coupled) return SV2_UNSUPPORTED;
    if (count > MOST_ROWS) return SV2_VALUE;
    for (size_t k = 0; k < count; k++) {
        const int status = wrong(m, list + k);
        if (status) return status;
        *rows += list[k].rows;
    }
    return *rows > MOST_ROWS ? SV2_VALUE : SV2_DONE;
}

static size_t words_of(const sv2_model *m, size_t count, size_t rows) {
    return count * (5 + 1 + 18 + 6) + rows * (6 + 1 + 1) + 2 * (size_t)m->trees[SV2_PLAIN].NV;
}

static size_t needed(const sv2_model *m, size_t count, size_t rows) {
    return 16 + sv2_whole(1, sizeof(sv2_constraints)) + sv2_whole(words_of(m, count, rows), 8);
}

size_t sv2_constraints_size(const sv2_model *m, const sv2_constraint *list, size_t count) {
    size_t rows;
    return count_rows(m, list, count, &rows) ? 0 : needed(m, count, rows);
}

/* The position of the origin of a frame, in coordinates from which X maps motions to the frame. */
static void origin(const double *X, double *r) {
    double rx[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) rx[i][j] += X[6 * k + i] * X[6 * (k + 3) + j];
    r[0] = -0.5 * (rx[2][1] - rx[1][2]);
    r[1] = -0.5 * (rx[0][2] - rx[2][0]);
    r[2] = -0.5 * (rx[1][0] - rx[0][1]);
}

/* The longest distance between a joint and the next one, or the largest radius of gyration of a body
 * about its joint; 1 if there is none. */
static double own_length(const sv2_model *m) {
    double length = 0.0;
    for (int64_t i = 0; i < m->trees[SV2_PLAIN].NB; i++) {
        const double *const I = m->I + 36 * i;
        const double square = 0.5 * (I[0] + I[7] + I[14]), mass = I[35];
        double r[3];
        origin(m->Xtree + 36 * i, r);
        if (m->parent[i] >= 0) length = fmax(length, sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
        if (mass > 0.0 && square > 0.0) length = fmax(length, sqrt(square / mass));
    }
    return length > 0.0 ? length : 1.0;
}

/* For each velocity variable the one before it on the path from the base, and the distance that a
 * unit of it stands for: the robot's own length for a rotation. */
static void fill_variables(sv2_constraints *c) {
    const sv2_model *const m = c->model;
    for (int64_t i = 0; i < m->trees[SV2_PLAIN].NB; i++) {
        const int64_t *const joint = m->joint + 6 * i, parent = m->parent[i], first = joint[3];
        const int64_t *const before = parent < 0 ? NULL : m->joint + 6 * parent;
        for (int64_t k = 0; k < joint[4]; k++) {
            const int turns = joint[4] > 1 ? k < 3 : joint[0] != 1; /* 1: prismatic */
            c->above[first + k] = k ? first + k - 1 : before ? before[3] + before[4] - 1 : -1;
            c->distances[first + k] = turns ? c->length : 1.0;
        }
    }
}

static void fill(sv2_constraints *c, const sv2_constraint *list) {
    size_t first = 0;
    for (size_t k = 0; k < c->count; k++) {
        const sv2_constraint *const one = list + k;
        const double *const X[2] = {one->X1 ? one->X1 : IDENTITY, one->X2 ? one->X2 : IDENTITY};
        const int64_t axes = one->kind == SV2_IN_FRAME1   ? 0
                             : one->kind == SV2_IN_FRAME2 ? 1
                             : one->kind == SV2_ROD       ? -2
                                                          : -1;
        const int64_t ends[5] = {one->body1, one->body2, axes, (int64_t)first, (int64_t)one->rows};
        const size_t width = most_rows(one);
        memcpy(c->ends + 5 * k, ends, sizeof ends);
        const int placed = one->kind == SV2_ROD ? one->directions != NULL
                                                : one->body1 >= 0 || one->X1;
        c->marks[k] = placed ? SV2_PLACED : 0;
        for (size_t e = 0; e < 2; e++) {
            for (int i = 0; i < 3; i++) memcpy(c->E + 18 * k + 9 * e + 3 * i, X[e] + 6 * i, 24);
            origin(X[e], c->r + 6 * k + 3 * e);
        }
        for (size_t i = 0; i < one->rows; i++) {
            const double *const row = one->directions ? one->directions + width * i : IDENTITY + 6 * i;
            double *const T = c->T + 6 * (first + i);
            memset(T, 0, 48);
            memcpy(T, row, 8 * width);
            if (one->kind == SV2_IN_BASE) { /* kernels take the direction of the velocity first */
                memcpy(T, row + 3, 24), memcpy(T + 3, row, 24);
                if (row[0] != 0.0 || row[1] != 0.0 || row[2] != 0.0) c->marks[k] |= SV2_TURNS_IN_BASE;
            }
        }
        first += one->rows;
    }
    memset(c->Kp, 0, 8 * c->rows);
    memset(c->Kd, 0, 8 * c->rows);
}

int sv2_constraints_in(const sv2_model *m, const sv2_constraint *list, size_t count, void *memory,
                       size_t size, sv2_constraints **constraints) {
    size_t rows;
    if (!constraints) return SV2_NULL;
    *constraints = NULL;
    const int status = count_rows(m, list, count, &rows);
    if (status) return status;
    if (!memory) return SV2_NULL;
    if (size < needed(m, count, rows)) return SV2_WORKSPACE;
    struct sv2_room room = {(char *)memory + (size_t)(-(uintptr_t)memory & 15),
                            (char *)memory + size};
    sv2_constraints *const c = sv2_place(&room, 1, sizeof *c);
    int64_t *const words = sv2_place(&room, words_of(m, count, rows), 8);
    const size_t nv = (size_t)m->trees[SV2_PLAIN].NV;
    memset(c, 0, sizeof *c);
    c->model = m, c->count = count, c->rows = rows, c->length = own_length(m);
    c->ends = words, c->marks = c->ends + 5 * count, c->above = c->marks + count;
    c->distances = (double *)(c->above + nv), c->E = c->distances + nv, c->r = c->E + 18 * count;
    c->T = c->r + 6 * count, c->Kp = c->T + 6 * rows, c->Kd = c->Kp + rows;
    sv2_lay_lengths(&m->trees[SV2_PLAIN], rows, c->lengths);
    fill_variables(c);
    fill(c, list);
    *constraints = c;
    return SV2_DONE;
}

int sv2_constraints_new(const sv2_model *m, const sv2_constraint *list, size_t count,
                        sv2_constraints **constraints) {
    size_t rows;
    if (!constraints) return SV2_NULL;
    *constraints = NULL;
    int status = count_rows(m, list, count, &rows);
    if (status) return status;
    const size_t size = needed(m, count, rows);
    void *const memory = malloc(size);
    if (!memory) return SV2_NO_MEMORY;
    status = sv2_constraints_in(m, list, count, memory, size, constraints);
    if (status) free(memory);
    else (*constraints)->memory = memory;
    return status;
}

void sv2_constraints_free(sv2_constraints *constraints) {
    if (constraints) free(constraints->memory);
}

size_t sv2_rows(const sv2_constraints *constraints) { return constraints ? constraints->rows : 0; }

int sv2_contact(const sv2_model *model, const char *name, sv2_constraint *contact) {
    const sv2_constraint made = {SV2_POINTS, -1, -1, NULL, NULL, 3, NULL};
    if (!contact) return SV2_NULL;
    *contact = made;
    return sv2_frame_find(model, name, &contact->body2, &contact->X2);
}
