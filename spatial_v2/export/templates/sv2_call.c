/* Calls of kernels: their arguments as words, their memory from the caller's workspace. */
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "sv2_internal.h"

#if defined(_MSC_VER)
#define THREAD_LOCAL __declspec(thread)
#else
#define THREAD_LOCAL _Thread_local
#endif

enum { LINE = 64, BLOCK = 1 << 14, BLOCKS = 8, LARGEST = 1 << 19, VALUES = 1 << 16 };

/* The workspace of a call; memory is taken from it in order, and only the last is given back. */
struct arena {
    char *start, *next, *end, *last;
    size_t taken;
    jmp_buf full;
};

static THREAD_LOCAL struct arena *current;

/* The record of an allocation as compiled code knows it. */
struct allocation {
    size_t references;
    void *unused[2], *data;
    size_t size;
    void *none[3];
};

static void *take(struct arena *arena, size_t size) {
    const size_t whole = (size + LINE - 1) / LINE * LINE;
    if (whole < size || whole > (size_t)(arena->end - arena->next)) longjmp(arena->full, 1);
    arena->last = arena->next;
    arena->next += whole;
    const size_t taken = (size_t)(arena->next - arena->start);
    if (taken > arena->taken) arena->taken = taken;
    return arena->last;
}

void *sv2_allocate(size_t size, uint32_t align) {
    (void)align; /* 64 bytes, as everything here */
    struct allocation *made = take(current, sizeof *made);
    made->references = 1;
    made->size = size;
    made->data = take(current, size);
    return made;
}

void *sv2_allocate_plain(size_t size) { return sv2_allocate(size, LINE); }

void *sv2_take(size_t size) { return take(current, size); }

void sv2_release(void *at) {
    if (at == current->last) current->next = at;
}

/* Arrays to which nothing refers stay until the end of the call. */
void sv2_unused(void *allocation) { (void)allocation; }

/* An error of a kernel is a status, without a message. */
void sv2_raise(void *kind, const char *message) { (void)kind, (void)message; }
void *sv2_error;

static void begin(struct arena *arena, void *workspace, size_t size) {
    const size_t before = (size_t)(-(uintptr_t)workspace & (LINE - 1));
    const size_t usable = size > before ? size - before : 0;
    arena->start = workspace;
    arena->last = NULL;
    arena->next = arena->start + (usable ? before : 0);
    arena->end = arena->next + usable;
}

static const struct sv2_tree *tree_of(const struct sv2_function *f, const sv2_model *m) {
    return &m->trees[f->tree];
}

/* Test if a kernel runs on the expanded tree, so that arguments and results are converted. */
static int is_wide(const struct sv2_function *f, const sv2_model *m) {
    return f->tree == SV2_EXPANDED && m->rotors > 0;
}

/* The number of values of a result of the caller for a state. */
static size_t size_of(const struct sv2_function *f, const sv2_model *m, int form, int k) {
    return form == SV2_PACKED ? sv2_nonzeros(f, m, k)
                              : sv2_length(&m->trees[SV2_PLAIN], f->shapes[k]);
}

/* The number of values of a result that a kernel writes for a state. */
static size_t written(const struct sv2_function *f, const sv2_model *m, int k) {
    return f->family < 0 ? sv2_length(tree_of(f, m), f->shapes[k])
                         : sv2_pattern_of(f, m, k)->count;
}

/* Test if a kernel writes into the results of the caller. */
static int is_direct(const struct sv2_function *f, const sv2_model *m, int form) {
    return !is_wide(f, m) && (f->family < 0 || form == SV2_PACKED);
}

/* The distance of the values of two states of a batch: whole cache lines for tensors that are
 * converted. */
static size_t row(const struct sv2_function *f, const sv2_model *m, int form, int k,
                  size_t states) {
    const size_t n = written(f, m, k);
    const int whole = f->family >= 0 && states > 1 && !is_direct(f, m, form);
    return whole ? (n + 8) / 8 * 8 : n;
}

static int64_t address(const void *x) { return (int64_t)(intptr_t)x; }

/* Run a kernel on states, one by one or in SIMD batches; rows of results have the given lengths. */
static int run(const struct sv2_function *f, const sv2_model *m, const struct sv2_view *view,
               int form, int simd, size_t states, const double *const *given, const double *f_ext,
               double *const *results) {
    const struct sv2_tree *const tree = tree_of(f, m);
    int64_t summed[SV2_VIEW_WORDS];
    if (f->sums) sv2_lay_sums(m, summed);
    const int64_t *const record = f->sums ? summed : view ? view->words : tree->words;
    int64_t words[1 + 3 * SV2_MOST_ARGUMENTS + 8 + 5 * SV2_MOST_RESULTS], *word = words;
    int64_t axes[SV2_MOST_ARGUMENTS + 2 + SV2_MOST_RESULTS], arrays = 0, arguments;
    *word++ = 0;
    for (int k = 0; f->arguments[k]; k++) {
        *word++ = address(given[k]);
        *word++ = (int64_t)states;
        *word++ = (int64_t)sv2_length_of(tree, f->arguments[k]);
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
        *word++ = (int64_t)states;
        if (f->family >= 0) *word++ = (int64_t)row(f, m, form, k, states);
        else
            for (const char *x = f->shapes[k]; *x; x++) *word++ = (int64_t)sv2_length_of(tree, *x);
        axes[arrays++] = word - first - 1;
    }
    uint8_t finite[8] = {0};
    void *exception = NULL;
    int32_t status;
    if (simd) {
        const int64_t kernel = (int64_t)(intptr_t)f->batch[m->level];
        const int64_t call[] = {0, address(record), address(words), word - words,
                                address(axes), arrays, arguments, f->family < 0};
        status = sv2_levels[m->level].drive(finite, &exception, address(&kernel), address(call));
    } else {
        status = f->state[m->level](finite, &exception, address(record), address(words));
    }
    return status ? SV2_FAILED : SV2_DONE;
}

/* The number of results of the caller. */
static int returned(const struct sv2_function *f) { return f->results - f->told; }

/* The status of a state, from the first number of what its kernel tells: the outcome of the equations
 * of motion, as `engine.parts.outcomes` names them, or a doubt. */
static int outcome(const struct sv2_function *f, const struct sv2_view *view, double x) {
    enum { SOLVED, NO_NUMBERS, DEPENDENT, FREE, NOTABLE };
    if (f->shapes[f->results - 1][0] != 'R')
        return x == 0.0 ? SV2_DONE : isnan(x) ? SV2_NOT_FINITE : SV2_DEPENDENT;
    switch ((int)x) {
    case SOLVED:
    case NOTABLE: return SV2_DONE;
    case DEPENDENT: return view->soft ? SV2_DONE : SV2_DEPENDENT;
    case FREE: return SV2_SINGULAR;
    default: return SV2_NOT_FINITE;
    }
}

/* Solve the states one by one that SIMD batches leave, by the equations of motion under constraints. */
static void solve_again(const struct sv2_function *f, const sv2_model *m,
                        const struct sv2_view *view, struct arena *arena, int form, size_t states,
                        const double *const *given, const double *f_ext, double *const *results) {
    const struct sv2_tree *const t = tree_of(f, m);
    const int last = f->results - 1;
    char *const mark = arena->next;
    for (size_t b = 0; b < states; b++) {
        const double *one[SV2_MOST_ARGUMENTS];
        double *into[SV2_MOST_RESULTS];
        if (results[last][b * sv2_length(t, f->shapes[last])] == 0.0) continue;
        for (int k = 0; f->arguments[k]; k++)
            one[k] = given[k] + b * sv2_length_of(t, f->arguments[k]);
        for (int k = 0; k < f->results; k++) into[k] = results[k] + b * sv2_length(t, f->shapes[k]);
        run(f, m, view, form, 0, 1, one, f_ext ? f_ext + b * 6 * (size_t)t->NB : NULL, into);
        arena->next = mark;
    }
}

/* A dense tensor from its values. */
static void scatter(const struct sv2_pattern *pattern, const double *x, double *out, size_t size) {
    memset(out, 0, size * sizeof *out);
    for (size_t e = 0; e < pattern->count; e++) out[pattern->at[e]] = x[e];
}

/* Results of the caller from those of the kernel, where the two differ; `room` is for a tensor of
 * the expanded tree. Returns a status. */
static int convert(const struct sv2_function *f, const sv2_model *m, int form, size_t states,
                   double *const *values, double *const *results, size_t first, double *room) {
    int status = SV2_DONE;
    const int wide = is_wide(f, m);
    for (int k = 0; k < f->results; k++)
        for (size_t b = 0; b < states; b++) {
            double *x = values[k] + b * row(f, m, form, k, states);
            const size_t n = size_of(f, m, form, k);
            double *out = results[k] + (first + b) * n;
            if (form == SV2_PACKED) {
                sv2_contract_packed(sv2_pattern_of(f, m, k), x, out);
            } else {
                if (f->family >= 0) {
                    const size_t size = sv2_length(tree_of(f, m), f->shapes[k]);
                    scatter(sv2_pattern_of(f, m, k), x, room ? room : out, size);
                    x = room;
                }
                if (wide) sv2_contract(m, f->shapes[k], x, out);
            }
            if (wide && !sv2_all_finite(out, n)) status = SV2_NOT_FINITE;
        }
    return status;
}

/* Arguments of states for the expanded tree, in the arena. */
static const double *widened(const sv2_model *m, struct arena *arena, char letter, size_t states,
                             const double *x) {
    const struct sv2_tree *const t = m->trees;
    const char shape[] = {letter == 'f' ? 'b' : letter, letter == 'f' ? '6' : 0, 0};
    const size_t from = sv2_length(&t[SV2_PLAIN], shape), to = sv2_length(&t[SV2_EXPANDED], shape);
    double *out = take(arena, states * to * sizeof *out);
    for (size_t b = 0; b < states; b++) sv2_widen(m, letter, x + b * from, out + b * to);
    return out;
}

/* Fill results of some states, beginning with the first. */
static int compute(const struct sv2_function *f, const sv2_model *m, const struct sv2_view *view,
                   struct arena *arena, int form, int simd, size_t first, size_t states,
                   const double *const *given, const double *f_ext, double *const *results) {
    const struct sv2_tree *const plain = &m->trees[SV2_PLAIN];
    const double *shifted[SV2_MOST_ARGUMENTS];
    double *into[SV2_MOST_RESULTS], *room = NULL;
    const int wide = is_wide(f, m), direct = is_direct(f, m, form);
    const double *force = f_ext ? f_ext + first * 6 * (size_t)plain->NB : NULL;
    for (int k = 0; f->arguments[k]; k++) {
        shifted[k] = given[k] + first * sv2_length_of(plain, f->arguments[k]);
        if (wide) shifted[k] = widened(m, arena, f->arguments[k], states, shifted[k]);
    }
    if (wide && force) force = widened(m, arena, 'f', states, force);
    for (int k = 0; k < f->results; k++) {
        const size_t n = states * row(f, m, form, k, states);
        if (direct && k < returned(f)) into[k] = results[k] + first * written(f, m, k);
        else into[k] = take(arena, n * sizeof **into);
        if (!simd && f->family < 0 && n) memset(into[k], 0, n * sizeof **into);
    }
    if (wide && f->family >= 0)
        room = take(arena, sv2_length(tree_of(f, m), f->shapes[0]) * sizeof *room);
    int status = run(f, m, view, form, simd, states, shifted, force, into);
    if (f->told && status == SV2_DONE) {
        const size_t n = written(f, m, f->results - 1);
        const double *const tells = into[f->results - 1];
        if (simd && f->shapes[f->results - 1][0] == 'R')
            solve_again(f, m, view, arena, form, states, shifted, force, into);
        for (size_t b = 0; b < states; b++) {
            const int now = outcome(f, view, tells[b * n]);
            if (now > status) status = now;
        }
    }
    for (int k = 0; k < returned(f); k++)
        for (size_t b = 0; b < states && status == SV2_DONE; b++)
            if (!sv2_all_finite(into[k] + b * row(f, m, form, k, states), written(f, m, k)))
                status = SV2_NOT_FINITE;
    if (!direct && form != SV2_NO_RESULTS) {
        const int last = convert(f, m, form, states, into, results, first, room);
        if (last > status) status = last;
    }
    return status;
}

/* The number of states that are computed at once, and if that is in SIMD batches. */
static size_t slab(const struct sv2_function *f, const sv2_model *m, int force, int *simd) {
    const struct sv2_tree *const tree = tree_of(f, m);
    size_t in = force ? 6 * (size_t)tree->NB : 0, out = 0;
    const size_t lanes = (size_t)sv2_levels[m->level].lanes;
    for (int k = 0; f->arguments[k]; k++) in += sv2_length_of(tree, f->arguments[k]);
    for (int k = 0; k < f->results; k++) out += written(f, m, k);
    *simd = lanes > 1 && !f->sums && (f->family >= 0 || lanes * out <= LARGEST);
    if (!*simd) return 1;
    const size_t most = f->family < 0 ? BLOCKS * BLOCK / (in + out + 1) : VALUES / (out + 1);
    return most > lanes ? most / lanes * lanes : lanes;
}

/* Test if an array is null; one without numbers may be. */
static int missing(const struct sv2_function *f, const sv2_model *m, int form,
                   const double *const *given, double *const *results) {
    for (int k = 0; f->arguments[k]; k++)
        if (!given[k] && sv2_length_of(&m->trees[SV2_PLAIN], f->arguments[k])) return 1;
    for (int k = 0; k < returned(f); k++)
        if (!results[k] && size_of(f, m, form, k)) return 1;
    return 0;
}

static int meet(const double *x, size_t n, const double *y, size_t m) {
    const uintptr_t a = (uintptr_t)x, b = (uintptr_t)y;
    return a < b + m * sizeof *y && b < a + n * sizeof *x;
}

/* Test if a result overlaps an argument or another result. */
static int overlap(const struct sv2_function *f, const sv2_model *m, int form, size_t states,
                   const double *const *given, const double *f_ext, double *const *results) {
    const struct sv2_tree *const plain = &m->trees[SV2_PLAIN];
    for (int k = 0; k < returned(f); k++) {
        const size_t n = states * size_of(f, m, form, k);
        for (int i = 0; f->arguments[i]; i++)
            if (meet(results[k], n, given[i], states * sv2_length_of(plain, f->arguments[i])))
                return 1;
        if (f_ext && meet(results[k], n, f_ext, states * 6 * (size_t)plain->NB)) return 1;
        for (int i = 0; i < k; i++)
            if (meet(results[k], n, results[i], states * size_of(f, m, form, i))) return 1;
    }
    return 0;
}

static int with_workspace(const struct sv2_function *f, const sv2_model *m,
                          const struct sv2_view *view, int form, int batch, size_t states,
                          const double *const *given, const double *f_ext, double *const *results,
                          void *workspace, size_t size, size_t *taken) {
    struct arena arena, *const before = current;
    volatile int status = SV2_DONE;
    int simd = 0;
    const size_t most = batch ? slab(f, m, f_ext != NULL, &simd) : 1;
    arena.taken = 0;
    current = &arena;
    if (setjmp(arena.full)) {
        current = before;
        return SV2_WORKSPACE;
    }
    for (size_t first = 0; first < states; first += most) {
        const size_t count = states - first < most ? states - first : most;
        begin(&arena, workspace, size);
        const int now =
            compute(f, m, view, &arena, form, simd, first, count, given, f_ext, results);
        if (now > status) status = now;
    }
    current = before;
    if (taken) *taken = arena.taken;
    return status;
}

/* What is wrong with a call of some states, or 0. */
static int wrong(const struct sv2_function *f, const sv2_model *m, int form, size_t states,
                 const double *const *given, const double *f_ext, double *const *results,
                 const void *workspace) {
    if (!m || !workspace || (states && missing(f, m, form, given, results))) return SV2_NULL;
    if ((m->has_terms && !f->terms) || (m->rotors && f->sums)) return SV2_UNSUPPORTED;
    return states && overlap(f, m, form, states, given, f_ext, results) ? SV2_OVERLAP : SV2_DONE;
}

int sv2_call(const struct sv2_function *f, const sv2_model *m, const struct sv2_view *view,
             int form, const double *const *given, const double *f_ext, double *const *results,
             void *workspace, size_t size) {
    const int fault = wrong(f, m, form, 1, given, f_ext, results, workspace);
    if (fault) return fault;
    return with_workspace(f, m, view, form, 0, 1, given, f_ext, results, workspace, size, NULL);
}

int sv2_call_batch(const struct sv2_function *f, const sv2_model *m, const struct sv2_view *view,
                   int form, size_t states, const double *const *given, const double *f_ext,
                   double *const *results, void *workspace, size_t size) {
    const int fault = wrong(f, m, form, states, given, f_ext, results, workspace);
    if (fault) return fault;
    return with_workspace(f, m, view, form, 1, states, given, f_ext, results, workspace, size,
                          NULL);
}

size_t sv2_demand(const struct sv2_function *f, const sv2_model *m, const struct sv2_view *view,
                  int batch) {
    if (!m) return 0;
    if (m->rotors && f->sums) return LINE; /* the call is refused */
    int simd = 0, force = f->force;
    const struct sv2_tree *const plain = &m->trees[SV2_PLAIN];
    const size_t states = batch ? slab(f, m, 0, &simd) : 1;
    size_t in = 1, out = 1, taken = 0;
    for (int k = 0; f->arguments[k]; k++) in += states * sv2_length_of(plain, f->arguments[k]);
    if (force) in += states * 6 * (size_t)plain->NB;
    for (int k = 0; f->family < 0 && k < f->results; k++) out += states * size_of(f, m, SV2_DENSE, k);
    double *numbers = calloc(in + out, sizeof *numbers);
    /* Of states that are not finite, all that can be tried is tried. */
    for (size_t k = 0; f->told && numbers && k < in; k++) numbers[k] = NAN;
    const double *given[SV2_MOST_ARGUMENTS], *f_ext = force ? numbers : NULL;
    double *results[SV2_MOST_RESULTS];
    for (int k = 0; k < SV2_MOST_ARGUMENTS; k++) given[k] = numbers;
    for (int k = 0; k < SV2_MOST_RESULTS; k++) results[k] = numbers ? numbers + in : NULL;
    int status = numbers ? SV2_WORKSPACE : SV2_NO_MEMORY;
    for (size_t size = 1 << 14; status == SV2_WORKSPACE && size; size *= 2) {
        void *workspace = malloc(size);
        if (!workspace) break;
        for (int with = 0; with <= force; with++) {
            size_t now = 0;
            status = with_workspace(f, m, view, SV2_NO_RESULTS, batch, states, given,
                                    with ? f_ext : NULL, results, workspace, size, &now);
            if (status == SV2_WORKSPACE) break;
            taken = now > taken ? now : taken;
        }
        free(workspace);
    }
    free(numbers);
    return status == SV2_DONE || status == SV2_NOT_FINITE || status > SV2_SIZE ? taken + LINE : 0;
}
