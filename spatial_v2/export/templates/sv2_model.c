/* Models: read from a file or from memory, and looked at completely before a kernel sees them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sv2_internal.h"

enum { HEAD = 64, MOST_BODIES = 65536, KINDS = 6 };

static const int NQ_OF[KINDS] = {1, 1, 4, 9, 7, 16}, NV_OF[KINDS] = {1, 1, 3, 3, 6, 6};

struct head {
    char magic[8];
    uint32_t version, order;
    uint64_t NB, NQ, NV, terms, size;
    uint32_t checksum, rotors;
};

static const char *const MESSAGES[] = {
    "done",
    "a pointer is null",
    "the workspace is smaller than the function needs",
    "a result is not finite: an argument is not, or a quaternion is zero",
    "the file cannot be read",
    "this is no model file",
    "the model file is of another version of the library",
    "the model file is cut short or damaged",
    "the model in the file is not valid",
    "the memory does not suffice",
    "the kernel failed",
    "the function does not support the armature, damping or friction of the model",
    "there is no result of this number",
    "a result overlaps an argument or another result",
};

const char *sv2_message(int status) {
    const int count = (int)(sizeof MESSAGES / sizeof *MESSAGES);
    return status >= 0 && status < count ? MESSAGES[status] : "unknown status";
}

static uint32_t crc32_of(const unsigned char *x, size_t n) {
    uint32_t table[256], crc = 0xffffffffu;
    for (uint32_t k = 0; k < 256; k++) {
        uint32_t c = k;
        for (int bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[k] = c;
    }
    for (size_t k = 0; k < n; k++) crc = table[(crc ^ x[k]) & 255] ^ (crc >> 8);
    return ~crc;
}

uint32_t sv2_checksum(const void *data, size_t size) {
    unsigned char head[HEAD];
    memcpy(head, data, HEAD);
    memset(head + HEAD - 8, 0, 4);
    return crc32_of(head, HEAD) ^ crc32_of((const unsigned char *)data + HEAD, size - HEAD);
}

/* Joint terms have an entry for each joint of the expanded tree, zero for rotors. */
static size_t numbers(const struct head *h) {
    const uint64_t terms = h->terms ? h->terms + h->rotors : 0;
    return (size_t)((h->NB + h->rotors) * (1 + 6 + 2 + 36 + 36) + 3 + 3 * terms + 2 * h->rotors);
}

static int read_head(const void *data, size_t size, struct head *h) {
    if (size < sizeof h->magic || memcmp(data, "sv2model", sizeof h->magic)) return SV2_NO_MODEL;
    if (size < HEAD) return SV2_DAMAGED;
    memcpy(h, data, HEAD);
    const int geared = h->version == SV2_ROTOR_VERSION;
    if (h->order != 0x01020304u || (h->version != SV2_MODEL_VERSION && !geared)) return SV2_VERSION;
    if (h->NB < 1 || h->NB > MOST_BODIES || h->NQ > 16 * h->NB || h->NV > 6 * h->NB)
        return SV2_DAMAGED;
    if (h->rotors > h->NB || geared != (h->rotors > 0)) return SV2_DAMAGED;
    if ((h->terms && h->terms != h->NV) || h->size != HEAD + 8 * numbers(h)) return SV2_DAMAGED;
    return SV2_DONE;
}

/* Test the bodies: parents and joints in order, rotors on the parents of the bodies they drive. */
static int is_tree(const sv2_model *m, const double *par, const struct head *h) {
    int64_t nq = 0, nv = 0, last = -1;
    for (int64_t i = 0; i < m->bodies; i++) {
        const int64_t *joint = m->joint + 6 * i, kind = joint[0], r = i - (int64_t)h->NB;
        if (m->parent[i] < -1 || m->parent[i] >= i || kind < 0 || kind >= KINDS) return 0;
        if (joint[1] < 0 || joint[1] > 2 || joint[2] != nq || joint[3] != nv) return 0;
        if (joint[4] != NV_OF[kind] || joint[5] != -1) return 0;
        if (par[2 * i] != 1.0 && par[2 * i] != -1.0) return 0;
        if (r == 0 && (nq != (int64_t)h->NQ || nv != (int64_t)h->NV)) return 0;
        if (r >= 0) {
            const int64_t driver = m->driver[r];
            if (driver <= last || driver >= (int64_t)h->NB) return 0;
            if (m->parent[i] != m->parent[driver]) return 0;
            if (joint[4] != 1 || m->joint[6 * driver + 4] != 1) return 0;
            last = driver;
        }
        nq += NQ_OF[kind];
        nv += NV_OF[kind];
    }
    return nq == (int64_t)(h->NQ + h->rotors) && nv == (int64_t)(h->NV + h->rotors);
}

/* Write the words of a tree of some bodies: addresses and lengths of its nine arrays. */
static void lay_out(struct sv2_tree *tree, const int64_t *const *at, int64_t bodies,
                    int64_t terms) {
    const int64_t shapes[9][3] = {{bodies},       {bodies, 6}, {bodies, 2}, {bodies, 6, 6},
                                  {bodies, 6, 6}, {3},         {terms},     {terms},
                                  {terms}};
    const int axes[9] = {1, 2, 2, 3, 3, 1, 1, 1, 1};
    int64_t *word = tree->words;
    for (int k = 0; k < 9; k++) {
        *word++ = (int64_t)(intptr_t)at[k];
        for (int a = 0; a < axes[k]; a++) *word++ = shapes[k][a];
    }
}

/* Joints and their numbers for rotors that move with the joints of others; null if there is no
 * memory. */
static int64_t *gear(const sv2_model *m, const double *par) {
    const int64_t n = m->bodies, links = n - (int64_t)m->rotors;
    int64_t *joint = malloc(8 * (size_t)n * 8);
    if (!joint) return NULL;
    double *geared = (double *)(joint + 6 * n);
    memcpy(joint, m->joint, 48 * (size_t)n);
    memcpy(geared, par, 16 * (size_t)n);
    for (int64_t r = 0; r < (int64_t)m->rotors; r++) {
        const int64_t driver = m->driver[r], rotor = links + r;
        joint[6 * rotor + 2] = joint[6 * driver + 2];
        joint[6 * rotor + 5] = driver;
        joint[6 * driver + 5] = rotor;
        geared[2 * rotor] *= m->ratio[r];
    }
    return joint;
}

/* Fill the three trees; returns a status. */
static int make_trees(sv2_model *m, const int64_t *at, const struct head *h) {
    const int64_t n = m->bodies, links = (int64_t)h->NB, rotors = (int64_t)h->rotors;
    const int64_t terms = h->terms ? (int64_t)h->terms + rotors : 0, own = (int64_t)h->terms;
    const int64_t count[9] = {n, 6 * n, 2 * n, 36 * n, 36 * n, 3, terms, terms, terms};
    const int64_t *place[9];
    for (int k = 0; k < 9; k++) {
        place[k] = at;
        at += count[k];
    }
    const struct sv2_tree sizes = {links, (int64_t)h->NQ, (int64_t)h->NV, {0}};
    for (int k = 0; k < SV2_TREES; k++) m->trees[k] = sizes;
    struct sv2_tree *const wide = &m->trees[SV2_EXPANDED];
    wide->NB += rotors, wide->NQ += rotors, wide->NV += rotors;
    lay_out(&m->trees[SV2_PLAIN], place, links, own);
    lay_out(wide, place, n, terms);
    if (rotors) {
        int64_t *joint = gear(m, (const double *)place[2]);
        if (!joint) return SV2_NO_MEMORY;
        m->geared = joint;
        place[1] = joint, place[2] = joint + 6 * n;
    }
    lay_out(&m->trees[SV2_GEARED], place, n, own);
    return SV2_DONE;
}

int sv2_model_from_memory(const void *data, size_t size, sv2_model **model) {
    struct head h;
    if (!model) return SV2_NULL;
    *model = NULL;
    if (!data) return SV2_NULL;
    int status = read_head(data, size, &h);
    if (status) return status;
    const unsigned char *bytes = data;
    if (size != h.size) return SV2_DAMAGED;
    if (sv2_checksum(data, size) != h.checksum) return SV2_DAMAGED;

    const size_t n = numbers(&h);
    sv2_model *m = calloc(1, sizeof *m);
    int64_t *at = malloc(8 * n);
    if (m) m->memory = at;
    if (!m || !at) {
        free(at);
        free(m);
        return SV2_NO_MEMORY;
    }
    memcpy(at, bytes + HEAD, 8 * n);
    m->bodies = (int64_t)(h.NB + h.rotors);
    m->rotors = h.rotors, m->terms = h.terms > 0;
    m->parent = at, m->joint = at + m->bodies;
    m->driver = at + n - 2 * h.rotors;
    m->ratio = (const double *)(at + n - h.rotors);
    const double *par = (const double *)(at + 7 * m->bodies), *end = (const double *)m->driver;
    int valid = is_tree(m, par, &h);
    for (const double *x = par; x < end; x++) valid = valid && isfinite(*x);
    for (size_t r = 0; r < m->rotors; r++) valid = valid && isfinite(m->ratio[r]);
    status = valid ? make_trees(m, at, &h) : SV2_INVALID;
    if (!status) status = sv2_make_patterns(m);
    if (status) sv2_model_free(m);
    else *model = m;
    return status;
}

int sv2_model_from_file(const char *path, sv2_model **model) {
    unsigned char first[HEAD], *data, extra;
    struct head h;
    if (!model) return SV2_NULL;
    *model = NULL;
    if (!path) return SV2_NULL;
    FILE *file = fopen(path, "rb");
    if (!file) return SV2_UNREADABLE;
    const size_t got = fread(first, 1, HEAD, file);
    int status = ferror(file) ? SV2_UNREADABLE : read_head(first, got, &h);
    if (!status) {
        data = malloc((size_t)h.size);
        if (data) {
            const size_t rest = (size_t)h.size - HEAD;
            memcpy(data, first, HEAD);
            if (fread(data + HEAD, 1, rest, file) != rest || fread(&extra, 1, 1, file))
                status = SV2_DAMAGED;
            else
                status = sv2_model_from_memory(data, (size_t)h.size, model);
            free(data);
        } else {
            status = SV2_NO_MEMORY;
        }
    }
    fclose(file);
    return status;
}

void sv2_model_free(sv2_model *model) {
    if (!model) return;
    sv2_free_patterns(model);
    free(model->geared);
    free(model->memory);
    free(model);
}

static const struct sv2_tree *plain(const sv2_model *m) { return &m->trees[SV2_PLAIN]; }
size_t sv2_NB(const sv2_model *model) { return model ? (size_t)plain(model)->NB : 0; }
size_t sv2_NQ(const sv2_model *model) { return model ? (size_t)plain(model)->NQ : 0; }
size_t sv2_NV(const sv2_model *model) { return model ? (size_t)plain(model)->NV : 0; }
size_t sv2_rotors(const sv2_model *model) { return model ? model->rotors : 0; }
