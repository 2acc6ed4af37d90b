/* Calls of functions: what is looked at before, states in blocks, and the need of memory. */
#include <math.h>
#include <stdlib.h>

#include "sv2_call.h"

enum { BLOCK = 1 << 14, BLOCKS = 8, LARGEST = 1 << 19, VALUES = 1 << 16 };

static void begin(struct sv2_call *c, const struct sv2_function *f, const sv2_model *m,
                  const struct sv2_view *view, int form) {
    const struct sv2_tree *const own = &m->trees[SV2_CALL];
    const uint32_t *const lengths = view && view->lengths ? view->lengths : own->lengths;
    c->f = f, c->m = m, c->view = view, c->form = form;
    c->in_y = m->coupled && f->coupled == SV2_IN_Y;
    c->tree = &m->trees[c->in_y ? SV2_SOLVED : f->tree];
    c->lengths = view && view->lengths ? view->lengths : c->tree->lengths;
    c->spread = c->in_y ? NULL : m->spread[f->tree], c->driven = NULL;
    c->direct = !c->spread && (f->family < 0 || form == SV2_PACKED);
    c->returned = f->results - f->told;
    c->force = 6 * (size_t)own->NB;
    for (c->arguments = 0; f->arguments[c->arguments]; c->arguments++) {
        const char letter = f->arguments[c->arguments];
        c->in[c->arguments] = sv2_length_of(lengths, letter);
        c->wide_in[c->arguments] = sv2_length_of(c->lengths, letter);
    }
    for (int k = 0; k < f->results; k++) {
        c->written[k] = f->family < 0 ? sv2_length(c->lengths, f->shapes[k])
                                      : sv2_pattern_of(f, m, k)->count;
        c->out[k] = c->direct            ? c->written[k]
                    : form == SV2_PACKED ? sv2_nonzeros(f, m, k)
                                         : sv2_length(lengths, f->shapes[k]);
    }
}

/* The number of states that are computed at once, and if that is in SIMD batches. */
static size_t slab(const struct sv2_call *c, int force, int *simd) {
    size_t in = force ? 6 * (size_t)c->tree->NB : 0, out = 0;
    const size_t lanes = (size_t)sv2_levels[c->m->level].lanes;
    for (int k = 0; k < c->arguments; k++) in += c->wide_in[k];
    for (int k = 0; k < c->f->results; k++) out += c->written[k];
    *simd = lanes > 1 && (!c->f->sums || c->in_y) && (c->f->family >= 0 || lanes * out <= LARGEST);
    if (!*simd) return 1;
    const size_t most = c->f->family < 0 ? BLOCKS * BLOCK / (in + out + 1) : VALUES / (out + 1);
    return most > lanes ? most / lanes * lanes : lanes;
}

/* Test if an array is null; one without numbers may be, and of some functions results that are not
 * wanted. */
static int missing(const struct sv2_call *c, int batch, const double *const *given,
                   double *const *results) {
    int none = 0;
    for (int k = 0; k < c->arguments; k++)
        if (!given[k] && c->in[k]) return 1;
    for (int k = 0; k < c->returned; k++) none += !results[k] && c->out[k];
    return none && (batch || !c->f->optional || none == c->returned);
}

static int meet(const double *x, size_t n, const double *y, size_t m) {
    const uintptr_t a = (uintptr_t)x, b = (uintptr_t)y;
    return a < b + m * sizeof *y && b < a + n * sizeof *x;
}

/* Test if a result overlaps an argument or another result. */
static int overlap(const struct sv2_call *c, size_t states, const double *const *given,
                   const double *f_ext, double *const *results) {
    for (int k = 0; k < c->returned; k++) {
        const size_t n = results[k] ? states * c->out[k] : 0;
        for (int i = 0; i < c->arguments; i++)
            if (meet(results[k], n, given[i], states * c->in[i])) return 1;
        if (f_ext && meet(results[k], n, f_ext, states * c->force)) return 1;
        for (int i = 0; i < k; i++)
            if (results[i] && meet(results[k], n, results[i], states * c->out[i])) return 1;
    }
    return 0;
}

static int with_workspace(const struct sv2_call *c, int batch, size_t states,
                          const double *const *given, const double *f_ext, double *const *results,
                          void *workspace, size_t size, size_t *taken) {
    struct sv2_arena arena, *const before = sv2_enter(&arena);
    volatile int status = SV2_DONE;
    int simd = 0;
    const size_t most = batch ? slab(c, f_ext != NULL, &simd) : 1;
    if (taken) *taken = 0;
    if (setjmp(arena.full)) {
        sv2_enter(before);
        return SV2_WORKSPACE;
    }
    for (size_t first = 0; first < states; first += most) {
        const size_t count = states - first < most ? states - first : most;
        sv2_begin(&arena, workspace, size);
        const int now = sv2_compute(c, &arena, simd, first, count, given, f_ext, results);
        if (now > status) status = now;
        sv2_give_back(&arena, 0);
        if (taken && (size_t)arena.most > *taken) *taken = (size_t)arena.most;
    }
    sv2_enter(before);
    return status;
}

/* Test if a function does not take a model with rotors or couplings. */
static int refuses(const struct sv2_function *f, const sv2_model *m) {
    return m->coupled ? f->coupled == SV2_NOT_COUPLED : m->rotors && f->sums;
}

int sv2_call(const struct sv2_function *f, const sv2_model *m, const struct sv2_view *view,
             int form, int batch, size_t states, const double *const *given, const double *f_ext,
             double *const *results, void *workspace, size_t size) {
    if (!m || !workspace) return SV2_NULL;
    struct sv2_call c;
    begin(&c, f, m, view, form);
    if (states && missing(&c, batch, given, results)) return SV2_NULL;
    if ((m->has_terms && !f->terms) || refuses(f, m)) return SV2_UNSUPPORTED;
    if (states && overlap(&c, states, given, f_ext, results)) return SV2_OVERLAP;
    return with_workspace(&c, batch, states, given, f_ext, results, workspace, size, NULL);
}

size_t sv2_demand(const struct sv2_function *f, const sv2_model *m, const struct sv2_view *view,
                  int batch) {
    enum { LINE = 64 };
    if (!m) return 0;
    if (refuses(f, m)) return LINE; /* the call is refused */
    struct sv2_call c;
    begin(&c, f, m, view, SV2_NO_RESULTS);
    int simd = 0;
    const size_t states = batch ? slab(&c, 0, &simd) : 1;
    size_t in = 1, out = 1, taken = 0;
    for (int k = 0; k < c.arguments; k++) in += states * c.in[k];
    if (f->force) in += states * c.force;
    for (int k = 0; f->family < 0 && k < f->results; k++) out += states * c.out[k];
    double *numbers = calloc(in + out, sizeof *numbers);
    /* Of states that are not finite, all that can be tried is tried. */
    for (size_t k = 0; f->told && numbers && k < in; k++) numbers[k] = NAN;
    const double *given[SV2_MOST_ARGUMENTS], *f_ext = f->force ? numbers : NULL;
    double *results[SV2_MOST_RESULTS];
    for (int k = 0; k < SV2_MOST_ARGUMENTS; k++) given[k] = numbers;
    for (int k = 0; k < SV2_MOST_RESULTS; k++) results[k] = numbers ? numbers + in : NULL;
    int status = numbers ? SV2_WORKSPACE : SV2_NO_MEMORY;
    for (size_t size = 1 << 14; status == SV2_WORKSPACE && size; size *= 2) {
        void *workspace = malloc(size);
        if (!workspace) break;
        for (int with = 0; with <= f->force; with++) {
            size_t now = 0;
            status = with_workspace(&c, batch, states, given, with ? f_ext : NULL, results,
                                    workspace, size, &now);
            if (status == SV2_WORKSPACE) break;
            taken = now > taken ? now : taken;
        }
        free(workspace);
    }
    free(numbers);
    return status == SV2_DONE || status == SV2_NOT_FINITE || status > SV2_SIZE ? taken + LINE : 0;
}
