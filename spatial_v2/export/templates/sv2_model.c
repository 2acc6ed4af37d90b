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
    uint32_t checksum, reserved;
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
    memset(head + HEAD - 8, 0, 8);
    return crc32_of(head, HEAD) ^ crc32_of((const unsigned char *)data + HEAD, size - HEAD);
}

static size_t numbers(const struct head *h) {
    return (size_t)(h->NB * (1 + 6 + 2 + 36 + 36) + 3 + 3 * h->terms);
}

static int read_head(const void *data, size_t size, struct head *h) {
    if (size < sizeof h->magic || memcmp(data, "sv2model", sizeof h->magic)) return SV2_NO_MODEL;
    if (size < HEAD) return SV2_DAMAGED;
    memcpy(h, data, HEAD);
    if (h->order != 0x01020304u || h->version != SV2_MODEL_VERSION) return SV2_VERSION;
    if (h->NB < 1 || h->NB > MOST_BODIES || h->NQ > 16 * h->NB || h->NV > 6 * h->NB)
        return SV2_DAMAGED;
    if ((h->terms && h->terms != h->NV) || h->size != HEAD + 8 * numbers(h)) return SV2_DAMAGED;
    return SV2_DONE;
}

static int is_tree(const sv2_model *m, const double *par) {
    int64_t nq = 0, nv = 0;
    for (int64_t i = 0; i < m->NB; i++) {
        const int64_t *joint = m->joint + 6 * i, kind = joint[0];
        if (m->parent[i] < -1 || m->parent[i] >= i || kind < 0 || kind >= KINDS) return 0;
        if (joint[1] < 0 || joint[1] > 2 || joint[2] != nq || joint[3] != nv) return 0;
        if (joint[4] != NV_OF[kind] || joint[5] != -1) return 0;
        if (par[2 * i] != 1.0 && par[2 * i] != -1.0) return 0;
        nq += NQ_OF[kind];
        nv += NV_OF[kind];
    }
    return nq == m->NQ && nv == m->NV;
}

static void lay_out(sv2_model *m, const int64_t *at, const struct head *h) {
    const int64_t NB = m->NB, terms = (int64_t)h->terms;
    const int64_t shapes[9][3] = {{NB},    {NB, 6}, {NB, 2}, {NB, 6, 6}, {NB, 6, 6},
                                  {3},     {terms}, {terms}, {terms}};
    const int axes[9] = {1, 2, 2, 3, 3, 1, 1, 1, 1};
    int64_t *word = m->words;
    for (int k = 0; k < 9; k++) {
        int64_t count = 1;
        *word++ = (int64_t)(intptr_t)at;
        for (int a = 0; a < axes[k]; a++) {
            *word++ = shapes[k][a];
            count *= shapes[k][a];
        }
        at += count;
    }
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
    if (sv2_checksum(data, size) != h.checksum || h.reserved) return SV2_DAMAGED;

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
    m->NB = (int64_t)h.NB, m->NQ = (int64_t)h.NQ, m->NV = (int64_t)h.NV;
    m->parent = at, m->joint = at + h.NB;
    const double *par = (const double *)(at + 7 * h.NB);
    const double *end = (const double *)(at + n);
    int valid = is_tree(m, par);
    for (const double *x = par; x < end; x++) valid = valid && isfinite(*x);
    lay_out(m, at, &h);
    status = valid ? sv2_make_patterns(m) : SV2_INVALID;
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
    for (int k = 0; model->patterns && k < sv2_family_count; k++)
        for (int tensor = 0; tensor < SV2_MOST_TENSORS; tensor++)
            free(model->patterns[k].at[tensor]);
    free(model->patterns);
    free(model->memory);
    free(model);
}

size_t sv2_NB(const sv2_model *model) { return model ? (size_t)model->NB : 0; }
size_t sv2_NQ(const sv2_model *model) { return model ? (size_t)model->NQ : 0; }
size_t sv2_NV(const sv2_model *model) { return model ? (size_t)model->NV : 0; }
