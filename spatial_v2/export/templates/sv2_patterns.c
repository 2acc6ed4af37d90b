/* Sparsity patterns of tensors, which follow from the tree alone: the expanded one with rotors. */
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

int sv2_make_patterns(sv2_model *m) {
    const size_t n = (size_t)m->trees[SV2_EXPANDED].NV;
    if (!sv2_family_count) return SV2_DONE;
    if (n > 1600) return SV2_NO_MEMORY;
    size_t *room = malloc((3 * n + 1) * sizeof *room);
    m->patterns = calloc((size_t)sv2_family_count, sizeof *m->patterns);
    int status = room && m->patterns ? SV2_DONE : SV2_NO_MEMORY;
    struct path path = {0, room, room + n, room + 2 * n};
    for (int k = 0; !status && k < sv2_family_count; k++)
        for (int tensor = 0; !status && tensor < sv2_families[k]->tensors; tensor++) {
            const size_t count = fill(m, sv2_families[k], tensor, &path, NULL);
            uint32_t *at = malloc((count + 1) * sizeof *at);
            m->patterns[k].count[tensor] = count;
            m->patterns[k].at[tensor] = at;
            if (at) fill(m, sv2_families[k], tensor, &path, at);
            else status = SV2_NO_MEMORY;
        }
    free(room);
    return status;
}
