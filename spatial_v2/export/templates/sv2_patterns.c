/* Sparsity patterns of tensors, which follow from the tree alone. */
#include <stdlib.h>

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

/* Append the entries of a tensor for a pair (p, t), t at place y of the path; or count them. */
static size_t add_pair(const struct sv2_range *runs, int count, int tensor, size_t p, size_t y,
                       const struct path *path, size_t n, uint32_t *out) {
    size_t total = 0, index[3];
    for (int k = 0; k < count; k++) {
        if (runs[k].tensor != tensor) continue;
        const size_t begin = runs[k].part == 'j' ? path->first[y] : 0;
        const size_t end = runs[k].part == 'a' ? path->first[y] : path->last[y];
        for (size_t z = begin; out && z < end; z++) {
            for (int axis = 0; axis < 3; axis++) {
                const char letter = runs[k].order[axis];
                index[axis] = letter == 'p' ? p : path->variable[letter == 't' ? y : z];
            }
            *out++ = (uint32_t)((index[0] * n + index[1]) * n + index[2]);
        }
        total += end - begin;
    }
    return total;
}

static size_t fill(const sv2_model *m, const struct sv2_runs *runs, int tensor, struct path *path,
                   uint32_t *out) {
    const size_t n = (size_t)m->trees[SV2_EXPANDED].NV;
    size_t total = 0;
    for (int64_t body = m->bodies - 1; body >= 0; body--) {
        const size_t own = (size_t)m->joint[6 * body + 4];
        find_path(m, body, path);
        for (size_t p = path->count - own; p < path->count; p++)
            for (size_t y = 0; y < path->count; y++) {
                const int general = y < path->count - own;
                total += add_pair(general ? runs->general : runs->own,
                                  general ? runs->general_count : runs->own_count, tensor,
                                  path->variable[p], y, path, n,
                                  out ? out + total : NULL);
            }
    }
    return total;
}

/* An entry of the tree of a kernel, and the position of the model's entry to which it contributes. */
struct pair {
    uint64_t to;
    uint32_t from;
};

static int compare(const void *x, const void *y) {
    const uint64_t a = ((const struct pair *)x)->to, b = ((const struct pair *)y)->to;
    return (a > b) - (a < b);
}

/* The variable of the model along which a variable of the expanded tree moves, and its ratio. */
static size_t driver_of(const sv2_model *m, size_t variable, double *ratio) {
    const size_t n = (size_t)m->trees[SV2_PLAIN].NV;
    if (variable < n) return variable;
    *ratio *= m->ratio[variable - n];
    return (size_t)m->joint[6 * m->driver[variable - n] + 3];
}

/* The model's entries, in the order of their positions, from those of the expanded tree. */
static int contract(const sv2_model *m, struct sv2_pattern *pattern) {
    const size_t wide = (size_t)m->trees[SV2_EXPANDED].NV, n = (size_t)m->trees[SV2_PLAIN].NV;
    const size_t count = pattern->count;
    struct pair *pairs = malloc((count + 1) * sizeof *pairs);
    pattern->packed_at = malloc((count + 1) * sizeof *pattern->packed_at);
    pattern->place = malloc((count + 1) * sizeof *pattern->place);
    pattern->weight = malloc((count + 1) * sizeof *pattern->weight);
    const int made = pairs && pattern->packed_at && pattern->place && pattern->weight;
    for (size_t e = 0; made && e < count; e++) {
        const uint32_t at = pattern->at[e];
        double ratio = 1.0;
        const size_t i = driver_of(m, at / wide / wide, &ratio);
        const size_t j = driver_of(m, at / wide % wide, &ratio);
        const size_t k = driver_of(m, at % wide, &ratio);
        pattern->weight[e] = ratio;
        pairs[e] = (struct pair){((uint64_t)i * n + j) * n + k, (uint32_t)e};
    }
    if (made) qsort(pairs, count, sizeof *pairs, compare);
    size_t last = 0;
    for (size_t e = 0; made && e < count; e++) {
        if (e && pairs[e].to != pairs[e - 1].to) last++;
        pattern->packed_at[last] = (uint32_t)pairs[e].to;
        pattern->place[pairs[e].from] = (uint32_t)last;
    }
    pattern->packed_count = count ? last + 1 : 0;
    free(pairs);
    return made ? SV2_DONE : SV2_NO_MEMORY;
}

static int make(const sv2_model *m, const struct sv2_runs *runs, int tensor, struct path *path,
                struct sv2_pattern *pattern) {
    pattern->count = fill(m, runs, tensor, path, NULL);
    pattern->at = malloc((pattern->count + 1) * sizeof *pattern->at);
    if (!pattern->at) return SV2_NO_MEMORY;
    fill(m, runs, tensor, path, pattern->at);
    if (m->rotors) return contract(m, pattern);
    pattern->packed_count = pattern->count, pattern->packed_at = pattern->at;
    return SV2_DONE;
}

int sv2_make_patterns(sv2_model *m) {
    const size_t n = (size_t)m->trees[SV2_EXPANDED].NV;
    if (!sv2_family_count) return SV2_DONE;
    if (n > 1600) return SV2_NO_MEMORY;
    size_t *room = malloc((3 * n + 1) * sizeof *room);
    m->patterns = calloc((size_t)sv2_family_count * SV2_MOST_TENSORS, sizeof *m->patterns);
    int status = room && m->patterns ? SV2_DONE : SV2_NO_MEMORY;
    struct path path = {0, room, room + n, room + 2 * n};
    for (int k = 0; !status && k < sv2_family_count; k++)
        for (int tensor = 0; !status && tensor < sv2_families[k]->tensors; tensor++)
            status = make(m, sv2_families[k], tensor, &path,
                          m->patterns + k * SV2_MOST_TENSORS + tensor);
    free(room);
    return status;
}

void sv2_free_patterns(sv2_model *m) {
    for (int k = 0; m->patterns && k < sv2_family_count * SV2_MOST_TENSORS; k++) {
        struct sv2_pattern *pattern = m->patterns + k;
        free(pattern->at);
        if (m->rotors) free(pattern->packed_at);
        free(pattern->place);
        free(pattern->weight);
    }
    free(m->patterns);
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
