/* What the files of the library share; nothing here is public. */
#ifndef SV2_INTERNAL_H
#define SV2_INTERNAL_H

#include "sv2_kernels.h"

/* The largest number of variables whose tensors have positions of 32 bits. */
enum { SV2_MOST_VARIABLES = 1600 };

/* The version of a model file: without names, limits and frames, and without or with rotors; with
 * them; also with springs; also with joints that follow others. */
enum { SV2_PLAIN_VERSION = 1, SV2_ROTOR_VERSION, SV2_NAMED_VERSION, SV2_SPRUNG_VERSION,
       SV2_COUPLED_VERSION };

/* The form of results; none if only the need of memory is of interest. */
enum { SV2_NO_RESULTS, SV2_DENSE, SV2_PACKED };

/* An order of the variables p, t, r of an entry, the part of the path on which r lies, its tensor. */
struct sv2_range {
    int tensor;
    char order[4];
    char part; /* 'p': the path, 'a': above the joint of t, 'j': that joint */
};

/* The order of the values of packed tensors. */
struct sv2_runs {
    int tensors, general_count, own_count;
    const struct sv2_range *general, *own;
};

/* A matrix G between the variables of a call and those of a tree, (rows, variables), and the values
 * of the tree's variables where those of the call are zero. Row r has the entries from begin[r] to
 * begin[r + 1]. `own` is a row in which a variable is alone, with factor 1, or -1; the other entries
 * are `row`, `column` and `factor`, and the first `begun` of them are the first ones of their rows.
 * Row r begins with scale[r] times variable source[r]. A variable without a row of its own is number
 * `apart` among these; `home` is its own row, or one that no variable owns. As
 * spatial_v2/engine/extension has it. */
struct sv2_matrix {
    size_t rows, variables, terms, begun, apart_count;
    int64_t *begin, *at, *own, *home, *apart, *source, *row, *column;
    double *value, *scale, *factor, *shift;
};

/* From the variables of a call to those of a tree: of positions, and of velocities. */
struct sv2_spread {
    struct sv2_matrix q, v;
};

/* Variables that several joints share, by places at bodies. */
struct sv2_shared {
    size_t count, places;
    int64_t *variable, *own, *ends, *which, *up;
    double *factor;
};

/* The entries of a tensor (NV, NV, NV) that can be nonzero, by their positions in it: on the tree of
 * the kernel, and of the model. The two are one if a call has the tree's variables; else there are
 * terms: the kernel's entry `from` times a weight is added to the model's entry at `place`. */
struct sv2_pattern {
    size_t count, packed_count, term_count;
    uint32_t *at, *packed_at, *from, *place;
    double *weight;
};

/* Bodies in a file, whose numbers may have any alignment; the last ones are rotors, each with the
 * body that drives it. `entries` are rows of the matrix of a coupled model, in order, or null. */
struct sv2_bodies {
    int64_t count, rotors;
    const unsigned char *parent, *joint, *driver, *entries;
    uint64_t entry_count;
};

/* An item to be sorted by its key `to`, such as an entry of the tree of a kernel by the position of
 * the model's entry to which it contributes. */
struct sv2_pair {
    uint64_t to;
    uint32_t from;
};

/* The table of FD_SO_derivatives, and the numbers of entries of the tensors that it sums. */
struct sv2_sums {
    size_t rows, groups, pairs;
    uint64_t *row, *entry, *sum;
    int64_t *first, *pair, begin[4], many[SV2_MOST_TENSORS];
};

enum { SV2_ARMATURE, SV2_DAMPING, SV2_FRICTION, SV2_STIFFNESS, SV2_REST, SV2_TERMS };
enum { SV2_LOWER, SV2_UPPER, SV2_VELOCITY, SV2_EFFORT, SV2_BOUNDS };

struct sv2_model {
    struct sv2_tree trees[SV2_TREES];
    int64_t bodies; /* with rotors, which come last */
    const int64_t *parent, *joint;
    const double *par, *Xtree;
    double *I, *gravity, *terms[SV2_TERMS];
    const double *own_I; /* the inertias without payloads */
    int has_terms, level; /* the number of the level whose kernels run here */
    size_t rotors;
    const int64_t *driver; /* the body whose joint drives each rotor */
    const double *ratio;
    const struct sv2_spread *spread[SV2_TREES]; /* null for trees that have the variables of a call */
    int coupled;
    size_t joints;               /* of the variables of a call */
    const int64_t *joint_begin;  /* the first variable of each in q, in qd, and the ends; or null */
    const int64_t *above;        /* paths of the factors of a coupled model's inertia matrix */
    const double *base_least;    /* pivots that are rounding errors, without payloads; or negative */
    double *least;               /* the same with payloads */
    struct sv2_shared shared;    /* of a coupled model */
    struct sv2_pattern *patterns;       /* SV2_MOST_TENSORS for each order of values */
    struct sv2_sums sums;               /* of models without rotors, if sv2_sums_family is not -1 */
    const double *bounds[SV2_BOUNDS];   /* null in files without names */
    size_t frames;
    const int64_t *frame_body;
    const double *frame_X;
    const char **names; /* of the robot, bodies, joints and frames; null in files without them */
    void *memory; /* what to free; null if the memory is the caller's */
};

/* What a model file says of its size. */
struct sv2_head {
    char magic[8];
    uint32_t version, order;
    uint64_t NB, NQ, NV, terms, size;
    uint32_t checksum, rotors;
    uint64_t frames, text; /* the number of frames, and of the words of all names */
    /* of coupled models: numbers of joints, position and velocity variables, entries of the matrix */
    uint64_t joints, positions, variables, entries;
};

/* Memory of a model, from which its arrays are taken one after another. */
struct sv2_room {
    char *next, *end;
};

extern const struct sv2_runs *const sv2_families[];
extern const int sv2_family_count;
extern const int sv2_sums_family; /* the order of the values that are summed, or -1 */
extern const struct sv2_level sv2_levels[];

/* The number of the best level that this processor has; -1 for none. */
SV2_HIDDEN int sv2_level_here(void);

/* The checksum of a model file, whatever its head says of it. */
SV2_HIDDEN uint32_t sv2_checksum(const void *data, size_t size);
SV2_HIDDEN int sv2_read_head(const void *data, size_t size, struct sv2_head *head);
/* The position of the numbers of a file, and their number before limits, frames and names. */
SV2_HIDDEN size_t sv2_head_size(const struct sv2_head *head);
SV2_HIDDEN size_t sv2_tree_numbers(const struct sv2_head *head);
SV2_HIDDEN size_t sv2_coupling_numbers(const struct sv2_head *head);
SV2_HIDDEN int sv2_is_named(const struct sv2_head *head);
SV2_HIDDEN size_t sv2_kinds_of_terms(const struct sv2_head *head);

/* Memory for some items, aligned for all of them; null if there is not enough. What it takes. */
SV2_HIDDEN void *sv2_place(struct sv2_room *room, size_t count, size_t size);
SV2_HIDDEN size_t sv2_whole(size_t count, size_t size);

/* A matrix: the words that it needs; its memory; its rows, entry by entry; what stands beside them. */
SV2_HIDDEN size_t sv2_matrix_words(size_t rows, size_t variables, size_t entries);
SV2_HIDDEN int sv2_matrix_lay(struct sv2_matrix *G, struct sv2_room *room, size_t rows,
                              size_t variables, size_t entries);
SV2_HIDDEN void sv2_matrix_add(struct sv2_matrix *G, size_t column, double value);
SV2_HIDDEN void sv2_matrix_end_row(struct sv2_matrix *G, double shift);
SV2_HIDDEN void sv2_matrix_finish(struct sv2_matrix *G);

/* The parts of a model, from the numbers of its file; and the size of their memory. */
SV2_HIDDEN int sv2_make_tree(sv2_model *model, struct sv2_room *room, const struct sv2_head *head,
                             const unsigned char *numbers);
SV2_HIDDEN int sv2_make_spreads(sv2_model *model, struct sv2_room *room, const struct sv2_head *head,
                                const unsigned char *numbers);
SV2_HIDDEN int sv2_make_names(sv2_model *model, struct sv2_room *room, const struct sv2_head *head,
                              const unsigned char *numbers);
SV2_HIDDEN int sv2_make_patterns(sv2_model *model, struct sv2_room *room,
                                 const struct sv2_head *head, const unsigned char *numbers);
SV2_HIDDEN size_t sv2_tree_size(const struct sv2_head *head);
SV2_HIDDEN size_t sv2_spreads_size(const struct sv2_head *head, const unsigned char *numbers);
SV2_HIDDEN int sv2_make_shared(sv2_model *model, struct sv2_room *room);
SV2_HIDDEN size_t sv2_shared_words(size_t bodies, size_t rows, size_t variables);
SV2_HIDDEN size_t sv2_names_size(const struct sv2_head *head);
SV2_HIDDEN size_t sv2_patterns_size(const struct sv2_head *head, const unsigned char *numbers);
/* The table of sums of a model, whose patterns have at most `largest` entries; and its size. */
SV2_HIDDEN int sv2_make_sums(sv2_model *model, const struct sv2_bodies *bodies, size_t largest,
                             struct sv2_room *room);
SV2_HIDDEN size_t sv2_sums_size(const struct sv2_bodies *bodies, size_t variables, size_t largest);
/* The number of variables of a body in a file, and its parent, -1 for the base. */
SV2_HIDDEN size_t sv2_variables_of(const struct sv2_bodies *bodies, int64_t i);
SV2_HIDDEN int64_t sv2_body_before(const struct sv2_bodies *bodies, int64_t i);
/* The bodies of a file; the number of entries of G in the rows of a body's variables. */
SV2_HIDDEN struct sv2_bodies sv2_bodies_in(const struct sv2_head *head, const unsigned char *numbers);
SV2_HIDDEN size_t sv2_entries_of(const struct sv2_bodies *bodies, int64_t i);
SV2_HIDDEN int64_t sv2_number(const unsigned char *words, int64_t k);
/* The number of the first entry of a row of G, or of one after it. */
SV2_HIDDEN size_t sv2_first_entry(const struct sv2_bodies *bodies, int64_t row);
SV2_HIDDEN void sv2_sort(struct sv2_pair *x, size_t n);
/* The lengths of joint terms in the trees of kernels: none if all are zero. */
SV2_HIDDEN void sv2_lay_terms(sv2_model *model);
/* Test if stiffness (NV) is zero for joints with several degrees of freedom. */
SV2_HIDDEN int sv2_are_springs(const sv2_model *model, const double *stiffness);
/* Write the words of a tree: addresses of its arrays, and their lengths. */
SV2_HIDDEN void sv2_lay_out(int64_t *words, const void *const *at, int64_t bodies, int64_t terms);

/* Tests: all finite; a transform of motions to another frame; an inertia of a rigid body. */
SV2_HIDDEN int sv2_all_finite(const double *x, size_t n);
SV2_HIDDEN int sv2_is_transform(const double *X);

/* The words of a frame for kernels; returns a status. */
SV2_HIDDEN int sv2_see(const sv2_frame *frame, int axes, int classical, struct sv2_view *view);
/* The words of a tree with a table of sums. */
SV2_HIDDEN void sv2_lay_sums(const sv2_model *model, int64_t *words);
/* The words of a coupled model, for kernels that solve for accelerations. */
SV2_HIDDEN void sv2_lay_coupled(const sv2_model *model, int64_t *words);
SV2_HIDDEN int64_t *sv2_lay_spread(const struct sv2_spread *spread, int64_t *words);
/* The pivots that are rounding errors, with payloads. */
SV2_HIDDEN void sv2_weigh(sv2_model *model);
/* The words of a model with constraints for kernels; returns a status. */
SV2_HIDDEN int sv2_hold(const sv2_constraints *constraints, struct sv2_view *view);
SV2_HIDDEN const sv2_model *sv2_model_of(const sv2_frame *frame);
SV2_HIDDEN const sv2_model *sv2_model_held(const sv2_constraints *constraints);
SV2_HIDDEN const struct sv2_pattern *sv2_pattern_of(const struct sv2_function *f,
                                                    const sv2_model *model, int result);
SV2_HIDDEN size_t sv2_nonzeros(const struct sv2_function *f, const sv2_model *model, int result);
SV2_HIDDEN int sv2_pattern(const struct sv2_function *f, const sv2_model *model, int result,
                           int32_t *i, int32_t *j, int32_t *k);
/* Calls, with dense or packed results (SV2_PACKED); the view is null for functions of a tree. */
SV2_HIDDEN int sv2_call(const struct sv2_function *f, const sv2_model *model,
                        const struct sv2_view *view, int form, int batch, size_t states,
                        const double *const *given, const double *f_ext, double *const *results,
                        void *workspace, size_t size);
/* Between a call and a kernel: the tree's variables, and a result of the tree with each axis of
 * velocities multiplied by G; its axes have the letters of a shape. `apart` is room for as many
 * numbers as the result has. */
SV2_HIDDEN void sv2_widen(const struct sv2_matrix *G, const double *x, double *out);
SV2_HIDDEN void sv2_contract(const struct sv2_matrix *G, const struct sv2_tree *tree,
                             const struct sv2_tree *call, const char *shape, double *wide,
                             double *apart, double *out);
SV2_HIDDEN void sv2_contract_packed(const struct sv2_pattern *pattern, const double *wide,
                                    double *out);
SV2_HIDDEN size_t sv2_demand(const struct sv2_function *f, const sv2_model *model,
                             const struct sv2_view *view, int batch);
SV2_HIDDEN size_t sv2_frame_demand(const struct sv2_function *f, const sv2_frame *frame, int batch);
SV2_HIDDEN size_t sv2_constrained_demand(const struct sv2_function *f,
                                         const sv2_constraints *constraints, int batch);

#endif
