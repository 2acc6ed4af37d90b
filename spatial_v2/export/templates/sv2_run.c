/* Runs of kernels: their arguments as words, and the outcome that they tell. */
#include <math.h>
#include <string.h>

#include "sv2_call.h"

static int64_t address(const void *x) { return (int64_t)(intptr_t)x; }

/* The words of the record of a call, in `made` if the model does not have them. */
static const int64_t *record_of(const struct sv2_call *c, int64_t *made) {
    if (c->view) return c->view->words;
    if (c->in_y) sv2_lay_coupled(c->m, made);
    else if (c->f->sums) sv2_lay_sums(c->m, made);
    else return c->tree->words;
    return made;
}

static int run(const struct sv2_call *c, struct sv2_arena *arena, int simd, size_t states,
               const double *const *given, const double *f_ext, double *const *results) {
    const struct sv2_function *const f = c->f;
    const struct sv2_tree *const tree = c->tree;
    const int level = c->m->level;
    int64_t made[SV2_COUPLED_WORDS];
    const int64_t *const record = record_of(c, made);
    const uint32_t *const lengths = c->driven ? c->m->trees[SV2_CALL].lengths : c->lengths;
    enum { WORDS = 1 + 3 * SV2_MOST_ARGUMENTS + 8 + 5 * SV2_MOST_RESULTS, MATRICES = 20 };
    enum { SAME, POSITIONS, VELOCITIES, SHORTER };
    int64_t words[WORDS], *word = words, wide[WORDS], moves[WORDS];
    int64_t axes[SV2_MOST_ARGUMENTS + 2 + SV2_MOST_RESULTS], arrays = 0, arguments;
    if (c->driven) memset(moves, SAME, sizeof moves);
    *word++ = simd ? 0 : address(arena);
    for (int k = 0; k < c->arguments; k++) {
        *word++ = address(given[k]);
        *word++ = (int64_t)states;
        *word++ = (int64_t)c->wide_in[k];
        if (c->driven) {
            if (f->arguments[k] == 'q') moves[word - words - 1] = POSITIONS;
            if (f->arguments[k] == 'v') moves[word - words - 1] = VELOCITIES;
            wide[word - words - 1] = sv2_length_of(c->lengths, f->arguments[k]);
        }
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
        if (f->family >= 0) *word++ = (int64_t)sv2_row(c, k, states);
        else
            for (const char *x = f->shapes[k]; *x; x++) {
                const int64_t own = sv2_length_of(lengths, *x);
                if (c->driven) {
                    const int64_t n = sv2_length_of(c->lengths, *x);
                    wide[word - words] = n;
                    moves[word - words] = *x == 'v' ? VELOCITIES : n != own ? SHORTER : SAME;
                }
                *word++ = wanted * own;
            }
        axes[arrays++] = word - first - 1;
    }
    uint8_t finite[8] = {0};
    void *exception = NULL;
    int32_t status;
    if (simd) {
        const int64_t kernel = (int64_t)(intptr_t)(c->in_y ? f->batch_in_y : f->batch)[level];
        const int64_t count = word - words, of[] = {0, address(record), address(words), count,
                                                    address(axes), arrays, arguments, f->family < 0};
        int64_t call[8 + MATRICES + 4];
        memcpy(call, of, sizeof of);
        if (c->driven) {
            word = sv2_lay_spread(c->driven, call + 8);
            *word++ = address(wide), *word++ = count, *word++ = address(moves), *word++ = count;
        }
        sv2_kernel *const drive = c->driven ? sv2_levels[level].drive_spread : sv2_levels[level].drive;
        status = drive(finite, &exception, address(&kernel), address(call));
    } else {
        sv2_kernel *const kernel = (c->in_y ? f->state_in_y : f->state)[level];
        status = kernel(finite, &exception, address(record), address(words));
    }
    return status ? SV2_FAILED : SV2_DONE;
}

/* The status of a state, from the first number of what its kernel tells: the outcome of the equations
 * of motion, as `engine.parts.outcomes` names them, or a doubt. */
static int outcome(const struct sv2_call *c, double x) {
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
static void solve_again(const struct sv2_call *c, struct sv2_arena *arena, size_t states,
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

int sv2_run(const struct sv2_call *c, struct sv2_arena *arena, int simd, size_t states,
            const double *const *given, const double *f_ext, double *const *results) {
    int status = run(c, arena, simd, states, given, f_ext, results);
    if (!c->f->told || status) return status;
    const double *const tells = results[c->returned];
    if (simd && c->f->shapes[c->returned][0] == 'R')
        solve_again(c, arena, states, given, f_ext, results);
    for (size_t b = 0; b < states; b++) {
        const int now = outcome(c, tells[b * c->written[c->returned]]);
        if (now > status) status = now;
    }
    return status;
}
