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

/* The number of entries of a tensor on the tree; or, with the number of entries in the rows of G in
 * place of one for each variable, of the terms that they are in the model's tensor. */
static size_t count_of(const struct sv2_bodies *b, const struct sv2_runs *runs, int tensor,
                       size_t (*each)(const struct sv2_bodies *, int64_t)) {
    size_t total = 0;
    for (int64_t body = 0; body < b->count; body++) {
        const size_t own = each(b, body);
        size_t end = 0;
        for (int64_t j = body; j >= 0; j = sv2_body_before(b, j)) end += each(b, j);
        for (int64_t j = body; j >= 0; j = sv2_body_before(b, j)) {
            const size_t n = each(b, j);
            const size_t pairs = j == body ? pair_count(runs->own, runs->own_count, tensor, n, end)
                                           : pair_count(runs->general, runs->general_count,
                                                        tensor, n, end);
            total += own * n * pairs;
            end -= n;
        }
    }
    return total;
}

/* Append the terms of an entry (i, j, k) of the tree, for each variable that moves i, and j, and k. */
static uint32_t add_terms(const struct sv2_matrix *G, const size_t index[3], uint32_t entry,
                          struct sv2_pattern *pattern, struct sv2_pair *pairs, uint32_t count) {
    const int64_t *const begin = G->begin;
    for (int64_t a = begin[index[0]]; a < begin[index[0] + 1]; a++)
        for (int64_t b = begin[index[1]]; b < begin[index[1] + 1]; b++)
            for (int64_t c = begin[index[2]]; c < begin[index[2] + 1]; c++) {
                const uint64_t at[] = {(uint64_t)G->at[a], (uint64_t)G->at[b], (uint64_t)G->at[c]};
                pattern->from[count] = entry;
                pattern->weight[count] = G->value[a] * G->value[b] * G->value[c];
                pairs[count].to = (at[0] * G->variables + at[1]) * G->variables + at[2];
                pairs[count].from = count;
                count++;
            }
    return count;
}

/* The model's entries, in the order of their positions, from those of the tree; `pairs` is memory for
 * as many items as there are terms. */
static int contract(const struct sv2_matrix *G, size_t terms, struct sv2_room *room,
                    struct sv2_pair *pairs, struct sv2_pattern *pattern) {
    pattern->packed_at = sv2_place(room, terms, sizeof *pattern->packed_at);
    pattern->from = sv2_place(room, terms, sizeof *pattern->from);
    pattern->place = sv2_place(room, terms, sizeof *pattern->place);
    pattern->weight = sv2_place(room, terms, sizeof *pattern->weight);
    if (!pattern->packed_at || !pattern->from || !pattern->place || !pattern->weight)
        return SV2_WORKSPACE;
    uint32_t count = 0;
    for (size_t e = 0; e < pattern->count; e++) {
        const size_t at = pattern->at[e], n = G->rows;
        const size_t index[] = {at / n / n, at / n % n, at % n};
        count = add_terms(G, index, (uint32_t)e, pattern, pairs, count);
    }
    sv2_sort(pairs, count);
    size_t last = 0;
    for (size_t k = 0; k < count; k++) {
        if (k && pairs[k].to != pairs[k - 1].to) last++;
        pattern->packed_at[last] = (uint32_t)pairs[k].to;
        pattern->place[pairs[k].from] = (uint32_t)last;
    }
    pattern->term_count = count, pattern->packed_count = count ? last + 1 : 0;
    return SV2_DONE;
}

static int make(const sv2_model *m, const struct sv2_bodies *bodies, const struct sv2_runs *runs,
                int tensor, struct path *path, struct sv2_pair *pairs, struct sv2_room *room,
                struct sv2_pattern *pattern) {
    const struct sv2_spread *const spread = m->spread[SV2_EXPANDED];
    pattern->count = count_of(bodies, runs, tensor, sv2_variables_of);
    pattern->at = sv2_place(room, pattern->count, sizeof *pattern->at);
    if (!pattern->at) return SV2_WORKSPACE;
    fill(m, runs, tensor, path, pattern->at);
    if (spread)
        return contract(&spread->v, count_of(bodies, runs, tensor, sv2_entries_of), room, pairs,
                        pattern);
    pattern->packed_count = pattern->count, pattern->packed_at = pattern->at;
    return SV2_DONE;
}

/* The bytes of the patterns of all tensors; the largest numbers of entries, and of terms, of one. */
static size_t entries_size(const struct sv2_bodies *b, int spread, size_t *largest, size_t *terms) {
    size_t total = 0;
    *largest = *terms = 0;
    for (int k = 0; k < sv2_family_count; k++)
        for (int tensor = 0; tensor < sv2_families[k]->tensors; tensor++) {
            const size_t n = count_of(b, sv2_families[k], tensor, sv2_variables_of);
            const size_t many = spread ? count_of(b, sv2_families[k], tensor, sv2_entries_of) : 0;
            total += sv2_whole(n, 4) + 3 * sv2_whole(many, 4) + sv2_whole(many, 8);
            if (n > *largest) *largest = n;
            if (many > *terms) *terms = many;
        }
    return total;
}

static int is_summed(const struct sv2_head *h) {
    return sv2_sums_family >= 0 && !h->rotors && !h->joints;
}

size_t sv2_patterns_size(const struct sv2_head *h, const unsigned char *numbers) {
    const struct sv2_bodies bodies = sv2_bodies_in(h, numbers);
    const size_t variables = (size_t)(h->NV + h->rotors);
    size_t largest, terms;
    if (!sv2_family_count || variables > SV2_MOST_VARIABLES || bodies.count > SV2_MOST_VARIABLES)
        return 0;
    const size_t entries = entries_size(&bodies, h->rotors || h->joints, &largest, &terms);
    return entries + (is_summed(h) ? sv2_sums_size(&bodies, variables, largest) : 0) +
           sv2_whole(3 * variables, sizeof(size_t)) + sv2_whole(terms, sizeof(struct sv2_pair)) +
           sv2_whole((size_t)sv2_family_count * SV2_MOST_TENSORS, sizeof(struct sv2_pattern));
}

int sv2_make_patterns(sv2_model *m, struct sv2_room *room, const struct sv2_head *h,
                      const unsigned char *numbers) {
    const struct sv2_bodies bodies = sv2_bodies_in(h, numbers);
    const size_t n = (size_t)m->trees[SV2_EXPANDED].NV;
    const size_t count = (size_t)sv2_family_count * SV2_MOST_TENSORS;
    size_t largest, terms;
    if (!sv2_family_count) return SV2_DONE;
    if (n > SV2_MOST_VARIABLES) return SV2_NO_MEMORY;
    entries_size(&bodies, m->spread[SV2_EXPANDED] != NULL, &largest, &terms);
    if (terms > UINT32_MAX) return SV2_NO_MEMORY;
    size_t *const at = sv2_place(room, 3 * n, sizeof *at);
    struct sv2_pair *const pairs = sv2_place(room, terms, sizeof *pairs);
    m->patterns = sv2_place(room, count, sizeof *m->patterns);
    if (!at || !pairs || !m->patterns) return SV2_WORKSPACE;
    memset(m->patterns, 0, count * sizeof *m->patterns);
    struct path path = {0, at, at + n, at + 2 * n};
    int status = SV2_DONE;
    for (int k = 0; !status && k < sv2_family_count; k++)
        for (int tensor = 0; !status && tensor < sv2_families[k]->tensors; tensor++)
            status = make(m, &bodies, sv2_families[k], tensor, &path, pairs, room,
                          m->patterns + k * SV2_MOST_TENSORS + tensor);
    return status || !is_summed(h) ? status : sv2_make_sums(m, &bodies, largest, room);
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
    const uint32_t n = (uint32_t)m->trees[SV2_CALL].NV;
    for (size_t e = 0; e < pattern->packed_count; e++) {
        i[e] = (int32_t)(pattern->packed_at[e] / n / n);
        j[e] = (int32_t)(pattern->packed_at[e] / n % n);
        k[e] = (int32_t)(pattern->packed_at[e] % n);
    }
    return SV2_DONE;
}
