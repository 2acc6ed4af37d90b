/* Sparsity patterns of tensors, which follow from the tree alone. */
#include <string.h>

#include "sv2_internal.h"

/* The velocity variables on the path from the root to a body; [first, last) is the joint of each. */
struct path {
    size_t count, *variable, *first, *last;
};

static void find_path(const sv2_model *m, int64_t body, struct path *path) {
    path->count = 0;
    for (int64_t j = body; j >= 0; j = m->parent[j]) path->count += (size_t)m->joint[6 * j + 4];
    size_t end = path->count;
    for (int64_t j = body; j >= 0; j = m->parent[j]) {
        const size_t n = (size_t)m->joint[6 * j + 4], begin = end - n;
        for (size_t k = 0; k < n; k++) {
            path->variable[begin + k] = (size_t)m->joint[6 * j + 3] + k;
            path->first[begin + k] = begin;
            path->last[begin + k] = end;
        }
        end = begin;
    }
}

/* Append the entries of a tensor for a pair (p, t), t at place y of the path; returns the end. */
static uint32_t *add_pair(const struct sv2_range *runs, int count, int tensor, size_t p, size_t y,
                          const struct path *path, size_t n, uint32_t *out) {
    size_t index[3];
    for (int k = 0; k < count; k++) {
        if (runs[k].tensor != tensor) continue;
        const size_t begin = runs[k].part == 'j' ? path->first[y] : 0;
        const size_t end = runs[k].part == 'a' ? path->first[y] : path->last[y];
        for (size_t z = begin; z < end; z++) {
            for (int axis = 0; axis < 3; axis++) {
                const char letter = runs[k].order[axis];
                index[axis] = letter == 'p' ? p : path->variable[letter == 't' ? y : z];
            }
            *out++ = (uint32_t)((index[0] * n + index[1]) * n + index[2]);
        }
    }
    return out;
}

static void fill(const sv2_model *m, const struct sv2_runs *runs, int tensor, struct path *path,
                 uint32_t *out) {
    const size_t n = (size_t)m->trees[SV2_EXPANDED].NV;
    for (int64_t body = m->bodies - 1; body >= 0; body--) {
        const size_t own = (size_t)m->joint[6 * body + 4];
        find_path(m, body, path);
        for (size_t p = path->count - own; p < path->count; p++)
            for (size_t y = 0; y < path->count; y++) {
                const int general = y < path->count - own;
                out = add_pair(general ? runs->general : runs->own,
                               general ? runs->general_count : runs->own_count, tensor,
                               path->variable[p], y, path, n, out);
            }
    }
}

static int64_t number(const unsigned char *x, int64_t k) {
    int64_t value;
    memcpy(&value, x + 8 * k, sizeof value);
    return value;
}

size_t sv2_variables_of(const struct sv2_bodies *b, int64_t i) {
    const int64_t n = number(b->joint, 6 * i + 4);
    return n < 0 || n > 6 ? 0 : (size_t)n;
}

int64_t sv2_body_before(const struct sv2_bodies *b, int64_t i) {
    const int64_t p = number(b->parent, i);
    return p < i ? p : -1;
}

/* The number of entries of a tensor that `add_pair` appends for a variable t of a joint with n
 * variables, the last one at the place `end` of the path. */
static size_t pair_count(const struct sv2_range *runs, int count, int tensor, size_t n,
                         size_t end) {
    size_t total = 0;
    for (int k = 0; k < count; k++)
        if (runs[k].tensor == tensor)
            total += runs[k].part == 'j' ? n : runs[k].part == 'a' ? end - n : end;
    return total;
}

static size_t entry_count(const struct sv2_bodies *b, const struct sv2_runs *runs, int tensor) {
    size_t total = 0;
    for (int64_t body = 0; body < b->count; body++) {
        const size_t own = sv2_variables_of(b, body);
        size_t end = 0;
        for (int64_t j = body; j >= 0; j = sv2_body_before(b, j)) end += sv2_variables_of(b, j);
        for (int64_t j = body; j >= 0; j = sv2_body_before(b, j)) {
            const size_t n = sv2_variables_of(b, j);
            const size_t pairs = j == body ? pair_count(runs->own, runs->own_count, tensor, n, end)
                                           : pair_count(runs->general, runs->general_count,
                                                        tensor, n, end);
            total += own * n * pairs;
            end -= n;
        }
    }
    return total;
}

/* Move an item of a heap down, to its place among the first n. */
static void sift(struct sv2_pair *x, size_t n, size_t at) {
    for (size_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && x[child + 1].to > x[child].to) child++;
        if (x[at].to >= x[child].to) return;
        const struct sv2_pair moved = x[at];
        x[at] = x[child], x[child] = moved;
        at = child;
    }
}

/* Sort in place: C's qsort may allocate memory. */
void sv2_sort(struct sv2_pair *x, size_t n) {
    for (size_t at = n / 2; at-- > 0;) sift(x, n, at);
    for (size_t end = n; end-- > 1;) {
        const struct sv2_pair last = x[end];
        x[end] = x[0], x[0] = last;
        sift(x, end, 0);
    }
}

/* The variable of the model along which a variable of the expanded tree moves, and its ratio. */
static size_t driver_of(const sv2_model *m, size_t variable, double *ratio) {
    const size_t n = (size_t)m->trees[SV2_PLAIN].NV;
    if (variable < n) return variable;
    *ratio *= m->ratio[variable - n];
    return (size_t)m->joint[6 * m->driver[variable - n] + 3];
}

/* The model's entries, in the order of their positions, from those of the expanded tree; `pairs`
 * is memory for as many items as there are entries. */
static int contract(const sv2_model *m, struct sv2_room *room, struct sv2_pair *pairs,
                    struct sv2_pattern *pattern) {
    const size_t wide = (size_t)m->trees[SV2_EXPANDED].NV, n = (size_t)m->trees[SV2_PLAIN].NV;
    const size_t count = pattern->count;
    pattern->packed_at = sv2_place(room, count, sizeof *pattern->packed_at);
    pattern->place = sv2_place(room, count, sizeof *pattern->place);
    pattern->weight = sv2_place(room, count, sizeof *pattern->weight);
    if (!pattern->packed_at || !pattern->place || !pattern->weight) return SV2_WORKSPACE;
    for (size_t e = 0; e < count; e++) {
        const uint32_t at = pattern->at[e];
        double ratio = 1.0;
        const size_t i = driver_of(m, at / wide / wide, &ratio);
        const size_t j = driver_of(m, at / wide % wide, &ratio);
        const size_t k = driver_of(m, at % wide, &ratio);
        pattern->weight[e] = ratio;
        pairs[e] = (struct sv2_pair){((uint64_t)i * n + j) * n + k, (uint32_t)e};
    }
    sv2_sort(pairs, count);
    size_t last = 0;
    for (size_t e = 0; e < count; e++) {
        if (e && pairs[e].to != pairs[e - 1].to) last++;
        pattern->packed_at[last] = (uint32_t)pairs[e].to;
        pattern->place[pairs[e].from] = (uint32_t)last;
    }
    pattern->packed_count = count ? last + 1 : 0;
    return SV2_DONE;
}

static int make(const sv2_model *m, const struct sv2_runs *runs, int tensor, struct path *path,
                struct sv2_pair *pairs, struct sv2_room *room, struct sv2_pattern *pattern) {
    const struct sv2_bodies bodies = {m->bodies, (const unsigned char *)m->parent,
                                  (const unsigned char *)m->joint};
    pattern->count = entry_count(&bodies, runs, tensor);
    pattern->at = sv2_place(room, pattern->count, sizeof *pattern->at);
    if (!pattern->at) return SV2_WORKSPACE;
    fill(m, runs, tensor, path, pattern->at);
    if (m->rotors) return contract(m, room, pairs, pattern);
    pattern->packed_count = pattern->count, pattern->packed_at = pattern->at;
    return SV2_DONE;
}

/* The bytes of the patterns of all tensors; the largest number of entries of one. */
static size_t entries_size(const struct sv2_bodies *b, size_t rotors, size_t *largest) {
    size_t total = 0;
    *largest = 0;
    for (int k = 0; k < sv2_family_count; k++)
        for (int tensor = 0; tensor < sv2_families[k]->tensors; tensor++) {
            const size_t n = entry_count(b, sv2_families[k], tensor);
            total += rotors ? 3 * sv2_whole(n, 4) + sv2_whole(n, 8) : sv2_whole(n, 4);
            if (n > *largest) *largest = n;
        }
    return total;
}

size_t sv2_patterns_size(const struct sv2_head *h, const unsigned char *numbers) {
    const int64_t n = (int64_t)(h->NB + h->rotors);
    const struct sv2_bodies bodies = {n, numbers, numbers + 8 * n};
    const size_t variables = (size_t)(h->NV + h->rotors);
    size_t largest;
    if (!sv2_family_count || variables > SV2_MOST_VARIABLES || n > SV2_MOST_VARIABLES) return 0;
    const size_t entries = entries_size(&bodies, h->rotors, &largest);
    const int sums = sv2_sums_family >= 0 && !h->rotors;
    return entries + (sums ? sv2_sums_size(&bodies, variables, largest) : 0) + sv2_whole(3 * variables, sizeof(size_t)) +
           sv2_whole(h->rotors ? largest : 0, sizeof(struct sv2_pair)) +
           sv2_whole((size_t)sv2_family_count * SV2_MOST_TENSORS, sizeof(struct sv2_pattern));
}

int sv2_make_patterns(sv2_model *m, struct sv2_room *room) {
    const struct sv2_bodies bodies = {m->bodies, (const unsigned char *)m->parent,
                                  (const unsigned char *)m->joint};
    const size_t n = (size_t)m->trees[SV2_EXPANDED].NV;
    const size_t count = (size_t)sv2_family_count * SV2_MOST_TENSORS;
    size_t largest;
    if (!sv2_family_count) return SV2_DONE;
    if (n > SV2_MOST_VARIABLES) return SV2_NO_MEMORY;
    entries_size(&bodies, m->rotors, &largest);
    size_t *const at = sv2_place(room, 3 * n, sizeof *at);
    struct sv2_pair *const pairs = sv2_place(room, m->rotors ? largest : 0, sizeof *pairs);
    m->patterns = sv2_place(room, count, sizeof *m->patterns);
    if (!at || !pairs || !m->patterns) return SV2_WORKSPACE;
    memset(m->patterns, 0, count * sizeof *m->patterns);
    struct path path = {0, at, at + n, at + 2 * n};
    int status = SV2_DONE;
    for (int k = 0; !status && k < sv2_family_count; k++)
        for (int tensor = 0; !status && tensor < sv2_families[k]->tensors; tensor++)
            status = make(m, sv2_families[k], tensor, &path, pairs, room,
                          m->patterns + k * SV2_MOST_TENSORS + tensor);
    const int sums = sv2_sums_family >= 0 && !m->rotors;
    return status || !sums ? status : sv2_make_sums(m, &bodies, largest, room);
}

const struct sv2_pattern *sv2_pattern_of(const struct sv2_function *f, const sv2_model *m,
                                         int result) {
    return m->patterns + f->family * SV2_MOST_TENSORS + result;
}

size_t sv2_nonzeros(const struct sv2_function *f, const sv2_model *m, int result) {
    return m && result >= 0 && result < f->results ? sv2_pattern_of(f, m, result)->packed_count : 0;
}

int sv2_pattern(const struct sv2_function *f, const sv2_model *m, int result, int32_t *i,
                int32_t *j, int32_t *k) {
    if (!m || !i || !j || !k) return SV2_NULL;
    if (result < 0 || result >= f->results) return SV2_NO_RESULT;
    const struct sv2_pattern *pattern = sv2_pattern_of(f, m, result);
    const uint32_t n = (uint32_t)m->trees[SV2_PLAIN].NV;
    for (size_t e = 0; e < pattern->packed_count; e++) {
        i[e] = (int32_t)(pattern->packed_at[e] / n / n);
        j[e] = (int32_t)(pattern->packed_at[e] / n % n);
        k[e] = (int32_t)(pattern->packed_at[e] % n);
    }
    return SV2_DONE;
}
