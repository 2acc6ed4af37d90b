/* Sparse matrices from the variables of a call to those of a tree: they are filled row by row. */
#include <string.h>

#include "sv2_internal.h"

size_t sv2_matrix_words(size_t rows, size_t variables, size_t entries) {
    return 1 + 4 * rows + 3 * variables + 5 * entries;
}

int sv2_matrix_lay(struct sv2_matrix *G, struct sv2_room *room, size_t rows, size_t n,
                   size_t entries) {
    int64_t *word = sv2_place(room, sv2_matrix_words(rows, n, entries), 8);
    if (!word) return SV2_WORKSPACE;
    memset(G, 0, sizeof *G);
    G->variables = n;
    G->begin = word, G->source = word + rows + 1;
    G->scale = (double *)(G->source + rows), G->shift = G->scale + rows;
    G->own = (int64_t *)(G->shift + rows), G->home = G->own + n, G->apart = G->home + n;
    G->at = G->apart + n, G->value = (double *)(G->at + entries);
    G->row = (int64_t *)(G->value + entries), G->column = G->row + entries;
    G->factor = (double *)(G->column + entries);
    G->begin[0] = 0;
    return SV2_DONE;
}

void sv2_matrix_add(struct sv2_matrix *G, size_t column, double value) {
    if (value == 0.0) return;
    G->at[G->terms] = (int64_t)column, G->value[G->terms++] = value;
}

void sv2_matrix_end_row(struct sv2_matrix *G, double shift) {
    G->shift[G->rows++] = shift;
    G->begin[G->rows] = (int64_t)G->terms;
}

void sv2_matrix_finish(struct sv2_matrix *G) {
    size_t spare = 0, others = 0;
    for (size_t k = 0; k < G->variables; k++) G->own[k] = -1;
    for (size_t r = 0; r < G->rows; r++) {
        const int64_t k = G->begin[r];
        G->source[r] = 0, G->scale[r] = 0.0;
        if (G->begin[r + 1] != k + 1 || G->value[k] != 1.0 || G->own[G->at[k]] >= 0) continue;
        G->own[G->at[k]] = (int64_t)r;
        G->source[r] = G->at[k], G->scale[r] = 1.0;
    }
    G->begun = 0;
    for (int more = 0; more < 2; more++)
        for (size_t r = 0; r < G->rows; r++) {
            const int64_t first = G->begin[r], end = G->begin[r + 1];
            if (first == end || G->own[G->at[first]] == (int64_t)r) continue;
            for (int64_t k = first + more; k < (more ? end : first + 1); k++) {
                G->row[others] = (int64_t)r, G->column[others] = G->at[k];
                G->factor[others++] = G->value[k];
                if (more) continue;
                G->source[r] = G->at[k], G->scale[r] = G->value[k];
                G->begun++;
            }
        }
    G->terms = others;
    for (size_t k = 0; k < G->variables; k++) {
        G->home[k] = G->own[k], G->apart[k] = -1;
        if (G->own[k] >= 0) continue;
        /* A row that owns no variable: there is one, since rows are not fewer than variables. */
        while (G->begin[spare + 1] == G->begin[spare] + 1 &&
               G->own[G->at[G->begin[spare]]] == (int64_t)spare)
            spare++;
        G->home[k] = (int64_t)spare++, G->apart[k] = (int64_t)G->apart_count++;
    }
}
