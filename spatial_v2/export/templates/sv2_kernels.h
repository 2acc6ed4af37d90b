/* Kernels, and what they are given: functions, trees, views, memory; nothing here is public. */
#ifndef SV2_KERNELS_H
#define SV2_KERNELS_H

#include <setjmp.h>

#include "spatial_v2.h"

#if defined(__GNUC__) && !defined(_WIN32)
#define SV2_HIDDEN __attribute__((visibility("hidden")))
#else
#define SV2_HIDDEN
#endif

enum { SV2_MOST_ARGUMENTS = 8, SV2_MOST_RESULTS = 16, SV2_MOST_TENSORS = 4, SV2_MOST_LEVELS = 4 };

/* The tree on which a kernel runs: bodies without rotors; rotors as bodies whose joints move by
 * themselves; rotors as bodies that move with the joints of others. The three are one without
 * rotors. The last two are no trees, but the lengths of arrays: those of kernels that solve for
 * accelerations of a coupled model, and those of a call. */
enum { SV2_PLAIN, SV2_EXPANDED, SV2_GEARED, SV2_SOLVED, SV2_CALL, SV2_TREES };

/* How a function takes a coupled model: results of the tree are multiplied by G, the function has a
 * kernel for it, or it does not. */
enum { SV2_PULLED_BACK, SV2_IN_Y, SV2_NOT_COUPLED };

/* A compiled kernel: its status; a flag, an exception, addresses of the words of tree and arrays. */
typedef int32_t sv2_kernel(uint8_t *finite, void **exception, int64_t tree, int64_t arrays);

/* The numbers of words of a tree, and of a tree with constraints and equations of motion; a tree with
 * axes and the kind of acceleration has fewer. */
enum { SV2_TREE_WORDS = 28, SV2_VIEW_WORDS = 53, SV2_COUPLED_WORDS = 65 };

/* A function: letters of the lengths of its arguments and results, and its kernels. */
struct sv2_function {
    const char *arguments; /* one letter each: q, v or 6 */
    int force, frame;      /* takes external forces in base coordinates, and in those of bodies */
    int tree, terms;       /* the tree of its kernels; supports joint terms */
    int results, told;                    /* the last result tells how a state ended */
    const char *shapes[SV2_MOST_RESULTS]; /* letters: q, v, b for NB, m for constraint rows, z for
                                             NV + m, R for a report on m rows, digits */
    int family;                           /* index of its runs, or -1 */
    int sums;                             /* its kernel, for one state, takes a table of sums */
    int optional;                         /* results for one state may be null: not wanted;
                                             the kernel writes all entries of the others */
    int coupled;                          /* how it takes coupled models; then kernels for these */
    sv2_kernel *state[SV2_MOST_LEVELS], *batch[SV2_MOST_LEVELS];
    sv2_kernel *state_in_y[SV2_MOST_LEVELS], *batch_in_y[SV2_MOST_LEVELS];
};

/* A level of processors: its SIMD width, and what runs its kernels for batches; at the addresses
 * that this takes are the kernel's, and its other arguments. The second one is for batches of states
 * of fewer variables than the tree has. */
struct sv2_level {
    const char *name;
    int lanes;
    sv2_kernel *drive, *drive_spread;
};

/* Lengths of axes by their letters, from '0' on. */
enum { SV2_LETTERS = 'z' - '0' + 1 };

/* A tree as kernels take it, by addresses and lengths; lengths of arguments and results. */
struct sv2_tree {
    int64_t NB, NQ, NV;
    int64_t words[SV2_TREE_WORDS];
    uint32_t lengths[SV2_LETTERS];
};

/* Fill the lengths of a tree, with rows of constraints. */
SV2_HIDDEN void sv2_lay_lengths(const struct sv2_tree *tree, size_t rows, uint32_t *lengths);

static inline size_t sv2_length_of(const uint32_t *lengths, char letter) {
    return lengths[letter - '0'];
}

static inline size_t sv2_length(const uint32_t *lengths, const char *shape) {
    size_t n = 1;
    while (*shape) n *= sv2_length_of(lengths, *shape++);
    return n;
}

/* A frame as kernels see it: the chain of bodies that ends in it, axes, the kind of acceleration; or a
 * tree with constraints, which are soft if dependent ones have a solution. */
struct sv2_view {
    int64_t words[SV2_VIEW_WORDS];
    const uint32_t *lengths; /* with the rows of constraints; null for a frame */
    int soft;
};

/* The workspace of a call: its address, the bytes that are taken and those that it has, as kernels
 * for one state know them, which take memory by themselves. Memory is taken in order, and only the
 * last is given back. Where there is not enough, the call ends at `full`. */
struct sv2_arena {
    int64_t memory, taken, size, most, last, end; /* where the last begins and ends */
    jmp_buf full;
};

/* Make an arena that of the thread's call, and return the one before; begin with all of a workspace;
 * take memory; give back all beyond a number of bytes. */
SV2_HIDDEN struct sv2_arena *sv2_enter(struct sv2_arena *arena);
SV2_HIDDEN void sv2_begin(struct sv2_arena *arena, void *workspace, size_t size);
SV2_HIDDEN void *sv2_take_from(struct sv2_arena *arena, size_t size);
SV2_HIDDEN void sv2_give_back(struct sv2_arena *arena, int64_t taken);

/* What compiled code calls: arrays, and memory that is given back before any other is taken. */
SV2_HIDDEN void *sv2_allocate(size_t size, uint32_t align);
SV2_HIDDEN void *sv2_allocate_plain(size_t size);
SV2_HIDDEN void *sv2_take(size_t size);
SV2_HIDDEN void sv2_release(void *at);
SV2_HIDDEN void sv2_unused(void *allocation);
SV2_HIDDEN void sv2_raise(void *kind, const char *message);
extern SV2_HIDDEN void *sv2_error;

#endif
