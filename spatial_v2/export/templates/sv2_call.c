/* Calls of kernels: their arguments as words, lengths of arguments and results, statuses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sv2_internal.h"

enum { BLOCK = 1 << 14, BLOCKS = 8, LARGEST = 1 << 19, VALUES = 1 << 16 };

/* A call: what computes, and the lengths for one state of arguments and results, which are looked up
 * once: those of the caller, and those of the kernel, which may run on another tree. */
struct call {
    const struct sv2_function *f;
    const sv2_model *m;
    const struct sv2_view *view;
    const struct sv2_tree *tree; /* that of the kernel */
    /* From the variables of the caller to those of the tree, between which arguments and results are
     * converted; null if they are the same. */
    const struct sv2_spread *spread;
    int form, arguments, returned;
    int in_y;   /* the kernel solves for the accelerations of a coupled model */
    int direct; /* the kernel writes into the results of the caller */
    size_t in[SV2_MOST_ARGUMENTS], wide_in[SV2_MOST_ARGUMENTS], force;
    size_t out[SV2_MOST_RESULTS], written[SV2_MOST_RESULTS];
};

static struct call call_of(const struct sv2_function *f, const sv2_model *m,
                           const struct sv2_view *view, int form) {
    struct call c;
    const struct sv2_tree *const own = &m->trees[SV2_CALL];
    c.f = f, c.m = m, c.view = view, c.form = form;
    c.in_y = m->coupled && f->coupled == SV2_IN_Y;
    c.tree = &m->trees[c.in_y ? SV2_SOLVED : f->tree];
    c.spread = c.in_y ? NULL : m->spread[f->tree];
    c.direct = !c.spread && (f->family < 0 || form == SV2_PACKED);
    c.returned = f->results - f->told;
    c.force = 6 * (size_t)own->NB;
    for (c.arguments = 0; f->arguments[c.arguments]; c.arguments++) {
        const char letter = f->arguments[c.arguments];
        c.in[c.arguments] = sv2_length_of(own, letter);
        c.wide_in[c.arguments] = sv2_length_of(c.tree, letter);
    }
    for (int k = 0; k < f->results; k++) {
        c.written[k] = f->family < 0 ? sv2_length(c.tree, f->shapes[k]) : sv2_pattern_of(f, m, k)->count;
        c.out[k] = c.direct           ? c.written[k]
                   : form == SV2_PACKED ? sv2_nonzeros(f, m, k)
                                        : sv2_length(own, f->shapes[k]);
    }
    return c;
}

/* The distance of the values of two states of a batch: whole cache lines for tensors that are
 * converted. */
static size_t row(const struct call *c, int k, size_t states) {
    const size_t n = c->written[k];
    return c->f->family >= 0 && states > 1 && !c->direct ? (n + 8) / 8 * 8 : n;
}

static int64_t address(const void *x) { return (int64_t)(intptr_t)x; }

/* Run a kernel on states, one by one or in SIMD batches. */
static int run(const struct call *c, struct sv2_arena *arena, int simd, size_t states, const double *const *given,
               const double *f_ext, double *const *results) {
    const struct sv2_function *const f = c->f;
    const struct sv2_tree *const tree = c->tree;
    const int level = c->m->level;
    int64_t summed[SV2_VIEW_WORDS];
    if (c->in_y) sv2_lay_coupled(c->m, summed);
    else if (f->sums) sv2_lay_sums(c->m, summed);
    const int64_t *const record = f->sums || c->in_y ? summed : c->view ? c->view->words : tree->words;
    int64_t words[1 + 3 * SV2_MOST_ARGUMENTS + 8 + 5 * SV2_MOST_RESULTS], *word = words;
    int64_t axes[SV2_MOST_ARGUMENTS + 2 + SV2_MOST_RESULTS], arrays = 0, arguments;
    *word++ = simd ? 0 : address(arena);
    for (int k = 0; k < c->arguments; k++) {
        *word++ = address(given[k]);
        *word++ = (int64_t)states;
        *word++ = (int64_t)c->wide_in[k];
        axes[arrays++] = 2;
    }
    for (int k = 0; k < f->force + f->frame; k++) {
        const int some = k == 0 && f_ext;
        *word++ = some ? address(f_ext) : 0;
        *word++ = some ? (int64_t)states : 0;
        *word++ = some ? tree->NB : 0;
        *word++ = 6;
        axes[arrays++] = 3;
    }
    arguments = arrays;
    for (int k = 0; k < f->results; k++) {
        const int64_t *const first = word;
        *word++ = address(results[k]);
        const int wanted = results[k] != NULL; /* else the kernel sees an empty array */
        *word++ = wanted * (int64_t)states;
        if (f->family >= 0) *word++ = (int64_t)row(c, k, states);
        else
            for (const char *x = f->shapes[k]; *x; x++)
                *word++ = wanted * (int64_t)sv2_length_of(tree, *x);
        axes[arrays++] = word - first - 1;
    }
    uint8_t finite[8] = {0};
    void *exception = NULL;
    int32_t status;
    if (simd) {
        const int64_t kernel = (int64_t)(intptr_t)(c->in_y ? f->batch_in_y : f->batch)[level];
        const int64_t call[] = {0, address(record), address(words), word - words,
                                address(axes), arrays, arguments, f->family < 0};
        status = sv2_levels[level].drive(finite, &exception, address(&kernel), address(call));
    } else {
        sv2_kernel *const kernel = (c->in_y ? f->state_in_y : f->state)[level];
        status = kernel(finite, &exception, address(record), address(words));
    }
    return status ? SV2_FAILED : SV2_DONE;
}

/* The status of a state, from the first number of what its kernel tells: the outcome of the equations
 * of motion, as `engine.parts.outcomes` names them, or a doubt. */
static int outcome(const struct call *c, double x) {
    enum { SOLVED, NO_NUMBERS, DEPENDENT, FREE, NOTABLE };
    if (c->f->shapes[c->returned][0] != 'R')
        return x == 0.0 ? SV2_DONE : isnan(x) ? SV2_NOT_FINITE : SV2_DEPENDENT;
    switch ((int)x) {
    case SOLVED:
    case NOTABLE: return SV2_DONE;
    case DEPENDENT: return c->view->soft ? SV2_DONE : SV2_DEPENDENT;
    case FREE: return SV2_SINGULAR;
    default: return SV2_NOT_FINITE;
    }
}

/* Solve the states one by one that SIMD batches leave, by the equations of motion under constraints. */
static void solve_again(const struct call *c, struct sv2_arena *arena, size_t states,
                        const double *const *given, const double *f_ext, double *const *results) {
    const int last = c->returned;
    const int64_t taken = arena->taken;
    for (size_t b = 0; b < states; b++) {
        const double *one[SV2_MOST_ARGUMENTS];
        double *into[SV2_MOST_RESULTS];
        if (results[last][b * c->written[last]] == 0.0) continue;
        for (int k = 0; k < c->arguments; k++) one[k] = given[k] + b * c->wide_in[k];
        for (int k = 0; k <= last; k++) into[k] = results[k] + b * c->written[k];
        run(c, arena, 0, 1, one, f_ext ? f_ext + b * 6 * (size_t)c->tree->NB : NULL, into);
        sv2_give_back(arena, taken);
    }
}

/* A dense tensor from its values. */
static void scatter(const struct sv2_pattern *pattern, const double *x, double *out, size_t size) {
    memset(out, 0, size * sizeof *out);
    for (size_t e = 0; e < pattern->packed_count; e++) out[pattern->packed_at[e]] = x[e];
}

/* Results of the caller from those of the kernel, where the two differ; `room` is for the values of a
 * tensor of the model, or for as many numbers as a result has. Returns a status. */
static int convert(const struct call *c, size_t states, double *const *values,
                   double *const *results, size_t first, double *room) {
    int status = SV2_DONE;
    for (int k = 0; k < c->f->results; k++)
        for (size_t b = 0; b < states && values[k]; b++) {
            double *x = values[k] + b * row(c, k, states);
            double *out = results[k] + (first + b) * c->out[k];
            if (c->f->family < 0) {
                const struct sv2_tree *const own = &c->m->trees[SV2_CALL];
                sv2_contract(&c->spread->v, c->tree, own, c->f->shapes[k], x, room, out);
            } else {
                const struct sv2_pattern *const pattern = sv2_pattern_of(c->f, c->m, k);
                const int packed = c->form == SV2_PACKED;
                if (c->spread) sv2_contract_packed(pattern, x, packed ? out : room);
                if (!packed) scatter(pattern, c->spread ? room : x, out, c->out[k]);
            }
            if (c->spread && !sv2_all_finite(out, c->out[k])) status = SV2_NOT_FINITE;
        }
    return status;
}

/* Variables of states for a tree, in the arena. */
static const double *widened(const struct sv2_matrix *G, struct sv2_arena *arena, size_t states,
                             const double *x) {
    double *out = sv2_take_from(arena, states * G->rows * sizeof *out);
    for (size_t b = 0; b < states; b++) sv2_widen(G, x + b * G->variables, out + b * G->rows);
    return out;
}

/* Forces on bodies for a tree with rotors as further bodies, in the arena. */
static const double *with_rotors(struct sv2_arena *arena, size_t states, const double *x,
                                 size_t from, size_t to) {
    double *out = sv2_take_from(arena, states * to * sizeof *out);
    memset(out, 0, states * to * sizeof *out);
    for (size_t b = 0; b < states; b++) memcpy(out + b * to, x + b * from, from * sizeof *out);
    return out;
}

/* The largest number of entries of a result on a tree, or of the values of a tensor of the model. */
static size_t largest(const struct call *c) {
    size_t most = 0;
    for (int k = 0; k < c->f->results; k++) {
        const size_t n = c->f->family < 0 ? c->written[k] : sv2_nonzeros(c->f, c->m, k);
        most = n > most ? n : most;
    }
    return most;
}

/* Fill results of some states, beginning with the first. */
static int compute(const struct call *c, struct sv2_arena *arena, int simd, size_t first,
                   size_t states, const double *const *given, const double *f_ext,
                   double *const *results) {
    const struct sv2_function *const f = c->f;
    const double *shifted[SV2_MOST_ARGUMENTS], *force = f_ext ? f_ext + first * c->force : NULL;
    double *into[SV2_MOST_RESULTS], *room = NULL;
    for (int k = 0; k < c->arguments; k++) {
        shifted[k] = given[k] + first * c->in[k];
        const char letter = f->arguments[k];
        if (c->spread && (letter == 'q' || letter == 'v'))
            shifted[k] = widened(letter == 'q' ? &c->spread->q : &c->spread->v, arena, states, shifted[k]);
    }
    const size_t forces = 6 * (size_t)c->tree->NB;
    if (force && forces != c->force) force = with_rotors(arena, states, force, c->force, forces);
    for (int k = 0; k < f->results; k++) {
        const size_t n = states * row(c, k, states);
        const int wanted = k >= c->returned || results[k] || !f->optional;
        if (!c->direct && !wanted) into[k] = NULL;
        else if (!c->direct || k >= c->returned) into[k] = sv2_take_from(arena, n * sizeof **into);
        else into[k] = results[k] ? results[k] + first * c->written[k] : NULL;
        if (!simd && f->family < 0 && n && into[k]) memset(into[k], 0, n * sizeof **into);
    }
    if (c->spread) room = sv2_take_from(arena, largest(c) * sizeof *room);
    int status = run(c, arena, simd, states, shifted, force, into);
    if (f->told && status == SV2_DONE) {
        const double *const tells = into[c->returned];
        if (simd && f->shapes[c->returned][0] == 'R')
            solve_again(c, arena, states, shifted, force, into);
        for (size_t b = 0; b < states; b++) {
            const int now = outcome(c, tells[b * c->written[c->returned]]);
            if (now > status) status = now;
        }
    }
    for (int k = 0; k < c->returned && status == SV2_DONE; k++)
        for (size_t b = 0; b < states && into[k]; b++)
            if (!sv2_all_finite(into[k] + b * row(c, k, states), c->written[k]))
                status = SV2_NOT_FINITE;
    if (!c->direct && c->form != SV2_NO_RESULTS) {
        const int last = convert(c, states, into, results, first, room);
        if (last > status) status = last;
    }
    return status;
}

/* The number of states that are computed at once, and if that is in SIMD batches. */
static size_t slab(const struct call *c, int force, int *simd) {
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
static int missing(const struct call *c, int batch, const double *const *given,
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
static int overlap(const struct call *c, size_t states, const double *const *given,
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

static int with_workspace(const struct call *c, int batch, size_t states,
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
        const int now = compute(c, &arena, simd, first, count, given, f_ext, results);
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
    const struct call c = call_of(f, m, view, form);
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
    const struct call c = call_of(f, m, view, SV2_NO_RESULTS);
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
