/* What the MEX files share: functions as MATLAB calls them, joints by their codes, models. */
#ifndef SV2_MEX_H
#define SV2_MEX_H

#include <stdint.h>

#include "mex.h"
#include "spatial_v2.h"
#include "sv2_internal.h"

/* Bytes before the arrays of a record; a checksum comes 8 bytes before them. */
enum { SV2_MEX_HEAD = 64 };

/* A function: its arguments, its results, and calls for one state and for many. */
struct sv2_mex_function {
    const char *name, *usage;
    const char *letters, *arguments[SV2_MOST_ARGUMENTS]; /* q or v, and a name, for each */
    int force, fields, results; /* takes forces; results are fields of a struct */
    const char *names[SV2_MOST_RESULTS], *shapes[SV2_MOST_RESULTS];
    size_t (*one_workspace)(const sv2_model *), (*many_workspace)(const sv2_model *);
    int (*one)(const sv2_model *, const double *const *given, const double *f_ext,
               double *const *results, void *workspace, size_t size);
    int (*many)(const sv2_model *, size_t states, const double *const *given, const double *f_ext,
                double *const *results, void *workspace, size_t size);
};

/* A joint type: numbers for kernels, and the kind of model to which it belongs. */
struct sv2_mex_joint {
    const char *code;
    int kind, axis, nq, nv, sign, planar, helical;
};

/* A coupling of the tree's joints: the matrix G and the offset, or null; which rows belong to joints with
 * one variable; the joint of the tree that each joint of a call is. */
struct sv2_mex_coupling {
    const double *G, *offset;
    char *single;
    size_t joints, positions, variables, entries;
    int64_t *joint;
};

/* A model that has been seen, and the sizes of workspaces of functions for one state and many. */
struct sv2_mex_model {
    size_t NB, NQ, NV, rotors, size; /* variables of calls; bytes of the model file */
    size_t tree_NQ, tree_NV, head;
    struct sv2_mex_coupling coupling; /* of the present call */
    int planar;
    sv2_model *model;
    unsigned char *record;
    uint64_t mark; /* the last word of the prepared model */
    size_t demand[2][64];
};

extern const struct sv2_mex_function sv2_mex_functions[];
extern const struct sv2_mex_joint sv2_mex_joints[];
extern const int sv2_mex_function_count, sv2_mex_joint_count;

/* The model of a struct or a prepared one: an earlier one if its numbers are the same, else checked
 * and kept. */
SV2_HIDDEN struct sv2_mex_model *sv2_mex_model_of(const mxArray *model);
/* A prepared model has all numbers of a struct in one array, so that a call reads no fields. */
SV2_HIDDEN int sv2_mex_is_prepared(const mxArray *model);
SV2_HIDDEN mxArray *sv2_mex_prepare(const mxArray *model);
SV2_HIDDEN void sv2_mex_forget(void);

/* Read a struct into a record in the scratch memory, and which bodies have rotors; check its numbers;
 * memory of at least a size, which keeps its bytes if it need not grow. */
SV2_HIDDEN struct sv2_mex_model sv2_mex_read(const mxArray *model, int **has);
SV2_HIDDEN void sv2_mex_check_model(const struct sv2_mex_model *m, const int *has);
SV2_HIDDEN unsigned char *sv2_mex_scratch(size_t size);
SV2_HIDDEN void sv2_mex_free_scratch(void);

/* Complete the spatial transform, or inertia, of which a planar one has been filled in. */
SV2_HIDDEN void sv2_mex_lift_transform(double *X);
SV2_HIDDEN void sv2_mex_lift_inertia(double *I);
/* Refuse what is no transform, or no inertia of a rigid body. */
SV2_HIDDEN void sv2_mex_check_body(const double *X, const double *I, const char *suffix, size_t i);

/* Test if a struct has a coupling; read and check it. */
SV2_HIDDEN int sv2_mex_is_coupled(const mxArray *model);
SV2_HIDDEN struct sv2_mex_coupling sv2_mex_coupling_of(const mxArray *model,
                                                       const struct sv2_mex_joint **types,
                                                       size_t NB);
/* The words of a coupling in a model file, and of limits and names, which are empty. */
SV2_HIDDEN size_t sv2_mex_coupling_words(const struct sv2_mex_coupling *c, size_t NB, size_t NV);
SV2_HIDDEN void sv2_mex_write_coupling(const struct sv2_mex_coupling *c, size_t NV, int64_t *words);

/* Which bodies have rotors, and how many; a field of one of them, and its gear ratio. */
SV2_HIDDEN size_t sv2_mex_rotors(const mxArray *model, size_t NB, int *has);
SV2_HIDDEN const mxArray *sv2_mex_rotor_field(const mxArray *model, const char *name, size_t i);
SV2_HIDDEN double sv2_mex_ratio(const mxArray *model, size_t i);

/* Values of an argument, in columns of n for each state; none, or one state for all. */
struct sv2_columns {
    const double *at;
    size_t n, states;
};

/* A vector for each state: n x 1, n x N, or 1 x n. */
SV2_HIDDEN struct sv2_columns sv2_mex_vector(const mxArray *x, const char *name, size_t n);
/* External forces: a cell of NB vectors, empty ones for none, or an array with NB columns. */
SV2_HIDDEN struct sv2_columns sv2_mex_force(const mxArray *x, const struct sv2_mex_model *m);
/* The columns of some of all states for the library; where there is only one, it is repeated. */
SV2_HIDDEN const double *sv2_mex_part(const struct sv2_columns *c, size_t first, size_t count,
                                      size_t states);

/* Numbers of a real, full array of doubles, the entry of a cell if it has a number; other kinds of
 * values are left to the original. */
SV2_HIDDEN const double *sv2_mex_numbers(const mxArray *x, const char *name, size_t entry);

/* End the call: with an error, or with what the function further on the path makes of it. */
SV2_HIDDEN void sv2_mex_fail(const char *format, ...);
SV2_HIDDEN void sv2_mex_leave(const char *format, ...);

#endif
