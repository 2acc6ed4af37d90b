/* The table with which FD_SO_derivatives sums over entries of tensors of inverse dynamics, as
 * spatial_v2/engine/tensors/sums.py describes it and in Python's order: a sum for each pair (j, k) of
 * the last two indices. Pairs are in groups of four with the same larger index; a group has a row for
 * each first index of their entries. */
#include <string.h>

#include "sv2_internal.h"

enum { PAIRS = 4, TENSORS = 3, MANY = 1 << 18 };

/* Tensors that are symmetric in j and k if these are variables of different joints. */
static const int SYMMETRIC[TENSORS] = {1, 1, 0};

/* Numbers that the table of a tree does not exceed. */
struct most {
    size_t rows, groups, pairs;
};

/* Groups whose larger index is a variable of a body with `own` of them, at the end of a path of n. */
static size_t most_groups(size_t own, size_t n) {
    return own * (2 * ((n + own + PAIRS - 1) / PAIRS) + (2 * n + PAIRS - 1) / PAIRS);
}

/* First indices are variables of bodies on the path to the body of the larger index, or beyond it. */
static struct most most_of(const struct sv2_bodies *b) {
    struct most most = {0, 0, 0};
    for (int64_t i = 0; i < b->count; i++) {
        const size_t own = sv2_variables_of(b, i);
        size_t n = 0;
        for (int64_t j = i; j >= 0; j = sv2_body_before(b, j)) n += sv2_variables_of(b, j);
        most.groups += most_groups(own, n);
        most.pairs += 2 * own * n;
        most.rows += most_groups(own, n) * (n - own);
        for (int64_t j = i; j >= 0; j = sv2_body_before(b, j)) {
            most.rows += most_groups(sv2_variables_of(b, j), n) * own;
            n -= sv2_variables_of(b, j);
        }
    }
    return most;
}

size_t sv2_sums_size(const struct sv2_bodies *b, size_t variables, size_t largest) {
    const struct most most = most_of(b);
    return sv2_whole((PAIRS + 1) * most.rows, 8) + sv2_whole(most.groups + 1, 8) +
           sv2_whole(5 * most.pairs, 8) + sv2_whole(variables, 8) +
           sv2_whole(TENSORS * variables * variables, 8) + sv2_whole(largest, sizeof(struct sv2_pair));
}

/* The pairs of a group: their entries, sorted by the first index, are items [begin, end). */
struct group {
    int count;
    size_t begin[PAIRS], end[PAIRS];
};

/* Append the rows of a group of entries; those that a pair does not have are number `none`. */
static void append(struct sv2_sums *s, const struct group *group, const struct sv2_pair *item,
                   size_t n, size_t none) {
    size_t at[PAIRS];
    memcpy(at, group->begin, sizeof at);
    for (;;) {
        size_t row = n;
        for (int c = 0; c < group->count; c++)
            if (at[c] < group->end[c] && item[at[c]].to % n < row) row = item[at[c]].to % n;
        if (row == n) break;
        uint64_t *const entry = s->entry + PAIRS * s->rows;
        for (int c = 0; c < PAIRS; c++) {
            const int has = c < group->count && at[c] < group->end[c] && item[at[c]].to % n == row;
            entry[c] = has ? item[at[c]++].from : none;
        }
        s->row[s->rows++] = row;
    }
    s->first[++s->groups] = (int64_t)s->rows;
}

/* Append the groups of a tensor; `place` (n, n) becomes the sum of each pair, or -1. */
static void add_tensor(struct sv2_sums *s, const struct sv2_pattern *pattern, int symmetric,
                       const int64_t *joint, size_t n, struct sv2_pair *item, int64_t *place) {
    const size_t before = s->groups;
    size_t count = 0, last = n;
    struct group group = {0, {0}, {0}};
    for (size_t e = 0; e < pattern->count; e++) {
        const size_t i = pattern->at[e] / n / n, j = pattern->at[e] / n % n, k = pattern->at[e] % n;
        if (symmetric && j > k && joint[j] != joint[k]) continue;
        item[count].to = (((uint64_t)(j > k ? j : k) * n + j) * n + k) * n + i;
        item[count++].from = (uint32_t)e;
    }
    sv2_sort(item, count);
    for (size_t x = 0; x < n * n; x++) place[x] = -1;
    for (size_t begin = 0, end = 0; begin < count; begin = end) {
        const uint64_t pair = item[begin].to / n;
        while (end < count && item[end].to / n == pair) end++;
        if (group.count && (pair / n / n != last || group.count == PAIRS)) {
            append(s, &group, item, n, pattern->count);
            group.count = 0;
        }
        last = (size_t)(pair / n / n);
        place[pair % (n * n)] = (int64_t)(PAIRS * (s->groups - before)) + group.count;
        group.begin[group.count] = begin, group.end[group.count++] = end;
    }
    if (group.count) append(s, &group, item, n, pattern->count);
}

/* The sum of each pair for which any tensor has entries; the number after the last stands for none. */
static void list_pairs(struct sv2_sums *s, const int64_t *joint, size_t n, const int64_t *place) {
    uint64_t none = 0;
    for (int t = 0; t < TENSORS; t++) {
        const uint64_t size = PAIRS * (uint64_t)(s->begin[t + 1] - s->begin[t]);
        none = size > none ? size : none;
    }
    for (int counted = 0; counted < 2; counted++) {
        const size_t all = s->pairs;
        s->pairs = 0;
        for (size_t x = 0; x < n * n; x++) {
            const size_t j = x / n, k = x % n, turned = k * n + j;
            int64_t at[TENSORS];
            for (int t = 0; t < TENSORS; t++) {
                const int twice = SYMMETRIC[t] && j > k && joint[j] != joint[k];
                at[t] = place[(size_t)t * n * n + (twice ? turned : x)];
            }
            if (at[0] < 0 && at[1] < 0 && at[2] < 0) continue;
            if (counted) {
                s->pair[s->pairs] = (int64_t)j, s->pair[all + s->pairs] = (int64_t)k;
                for (int t = 0; t < TENSORS; t++)
                    s->sum[(size_t)t * all + s->pairs] = at[t] < 0 ? none : (uint64_t)at[t];
            }
            s->pairs++;
        }
    }
}

int sv2_make_sums(sv2_model *m, const struct sv2_bodies *b, size_t largest, struct sv2_room *room) {
    const struct most most = most_of(b);
    const size_t n = (size_t)m->trees[SV2_PLAIN].NV;
    struct sv2_sums *const s = &m->sums;
    s->row = sv2_place(room, (PAIRS + 1) * most.rows, 8);
    s->first = sv2_place(room, most.groups + 1, 8);
    s->pair = sv2_place(room, 5 * most.pairs, 8);
    int64_t *const joint = sv2_place(room, n, 8), *const place = sv2_place(room, TENSORS * n * n, 8);
    struct sv2_pair *const item = sv2_place(room, largest, sizeof *item);
    if (!s->row || !s->first || !s->pair || !joint || !place || !item) return SV2_WORKSPACE;
    s->entry = s->row + most.rows, s->sum = (uint64_t *)(s->pair + 2 * most.pairs);
    for (int64_t i = 0; i < m->bodies; i++)
        for (int64_t k = 0; k < m->joint[6 * i + 4]; k++) joint[m->joint[6 * i + 3] + k] = i;
    s->first[0] = 0;
    for (int t = 0; t < TENSORS; t++) {
        const struct sv2_pattern *const pattern = m->patterns + sv2_sums_family * SV2_MOST_TENSORS + t;
        add_tensor(s, pattern, SYMMETRIC[t], joint, n, item, place + (size_t)t * n * n);
        s->begin[t + 1] = (int64_t)s->groups;
    }
    list_pairs(s, joint, n, place);
    for (int t = 0; t < SV2_MOST_TENSORS; t++)
        s->many[t] = (int64_t)m->patterns[sv2_sums_family * SV2_MOST_TENSORS + t].count;
    return SV2_DONE;
}

/* Write a list or a matrix: its address and lengths; returns the end. */
static int64_t *list(int64_t *word, const void *at, size_t n) {
    *word++ = (int64_t)(intptr_t)at;
    *word++ = (int64_t)n;
    return word;
}

static int64_t *matrix(int64_t *word, const void *at, size_t rows, size_t columns) {
    word = list(word, at, rows);
    *word++ = (int64_t)columns;
    return word;
}

void sv2_lay_sums(const sv2_model *m, int64_t *word) {
    const struct sv2_sums *const s = &m->sums;
    const size_t n = (size_t)m->trees[SV2_PLAIN].NV;
    memcpy(word, m->trees[SV2_PLAIN].words, SV2_TREE_WORDS * sizeof *word);
    word = list(word + SV2_TREE_WORDS, s->row, s->rows);
    word = matrix(word, s->entry, s->rows, PAIRS);
    word = list(word, s->first, s->groups + 1);
    word = list(word, s->begin, TENSORS + 1);
    word = matrix(word, s->pair, 2, s->pairs);
    word = matrix(word, s->sum, TENSORS, s->pairs);
    word = list(word, s->many, SV2_MOST_TENSORS);
    *word = n * n * n >= MANY; /* results that leave the cache are written past it */
}
