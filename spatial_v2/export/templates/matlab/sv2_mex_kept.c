/* Models that have been seen, and prepared ones. */
#include <stdlib.h>
#include <string.h>

#include "sv2_mex.h"

enum { KEPT = 8 };

static const uint64_t PREPARED = 0x73763270;

static struct sv2_mex_model kept[KEPT];
static int next_place;

void sv2_mex_forget(void) {
    for (int k = 0; k < KEPT; k++) {
        sv2_model_free(kept[k].model);
        free(kept[k].record);
    }
    memset(kept, 0, sizeof kept);
    sv2_mex_free_scratch();
}

/* The mark of a record: its kind and its checksum. */
static uint64_t mark_of(const void *record, size_t size, int planar) {
    const uint32_t sum = sv2_checksum(record, size);
    return planar ? (PREPARED + 1) << 32 | (uint32_t)~sum : PREPARED << 32 | sum;
}

/* Keep a new model, whose record is in the scratch memory. */
static struct sv2_mex_model *keep(struct sv2_mex_model m) {
    unsigned char *const scratch = sv2_mex_scratch(0);
    m.record = malloc(m.size);
    if (!m.record) sv2_mex_fail("the memory does not suffice");
    memcpy(m.record, scratch, m.size);
    m.mark = mark_of(scratch, m.size, m.planar);
    const uint32_t seal = sv2_checksum(scratch, m.size);
    memcpy(scratch + SV2_MEX_HEAD - 8, &seal, sizeof seal);
    const int status = sv2_model_from_memory(scratch, m.size, &m.model);
    if (status) {
        free(m.record);
        if (status == SV2_PROCESSOR)
            sv2_mex_fail("there are no kernels for this processor, here or in a folder kernels");
        sv2_mex_fail("model: %s", sv2_message(status));
    }
    struct sv2_mex_model *place = kept + next_place;
    next_place = (next_place + 1) % KEPT;
    sv2_model_free(place->model);
    free(place->record);
    *place = m;
    return place;
}

static struct sv2_mex_model *seen(const void *record, size_t size, int planar) {
    for (int k = 0; k < KEPT; k++)
        if (kept[k].size == size && kept[k].planar == planar && !memcmp(kept[k].record, record, size))
            return kept + k;
    return NULL;
}

static struct sv2_mex_model *of_struct(const mxArray *model) {
    int *has;
    const struct sv2_mex_model m = sv2_mex_read(model, &has);
    struct sv2_mex_model *place = seen(sv2_mex_scratch(0), m.size, m.planar);
    if (!place) sv2_mex_check_model(&m, has);
    mxFree(has);
    return place ? place : keep(m);
}

/* A prepared model is the record of a struct, and its mark. */
static struct sv2_mex_model *of_prepared(const mxArray *x) {
    const size_t words = mxGetNumberOfElements(x);
    const uint64_t *const record = mxGetData(x), last = words ? record[words - 1] : 0;
    struct sv2_mex_model m = {0}, *place = NULL;
    m.size = words ? 8 * (words - 1) : 0;
    m.planar = last >> 32 == PREPARED + 1;
    const int whole = m.size >= SV2_MEX_HEAD && !(uint32_t)record[SV2_MEX_HEAD / 8 - 1];
    if (whole) place = seen(record, m.size, m.planar);
    if (!whole || (place ? place->mark : mark_of(record, m.size, m.planar)) != last)
        sv2_mex_fail("model: this array is no prepared model, or has been changed; want a struct, or "
                     "m = prepared(model)");
    if (place) return place;
    memcpy(sv2_mex_scratch(m.size), record, m.size);
    place = keep(m);
    place->NB = sv2_NB(place->model);
    place->NQ = sv2_NQ(place->model);
    place->NV = sv2_NV(place->model);
    return place;
}

struct sv2_mex_model *sv2_mex_model_of(const mxArray *model) {
    return sv2_mex_is_prepared(model) ? of_prepared(model) : of_struct(model);
}

int sv2_mex_is_prepared(const mxArray *model) { return mxIsUint64(model); }

mxArray *sv2_mex_prepare(const mxArray *model) {
    const struct sv2_mex_model *const m = sv2_mex_model_of(model);
    const mwSize size[2] = {(mwSize)(m->size / 8 + 1), 1};
    mxArray *const x = mxCreateNumericArray(2, size, mxUINT64_CLASS, mxREAL);
    uint64_t *const words = mxGetData(x);
    memcpy(words, m->record, m->size);
    words[size[0] - 1] = m->mark;
    return x;
}
