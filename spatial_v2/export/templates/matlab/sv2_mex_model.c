/* MATLAB's model structs as models of the library, checked completely when they are new. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sv2_mex.h"

enum { HEAD = 64, KEPT = 8, WORDS = 1 + 6 + 2 + 36 + 36, MOST = 65536 };

static const int PLANE[3] = {2, 3, 4};

static struct sv2_mex_model kept[KEPT];
static int next_place;
static unsigned char *scratch;
static size_t scratch_size;

void sv2_mex_forget(void) {
    for (int k = 0; k < KEPT; k++) {
        sv2_model_free(kept[k].model);
        free(kept[k].record);
    }
    memset(kept, 0, sizeof kept);
    free(scratch);
    scratch = NULL;
    scratch_size = 0;
}

static const mxArray *field(const mxArray *model, const char *name) {
    const mxArray *x = mxGetField(model, 0, name);
    return x && !mxIsEmpty(x) ? x : NULL;
}

/* A field that is a cell of one entry for each body. */
static const mxArray *cells(const mxArray *model, const char *name, size_t NB) {
    const mxArray *x = mxGetField(model, 0, name);
    if (!x) sv2_mex_fail("model.%s is missing", name);
    if (!mxIsCell(x)) sv2_mex_fail("model.%s: want a cell, got a %s", name, mxGetClassName(x));
    if (mxGetNumberOfElements(x) != NB)
        sv2_mex_fail("model.%s: want %zu cells, one for each body, got %zu", name, NB,
                     mxGetNumberOfElements(x));
    return x;
}

/* A row-major matrix from an entry of a cell, for planar models within a spatial one. */
static void matrix(const mxArray *all, const char *name, size_t i, size_t d, double *out) {
    const mxArray *x = mxGetCell(all, i);
    if (!x) sv2_mex_fail("%s{%zu}: want a %zux%zu matrix, got nothing", name, i + 1, d, d);
    const double *from = sv2_mex_numbers(x, name, i + 1);
    if (mxGetNumberOfDimensions(x) != 2 || mxGetM(x) != d || mxGetN(x) != d)
        sv2_mex_fail("%s{%zu}: want a %zux%zu matrix, got %zux%zu", name, i + 1, d, d, mxGetM(x),
                     mxGetN(x));
    if (d == 3) memset(out, 0, 36 * sizeof *out);
    for (size_t column = 0; column < d; column++)
        for (size_t row = 0; row < d; row++)
            if (d == 6) out[6 * row + column] = from[d * column + row];
            else out[6 * PLANE[row] + PLANE[column]] = from[d * column + row];
}

static void read_parents(const mxArray *x, size_t NB, int64_t *out) {
    const double *parent = sv2_mex_numbers(x, "model.parent", 0);
    for (size_t i = 0; i < NB; i++) {
        if (!(parent[i] >= 0 && parent[i] <= (double)i && parent[i] == floor(parent[i])))
            sv2_mex_fail("model.parent(%zu): want the number of a body before it, counted from 1, "
                         "or 0 for the fixed base, got %g", i + 1, parent[i]);
        out[i] = (int64_t)parent[i] - 1;
    }
}

static double pitch_of(const mxArray *joint, size_t i) {
    const mxArray *pars = mxIsStruct(joint) ? mxGetField(joint, 0, "pars") : NULL;
    const mxArray *pitch = pars && mxIsStruct(pars) ? mxGetField(pars, 0, "pitch") : NULL;
    if (!pitch || !mxIsDouble(pitch) || mxGetNumberOfElements(pitch) != 1 ||
        !isfinite(mxGetScalar(pitch)))
        sv2_mex_fail("model.jtype{%zu}: a helical joint needs its pitch, a finite number, in "
                     "pars.pitch", i + 1);
    return mxGetScalar(pitch);
}

static const struct sv2_mex_joint *joint_of(const mxArray *entry, size_t i) {
    const mxArray *code = entry && mxIsStruct(entry) ? mxGetField(entry, 0, "code") : entry;
    char text[8] = "";
    if (!code || !mxIsChar(code))
        sv2_mex_fail("model.jtype{%zu}: want a joint code such as 'Rz', or a struct with code and "
                     "pars", i + 1);
    const int cut = mxGetString(code, text, sizeof text);
    for (int k = 0; !cut && k < sv2_mex_joint_count; k++)
        if (!strcmp(sv2_mex_joints[k].code, text)) return sv2_mex_joints + k;
    sv2_mex_leave("model.jtype{%zu}: unknown joint code '%s'", i + 1, text);
    return NULL;
}

static void read_joints(const mxArray *jtype, struct sv2_mex_model *m, int64_t *joint,
                        double *par) {
    for (size_t i = 0; i < m->NB; i++, joint += 6, par += 2) {
        const mxArray *entry = mxGetCell(jtype, i);
        const struct sv2_mex_joint *type = joint_of(entry, i);
        if (type->planar != m->planar)
            sv2_mex_fail("model.jtype{%zu}: '%s' is a joint of %s models, and Xtree is %s", i + 1,
                         type->code, type->planar ? "planar" : "spatial",
                         m->planar ? "planar" : "spatial");
        const int64_t row[6] = {type->kind, type->axis, (int64_t)m->NQ, (int64_t)m->NV,
                                type->nv, -1};
        memcpy(joint, row, sizeof row);
        par[0] = type->sign;
        par[1] = type->helical ? pitch_of(entry, i) : 0;
        m->NQ += (size_t)type->nq;
        m->NV += (size_t)type->nv;
    }
}

static void read_gravity(const mxArray *model, int planar, double *out) {
    const mxArray *x = field(model, "gravity");
    out[0] = out[1] = 0;
    out[2] = planar ? 0 : -9.81;
    if (!x) return;
    const double *g = sv2_mex_numbers(x, "model.gravity", 0);
    const size_t n = mxGetNumberOfElements(x);
    if (n != 3 && !(planar && n == 2))
        sv2_mex_fail("model.gravity: want %d numbers, got %zu", planar ? 2 : 3, n);
    memcpy(out, g, (planar ? 2 : 3) * sizeof *out);
    for (int k = 0; k < 3; k++)
        if (!isfinite(out[k])) sv2_mex_fail("model.gravity: want finite numbers");
}

static void refuse_rotors(const mxArray *model) {
    const mxArray *x = field(model, "has_rotor");
    if (!x) return;
    if (!mxIsDouble(x) && !mxIsLogical(x)) sv2_mex_fail("model.has_rotor: want truth values");
    for (size_t i = 0; i < mxGetNumberOfElements(x); i++)
        if (mxIsLogical(x) ? mxGetLogicals(x)[i] : mxGetPr(x)[i] != 0)
            sv2_mex_leave("model.has_rotor: models with geared rotors are not compiled");
}

/* Fill the scratch record; the counts of the model. */
static struct sv2_mex_model read_struct(const mxArray *model) {
    struct sv2_mex_model m = {0};
    if (!mxIsStruct(model) || mxGetNumberOfElements(model) != 1)
        sv2_mex_fail("model: want a struct, got a %s", mxGetClassName(model));
    const mxArray *parent = field(model, "parent"), *NB = field(model, "NB");
    if (!parent) sv2_mex_fail("model.parent is missing");
    m.NB = mxGetNumberOfElements(parent);
    if (m.NB > MOST) sv2_mex_fail("model.parent: want at most %d bodies, got %zu", MOST, m.NB);
    if (NB && mxGetScalar(NB) != (double)m.NB)
        sv2_mex_fail("model.NB is %g, and model.parent has %zu entries", mxGetScalar(NB), m.NB);
    const mxArray *jtype = cells(model, "jtype", m.NB), *Xtree = cells(model, "Xtree", m.NB),
                  *I = cells(model, "I", m.NB), *first = mxGetCell(Xtree, 0);
    refuse_rotors(model);
    m.planar = first && mxGetM(first) == 3;
    m.size = HEAD + 8 * (WORDS * m.NB + 3);
    if (m.size > scratch_size) {
        free(scratch);
        scratch = malloc(m.size);
        scratch_size = scratch ? m.size : 0;
        if (!scratch) sv2_mex_fail("the memory does not suffice");
    }
    int64_t *words = (int64_t *)(scratch + HEAD);
    double *par = (double *)(words + 7 * m.NB), *X = par + 2 * m.NB, *inertia = X + 36 * m.NB;
    read_parents(parent, m.NB, words);
    read_joints(jtype, &m, words + m.NB, par);
    for (size_t i = 0; i < m.NB; i++) {
        matrix(Xtree, "model.Xtree", i, m.planar ? 3 : 6, X + 36 * i);
        matrix(I, "model.I", i, m.planar ? 3 : 6, inertia + 36 * i);
        if (!m.planar) continue;
        sv2_mex_lift_transform(X + 36 * i);
        sv2_mex_lift_inertia(inertia + 36 * i);
    }
    read_gravity(model, m.planar, inertia + 36 * m.NB);
    return m;
}

struct sv2_mex_model *sv2_mex_model_of(const mxArray *model) {
    struct sv2_mex_model m = read_struct(model);
    const uint64_t counts[5] = {m.NB, m.NQ, m.NV, 0, m.size};
    const uint32_t version[2] = {SV2_MODEL_VERSION, 0x01020304u};
    memset(scratch, 0, HEAD);
    memcpy(scratch, "sv2model", 8);
    memcpy(scratch + 8, version, sizeof version);
    memcpy(scratch + 16, counts, sizeof counts);
    for (int k = 0; k < KEPT; k++)
        if (kept[k].size == m.size && !memcmp(kept[k].record, scratch, m.size) &&
            kept[k].planar == m.planar)
            return kept + k;
    const double *X = (const double *)(scratch + HEAD) + 9 * m.NB;
    sv2_mex_check_bodies(X, X + 36 * m.NB, m.NB);
    m.record = malloc(m.size);
    if (!m.record) sv2_mex_fail("the memory does not suffice");
    memcpy(m.record, scratch, m.size);
    const uint32_t seal = sv2_checksum(scratch, m.size);
    memcpy(scratch + HEAD - 8, &seal, sizeof seal);
    const int status = sv2_model_from_memory(scratch, m.size, &m.model);
    if (status) {
        free(m.record);
        sv2_mex_fail("model: %s", sv2_message(status));
    }
    struct sv2_mex_model *place = kept + next_place;
    next_place = (next_place + 1) % KEPT;
    sv2_model_free(place->model);
    free(place->record);
    *place = m;
    return place;
}
