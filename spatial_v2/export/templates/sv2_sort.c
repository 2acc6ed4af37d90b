/* Sorting without further memory. */
#include "sv2_internal.h"

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
