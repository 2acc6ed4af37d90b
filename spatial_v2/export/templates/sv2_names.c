/* Names of bodies, joints and frames, limits of joints, and the order of their variables. */
#include <math.h>
#include <string.h>

#include "sv2_internal.h"

static size_t name_count(const struct sv2_head *h) {
    return (size_t)(1 + h->NB + (h->joints ? h->joints : h->NB) + h->frames);
}

/* The number of limits of positions, and of velocities or forces. */
static size_t positions_of(const struct sv2_head *h) {
    return (size_t)(h->joints ? h->positions : h->NQ);
}

static size_t velocities_of(const struct sv2_head *h) {
    return (size_t)(h->joints ? h->variables : h->NV);
}

size_t sv2_names_size(const struct sv2_head *h) {
    if (!sv2_is_named(h)) return 0;
    const size_t limits = 2 * positions_of(h) + 2 * velocities_of(h);
    const size_t numbers = limits + (size_t)(37 * h->frames + h->text);
    return sv2_whole(numbers, 8) + sv2_whole(name_count(h), sizeof(char *));
}

/* Set the beginnings of all names, each ended by a zero; returns 0 if the text has others. */
static int find_names(const char *text, size_t size, const char **names, size_t count) {
    const char *const end = text + size;
    for (size_t k = 0; k < count; k++) {
        const char *const zero = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;
        if (!zero) return 0;
        names[k] = text;
        text = zero + 1;
    }
    return 1;
}

static int frames_are_valid(const sv2_model *m) {
    for (size_t k = 0; k < m->frames; k++) {
        const int64_t body = m->frame_body[k];
        if (body < -1 || body >= m->trees[SV2_PLAIN].NB) return 0;
        if (!sv2_is_transform(m->frame_X + 36 * k)) return 0;
    }
    return 1;
}

int sv2_make_names(sv2_model *m, struct sv2_room *room, const struct sv2_head *h,
                   const unsigned char *numbers) {
    if (!sv2_is_named(h)) return SV2_DONE;
    const size_t nq = positions_of(h), nv = velocities_of(h), bounds = 2 * nq + 2 * nv;
    const size_t count = bounds + (size_t)(37 * h->frames + h->text);
    double *const x = sv2_place(room, count, 8);
    m->names = sv2_place(room, name_count(h), sizeof(char *));
    if (!x || !m->names) return SV2_WORKSPACE;
    memcpy(x, numbers + 8 * (sv2_tree_numbers(h) + sv2_coupling_numbers(h)), 8 * count);
    for (size_t k = 0; k < bounds; k++)
        if (isnan(x[k])) return SV2_INVALID;
    m->bounds[SV2_LOWER] = x, m->bounds[SV2_UPPER] = x + nq;
    m->bounds[SV2_VELOCITY] = x + 2 * nq, m->bounds[SV2_EFFORT] = x + 2 * nq + nv;
    m->frames = (size_t)h->frames;
    m->frame_body = (const int64_t *)(x + bounds);
    m->frame_X = x + bounds + h->frames;
    const char *const text = (const char *)(m->frame_X + 36 * h->frames);
    const int named = find_names(text, 8 * (size_t)h->text, m->names, name_count(h));
    return named && frames_are_valid(m) ? SV2_DONE : SV2_INVALID;
}

static const char *name_of(const sv2_model *m, size_t first, size_t count, size_t k) {
    return m && m->names && k < count ? m->names[first + k] : NULL;
}

static int find(const sv2_model *m, size_t first, size_t count, const char *name) {
    for (size_t k = 0; m && m->names && name && k < count; k++)
        if (!strcmp(m->names[first + k], name)) return (int)k;
    return -1;
}

const char *sv2_robot_name(const sv2_model *m) { return name_of(m, 0, 1, 0); }
const char *sv2_body_name(const sv2_model *m, size_t body) {
    return name_of(m, 1, sv2_NB(m), body);
}
const char *sv2_joint_name(const sv2_model *m, size_t joint) {
    return name_of(m, 1 + sv2_NB(m), sv2_joints(m), joint);
}
size_t sv2_frames(const sv2_model *m) { return m ? m->frames : 0; }
const char *sv2_frame_name(const sv2_model *m, size_t frame) {
    return name_of(m, 1 + sv2_NB(m) + sv2_joints(m), sv2_frames(m), frame);
}

int sv2_body_index(const sv2_model *m, const char *name) { return find(m, 1, sv2_NB(m), name); }
int sv2_joint_index(const sv2_model *m, const char *name) {
    return find(m, 1 + sv2_NB(m), sv2_joints(m), name);
}

int sv2_frame_find(const sv2_model *m, const char *name, int *body, const double **X) {
    if (!m || !name || !body || !X) return SV2_NULL;
    const int frame = find(m, 1 + sv2_NB(m) + sv2_joints(m), m->frames, name);
    *body = frame < 0 ? sv2_body_index(m, name) : (int)m->frame_body[frame];
    *X = frame < 0 ? NULL : m->frame_X + 36 * frame;
    return frame < 0 && *body < 0 ? SV2_NO_NAME : SV2_DONE;
}

int sv2_parent(const sv2_model *m, size_t body) {
    return body < sv2_NB(m) ? (int)m->parent[body] : -1;
}

int sv2_joint_variables(const sv2_model *m, size_t joint, size_t *q, size_t *nq, size_t *v,
                        size_t *nv) {
    if (!m || !q || !nq || !v || !nv) return SV2_NULL;
    if (joint >= sv2_joints(m)) return SV2_NO_NAME;
    if (m->joint_begin) {
        const int64_t *const begin = m->joint_begin + 2 * joint;
        *q = (size_t)begin[0], *nq = (size_t)(begin[2] - begin[0]);
        *v = (size_t)begin[1], *nv = (size_t)(begin[3] - begin[1]);
        return SV2_DONE;
    }
    const int64_t *const at = m->joint + 6 * joint;
    const int last = joint + 1 == sv2_NB(m);
    *q = (size_t)at[2], *v = (size_t)at[3], *nv = (size_t)at[4];
    *nq = (last ? sv2_NQ(m) : (size_t)at[8]) - *q;
    return SV2_DONE;
}

const double *sv2_lower(const sv2_model *m) { return m ? m->bounds[SV2_LOWER] : NULL; }
const double *sv2_upper(const sv2_model *m) { return m ? m->bounds[SV2_UPPER] : NULL; }
const double *sv2_velocity_limit(const sv2_model *m) { return m ? m->bounds[SV2_VELOCITY] : NULL; }
const double *sv2_effort_limit(const sv2_model *m) { return m ? m->bounds[SV2_EFFORT] : NULL; }
