/* MATLAB's model structs as models of the library, checked completely when they are new. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sv2_mex.h"

enum { HEAD = SV2_MEX_HEAD, COUPLED_HEAD = 112, WORDS = 1 + 6 + 2 + 36 + 36, MOST = 65536 };

static const int PLANE[3] = {2, 3, 4};

static unsigned char *scratch;
static size_t scratch_size;

unsigned char *sv2_mex_scratch(size_t size) {
    if (size > scratch_size) {
        free(scratch);
        scratch = malloc(size);
        scratch_size = scratch ? size : 0;
        if (!scratch && size) sv2_mex_fail("the memory does not suffice");
    }
    return scratch;
}

void sv2_mex_free_scratch(void) {
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

/* A row-major matrix from the entry of a cell, for planar models within a spatial one. */
static void matrix(const mxArray *x, const char *name, size_t i, int planar, double *out) {
    const size_t d = planar ? 3 : 6;
    if (!x) sv2_mex_fail("%s{%zu}: want a %zux%zu matrix, got nothing", name, i + 1, d, d);
    const double *from = sv2_mex_numbers(x, name, i + 1);
    if (mxGetNumberOfDimensions(x) != 2 || mxGetM(x) != d || mxGetN(x) != d)
        sv2_mex_fail("%s{%zu}: want a %zux%zu matrix, got %zux%zu", name, i + 1, d, d, mxGetM(x),
                     mxGetN(x));
    if (planar) memset(out, 0, 36 * sizeof *out);
    for (size_t column = 0; column < d; column++)
        for (size_t row = 0; row < d; row++)
            if (!planar) out[6 * row + column] = from[d * column + row];
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

static double pitch_of(const mxArray *joint, const char *name, size_t i) {
    const mxArray *pars = mxIsStruct(joint) ? mxGetField(joint, 0, "pars") : NULL;
    const mxArray *pitch = pars && mxIsStruct(pars) ? mxGetField(pars, 0, "pitch") : NULL;
    if (!pitch || !mxIsDouble(pitch) || mxIsSparse(pitch) ||
        mxGetNumberOfElements(pitch) != 1 || !isfinite(mxGetScalar(pitch)))
        sv2_mex_fail("model.%s{%zu}: a helical joint needs its pitch, a finite number, in "
                     "pars.pitch", name, i + 1);
    return mxGetScalar(pitch);
}

static const struct sv2_mex_joint *joint_of(const mxArray *entry, const char *name, size_t i) {
    const mxArray *code = entry && mxIsStruct(entry) ? mxGetField(entry, 0, "code") : entry;
    char text[8] = "";
    if (!code || !mxIsChar(code))
        sv2_mex_fail("model.%s{%zu}: want a joint code such as 'Rz', or a struct with code and "
                     "pars", name, i + 1);
    const int cut = mxGetString(code, text, sizeof text);
    for (int k = 0; !cut && k < sv2_mex_joint_count; k++)
        if (!strcmp(sv2_mex_joints[k].code, text)) return sv2_mex_joints + k;
    sv2_mex_leave("model.%s{%zu}: unknown joint code '%s'", name, i + 1, text);
    return NULL;
}

/* Write the row of a joint whose variables begin at q and v; its type. */
static const struct sv2_mex_joint *read_joint(const mxArray *entry, const char *name, size_t i,
                                              int planar, size_t q, size_t v, int64_t *joint,
                                              double *par) {
    const struct sv2_mex_joint *type = joint_of(entry, name, i);
    if (type->planar != planar)
        sv2_mex_fail("model.%s{%zu}: '%s' is a joint of %s models, and Xtree is %s", name, i + 1,
                     type->code, type->planar ? "planar" : "spatial",
                     planar ? "planar" : "spatial");
    const int64_t row[6] = {type->kind, type->axis, (int64_t)q, (int64_t)v, type->nv, -1};
    memcpy(joint, row, sizeof row);
    par[0] = type->sign;
    par[1] = type->helical ? pitch_of(entry, name, i) : 0;
    return type;
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

/* The parts of a record: arrays of the bodies of a tree. */
struct record {
    int64_t *parent, *joint;
    double *par, *X, *I, *gravity, *ratio;
    int64_t *driver;
};

static struct record provide(struct sv2_mex_model *m) {
    const size_t n = m->NB + m->rotors, more = sv2_mex_coupling_words(&m->coupling, m->NB, m->tree_NV);
    m->head = more ? COUPLED_HEAD : HEAD;
    m->size = m->head + 8 * (WORDS * n + 3 + 2 * m->rotors + more);
    sv2_mex_scratch(m->size);
    memset(scratch + m->size - 8 * more, 0, 8 * more);
    int64_t *words = (int64_t *)(scratch + m->head), *driver = words + WORDS * n + 3;
    double *par = (double *)(words + 7 * n);
    const struct record r = {words, words + n, par, par + 2 * n, par + 38 * n, par + 74 * n,
                             (double *)(driver + m->rotors), driver};
    return r;
}

/* Rotors are bodies behind the others, each on the parent of the body whose joint drives it. */
static void read_rotors(const mxArray *model, const struct sv2_mex_model *m, const int *has,
                        const struct record *r) {
    size_t k = m->NB;
    for (size_t i = 0; i < m->NB; i++) {
        if (!has[i]) continue;
        const int64_t *driver = r->joint + 6 * i;
        const struct sv2_mex_joint *type =
            read_joint(sv2_mex_rotor_field(model, "jtype_rotor", i), "jtype_rotor", i, m->planar,
                       m->tree_NQ + k - m->NB, m->tree_NV + k - m->NB, r->joint + 6 * k, r->par + 2 * k);
        if (type->nv != 1 || driver[4] != 1)
            sv2_mex_leave("model.has_rotor(%zu): joints and rotors of several freedoms are not "
                          "compiled", i + 1);
        r->driver[k - m->NB] = (int64_t)i;
        r->ratio[k - m->NB] = sv2_mex_ratio(model, i);
        r->parent[k] = r->parent[i];
        matrix(sv2_mex_rotor_field(model, "Xrotor", i), "model.Xrotor", i, m->planar,
               r->X + 36 * k);
        matrix(sv2_mex_rotor_field(model, "I_rotor", i), "model.I_rotor", i, m->planar,
               r->I + 36 * k);
        k++;
    }
}

/* Fill the scratch record; the counts of the model, and which bodies have rotors. */
static struct sv2_mex_model read_struct(const mxArray *model, int **has) {
    struct sv2_mex_model m = {0};
    if (!mxIsStruct(model)) sv2_mex_fail("model: want a struct, got a %s", mxGetClassName(model));
    if (mxGetNumberOfElements(model) != 1)
        sv2_mex_fail("model: want one struct, got %zu", mxGetNumberOfElements(model));
    const mxArray *parent = field(model, "parent"), *NB = field(model, "NB");
    if (!parent) sv2_mex_fail("model.parent is missing");
    m.NB = mxGetNumberOfElements(parent);
    if (m.NB > MOST) sv2_mex_fail("model.parent: want at most %d bodies, got %zu", MOST, m.NB);
    if (NB && (!mxIsNumeric(NB) || mxIsSparse(NB)))
        sv2_mex_fail("model.NB: want a number, got a %s", mxGetClassName(NB));
    if (NB && mxGetScalar(NB) != (double)m.NB)
        sv2_mex_fail("model.NB is %g, and model.parent has %zu entries", mxGetScalar(NB), m.NB);
    const mxArray *jtype = cells(model, "jtype", m.NB), *Xtree = cells(model, "Xtree", m.NB),
                  *I = cells(model, "I", m.NB), *first = mxGetCell(Xtree, 0);
    *has = mxMalloc(m.NB * sizeof **has);
    m.rotors = sv2_mex_rotors(model, m.NB, *has);
    m.planar = first && mxGetM(first) == 3;
    const struct sv2_mex_joint **types = mxMalloc(m.NB * sizeof *types);
    for (size_t i = 0; i < m.NB; i++) {
        types[i] = joint_of(mxGetCell(jtype, i), "jtype", i);
        m.tree_NV += (size_t)types[i]->nv;
    }
    m.coupling = sv2_mex_coupling_of(model, types, m.NB);
    const struct record r = provide(&m);
    read_parents(parent, m.NB, r.parent);
    m.tree_NV = 0;
    for (size_t i = 0; i < m.NB; i++) {
        read_joint(mxGetCell(jtype, i), "jtype", i, m.planar, m.tree_NQ, m.tree_NV,
                   r.joint + 6 * i, r.par + 2 * i);
        m.tree_NQ += (size_t)types[i]->nq;
        m.tree_NV += (size_t)types[i]->nv;
        matrix(mxGetCell(Xtree, i), "model.Xtree", i, m.planar, r.X + 36 * i);
        matrix(mxGetCell(I, i), "model.I", i, m.planar, r.I + 36 * i);
    }
    read_rotors(model, &m, *has, &r);
    if (m.coupling.G)
        sv2_mex_write_coupling(&m.coupling, m.tree_NV, (int64_t *)(r.ratio + m.rotors));
    m.NQ = m.coupling.G ? m.coupling.positions : m.tree_NQ;
    m.NV = m.coupling.G ? m.coupling.variables : m.tree_NV;
    mxFree(types);
    for (size_t i = 0; m.planar && i < m.NB + m.rotors; i++) {
        sv2_mex_lift_transform(r.X + 36 * i);
        sv2_mex_lift_inertia(r.I + 36 * i);
    }
    read_gravity(model, m.planar, r.gravity);
    return m;
}

static void write_head(const struct sv2_mex_model *m) {
    const struct sv2_mex_coupling *const c = &m->coupling;
    const uint64_t counts[5] = {m->NB, m->tree_NQ, m->tree_NV, 0, m->size};
    const uint64_t more[6] = {0, (1 + m->NB + c->joints + 7) / 8, c->joints, c->positions,
                              c->variables, c->entries};
    const uint32_t version[2] = {c->G        ? SV2_COUPLED_VERSION
                                 : m->rotors ? SV2_ROTOR_VERSION
                                             : SV2_PLAIN_VERSION,
                                 0x01020304u};
    const uint32_t end[2] = {0, (uint32_t)m->rotors};
    memset(scratch, 0, m->head);
    memcpy(scratch, "sv2model", 8);
    memcpy(scratch + 8, version, sizeof version);
    memcpy(scratch + 16, counts, sizeof counts);
    memcpy(scratch + HEAD - 8, end, sizeof end);
    if (c->G) memcpy(scratch + HEAD, more, sizeof more);
}

void sv2_mex_check_model(const struct sv2_mex_model *m, const int *has) {
    const size_t n = m->NB + m->rotors;
    const double *X = (const double *)(scratch + m->head) + 9 * n, *I = X + 36 * n;
    const double *ratio = I + 36 * n + 3 + m->rotors;
    for (size_t i = 0; i < m->NB; i++) sv2_mex_check_body(X + 36 * i, I + 36 * i, "", i);
    for (size_t i = 0, k = m->NB; i < m->NB; i++)
        if (has[i]) {
            sv2_mex_check_body(X + 36 * k, I + 36 * k, "_rotor", i);
            if (!isfinite(ratio[k - m->NB]))
                sv2_mex_fail("model.gr{%zu}: want a finite number", i + 1);
            k++;
        }
}

struct sv2_mex_model sv2_mex_read(const mxArray *model, int **has) {
    const struct sv2_mex_model m = read_struct(model, has);
    write_head(&m);
    return m;
}
