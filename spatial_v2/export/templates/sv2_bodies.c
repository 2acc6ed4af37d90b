/* Bodies in a file, whose numbers may have any alignment and any value. */
#include <string.h>

#include "sv2_internal.h"

int64_t sv2_number(const unsigned char *words, int64_t k) {
    int64_t value;
    memcpy(&value, words + 8 * k, sizeof value);
    return value;
}

size_t sv2_variables_of(const struct sv2_bodies *b, int64_t i) {
    const int64_t n = sv2_number(b->joint, 6 * i + 4);
    return n < 0 || n > 6 ? 0 : (size_t)n;
}

int64_t sv2_body_before(const struct sv2_bodies *b, int64_t i) {
    const int64_t p = sv2_number(b->parent, i);
    return p < i ? p : -1;
}

size_t sv2_coupling_numbers(const struct sv2_head *h) {
    return h->joints ? (size_t)(h->joints + h->NV + 2 * h->variables + 3 * h->entries) : 0;
}

struct sv2_bodies sv2_bodies_in(const struct sv2_head *h, const unsigned char *numbers) {
    const int64_t n = (int64_t)(h->NB + h->rotors);
    const size_t before = (size_t)(h->joints + h->NV + 2 * h->variables); /* of a coupling */
    const struct sv2_bodies bodies = {
        n, (int64_t)h->rotors, numbers, numbers + 8 * n,
        numbers + 8 * (sv2_tree_numbers(h) - 2 * h->rotors),
        h->joints ? numbers + 8 * (sv2_tree_numbers(h) + before) : NULL, h->entries};
    return bodies;
}

size_t sv2_first_entry(const struct sv2_bodies *b, int64_t row) {
    size_t low = 0, high = (size_t)b->entry_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sv2_number(b->entries, (int64_t)middle) < row) low = middle + 1;
        else high = middle;
    }
    return low;
}

size_t sv2_entries_of(const struct sv2_bodies *b, int64_t i) {
    if (!b->entries) return sv2_variables_of(b, i);
    const int64_t links = b->count - b->rotors;
    int64_t moved = i < links ? i : sv2_number(b->driver, i - links);
    if (moved < 0 || moved >= links) return 0;
    const size_t n = sv2_variables_of(b, moved);
    const int64_t row = sv2_number(b->joint, 6 * moved + 3);
    if (n != 1 || row < 0 || row > 6 * links) return n;
    return sv2_first_entry(b, row + 1) - sv2_first_entry(b, row);
}
