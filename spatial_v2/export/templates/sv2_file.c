/* Model files: their head and checksum, and models read from them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sv2_internal.h"

enum { HEAD = 64, NAMED_HEAD = 80, COUPLED_HEAD = 112, MOST_ENTRIES = 1 << 18 };
enum { MOST_BODIES = 65536, MOST_FRAMES = 65536, MOST_TEXT = 1 << 20 };

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

/* Files with names: those of the last versions. */
int sv2_is_named(const struct sv2_head *h) { return h->version >= SV2_NAMED_VERSION; }

/* The number of joint terms in the file: with stiffness and rest, or without. */
size_t sv2_kinds_of_terms(const struct sv2_head *h) {
    return h->version >= SV2_SPRUNG_VERSION ? SV2_TERMS : SV2_STIFFNESS;
}

size_t sv2_head_size(const struct sv2_head *h) {
    if (h->version >= SV2_COUPLED_VERSION) return COUPLED_HEAD;
    return sv2_is_named(h) ? NAMED_HEAD : HEAD;
}

/* Joint terms have an entry for each joint of the expanded tree, zero for rotors. */
size_t sv2_tree_numbers(const struct sv2_head *h) {
    const uint64_t terms = h->terms ? h->terms + h->rotors : 0;
    return (size_t)((h->NB + h->rotors) * (1 + 6 + 2 + 36 + 36) + 3 +
                    sv2_kinds_of_terms(h) * terms + 2 * h->rotors);
}

/* Limits, frames and names. */
static size_t named_numbers(const struct sv2_head *h) {
    const uint64_t limits = h->joints ? h->positions + h->variables : h->NQ + h->NV;
    return sv2_is_named(h) ? (size_t)(2 * limits + 37 * h->frames + h->text) : 0;
}

static int is_coupled(const struct sv2_head *h) {
    return h->joints > 0 && h->joints <= h->NB && h->joints <= h->variables &&
           h->variables <= h->NV && h->positions <= h->NQ && h->entries <= MOST_ENTRIES;
}

int sv2_read_head(const void *data, size_t size, struct sv2_head *h) {
    if (size < sizeof h->magic || memcmp(data, "sv2model", sizeof h->magic)) return SV2_NO_MODEL;
    if (size < NAMED_HEAD) return SV2_DAMAGED;
    memcpy(h, data, NAMED_HEAD);
    h->joints = h->positions = h->variables = h->entries = 0;
    const int named = sv2_is_named(h), geared = h->version == SV2_ROTOR_VERSION;
    if (h->order != 0x01020304u) return SV2_VERSION;
    if (h->version < SV2_PLAIN_VERSION || h->version > SV2_COUPLED_VERSION) return SV2_VERSION;
    if (h->version == SV2_COUPLED_VERSION) {
        if (size < COUPLED_HEAD) return SV2_DAMAGED;
        memcpy(&h->joints, (const char *)data + NAMED_HEAD, COUPLED_HEAD - NAMED_HEAD);
    }
    if (!named) h->frames = h->text = 0;
    if (h->NB < 1 || h->NB > MOST_BODIES || h->NQ > 16 * h->NB || h->NV > 6 * h->NB)
        return SV2_DAMAGED;
    if (h->rotors > h->NB || (!named && geared != (h->rotors > 0))) return SV2_DAMAGED;
    if (h->frames > MOST_FRAMES || h->text > MOST_TEXT) return SV2_DAMAGED;
    if (h->terms && h->terms != h->NV) return SV2_DAMAGED;
    if (h->version == SV2_COUPLED_VERSION && !is_coupled(h)) return SV2_DAMAGED;
    const size_t numbers = sv2_tree_numbers(h) + sv2_coupling_numbers(h) + named_numbers(h);
    return h->size == sv2_head_size(h) + 8 * numbers ? SV2_DONE : SV2_DAMAGED;
}

static int read_whole(const void *data, size_t size, struct sv2_head *h) {
    if (!data) return SV2_NULL;
    const int status = sv2_read_head(data, size, h);
    if (status) return status;
    return size == h->size && sv2_checksum(data, size) == h->checksum ? SV2_DONE : SV2_DAMAGED;
}

size_t sv2_whole(size_t count, size_t size) { return (count * size + 15) / 16 * 16; }

void *sv2_place(struct sv2_room *room, size_t count, size_t size) {
    const size_t whole = sv2_whole(count, size);
    if (whole > (size_t)(room->end - room->next)) return NULL;
    void *const at = room->next;
    room->next += whole;
    return at;
}

static size_t needed(const struct sv2_head *h, const unsigned char *numbers) {
    return 16 + sv2_whole(1, sizeof(sv2_model)) + sv2_tree_size(h) + sv2_names_size(h) +
           sv2_spreads_size(h, numbers) + sv2_patterns_size(h, numbers);
}

size_t sv2_model_size(const void *data, size_t size) {
    struct sv2_head h;
    if (read_whole(data, size, &h)) return 0;
    return needed(&h, (const unsigned char *)data + sv2_head_size(&h));
}

/* Build a model whose file has been checked by its head and checksum. */
static int build(const struct sv2_head *h, const unsigned char *data, void *memory, size_t size,
                 sv2_model **model) {
    const unsigned char *const numbers = data + sv2_head_size(h);
    const size_t before = (size_t)(-(uintptr_t)memory & 15);
    const int level = sv2_level_here();
    if (level < 0) return SV2_PROCESSOR;
    if (size < before) return SV2_WORKSPACE;
    struct sv2_room room = {(char *)memory + before, (char *)memory + size};
    sv2_model *const m = sv2_place(&room, 1, sizeof *m);
    if (!m) return SV2_WORKSPACE;
    memset(m, 0, sizeof *m);
    m->level = level;
    int status = sv2_make_tree(m, &room, h, numbers);
    if (!status) status = sv2_make_spreads(m, &room, h, numbers);
    if (!status) status = sv2_make_names(m, &room, h, numbers);
    if (!status) status = sv2_make_patterns(m, &room, h, numbers);
    if (!status) *model = m;
    return status;
}

int sv2_model_in(const void *data, size_t size, void *memory, size_t memory_size,
                 sv2_model **model) {
    struct sv2_head h;
    if (!model) return SV2_NULL;
    *model = NULL;
    if (!memory) return SV2_NULL;
    const int status = read_whole(data, size, &h);
    return status ? status : build(&h, data, memory, memory_size, model);
}

int sv2_model_from_memory(const void *data, size_t size, sv2_model **model) {
    struct sv2_head h;
    if (!model) return SV2_NULL;
    *model = NULL;
    int status = read_whole(data, size, &h);
    if (status) return status;
    const size_t bytes = needed(&h, (const unsigned char *)data + sv2_head_size(&h));
    void *const memory = malloc(bytes);
    if (!memory) return SV2_NO_MEMORY;
    status = build(&h, data, memory, bytes, model);
    if (status) free(memory);
    else (*model)->memory = memory;
    return status;
}

int sv2_model_from_file(const char *path, sv2_model **model) {
    unsigned char first[COUPLED_HEAD], *data, extra;
    struct sv2_head h;
    if (!model) return SV2_NULL;
    *model = NULL;
    if (!path) return SV2_NULL;
    FILE *file = fopen(path, "rb");
    if (!file) return SV2_UNREADABLE;
    const size_t got = fread(first, 1, COUPLED_HEAD, file);
    int status = ferror(file) ? SV2_UNREADABLE : sv2_read_head(first, got, &h);
    if (!status) {
        data = malloc((size_t)h.size);
        if (data) {
            const size_t rest = (size_t)h.size - COUPLED_HEAD;
            memcpy(data, first, COUPLED_HEAD);
            if (fread(data + COUPLED_HEAD, 1, rest, file) != rest || fread(&extra, 1, 1, file))
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
    if (model) free(model->memory);
}
